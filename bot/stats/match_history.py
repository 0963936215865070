"""The matches somebody has finished, as people ask for them: a page, or one to look at again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import structlog

from bot.errors import ButtonError, CorruptRecordError
from bot.matches import PublicSnapshot
from bot.matches.replays import ended_snapshot
from bot.matches.transcripts import must_know
from bot.messaging.components import id_in
from bot.settings.people import Person, must_be_a_person
from bot.storage import MatchId, Spot, Storage
from bot.storage.match_history import BorderRecord, EndedMatchRecord
from games import GAMES

log = structlog.get_logger()

PER_PAGE: Final = 8
_AGAIN: Final = "Use `/history` again."
_WISH: Final = re.compile(r"(\d+)(?: ([a-z]+))?(?: ([<>])(\d{1,18}))?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Whose matches somebody wants to see, of which game, and which page."""

    user: int
    game: str | None = None
    """None for all games."""

    border: BorderRecord | None = None
    """Next to which match it begins; None for the newest."""

    def __str__(self) -> str:
        whose = str(self.user) if self.game is None else f"{self.user} {self.game}"
        if self.border is None:
            return whose
        return f"{whose} {'>' if self.border.newer else '<'}{self.border.sequence}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The wish that a button carries; ButtonError for any other text."""
        found = _WISH.fullmatch(text)
        if found is None or (found[2] is not None and found[2] not in GAMES):
            raise ButtonError(f"This button is out of date. {_AGAIN}")
        user, game, way, sequence = found.groups()
        border = None if way is None else BorderRecord(sequence=int(sequence), newer=way == ">")
        return cls(user=id_in(user, again=_AGAIN), game=game, border=border)


def query_of(me: int, user: Person | None, game: str | None) -> Query:
    """What a command asks for; MatchError for a bot."""
    if user is not None:
        must_be_a_person(user)
    return Query(user=me if user is None else user.id, game=game)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A match that is over."""

    record: EndedMatchRecord
    snapshot: PublicSnapshot | None
    """As everybody may know it; None where it cannot be read back by the rules of today."""

    @property
    def table(self) -> str | None:
        """The way to where it stands, if that is known."""
        spot = self.record.table
        return None if spot is None else spot.url(self.record.match.guild)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    query: Query
    guild: int | None
    """None for all servers."""

    entries: Sequence[Entry]
    first: int
    """How many newer matches there are."""

    total: int
    newest: Query | None
    """The first page, unless it is this one or the next to it; so it is with the oldest."""

    newer: Query | None
    older: Query | None
    oldest: Query | None


class MatchHistories:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def page(self, query: Query, guild: int | None) -> Page:
        """A page of the matches somebody has finished here, or everywhere for None."""
        async with self._storage.reading() as reading:
            found = await reading.match_histories.page(
                query.user, guild, query.game, query.border, PER_PAGE
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
            newest=replace(query, border=None) if found.first > PER_PAGE else None,
            newer=_beside(query, lines[0].sequence, newer=True) if found.first else None,
            older=_beside(query, lines[-1].sequence, newer=False) if rest else None,
            oldest=_beside(query, 0, newer=True) if rest > PER_PAGE else None,
        )

    async def again(
        self, match: MatchId, *, user: int, guild: int | None
    ) -> tuple[PublicSnapshot, Spot | None]:
        """A match that has ended, and where its table stands; MatchError for a stranger's."""
        async with self._storage.reading() as reading:
            record = await reading.matches.load(match)
        if record is not None:
            must_know(record, user, guild)
        snapshot = ended_snapshot(record)
        async with self._storage.reading() as reading:
            return snapshot, await reading.messages.table_of(match)


def _beside(query: Query, sequence: int, *, newer: bool) -> Query:
    return replace(query, border=BorderRecord(sequence=sequence, newer=newer))


def _snapshot(line: EndedMatchRecord) -> PublicSnapshot | None:
    try:
        return ended_snapshot(line.match)
    except CorruptRecordError as error:  # one damaged match must not hide the others
        log.warning("corrupt record", match=line.match.id, problem=str(error))
        return None
