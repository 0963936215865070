"""What moderators can do in their server: end a match, remove a player, withdraw a challenge."""

from collections.abc import Callable, Sequence

from bot.errors import MatchError, NoSuchMatchError, PausedError
from bot.matches.effect import Effect, committed, load_effect
from bot.matches.loaded import NOT_HERE, LoadedMatch, load_match, load_open, must_run, seat_of
from bot.matches.resolution import leave
from bot.matches.snapshots import PublicSnapshot
from bot.storage import MatchId, Transaction, Transactions
from bot.storage.match_list import Underway
from games import Seat

_NONE_HERE = "No match is being played in this server."
_NEITHER_HERE = "No match or challenge in this server has that number. Pick one from the list."


class Moderation:
    """The acts on matches that are open or running, paused or not; each is one transaction."""

    def __init__(self, storage: Transactions, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now

    async def snapshot(self, match: MatchId, guild: int) -> PublicSnapshot:
        """An open or running match of this server, as everyone may know it."""
        async with self._storage.reading() as reading:
            return (await _unfinished(reading, match, guild)).public()

    async def must_be_removable(self, match: MatchId, guild: int, user: int) -> None:
        """Raise MatchError, with the sentence to show, if this user can't be removed now."""
        async with self._storage.reading() as reading:
            _removable(await _unfinished(reading, match, guild, running_only=True), user)

    async def end(self, match: MatchId, guild: int, user: int | None = None) -> Effect:
        """End a running match of this server without a result; `user` is the moderator."""
        async with self._storage.transaction() as writing:
            record, now = (await _unfinished(writing, match, guild)).record, int(self._now())
            must_run(record)
            await writing.matches.end(record, "closed", now, ending="moderator", actor=user)
            return await load_effect(writing, match, resolved=True)

    async def withdraw(self, match: MatchId, guild: int, user: int) -> Effect:
        """Withdraw a challenge of this server and notify its challenger; `user` is the moderator.

        Raises TooLateError if the match has started: ending it is a different decision, which
        moderators who play in a rated match can't make.
        """
        async with self._storage.transaction() as writing:
            record = load_open((await _unfinished(writing, match, guild)).record).record
            now, opener = int(self._now()), [record.opener]
            await writing.matches.end(record, "withdrawn", now, ending="moderator", actor=user)
            await writing.notices.queue(match, "declined", opener, due_at=now, actor=user)
            return await load_effect(writing, match, resolved=True)

    async def unseat(self, match: MatchId, guild: int, user: int, moderator: int) -> Effect:
        """Remove a user from a match of this server; the others play on (R37)."""
        async with self._storage.transaction() as writing:
            found = await _unfinished(writing, match, guild, running_only=True)
            seat = _removable(found, user)
            effect = await leave(writing, found, seat, "unseated", int(self._now()), moderator)
            return await committed(writing, effect)

    async def running(self, guild: int) -> Sequence[Underway]:
        """The running matches of a server, the newest first."""
        async with self._storage.reading() as reading:
            return await reading.match_lists.running_in(guild)

    async def unfinished(self, guild: int) -> Sequence[Underway]:
        """The open and running matches of a server, the newest first."""
        async with self._storage.reading() as reading:
            return await reading.match_lists.unfinished_in(guild)


async def _unfinished(
    acting: Transaction, match: MatchId, guild: int, *, running_only: bool = False
) -> LoadedMatch:
    """An open or running match of this server; raises NoSuchMatchError for any other.

    Its message points to the command's list of matches only if that isn't empty; with
    `running_only`, that list has no open challenges.
    """
    record = await acting.matches.load(match)
    if record is None or record.guild != guild:
        lists = acting.match_lists
        there_are = await (lists.running_in if running_only else lists.unfinished_in)(guild)
        not_here = NOT_HERE if running_only else _NEITHER_HERE
        raise NoSuchMatchError(not_here if there_are else _NONE_HERE)
    if record.status != "open":
        must_run(record)
    return load_match(record)


def _removable(found: LoadedMatch, user: int) -> Seat:
    """The seat of a user; raises MatchError if a moderator can't remove them now."""
    if found.record.status == "open":
        raise MatchError(
            "This match hasn't started yet, so there's nobody to remove. To withdraw the "
            "challenge, use `/moderate end`."
        )
    seat = seat_of(found, user)
    if found.record.seats[seat].left is not None:
        raise MatchError("This person has already left this match.")
    if found.record.paused:
        raise PausedError(
            "This match is paused, so you can't remove anyone. End it, or wait until its players "
            "resume it."
        )
    return seat
