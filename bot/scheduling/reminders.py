"""Reminders before a deadline: to who owes a move, as he has chosen, once a turn."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Final

import structlog

from bot.matches import SeatSnapshot
from bot.matches.time_controls import MOVE
from bot.matches.timeouts import Timeouts
from bot.messaging.components import Link
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.direct_messages import DirectMessages
from bot.messaging.failures import UndeliveredError
from bot.rendering import RUNNING
from bot.rendering.phrases import countdown, title
from bot.rendering.presentation import Presentations
from bot.rendering.time_left import last_chance
from bot.storage import TABLE, MatchId, MessageRef, Storage, TimeControl
from bot.storage.deadlines import Earliness, Shards
from bot.storage.people import ReminderPreference
from bot.text import message_link
from games import Seat

log = structlog.get_logger()


def _earliness(time_control: TimeControl) -> Earliness:
    whole = MOVE[time_control] or timedelta()
    return Earliness(usual=int((whole / 4).total_seconds()), most=int((whole / 2).total_seconds()))


EARLY: Final[Mapping[TimeControl, Earliness]] = MappingProxyType(
    {
        time_control: _earliness(time_control)
        for time_control in MOVE
        if time_control not in {"live", "none"}
    }
)
"""The paces at which reminders are sent, not live: a quarter of the time before the deadline unless
somebody wants it otherwise, and never in the first half of the time."""


class Reminders:
    def __init__(
        self,
        *,
        storage: Storage,
        timeouts: Timeouts,
        delivery: Delivery,
        direct_messages: DirectMessages,
        presentations: Presentations,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._storage = storage
        self._timeouts = timeouts
        self._delivery = delivery
        self._direct_messages = direct_messages
        self._presentations = presentations
        self._now = now

    async def preference(self, user: int) -> ReminderPreference:
        """How this person wants to be reminded."""
        async with self._storage.reading() as reading:
            return await reading.people.reminder_preference(user)

    async def put_preference(self, user: int, preference: ReminderPreference) -> None:
        async with self._storage.transaction() as writing:
            await writing.people.put_reminder_preference(user, preference)

    async def due(self, shards: Shards) -> Sequence[tuple[MatchId, Seat]]:
        """The seats to be looked at now, because they may owe a move and want to be reminded.

        Only in servers of these shards.
        """
        async with self._storage.reading() as reading:
            return await reading.deadlines.to_remind(int(self._now()), EARLY, shards)

    async def remind(self, match: MatchId, seat: Seat) -> None:
        """Remind a seat if it owes a move. Written before it is told: never twice."""
        snapshot = await self._timeouts.remind(match, seat)
        if snapshot is None or snapshot.deadline is None:
            return
        user = snapshot.places[seat].user
        preference = await self.preference(user)
        if preference.channel == "none":
            return
        async with self._storage.reading() as reading:
            places = await reading.messages.of(match)
        try:
            if preference.channel == "channel" or not await self._write(snapshot, user, places):
                await self._mention(snapshot, user, places)
        except UndeliveredError as error:
            log.warning("not reminded", match=match, seat=seat, why=error.failure.name)

    async def _write(
        self, snapshot: SeatSnapshot, user: int, places: Mapping[int, MessageRef]
    ) -> bool:
        """Remind by direct message; whether that reaches the person now."""
        content = self._content(snapshot, "", places)
        return await self._direct_messages.send(user, content, _nonce(snapshot))

    async def _mention(
        self, snapshot: SeatSnapshot, user: int, places: Mapping[int, MessageRef]
    ) -> None:
        """Remind in the channel of the table; nobody else is pinged."""
        channel = places[TABLE].channel if TABLE in places else snapshot.channel
        content = self._content(snapshot, f"<@{user}>: ", places)
        await self._delivery.send(channel, content, _nonce(snapshot), pinged=[user])

    def _content(
        self, snapshot: SeatSnapshot, to: str, places: Mapping[int, MessageRef]
    ) -> MessageContent:
        assert snapshot.deadline is not None
        what = title(snapshot, self._presentations[snapshot.game])
        links = []
        if not to and snapshot.place in places:
            desk = places[snapshot.place]
            url = message_link(None, desk.channel, desk.message)
            links.append(Link(label="Open your hand", url=url))
        if TABLE in places:
            table = places[TABLE]
            url = message_link(snapshot.guild, table.channel, table.message)
            links.append(Link(label="Go to the table", url=url))
        return MessageContent(
            head=f"⏰ {to}It's your turn in **{what}**. Your time limit: "
            f"{countdown(snapshot.deadline)}.{last_chance(snapshot)}\n"
            "-# Use `/notify` to choose how and when I remind you.",
            rows=(tuple(links),),
            color=RUNNING,
        )


def _nonce(snapshot: SeatSnapshot) -> str:
    return f"{snapshot.match}.{snapshot.seat}.r{snapshot.turn}"[:25]
