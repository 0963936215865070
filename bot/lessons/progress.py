"""How far people have come in the lessons: a row for each person and game."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.lessons.exercise import Exercise
from bot.storage import MatchId, Storage
from bot.storage.lessons import LessonRecord
from games import GAMES

Lesson = Sequence[Exercise]


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Where a person continues a lesson."""

    number: int = 0
    """The next exercise, counted from 0."""

    done: bool = False
    """Whether they've finished the whole lesson before."""

    is_moved: bool = False
    """Whether the exercise they had reached is gone, so that this one is shown instead."""


_START: Final = Bookmark()


class Progress:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def bookmark(self, user: int, game: str, lesson: Lesson) -> Bookmark:
        """Where this person continues the lesson of a game."""
        async with self._storage.reading() as reading:
            return _bookmark(await reading.lessons.load(user, game), lesson)

    async def bookmarks(self, user: int, lessons: Mapping[str, Lesson]) -> Mapping[str, Bookmark]:
        """The bookmark of this person in each of these lessons, by game."""
        async with self._storage.reading() as reading:
            records = await reading.lessons.of(user)
        return {game: _bookmark(records.get(game), lesson) for game, lesson in lessons.items()}

    async def solved(self, user: int, game: str, lesson: Lesson, number: int) -> None:
        """Store that this person has solved an exercise and continues with the next one.

        Solving an earlier exercise again, in an older message, doesn't move them back. After the
        last exercise the lesson starts over.
        """
        async with self._storage.transaction() as writing:
            now = _bookmark(await writing.lessons.load(user, game, changing=True), lesson)
            after = number + 1
            is_last = after == len(lesson)
            if after <= now.number and not is_last:
                return
            after = 0 if is_last else after
            record = LessonRecord(
                exercise=lesson[after].key, number=after, done=now.done or is_last
            )
            await writing.lessons.put(user, game, record)

    async def newcomers(self, users: Collection[int], game: str, match: MatchId) -> frozenset[int]:
        """Which of these people have finished neither another match of this game nor its lesson."""
        async with self._storage.reading() as reading:
            return await reading.lessons.newcomers(users, game, but=match)

    async def unknown_games(self, user: int) -> frozenset[str]:
        """The games of which this person has finished neither a match nor the lesson."""
        async with self._storage.reading() as reading:
            return frozenset(GAMES) - await reading.lessons.known_games(user)


def _bookmark(record: LessonRecord | None, lesson: Lesson) -> Bookmark:
    """What a stored record means in the lesson as it is now."""
    if record is None:
        return _START
    keys = [exercise.key for exercise in lesson]
    if record.exercise in keys:
        return Bookmark(keys.index(record.exercise), record.done)
    return Bookmark(min(record.number, len(lesson) - 1), record.done, is_moved=True)
