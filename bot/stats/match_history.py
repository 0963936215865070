"""The matches that a user has finished: a page of them, or one to look at again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import structlog

from bot.errors import CorruptRecordError
from bot.matches import PublicSnapshot
from bot.matches.replays import ended_snapshot
from bot.matches.transcripts import must_be_allowed_to_read
from bot.messaging.components import id_in, outdated
from bot.settings.people import Person, must_be_a_person
from bot.storage import MatchId, Spot, Storage
from bot.storage.match_history import EndedMatchRecord, PageCursor
from games import GAMES

log = structlog.get_logger()

PER_PAGE: Final = 8
_AGAIN: Final = "Use `/history` again."
_QUERY: Final = re.compile(r"(\d+)(?: ([a-z]+))?(?: ([<>])(\d{1,18}))?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which page of which user's matches to show; `str` gives its text for a button."""

    user: int
    game: str | None = None
    """None for all games."""

    cursor: PageCursor | None = None
    """Where the page begins, next to a match outside of it; None for the newest page."""

    def __str__(self) -> str:
        whose = str(self.user) if self.game is None else f"{self.user} {self.game}"
        if self.cursor is None:
            return whose
        return f"{whose} {'>' if self.cursor.newer else '<'}{self.cursor.sequence}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The query in a button's text; raises ButtonError for any other text."""
        found = _QUERY.fullmatch(text)
        if found is None or (found[2] is not None and found[2] not in GAMES):
            raise outdated(_AGAIN)
        user, game, side, sequence = found.groups()
        cursor = None if side is None else PageCursor(sequence=int(sequence), newer=side == ">")
        return cls(user=id_in(user, again=_AGAIN), game=game, cursor=cursor)


def query_of(me: int, user: Person | None, game: str | None) -> Query:
    """The query of a command that `me` used; raises MatchError if `user` is a bot."""
    if user is not None:
        must_be_a_person(user)
    return Query(user=me if user is None else user.id, game=game)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A match that has ended."""

    record: EndedMatchRecord
    snapshot: PublicSnapshot | None
    """The match as everyone may know it; None if its record can't be decoded."""

    @property
    def table(self) -> str | None:
        """The URL of its table, if known."""
        spot = self.record.table
        return None if spot is None else spot.url(self.record.match.guild)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    query: Query
    guild: int | None
    """None for all servers."""

    entries: Sequence[Entry]
    first: int
    """The number of newer matches."""

    total: int
    newest: Query | None
    """The first page; None if this is the first or second page."""

    newer: Query | None
    older: Query | None
    oldest: Query | None
    """The last page; None if this is the last or second to last page."""


class MatchHistories:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def page(self, query: Query, guild: int | None) -> Page:
        """A page of the matches that a user has finished in this server, or in all for None."""
        async with self._storage.reading() as reading:
            found = await reading.match_histories.page(
                query.user, guild, query.game, query.cursor, PER_PAGE
            )
        lines = found.lines
        end = found.first + len(lines)
        rest = found.total - end
        return Page(
            query=query,
            guild=guild,
            entries=[Entry(record=line, snapshot=_snapshot(line)) for line in lines],
            first=found.first,
            total=found.total,
            newest=replace(query, cursor=None) if found.first > PER_PAGE else None,
            newer=_beside(query, lines[0].sequence, newer=True) if found.first else None,
            older=_beside(query, lines[-1].sequence, newer=False) if rest else None,
            oldest=_beside(query, 0, newer=True) if rest > PER_PAGE else None,
        )

    async def ended_match(
        self, match: MatchId, *, user: int, guild: int | None
    ) -> tuple[PublicSnapshot, Spot | None]:
        """An ended match, and its table if known; raises MatchError if `user` may not see it."""
        async with self._storage.reading() as reading:
            record = await reading.matches.load(match)
        if record is not None:
            must_be_allowed_to_read(record, user, guild)
        snapshot = ended_snapshot(record)
        async with self._storage.reading() as reading:
            return snapshot, await reading.messages.table_of(match)


def _beside(query: Query, sequence: int, *, newer: bool) -> Query:
    return replace(query, cursor=PageCursor(sequence=sequence, newer=newer))


def _snapshot(line: EndedMatchRecord) -> PublicSnapshot | None:
    try:
        return ended_snapshot(line.match)
    except CorruptRecordError as error:  # one damaged match must not hide the others
        log.warning("corrupt record", match=line.match.id, problem=str(error))
        return None
