"""Nudges on their way: to each who owes a move, as he wants to be reminded."""

import time
from collections.abc import Callable, Mapping

import structlog

from bot.matches import Look
from bot.matches.nudges import Nudge, Nudging
from bot.messaging.components import Link
from bot.messaging.content import Sheet
from bot.messaging.delivery import Delivery, Failure, UndeliveredError
from bot.messaging.direct_messages import Mail
from bot.rendering import RUNNING
from bot.rendering.phrases import listed, names, title
from bot.rendering.presentation import Presentations
from bot.storage import TABLE, MatchId, PlaceRecord, Storage
from games import Seat

log = structlog.get_logger()


class Nudges:
    def __init__(
        self,
        storage: Storage,
        delivery: Delivery,
        mail: Mail,
        presentations: Presentations,
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._nudging = Nudging(storage, now=now)
        self._storage = storage
        self._delivery = delivery
        self._mail = mail
        self._presentations = presentations
        self._now = now

    async def nudge(self, match: MatchId, user: int) -> Nudge:
        """Note who is to be nudged by this player; MatchError where nobody is."""
        return await self._nudging.nudge(match, user)

    async def send(self, nudge: Nudge, user: int) -> None:
        """Send what was noted. Written before it is told: never twice."""
        places = await self._storage.places(nudge.look.match)
        for seat, wish in nudge.reached:
            try:
                here = wish.channel == "channel"
                if here or not await self._write(nudge.look, seat, user, places):
                    await self._mention(nudge.look, seat, user, places)
            except UndeliveredError as error:
                log.warning("not nudged", match=nudge.look.match, seat=seat, why=error.failure.name)

    async def _write(
        self, look: Look, seat: Seat, user: int, places: Mapping[int, PlaceRecord]
    ) -> bool:
        """Nudge by direct message; whether the person takes any."""
        nudged = look.places[seat].user
        sheet = self._sheet(look, f"<@{user}> waits for your move", places, desk=seat)
        try:
            channel = await self._mail.channel(nudged)
            await self._delivery.send(channel, sheet, self._nonce(look, seat))
        except UndeliveredError as error:
            if error.failure is not Failure.CLOSED:
                raise
            await self._mail.close(nudged)
            return False
        return True

    async def _mention(
        self, look: Look, seat: Seat, user: int, places: Mapping[int, PlaceRecord]
    ) -> None:
        """Nudge in the channel of the table; nobody else is pinged."""
        nudged = look.places[seat].user
        channel = places[TABLE].channel if TABLE in places else look.channel
        sheet = self._sheet(look, f"<@{nudged}>: <@{user}> waits for your move", places)
        await self._delivery.send(channel, sheet, self._nonce(look, seat), pinged=[nudged])

    def _sheet(
        self, look: Look, what: str, places: Mapping[int, PlaceRecord], desk: Seat | None = None
    ) -> Sheet:
        links = []
        if desk is not None and desk in places:
            at = places[desk]
            url = f"https://discord.com/channels/@me/{at.channel}/{at.message}"
            links.append(Link(label="To your desk", url=url))
        if TABLE in places:
            at = places[TABLE]
            url = f"https://discord.com/channels/{look.guild}/{at.channel}/{at.message}"
            links.append(Link(label="To the table", url=url))
        return Sheet(
            head=f"👉 {what} in **{title(look, self._presentations[look.game])}**.\n"
            "-# `/notify` sets whether and where people may nudge you.",
            rows=(tuple(links),),
            color=RUNNING,
        )

    def _nonce(self, look: Look, seat: Seat) -> str:
        return f"{look.match}.{seat}.n{int(self._now()) // 60}"[:25]


def nudged(nudge: Nudge) -> str:
    """What the one who nudged is told."""
    who = names(nudge.look)
    said = []
    if nudge.reached:
        said.append(f"Nudged: {listed([who[seat] for seat, _ in nudge.reached])}.")
    if nudge.unwilling:
        wish = listed([who[seat] for seat in nudge.unwilling])
        verb = "wants" if len(nudge.unwilling) == 1 else "want"
        said.append(f"{wish} {verb} no reminders, so I leave it at that.")
    return " ".join(said)
