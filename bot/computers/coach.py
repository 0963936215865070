"""The coach: what somebody's choices in a finished match gave up, as far as his own view tells.

It sees what his seat saw when he chose, never another hand, and says nothing of anybody else.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any, Final

import structlog
from cachetools import LRUCache

from bot.computers.jobs import OwnChoice, assess, choices_of, luck
from bot.computers.pool import Pool
from bot.errors import ButtonError, MatchError
from bot.matches import Snapshot
from bot.matches.computer_tasks import thinking_seed
from bot.matches.loaded import load_match, seat_of
from bot.matches.replays import CHANGED, History, WrongError, ended, history_of
from bot.matches.transcripts import read
from bot.storage import MatchId, Storage
from games import Seat
from games.computer import Remark
from games.computers import COMPUTERS

log = structlog.get_logger()

STRANGER: Final = "The coach talks to those who have played, about their own choices only."
NOTHING: Final = "You made no choice of your own in this match, so there is nothing to look at."
BUSY: Final = "I am still looking at this match; the answer comes where you asked first."
GONE: Final = "I have forgotten this; press **Coach** at the table anew."
NO_COACH: Final = "I know too little of this game to say how well it was played."

EVERY: Final = 1.0
"""Seconds after which somebody who waits is told how far it is."""

READING, CHOICE = 30.0, 10.0
"""Seconds for playing the match again, and for one choice."""

LONGEST: Final = 90.0
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

    snapshot: Snapshot
    """The match as its player knows it."""

    total: int
    """The choices that he made himself."""

    looked: int = 0
    """How many of them were looked at."""

    said: tuple[Said, ...] = ()
    """Of those about which there is an opinion, in their order."""

    luck: float | None = None
    """What the deal was worth at best play of all, as a chance to win; None if nobody knows."""

    complete: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A match to look at, for one of its players."""

    snapshot: Snapshot
    user: int
    history: History
    seat: Seat
    steps: frozenset[int]
    """In which he chose himself, from 0."""

    seed: str


class Coach:
    def __init__(self, storage: Storage, pool: Pool, *, every: float = EVERY) -> None:
        self._every = every
        self._storage = storage
        self._pool = pool
        self._studies: LRUCache[tuple[MatchId, int], Study] = LRUCache(MAX_KEPT_STUDIES)
        self._under_way: set[tuple[MatchId, int]] = set()

    async def asked(self, match: MatchId, user: int) -> Asked:
        """The match as it is to be looked at; MatchError where it can't be."""
        async with self._storage.reading() as reading:
            found = await read(reading, match)
        truth = ended(load_match(found.match))
        seat = seat_of(truth, user, STRANGER)
        steps = frozenset(m.step for m in found.moves if m.seat == seat and m.how == "chosen")
        if truth.record.game not in COMPUTERS:
            raise MatchError(NO_COACH)
        if not steps:
            raise MatchError(NOTHING)
        if (match, user) in self._under_way:
            raise MatchError(BUSY)
        return Asked(
            snapshot=truth.snapshot(seat),
            user=user,
            history=history_of(found, truth),
            seat=seat,
            steps=steps,
            seed=thinking_seed(truth.record.seed or "", seat),
        )

    async def studies(self, asked: Asked) -> AsyncIterator[Study]:
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

    async def _study(self, asked: Asked) -> AsyncIterator[Study]:
        clock, game, seat = asyncio.get_running_loop().time, asked.snapshot.game, asked.seat
        began = told = clock()
        choices = await self._choices(asked)
        study = Study(snapshot=asked.snapshot, total=len(choices))
        deal = await self._opinion(luck, game, seat, choices[0])
        study = replace(study, luck=None if deal is None else (1 + deal) / 2)
        for choice in choices:
            if clock() - began > LONGEST:
                break
            if clock() - told >= self._every:
                told = clock()
                yield study
            remark = await self._opinion(assess, game, seat, choice, asked.seed)
            said = () if remark is None else (_said(choice, remark),)
            study = replace(study, looked=study.looked + 1, said=(*study.said, *said))
        yield replace(study, complete=True)

    async def _choices(self, asked: Asked) -> tuple[OwnChoice, ...]:
        try:
            return await self._pool.run(
                READING, choices_of, asked.history, asked.seat, asked.steps, urgent=False
            )
        except WrongError:
            raise MatchError(CHANGED) from None

    async def _opinion(self, work: Any, *args: Any) -> Any:  # noqa: ANN401 - passed on
        """What a computer thinks of something; None where it has no opinion, or fails."""
        try:
            return await self._pool.run(CHOICE, work, *args, urgent=False)
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
