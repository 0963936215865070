"""How far people have come in the lessons of the games."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy import BigInteger, bindparam, select
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.records import MatchId
from bot.storage.repository import Repository
from bot.storage.schema import lessons, results


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonRecord:
    """Where a person continues a lesson."""

    exercise: str
    """The key of the next exercise; it may no longer exist if the lesson has changed since."""

    number: int
    """Its index in the lesson as it was then, from 0."""

    done: bool
    """Whether the person has ever solved the whole lesson."""


_LESSON: Final = Columns(LessonRecord, lessons)

_USERS: Final = bindparam("users", type_=BigInteger, expanding=True)
_HAVE_PLAYED: Final = select(results.c.user).where(
    results.c.user.in_(_USERS),
    results.c.game == bindparam("of_game"),
    results.c.match != bindparam("but"),
)
_HAVE_LEARNED: Final = select(lessons.c.user).where(
    lessons.c.user.in_(_USERS), lessons.c.game == bindparam("of_game"), lessons.c.done
)
_KNOW: Final = _HAVE_PLAYED.union(_HAVE_LEARNED)
_KNOWN_GAMES: Final = (
    select(results.c.game)
    .where(results.c.user == bindparam("user"))
    .union(select(lessons.c.game).where(lessons.c.user == bindparam("user"), lessons.c.done))
)


class LessonRepository(Repository):
    async def load(self, user: int, game: str, *, changing: bool = False) -> LessonRecord | None:
        """Where this person continues; None if they have not begun the lesson.

        With `changing`, locks the person, so that nobody else changes it meanwhile.
        """
        if changing:
            await self._locks.ids(user)
        query = select(*_LESSON.columns).where(lessons.c.user == user, lessons.c.game == game)
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else _LESSON.of(row)

    async def of(self, user: int) -> Mapping[str, LessonRecord]:
        """Where this person continues each lesson that they have begun, by game."""
        query = select(lessons.c.game, *_LESSON.columns).where(lessons.c.user == user)
        rows = await self._connection.execute(query)
        return {row.game: _LESSON.of(row[1:]) for row in rows}

    async def put(self, user: int, game: str, record: LessonRecord) -> None:
        values = _LESSON.values(record)
        await self._connection.execute(
            upsert(lessons)
            .values(user=user, game=game, **values)
            .on_conflict_do_update(index_elements=["user", "game"], set_=values)
        )

    async def newcomers(self, users: Collection[int], game: str, *, but: MatchId) -> frozenset[int]:
        """Those of these people who finished neither this game's lesson nor a match of it.

        The match `but` doesn't count.
        """
        values = {"users": list(users), "of_game": game, "but": but}
        known = (await self._connection.execute(_KNOW, values)).scalars()
        return frozenset(users) - frozenset(known)

    async def known_games(self, user: int) -> frozenset[str]:
        """The games of which this person has finished a match or the lesson."""
        return frozenset((await self._connection.execute(_KNOWN_GAMES, {"user": user})).scalars())
