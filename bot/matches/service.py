"""Reading matches, and the acts of choosing moves, resigning and taking seats.

All other acts have modules of their own. Each act is one transaction: written whole, or not at all.

A submission carries the step it was made for, so a late click on an old round is never played in
the next one; the step also guards the write, so no round is resolved twice. Callers update
messages after the commit.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from bot.errors import TooLateError
from bot.matches.batch_queue import BatchQueue, Take
from bot.matches.challenges import ChallengeActs
from bot.matches.computer_tasks import thinking_seed
from bot.matches.effect import Effect, committed
from bot.matches.loaded import (
    ROUND_OVER,
    load_match,
    load_running,
    playing_seat_of,
)
from bot.matches.picks import Picks
from bot.matches.resolution import leave, new_seed
from bot.matches.returns import Returns
from bot.matches.snapshots import PublicSnapshot, SeatSnapshot, Snapshot
from bot.matches.submissions import MAX_CHOICES_AT_ONCE, Submission, carry_out, choose, legal_move
from bot.storage import MatchId, MatchRecord, Transactions
from games import Seat
from games.chance import Chance


class Matches(ChallengeActs):
    """The acts. Whose turn it is is always read from the database.

    Matches that are remembered for quick choices are compared with it when a choice is written.
    """

    def __init__(
        self,
        storage: Transactions,
        *,
        seed: Callable[[], str] = new_seed,
        now: Callable[[], float],
        returns: Returns,
    ) -> None:
        super().__init__(storage, seed=seed, now=now, returns=returns)
        self._picks = Picks(storage.pick, self._record)
        self._submissions: BatchQueue[MatchId, Submission, Effect]
        self._submissions = BatchQueue(
            partial(carry_out, storage), MAX_CHOICES_AT_ONCE, splits=True
        )
        self._reading: BatchQueue[MatchId, None, MatchRecord | None]
        self._reading = BatchQueue(self._read, splits=True)

    async def public(self, match: MatchId) -> PublicSnapshot:
        """The match as everyone may know it."""
        return load_match(await self._record(match)).public()

    async def options(self, match: MatchId) -> Any | None:  # noqa: ANN401 - of the game's own type
        """The options of a match; None if there is no such match."""
        record = await self._record(match) if match else None
        return None if record is None else load_match(record).options

    async def snapshot(self, match: MatchId, user: int) -> Snapshot:
        """The match as this user may know it: as its player, or as everyone."""
        return load_match(await self._record(match)).snapshot_of(user)

    async def sit(
        self, match: MatchId, user: int, *, step: int | None = None, may_rest: bool = False
    ) -> SeatSnapshot:
        """A running match as its player may know it; raises NotSeatedError for everyone else.

        With a step, raises TooLateError if the match is at another one; with `may_rest`, a match
        that is paused by agreement is returned as well.
        """
        found = load_running(await self._record(match), may_rest=may_rest)
        seat = playing_seat_of(
            found,
            user,
            "You're not playing in this match. The table shows everything that's public.",
        )
        if step is not None and found.record.step != step:
            raise TooLateError(ROUND_OVER)
        return found.for_seat(seat)

    async def running(self, match: MatchId, user: int) -> Snapshot:
        """A running match as this user may know it, even while it is paused by agreement.

        Raises TooLateError for any other match, PausedError if it has lost its channel.
        """
        return load_running(await self._record(match), may_rest=True).snapshot_of(user)

    async def snapshots(self, match: MatchId) -> tuple[PublicSnapshot, *tuple[SeatSnapshot, ...]]:
        """The match as everyone may know it, then as each person with a seat may."""
        found = load_match(await self._record(match))
        self._picks.remember(found)
        seats = enumerate(found.record.seats)
        return (
            found.public(),
            *(found.for_seat(Seat(i)) for i, s in seats if s.computer is None),
        )

    async def submit(
        self, match: MatchId, step: int, user: int, text: str, *, block: str | None = None
    ) -> Effect:
        """Choose a move or change one's choice in this step; the last to choose resolves the step.

        `text` is the move in the game's notation. `block` is the number of the seat whose block of
        buttons on the table was tapped, which must be the user's; None for buttons of a hand.
        Raises MatchError or IllegalMoveError, and writes nothing, if the move can't be chosen now.
        """
        now = int(self._now())
        if block is None:
            picked = await self._picks.choose(match, step, user, text, now=now)
            if picked is not None:
                return picked
        submission = Submission(step=step, user=user, text=text, block=block, made_at=now)
        return await self._submissions.add(match, submission)

    async def submit_for(
        self, match: MatchId, step: int, seat: Seat, text: str | None, *, turn: int
    ) -> Effect:
        """Choose a move for a computer's seat, by the same rules as for people.

        If `text` is None, the game chooses, as it does for a seat out of time. Raises TooLateError
        if the move isn't owed now; `turn` shows whether the step was taken back meanwhile.
        """
        async with self._storage.transaction() as writing:
            found = load_running(await writing.matches.load(match))
            if (found.record.step, found.record.turn) != (step, turn):
                raise TooLateError(ROUND_OVER)
            if found.record.seats[seat].computer is None or seat in found.choices:
                raise TooLateError(
                    "You don't have a choice to make right now. Wait for the others."
                )
            if text is None:
                chance = Chance(thinking_seed(found.record.seed or "", seat), step)
                text = str(found.game.fallback(found.state, seat, chance))
            move = legal_move(found, seat, text)
            effect = await choose(writing, found, seat, move, "computer", int(self._now()))
            return await committed(writing, effect)

    async def _record(self, match: MatchId) -> MatchRecord | None:
        return await self._reading.add(match, None)

    async def _read(
        self, take: Take[MatchId, None]
    ) -> Mapping[MatchId, MatchRecord | Exception | None]:
        """The current records of these matches; None for those that don't exist."""
        async with self._storage.reading() as reading:
            batch = take()
            found = await reading.matches.load_all(batch)
        return {match: found.get(match) for match in batch}

    async def concede(self, match: MatchId, user: int) -> Effect:
        """Resign from a running match, even while it is paused by agreement.

        The others' choices in this step are kept if they are still legal; if nobody owes a move
        then, the step is resolved.
        """
        async with self._storage.transaction() as writing:
            found = load_running(await writing.matches.load(match), may_rest=True)
            refusal = "You're not playing in this match, so you can't resign."
            seat = playing_seat_of(found, user, refusal)
            effect = await leave(writing, found, seat, "resigned", int(self._now()), None)
            return await committed(writing, effect)
