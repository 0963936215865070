"""Whose edit is next, where Discord counts edits: one after the other in each channel."""

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
"""Discord takes so many edits of a channel in so long a time, and as many new messages. Where it
takes fewer, the library keeps what is too much."""

OVERDUE_SECONDS: Final = 5.0
"""An edit that takes longer holds up the others of its channel no more."""

LATE_SECONDS: Final = 6.0
"""A table that should show something else for so long may be posted anew instead of edited."""

CROWDED: Final = 5
"""But only where so many wait: then edits are short, and not just one of them slow."""


@dataclass(slots=True, order=True)
class EditTurn:
    """A place in the line of a channel."""

    since: float
    """When the need for it arose, in the time of the event loop; the earlier is first."""

    number: int
    line: "_Line" = field(compare=False)
    granted: "asyncio.Future[bool]" = field(compare=False)
    """True: an edit may be made. False: what is to be edited, or how, may have changed."""

    can_be_reposted: bool = field(compare=False)
    """Whether the message may as well be posted anew."""

    lane: "_Lane | None" = field(compare=False, default=None)
    """By which of the two it was let through, once it was."""

    overdue: asyncio.TimerHandle | None = field(default=None, compare=False)

    @property
    def is_repost(self) -> bool:
        """Whether the message is to be posted anew, and not to be edited."""
        return self.lane is self.line.posts


class _Lane:
    """What of a channel Discord counts together: its edits, or its new messages."""

    def __init__(self, window: float) -> None:
        self._window = window
        self.going: set[int] = set()
        """The turns of what is on its way, and not overdue."""

        self._begun: deque[float] = deque(maxlen=MAX_EDITS_IN_WINDOW)

    def begin(self, now: float) -> None:
        self._begun.append(now)

    @property
    def free_at(self) -> float:
        """When the next may go; infinite while that can't be told."""
        if self.going:
            return math.inf
        is_full = len(self._begun) == MAX_EDITS_IN_WINDOW
        return self._begun[0] + self._window if is_full else 0.0

    @property
    def forgotten_at(self) -> float:
        """When what has begun counts no more."""
        if self.going:
            return math.inf
        return self._begun[-1] + self._window if self._begun else 0.0


class _Line:
    def __init__(self, channel: int, window: float) -> None:
        self.channel = channel
        self.waiting: list[EditTurn] = []
        self.edits = _Lane(window)
        self.posts = _Lane(window)
        self.timer: asyncio.TimerHandle | None = None
        """When to look at the line again."""

    def leave_out_done(self) -> None:
        """Take those out who have left."""
        self.waiting = [turn for turn in self.waiting if not turn.granted.done()]
        heapq.heapify(self.waiting)

    @property
    def to_repost(self) -> EditTurn | None:
        """Who is posted anew once they are late, if others crowd the line."""
        if len(self.waiting) < CROWDED:
            return None
        return min((turn for turn in self.waiting if turn.can_be_reposted), default=None)


class EditTurns:
    """One edit at a time in each channel, as all edits of a channel share one limit of Discord's.

    What waits here has not been rendered: the library, too, keeps requests until Discord takes
    them, but as they were when they were handed over. So an edit shows what is true when its turn
    comes, and however often a message changed meanwhile, it is edited once. For the same reason no
    more turns are granted than edits can go out: of one channel, and of all together.

    Where more is to be shown than can be edited, tables that are late are posted anew, one at a
    time, too: Discord has a limit of its own for new messages of a channel.
    """

    def __init__(self, pace: RequestPace, *, window: float = WINDOW_SECONDS) -> None:
        self._pace = pace
        self._window = window
        self._lines: dict[int, _Line] = {}
        self._numbers = count()

    def join(self, channel: int, since: float, *, can_be_reposted: bool = False) -> EditTurn:
        """A turn to be waited for; `leave` ends it in any case."""
        line = self._lines.get(channel)
        if line is None:
            line = self._lines[channel] = _Line(channel, self._window)
        granted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        turn = EditTurn(since, next(self._numbers), line, granted, can_be_reposted)
        heapq.heappush(line.waiting, turn)
        self._next(line)
        return turn

    def leave(self, turn: EditTurn) -> None:
        """The message was edited or posted, or is not to be."""
        turn.granted.cancel()
        if turn.overdue is not None:
            turn.overdue.cancel()
        self._ended(turn)

    def _ended(self, turn: EditTurn) -> None:
        if turn.lane is not None:
            turn.lane.going.discard(turn.number)
        self._next(turn.line)

    def _next(self, line: _Line) -> None:
        """Let through who may go now, and look again when the next may."""
        now = asyncio.get_running_loop().time()
        line.leave_out_done()
        if line.waiting and line.edits.free_at <= now:
            self._let_through(heapq.heappop(line.waiting), line.edits)
        late = line.to_repost
        if late is not None and self._repost_at(late) <= now:
            line.waiting.remove(late)
            self._let_through(late, line.posts)
            late = line.to_repost
        if line.waiting:
            edit = line.edits.free_at
            self._look_at(line, edit if late is None else min(edit, self._repost_at(late)))
            return
        forgotten = max(line.edits.forgotten_at, line.posts.forgotten_at)
        self._look_at(line, forgotten)
        if forgotten <= now and self._lines.get(line.channel) is line:
            del self._lines[line.channel]

    def _repost_at(self, turn: EditTurn) -> float:
        return max(turn.since + LATE_SECONDS, turn.line.posts.free_at)

    def _look_at(self, line: _Line, when: float) -> None:
        if line.timer is not None:
            line.timer.cancel()
            line.timer = None
        loop = asyncio.get_running_loop()
        if loop.time() < when < math.inf:
            line.timer = loop.call_at(when, self._next, line)

    def _let_through(self, turn: EditTurn, lane: _Lane) -> None:
        turn.lane = lane
        lane.going.add(turn.number)
        turn.granted.add_done_callback(partial(self._begun, turn, lane))
        self._pace.join(turn.granted, turn.since)

    def _begun(self, turn: EditTurn, lane: _Lane, granted: "asyncio.Future[bool]") -> None:
        # Whoever waited may have been cancelled, and leaves only after this.
        if turn.number in lane.going and not granted.cancelled() and granted.result():
            loop = asyncio.get_running_loop()
            lane.begin(loop.time())
            turn.overdue = loop.call_later(OVERDUE_SECONDS, self._ended, turn)
