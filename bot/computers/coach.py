"""The coach: what a player's choices in a finished match gave up, judged by their own view.

It sees what their seat saw at each choice, never another hand, and says nothing about others.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog
from cachetools import TTLCache

from bot.computers.jobs import Opinion, assess, luck
from bot.computers.pool import Pool
from bot.errors import ButtonError, MatchError
from bot.matches import SeatSnapshot
from bot.matches.heavy_work import HeavyWork
from bot.matches.replays import CHANGED
from bot.matches.studies import StudiedMatch, load_study
from bot.storage import MatchId, Storage
from bot.time_units import HOUR_SECONDS
from games.computer import Assessment, Mixing
from games.computers import COMPUTERS
from games.history import InvalidHistoryError, OwnChoice, choices_of

log = structlog.get_logger()

STRANGER: Final = "Only players can ask the coach, and only about their own choices."
NOTHING: Final = "You made no choices in this match, so there's nothing to check."
BUSY: Final = (
    "I'm still checking a match for you. The answer will appear where you asked first; then press "
    "the button here again."
)
GONE: Final = "That's too long ago. Press **Coach** at the table again."
SLOW: Final = "I'm too busy right now. Press **Coach** again in a few minutes."
NO_COACH: Final = "I don't know this game well enough to coach it."


SLIGHT: Final = 0.001
"""A choice that gives up less of the chance to win (0 to 1) counts as the best one."""


class CoachBusyError(MatchError):
    """Another match is being studied for the same person."""


PROGRESS_SECONDS: Final = 1.0
"""Seconds between reports of how far a study is."""

READING_SECONDS, CHOICE_SECONDS = 30.0, 10.0
"""Time limits in seconds: for playing the match again, and for assessing one choice."""

MAX_STUDY_SECONDS: Final = 90.0
"""Seconds after which the remaining choices of a long match are skipped."""

MIXED_LIKELIHOOD: Final = 0.02
"""Play is called predictable if somebody who mixes as best play does would be as obvious with less
than this probability."""

LEAST_MIXED: Final = 4
"""How many choices for which best play mixes it takes to see a habit."""

STUDIES_AN_HOUR: Final = 20
"""Matches studied for one person in an hour; cached studies don't count."""

MAX_KEPT_STUDIES: Final = 64
"""Studies that are cached, for turning their pages."""

KEPT_SECONDS: Final = HOUR_SECONDS
"""Seconds that they're cached; no longer, as a process may die before it tells who was deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceReview:
    """What the coach says about one choice."""

    step: int
    """Counted from 1, as in the replay."""

    when: str
    """When it was, as players of this game count; "" if they count steps."""

    move: str
    better: str | None
    """A better move; None if the choice was the best one."""

    cost: float
    """The chance to win that was given up, from 0 to 1; players who tie for first share the win."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What the coach has found in a match so far."""

    snapshot: SeatSnapshot
    """The match as its player may see it."""

    total: int
    """How many choices the player made themselves, not the clock or a rule."""

    checked: int = 0
    """How many of them have been looked at."""

    said: tuple[ChoiceReview, ...] = ()
    """What there is to say, in the order of the choices; not every choice has something."""

    mixings: tuple[Mixing, ...] = ()
    """For the choices for which best play mixes."""

    luck: float | None = None
    """The chance to win that the deal gave, with best play by everyone; None if not known."""

    complete: bool = False

    failed: int = 0
    """How many assessments failed because a process failed or took too long."""

    @property
    def was_predictable(self) -> bool:
        """Whether the player made the obvious move too often for somebody who mixes.

        A player who mixes as best play does is this obvious in fewer than one of fifty matches.
        """
        if len(self.mixings) < LEAST_MIXED:
            return False
        return _chance_of_as_many_obvious(self.mixings) < MIXED_LIKELIHOOD

    @property
    def is_whole(self) -> bool:
        """Whether another study of the match would find the same, so that it can be reused."""
        return self.complete and not self.failed and self.checked == self.total


class Coach:
    def __init__(
        self,
        storage: Storage,
        pool: Pool,
        moment: Callable[[str, Any], str],
        *,
        now: Callable[[], float],
    ) -> None:
        self._work = HeavyWork("reviews by the coach", STUDIES_AN_HOUR, now=now)
        self._storage = storage
        self._pool = pool
        self._moment = moment
        self._studies: TTLCache[tuple[MatchId, int], Study] = TTLCache(
            MAX_KEPT_STUDIES, KEPT_SECONDS, timer=now
        )
        """By match and user; a study that isn't whole is kept only to turn its pages."""

        self._under_way: dict[int, StudiedMatch] = {}
        """The match being studied for each user: only one, so that other users needn't wait."""

    async def asked(self, match: MatchId, user: int) -> StudiedMatch:
        """The match to be studied; MatchError if it can't be, CoachBusyError if another one is."""
        asked = await load_study(self._storage, match, user, STRANGER)
        if asked.snapshot.game not in COMPUTERS:
            raise MatchError(NO_COACH)
        if not asked.steps:
            raise MatchError(NOTHING)
        if user in self._under_way and not self._is_known(match, user):
            raise CoachBusyError(BUSY)
        return asked

    async def studies(self, asked: StudiedMatch) -> AsyncIterator[Study]:
        """Unfinished studies every `PROGRESS_SECONDS`, and the complete one at the end.

        Raises CoachBusyError if another match is being studied for the same person, HurriedError
        for too many studies in an hour, MatchError if the processes are too busy.
        """
        key = (asked.snapshot.match, asked.user)
        if not self._is_known(*key):
            if asked.user in self._under_way:
                raise CoachBusyError(BUSY)
            self._work.count(asked.user)
            self._under_way[asked.user] = asked
            try:
                async for study in self._study(asked):
                    if not study.complete:
                        yield study
                    elif self._under_way.get(asked.user) is asked:
                        self._studies[key] = study
            finally:
                if self._under_way.get(asked.user) is asked:
                    del self._under_way[asked.user]
        yield self.known(*key)  # it's gone if its player was deleted meanwhile

    def _is_known(self, match: MatchId, user: int) -> bool:
        study = self._studies.get((match, user))
        return study is not None and study.is_whole

    def known(self, match: MatchId, user: int) -> Study:
        """The study of an earlier request; ButtonError if it's no longer cached."""
        study = self._studies.get((match, user))
        if study is None:
            raise ButtonError(GONE)
        return study

    def forget(self, user: int) -> None:
        """Drop what is cached about this person."""
        for key in [key for key in self._studies if key[1] == user]:
            self._studies.pop(key, None)  # it may expire meanwhile
        self._under_way.pop(user, None)

    def forget_all(self) -> None:
        """Drop all cached studies: this process may have missed that somebody was deleted.

        Studies under way continue, because somebody waits for them.
        """
        self._studies.clear()

    async def _study(self, asked: StudiedMatch) -> AsyncIterator[Study]:
        clock = asyncio.get_running_loop().time
        game, seat = asked.snapshot.game, asked.snapshot.seat
        began = reported_at = clock()
        dealt, choices = await self._choices(asked)
        study = Study(snapshot=asked.snapshot, total=len(choices))
        if dealt is not None:
            deal, failed = await self._opinion(luck, game, seat, dealt)
            study = replace(study, luck=None if deal is None else (1 + deal) / 2, failed=failed)
        for choice in choices:
            if clock() - began > MAX_STUDY_SECONDS:
                break
            if clock() - reported_at >= PROGRESS_SECONDS:
                reported_at = clock()
                yield study
            opinion, failed = await self._opinion(assess, game, seat, choice, asked.seed)
            study = replace(study, checked=study.checked + 1, failed=study.failed + failed)
            if opinion is not None:
                study = _with_opinion(study, choice, opinion, self._moment(game, choice.view))
        if study.failed and not study.said:
            raise MatchError(SLOW)
        yield replace(study, complete=True)

    async def _choices(self, asked: StudiedMatch) -> tuple[OwnChoice | None, tuple[OwnChoice, ...]]:
        """The seat's first move, whether its player or the clock made it, and the player's choices.

        The first move is needed for its view, the deal: later views no longer show that.
        """
        seat, history = asked.snapshot.seat, asked.history
        first = frozenset({0} if history.steps and seat in history.steps[0] else ())
        try:
            choices: tuple[OwnChoice, ...] = await self._pool.run(
                READING_SECONDS, choices_of, history, seat, asked.steps | first, urgent=False
            )
        except InvalidHistoryError:
            raise MatchError(CHANGED) from None
        except TimeoutError:
            raise MatchError(SLOW) from None
        dealt = next((choice for choice in choices if choice.step == 0), None)
        return dealt, tuple(choice for choice in choices if choice.step in asked.steps)

    async def _opinion(self, work: Any, *args: Any) -> tuple[Any, bool]:  # noqa: ANN401 - passed on
        """The result of `work`, None if it failed; and whether it failed but may succeed later."""
        try:
            return await self._pool.run(CHOICE_SECONDS, work, *args, urgent=False), False
        except Exception as error:  # noqa: BLE001 - the other choices can still be looked at
            log.warning("coach failed", what=work.__name__, why=type(error).__name__)
            # A bug in the computer would fail every time.
            return None, isinstance(error, TimeoutError | BrokenProcessPool)


def _with_opinion(study: Study, choice: OwnChoice, opinion: Opinion, when: str) -> Study:
    """The study with the computer's opinion of one more choice."""
    reviews = () if opinion.assessment is None else (_said(choice, opinion.assessment, when),)
    mixings = () if opinion.mixing is None else (opinion.mixing,)
    return replace(study, said=(*study.said, *reviews), mixings=(*study.mixings, *mixings))


def _said(choice: OwnChoice, assessment: Assessment[Any], when: str) -> ChoiceReview:
    cost = assessment.cost / 2
    better = None if cost < SLIGHT or assessment.better is None else str(assessment.better)
    return ChoiceReview(
        step=choice.step + 1,
        when=when,
        move=str(choice.move),
        better=better,
        cost=0.0 if better is None else cost,
    )


def _chance_of_as_many_obvious(mixings: Sequence[Mixing]) -> float:
    """P(at least as many obvious moves as were made) for a player who mixes as best play does."""
    likely = [1.0]  # the probabilities of 0, 1, 2, ... obvious moves
    for each in mixings:
        others = [chance * (1 - each.share) for chance in likely]
        obvious = [chance * each.share for chance in likely]
        likely = [a + b for a, b in zip([*others, 0.0], [0.0, *obvious], strict=True)]
    return sum(likely[sum(each.was_obvious for each in mixings) :])
