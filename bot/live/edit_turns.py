"""Whose edit is next, one at a time in each channel, where edits count toward a rate limit."""

import asyncio
import heapq
import math
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Final

from bot.messaging.request_pace import RequestPace

WINDOW_SECONDS: Final = 5.0
MAX_EDITS_IN_WINDOW: Final = 5
"""Edits of a channel that Discord accepts in a window, and as many new messages. If it accepts
fewer, discord.py holds back the others."""

OVERDUE_SECONDS: Final = 5.0
"""Seconds after which an edit under way no longer holds up the others of its channel."""

LATE_SECONDS: Final = 6.0
"""Seconds that a table has been behind after which it can be reposted instead of edited."""

CROWDED_TURNS: Final = 5
"""Turns that must be waiting in a channel before a table is reposted: with fewer, edits aren't
scarce, and just one of them is slow."""


@dataclass(slots=True, order=True)
class EditTurn:
    """A place in the line of a channel."""

    since: float
    """When the edit became necessary, in event loop time; the earliest is first."""

    number: int
    line: "_Line" = field(compare=False)
    granted: "asyncio.Future[bool]" = field(compare=False)
    """Its result is True once the edit may be made, and False if what to edit, or how, may have
    changed."""

    can_be_reposted: bool = field(compare=False)
    """Whether the message can be reposted instead."""

    lane: "_Lane | None" = field(compare=False, default=None)
    """The lane that let it through; None while it waits."""

    overdue: asyncio.TimerHandle | None = field(default=None, compare=False)

    @property
    def is_repost(self) -> bool:
        """Whether the message is to be reposted instead of edited."""
        return self.lane is self.line.posts


class _Lane:
    """What Discord counts together in a channel: its edits, or its new messages."""

    def __init__(self, window: float) -> None:
        self._window = window
        self.under_way: set[int] = set()
        """The numbers of turns whose request is under way and not overdue."""

        self._begun: deque[float] = deque(maxlen=MAX_EDITS_IN_WINDOW)

    def begin(self, now: float) -> None:
        self._begun.append(now)

    @property
    def free_at(self) -> float:
        """When the next request may go out, in event loop time; infinite while one is under way."""
        if self.under_way:
            return math.inf
        is_full = len(self._begun) == MAX_EDITS_IN_WINDOW
        return self._begun[0] + self._window if is_full else 0.0

    @property
    def idle_at(self) -> float:
        """When no request counts anymore, in event loop time; infinite while one is under way."""
        if self.under_way:
            return math.inf
        return self._begun[-1] + self._window if self._begun else 0.0


class _Line:
    def __init__(self, channel: int, window: float) -> None:
        self.channel = channel
        self.waiting: list[EditTurn] = []
        self.edits = _Lane(window)
        self.posts = _Lane(window)
        self.timer: asyncio.TimerHandle | None = None
        """Calls `_next` when another turn may go, or the line can be forgotten."""

    def drop_ended(self) -> None:
        """Remove the turns that have ended."""
        self.waiting = [turn for turn in self.waiting if not turn.granted.done()]
        heapq.heapify(self.waiting)

    @property
    def to_repost(self) -> EditTurn | None:
        """The turn to repost once it's late; None if none can be, or the line isn't crowded."""
        if len(self.waiting) < CROWDED_TURNS:
            return None
        return min((turn for turn in self.waiting if turn.can_be_reposted), default=None)


class EditTurns:
    """One edit at a time in each channel, as all edits of a channel share one rate limit.

    What waits here isn't rendered yet. discord.py also keeps requests until Discord accepts them,
    but with the content they were made with. Here, an edit shows what is true when its turn comes,
    and a message that changed several times meanwhile is edited once. For the same reason, no more
    turns are granted than edits can go out, per channel and in total.

    If more has to be shown than can be edited, late tables are reposted, also one at a time:
    Discord has a separate limit for new messages in a channel.
    """

    def __init__(self, pace: RequestPace, *, window: float = WINDOW_SECONDS) -> None:
        self._pace = pace
        self._window = window
        self._lines: dict[int, _Line] = {}
        self._numbers = count()

    def join(self, channel: int, since: float, *, can_be_reposted: bool = False) -> EditTurn:
        """Join the line of a channel: await the turn's `granted`, and call `leave` in any case."""
        line = self._lines.get(channel)
        if line is None:
            line = self._lines[channel] = _Line(channel, self._window)
        granted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        turn = EditTurn(since, next(self._numbers), line, granted, can_be_reposted)
        heapq.heappush(line.waiting, turn)
        self._next(line)
        return turn

    def leave(self, turn: EditTurn) -> None:
        """End a turn: its message was edited or posted, or won't be."""
        turn.granted.cancel()
        if turn.overdue is not None:
            turn.overdue.cancel()
        self._ended(turn)

    def _ended(self, turn: EditTurn) -> None:
        if turn.lane is not None:
            turn.lane.under_way.discard(turn.number)
        self._next(turn.line)

    def _next(self, line: _Line) -> None:
        """Let through the turns that may go now, and schedule the next call."""
        now = asyncio.get_running_loop().time()
        line.drop_ended()
        if line.waiting and line.edits.free_at <= now:
            self._let_through(heapq.heappop(line.waiting), line.edits)
        late = line.to_repost
        if late is not None and self._repost_at(late) <= now:
            line.waiting.remove(late)
            self._let_through(late, line.posts)
            late = line.to_repost
        if line.waiting:
            edit = line.edits.free_at
            self._schedule_look(line, edit if late is None else min(edit, self._repost_at(late)))
            return
        forgotten = max(line.edits.idle_at, line.posts.idle_at)
        self._schedule_look(line, forgotten)
        if forgotten <= now and self._lines.get(line.channel) is line:
            del self._lines[line.channel]

    def _repost_at(self, turn: EditTurn) -> float:
        return max(turn.since + LATE_SECONDS, turn.line.posts.free_at)

    def _schedule_look(self, line: _Line, when: float) -> None:
        if line.timer is not None:
            line.timer.cancel()
            line.timer = None
        loop = asyncio.get_running_loop()
        if loop.time() < when < math.inf:
            line.timer = loop.call_at(when, self._next, line)

    def _let_through(self, turn: EditTurn, lane: _Lane) -> None:
        turn.lane = lane
        lane.under_way.add(turn.number)
        turn.granted.add_done_callback(partial(self._begun, turn, lane))
        self._pace.join(turn.granted, turn.since)

    def _begun(self, turn: EditTurn, lane: _Lane, granted: "asyncio.Future[bool]") -> None:
        # The task that waited may have been cancelled, and leaves only after this.
        if turn.number in lane.under_way and not granted.cancelled() and granted.result():
            loop = asyncio.get_running_loop()
            lane.begin(loop.time())
            turn.overdue = loop.call_later(OVERDUE_SECONDS, self._ended, turn)
