"""Routes every click on our buttons, also on messages from before the last start.

discord.py's own dispatch (`DynamicItem`) rebuilds the whole view of a message for each click, drops
a custom_id that isn't on the message without an answer, and only logs what a callback raises. So
clicks are taken straight from the gateway: one place answers every one.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import discord
from cachetools import FIFOCache

from bot.errors import TooLateError
from bot.guilds.bans import Bans
from bot.interactions.error_handler import answer_error, give_up
from bot.interactions.flood_control import FloodControl
from bot.interactions.match_access import MatchAccess
from bot.live.replies import Replies
from bot.messaging.components import Press, outdated
from bot.messaging.failures import UndeliveredError
from bot.messaging.first_answer import DEFER_AFTER_SECONDS, Deferral, FirstAnswer
from bot.messaging.patient_bot import UNREACHABLE
from bot.scheduling.activity import Activity
from bot.telemetry.metrics import CLICKS, UNKNOWN

Handler = Callable[[discord.Interaction[Any], Press], Awaitable[None]]

MAX_REMEMBERED: Final = 4096
"""Interactions that are remembered to notice a second delivery, which comes within seconds if at
all."""

ANSWERABLE_SECONDS: Final = 3.0
"""Seconds in which Discord accepts an interaction's first answer."""


@dataclass(frozen=True, slots=True)
class Route:
    """The handler of an act, and how it answers."""

    handler: Handler
    deferral: Deferral
    anywhere: bool
    """Whether nobody checks who may reach the match; see `bot.interactions.cog.act`."""


class Router:
    """Passes a click to the handler that a cog has registered for its act."""

    def __init__(
        self,
        flood: FloodControl,
        bans: Bans,
        *,
        access: MatchAccess,
        activity: Activity,
        replies: Replies,
        defer_after: float = DEFER_AFTER_SECONDS,
    ) -> None:
        self._seen: FIFOCache[int, None] = FIFOCache(MAX_REMEMBERED)
        """Ids of recent interactions, so that one delivered twice is handled once."""

        self._flood = flood
        self._bans = bans
        self._access = access
        self._activity = activity
        self._replies = replies
        self._routes: dict[str, Route] = {}
        self._handling: dict[asyncio.Task[Any], discord.Interaction[Any]] = {}
        self._is_closed = False
        """Whether the bot is ending, so that what begins now may never be answered."""

        self._defer_after = defer_after

    def add(
        self,
        act: str,
        handler: Handler,
        deferral: Deferral = Deferral.IN_PLACE,
        *,
        anywhere: bool = False,
    ) -> None:
        if act in self._routes:
            raise ValueError(f"two cogs want the button {act!r}")
        self._routes[act] = Route(handler, deferral, anywhere)

    def remove(self, act: str) -> None:
        self._routes.pop(act, None)

    async def dispatch(self, interaction: discord.Interaction[Any]) -> None:
        """Answer this interaction if it's a click; commands belong to the command tree."""
        if interaction.type is not discord.InteractionType.component:
            return
        try:
            if self._admit(interaction, Deferral.IN_PLACE):
                press = _press_of(interaction)
                self._bans.admit(interaction.user.id, press.act)
                await self._handle(interaction, press)
        except Exception as error:  # noqa: BLE001 - the error handler answers whatever it is
            await answer_error(interaction, error)

    async def _handle(self, interaction: discord.Interaction[Any], press: Press) -> None:
        """Let the handler of its act answer this click."""
        route = self._routes.get(press.act)
        CLICKS.labels(UNKNOWN if route is None else press.act).inc()
        if route is None:
            raise outdated()
        FirstAnswer.of(interaction).deferral = route.deferral
        if press.match and not route.anywhere:
            await self._access.must_reach(interaction, press.match)
        self._activity.note(press.match, interaction.user.id)
        try:
            await route.handler(interaction, press)
        except TooLateError:
            with suppress(UndeliveredError):  # it would say that something was saved
                await self._replies.update_clicked(press, interaction)
            raise

    def admit_command(self, interaction: discord.Interaction[Any], deferral: Deferral) -> bool:
        """`_admit` for a command; NotAllowedHereError if this person is banned."""
        is_admitted = self._admit(interaction, deferral)
        if is_admitted:
            # All commands of a group count as one, and an unknown command has no name.
            name = getattr(interaction.command, "qualified_name", "")
            self._bans.admit(interaction.user.id, name.partition(" ")[0])
        return is_admitted

    def _admit(self, interaction: discord.Interaction[Any], deferral: Deferral) -> bool:
        """Whether the current task is to answer: not at the end, nor for a duplicate delivery.

        If so, the answer is deferred like this unless it's given in time, and `close` waits for the
        task. HurriedError if this person has to be refused.
        """
        if self._is_closed or interaction.id in self._seen:
            return False
        self._seen[interaction.id] = None
        task = asyncio.current_task()
        assert task is not None
        FirstAnswer.of(interaction).watch(deferral, self._defer_after)
        self._handling[task] = interaction
        task.add_done_callback(self._handling.pop)
        self._flood.admit(interaction.user.id)
        return True

    async def admit_typing(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether to offer a list for what somebody is typing; if it's too often, it's empty."""
        if self._is_closed:
            return False
        if self._flood.admit_typing(interaction.user.id):
            return True
        with suppress(*UNREACHABLE):  # too late for Discord, which is harmless
            await interaction.response.autocomplete([])
        return False

    async def handled(self) -> None:
        """Wait until every click and command that was admitted has been handled."""
        while self._handling:
            await asyncio.wait(self._handling)

    async def close(self) -> None:
        """Admit nothing more, and wait for what is under way as long as it can be answered."""
        self._is_closed = True
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWERABLE_SECONDS):
                await self.handled()
        late = dict(self._handling)
        for task in late:
            task.cancel()
        await asyncio.gather(*late, return_exceptions=True)
        await asyncio.gather(*map(give_up, late.values()), return_exceptions=True)


def _press_of(interaction: discord.Interaction[Any]) -> Press:
    """What was pressed or chosen; ButtonError for anything that isn't ours."""
    data: Any = interaction.data  # typed as the union of all kinds of interaction
    try:
        press = Press.parse(data["custom_id"])
        return press.with_values(*data["values"]) if "values" in data else press
    except TypeError:  # null instead of a string
        raise outdated() from None
