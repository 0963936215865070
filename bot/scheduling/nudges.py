"""Nudges on their way: to each who owes a move, as he wants to be reminded."""

import time
from collections.abc import Callable, Mapping

import structlog

from bot.matches import PublicSnapshot
from bot.matches.nudges import Nudge, Nudging
from bot.messaging.components import Link
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.direct_messages import DirectMessages
from bot.messaging.failures import UndeliveredError
from bot.rendering import RUNNING
from bot.rendering.phrases import names, title
from bot.rendering.presentation import Presentations
from bot.storage import TABLE, MatchId, MessageRef, Storage
from bot.text import listed, message_link
from games import Seat

log = structlog.get_logger()


class Nudges:
    def __init__(
        self,
        storage: Storage,
        delivery: Delivery,
        direct_messages: DirectMessages,
        presentations: Presentations,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._nudging = Nudging(storage, now=now)
        self._storage = storage
        self._delivery = delivery
        self._direct_messages = direct_messages
        self._presentations = presentations
        self._now = now

    async def nudge(self, match: MatchId, user: int) -> Nudge:
        """Note who is to be nudged by this player; MatchError where nobody is."""
        return await self._nudging.nudge(match, user)

    async def send(self, nudge: Nudge, user: int) -> None:
        """Send what was noted. Written before it is told: never twice."""
        async with self._storage.reading() as reading:
            places = await reading.messages.of(nudge.snapshot.match)
        for seat, preference in nudge.reached:
            try:
                here = preference.channel == "channel"
                if here or not await self._write(nudge.snapshot, seat, user, places):
                    await self._mention(nudge.snapshot, seat, user, places)
            except UndeliveredError as error:
                log.warning(
                    "not nudged", match=nudge.snapshot.match, seat=seat, why=error.failure.name
                )

    async def _write(
        self, snapshot: PublicSnapshot, seat: Seat, user: int, places: Mapping[int, MessageRef]
    ) -> bool:
        """Nudge by direct message; whether that reaches the person now."""
        nudged = snapshot.places[seat].user
        content = self._content(snapshot, f"<@{user}> is waiting for your move", places, desk=seat)
        return await self._direct_messages.send(nudged, content, self._nonce(snapshot, seat))

    async def _mention(
        self, snapshot: PublicSnapshot, seat: Seat, user: int, places: Mapping[int, MessageRef]
    ) -> None:
        """Nudge in the channel of the table; nobody else is pinged."""
        nudged = snapshot.places[seat].user
        channel = places[TABLE].channel if TABLE in places else snapshot.channel
        content = self._content(
            snapshot, f"<@{nudged}>: <@{user}> is waiting for your move", places
        )
        await self._delivery.send(channel, content, self._nonce(snapshot, seat), pinged=[nudged])

    def _content(
        self,
        snapshot: PublicSnapshot,
        what: str,
        places: Mapping[int, MessageRef],
        desk: Seat | None = None,
    ) -> MessageContent:
        links = []
        if desk is not None and desk in places:
            at = places[desk]
            url = message_link(None, at.channel, at.message)
            links.append(Link(label="Open your hand", url=url))
        if TABLE in places:
            at = places[TABLE]
            url = message_link(snapshot.guild, at.channel, at.message)
            links.append(Link(label="Go to the table", url=url))
        return MessageContent(
            head=f"👉 {what} in **{title(snapshot, self._presentations[snapshot.game])}**.\n"
            "-# Use `/notify` to choose whether and where people can nudge you.",
            rows=(tuple(links),),
            color=RUNNING,
        )

    def _nonce(self, snapshot: PublicSnapshot, seat: Seat) -> str:
        return f"{snapshot.match}.{seat}.n{int(self._now()) // 60}"[:25]


def nudged(nudge: Nudge) -> str:
    """What the one who nudged is told."""
    who = names(nudge.snapshot)
    said = []
    if nudge.reached:
        said.append(f"Nudged: {listed([who[seat] for seat, _ in nudge.reached])}.")
    if nudge.unwilling:
        preference = listed([who[seat] for seat in nudge.unwilling])
        verb = "wants" if len(nudge.unwilling) == 1 else "want"
        said.append(f"{preference} {verb} no reminders, so I didn't nudge them.")
    return " ".join(said)
