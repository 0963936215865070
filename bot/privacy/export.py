"""What is stored about a person, for that person: how much, a copy of it, and who else sees it."""

import asyncio
import contextlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import discord
import structlog

from bot.errors import HurriedError, StorageUnavailableError
from bot.matches.returns import UNRATED, Returns
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.direct_messages import DirectMessages
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.messaging.files import PersonalFile
from bot.puzzles.calendar import day_of
from bot.rate_limit import RateLimit
from bot.storage import Storage
from bot.storage.personal_data import Holdings
from bot.text import minutes

log = structlog.get_logger()

VERSION: Final = 2
"""The version of the JSON's format, raised whenever that changes."""

LARGEST: Final = 8_000_000
"""Bytes above which the file is zipped: Discord accepts 10 MiB."""

EXPORTS_AN_HOUR: Final = 3

NOTES: Final = (
    "This is everything that Facedown keeps about you.",
    "Ids are Discord's; times are UTC. A player without a user is a former player or a computer.",
    "Seeds and states of matches are left out: they show others' hands. Export has them later.",
    "Who has blocked you is left out: that's their secret.",
    "Whether your answer to today's puzzle is right stays face down until midnight UTC.",
)

SENT: Final = "I'm sending you everything I keep about you: check our direct messages."
HERE: Final = (
    "This is everything I keep about you. {}, so here it is, for your eyes only. Save the file: "
    "this message disappears when you close Discord."
)
CLOSED: Final = HERE.format("My direct messages can't reach you")
HELD_UP: Final = HERE.format("I can't send direct messages right now")
LETTER: Final = "Everything I keep about you, as you asked with `/privacy export`."


class DataExport:
    def __init__(
        self,
        *,
        storage: Storage,
        delivery: Delivery,
        direct_messages: DirectMessages,
        returns: Returns,
        now: Callable[[], float],
    ) -> None:
        self._returns = returns
        self._storage = storage
        self._delivery = delivery
        self._direct_messages = direct_messages
        self._now = now
        self._exports = RateLimit(EXPORTS_AN_HOUR, now=now)

    async def holdings(self, user: int) -> Holdings:
        """How much is stored about this person."""
        async with self._storage.reading() as reading:
            return await reading.personal_data.holdings(user)

    async def unrated_until(self, user: int) -> int | None:
        """The Unix time until which a deletion keeps this person unrated; None if none does."""
        async with self._storage.reading() as reading:
            return await self._returns.unrated_until(reading, user, int(self._now()))

    async def was_deleted_since(self, user: int, moment: int) -> bool:
        """Whether this person had everything deleted at or after this Unix time."""
        until = await self.unrated_until(user)
        return until is not None and until - UNRATED.total_seconds() >= moment

    async def export(self, interaction: discord.Interaction[Any]) -> None:
        """Send users all that's stored about them: by direct message, or in the answer if it fails.

        Raises HurriedError if they've asked `EXPORTS_AN_HOUR` times in the last hour.
        """
        user = interaction.user.id
        self._count(user)
        try:
            await self._send(interaction)
        except StorageUnavailableError:  # they're told to try again, so this one must not count
            self._exports.give_back(user)
            raise

    async def _send(self, interaction: discord.Interaction[Any]) -> None:
        user = interaction.user.id
        await self._delivery.answer_later(interaction)
        try:
            channel = await self._direct_messages.reach(user)
            personal_file = await self._personal_file(user)
            await self._delivery.send_file(channel, LETTER, personal_file, str(interaction.id))
        except UndeliveredError as error:
            with contextlib.suppress(UndeliveredError):
                await self._direct_messages.failed(user, error)
            log.info("export not sent", why=error.failure.name)
            text = HELD_UP if error.failure in PASSING_FAILURES else CLOSED
            await self._delivery.answer_with_files(
                interaction, text, await self._personal_file(user)
            )
            return
        self._direct_messages.arrived(user)
        await self._delivery.answer_privately(interaction, MessageContent(head=SENT))

    def _count(self, user: int) -> None:
        wait = self._exports.take(user)
        if wait:
            raise HurriedError(
                f"You've asked for everything {EXPORTS_AN_HOUR} times in an hour. Try again in "
                f"{minutes(wait)}."
            )

    async def _personal_file(self, user: int) -> PersonalFile:
        async with self._storage.reading(heavy=True) as reading:
            rows = await reading.personal_data.everything(user, day_of(self._now()))
            until = await self._returns.unrated_until(reading, user, int(self._now()))
        whole = {
            "facedown": VERSION,
            "about": list(NOTES),
            "user": str(user),
            "made_at": _moment(int(self._now())),
            "unrated_until": None if until is None else _moment(until),
            **rows,
        }
        return await asyncio.to_thread(_as_file, whole)


def _moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def _as_file(whole: Mapping[str, object]) -> PersonalFile:
    """The data as a JSON file; zipped if it's too long for Discord."""
    data = json.dumps(whole, indent=1, ensure_ascii=False).encode()
    if len(data) <= LARGEST:
        return PersonalFile("facedown-about-you.json", data)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("facedown-about-you.json", data)
    return PersonalFile("facedown-about-you.zip", packed.getvalue())
