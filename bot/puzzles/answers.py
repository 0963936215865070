"""What people answer to the puzzle of the day, and what came of it the day after."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.errors import ButtonError, MatchError
from bot.messaging.membership import ASKED, Membership, page_of_members
from bot.puzzles.boards import PuzzleBoards
from bot.puzzles.calendar import GamePuzzle, day_of, puzzle_of
from bot.storage import Storage
from bot.storage.pages import PageRecord, page_of_ranking
from bot.storage.puzzles import AnswerRecord, SolverRecord, TallyRecord

PER_PAGE: Final = 10
HOUR_SECONDS: Final = 3600

SHORTEST_STREAK: Final = 2
"""Days in a row that are told as a streak."""

TOLD_DAYS: Final = 7
"""For so many days after its own a puzzle is shown with its answer."""

UNSOLVED: Final = "You can only share a puzzle that you solved. `/puzzle` has today's."

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

    last: AnswerRecord | None
    """What they answered last before today, if that is lately; all is known of it now."""

    streak: int
    """The days in a row, up to yesterday, whose puzzle they solved, wherever they answered; days on
    which hardly anybody could are passed over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPuzzle:
    """A puzzle whose answer is out, for the eyes of one person."""

    day: int
    first: int
    """The first day that is still shown."""

    today: int
    puzzle: GamePuzzle
    answer: AnswerRecord | None
    """What this person answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedPuzzle:
    """A puzzle whose answer is out and was right, as its solver may tell others."""

    day: int
    user: int
    puzzle: GamePuzzle
    streak: int
    """The days in a row up to this one, as in `PuzzleDay`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """How a server answered the puzzle of a day that is over; nobody who was wrong is named."""

    day: int
    puzzle: GamePuzzle
    counts: Mapping[str, int]
    """How many chose which move."""

    streaks: Sequence[TallyRecord]
    """Whose streak goes on, the longest first; nobody who wants to be on no leaderboard, who has
    left the server, or who may have."""

    others: int
    """How many more streaks go on, of people who are not to be named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solvers:
    """A page of a server's leaderboard of puzzles."""

    page: PageRecord[SolverRecord]
    me: int
    complete: bool
    """Whether it is known who is still here."""


class Puzzles:
    def __init__(self, storage: Storage, members: Membership, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._members = members
        self._now = now
        self._boards = PuzzleBoards(storage, now=now)
        self._noted: int | None = None
        """The last hour in which it is noted that people can be answered."""

    def forget(self, user: int) -> None:
        """Remember nothing of this person."""
        self._boards.forget(user)

    def forget_all(self) -> None:
        """Remember nobody: it may not have been heard who was deleted."""
        self._boards.forget_all()

    async def note_presence(self) -> None:
        """Note that people can be answered now: a day on which they hardly could ends no streak.

        To be called several times an hour, as long as that is so.
        """
        hour = int(self._now() // HOUR_SECONDS)
        if hour != self._noted:
            async with self._storage.transaction() as writing:
                await writing.puzzles.note_presence(hour)
            self._noted = hour

    async def day_for(self, user: int) -> PuzzleDay:
        """Today's puzzle and what this person has to do with it."""
        day = day_of(self._now())
        async with self._storage.reading() as reading:
            answer = await reading.puzzles.answer(day, user)
            last = await reading.puzzles.last_answer(user, day)
            streak = await reading.puzzles.streak(user, day)
        return PuzzleDay(
            day=day,
            today=puzzle_of(day),
            answer=answer,
            last=last if last is not None and last.day >= day - TOLD_DAYS else None,
            streak=streak,
        )

    async def past(self, user: int, wished: int | None = None) -> PastPuzzle:
        """The puzzle of a day that is over, with what this person answered; yesterday's for None.

        Of a day that is not shown, the nearest one that is: never one whose answer is not out.
        """
        today = day_of(self._now())
        first = today - TOLD_DAYS
        day = today - 1 if wished is None else max(first, min(wished, today - 1))
        async with self._storage.reading() as reading:
            answer = await reading.puzzles.answer(day, user)
        return PastPuzzle(day=day, first=first, today=today, puzzle=puzzle_of(day), answer=answer)

    async def solved(self, user: int, day: int) -> SolvedPuzzle:
        """What somebody may share of a day; MatchError with a sentence for all other days."""
        if not self.shows_answer(day):
            raise MatchError(
                f"You can only share puzzles of the last {TOLD_DAYS} days. `/puzzle` has today's, "
                "and their answers."
            )
        async with self._storage.reading() as reading:
            answer = await reading.puzzles.answer(day, user)
            streak = await reading.puzzles.streak(user, day + 1)
        if answer is None or not answer.solved:
            raise MatchError(UNSOLVED)
        return SolvedPuzzle(day=day, user=user, puzzle=puzzle_of(day), streak=streak)

    def shows_answer(self, day: int) -> bool:
        """Whether the puzzle of this day is over, and still shown with its answer."""
        today = day_of(self._now())
        return today - TOLD_DAYS <= day < today

    def must_be_today(self, day: int) -> None:
        """MatchError with a sentence for the puzzle of a day that is over."""
        if day != day_of(self._now()):
            raise MatchError(
                "That puzzle is over. `/puzzle` has today's, and the answers of the last "
                f"{TOLD_DAYS} days."
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

    async def reveal(self, guild: int, today: int) -> Reveal | None:
        """How a server answered yesterday's puzzle; if the bot was away then, the last it got.

        None where nothing is to be told of any.
        """
        day = today - 1
        async with self._storage.reading() as reading:
            counts = await reading.puzzles.counts(guild, day)
            posted = await reading.puzzle_posts.last_posted(guild, today)
            if not counts and posted != day:
                if posted is None or posted < today - TOLD_DAYS:
                    return None
                day, counts = posted, await reading.puzzles.counts(guild, posted)
        listed = await self._boards.listed(guild, today)
        going_on = [line for line in listed if line.streak >= SHORTEST_STREAK]
        streaks = sorted(going_on, key=lambda line: line.streak, reverse=True)
        longest = streaks[:MAX_STREAKS_ASKED]
        asked = frozenset(line.user for line in longest)
        gone = await self._members.gone(guild, asked) if asked else asked
        named = [] if gone is None else [line for line in longest if line.user not in gone]
        return Reveal(
            day=day,
            puzzle=puzzle_of(day),
            counts=counts,
            streaks=named,
            others=len(streaks) if gone is None else len(streaks) - len(longest),
        )

    async def unposted(self, guild: int) -> str | None:
        """Why a server did not get its last puzzle; None if it did, or still may."""
        async with self._storage.reading() as reading:
            return await reading.puzzle_posts.failure(guild)

    async def solvers(self, guild: int, number: int, me: int) -> Solvers:
        """A page, from 0, of those who have solved puzzles here; today's does not count yet."""
        listed = await self._boards.listed(guild, day_of(self._now()))

        async def page_without(gone: frozenset[int]) -> PageRecord[SolverRecord]:
            return page_of_ranking(
                listed, first=number * PER_PAGE, count=PER_PAGE, me=me, gone=gone
            )

        page, complete = await page_of_members(
            self._members,
            guild,
            me,
            page_without,
            lambda page: (line.user for line in page.lines),
            first=[line.user for line in listed[:ASKED]],
        )
        return Solvers(page=page, me=me, complete=complete)
