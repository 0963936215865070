"""Reminders before a deadline: to who owes a move, as he has chosen, once a turn."""

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType
from typing import Final

import structlog

from bot.matches import Look
from bot.matches.time_controls import MOVE
from bot.matches.timeouts import Timekeeping
from bot.messaging.components import Link
from bot.messaging.content import Sheet
from bot.messaging.delivery import Delivery, Failure, UndeliveredError
from bot.messaging.direct_messages import Mail
from bot.rendering import RUNNING
from bot.rendering.phrases import countdown, title
from bot.rendering.presentation import Presentations
from bot.rendering.time_left import last_chance
from bot.storage import TABLE, MatchId, Pace, PlaceRecord, Storage
from bot.storage.reminders import Earliness, Wish, read_wish, to_remind, write_wish
from games import Seat

log = structlog.get_logger()


def _earliness(pace: Pace) -> Earliness:
    whole = MOVE[pace] or timedelta()
    return Earliness(usual=int((whole / 4).total_seconds()), most=int((whole / 2).total_seconds()))


EARLY: Final[Mapping[Pace, Earliness]] = MappingProxyType(
    {pace: _earliness(pace) for pace in ("today", "slow", "relaxed")}
)
"""The paces at which reminders are sent, not live: a quarter of the time before the deadline unless
somebody wants it otherwise, and never in the first half of the time."""


class Reminders:
    def __init__(
        self,
        *,
        storage: Storage,
        timekeeping: Timekeeping,
        delivery: Delivery,
        mail: Mail,
        presentations: Presentations,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._storage = storage
        self._timekeeping = timekeeping
        self._delivery = delivery
        self._mail = mail
        self._presentations = presentations
        self._now = now

    async def wish(self, user: int) -> Wish:
        """How this person wants to be reminded."""
        async with self._storage.reading() as connection:
            return await read_wish(connection, user)

    async def put_wish(self, user: int, wish: Wish) -> None:
        async with self._storage.transaction() as writing:
            await write_wish(writing.connection, user, wish)

    async def due(self) -> Sequence[tuple[MatchId, Seat]]:
        """The seats to be looked at now, because they may owe a move and want to be reminded."""
        async with self._storage.reading() as connection:
            return await to_remind(connection, int(self._now()), EARLY)

    async def remind(self, match: MatchId, seat: Seat) -> None:
        """Remind a seat if it owes a move. Written before it is told: never twice."""
        look = await self._timekeeping.remind(match, seat)
        if look is None or look.deadline is None:
            return
        user = look.places[seat].user
        wish = await self.wish(user)
        if wish.channel == "none":
            return
        places = await self._storage.places(match)
        try:
            if wish.channel == "channel" or not await self._write(look, user, places):
                await self._mention(look, user, places)
        except UndeliveredError as error:
            log.warning("not reminded", match=match, seat=seat, why=error.failure.name)

    async def _write(self, look: Look, user: int, places: Mapping[int, PlaceRecord]) -> bool:
        """Remind by direct message; whether the person takes any."""
        try:
            channel = await self._mail.channel(user)
            await self._delivery.send(channel, self._sheet(look, "", places), _nonce(look))
        except UndeliveredError as error:
            if error.failure is not Failure.CLOSED:
                raise
            await self._mail.close(user)
            return False
        return True

    async def _mention(self, look: Look, user: int, places: Mapping[int, PlaceRecord]) -> None:
        """Remind in the channel of the table; nobody else is pinged."""
        channel = places[TABLE].channel if TABLE in places else look.channel
        sheet = self._sheet(look, f"<@{user}>: ", places)
        await self._delivery.send(channel, sheet, _nonce(look), pinged=[user])

    def _sheet(self, look: Look, to: str, places: Mapping[int, PlaceRecord]) -> Sheet:
        assert look.deadline is not None
        what = title(look, self._presentations[look.game])
        links = []
        if not to and look.place in places:
            desk = places[look.place]
            url = f"https://discord.com/channels/@me/{desk.channel}/{desk.message}"
            links.append(Link(label="To your desk", url=url))
        if TABLE in places:
            table = places[TABLE]
            url = f"https://discord.com/channels/{look.guild}/{table.channel}/{table.message}"
            links.append(Link(label="To the table", url=url))
        return Sheet(
            head=f"⏰ {to}**{what}** waits for your move. Your time runs out "
            f"{countdown(look.deadline)}.{last_chance(look)}\n"
            "-# `/notify` sets how and how early I remind you.",
            rows=(tuple(links),),
            color=RUNNING,
        )


def _nonce(look: Look) -> str:
    return f"{look.match}.{look.seat}.r{look.turn}"[:25]
