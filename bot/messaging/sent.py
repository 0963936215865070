"""Messages that may exist or be gone without our knowing: a crash, a lost answer, a moderator."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import discord

from bot.errors import ButtonError
from bot.messaging.arrivals import Arrived, as_arrived
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
"""How many messages of a channel are searched; Discord returns no more at a time."""

SHOWING: Final = frozenset({"menu", "rules", "unpause", "reopen", "rematch", "coach", "share"})
"""Acts: each table or hand has a button with one of them, and no other message in its channel does.
Mentions lead to the hand, shared results and histories to the replay and the export."""

_COMPONENTS: Final = discord.MessageFlags(components_v2=True).value

CLOCKS_APART: Final = timedelta(minutes=1)
"""How far our clock and Discord's may differ."""


class SentMessages:
    """Looks for messages at Discord."""

    def __init__(self, client: discord.Client, pace: RequestPace) -> None:
        self._client = client
        self._pace = pace

    async def answered(self, token: Token) -> Arrived | None:
        """The public message that an interaction was answered with; None if there is none.

        UndeliveredError while Discord has trouble.
        """
        hook, which = token.hook(self._client)
        try:
            with translating_discord_errors():
                message = await hook.fetch_message(which)
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            return None
        return None if message.flags.ephemeral else as_arrived(message)

    async def newest_of(
        self, match: MatchId, channel: int, *, after: int, begun: int | None
    ) -> Arrived | None:
        """Our newest message that shows this match in a channel, after the message `after`.

        If that is 0, messages since shortly before `begun`, the Unix time at which the match began,
        are searched. None if there is none, or if we may not read the history. UndeliveredError
        while Discord has trouble.
        """
        since = None
        if not after and begun is not None:
            since = discord.utils.time_snowflake(datetime.fromtimestamp(begun, UTC) - CLOCKS_APART)
        await self._pace.turn()
        try:
            with translating_discord_errors():
                messages = await self._client.http.logs_from(channel, LOOKED_AT, after=since)
        except UndeliveredError as error:
            if error.failure in PASSING_FAILURES:
                raise
            return None
        ours = [m for m in messages if self._is_ours(m) and match in set(_matches_shown(m))]
        newest = max(ours, key=_id, default=None)
        if newest is None or _id(newest) <= after:
            return None
        plain = not newest["flags"] & _COMPONENTS
        return Arrived(channel, _id(newest), None, plain)

    async def is_gone(self, channel: int, message: int) -> bool:
        """Whether a message was deleted; False if Discord doesn't say."""
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


def _matches_shown(part: Any) -> Iterator[MatchId]:  # noqa: ANN401 - a message or a part of one
    """The matches that a message shows, according to the buttons in all its parts."""
    for inner in part.get("components", ()):
        yield from _matches_shown(inner)
    if "custom_id" in part:
        try:
            press = Press.parse(part["custom_id"])
        except ButtonError:
            return
        if press.act in SHOWING:
            yield press.match
