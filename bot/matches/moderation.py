"""What moderators can do about a match of their server: end it, or take somebody from it."""

from collections.abc import Callable, Sequence

from bot.errors import MatchError, NoSuchMatchError, PausedError
from bot.matches.effect import Effect, as_committed, as_written
from bot.matches.loaded import NOT_HERE, LoadedMatch, load_in, seat_of
from bot.matches.resolution import leave
from bot.matches.snapshots import PublicSnapshot
from bot.storage import MatchId, Transaction, Transactions
from bot.storage.pauses import Underway
from games import Seat

_NONE_HERE = "No match is being played in this server."


class Moderation:
    """The acts on matches that are running, paused or not; each is one transaction."""

    def __init__(self, storage: Transactions, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now

    async def found(self, match: MatchId, guild: int) -> PublicSnapshot:
        """A running match of this server, as everybody sees it; NoSuchMatchError for any other."""
        async with self._storage.reading() as reading:
            return (await _running(reading, match, guild)).public()

    async def must_be_removable(self, match: MatchId, guild: int, user: int) -> None:
        """MatchError, with the sentence to say, unless this person could be taken from it now."""
        async with self._storage.reading() as reading:
            _removable(await _running(reading, match, guild), user)

    async def end(self, match: MatchId, guild: int, user: int | None = None) -> Effect:
        """Close a match of this server without a result, for this moderator."""
        async with self._storage.transaction() as writing:
            record, now = (await _running(writing, match, guild)).record, int(self._now())
            await writing.matches.end(record, "closed", now, ending="moderator", actor=user)
            return await as_written(writing, match, resolved=True)

    async def unseat(self, match: MatchId, guild: int, user: int, moderator: int) -> Effect:
        """Take somebody from a match of this server, for a moderator; the others play on (R37)."""
        async with self._storage.transaction() as writing:
            found = await _running(writing, match, guild)
            seat = _removable(found, user)
            effect = await leave(writing, found, seat, "unseated", int(self._now()), moderator)
            return await as_committed(writing, effect)

    async def running(self, guild: int) -> Sequence[Underway]:
        """The running matches of a server, the newest first."""
        async with self._storage.reading() as reading:
            return await reading.pauses.running_in(guild)


async def _running(acting: Transaction, match: MatchId, guild: int) -> LoadedMatch:
    """A match of this server that is running; NoSuchMatchError leads to no empty list."""
    found = load_in(guild, await acting.matches.load(match))
    if found is None:
        raise NoSuchMatchError(NOT_HERE if await acting.pauses.running_in(guild) else _NONE_HERE)
    return found


def _removable(found: LoadedMatch, user: int) -> Seat:
    """Where somebody sits whom a moderator can take from this match."""
    seat = seat_of(found, user)
    if found.record.seats[seat].left is not None:
        raise MatchError("This person has already left this match.")
    if found.record.paused:
        raise PausedError(
            "This match is paused, so you can't remove anyone. End it, or wait until its players "
            "resume it."
        )
    return seat
