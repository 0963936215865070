"""Whoever asks for it is gone: from what runs, from the database, from memory, from messages."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import discord
import structlog

from bot.cluster.share import EVERYTHING, Share
from bot.errors import CorruptRecordError, MatchError
from bot.live.live import Live
from bot.matches import Matches
from bot.matches.leave_all import part
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import UndeliveredError
from bot.messaging.first_answer import Token
from bot.storage import MatchId, MessageRef, Storage
from bot.storage.erasure import SeatedRecord
from bot.storage.records import Spot

log = structlog.get_logger()

TABLES: Final = 50
"""So many tables of matches that ended before are edited: each is drawn anew and uploaded."""

SHARES: Final = 50
"""So many posts of results that the person shared are deleted."""

GONE: Final = MessageContent(
    head="### You're out of this match\nYou had me delete what I kept about you, so this hand is "
    "closed. The match can't be traced to you."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Traces:
    """Messages that still show whoever was deleted, where nothing is kept of them any more."""

    seats: Sequence[SeatedRecord]
    """In what was open or running."""

    tables: Sequence[tuple[MatchId, MessageRef]]
    """Of what had ended before."""

    shares: Sequence[Spot]
    """The last results that they shared."""


class Memory(Protocol):
    """Something that keeps what it knows of people in memory only."""

    def forget(self, user: int, /) -> None: ...


class Erasure:
    def __init__(  # noqa: PLR0913 - what `bot/services.py` has
        self,
        *,
        storage: Storage,
        matches: Matches,
        live: Live,
        delivery: Delivery,
        memories: Sequence[Memory],
        now: Callable[[], float] = time.time,
        share: Share = EVERYTHING,
    ) -> None:
        self._share = share
        self._storage = storage
        self._matches = matches
        self._live = live
        self._delivery = delivery
        self._now = now
        self._memories = memories

    def forget_in_memory(self, user: int) -> None:
        """Drop all that this process remembers of somebody; the database has more, or has not."""
        for memory in self._memories:
            memory.forget(user)

    async def carry_out(self, interaction: discord.Interaction[Any], done: MessageContent) -> None:
        """Answer the last click of whoever wants to be deleted, with this once it is done."""
        await self._delivery.acknowledge(interaction)
        traces = await self.delete(interaction.user.id)
        try:
            await self._delivery.edit_by(Token.of(interaction), done, None)
        finally:
            await self.wipe(traces)

    async def delete(self, user: int) -> Traces:
        """Leave everything that runs, and take this person out of all that is kept, at once.

        It is one transaction, so it happens whole or not at all; then the others are told. What is
        returned is for `wipe`.
        """
        async with self._storage.transaction() as writing:
            tables = await writing.erasure.ended_tables(user, TABLES)
            seats = await writing.erasure.seated(user)
            shares = await writing.shares.latest(user, SHARES)
            found = await writing.matches.load_all([sitting.match for sitting in seats])
            await writing.matches.hold_results(found.values())
            for sitting in seats:
                await part(writing, sitting.match, sitting.seat, int(self._now()))
            await writing.erasure.forget(user)
            await self._matches.returns.note_gone(writing, user, int(self._now()))
        self.forget_in_memory(user)
        self._share.tell("forget", user)
        for sitting in seats:
            await self._live.slots.abandon(sitting.match, sitting.seat)
        async with self._storage.transaction() as writing:
            await writing.erasure.sweep(user, [(s.match, s.seat) for s in seats])
        await self._storage.empty_log()
        for sitting in seats:
            if sitting.is_solo:
                self._live.slots.forget(sitting.match)
            else:
                self._live.changed(sitting.match)
        log.info("person forgotten", matches=len(seats))
        return Traces(seats=seats, tables=tables, shares=shares)

    async def wipe(self, traces: Traces) -> None:
        """Close the hands of whoever was deleted, and let the last tables name a former player.

        What they shared is deleted; what others shared is theirs.
        """
        for sitting in traces.seats:
            if sitting.hand is not None:
                await self._show(sitting.match, sitting.hand, GONE)
        for match, table in traces.tables:
            try:
                content = await self._live.table_content(await self._matches.public(match))
            except (MatchError, CorruptRecordError) as error:
                log.info("old table stays", match=match, why=str(error))
                continue
            self._live.slots.forget(match)
            await self._show(match, table, content)
        for post in traces.shares:
            try:
                await self._delivery.delete(post.channel, post.message)
            except UndeliveredError as error:
                log.info("shared result stays", message=post.message, why=error.failure.name)

    async def _show(self, match: MatchId, place: MessageRef, content: MessageContent) -> None:
        """Replace a message where it still stands; nothing new is sent for an old one."""
        try:
            await self._delivery.edit_past(place.channel, place.message, content)
        except UndeliveredError as error:
            log.info("old message stays", match=match, why=error.failure.name)
