"""What comes upon a match from outside: its place is lost or found again, a moderator steps in."""

import time
from collections.abc import Callable, Sequence

from bot.errors import MatchError, NoSuchMatchError, NotSeatedError, PausedError
from bot.matches.loaded import LoadedMatch, load_match, seat_of
from bot.matches.resolution import Turn, leave
from bot.matches.time_controls import SILENCE, due
from bot.storage import MatchId, MatchRecord, Transactions
from bot.storage.pauses import Underway

_NOT_HERE = "No match with this number is being played in this server; pick one of the list."


class Pauses:
    """The acts on matches that are running; each is one transaction."""

    def __init__(self, storage: Transactions, *, now: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self._now = now

    async def pause(self, match: MatchId) -> Sequence[MatchId]:
        """Pause a match whose table cannot be reached; it is named if it was not paused before."""
        now, until = self._pause_times()
        async with self._storage.transaction() as writing:
            return await writing.pauses.pause_match(match, now, until)

    async def pause_channel(self, channel: int) -> Sequence[MatchId]:
        """Pause the matches of a channel or thread that is gone; which they are."""
        now, until = self._pause_times()
        async with self._storage.transaction() as writing:
            return await writing.pauses.pause_channel(channel, now, until)

    async def pause_server(self, guild: int) -> Sequence[MatchId]:
        """Pause the matches of a server that the bot has left; which they are."""
        now, until = self._pause_times()
        async with self._storage.transaction() as writing:
            return await writing.pauses.pause_guild(guild, now, until)

    async def resume(self, match: MatchId, guild: int, channel: int, user: int) -> Turn:
        """Go on with a paused match in another channel; its turn gets all its time anew."""
        async with self._storage.transaction() as writing:
            found = _running(await writing.matches.load(match), guild)
            record = found.record
            seat = seat_of(found, user, "Only its players can go on with this match.")
            if record.seats[seat].left is not None:
                raise NotSeatedError("You have left this match; those who play can go on with it.")
            if not record.paused:
                raise MatchError("This match is not paused; /games leads to its table.")
            due_at = due(record.time_control, int(self._now()))
            await writing.pauses.resume(match, channel, due_at)
            return Turn(load_match(await writing.matches.load(match)), resolved=True)

    async def end(self, match: MatchId, guild: int) -> Turn:
        """Close a match of this server without a result, for a moderator."""
        async with self._storage.transaction() as writing:
            _running(await writing.matches.load(match), guild)
            await writing.matches.end(match, "closed", int(self._now()), ending="moderator")
            return Turn(load_match(await writing.matches.load(match)), resolved=True)

    async def unseat(self, match: MatchId, guild: int, user: int) -> Turn:
        """Take somebody from a match of this server, for a moderator; the others play on (R37)."""
        async with self._storage.transaction() as writing:
            found = _running(await writing.matches.load(match), guild)
            seat = seat_of(found, user, "This person has no seat in this match.")
            if found.record.seats[seat].left is not None:
                raise MatchError("This person has already left this match.")
            if found.record.paused:
                raise PausedError(
                    "This match is paused, so nobody can leave it. You can end it, or let its "
                    "players go on with /resume first."
                )
            return await leave(writing, found, seat, "unseated", int(self._now()))

    async def running(self, guild: int) -> Sequence[Underway]:
        """The running matches of a server, the newest first."""
        async with self._storage.reading() as reading:
            return await reading.pauses.running_in(guild)

    async def paused(self, guild: int, user: int) -> Sequence[Underway]:
        """The paused matches of a server that this person plays in, the newest first."""
        async with self._storage.reading() as reading:
            return await reading.pauses.paused_of(user, guild)

    def _pause_times(self) -> tuple[int, int]:
        """Now, and when a match that is paused now is closed."""
        now = int(self._now())
        return now, now + int(SILENCE.total_seconds())


def _running(record: MatchRecord | None, guild: int) -> LoadedMatch:
    """A match of this server that is running, paused or not."""
    if record is None or record.guild != guild or record.status != "running":
        raise NoSuchMatchError(_NOT_HERE)
    return load_match(record)
