"""Deletes a person who asks for it: from running matches, the database, memory and messages."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final, Protocol

import discord
import structlog

from bot.cluster.share import Share
from bot.errors import CorruptRecordError, MatchError, StorageUnavailableError
from bot.live.live import Live
from bot.matches.leave_all import leave_for_good
from bot.matches.returns import Returns
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, Failure, UndeliveredError
from bot.messaging.first_answer import Token
from bot.storage import TABLE, MatchId, Storage, Transaction
from bot.storage.erasure import SeatedRecord
from bot.storage.messages import SIGNPOST
from bot.storage.traces import TRACE_LIFE, TraceRecord
from games import Seat

log = structlog.get_logger()

TABLES: Final = 50
"""The maximum number of tables of ended matches that are edited, and of signposts: each picture is
drawn again and uploaded."""

SHARES: Final = 50
"""The maximum number of posts that are deleted: of results that the person shared, and as many of
solved puzzles."""

NO_MATCH: Final = MatchId(0)
"""The match in the trace of a message that belongs to none."""

RETRY_PAUSE: Final = timedelta(minutes=5)
"""How long after a failed attempt, or one whose process died, a message is tried again."""

RETRIED: Final = PASSING_FAILURES | {Failure.OLD}
"""Failures after which a message is tried again: of all messages older than an hour in a channel,
Discord lets the bot edit only so many at a time."""

TRACES_AT_ONCE: Final = 10
"""How many due messages are taken in one transaction."""

GONE: Final = MessageContent(
    head="### You're out of this match\nYou had me delete what I kept about you, so this hand is "
    "closed. The match can't be traced to you."
)


class Memory(Protocol):
    """Something that has data about people in memory."""

    def forget(self, user: int, /) -> None: ...


class Erasure:
    def __init__(  # noqa: PLR0913 - what `bot/services.py` has
        self,
        *,
        storage: Storage,
        live: Live,
        delivery: Delivery,
        memories: Sequence[Memory],
        returns: Returns,
        now: Callable[[], float],
        share: Share,
    ) -> None:
        self._share = share
        self._storage = storage
        self._live = live
        self._delivery = delivery
        self._now = now
        self._memories = memories
        self._returns = returns
        self._wiping = asyncio.Lock()

    def forget_in_memory(self, user: int) -> None:
        """Drop what this process has in memory about a user; doesn't touch the database.

        What counts toward limits (`bot/rate_limit.py`) stays until it no longer counts.
        """
        for memory in self._memories:
            memory.forget(user)

    async def carry_out(self, interaction: discord.Interaction[Any], done: MessageContent) -> None:
        """Delete the user of a click, and only then answer it with `done`.

        So if Discord fails to take the answer, the error message can say that it's saved.
        """
        await self.delete(interaction.user.id)
        try:
            await self._delivery.acknowledge(interaction)
            await self._delivery.edit_by(Token.of(interaction), done, None)
        finally:
            with suppress(StorageUnavailableError):  # they're deleted; the clock does the rest
                await self.wipe()

    async def delete(self, user: int) -> None:
        """Leave all running matches for this user, and remove them from all stored data.

        This is one transaction, so it happens completely or not at all. Afterwards memory, other
        processes and messages follow, even if nothing more can be stored by then. The messages that
        `wipe` has to edit or delete are stored in the same transaction.
        """
        async with self._storage.transaction() as writing:
            await writing.erasure.show_again(user)
            seats = await writing.erasure.seated(user)
            await self._note_traces(writing, user, seats)
            playing = [sitting for sitting in seats if not sitting.is_over]
            found = await writing.matches.load_all([sitting.match for sitting in playing])
            await writing.matches.lock_results(found.values())
            for sitting in playing:
                await leave_for_good(writing, sitting.match, sitting.seat, int(self._now()))
            blocking = await writing.erasure.forget(user)
            await writing.erasure.note_deletion(int(self._now()))
            await self._returns.note_gone(writing, user, int(self._now()), blocking)
        self.forget_in_memory(user)
        self._share.tell("forget", user)
        await self._sweep(user, [(one.match, one.seat) for one in seats if not one.is_open])
        for sitting in seats:
            if sitting.is_solo:
                self._live.slots.forget(sitting.match)
                continue
            if sitting.is_over:  # it may not be resumable now, which isn't in the keys of hands
                self._live.slots.outdate_hands(sitting.match)
            else:  # or a key of it would still be stored that could confirm who sat there
                self._live.slots.outdate_all(sitting.match)
            self._live.note_changed(sitting.match)
        log.info("person forgotten", matches=len(playing))

    async def _sweep(self, user: int, dealt: Sequence[tuple[MatchId, Seat]]) -> None:
        """Remove what messages on their way to these hands have stored since, if that's possible.

        `dealt` are the user's seats in all matches that have been dealt.
        """
        for match, seat in dealt:
            with suppress(StorageUnavailableError):  # no slots loaded: nothing is on its way
                await self._live.slots.abandon(match, seat)
        with suppress(StorageUnavailableError):
            async with self._storage.transaction() as writing:
                await writing.erasure.sweep(user, dealt)
                await writing.erasure.note_deletion(int(self._now()))
        with suppress(StorageUnavailableError):  # the clock tries it again
            await self._storage.empty_log()

    async def _note_traces(
        self, writing: Transaction, user: int, seats: Sequence[SeatedRecord]
    ) -> None:
        """Store which messages still show this user, while the database still knows."""
        now = int(self._now())
        trace = TraceRecord.due
        hands = [trace("hand", s.match, s.hand, now) for s in seats if s.hand is not None]
        ended = await writing.erasure.ended_tables(user, TABLES)
        tables = [trace("table", *at, now) for at in ended]
        signs = await writing.erasure.ended_signposts(user, TABLES)
        tables += [trace("signpost", *at, now) for at in signs]
        shares = [trace("share", *at, now) for at in await writing.shares.latest(user, SHARES)]
        solved = await writing.puzzle_shares.latest(user, SHARES)
        shares += [trace("share", NO_MATCH, at, now) for at in solved]
        mentions = [trace("mention", *at, now) for at in await writing.erasure.mentions(user)]
        await writing.traces.put([*hands, *tables, *shares, *mentions])

    async def wipe(self) -> None:
        """Close the hands of people who were deleted; edit their tables to show a former player.

        What they shared, and messages that mention them, are deleted; what others shared stays.
        This also does what a process left undone when it died, and retries what failed at Discord,
        including old tables that should have been deleted.
        """
        async with self._wiping:
            while True:
                now = int(self._now())
                async with self._storage.reading() as reading:
                    if not await reading.traces.any_due(now):
                        return
                async with self._storage.transaction() as writing:
                    again_at = now + int(RETRY_PAUSE.total_seconds())
                    due = await writing.traces.take_due(now, again_at, TRACES_AT_ONCE)
                for trace in due:
                    await self._attempt(trace)

    async def _attempt(self, trace: TraceRecord) -> None:
        """Edit or delete one message, and drop its trace unless it must be tried again."""
        try:
            await self._edit_or_delete(trace)
        except (MatchError, CorruptRecordError) as error:
            log.info("old table stays", match=trace.match, why=str(error))
        except UndeliveredError as error:
            log.info("old message stays", match=trace.match, why=error.failure.name)
            if error.failure in RETRIED and trace.until > self._now():
                return
        except StorageUnavailableError:
            raise
        except Exception:  # the other messages must still be done
            log.exception("old message stays", match=trace.match)
            if trace.until > self._now():
                return
        else:
            if self._may_be_undone(trace):
                return
        async with self._storage.transaction() as writing:
            await writing.traces.forget(trace)

    def _may_be_undone(self, trace: TraceRecord) -> bool:
        """Whether another process may be editing the message back to what it was before.

        Nothing here can wait for that edit, so the message is edited again after `RETRY_PAUSE`.
        """
        since = self._now() - (trace.until - TRACE_LIFE.total_seconds())
        is_edited = trace.kind in {"hand", "table", "signpost"} and self._share.processes > 1
        return is_edited and since < RETRY_PAUSE.total_seconds()

    async def _edit_or_delete(self, trace: TraceRecord) -> None:
        """Edit or delete a message that still exists; no new one is sent for it."""
        match trace.kind:
            case "share" | "mention" | "leftover":
                await self._delivery.delete(trace.channel, trace.message)
            case "hand":
                await self._delivery.edit_past(trace.channel, trace.message, GONE)
            case "table" | "signpost":
                place = TABLE if trace.kind == "table" else SIGNPOST
                async with self._live.rewriting(trace.match, place) as content:
                    await self._delivery.edit_past(trace.channel, trace.message, content)
