"""The coach: what somebody's choices in a finished match gave up, as far as their own view tells.

It sees what their seat saw at each choice, never another hand, and says nothing of anybody else.
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
from bot.matches.studies import StudiedMatch, studied
from bot.storage import MatchId, Storage
from games.computer import Assessment, Mixing
from games.computers import COMPUTERS
from games.history import OwnChoice, WrongError, choices_of

log = structlog.get_logger()

STRANGER: Final = "Only players can ask the coach, and only about their own choices."
NOTHING: Final = "You made no choices in this match, so there's nothing to check."
BUSY: Final = (
    "I'm still checking a match for you. The answer comes where you asked first; after that, press "
    "the button here again."
)
GONE: Final = "That's too long ago. Press **Coach** at the table again."
SLOW: Final = "I'm too busy right now. Press **Coach** again in a few minutes."
NO_COACH: Final = "I don't know this game well enough to coach it."


SLIGHT: Final = 0.001
"""What gives up less of the chance to win than this is as good as the best: nobody would notice."""


class CoachBusyError(MatchError):
    """Another match is looked at for the same person."""


PROGRESS_SECONDS: Final = 1.0
"""Seconds after which somebody who waits is told how far it is."""

READING_SECONDS, CHOICE_SECONDS = 30.0, 10.0
"""Seconds for playing the match again, and for one choice."""

MAX_STUDY_SECONDS: Final = 90.0
"""Seconds after which the rest of a long match is left alone."""

MIXED_LIKELIHOOD: Final = 0.02
"""What is less likely than this of somebody who mixes as best play does is called predictable."""

LEAST_MIXED: Final = 4
"""Choices for which best play mixes that there must have been: fewer show no habit."""

STUDIES_AN_HOUR: Final = 20
"""Matches that are looked at for one person within an hour; what is kept does not count."""

MAX_KEPT_STUDIES: Final = 64
"""Studies that are kept for turning their pages."""

KEPT_SECONDS: Final = 60 * 60
"""For so long: another process that has deleted somebody may have died before it told of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is said of one choice."""

    step: int
    """From 1, as in the replay."""

    when: str
    """The same as players of this game count; "" where they count steps."""

    move: str
    better: str | None
    cost: float
    """Of the chance to win, a draw being half a win: from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """What was found out so far."""

    snapshot: SeatSnapshot
    """The match as its player knows it."""

    total: int
    """The choices that the player made, not the clock or a rule."""

    looked: int = 0
    """How many of them were looked at."""

    said: tuple[Said, ...] = ()
    """Of those about which there is an opinion, in their order."""

    mixings: tuple[Mixing, ...] = ()
    """Of the choices for which best play mixes."""

    luck: float | None = None
    """What the deal was worth at best play of all, as a chance to win; None if nobody knows."""

    complete: bool = False

    failed: int = 0
    """How many choices nobody could look at, because a process failed or took too long."""

    @property
    def was_predictable(self) -> bool:
        """Whether the obvious was chosen more often than somebody would by chance who mixes.

        They would choose it at least as often in fewer than one of fifty such matches.
        """
        if len(self.mixings) < LEAST_MIXED:
            return False
        return _at_least(self.mixings) < MIXED_LIKELIHOOD

    @property
    def is_whole(self) -> bool:
        """Whether it would be the same if it was asked for again."""
        return self.complete and not self.failed and self.looked == self.total


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
        """What could not be found out whole is kept only to turn its pages."""

        self._under_way: dict[int, StudiedMatch] = {}
        """What is looked at for whom: one match of each person at a time, lest others wait."""

    async def asked(self, match: MatchId, user: int) -> StudiedMatch:
        """The match as it is to be looked at; MatchError where it can't be."""
        asked = await studied(self._storage, match, user, STRANGER)
        if asked.snapshot.game not in COMPUTERS:
            raise MatchError(NO_COACH)
        if not asked.steps:
            raise MatchError(NOTHING)
        if user in self._under_way and not self._is_known(match, user):
            raise CoachBusyError(BUSY)
        return asked

    async def studies(self, asked: StudiedMatch) -> AsyncIterator[Study]:
        """What is found out, now and then while it takes long, and in the end all of it."""
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
        yield self.known(*key)  # unless its player was forgotten meanwhile

    def _is_known(self, match: MatchId, user: int) -> bool:
        study = self._studies.get((match, user))
        return study is not None and study.is_whole

    def known(self, match: MatchId, user: int) -> Study:
        """What was found out before; ButtonError if it is not kept any more."""
        study = self._studies.get((match, user))
        if study is None:
            raise ButtonError(GONE)
        return study

    def forget(self, user: int) -> None:
        """Remember nothing of this person."""
        for key in [key for key in self._studies if key[1] == user]:
            self._studies.pop(key, None)  # it may expire meanwhile
        self._under_way.pop(user, None)
        self._work.forget(user)

    def forget_all(self) -> None:
        """Keep no study: who was deleted by another process may not have been told.

        What is being looked at goes on, for somebody waits for it.
        """
        self._studies.clear()

    async def _study(self, asked: StudiedMatch) -> AsyncIterator[Study]:
        clock = asyncio.get_running_loop().time
        game, seat = asked.snapshot.game, asked.snapshot.seat
        began = told = clock()
        dealt, choices = await self._choices(asked)
        study = Study(snapshot=asked.snapshot, total=len(choices))
        if dealt is not None:
            deal, failed = await self._opinion(luck, game, seat, dealt)
            study = replace(study, luck=None if deal is None else (1 + deal) / 2, failed=failed)
        for choice in choices:
            if clock() - began > MAX_STUDY_SECONDS:
                break
            if clock() - told >= PROGRESS_SECONDS:
                told = clock()
                yield study
            opinion, failed = await self._opinion(assess, game, seat, choice, asked.seed)
            study = replace(study, looked=study.looked + 1, failed=study.failed + failed)
            if opinion is not None:
                study = _with(study, choice, opinion, self._moment(game, choice.view))
        if study.failed and not study.said:
            raise MatchError(SLOW)
        yield replace(study, complete=True)

    async def _choices(self, asked: StudiedMatch) -> tuple[OwnChoice | None, tuple[OwnChoice, ...]]:
        """The seat's move right after the deal, whoever made it, and what its player chose.

        Where the clock made the first move, the player's first choice shows no deal any more.
        """
        seat, history = asked.snapshot.seat, asked.history
        first = frozenset({0} if history.steps and seat in history.steps[0] else ())
        try:
            found: tuple[OwnChoice, ...] = await self._pool.run(
                READING_SECONDS, choices_of, history, seat, asked.steps | first, urgent=False
            )
        except WrongError:
            raise MatchError(CHANGED) from None
        except TimeoutError:
            raise MatchError(SLOW) from None
        dealt = next((choice for choice in found if choice.step == 0), None)
        return dealt, tuple(choice for choice in found if choice.step in asked.steps)

    async def _opinion(self, work: Any, *args: Any) -> tuple[Any, bool]:  # noqa: ANN401 - passed on
        """What a computer thinks of something, or None; and whether it failed to think of it."""
        try:
            return await self._pool.run(CHOICE_SECONDS, work, *args, urgent=False), False
        except Exception as error:  # noqa: BLE001 - the other choices can still be looked at
            log.warning("coach failed", what=work.__name__, why=type(error).__name__)
            # A bug of the computer's would be there again.
            return None, isinstance(error, TimeoutError | BrokenProcessPool)


def _with(study: Study, choice: OwnChoice, opinion: Opinion, when: str) -> Study:
    """The study with what the computer thinks of one more choice."""
    said = () if opinion.assessment is None else (_said(choice, opinion.assessment, when),)
    mixings = () if opinion.mixing is None else (opinion.mixing,)
    return replace(study, said=(*study.said, *said), mixings=(*study.mixings, *mixings))


def _said(choice: OwnChoice, assessment: Assessment[Any], when: str) -> Said:
    cost = assessment.cost / 2
    better = None if cost < SLIGHT or assessment.better is None else str(assessment.better)
    return Said(
        step=choice.step + 1,
        when=when,
        move=str(choice.move),
        better=better,
        cost=0.0 if better is None else cost,
    )


def _at_least(mixings: Sequence[Mixing]) -> float:
    """P(as many obvious moves as were made, or more) by whoever mixes as best play does."""
    likely = [1.0]  # of 0, 1, 2, ... obvious moves
    for each in mixings:
        others = [chance * (1 - each.share) for chance in likely]
        obvious = [chance * each.share for chance in likely]
        likely = [a + b for a, b in zip([*others, 0.0], [0.0, *obvious], strict=True)]
    return sum(likely[sum(each.was_obvious for each in mixings) :])
