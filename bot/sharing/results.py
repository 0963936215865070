"""What a player shows of a match that has ended: the score's course, their turning point, ratings.

Nothing is told that the table does not tell, but for one choice of the player's own, which the
coach judges by what that player saw. Of others there are no choices.
"""

from collections.abc import AsyncIterator, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

from bot.computers.coach import Coach, CoachBusyError, Said, Study
from bot.errors import MatchError
from bot.matches import SeatSnapshot
from bot.matches.archive import MatchArchive
from bot.matches.courses import Course
from bot.matches.studies import StudiedMatch, studied, studied_anew
from bot.stats.streaks import streaks
from bot.storage import MatchId, Storage
from bot.storage.profiles import ScopeRecord
from bot.storage.records import Spot
from games.computers import COMPUTERS

STRANGER: Final = "Only players can share a result. Share one of your own matches."
NO_RESULT: Final = "This match ended without a result, so there's nothing to share."

LEAST_COST: Final = 0.05
"""Of the chance to win: what a choice gave up at least to be told as a turning point. The coach's
opinion of less is not sure in every game."""

SHORTEST_STREAK: Final = 2
"""Wins in a row that are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedResult:
    """All that is told."""

    snapshot: SeatSnapshot
    """The match, as the player knows it who shares it; nothing of the view is told."""

    user: int
    course: Course | None
    """None for a game that counts nothing, and where the rules have changed since."""

    turning: Said | None
    """The player's choice that cost most; None if there is none to be sure of."""

    streak: int
    """Wins in a row of the player in this game and server, with this match; 0 without a streak."""

    table: Spot | None
    """Where its table stands; None without one."""

    unrated: frozenset[int]
    """Whose ratings are not told: others who want their statistics for themselves."""


class Results:
    def __init__(self, storage: Storage, archive: MatchArchive, coach: Coach) -> None:
        self._storage = storage
        self._archive = archive
        self._coach = coach

    async def asked(self, match: MatchId, user: int) -> StudiedMatch:
        """The match that somebody wants to share; MatchError where that can't be."""
        asked = await studied(self._storage, match, user, STRANGER)
        if asked.snapshot.status != "over":
            raise MatchError(NO_RESULT)
        return asked

    async def found(
        self, asked: StudiedMatch, points: Callable[[Any], Sequence[int]] | None
    ) -> AsyncIterator[Study | SharedResult]:
        """Now and then how far the coach has come; in the end the result.

        Raises CoachBusyError while the coach looks at something else for the same person.
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
            study = None  # too much was asked of the coach, or it has no time: nothing is sure
        course = None if points is None else await self._archive.course(asked, points)
        yield await self._told(
            asked, course, None if study is None else turning_point(study, asked.unseen)
        )

    async def _told(
        self, asked: StudiedMatch, course: Course | None, turning: Said | None
    ) -> SharedResult:
        """All of it as it is now: whoever hid or was deleted while the coach looked stays unnamed.

        NotSeatedError where that is the one who shares.
        """
        async with self._storage.reading() as reading:
            snapshot = await studied_anew(reading, asked, STRANGER)
            others = [place.user for place in snapshot.places if place.user != asked.user]
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
        """Wins in a row among people up to this match, if it was one of them.

        In the order of results: one that was held back comes when it counted.
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


def turning_point(study: Study, unseen: Collection[int]) -> Said | None:
    """The choice that cost most, if all were looked at and it surely cost something.

    Not one of a step whose move stays secret after the end, as in exports.
    """
    better = [s for s in study.said if s.better is not None and s.step - 1 not in unseen]
    worst = max(better, key=lambda said: said.cost, default=None)
    sure = study.is_whole and worst is not None and worst.cost >= LEAST_COST
    return worst if sure else None
