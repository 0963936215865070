"""Everything stored about one person, as that person gets it.

Every column of a table is included, new ones too, unless it's listed here with the reason.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import BigInteger, Column, Select, Table, and_, case, func, or_, select, union

from bot.storage.asks import asks
from bot.storage.puzzle_shares import puzzle_shares
from bot.storage.puzzles import puzzle_answers
from bot.storage.repository import Repository
from bot.storage.returns import former_blocks
from bot.storage.schema import (
    blocks,
    lessons,
    matches,
    moves,
    notices,
    people,
    places,
    ratings,
    results,
    seats,
    sent_notices,
    vacations,
    watches,
)
from bot.storage.shares import shares

HANDED_OUT: Final = frozenset(
    {
        "matches.opener",
        "seats.user",
        "results.user",
        "ratings.user",
        "people.user",
        "vacations.user",
        "people.dm_channel",
        "blocks.user",
        "blocks.blocked",
        "former_blocks.user",
        "lessons.user",
        "watches.user",
        "puzzle_answers.user",
        "puzzle_shares.user",
        "shares.user",
        "notices.user",
        "notices.actor",
        "sent_notices.user",
        "sent_notices.channel",
        "asks.actor",
        "asks.user",
    }
)
"""The columns that identify the person a row is about; a test compares them with the tables."""

WITHHELD: Final[Mapping[str, str]] = MappingProxyType(
    {
        "matches.seed": "what others hold follows from it; its own table tells it at the end",
        "matches.state": "the hands of others are in it",
        "matches.schema": "how the state is written",
        "matches.revision": "how often it has changed, also by the choices of others",
        "former_blocks.mark": "by it the bot knows somebody again who had all about them deleted",
        "places.shown": "what a message shows, and whether it has changed",
        "places.revision": "the same, counted",
        "places.token": "with it the message could be changed, for at most 14 minutes",
        "places.token_until": "until when",
        "places.token_message": "which one",
    }
)
"""Columns that nobody gets, with the reason."""

Part = Mapping[str, object]
"""A row for JSON. Ids are strings, because not every reader has integers of 64 bits."""

_PEOPLE: Final = frozenset({"user", "opener", "blocked", "actor"})

_MOMENTS: Final = frozenset({"deadline", "until", "away_until"})
"""Columns that hold a Unix time, besides those whose names end in `_at`."""

_FIRST_DAY: Final = date(1970, 1, 1)

_CHUNK: Final = 200
"""Matches read at a time: everybody else's click waits for that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """How much is stored about a person."""

    running: int = 0
    """Matches in servers that are in play and that the person has not left."""

    open: int = 0
    """Open challenges in which the person has a seat, taken or kept for them."""

    ended: int = 0
    """Matches in servers that are over, or that the person has left."""

    solo: int = 0
    """Solo matches, in play or over."""

    unplayed: int = 0
    """Challenges that were declined, withdrawn or never answered."""

    ratings: int = 0
    blocked: int = 0
    vacations: int = 0
    watched: int = 0
    """Matches that the person follows."""

    lessons: int = 0
    """Lessons that the person has begun."""

    puzzles: int = 0
    """Daily puzzles that the person has answered."""

    shares: int = 0
    """Results and solved puzzles that the person has shared."""

    chosen: bool = False
    """Whether the person has a row in `people`: preferences, direct messages."""

    @property
    def any(self) -> bool:
        return self != Holdings()


class PersonalDataRepository(Repository):
    async def holdings(self, user: int) -> Holdings:
        """How much is stored about this person."""
        kind = case(
            (matches.c.guild.is_(None), "solo"),
            (matches.c.status == "open", "open"),
            (matches.c.state.is_(None), "unplayed"),
            (and_(matches.c.status == "running", seats.c.left.is_(None)), "running"),
            else_="ended",
        )
        by_kind = (
            select(kind.label("kind"), func.count().label("n"))
            .join(seats, seats.c.match == matches.c.id)
            .where(seats.c.user == user)
            .group_by(kind)
        )
        counts = {row.kind: row.n for row in await self._connection.execute(by_kind)}
        return Holdings(
            **counts,
            ratings=await self._count(ratings, user),
            blocked=await self._count(blocks, user) + await self._count(former_blocks, user),
            vacations=await self._count(vacations, user),
            watched=await self._count(watches, user),
            lessons=await self._count(lessons, user),
            puzzles=await self._count(puzzle_answers, user),
            shares=await self._count(shares, user) + await self._count(puzzle_shares, user),
            chosen=await self._count(people, user) > 0,
        )

    async def _count(self, table: Table, user: int) -> int:
        """The number of this person's rows in a table."""
        query = select(func.count()).select_from(table).where(table.c.user == user)
        return int((await self._connection.execute(query)).scalar_one())

    async def everything(self, user: int, today: int) -> Mapping[str, object]:
        """All rows about this person, by topic; `today` is in days since 1970."""
        person = await self._rows(_shown(people).where(people.c.user == user))
        return {
            "preferences": person[0] if person else None,
            # Who has blocked this person is a secret of those people.
            "blocks": await self._rows(_shown(blocks).where(blocks.c.user == user)),
            "former_blocks": await self._rows(
                _shown(former_blocks).where(former_blocks.c.user == user)
            ),
            "vacations": await self._rows(
                _shown(vacations)
                .where(vacations.c.user == user)
                .order_by(vacations.c.guild, vacations.c.started_at)
            ),
            "watches": await self._rows(_shown(watches).where(watches.c.user == user)),
            "lessons": await self._rows(
                _shown(lessons).where(lessons.c.user == user).order_by(lessons.c.game)
            ),
            "puzzle_answers": await self._puzzle_answers(user, today),
            "puzzle_shares": await self._rows(
                _shown(puzzle_shares)
                .where(puzzle_shares.c.user == user)
                .order_by(puzzle_shares.c.day, puzzle_shares.c.guild)
            ),
            "shares": await self._rows(
                _shown(shares).where(shares.c.user == user).order_by(shares.c.match)
            ),
            # Notices to others about the person belong to those others.
            "notices": await self._rows(_shown(notices).where(notices.c.user == user)),
            "sent_notices": await self._rows(
                _shown(sent_notices).where(sent_notices.c.user == user)
            ),
            "asks": await self._rows(
                _shown(asks).where(or_(asks.c.user == user, asks.c.actor == user))
            ),
            "ratings": await self._rows(_shown(ratings).where(ratings.c.user == user)),
            "results": await self._results(user),
            "matches": await self._matches(user),
        }

    async def _puzzle_answers(self, user: int, today: int) -> Sequence[Part]:
        """A person's puzzle answers; whether they were right, only for days that are over."""
        of_user = puzzle_answers.c.user == user
        query = _shown(puzzle_answers).where(of_user).order_by(puzzle_answers.c.day)
        over = await self._rows(query.where(puzzle_answers.c.day < today))
        # Otherwise a second account could find out the right answer first.
        running = await self._rows(query.where(puzzle_answers.c.day >= today))
        return [*over, *({**answer, "solved": None} for answer in running)]

    async def _results(self, user: int) -> Sequence[Part]:
        """A person's results; without scores after agreed draws, for which zeros are stored."""
        of_user = results.c.user == user
        rows = await self._rows(_shown(results).where(of_user).order_by(results.c.sequence))
        drawn = select(results.c.match).join(matches, matches.c.id == results.c.match)
        agreed = await self._rows(drawn.where(of_user, matches.c.ending == "draw"))
        unscored = {row["match"] for row in agreed}
        return [{**row, "score": None} if row["match"] in unscored else row for row in rows]

    async def _matches(self, user: int) -> Sequence[Part]:
        """The matches and challenges that a person has a seat in or made, by number."""
        seated = select(seats.c.match).where(seats.c.user == user)
        made = select(matches.c.id).where(matches.c.opener == user)
        numbers = sorted((await self._connection.execute(union(seated, made))).scalars())
        parts: list[Part] = []
        for i in range(0, len(numbers), _CHUNK):
            parts += await self._load_matches(user, numbers[i : i + _CHUNK])
        return parts

    async def _load_matches(self, user: int, numbers: Sequence[int]) -> list[Part]:
        own = and_(seats.c.user == user, seats.c.match.in_(numbers))
        at_hand = and_(seats.c.match == places.c.match, seats.c.seat == places.c.place)
        at_seat = and_(seats.c.match == moves.c.match, seats.c.seat == moves.c.seat)
        players = select(seats.c.match, seats.c.seat, seats.c.user, seats.c.computer)
        queries = {
            "players": players.where(seats.c.match.in_(numbers)).order_by(seats.c.seat),
            "your_seat": _shown(seats).where(own),
            "your_hand": _shown(places).join(seats, at_hand).where(own),
            "your_moves": _shown(moves).join(seats, at_seat).where(own).order_by(moves.c.step),
        }
        rows = await self._rows(
            _shown(matches).where(matches.c.id.in_(numbers)).order_by(matches.c.id)
        )
        by_id: dict[object, dict[str, object]] = {
            match["id"]: {**match, **{name: [] for name in queries}} for match in rows
        }
        for name, query in queries.items():
            for row in await self._rows(query):
                of_match = by_id[row.pop("match")][name]
                assert isinstance(of_match, list)
                of_match.append(row)
        return list(by_id.values())

    async def _rows(self, query: Select[*tuple[Any, ...]]) -> list[dict[str, object]]:
        columns = [c for c in query.selected_columns if isinstance(c, Column)]
        return [
            {
                column.name: _json_value(column, value)
                for column, value in zip(columns, row, strict=True)
            }
            for row in await self._connection.execute(query)
        ]


def _shown(table: Table) -> Select[*tuple[Any, ...]]:
    """Selects a table without withheld columns, which are not even read: states are long."""
    return select(*(column for column in table.c if str(column) not in WITHHELD))


def _json_value(column: Column[Any], value: Any) -> object:  # noqa: ANN401 - of the column's own type
    """A column's value for JSON."""
    if value is None or (column.name in _PEOPLE and value <= 0):
        return None  # former players stay unnamed; computers have a column of their own
    if isinstance(column.type, BigInteger):
        return str(value)
    if column.name.endswith("_at") or column.name in _MOMENTS:
        return datetime.fromtimestamp(value, UTC).isoformat()
    if column.name == "day":
        return (_FIRST_DAY + timedelta(days=value)).isoformat()
    if column.name == "options":
        return json.loads(value)
    return value
