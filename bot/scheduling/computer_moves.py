"""Makes the moves that computers owe: processes think about them outside the event loop.

Nothing about this is stored: after each commit, and after a start, it's asked again what a computer
owes. A view, a level and a seed determine the choice, so one that a crash has lost is made again.
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
from bot.matches.computer_tasks import Task, is_running, owed_tasks, past_matches
from bot.storage import Committed, MatchId, Storage
from bot.storage.shards import Shards
from games import IllegalMoveError, Seat
from games.computer import Level
from games.history import Past

log = structlog.get_logger()

START_REST_SECONDS: Final = 10.0
"""Seconds after a start during which the thinking processes are started only if needed."""

MOVE_DELAY_SECONDS: Final = 1.0
"""Least seconds for a move that only computers owe, so that people can follow it."""

BETWEEN_PLAYS_SHARE: Final = 0.6
"""The same between two plays of one turn, as a fraction of it."""

FIRST_TRY_SECONDS, SECOND_TRY_SECONDS = 6.0, 1.5
"""Seconds for the seat's level, then for a quicker one, each with at most one more: nobody waits
for more than 10. If neither has chosen by then, the game's fallback is played."""

BUDGET_SECONDS: Final = 2.0
"""Seconds that a full budget takes at most on a free core; assumed until the real time is known."""

LEARNED_SHARE: Final = 0.3
"""The weight of the latest measurement in the estimate of what a budget takes."""

LOADING_SECONDS: Final = 10.0
"""Seconds after which the thinking processes should have loaded what they need."""

UNSAVED_PAUSE_SECONDS: Final = 20.0
"""Seconds until a move that couldn't be stored is made again: no commit would ask for it."""

MAX_UNSAVED_TRIES: Final = 3
"""How often the same move is tried before that is given up; then the next commit asks again."""

MAX_REMEMBERED_MATCHES: Final = 256
"""Entries that are remembered, the latest: turns of computers, and how players chose before."""


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
        """The turn in which each computer last moved, to recognize a turn that isn't over."""

        self._costs: dict[tuple[str, str], float] = {}
        """Estimated seconds that a level's full budget takes, by game and level."""

        self._pasts: LRUCache[MatchId, tuple[Past, ...]] = LRUCache(MAX_REMEMBERED_MATCHES)
        """How people chose before, kept only while a computer that reads people plays them."""

        self._needed = asyncio.Event()
        self._waking: asyncio.Task[None] | None = None
        storage.subscribe(self._note)

    async def start(self) -> None:
        """Start the thinking processes, and make the moves that computers already owe."""
        self.wake()
        await self.take_up()

    def wake(self) -> None:
        """Start the thinking processes in the background."""
        self._waking = asyncio.create_task(self._wake())

    async def take_up(self, shards: Shards | None = None) -> None:
        """Make the moves that computers owe, in servers of these shards if any are given."""
        async with self._storage.reading() as reading:
            matches = await reading.match_lists.with_computers()
            if shards is not None:
                ours = await reading.cluster.of_shards(matches, shards)
                matches = [match for match in matches if match in ours]
        for match in matches:
            self.schedule(match)
        log.info("computers started", matches=len(matches))

    def schedule(self, match: MatchId) -> None:
        """Start a task that makes the moves which computers owe in this match, if any."""
        if self._closed:
            return  # the next start asks again
        self._again.add(match)
        if match not in self._tasks:
            self._tasks[match] = asyncio.create_task(self._keep(match))

    def _note(self, committed: Committed) -> None:
        for match in committed.computers:
            self.schedule(match)

    async def close(self) -> None:
        """Stop making moves."""
        self._closed = True
        self._storage.unsubscribe(self._note)
        tasks = [*self._tasks.values(), *([] if self._waking is None else [self._waking])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _wake(self) -> None:
        """Start the processes when needed, or after a while: a start has more urgent work."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._needed.wait(), START_REST_SECONDS)
        try:
            await self._pool.wake()
        except Exception as error:  # noqa: BLE001 - they are started when needed
            log.warning("pool not ready", why=type(error).__name__)

    async def _keep(self, match: MatchId) -> None:
        """Make the moves that computers owe in this match until they owe none."""
        tried: Counter[tuple[int, Seat]] = Counter()
        try:
            while match in self._again:
                self._again.discard(match)
                try:
                    tasks = await owed_tasks(self._storage, match)
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
        """Forget how people chose before their match, once it is over."""
        if match in self._pasts and not await is_running(self._storage, match):
            self._pasts.pop(match, None)

    async def _play(self, task: Task) -> None:
        """Think, wait until the move wouldn't come too quickly, and make it."""
        clock = asyncio.get_running_loop().time
        began, goes_on = clock(), self._turns.get((task.match, task.seat)) == task.turn
        text = await self._think(task)
        if task.alone:  # else people still have to choose, and can't see it
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
            # The sentence names a card, and the person who reads the log may be playing.
            log.error("wrong choice", match=task.match, level=task.level.key)  # noqa: TRY400
            await self._choose(task, None)
            return
        except MatchError as error:
            # The match has moved on, ended or been paused meanwhile.
            log.info("computer too late", match=task.match, why=type(error).__name__)
            self._again.add(task.match)
            return
        self._live.note_changed(task.match, is_detail=not effect.resolved or effect.turn_continues)

    async def _think(self, task: Task) -> str | None:
        """The text of a computer's move; None if it didn't find one in time."""
        self._needed.set()
        if self._waking is not None:  # loading must not use up the time for thinking
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
            except Exception as error:  # noqa: BLE001 - the match goes on in any case
                why = type(error).__name__  # its text may reveal what the computer holds
                log.warning("computer failed", match=task.match, level=level.key, why=why)
            else:
                self._update_cost(task.game, level, taken / share)
                return text
        return None

    def _attempts(self, task: Task) -> Iterator[tuple[Level, float, float]]:
        """The levels to try: each with the fraction of its budget, and the seconds it may think."""
        level, share = task.level, self._budget_share(task)
        if level.budget:
            level = replace(level, budget=max(1, int(level.budget * share)))
        yield level, share, FIRST_TRY_SECONDS
        if task.quicker is not None:
            yield task.quicker, 1.0, SECOND_TRY_SECONDS

    def _budget_share(self, task: Task) -> float:
        """The fraction of its budget that a computer may use: in a crowd less, to keep waits short.

        A power of two, so that a slightly larger or smaller crowd gives the same choices. If a full
        budget takes 2 seconds, n at once take 2 + log2(n) in all.
        """
        needed = self._pool.crowd * self._costs.get((task.game, task.level.key), BUDGET_SECONDS)
        halvings = math.ceil(math.log2(max(needed, BUDGET_SECONDS) / BUDGET_SECONDS))
        return float(0.5 ** max(0, halvings))

    def _update_cost(self, game: str, level: Level, seconds: float) -> None:
        """Improve the estimate of how many seconds a level's full budget takes."""
        known = self._costs.get((game, level.key), BUDGET_SECONDS)
        self._costs[game, level.key] = known + LEARNED_SHARE * (seconds - known)

    async def _pasts_of(self, task: Task) -> tuple[Past, ...]:
        """How the opponents have chosen before, read once per match."""
        if task.match not in self._pasts:
            self._pasts[task.match] = await past_matches(self._storage, task)
        return self._pasts[task.match]
