"""Keeps the table and the desks of every match at the truth.

Nobody says what to change: a match is only marked, and what stands at its places is compared with
what should, and edited where it differs. So an edit that failed, clicks that came in the wrong
order and a death in the middle are all mended in the same way.
"""

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Final

import discord
import structlog

from bot.errors import MatchError
from bot.live.notices import brings_notice, wants_desk
from bot.live.slots import COMING, Spot, Spots, base36
from bot.live.threads import Threads
from bot.live.work_queue import Keeper
from bot.matches import Matches, PublicSnapshot, SeatSnapshot, Snapshot
from bot.matches.pauses import Pauses
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Arrived, Delivery, Failure, UndeliveredError
from bot.messaging.direct_messages import DirectMessages
from bot.rendering import away_content, render
from bot.rendering.agreements import has_link, is_rematched
from bot.rendering.challenge import beginning_content
from bot.rendering.pauses import moved_content
from bot.rendering.presentation import Presentations
from bot.storage import TABLE, MatchId, MessageRef, Storage
from bot.storage.agreements import table_of_rematch

log = structlog.get_logger()

DETAIL_DELAY: Final = 2.0
"""Seconds in which a detail waits: "has chosen", which the reveal says too when it comes meanwhile,
and the plays of a turn that goes on, of which only the desk of the seat on turn hears at once."""

AGAIN: Final = timedelta(minutes=1)
"""For so long a table stays where it was posted, however many want it at the bottom."""

UNLINKED: Final = "unlinked"
"""Noted of a finished table whose rematch has begun and has no table yet that it could lead to."""

BEGINNING: Final = "open.begun"
"""Noted of a table that stands for a challenge, though the match has begun without one."""

MENDED_AT_ONCE: Final = 5
MENDING_SECONDS: Final = 10.0
"""After a start, this many matches are brought up to date side by side; one that takes longer than
this is left to be tried again, and the next is begun."""


class Reconciler:
    def __init__(  # noqa: PLR0913 - what it brings together
        self,
        *,
        matches: Matches,
        pauses: Pauses,
        storage: Storage,
        delivery: Delivery,
        direct_messages: DirectMessages,
        presentations: Presentations,
        threads: Threads,
        detail_delay: float = DETAIL_DELAY,
    ) -> None:
        self.spots = Spots(storage)
        self._matches = matches
        self._storage = storage
        self._delivery = delivery
        self._direct_messages = direct_messages
        self._presentations = presentations
        self._pauses = pauses
        self._threads = threads
        self._detail_delay = detail_delay
        self._keeper = Keeper(self._bring_up_to_date)
        self._changes: dict[MatchId, int] = {}
        self._repairing: asyncio.Task[None] | None = None

    def changed(self, match: MatchId) -> int:
        """Note that a match has changed; how often it has, by which a look can be dated."""
        self._changes[match] = self._changes.get(match, 0) + 1
        return self._changes[match]

    def now(self, match: MatchId) -> None:
        """Everybody has something new to see."""
        self._keeper.mark(match)

    def soon(self, match: MatchId) -> None:
        """A detail has changed, which may wait a moment for the next change."""
        self._keeper.mark(match, self._detail_delay)

    def redraw(self, match: MatchId) -> None:
        """Somebody wants it shown otherwise or elsewhere: also where nothing could be sent."""
        self.spots.unbar(match)
        self.changed(match)
        self.now(match)

    async def current(self, snapshot: Snapshot, dated: int) -> Snapshot:
        """This look, or a new one for the same onlooker if the match has changed since."""
        if self._changes.get(snapshot.match, 0) == dated:
            return snapshot
        if isinstance(snapshot, PublicSnapshot):
            return await self._matches.public(snapshot.match)
        return await self._matches.snapshot(snapshot.match, _user(snapshot))

    async def fresh(self, snapshot: Snapshot) -> Snapshot:
        """What the onlooker of this look may know now."""
        return await self.current(snapshot, -1)

    async def content(self, snapshot: Snapshot, draft: str = "") -> MessageContent:
        """The message for this look, with a way to the table on a desk.

        A table shows a way to the table of its rematch.
        """
        table = (await self.spots.at(snapshot.match, TABLE)).record
        if is_rematched(snapshot):
            async with self._storage.reading() as connection:
                table = await table_of_rematch(connection, snapshot.match)
        url = None
        if table is not None:
            url = f"https://discord.com/channels/{snapshot.guild}/{table.channel}/{table.message}"
        return render(snapshot, self._presentations, url, draft)

    def beginning(self, snapshot: PublicSnapshot) -> MessageContent:
        """What stands in place of a challenge where nobody has to answer one."""
        return beginning_content(snapshot, self._presentations[snapshot.game])

    async def bring_down(self, match: MatchId, interaction: int) -> None:
        """Post the table anew at the end of its channel, and remove the old one.

        A MatchError where it was posted just before this interaction. The new one is noted before
        the old one is removed, so that a death leaves two tables for some time and never none.
        """
        spot = await self.spots.at(match, TABLE)
        async with spot.lock:
            old = spot.record
            if old is not None and _passed(old.message, interaction) < AGAIN:
                raise MatchError("The table was posted a moment ago. Wait a minute with this.")
            snapshot = await self._matches.public(match)
            if old is not None:
                snapshot = replace(snapshot, channel=old.channel)
            try:
                await self._send(snapshot, spot, "" if old is None else base36(old.message))
            except UndeliveredError as error:
                raise MatchError(
                    f"I can't post the table anew: {error}. It stays where it is."
                ) from None
            if old is not None and spot.record is not old:
                await self.remove(match, old)
        self.now(match)

    async def remove(self, match: MatchId, table: MessageRef) -> None:
        """Remove a table that stands elsewhere now; desks lead to the new one."""
        self.spots.outdate(match)
        try:
            await self._delivery.delete(table.channel, table.message)
        except UndeliveredError as error:
            # Whoever clicks on it is answered as ever; only it is never brought up to date.
            log.info("old table stays", match=match, why=error.failure.name)

    def repair(self) -> None:
        """After a start: compare everything that may not show its last word yet."""
        self._repairing = asyncio.create_task(self._repair())

    async def _repair(self) -> None:
        room = asyncio.Semaphore(MENDED_AT_ONCE)

        async def mend(match: MatchId) -> None:
            async with room:
                await asyncio.wait({self._keeper.mark(match)}, timeout=MENDING_SECONDS)

        unsettled = await self._storage.unsettled()
        await asyncio.gather(*(mend(match) for match in unsettled))
        log.info("repaired", matches=len(unsettled))

    async def close(self) -> None:
        """Stop, and write down what stands where."""
        if self._repairing is not None:
            self._repairing.cancel()
            await asyncio.gather(self._repairing, return_exceptions=True)
        await self._keeper.close()
        await self.spots.close()

    async def _bring_up_to_date(self, match: MatchId) -> bool:
        """Show the truth everywhere; whether all that could arrive did."""
        try:
            dated = self._changes.get(match, 0)
            snapshots = await self._matches.snapshots(match)
            table = (await self.spots.at(match, TABLE)).record
            if table is None or await self._begins(snapshots[0]):
                await self._show(
                    snapshots[0], dated
                )  # first, so that desks know where the table is
            arrived = await asyncio.gather(*(self._show(snapshot, dated) for snapshot in snapshots))
            if all(arrived) and snapshots[0].status not in {"open", "running"}:
                await self.spots.flush()
                await self._storage.settle(match)
                self.spots.forget(match)
                self._changes.pop(match, None)
        except Exception:  # one broken match must not stop the others from being shown
            log.exception("match not shown", match=match)
            return True  # it would fail again; the next change or the next start tries anew
        return all(arrived)

    async def _show(self, snapshot: Snapshot, dated: int) -> bool:
        """Bring one place up to date; False if it is to be tried again."""
        spot = await self.spots.at(snapshot.match, snapshot.place)
        async with spot.lock:
            try:
                now = await self.current(snapshot, dated)
                if spot.here is not None:
                    await self._show_here(now, spot.here)
                if not spot.barred and spot.shown != now.key:
                    await self._show_there(now, spot)
            except UndeliveredError as error:
                why = error.failure
                log.warning(
                    "not delivered", match=snapshot.match, place=snapshot.place, why=why.name
                )
                if why is Failure.NOWHERE and snapshot.place == TABLE:
                    await self._pause(snapshot.match)
                return why not in {Failure.TROUBLE, Failure.HURRIED}
            return spot.shown != UNLINKED

    async def _pause(self, match: MatchId) -> None:
        """Pause a match whose table can't be reached; its players are told in their hands."""
        for paused in await self._pauses.pause(match):
            log.info("match paused", match=paused)
            self.redraw(paused)

    async def _begins(self, snapshot: PublicSnapshot) -> bool:
        """Whether the table of a match that has begun still shows the challenge."""
        spot = await self.spots.at(snapshot.match, TABLE)
        return snapshot.status == "running" and (spot.shown or "").startswith("open.")

    async def _move_in(self, snapshot: PublicSnapshot, spot: Spot, challenge: MessageRef) -> bool:
        """Begin a match in a thread of its own, if it is to have one; whether it has.

        Each step can be done again: a death in between is mended by the next start.
        """
        thread = await self._threads.begin(snapshot, challenge)
        if thread is None:
            return False
        moved = moved_content(snapshot, self._presentations[snapshot.game], thread)
        await self._edit(spot, challenge, moved)
        spot.token = None
        await self._send(replace(snapshot, channel=thread), spot, base36(challenge.message))
        return True

    async def _show_there(self, snapshot: Snapshot, spot: Spot) -> None:
        if snapshot.paused and snapshot.place == TABLE and snapshot.status == "running":
            return  # there is nowhere to show it
        if spot.record is None:
            # An open challenge was answered by its command; the first click on it tells where.
            wanted = isinstance(snapshot, PublicSnapshot) or wants_desk(snapshot)
            if snapshot.status == "running" and wanted:
                await self._send(snapshot, spot, "")
            return
        if isinstance(snapshot, SeatSnapshot):
            notice = spot.shown == COMING or brings_notice(snapshot, spot.record)
            if notice and await self._notify(snapshot, spot, spot.record):
                return
        elif await self._begins(snapshot) and await self._move_in(snapshot, spot, spot.record):
            return
        content = await self.content(snapshot)
        try:
            arrived = await self._edit(spot, spot.record, content)
        except UndeliveredError as error:
            await self._replace(snapshot, spot, spot.record, error)
            return
        spot.media = arrived.media
        complete = not is_rematched(snapshot) or any(map(has_link, content.rows))
        self.spots.shows(
            snapshot.match, snapshot.place, spot, snapshot.key if complete else UNLINKED
        )

    async def _notify(self, snapshot: SeatSnapshot, spot: Spot, record: MessageRef) -> bool:
        """Tell a seat that a turn has begun in which it owes a move: edits notify nobody.

        The desk comes as a new message. The old one is put away before, and that a new one comes is
        written down, so that a death in between leaves nothing that the next start does not mend.
        False if the player takes no new messages; then the desk that he has is edited.
        """
        if await self._direct_messages.is_closed(_user(snapshot)):
            return False
        try:
            away = away_content(snapshot, self._presentations)
            await self._edit(Spot(token=spot.token), record, away)
        except UndeliveredError as error:
            if error.failure is Failure.TROUBLE:
                raise  # the notice comes when it can be done in this order
            # Its buttons are of a step that is over, so whoever clicks them is told that.
            log.info(
                "old desk stays", match=snapshot.match, place=snapshot.place, why=error.failure.name
            )
        spot.media = None
        await self.spots.moved(snapshot.match, snapshot.place, replace(record, shown=COMING))
        await self._send(snapshot, spot, base36(record.message))
        if spot.record is None or spot.record.message == record.message:
            spot.barred = False
            return False
        return True

    async def _edit(self, spot: Spot, record: MessageRef, content: MessageContent) -> Arrived:
        """Edit by the interaction while it lasts: that is not counted against Discord's 50/s."""
        if spot.token is not None and spot.token.fresh:
            try:
                return await self._delivery.edit_by(spot.token, content, spot.media)
            except UndeliveredError as error:
                if error.failure is Failure.TROUBLE:
                    raise
                spot.token = None
        return await self._delivery.edit(record.channel, record.message, content, spot.media)

    async def _replace(
        self, snapshot: Snapshot, spot: Spot, record: MessageRef, error: UndeliveredError
    ) -> None:
        """For a message that can't be edited, put a new one, or give the place up."""
        match error.failure:
            case Failure.GONE:
                await self._send(snapshot, spot, base36(record.message))
            case Failure.OLD | Failure.ARCHIVED:
                await self._send(snapshot, spot, base36(record.message))
                await self._delivery.delete(record.channel, record.message)
            case Failure.NOWHERE if snapshot.place == TABLE and record.channel != snapshot.channel:
                await self._send(snapshot, spot, base36(record.message))  # it goes on elsewhere
            case Failure.NOWHERE | Failure.FORBIDDEN | Failure.CLOSED:
                spot.barred = True
                raise error
            case _:
                raise error

    async def _send(self, snapshot: Snapshot, spot: Spot, after: str) -> None:
        """Send the message of a place that has none; `after` names the one it replaces.

        Where one may have been sent before, Discord answers with that one, and it says what was
        true then: it is edited.
        """
        if isinstance(snapshot, SeatSnapshot) and snapshot.here:
            spot.barred = True  # its message is gone, and its player wants no new one
            return
        content = await self.content(snapshot)
        nonce = f"{base36(snapshot.match)}.{snapshot.place}.{after}"[:25]
        try:
            channel = (
                snapshot.channel
                if isinstance(snapshot, PublicSnapshot)
                else await self._direct_messages.channel(_user(snapshot))
            )
            arrived = await self._delivery.send(channel, content, nonce)
        except UndeliveredError as error:
            spot.barred = error.failure not in {Failure.TROUBLE, Failure.HURRIED}
            spot.sent_before = True
            if error.failure is Failure.CLOSED and isinstance(snapshot, SeatSnapshot):
                await self._direct_messages.close(_user(snapshot))
                return
            raise
        spot.media, spot.token = arrived.media, None  # the token is another message's
        record = MessageRef(
            channel=arrived.channel,
            message=arrived.message,
            shown="" if spot.sent_before else snapshot.key,
            turn=snapshot.turn,
        )
        await self.spots.moved(snapshot.match, snapshot.place, record)
        if spot.sent_before:
            spot.sent_before = False
            spot.media = (await self._edit(spot, record, content)).media
            self.spots.shows(snapshot.match, snapshot.place, spot, snapshot.key)
        if snapshot.place == TABLE and snapshot.predecessor is not None:
            self.now(snapshot.predecessor)

    async def _show_here(self, snapshot: Snapshot, here: Spot) -> None:
        """Bring a private copy of a desk up to date while its interaction allows it."""
        if here.token is None or not here.token.fresh or here.shown == snapshot.key:
            return
        try:
            arrived = await self._delivery.edit_by(
                here.token, await self.content(snapshot), here.media
            )
        except UndeliveredError as error:
            if error.failure is Failure.TROUBLE:
                raise
            here.token = None  # dismissed or too old; the next click draws it anew
            return
        here.media, here.shown = arrived.media, snapshot.key


def _passed(message: int, interaction: int) -> timedelta:
    """The time from a message to an interaction, by Discord's own clock: their ids tell it."""
    return discord.utils.snowflake_time(interaction) - discord.utils.snowflake_time(message)


def _user(snapshot: SeatSnapshot) -> int:
    return snapshot.places[snapshot.seat].user
