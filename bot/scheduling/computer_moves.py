"""Computers at their seats: what they owe is thought out beside the event loop, and chosen.

Nothing of it is kept: after each commit, and after a start, it is asked anew what a computer owes.
A view, a level and a seed give a choice, so one that a death has cost is made again.
"""

import asyncio
import contextlib
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import structlog
from cachetools import LRUCache

from bot.computers.jobs import ThinkingJob, think
from bot.computers.pool import Pool
from bot.errors import MatchError, NoSuchMatchError, StorageUnavailableError
from bot.live.live import Live
from bot.matches import Matches
from bot.matches.computer_tasks import Task, goes_on, owed, pasts
from bot.storage import Committed, MatchId, Storage
from bot.storage.shards import Shards
from games import IllegalMoveError, Seat
from games.computer import Level
from games.history import Past

log = structlog.get_logger()

START_REST_SECONDS: Final = 10.0
"""Seconds after a start in which those who think are woken only if they are needed."""

MOVE_DELAY_SECONDS: Final = 1.0
"""Seconds after which a computer moves at the earliest where people look on."""

BETWEEN_PLAYS_SHARE: Final = 0.6
"""The same between two plays of one turn, as a part of it."""

FIRST_TRY_SECONDS, SECOND_TRY_SECONDS = 6.0, 1.5
"""Seconds for the level that was asked for, then for a quicker one, each with one more at most:
nobody waits for more than 10, and what neither has chosen then, the rules of the game do."""

BUDGET_SECONDS: Final = 2.0
"""Seconds that a whole budget takes at most on a free core; so many pass before it is learned how
many it really takes."""

LEARNED_SHARE: Final = 0.3
"""How much the latest time counts for what a budget is believed to take."""

LOADING_SECONDS: Final = 10.0
"""Seconds in which, after a start, the processes that think should have loaded what they need."""

UNSAVED_PAUSE_SECONDS: Final = 20.0
"""Seconds until what could not be saved is chosen again: no commit would ask for it."""

MAX_UNSAVED_TRIES: Final = 3
"""So often a choice that could not be written is made again; then the next commit asks anew."""

MAX_REMEMBERED_MATCHES: Final = 256
"""Matches of which is kept, the latest, whose turn it was and how their players chose before."""


class ComputerMoves:
    def __init__(
        self,
        storage: Storage,
        matches: Matches,
        live: Live,
        pool: Pool,
        *,
        delay: float = MOVE_DELAY_SECONDS,
    ) -> None:
        self._pool = pool
        self._delay = delay
        self._storage = storage
        self._matches = matches
        self._live = live
        self._tasks: dict[MatchId, asyncio.Task[None]] = {}
        self._again: set[MatchId] = set()
        self._closed = False
        self._turns: LRUCache[tuple[MatchId, Seat], int] = LRUCache(MAX_REMEMBERED_MATCHES)
        """The turn in which a computer has moved last, to tell a turn that goes on."""

        self._costs: dict[tuple[str, str], float] = {}
        """Seconds that the whole budget of a level takes, by game and level."""

        self._pasts: LRUCache[MatchId, tuple[Past, ...]] = LRUCache(MAX_REMEMBERED_MATCHES)
        """How people chose before, while a computer plays them that reads them: not longer."""

        self._needed = asyncio.Event()
        self._waking: asyncio.Task[None] | None = None
        storage.subscribe(self._note)

    async def start(self) -> None:
        """Wake those who think, and take up what computers owed when the bot ended."""
        self.wake()
        await self.take_up()

    def wake(self) -> None:
        """Wake those who think."""
        self._waking = asyncio.create_task(self._wake())

    async def take_up(self, shards: Shards | None = None) -> None:
        """Take up what computers owe, of these shards if any are named."""
        async with self._storage.reading() as reading:
            found = await reading.match_lists.with_computers()
            if shards is not None:
                ours = await reading.cluster.of_shards(found, shards)
                found = [match for match in found if match in ours]
        for match in found:
            self.mark(match)
        log.info("computers started", matches=len(found))

    def mark(self, match: MatchId) -> None:
        """A computer may owe a choice in this match."""
        if self._closed:
            return  # the next start asks again
        self._again.add(match)
        if match not in self._tasks:
            self._tasks[match] = asyncio.create_task(self._keep(match))

    def _note(self, committed: Committed) -> None:
        for match in committed.computers:
            self.mark(match)

    async def close(self) -> None:
        """Choose nothing any more."""
        self._closed = True
        self._storage.unsubscribe(self._note)
        tasks = [*self._tasks.values(), *([] if self._waking is None else [self._waking])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _wake(self) -> None:
        """Wake them when they are needed, or after a while: a start has more urgent work."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._needed.wait(), START_REST_SECONDS)
        try:
            await self._pool.wake()
        except Exception as error:  # noqa: BLE001 - whoever needs them will start them
            log.warning("pool not ready", why=type(error).__name__)

    async def _keep(self, match: MatchId) -> None:
        """Choose what computers owe in this match until they owe nothing."""
        tried: Counter[tuple[int, Seat]] = Counter()
        try:
            while match in self._again:
                self._again.discard(match)
                try:
                    tasks = await owed(self._storage, match)
                    tried.update((task.step, task.seat) for task in tasks)
                    if any(tried[task.step, task.seat] > MAX_UNSAVED_TRIES for task in tasks):
                        log.error("computer stuck", match=match)
                        return
                    await asyncio.gather(*(self._play(task) for task in tasks))
                    if not tasks:
                        await self._forget_over(match)
                except StorageUnavailableError:
                    tried.clear()
                    self._again.add(match)
                    await asyncio.sleep(UNSAVED_PAUSE_SECONDS)
        except NoSuchMatchError:  # its player had it deleted
            self._pasts.pop(match, None)
            log.info("match gone", match=match)
        except Exception:  # one broken match must not stop the others
            log.exception("computer", match=match)
        finally:
            self._again.discard(match)
            del self._tasks[match]

    async def _forget_over(self, match: MatchId) -> None:
        """Keep nothing of how people chose before their match, once it is over."""
        if match in self._pasts and not await goes_on(self._storage, match):
            self._pasts.pop(match, None)

    async def _play(self, task: Task) -> None:
        """Think, wait until it is pleasant, and choose."""
        clock = asyncio.get_running_loop().time
        began, goes_on = clock(), self._turns.get((task.match, task.seat)) == task.turn
        text = await self._thought(task)
        if task.alone:  # somebody looks on; who has still to choose waits for nothing
            wait = self._delay * (BETWEEN_PLAYS_SHARE if goes_on else 1.0)
            await asyncio.sleep(began + wait - clock())
        self._turns[task.match, task.seat] = task.turn
        await self._choose(task, text)

    async def _choose(self, task: Task, text: str | None) -> None:
        try:
            effect = await self._matches.submit_for(
                task.match, task.step, task.seat, text, turn=task.turn
            )
        except IllegalMoveError:
            # The sentence names a card, and whoever reads the log may be playing.
            log.error("wrong choice", match=task.match, level=task.level.key)  # noqa: TRY400
            await self._choose(task, None)
            return
        except MatchError as error:
            # The match has gone on, ended or come to rest meanwhile.
            log.info("computer too late", match=task.match, why=type(error).__name__)
            self._again.add(task.match)
            return
        self._live.changed(task.match, is_detail=not effect.resolved or effect.goes_on)

    async def _thought(self, task: Task) -> str | None:
        """The move of a computer; None where it could not come to one in time."""
        self._needed.set()
        if self._waking is not None:  # of the time for thinking, nothing is to go into loading
            await asyncio.wait({self._waking}, timeout=LOADING_SECONDS)
        for level, share, seconds in self._attempts(task):
            try:
                thought = ThinkingJob(
                    game=task.game,
                    view=task.view,
                    seat=task.seat,
                    level=level,
                    seed=task.seed,
                    step=task.step,
                    pasts=await self._pasts_of(task) if level.reads_people else (),
                )
                text, taken = await self._pool.run(seconds, think, thought)
            except Exception as error:  # noqa: BLE001 - whatever it is, the match goes on
                why = type(error).__name__  # its text may tell what the computer holds
                log.warning("computer failed", match=task.match, level=level.key, why=why)
            else:
                self._learn(task.game, level, taken / share)
                return text
        return None

    def _attempts(self, task: Task) -> Iterator[tuple[Level, float, float]]:
        """A level, the share of its budget that is used, and for how long it may think."""
        level, share = task.level, self._share(task)
        if level.budget:
            level = replace(level, budget=max(1, int(level.budget * share)))
        yield level, share, FIRST_TRY_SECONDS
        if task.quicker is not None:
            yield task.quicker, 1.0, SECOND_TRY_SECONDS

    def _share(self, task: Task) -> float:
        """What part of its budget a computer may use, so that a crowd waits for nobody long.

        A power of two, so that a little more or less of a crowd gives the same choices. Where a
        whole budget takes 2 seconds, n that come at once wait 2 + log2(n) in all.
        """
        needed = self._pool.crowd * self._costs.get((task.game, task.level.key), BUDGET_SECONDS)
        halvings = math.ceil(math.log2(max(needed, BUDGET_SECONDS) / BUDGET_SECONDS))
        return float(0.5 ** max(0, halvings))

    def _learn(self, game: str, level: Level, seconds: float) -> None:
        """Note how long a choice would have taken with all of its budget."""
        known = self._costs.get((game, level.key), BUDGET_SECONDS)
        self._costs[game, level.key] = known + LEARNED_SHARE * (seconds - known)

    async def _pasts_of(self, task: Task) -> tuple[Past, ...]:
        """How the opponents have chosen before, read once a match."""
        if task.match not in self._pasts:
            self._pasts[task.match] = await pasts(self._storage, task)
        return self._pasts[task.match]
