"""Whose edit is next, where Discord counts edits: one after the other in each channel."""

import asyncio
import heapq
from dataclasses import dataclass, field
from itertools import count
from typing import Final

OVERDUE_SECONDS: Final = 5.0
"""An edit that takes longer holds up the others of its channel no more. So long the library keeps
the last one that Discord takes of a channel, until it takes more: 5 in 5 seconds."""


@dataclass(slots=True, order=True)
class Turn:
    """A place in the line of a channel."""

    since: float
    """When the need for it arose, in the time of the event loop; the earlier is first."""

    number: int
    line: "_Line" = field(compare=False)
    granted: "asyncio.Future[bool]" = field(compare=False)
    """True: an edit may be made. False: what is to be edited, or how, may have changed."""

    overdue: asyncio.TimerHandle | None = field(default=None, compare=False)

    def look_again(self) -> None:
        """Let who waits for this turn decide anew whether to wait, and how urgently."""
        if not self.granted.done():
            self.granted.set_result(False)


class _Line:
    def __init__(self, channel: int) -> None:
        self.channel = channel
        self.waiting: list[Turn] = []
        self.going: set[int] = set()
        """The turns whose edits are on their way, and not overdue."""


class EditTurns:
    """One edit at a time in each channel, as all edits of a channel share one limit of Discord's.

    What waits here has not been rendered: the library, too, keeps requests until Discord takes
    them, but as they were when they were handed over. So an edit shows what is true when its turn
    comes, and however often a message changed meanwhile, it is edited once.
    """

    def __init__(self) -> None:
        self._lines: dict[int, _Line] = {}
        self._numbers = count()

    def join(self, channel: int, since: float) -> Turn:
        """A turn to be waited for; `leave` ends it in any case."""
        line = self._lines.get(channel)
        if line is None:
            line = self._lines[channel] = _Line(channel)
        granted: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        turn = Turn(since, next(self._numbers), line, granted)
        heapq.heappush(line.waiting, turn)
        self._next(line)
        return turn

    def leave(self, turn: Turn) -> None:
        """The edit was made, or is not to be."""
        turn.granted.cancel()
        if turn.overdue is not None:
            turn.overdue.cancel()
        line = turn.line
        self._ended(turn)
        if not line.waiting and not line.going and self._lines.get(line.channel) is line:
            del self._lines[line.channel]

    def _ended(self, turn: Turn) -> None:
        turn.line.going.discard(turn.number)
        self._next(turn.line)

    def _next(self, line: _Line) -> None:
        while line.waiting and not line.going:
            turn = heapq.heappop(line.waiting)
            if turn.granted.done():  # who waited for it has left
                continue
            line.going.add(turn.number)
            loop = asyncio.get_running_loop()
            turn.overdue = loop.call_later(OVERDUE_SECONDS, self._ended, turn)
            turn.granted.set_result(True)
