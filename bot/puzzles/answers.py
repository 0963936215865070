"""Answers to the daily puzzle, and their results once the day is over."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.errors import ButtonError, MatchError
from bot.messaging.membership import ASKED, Membership, page_of_members
from bot.puzzles.calendar import GamePuzzle, day_of, puzzle_of
from bot.puzzles.tallies import PuzzleTallies
from bot.storage import Storage
from bot.storage.pages import PageRecord, page_of_ranking
from bot.storage.puzzles import AnswerRecord, SolverRecord, TallyRecord
from bot.time_units import HOUR_SECONDS

PER_PAGE: Final = 10

SHORTEST_STREAK: Final = 2
"""Days in a row from which on a streak is shown."""

TOLD_DAYS: Final = 7
"""Days after its own on which a puzzle is still shown with its answer."""

UNSOLVED: Final = "You can only share a puzzle that you solved. `/puzzle` has today's."

MAX_STREAKS_NAMED: Final = 8
MAX_STREAKS_ASKED: Final = 2 * MAX_STREAKS_NAMED
"""How many of a server's longest streaks are checked for people who have left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleDay:
    """Today's puzzle for one person."""

    day: int
    today: GamePuzzle
    answer: AnswerRecord | None
    """This person's answer today."""

    last: AnswerRecord | None
    """Their last answer before today, if it was in the last `TOLD_DAYS` days; its result is out."""

    streak: int
    """Days in a row, up to yesterday, whose puzzle they solved, in any server or none; days that
    rest are passed over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PastPuzzle:
    """The puzzle of a past day, whose answer is out, for one person."""

    day: int
    first: int
    """The first day whose puzzle is still shown."""

    today: int
    puzzle: GamePuzzle
    answer: AnswerRecord | None
    """This person's answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolvedPuzzle:
    """The puzzle of a past day that a user solved, with what they can share about it."""

    day: int
    user: int
    puzzle: GamePuzzle
    streak: int
    """Days in a row up to and including this one, as in `PuzzleDay`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """How a server answered the puzzle of a past day; it names nobody who was wrong."""

    day: int
    puzzle: GamePuzzle
    counts: Mapping[str, int]
    """How many people chose each move."""

    streaks: Sequence[TallyRecord]
    """The streaks that continue, the longest first; none of people who are hidden from
    leaderboards, who have left the server, or who may have."""

    others: int
    """How many more streaks continue, of people who aren't named."""

    complete: bool
    """Whether it's known who has left the server; if not, nobody is named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solvers:
    """A page of a server's leaderboard of puzzles."""

    page: PageRecord[SolverRecord]
    me: int
    complete: bool
    """Whether it's known who has left the server."""


class Puzzles:
    def __init__(self, storage: Storage, members: Membership, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._members = members
        self._now = now
        self._tallies = PuzzleTallies(storage, now=now)
        self._noted: int | None = None
        """The last hour, in hours since 1970, that is stored as one in which people got answers."""

    def forget(self, user: int) -> None:
        """Drop what is cached about this person."""
        self._tallies.forget(user)

    def forget_all(self) -> None:
        """Drop everything cached: this process may have missed that somebody was deleted."""
        self._tallies.forget_all()

    async def note_presence(self) -> None:
        """Store that people get answers in this hour; a day with few such hours ends no streak.

        Call it several times an hour as long as the bot can answer.
        """
        hour = int(self._now() // HOUR_SECONDS)
        if hour != self._noted:
            async with self._storage.transaction() as writing:
                await writing.puzzles.note_presence(hour)
            self._noted = hour

    async def day_for(self, user: int) -> PuzzleDay:
        """Today's puzzle, with this person's answers and streak."""
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
        """The puzzle of a past day, with this person's answer; None means yesterday.

        For a day that isn't shown, it's the nearest one that is, so never one that is still open.
        """
        today = day_of(self._now())
        first = today - TOLD_DAYS
        day = today - 1 if wished is None else max(first, min(wished, today - 1))
        async with self._storage.reading() as reading:
            answer = await reading.puzzles.answer(day, user)
        return PastPuzzle(day=day, first=first, today=today, puzzle=puzzle_of(day), answer=answer)

    async def solved(self, user: int, day: int) -> SolvedPuzzle:
        """What a user can share about the puzzle of a day.

        Raises MatchError unless the day is shown with its answer and they solved its puzzle.
        """
        if not self.shows_answer(day):
            raise MatchError(
                f"You can only share puzzles of the last {TOLD_DAYS} days. `/puzzle` has today's "
                "puzzle and those answers."
            )
        async with self._storage.reading() as reading:
            answer = await reading.puzzles.answer(day, user)
            streak = await reading.puzzles.streak(user, day + 1)
        if answer is None or not answer.solved:
            raise MatchError(UNSOLVED)
        return SolvedPuzzle(day=day, user=user, puzzle=puzzle_of(day), streak=streak)

    def shows_answer(self, day: int) -> bool:
        """Whether this day is over, and its puzzle is still shown with its answer."""
        today = day_of(self._now())
        return today - TOLD_DAYS <= day < today

    def must_be_today(self, day: int) -> None:
        """Raise MatchError unless this day is today."""
        if day != day_of(self._now()):
            raise MatchError(
                "That puzzle is over. `/puzzle` has today's, and the answers of the last "
                f"{TOLD_DAYS} days."
            )

    async def answer(self, user: int, guild: int | None, day: int, choice: str) -> AnswerRecord:
        """Store a user's answer to today's puzzle, which stays secret until the day is over.

        `guild` is the server where it counts, if any. Raises MatchError for a second answer or a
        late one, ButtonError for a choice that the puzzle doesn't have.
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
        """How a server answered yesterday's puzzle, if anybody did or it was posted there.

        Otherwise the last puzzle posted there in the last `TOLD_DAYS` days, as the bot may have
        been away since; None if there is none.
        """
        day = today - 1
        async with self._storage.reading() as reading:
            counts = await reading.puzzles.counts(guild, day)
            posted = await reading.puzzle_posts.last_posted(guild, today)
            if not counts and posted != day:
                if posted is None or posted < today - TOLD_DAYS:
                    return None
                day, counts = posted, await reading.puzzles.counts(guild, posted)
        listed = await self._tallies.listed(guild, today)
        continuing = [line for line in listed if line.streak >= SHORTEST_STREAK]
        streaks = sorted(continuing, key=lambda line: line.streak, reverse=True)
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
            complete=gone is not None,
        )

    async def solvers(self, guild: int, number: int, me: int) -> Solvers:
        """A page, from 0, of the people who solved puzzles in a server, without today's puzzle."""
        listed = await self._tallies.listed(guild, day_of(self._now()))

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
