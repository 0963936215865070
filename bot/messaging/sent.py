"""Messages that may stand, or be gone, without our knowing: a death, a lost answer, a moderator."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import discord

from bot.errors import ButtonError
from bot.messaging.arrivals import Arrived, arrived
from bot.messaging.components import Press
from bot.messaging.failures import (
    PASSING_FAILURES,
    Failure,
    UndeliveredError,
    translating_discord_errors,
)
from bot.messaging.first_answer import Token
from bot.messaging.request_pace import RequestPace
from bot.storage import MatchId

LOOKED_AT: Final = 100
"""So many messages of a channel are looked at, as many as Discord tells at a time."""

SHOWING: Final = frozenset({"menu", "rules", "unpause", "reopen", "rematch", "coach", "share"})
"""Acts of which what shows a match has one, table or hand, and nothing else that stands in its
channel: mentions lead to the hand, shared results and histories to the replay and the export."""

_COMPONENTS: Final = discord.MessageFlags(components_v2=True).value

CLOCKS_APART: Final = timedelta(minutes=1)
"""So far ours and Discord's may be apart."""


class SentMessages:
    """Looks for them at Discord; UndeliveredError while it has trouble."""

    def __init__(self, client: discord.Client, pace: RequestPace) -> None:
        self._client = client
        self._pace = pace

    async def answered(self, token: Token) -> Arrived | None:
        """The public message that an interaction was answered with; None where there is none."""
        hook, which = token.hook(self._client)
        try:
            with translating_discord_errors():
                message = await hook.fetch_message(which)
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            return None
        return None if message.flags.ephemeral else arrived(message)

    async def newest_of(
        self, match: MatchId, channel: int, *, after: int, begun: int | None
    ) -> Arrived | None:
        """Our newest message in a channel that shows this match, after another message.

        Where there was none before, it was sent soon after the match had `begun`, in seconds since
        1970. None also where we may not read what was written there.
        """
        since = None
        if not after and begun is not None:
            since = discord.utils.time_snowflake(datetime.fromtimestamp(begun, UTC) - CLOCKS_APART)
        await self._pace.turn()
        try:
            with translating_discord_errors():
                found = await self._client.http.logs_from(channel, LOOKED_AT, after=since)
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            return None
        ours = [m for m in found if self._is_ours(m) and match in set(_shown(m))]
        newest = max(ours, key=_id, default=None)
        if newest is None or _id(newest) <= after:
            return None
        plain = not newest["flags"] & _COMPONENTS
        return Arrived(channel, _id(newest), None, plain)

    async def is_gone(self, channel: int, message: int) -> bool:
        """Whether Discord has a message no more; False while it does not say, or may not say it."""
        await self._pace.turn()
        try:
            with translating_discord_errors():
                await self._client.http.get_message(channel, message)
        except UndeliveredError as error:
            return error.failure is Failure.GONE
        return False

    def _is_ours(self, message: Any) -> bool:  # noqa: ANN401 - as Discord sends it
        user = self._client.user
        return user is not None and int(message["author"]["id"]) == user.id


def _id(message: Any) -> int:  # noqa: ANN401 - as Discord sends it
    return int(message["id"])


def _shown(part: Any) -> Iterator[MatchId]:  # noqa: ANN401 - a message or a part of one
    """The matches that a message shows, as the buttons of all its parts say."""
    for inner in part.get("components", ()):
        yield from _shown(inner)
    if "custom_id" in part:
        try:
            press = Press.parse(part["custom_id"])
        except ButtonError:
            return
        if press.act in SHOWING:
            yield press.match
