"""What is stored about a person besides matches: direct messages, preferences, notice settings."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from sqlalchemy import ARRAY, BigInteger, and_, any_, bindparam, select, text, update
from sqlalchemy.dialects.postgresql import Insert
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns, bound
from bot.storage.match_rows import OLDEST_LIVE
from bot.storage.records import DeskPlace, Event, MatchId, Way
from bot.storage.repository import Repository
from bot.storage.schema import matches, people, seats


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRecord:
    """The channel for direct messages to a person, and whether it works."""

    dm_channel: int | None = None
    dm_closed_at: int | None = None
    """When Discord last refused a direct message (Unix time); None if it didn't."""

    dm_opened_at: int | None = None
    """When the bot last opened the channel (Unix time); None if that was before revision 0009."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencesRecord:
    """How a person wants to play: where the hand is, what it shows, what plays itself."""

    desk: DeskPlace | None = None
    """Whether hands are sent by direct message, or only opened with **My hand** at the table; None
    leaves it to the bot's owner."""

    pictures: bool = True
    """Whether hands and rules show pictures; otherwise they say the same in words."""

    forced: bool | None = None
    """Whether the only legal move plays itself; None leaves it to the game."""

    left_alone: bool = False
    """Whether nobody may challenge them by name."""


@dataclass(frozen=True, slots=True)
class NoticePreference:
    """How a person wants to be notified."""

    ways: Mapping[Event, Way] = field(default_factory=dict)
    """The chosen ways; other events have their default."""

    before: int | None = None
    """Seconds before a deadline for the reminder; None is a quarter of the time for a turn."""


DEFAULTS: Final = {"pictures": True, "notices": "", "hidden": False, "left_alone": False}
"""The required columns of a person who has chosen nothing."""


_PERSON: Final = Columns(PersonRecord, people)
_PREFERENCES: Final = Columns(PreferencesRecord, people)
_NOTICES: Final = Columns(
    NoticePreference,
    people,
    renamed={"ways": "notices", "before": "remind_before"},
    read={"ways": lambda text: dict(chosen.split("=") for chosen in text.split())},
    write={"ways": lambda ways: " ".join(f"{event}={way}" for event, way in sorted(ways.items()))},
)

_OF_PERSON: Final = people.c.user == bindparam("sought")
_LOAD: Final = select(*_PERSON.columns).where(_OF_PERSON)
_LOAD_PREFERENCES: Final = select(*_PREFERENCES.columns).where(_OF_PERSON)
_LOAD_NOTICES: Final = select(*_NOTICES.columns).where(_OF_PERSON)
# The list is one parameter: a server may have more people than a statement takes parameters.
_OF_HIDDEN: Final = select(people.c.user).where(people.c.hidden)
_HIDDEN: Final = {
    "sqlite": _OF_HIDDEN.where(text("people.user IN (SELECT value FROM json_each(:users))")),
    "postgresql": _OF_HIDDEN.where(
        people.c.user == any_(bindparam("users", type_=ARRAY(BigInteger)))
    ),
}
_LEFT_ALONE: Final = select(people.c.user).where(
    people.c.left_alone, people.c.user.in_(bindparam("users", type_=BigInteger, expanding=True))
)
_OPENED_SINCE: Final = (
    select(people.c.dm_opened_at)
    .where(people.c.dm_opened_at > bindparam("moment"))
    .order_by(people.c.dm_opened_at)
)
_IN_PLAY: Final = (
    select(matches.c.id)
    .join(seats, seats.c.match == matches.c.id)
    .where(
        seats.c.user == bindparam("sought"),
        seats.c.match >= OLDEST_LIVE,
        matches.c.status == "running",
    )
    .order_by(matches.c.id)
)


@cache
def _put(*columns: str) -> Insert:
    """An upsert of these columns; the others keep their value, or get the default in a new row."""
    new = bound([people.c[name] for name in columns])
    return (
        upsert(people)
        .values(user=bindparam("of_user"), **{**DEFAULTS, **new})
        .on_conflict_do_update(index_elements=["user"], set_=new)
    )


class PersonRepository(Repository):
    async def load(self, user: int) -> PersonRecord:
        row = (await self._connection.execute(_LOAD, {"sought": user})).one_or_none()
        if row is None:
            return PersonRecord()
        return _PERSON.of(row)

    async def put(self, user: int, record: PersonRecord) -> None:
        await self._put(user, _PERSON.values(record))

    async def change(self, user: int, **values: int | None) -> None:
        """Update these columns if the person has a row; a person who was deleted has none."""
        await self._connection.execute(update(people).where(people.c.user == user).values(values))

    async def opened_since(self, moment: int) -> list[int]:
        """When channels of direct messages were opened after `moment` (Unix times), in order."""
        rows = await self._connection.execute(_OPENED_SINCE, {"moment": moment})
        return list(rows.scalars())

    async def preferences(self, user: int, *, changing: bool = False) -> PreferencesRecord:
        """A person's preferences; the defaults if they have chosen nothing.

        With `changing`, locks the person and the running matches that show their preferences.
        """
        if changing:
            playing = select(seats.c.match).where(seats.c.user == user)
            running = and_(matches.c.status == "running", matches.c.id.in_(playing))
            await self._locks.all_of(running, user)
        found = await self._connection.execute(_LOAD_PREFERENCES, {"sought": user})
        row = found.one_or_none()
        if row is None:
            return PreferencesRecord()
        return _PREFERENCES.of(row)

    async def put_preferences(self, user: int, record: PreferencesRecord) -> None:
        """Store a person's preferences; if they want direct messages, these are tried again."""
        values = _PREFERENCES.values(record)
        if record.desk != "here":
            values["dm_closed_at"] = None
        await self._put(user, values)
        await self._touch(*await self.matches_in_play(user))

    async def forget_plays_here(self, user: int) -> None:
        """Forget that a person chooses at the table in their running matches."""
        playing = await self.matches_in_play(user)
        await self._connection.execute(
            update(seats)
            .where(seats.c.user == user, seats.c.match.in_(playing))
            .values(plays_here=None)
        )

    async def matches_in_play(self, user: int) -> list[MatchId]:
        """The running matches of this person, whose hands show what they prefer."""
        rows = await self._connection.execute(_IN_PLAY, {"sought": user})
        return [MatchId(row.id) for row in rows]

    async def notice_preference(self, user: int, *, changing: bool = False) -> NoticePreference:
        """How a person wants to be notified; the defaults if they have chosen nothing.

        With `changing`, locks the person.
        """
        if changing:
            await self._locks.ids(user)
        row = (await self._connection.execute(_LOAD_NOTICES, {"sought": user})).one_or_none()
        if row is None:
            return NoticePreference()
        return _NOTICES.of(row)

    async def put_notice_preference(self, user: int, preference: NoticePreference) -> None:
        await self._put(user, _NOTICES.values(preference))

    async def hide(self, user: int, *, hidden: bool) -> None:
        """Hide this person from leaderboards and posts, or show them again."""
        await self._put(user, {"hidden": hidden})

    async def hidden(self, users: Collection[int]) -> frozenset[int]:
        """Those of these people who are hidden."""
        dialect = self._connection.dialect.name
        listed: object = list(users) if dialect == "postgresql" else json.dumps(list(users))
        found = await self._connection.execute(_HIDDEN[dialect], {"users": listed})
        return frozenset(found.scalars())

    async def left_alone(self, users: Collection[int]) -> list[int]:
        """Those of these few people that nobody may challenge by name, sorted."""
        found = await self._connection.execute(_LEFT_ALONE, {"users": list(users)})
        return sorted(found.scalars())

    async def _put(self, user: int, values: dict[str, Any]) -> None:
        new = {f"new_{name}": value for name, value in values.items()}
        await self._connection.execute(_put(*values), {"of_user": user, **new})
