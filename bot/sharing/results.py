"""What a player shares of an ended match: the course of the score, ratings, their turning point.

It shows nothing that the table doesn't show, except one choice of that player, which the coach
judges by what the player saw. It shows no choices of others.
"""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.computers.coach import ChoiceReview, Coach, CoachBusyError, Study
from bot.errors import MatchError
from bot.matches import SeatSnapshot
from bot.matches.archive import MatchArchive
from bot.matches.courses import Course
from bot.matches.studies import StudiedMatch, load_study, reload_snapshot
from bot.stats.streaks import streaks
from bot.storage import MatchId, Spot, Storage
from bot.storage.profiles import ScopeRecord
from games.computers import COMPUTERS

STRANGER: Final = "Only players can share a result. Share one of your own matches."
NO_RESULT: Final = "This match ended without a result, so there's nothing to share."

LEAST_COST: Final = 0.05
"""The chance to win (0 to 1) that a choice must have given up to be shown as a turning point. Below
that, the coach isn't reliable in every game."""

SHORTEST_STREAK: Final = 2
"""Wins in a row from which a streak is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedResult:
    """All that a shared result shows."""

    snapshot: SeatSnapshot
    """The match, as the player who shares it may know it; its view isn't shown."""

    user: int
    course: Course | None
    """None for a game without a score, and if today's rules refuse the moves of the match."""

    turning: ChoiceReview | None
    """The player's choice that cost most; None if the coach isn't sure of any."""

    streak: int
    """The player's wins in a row in this game and server, up to this match; 0 without a streak."""

    table: Spot | None
    """The message of its table, if known."""

    unrated: frozenset[int]
    """The ids of other players who keep their statistics private, so their ratings aren't shown."""


class Results:
    def __init__(self, storage: Storage, archive: MatchArchive, coach: Coach) -> None:
        self._storage = storage
        self._archive = archive
        self._coach = coach

    async def load(self, match: MatchId, user: int) -> StudiedMatch:
        """A match that a user wants to share; raises MatchError if they can't."""
        asked = await load_study(self._storage, match, user, STRANGER)
        if asked.snapshot.status != "over":
            raise MatchError(NO_RESULT)
        return asked

    async def compute(
        self, asked: StudiedMatch, points: Callable[[Any], Sequence[int]] | None
    ) -> AsyncIterator[Study | SharedResult]:
        """Yield the coach's progress now and then, and finally the result.

        `points` returns the points of each seat from a spectator's view; None for games without.
        Raises CoachBusyError while the coach studies another match for the same user.
        """
        study: Study | None = None
        try:
            if asked.snapshot.game in COMPUTERS and asked.steps:
                async for study in self._coach.studies(asked):
                    if not study.complete:
                        yield study
        except CoachBusyError:
            raise
        except MatchError:
            study = None  # asked too often, or the coach is too busy: no turning point then
        course = None if points is None else await self._archive.course(asked, points)
        yield await self._result(
            asked, course, None if study is None else turning_point(study, asked.unseen)
        )

    async def _result(
        self, asked: StudiedMatch, course: Course | None, turning: ChoiceReview | None
    ) -> SharedResult:
        """The result, with players and their privacy as they are now: studying takes a while.

        Raises NotSeatedError if the user who shares it was deleted meanwhile.
        """
        async with self._storage.reading() as reading:
            snapshot = await reload_snapshot(reading, asked, STRANGER)
            others = [info.user for info in snapshot.seats if info.user != asked.user]
            hidden = await reading.people.hidden(others)
            table = await reading.messages.table_of(snapshot.match)
        return SharedResult(
            snapshot=snapshot,
            user=asked.user,
            course=course,
            turning=turning,
            streak=await self._streak(asked),
            table=table,
            unrated=hidden,
        )

    async def _streak(self, asked: StudiedMatch) -> int:
        """Wins in a row, in matches among people, up to and including this match; else 0.

        In the order in which results counted, so a held result comes when it counted.
        """
        snapshot = asked.snapshot
        if snapshot.guild is None or snapshot.has_computer:
            return 0
        scope = ScopeRecord(user=asked.user, guild=snapshot.guild, game=snapshot.game)
        async with self._storage.reading() as reading:
            played = await reading.profiles.played(scope)
        so_far = next((i for i, m in enumerate(played, 1) if m.match == snapshot.match), 0)
        found = streaks(match.end for match in played[:so_far])
        return found.length if found.last == "won" and found.length >= SHORTEST_STREAK else 0


def turning_point(study: Study, unseen: Collection[int]) -> ChoiceReview | None:
    """The choice that cost most, if the study is complete and it cost at least `LEAST_COST`.

    Choices in the `unseen` steps are left out: their moves stay secret, as in exports.
    """
    better = [s for s in study.said if s.better is not None and s.step - 1 not in unseen]
    worst = max(better, key=lambda said: said.cost, default=None)
    sure = study.is_whole and worst is not None and worst.cost >= LEAST_COST
    return worst if sure else None
