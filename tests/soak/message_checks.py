"""Checks that tables and hands show what the database says, and that none exists twice."""

import asyncio
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from bot.errors import StorageUnavailableError
from bot.matches import Matches, SeatSnapshot, Snapshot
from bot.matches.reopenings import is_resumable
from bot.messaging.components import Button, Select
from bot.messaging.content import MessageContent
from bot.rendering import render
from bot.storage import TABLE
from bot.text import tappable
from sandbox import Message, Sandbox
from tests.soak.database_checks import Database, rows
from tests.soak.messages import read
from tests.support.matches import RETURNS
from tests.support.presentations import presentations
from tests.support.storages import storage_of

DRAFTING = {"conquest", "spite"}
LESSON = ":learn:"
"""Part of the custom_id of the newcomers' button, which isn't compared: whether somebody is one
depends on other matches, and a change of that edits no message."""

DESKS = (": your hand\n", ": your orders\n")
PRESENTATIONS = presentations()


@dataclass(frozen=True)
class Standing:
    """Compares the messages in the sandbox with the rows in the database."""

    discord: Sandbox
    database: Database

    async def differences(self, patience: float) -> list[str]:
        """Problems with messages that are still wrong after so many seconds, as sentences."""
        loop = asyncio.get_running_loop()
        until = loop.time() + patience
        query = "SELECT id FROM matches WHERE state IS NOT NULL"
        matches = [match for (match,) in rows(self.database, query)]
        while True:
            found = {match: await self._problems_or_unreadable(match) for match in matches}
            matches = [match for match in matches if found[match]]
            if not matches or loop.time() > until:
                return [problem for match in matches for problem in found[match]]
            await self._next_request()

    async def _next_request(self) -> None:
        requests = len(self.discord.requests)
        try:
            await self.discord.until(lambda: len(self.discord.requests) > requests, 1.0)
        except TimeoutError:
            return

    async def _problems_or_unreadable(self, match: int) -> list[str]:
        """The problems of a match, or one that says that it can't be read, as on a busy machine.

        It is read through separate connections, while the bot is running.
        """
        try:
            return await self._wrong(match)
        except StorageUnavailableError as error:
            return [f"match {match} can't be read: {error}"]

    async def _wrong(self, match: int) -> list[str]:
        places = dict(
            rows(self.database, "SELECT place, message FROM places WHERE match = ?", match)
        )
        snapshots = await self._snapshots(match)
        table = self._message(places.get(TABLE))
        public = snapshots[0]
        if table is None and public.status == "closed" and public.step == 0:
            return []  # the command that opened it couldn't be answered, and its user was told
        if table is None:
            return [f"match {match} ({public.game}) has no table"]
        ((ids,),) = rows(self.database, "SELECT ids FROM synced_commands")
        url = f"https://discord.com/channels/{public.guild}/{table.channel_id}/{table.id}"
        wrong = []
        for snapshot in snapshots:
            place = snapshot.seat if isinstance(snapshot, SeatSnapshot) else TABLE
            message = self._message(places.get(place))
            if message is None:
                if isinstance(snapshot, SeatSnapshot) and self._needs_hand(snapshot):
                    wrong.append(
                        f"match {match} ({snapshot.game}): seat {snapshot.seat} has no desk"
                    )
                continue
            differs = _difference(message, snapshot, _wanted(snapshot, url, json.loads(ids)))
            if differs:
                wrong.append(
                    f"match {match} ({snapshot.game}), place {place}, "
                    f"step {snapshot.step}, differs in {differs}: shows {message.text!r}"
                )
        return wrong

    def _message(self, message: int | None) -> Message | None:
        found = self.discord.world.messages.get(message or 0)
        return None if found is None or found.deleted else found

    def _needs_hand(self, snapshot: SeatSnapshot) -> bool:
        info = snapshot.seats[snapshot.seat]
        query = "SELECT count(*) FROM people WHERE user = ? AND dm_closed_at IS NOT NULL"
        ((closed,),) = rows(self.database, query, info.user)
        here = snapshot.plays_here
        if here is None:  # nobody in the soak has asked for direct messages
            here = snapshot.tap
        return not (closed or here or info.left or snapshot.status != "running")

    async def _snapshots(self, match: int) -> tuple[Snapshot, ...]:
        """The public snapshot and those of all seats, read while the bot is running."""
        async with storage_of(self.database) as storage:
            snapshots = await Matches(storage, returns=RETURNS, now=time.time).snapshots(match)
            if snapshots[0].counts_at is None:
                return snapshots
            async with storage.reading() as reading:
                record = await reading.matches.load(match)
                resumable = await is_resumable(reading, record)
            return tuple(replace(snapshot, resumable=resumable) for snapshot in snapshots)

    async def doubles(self, patience: float) -> list[str]:
        """Tables and hands that still exist twice after so many seconds, as sentences.

        Each match should have one table, and each seat one hand. One that is posted again exists
        beside the old one until that is deleted.
        """
        loop = asyncio.get_running_loop()
        until = loop.time() + patience
        while (found := self._doubles()) and loop.time() <= until:
            await self._next_request()
        return found

    def _doubles(self) -> list[str]:
        said = [m for messages in self.discord.world.history.values() for m in messages]
        tables = [(f"match {_match_of(m)}", m) for m in said if _is_table(m)]
        desks = [
            (f"{person.name} of {_table_of(m)}", m)
            for person in self.discord.clients
            for m in person.direct_messages
            if _is_desk(m)
        ]
        return [*_more_than_one("tables", tables), *_more_than_one("desks", desks)]


def _more_than_one(what: str, found: Iterable[tuple[str, Message]]) -> list[str]:
    """A sentence for each owner with several messages: when each was sent, its nonce, its start."""
    together: dict[str, list[Message]] = {}
    for whose, message in found:
        together.setdefault(whose, []).append(message)
    return [
        f"{len(messages)} {what} of {whose}: "
        + "; ".join(f"{m.created_at:%H:%M:%S} ({m.nonce}) {m.text[:60]!r}" for m in messages)
        for whose, messages in together.items()
        if len(messages) > 1
    ]


def _match_of(message: Message) -> int:
    return read(message).match


def _wanted(snapshot: Snapshot, table: str, commands: dict[str, int]) -> MessageContent:
    """The content that the message of a snapshot should have; a hand links to its table."""
    url = table if isinstance(snapshot, SeatSnapshot) else None
    return render(snapshot, PRESENTATIONS, url).with_text(partial(tappable, ids=commands))


def _difference(message: Message, snapshot: Snapshot, wanted: MessageContent) -> str:
    """The parts of a message that differ from what it should be; empty if it is right.

    A draft isn't stored, so a hand may keep it until something happens in the match. After a
    picture was refused or took too long, a message is in words until its next change.
    """
    seen = read(message)
    if (
        snapshot.game in DRAFTING
        and any(c.press.act == "draft" for c in seen.choosing)
        and isinstance(snapshot, SeatSnapshot)
        and snapshot.legal
    ):
        right = wanted.head in message.text
        return "" if right and {c.press.step for c in seen.choosing} == {snapshot.step} else "draft"
    alt = next((image.description for image in message.images), None)
    if alt is None:
        wanted = wanted.in_words()
    offered = {part["custom_id"] for part in message.parts() if "custom_id" in part}
    offered = {button for button in offered if LESSON not in button}
    differs = {
        "words": wanted.head not in message.text or wanted.foot not in message.text,
        f"buttons {sorted(offered ^ set(_offered(wanted)))}": offered != set(_offered(wanted)),
        "picture": alt != (None if wanted.picture is None else wanted.picture.description),
    }
    return ", ".join(what for what, is_so in differs.items() if is_so)


def _offered(wanted: MessageContent) -> Iterator[str]:
    for row in wanted.rows:
        for part in row if isinstance(row, tuple) else (row,):
            if isinstance(part, Button | Select):
                yield str(part.press)


def _is_table(message: Message) -> bool:
    return message.ephemeral_to is None and not message.deleted and "Sealed deal" in message.text


def _is_desk(message: Message) -> bool:
    """Whether it is a hand by direct message, not one that **My hand** opened."""
    return message.ephemeral_to is None and any(desk in message.text for desk in DESKS)


def _table_of(message: Message) -> str:
    return next((b.url for b in message.buttons if b.url), "nowhere")
