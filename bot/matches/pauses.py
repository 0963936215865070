"""Pauses of matches that lost their channel, and the end of these and of agreed pauses."""

from collections.abc import Callable, Sequence

from bot.errors import (
    MatchError,
    NoSuchMatchError,
    NotSeatedError,
    PausedError,
    TooLateError,
)
from bot.matches import clocks, forced_moves
from bot.matches.effect import Effect
from bot.matches.loaded import NOT_HERE, OVER, LoadedMatch, load_in, load_match, seat_of, why_paused
from bot.matches.snapshots import PublicSnapshot
from bot.matches.time_controls import SILENCE
from bot.storage import MatchId, Transaction, Transactions
from bot.storage.match_list import Underway

_NONE_PAUSED = "None of your matches in this server is paused. `/games` lists yours."


class Pauses:
    """The acts on running matches; each is one transaction."""

    def __init__(self, storage: Transactions, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now

    async def pause(self, match: MatchId, channel: int) -> Sequence[MatchId]:
        """Pause a match whose table can't be reached in `channel`; returns it if that was done.

        Returns nothing if it was paused for this already, or has moved to another channel.
        """
        now, until = self._pause_times()
        async with self._storage.transaction() as writing:
            return await writing.pauses.pause_match(match, channel, now, until)

    async def pause_channel(self, channel: int) -> Sequence[MatchId]:
        """Pause the matches of a channel or thread that is gone; returns the newly paused ones."""
        now, until = self._pause_times()
        async with self._storage.transaction() as writing:
            return await writing.pauses.pause_channel(channel, now, until)

    async def pause_server(self, guild: int) -> Sequence[MatchId]:
        """Pause the matches of a server that the bot has left; returns the newly paused ones."""
        now, until = self._pause_times()
        async with self._storage.transaction() as writing:
            return await writing.pauses.pause_guild(guild, now, until)

    async def resume(self, match: MatchId, guild: int, channel: int, user: int) -> Effect:
        """Resume a paused match in this channel; any of its players can.

        An agreed pause leaves the turn with the time that was left; else it gets its full time.
        """
        async with self._storage.transaction() as writing:
            found = await _running(writing, match, guild, user)
            _must_play(found, user)
            if not found.record.paused:
                raise MatchError("This match isn't paused. `/games` has a link to it.")
            await writing.pauses.move(match, channel)
            return await self._restart_clocks(writing, found)

    async def resume_here(self, match: MatchId, user: int) -> Effect:
        """Resume a match that was paused by agreement, in its channel; any of its players can."""
        async with self._storage.transaction() as writing:
            found = load_match(await writing.matches.load(match))
            _must_play(found, user)
            if not found.record.paused:
                raise TooLateError("This match isn't paused anymore. Go ahead and play.")
            if found.record.paused_why != "agreed":
                raise PausedError(why_paused(found.record))
            return await self._restart_clocks(writing, found)

    async def _restart_clocks(self, writing: Transaction, found: LoadedMatch) -> Effect:
        """Restart the clocks: with the time left after an agreed pause, else with a full turn."""
        record, now = found.record, int(self._now())
        if record.paused_why == "agreed":
            running = clocks.resumed(record, found.owing, now, remark="resumed")
        else:
            running = clocks.resumed_elsewhere(record, found.owing, now)
        await writing.clocks.put(record, running)
        return Effect(await forced_moves.continue_match(writing, record.id, now), resolved=True)

    async def snapshot(self, match: MatchId, guild: int, user: int) -> PublicSnapshot:
        """A running match of this server, as everyone may know it, for a user who resumes it."""
        async with self._storage.reading() as reading:
            return (await _running(reading, match, guild, user)).public()

    async def paused(self, guild: int, user: int) -> Sequence[Underway]:
        """The paused matches of a server in which this user plays, newest first."""
        async with self._storage.reading() as reading:
            return await reading.match_lists.paused_of(user, guild)

    def _pause_times(self) -> tuple[int, int]:
        """Now, and when a match is closed if it is paused now and nobody resumes it."""
        now = int(self._now())
        return now, now + int(SILENCE.total_seconds())


async def _running(acting: Transaction, match: MatchId, guild: int, user: int) -> LoadedMatch:
    """A running match of this server, paused or not; raises NoSuchMatchError for any other.

    Its message points to the list of the user's paused matches only if there are any.
    """
    found = load_in(guild, await acting.matches.load(match))
    if found is None:
        there_are = await acting.match_lists.paused_of(user, guild)
        raise NoSuchMatchError(NOT_HERE if there_are else _NONE_PAUSED)
    return found


def _must_play(found: LoadedMatch, user: int) -> None:
    """Raise MatchError unless the match is running, paused or not, and this user plays in it."""
    seat = seat_of(found, user, "Only its players can resume this match.")
    if found.record.status != "running":
        raise TooLateError(OVER)
    if found.record.seats[seat].left is not None:
        raise NotSeatedError("You left this match, so only the other players can resume it.")
