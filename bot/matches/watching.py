"""The open and running matches of a server, for users who want to join or follow one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from bot.errors import MatchError, NoSuchMatchError, TooLateError
from bot.matches.loaded import OVER, LoadedMatch, load_match, load_readable
from bot.matches.snapshots import PublicSnapshot
from bot.settings.people import Person, must_be_a_person
from bot.storage import MatchId, MatchRecord, Transaction, Transactions
from bot.storage.match_list import ListedRecord, LiveRecord

PER_PAGE: Final = 6
MAX_FOLLOWED_MATCHES: Final = 50
"""Matches that one user can follow at the same time."""

Sees = Callable[[int], bool]
"""Whether the user who asks can read the channel with this id."""

GONE: Final = "I can't find that match here. Use `/watch` for those that are on now."


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchQuery:
    """Which matches of a server a user wants to see."""

    game: str | None = None
    """None for all games."""

    user: int | None = None
    """Only matches in which this user has a seat; None for everyone's."""

    followed: bool = False
    """Only matches that the user who asks follows; the other fields are unset then."""


EVERYTHING: Final = WatchQuery()


def query_of(user: Person | None, game: str | None) -> WatchQuery:
    """The query of a command; raises MatchError if `user` is a bot."""
    if user is not None:
        must_be_a_person(user)
    return WatchQuery(game=game, user=None if user is None else user.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A match in the list."""

    snapshot: PublicSnapshot
    table: str | None
    """The URL of its table, if known."""

    active_at: int
    """When its last step was revealed, or else it started or was opened; Unix time, in seconds."""

    is_followed: bool
    """Whether the user who asks follows it."""

    is_own: bool
    """Whether the user who asks has a seat in it, or lost it to the clock or a moderator."""

    has_left: bool
    """Whether the user who asks has left their seat in it."""

    is_invited: bool
    """Whether the user who asks has been invited and hasn't answered yet."""

    @property
    def open_seats(self) -> int:
        """The number of seats that anyone may take."""
        snapshot = self.snapshot
        return snapshot.open_seats if snapshot.status == "open" else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchPage:
    """A page of the matches of a server."""

    entries: tuple[Watched, ...]
    query: WatchQuery
    number: int
    """From 0."""

    last: int
    by_game: Mapping[str, int]
    """The number of matches of each game: everyone's, or those of the user in the query."""

    followed: int
    """The number of matches that the user who asks follows."""

    open_seats: int
    """The number of listed matches, on all pages, with a seat that anyone may take."""

    @property
    def listed(self) -> int:
        """The number of matches on all pages."""
        if self.query.followed:
            return self.followed
        game = self.query.game
        return sum(self.by_game.values()) if game is None else self.by_game.get(game, 0)


class Watching:
    """Shows only what tables show anyway, and only in channels that the user who asks can read."""

    def __init__(self, storage: Transactions) -> None:
        self._storage = storage

    async def page(
        self,
        guild: int,
        user: int,
        sees: Sees,
        *,
        query: WatchQuery = EVERYTHING,
        number: int = 0,
    ) -> WatchPage:
        """A page, from 0, of the matches: open seats first, then by game, newest activity first.

        A number beyond the end gives the last page.
        """
        async with self._storage.reading() as reading:
            lists = reading.match_lists
            if query.user is None:
                found = await lists.of_guild(guild)
            else:
                found = await lists.with_player(guild, query.user)
            visible = _visible(found, sees)
            followed = _visible(await lists.followed(guild, user), sees)
            wanted = followed if query.followed else visible
            listed = _sorted([one for one in wanted if query.game in {None, one.game}])
            last = max(0, (len(listed) - 1) // PER_PAGE)
            number = min(number, last)
            shown = listed[number * PER_PAGE : (number + 1) * PER_PAGE]
            records = await lists.load_listed([one.match for one in shown])
        own = frozenset(one.match for one in followed)
        entries = (_entry(one, records[one.match], user, own) for one in shown)
        return WatchPage(
            entries=tuple(entry for entry in entries if entry is not None),
            query=query,
            number=number,
            last=last,
            by_game=_count_by_game(visible),
            followed=len(followed),
            open_seats=sum(one.open_seats > 0 for one in listed),
        )

    async def follow(self, match: MatchId, user: int, guild: int, sees: Sees) -> None:
        """Notify this user when the match is over; raises MatchError if they can't follow it."""
        async with self._storage.transaction() as writing:
            found = await _load_visible(writing, match, guild, sees)
            if found.record.status not in {"open", "running"}:
                raise TooLateError(OVER)
            if _plays(found.record, user):
                raise MatchError(
                    "You have or had a seat in this match, so I tell you about it anyway."
                )
            await writing.watches.add(match, user)
            if await writing.watches.count(user) > MAX_FOLLOWED_MATCHES:
                raise MatchError(
                    f"You follow {MAX_FOLLOWED_MATCHES} matches, which is the most I can keep "
                    "track of. Stop following one first: in each server, the menu of `/watch` has "
                    "**Matches you follow**. Those in channels you can't see now aren't listed, "
                    "but count until they end."
                )

    async def stop(self, match: MatchId, user: int) -> None:
        """Stop following a match."""
        async with self._storage.transaction() as writing:
            await writing.watches.remove(match, user)

    async def must_be_seen(self, match: MatchId, guild: int, sees: Sees) -> None:
        """Raise NoSuchMatchError if the user who asks can't see the table of this match."""
        async with self._storage.reading() as reading:
            await _load_visible(reading, match, guild, sees)

    async def is_followed(self, match: MatchId, user: int) -> bool:
        """Whether this user follows the match."""
        async with self._storage.reading() as reading:
            return match in await reading.watches.watched(user, [match])


async def _load_visible(
    reading: Transaction, match: MatchId, guild: int, sees: Sees
) -> LoadedMatch:
    found = load_match(await reading.matches.load(match))
    table = await reading.messages.table_of(match)
    channel = found.record.channel if table is None else table.channel
    if channel is None or found.record.guild != guild or not sees(channel):
        raise NoSuchMatchError(GONE)
    return found


def _plays(record: MatchRecord, user: int) -> bool:
    """Whether this user has a seat and hasn't resigned, so gets notices as a player (R37)."""
    return any(s.user == user and s.left_why != "resigned" for s in record.seats)


def _visible(found: Sequence[LiveRecord], sees: Sees) -> list[LiveRecord]:
    readable = {channel for channel in {record.channel for record in found} if sees(channel)}
    return [record for record in found if record.channel in readable]


def _sorted(found: Sequence[LiveRecord]) -> list[LiveRecord]:
    """Open seats first, then grouped by game; games and matches with the newest activity first."""
    newest = sorted(found, key=lambda record: (record.active_at, record.match), reverse=True)
    games = list(dict.fromkeys(record.game for record in newest if not record.open_seats))
    seats = [record for record in newest if record.open_seats]
    others = [record for record in newest if not record.open_seats]
    return seats + sorted(others, key=lambda record: games.index(record.game))


def _count_by_game(found: Sequence[LiveRecord]) -> Mapping[str, int]:
    games = sorted(record.game for record in found)
    return {game: len(list(group)) for game, group in groupby(games)}


def _entry(
    live: LiveRecord, record: ListedRecord, user: int, followed: frozenset[MatchId]
) -> Watched | None:
    found = load_readable(record.match)
    if found is None:
        return None
    return Watched(
        snapshot=found.public(),
        table=record.table_url,
        active_at=live.active_at,
        is_followed=live.match in followed,
        is_own=_plays(record.match, user),
        has_left=any(s.user == user and s.left_why is not None for s in record.match.seats),
        is_invited=any(s.user == user and not s.accepted for s in record.match.seats),
    )
