"""Matches as they are, and the acts of those who choose, resign or take a seat.

All other acts have modules of their own. Each is written whole, in one transaction, or not.

A submission carries the step it was made for, so a late click on an old round is never played in
the next one, and the step guards the write, so no round is ever resolved twice. Whoever is to be
told is told by the caller, after the commit.
"""

from collections.abc import Callable, Mapping
from typing import Any

from bot.errors import TooLateError
from bot.matches.batch_queue import BatchQueue, Take
from bot.matches.challenges import ChallengeActs
from bot.matches.computer_tasks import thinking_seed
from bot.matches.effect import Effect, as_committed
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
from bot.matches.submissions import Submission, Submissions, choose, legal_move
from bot.storage import MatchId, MatchRecord, Transactions
from games import Seat
from games.chance import Chance


class Matches(ChallengeActs):
    """The acts. Whose turn it is, is always a query.

    A position that is remembered for quick choices is compared with the database as they are
    written.
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
        self._submissions = Submissions(storage)
        self._reading: BatchQueue[MatchId, None, MatchRecord | None]
        self._reading = BatchQueue(self._read, splits=True)

    async def public(self, match: MatchId) -> PublicSnapshot:
        """The match as everybody may know it."""
        return load_match(await self._record(match)).public()

    async def options(self, match: MatchId) -> Any | None:  # noqa: ANN401 - of the game's own type
        """What was agreed upon for a match; None where there is no such match."""
        record = await self._record(match) if match else None
        return None if record is None else load_match(record).options

    async def snapshot(self, match: MatchId, user: int) -> Snapshot:
        """The match as this user may know it; as everybody may where they have no seat."""
        return load_match(await self._record(match)).snapshot_of(user)

    async def sit(
        self, match: MatchId, user: int, *, step: int | None = None, may_rest: bool = False
    ) -> SeatSnapshot:
        """A running match as a player in it knows it; NotSeatedError for everybody else.

        With a step, TooLateError if the match has gone on since; with `may_rest` also a match that
        its players have paused.
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
        """A running match as this user may know it, also while its players have paused it.

        TooLateError for any other match.
        """
        return load_running(await self._record(match), may_rest=True).snapshot_of(user)

    async def snapshots(self, match: MatchId) -> tuple[PublicSnapshot, *tuple[SeatSnapshot, ...]]:
        """The match as everybody may know it, then as each person who sits there does."""
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
        """Choose a move, or change the choice of this step; the last one to choose resolves it.

        `text` is the move in the game's notation; `block` the number of the seat whose block of
        buttons was tapped, which must be one's own. Raises a MatchError or IllegalMoveError and
        writes nothing where the move cannot be chosen now.
        """
        now = int(self._now())
        if block is None:
            picked = await self._picks.choose(match, step, user, text, now=now)
            if picked is not None:
                return picked
        submission = Submission(step=step, user=user, text=text, block=block, made_at=now)
        return await self._submissions.submit(match, submission)

    async def submit_for(
        self, match: MatchId, step: int, seat: Seat, text: str | None, *, turn: int
    ) -> Effect:
        """Choose the move of a computer's seat, by the same rules as anybody's.

        Without a text the game chooses, as it does for a seat out of time. A step that was taken
        back meanwhile is played in another turn.
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
            return await as_committed(writing, effect)

    async def _record(self, match: MatchId) -> MatchRecord | None:
        return await self._reading.add(match, None)

    async def _read(
        self, take: Take[MatchId, None]
    ) -> Mapping[MatchId, MatchRecord | Exception | None]:
        """Matches as they are now; None for those that there are not."""
        async with self._storage.reading() as reading:
            batch = take()
            found = await reading.matches.load_all(batch)
        return {match: found.get(match) for match in batch}

    async def concede(self, match: MatchId, user: int) -> Effect:
        """Leave a running match for good, also while its players have paused it.

        The others' choices of this step stay, except those that are no longer legal; and if
        nobody owes a move any more, the step is resolved too.
        """
        async with self._storage.transaction() as writing:
            found = load_running(await writing.matches.load(match), may_rest=True)
            stranger = "You're not playing in this match, so you can't resign."
            seat = playing_seat_of(found, user, stranger)
            effect = await leave(writing, found, seat, "resigned", int(self._now()), None)
            return await as_committed(writing, effect)
