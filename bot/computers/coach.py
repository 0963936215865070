"""The coach: what somebody's choices in a finished match gave up, as far as their own view tells.

It sees what their seat saw at each choice, never another hand, and says nothing of anybody else.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog
from cachetools import LRUCache

from bot.computers.jobs import assess, luck
from bot.computers.pool import Pool
from bot.errors import ButtonError, MatchError
from bot.matches import SeatSnapshot
from bot.matches.replays import CHANGED, WrongError
from bot.matches.studies import OwnChoice, StudiedMatch, choices_of, studied
from bot.storage import MatchId, Storage
from games.computer import Remark
from games.computers import COMPUTERS

log = structlog.get_logger()

STRANGER: Final = "Only players can ask the coach, and only about their own choices."
NOTHING: Final = "You made no choices in this match, so there's nothing to check."
BUSY: Final = "I'm still checking this match. The answer comes where you asked first."
GONE: Final = "That's too long ago. Press **Coach** at the table again."
SLOW: Final = "I'm too busy right now. Press **Coach** again in a few minutes."
NO_COACH: Final = "I don't know this game well enough to coach it."

PROGRESS_SECONDS: Final = 1.0
"""Seconds after which somebody who waits is told how far it is."""

READING_SECONDS, CHOICE_SECONDS = 30.0, 10.0
"""Seconds for playing the match again, and for one choice."""

MAX_STUDY_SECONDS: Final = 90.0
"""Seconds after which the rest of a long match is left alone."""

MAX_KEPT_STUDIES: Final = 64
"""Studies that are kept for turning their pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What is said of one choice."""

    step: int
    """From 1, as in the replay."""

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

    luck: float | None = None
    """What the deal was worth at best play of all, as a chance to win; None if nobody knows."""

    complete: bool = False


class Coach:
    def __init__(self, storage: Storage, pool: Pool, *, every: float = PROGRESS_SECONDS) -> None:
        self._every = every
        self._storage = storage
        self._pool = pool
        self._studies: LRUCache[tuple[MatchId, int], Study] = LRUCache(MAX_KEPT_STUDIES)
        self._under_way: set[tuple[MatchId, int]] = set()

    async def asked(self, match: MatchId, user: int) -> StudiedMatch:
        """The match as it is to be looked at; MatchError where it can't be."""
        asked = await studied(self._storage, match, user, STRANGER)
        if asked.snapshot.game not in COMPUTERS:
            raise MatchError(NO_COACH)
        if not asked.steps:
            raise MatchError(NOTHING)
        if (match, user) in self._under_way:
            raise MatchError(BUSY)
        return asked

    async def studies(self, asked: StudiedMatch) -> AsyncIterator[Study]:
        """What is found out, now and then while it takes long, and in the end all of it."""
        key = (asked.snapshot.match, asked.user)
        if key not in self._studies:
            self._under_way.add(key)
            try:
                async for study in self._study(asked):
                    if study.complete:
                        self._studies[key] = study
                    else:
                        yield study
            finally:
                self._under_way.discard(key)
        yield self._studies[key]

    def known(self, match: MatchId, user: int) -> Study:
        """What was found out before; ButtonError if it is not kept any more."""
        if (match, user) not in self._studies:
            raise ButtonError(GONE)
        return self._studies[match, user]

    def forget(self, user: int) -> None:
        """Remember nothing of this person."""
        for key in [key for key in self._studies if key[1] == user]:
            del self._studies[key]

    async def _study(self, asked: StudiedMatch) -> AsyncIterator[Study]:
        clock = asyncio.get_running_loop().time
        game, seat = asked.snapshot.game, asked.snapshot.seat
        began = told = clock()
        choices = await self._choices(asked)
        study = Study(snapshot=asked.snapshot, total=len(choices))
        deal = await self._opinion(luck, game, seat, choices[0])
        study = replace(study, luck=None if deal is None else (1 + deal) / 2)
        for choice in choices:
            if clock() - began > MAX_STUDY_SECONDS:
                break
            if clock() - told >= self._every:
                told = clock()
                yield study
            remark = await self._opinion(assess, game, seat, choice, asked.seed)
            said = () if remark is None else (_said(choice, remark),)
            study = replace(study, looked=study.looked + 1, said=(*study.said, *said))
        yield replace(study, complete=True)

    async def _choices(self, asked: StudiedMatch) -> tuple[OwnChoice, ...]:
        try:
            return await self._pool.run(
                READING_SECONDS,
                choices_of,
                asked.history,
                asked.snapshot.seat,
                asked.steps,
                urgent=False,
            )
        except WrongError:
            raise MatchError(CHANGED) from None
        except TimeoutError:
            raise MatchError(SLOW) from None

    async def _opinion(self, work: Any, *args: Any) -> Any:  # noqa: ANN401 - passed on
        """What a computer thinks of something; None where it has no opinion, or fails."""
        try:
            return await self._pool.run(CHOICE_SECONDS, work, *args, urgent=False)
        except Exception as error:  # noqa: BLE001 - the other choices can still be looked at
            log.warning("coach failed", what=work.__name__, why=type(error).__name__)
            return None


def _said(choice: OwnChoice, remark: Remark[Any]) -> Said:
    return Said(
        step=choice.step + 1,
        move=str(choice.move),
        better=None if remark.better is None else str(remark.better),
        cost=remark.cost / 2,
    )
