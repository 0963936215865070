"""What the next edit of a message waits for: its edit turn, or its picture."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from bot.live.edit_turns import EditTurn, EditTurns

DETAIL_YIELDS_SECONDS: Final = 30.0
"""Seconds by which a detail ranks later than other edits in the line of a channel: "has chosen", an
offer, or the picture of a message that is shown in words."""

FOLLOWS_WITHIN_SECONDS: Final = 60.0
"""Seconds after which a picture no longer follows the words, which then say what it shows. Longer
than a new message waits for its picture, because nobody waits for this."""


class Waiting:
    """The wait of one message for its next edit; `look_again` ends it."""

    def __init__(self, turns: EditTurns) -> None:
        self._turns = turns
        self._future: asyncio.Future[bool] | None = None
        """The future that is awaited now."""

        self.since: float | None = None
        """When the message fell behind, in event loop time; None if it isn't behind."""

        self._is_detail = False
        self._is_being_shown = False
        self._newer_since: float | None = None
        """When something newer than what is being shown came up, in event loop time."""

        self._turn: EditTurn | None = None
        self.drawing: asyncio.Task[bytes] | None = None
        """The task that draws the picture which follows the words shown now."""

        self._drawn_by = 0.0
        """Until when that is waited for, in event loop time."""

    @property
    def has_turn(self) -> bool:
        return self._turn is not None

    @property
    def is_repost(self) -> bool:
        """Whether the turn is for reposting the message instead of editing it."""
        return self._turn is not None and self._turn.is_repost

    @property
    def rank(self) -> float:
        """The place in a line: an event loop time, the earliest first; details rank later."""
        since = self.since or asyncio.get_running_loop().time()
        yields = self._is_detail or self.drawing is not None
        return since + (DETAIL_YIELDS_SECONDS if yields else 0.0)

    def fall_behind(self, *, is_detail: bool) -> None:
        """Note that the message should show something else, from now if it wasn't behind before."""
        now = asyncio.get_running_loop().time()
        if self._is_being_shown:
            self._newer_since = self._newer_since or now
        elif self.since is None or (self._is_detail and not is_detail):
            self.since = now
            self._is_detail = is_detail
        self.look_again()

    def begin(self) -> None:
        """Note that what to show is decided: anything newer has to be shown after it."""
        self._is_being_shown = True

    def end(self, *, is_shown: bool) -> None:
        """Note that it was shown, or that this failed."""
        if is_shown:
            self.since, self._is_detail = self._newer_since, False
        self._is_being_shown, self._newer_since = False, None

    def look_again(self) -> None:
        """End the wait: there may be something else to show, or another way to show it."""
        if self._future is not None and not self._future.done():
            self._future.set_result(False)

    async def take_turn(
        self,
        channel: int,
        prepare: Callable[[], Awaitable[None]],
        *,
        is_detail: bool,
        can_be_reposted: bool,
    ) -> None:
        """Wait for a turn in a channel, or until `look_again`; call `end_turn` in any case.

        If the turn isn't granted at once, `prepare` is called meanwhile. `can_be_reposted`: the
        turn may be for reposting the message.
        """
        self._is_detail = is_detail
        turn = self._turns.join(channel, self.rank, can_be_reposted=can_be_reposted)
        self._future = turn.granted
        try:
            if not turn.granted.done():
                await prepare()
            if await turn.granted:
                self._turn = turn
        finally:
            self._future = None
            if self._turn is None:
                self._turns.leave(turn)

    def end_turn(self) -> None:
        if self._turn is not None:
            self._turns.leave(self._turn)
            self._turn = None

    def draw(self, drawing: "asyncio.Task[bytes] | None") -> None:
        """Note the picture that follows the words shown now; None if nothing follows."""
        self.drawing = drawing
        self._drawn_by = asyncio.get_running_loop().time() + FOLLOWS_WITHIN_SECONDS

    @property
    def is_drawn_in_time(self) -> bool:
        """Whether the picture is still being drawn, and hasn't taken too long."""
        in_time = asyncio.get_running_loop().time() < self._drawn_by
        return self.drawing is not None and not self.drawing.done() and in_time

    async def picture_or_change(self) -> None:
        """Return once the picture is drawn, or takes too long, or there is something newer."""
        if self.drawing is None:
            return
        loop = asyncio.get_running_loop()
        change = self._future = loop.create_future()
        wait = max(0.0, self._drawn_by - loop.time())
        await asyncio.wait(
            {change, self.drawing}, timeout=wait, return_when=asyncio.FIRST_COMPLETED
        )
        self._future = None
