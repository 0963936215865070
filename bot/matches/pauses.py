"""Pauses and their end, by agreement or because a place is lost, and what moderators do."""

from collections.abc import Callable, Sequence

from bot.errors import (
    MatchError,
    NoSuchMatchError,
    NotSeatedError,
    PausedError,
    TooLateError,
)
from bot.matches import clocks, forced_moves
from bot.matches.loaded import OVER, LoadedMatch, load_match, must_run, seat_of, why_paused
from bot.matches.resolution import leave
from bot.matches.snapshots import PublicSnapshot
from bot.matches.time_controls import SILENCE
from bot.matches.turn import Turn, as_committed, as_written
from bot.storage import MatchId, Transaction, Transactions
from bot.storage.pauses import Underway
from games import Seat

_NOT_HERE = "No match with that number is being played in this server. Pick one from the list."
_NONE_HERE = "No match is being played in this server."
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

    async def resume(self, match: MatchId, guild: int, channel: int, user: int) -> Turn:
        """Go on with a paused match in another channel; its turn gets all its time anew."""
        async with self._storage.transaction() as writing:
            found = await _running(writing, match, guild, whose=user)
            _must_play(found, user)
            if not found.record.paused:
                raise MatchError("This match isn't paused. `/games` has a link to it.")
            await writing.pauses.move(match, channel)
            return await self._go_on(writing, found)

    async def resume_here(self, match: MatchId, user: int) -> Turn:
        """Go on, where it stands, with a match that was paused by agreement; any player may."""
        async with self._storage.transaction() as writing:
            found = load_match(await writing.matches.load(match))
            _must_play(found, user)
            if not found.record.paused:
                raise TooLateError("This match isn't paused anymore. Go ahead and play.")
            if found.record.paused_why != "agreed":
                raise PausedError(why_paused(found.record))
            return await self._go_on(writing, found)

    async def _go_on(self, writing: Transaction, found: LoadedMatch) -> Turn:
        """Let the clock run: on from where it was after an agreed pause, else a whole turn anew."""
        record, now = found.record, int(self._now())
        if record.paused_why == "agreed":
            on = clocks.resumed(record, found.owing, now, remark="resumed")
        else:
            on = clocks.begun_anew(record, found.owing, now)
        await writing.clocks.put(record, on)
        return Turn(await forced_moves.go_on(writing, record.id, now), resolved=True)

    async def found(self, match: MatchId, guild: int) -> PublicSnapshot:
        """A running match of this server, as everybody sees it; NoSuchMatchError for any other."""
        async with self._storage.reading() as reading:
            return (await _running(reading, match, guild)).public()

    async def end(self, match: MatchId, guild: int, user: int | None = None) -> Turn:
        """Close a match of this server without a result, for this moderator."""
        async with self._storage.transaction() as writing:
            record, now = (await _running(writing, match, guild)).record, int(self._now())
            await writing.matches.end(record, "closed", now, ending="moderator", actor=user)
            return await as_written(writing, match, resolved=True)

    async def unseat(self, match: MatchId, guild: int, user: int, moderator: int) -> Turn:
        """Take somebody from a match of this server, for a moderator; the others play on (R37)."""
        async with self._storage.transaction() as writing:
            found = await _running(writing, match, guild)
            seat = _removable(found, user)
            led = await leave(writing, found, seat, "unseated", int(self._now()), moderator)
            return await as_committed(writing, led)

    async def must_be_removable(self, match: MatchId, guild: int, user: int) -> None:
        """MatchError, with the sentence to say, unless this person could be taken from it now."""
        async with self._storage.reading() as reading:
            _removable(await _running(reading, match, guild), user)

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


async def _running(
    acting: Transaction, match: MatchId, guild: int, *, whose: int | None = None
) -> LoadedMatch:
    """A match of this server that is running, paused or not; TooLateError for one that is not.

    NoSuchMatchError for any other, which leads to no empty list: the list has all that are
    running, or for a player the paused ones that are theirs.
    """
    record = await acting.matches.load(match)
    if record is not None and record.guild == guild:
        must_run(record)
        return load_match(record)
    if whose is None:
        there_are = await acting.pauses.running_in(guild)
        raise NoSuchMatchError(_NOT_HERE if there_are else _NONE_HERE)
    there_are = await acting.pauses.paused_of(whose, guild)
    raise NoSuchMatchError(_NOT_HERE if there_are else _NONE_PAUSED)


def _must_play(found: LoadedMatch, user: int) -> None:
    """MatchError unless this person plays in a match that is running, paused or not."""
    seat = seat_of(found, user, "Only its players can resume this match.")
    if found.record.status != "running":
        raise TooLateError(OVER)
    if found.record.seats[seat].left is not None:
        raise NotSeatedError("You left this match, so only the other players can resume it.")


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
