"""Pauses and their end, by agreement or because a place is lost."""

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
    """The acts on matches that are running; each is one transaction."""

    def __init__(self, storage: Transactions, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now

    async def pause(self, match: MatchId, channel: int) -> Sequence[MatchId]:
        """Pause a match whose table cannot be reached; it is named if it was not paused before.

        `channel` is where it could not be: by now the match may go on in another.
        """
        now, until = self._pause_times()
        async with self._storage.transaction() as writing:
            return await writing.pauses.pause_match(match, channel, now, until)

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

    async def resume(self, match: MatchId, guild: int, channel: int, user: int) -> Effect:
        """Go on with a paused match in another channel; its turn gets all its time anew."""
        async with self._storage.transaction() as writing:
            found = await _running(writing, match, guild, user)
            _must_play(found, user)
            if not found.record.paused:
                raise MatchError("This match isn't paused. `/games` has a link to it.")
            await writing.pauses.move(match, channel)
            return await self._go_on(writing, found)

    async def resume_here(self, match: MatchId, user: int) -> Effect:
        """Go on, where it stands, with a match that was paused by agreement; any player may."""
        async with self._storage.transaction() as writing:
            found = load_match(await writing.matches.load(match))
            _must_play(found, user)
            if not found.record.paused:
                raise TooLateError("This match isn't paused anymore. Go ahead and play.")
            if found.record.paused_why != "agreed":
                raise PausedError(why_paused(found.record))
            return await self._go_on(writing, found)

    async def _go_on(self, writing: Transaction, found: LoadedMatch) -> Effect:
        """Let the clock run: on from where it was after an agreed pause, else a whole turn anew."""
        record, now = found.record, int(self._now())
        if record.paused_why == "agreed":
            on = clocks.resumed(record, found.owing, now, remark="resumed")
        else:
            on = clocks.begun_anew(record, found.owing, now)
        await writing.clocks.put(record, on)
        return Effect(await forced_moves.go_on(writing, record.id, now), resolved=True)

    async def found(self, match: MatchId, guild: int, user: int) -> PublicSnapshot:
        """A running match of this server, as everybody sees it; NoSuchMatchError for any other."""
        async with self._storage.reading() as reading:
            return (await _running(reading, match, guild, user)).public()

    async def paused(self, guild: int, user: int) -> Sequence[Underway]:
        """The paused matches of a server that this person plays in, the newest first."""
        async with self._storage.reading() as reading:
            return await reading.match_lists.paused_of(user, guild)

    def _pause_times(self) -> tuple[int, int]:
        """Now, and when a match that is paused now is closed."""
        now = int(self._now())
        return now, now + int(SILENCE.total_seconds())


async def _running(acting: Transaction, match: MatchId, guild: int, user: int) -> LoadedMatch:
    """A match of this server that is running, paused or not, for somebody who wants to resume one.

    NoSuchMatchError leads to no empty list: the list has their paused ones.
    """
    found = load_in(guild, await acting.matches.load(match))
    if found is None:
        there_are = await acting.match_lists.paused_of(user, guild)
        raise NoSuchMatchError(NOT_HERE if there_are else _NONE_PAUSED)
    return found


def _must_play(found: LoadedMatch, user: int) -> None:
    """MatchError unless this person plays in a match that is running, paused or not."""
    seat = seat_of(found, user, "Only its players can resume this match.")
    if found.record.status != "running":
        raise TooLateError(OVER)
    if found.record.seats[seat].left is not None:
        raise NotSeatedError("You left this match, so only the other players can resume it.")
