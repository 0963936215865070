"""What people answer to the puzzle of the day, and what came of it the day after."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from bot.errors import ButtonError, MatchError
from bot.messaging.membership import ASKED, Membership, page_of_members
from bot.puzzles.calendar import GamePuzzle, day_of, puzzle_of
from bot.storage import Storage
from bot.storage.puzzles import AnswerRecord, SolverRecord, SolversRecord

PER_PAGE: Final = 10

SHORTEST_STREAK: Final = 2
"""Days in a row that are told as a streak."""

MAX_STREAKS_NAMED: Final = 8
MAX_STREAKS_ASKED: Final = 2 * MAX_STREAKS_NAMED
"""The longest streaks in a server, of whose people it is asked whether they are still there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleDay:
    """The puzzle of today, for the eyes of one person."""

    day: int
    today: GamePuzzle
    answer: AnswerRecord | None
    """What this person answered today."""

    yesterday: GamePuzzle
    answer_before: AnswerRecord | None
    """What they answered yesterday, of which all is known now."""

    streak: int
    """The days in a row, up to yesterday, whose puzzle they solved, wherever they answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """How a server answered the puzzle of a day that is over; nobody who was wrong is named."""

    puzzle: GamePuzzle
    counts: Mapping[str, int]
    """How many chose which move."""

    streaks: Sequence[SolverRecord]
    """Whose streak goes on, the longest first; nobody who wants to be on no leaderboard, who has
    left the server, or who may have."""

    others: int
    """How many more streaks go on, of people who are not to be named."""

    was_posted: bool
    """Whether the server got that puzzle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solvers:
    """A page of a server's leaderboard of puzzles."""

    page: SolversRecord
    number: int
    """Which page it is, from 0."""

    last: int
    """The number of the last page."""

    me: int
    complete: bool
    """Whether it is known who is still here."""


class Puzzles:
    def __init__(
        self, storage: Storage, members: Membership, *, now: Callable[[], float] = time.time
    ) -> None:
        self._storage = storage
        self._members = members
        self._now = now

    async def day_for(self, user: int) -> PuzzleDay:
        """Today's puzzle and what this person has to do with it."""
        day = day_of(self._now())
        async with self._storage.reading() as reading:
            answer = await reading.puzzles.answer(day, user)
            before = await reading.puzzles.answer(day - 1, user)
            solved = await reading.puzzles.solved_days(user)
        over = [number for number in solved if number < day]
        row = takewhile(lambda pair: pair[0] == pair[1], enumerate(day - 1 - n for n in over))
        return PuzzleDay(
            day=day,
            today=puzzle_of(day),
            answer=answer,
            yesterday=puzzle_of(day - 1),
            answer_before=before,
            streak=len(list(row)),
        )

    def must_be_today(self, day: int) -> None:
        """MatchError with a sentence for the puzzle of a day that is over."""
        if day != day_of(self._now()):
            raise MatchError(
                "That puzzle is over, and its answer is out. Use `/puzzle` for today's."
            )

    async def answer(self, user: int, guild: int | None, day: int, choice: str) -> AnswerRecord:
        """Note somebody's answer to the puzzle of a day, face down until that day is over.

        Raises MatchError with a sentence for a second answer and for one that comes too late,
        ButtonError for a choice that the puzzle does not have.
        """
        puzzle = puzzle_of(day).puzzle
        if choice not in {known.move for known in puzzle.choices}:
            raise ButtonError("That isn't a choice here. Use `/puzzle` again.")
        async with self._storage.transaction() as writing:
            self.must_be_today(day)
            given = AnswerRecord(
                day=day,
                user=user,
                guild=guild,
                choice=choice,
                solved=choice in puzzle.best,
                answered_at=int(self._now()),
            )
            if not await writing.puzzles.add(given):
                raise MatchError(
                    "You've already answered today's puzzle, and the first answer counts. "
                    "`/puzzle` shows yours."
                )
        return given

    async def reveal(self, guild: int, day: int) -> Reveal:
        """How a server answered the puzzle of a day that is over."""
        async with self._storage.reading() as reading:
            counts = await reading.puzzles.counts(guild, day)
            streaks = await reading.puzzles.streaks(guild, day + 1, SHORTEST_STREAK)
            was_posted = await reading.puzzle_posts.was_posted(guild, day)
        longest = streaks[:MAX_STREAKS_ASKED]
        asked = frozenset(line.user for line in longest)
        gone = await self._members.gone(guild, asked) if asked else asked
        named = [] if gone is None else [line for line in longest if line.user not in gone]
        return Reveal(
            puzzle=puzzle_of(day),
            counts=counts,
            streaks=named,
            others=len(streaks) if gone is None else len(streaks) - len(longest),
            was_posted=was_posted,
        )

    async def unposted(self, guild: int) -> str | None:
        """Why a server did not get its last puzzle; None if it did, or still may."""
        async with self._storage.reading() as reading:
            return await reading.puzzle_posts.failure(guild)

    async def solvers(self, guild: int, number: int, me: int) -> Solvers:
        """A page, from 0, of those who have solved puzzles here; today's does not count yet."""
        async with self._storage.reading() as reading:
            first = await reading.puzzles.first_solvers(guild, day_of(self._now()), ASKED)
        page, complete = await page_of_members(
            self._members,
            guild,
            me,
            lambda gone: self._page(guild, number, me, gone),
            lambda page: (line.user for line in page.lines),
            first=first,
        )
        return Solvers(
            page=page,
            number=page.first // PER_PAGE,
            last=max(page.total - 1, 0) // PER_PAGE,
            me=me,
            complete=complete,
        )

    async def _page(self, guild: int, number: int, me: int, gone: frozenset[int]) -> SolversRecord:
        async with self._storage.reading() as reading:
            return await reading.puzzles.solvers(
                guild,
                day_of(self._now()),
                first=number * PER_PAGE,
                count=PER_PAGE,
                me=me,
                gone=gone,
            )
