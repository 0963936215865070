"""discord.py's client, which waits for Discord and doesn't let its events hold up the bot."""

import asyncio
from json import JSONDecodeError
from typing import Any, Final, Self

import aiohttp
import discord
import discord.shard
import structlog
import yarl
from discord.ext import commands
from discord.gateway import DiscordWebSocket, ReconnectWebSocket, WebSocketClosure

from bot.messaging.events import FATAL, logging_errors
from bot.messaging.hidden_channels import with_readable_channels

log = structlog.get_logger()

UNREACHABLE: Final = (
    OSError,
    aiohttp.ClientError,
    discord.HTTPException,
    discord.GatewayNotFound,
)
"""What is raised if Discord can't be reached, or reports trouble of its own."""

PAUSES: Final = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Seconds between attempts to reach Discord; the last one is used for all later attempts."""

UNAUTHORIZED: Final = 401
AUTHENTICATION_FAILED: Final = 4004
"""How a refused token is answered: the HTTP status, and the gateway's close code."""


class UselessConnectionError(aiohttp.ClientError):
    """Nothing was understood on a connection to the gateway: wait before the next one."""


class FairWebSocket(DiscordWebSocket):
    """A connection to the gateway that yields to the event loop after each event.

    A shard that connects is told of up to 2,500 servers, as fast as they can be sent. discord.py
    handles them without a pause, a millisecond or so for each: clicks on other shards would be
    answered too late, and leases would end because nothing could renew them.

    A garbled connection is replaced. discord.py takes a frame that isn't JSON, or that can't be
    decompressed, for a fatal error: that would close the client, with all its shards.
    """

    _is_garbled = False
    _has_understood = False
    """Whether an event has arrived on this connection."""

    @classmethod
    async def from_client(cls, client: discord.Client, **options: Any) -> Self:  # noqa: ANN401
        """Connect as discord.py does; UselessConnectionError if the gateway hangs up at once.

        If that happens to a shard that had lost its connection, discord.py ends the client. A
        shard that resumes would ask the same gateway again, without a pause, for as long as it
        hangs up; it gets a new session from another gateway instead.
        """
        try:
            return await super().from_client(client, **options)
        except ReconnectWebSocket:
            raise UselessConnectionError("hung up") from None

    async def poll_event(self) -> None:
        """Handle one event as discord.py does, then yield to the event loop."""
        try:
            await super().poll_event()
        except ReconnectWebSocket:
            # Resuming repeats what came since the last event, which is useless if that's what can't
            # be read.
            if self._is_garbled and not self._has_understood:
                raise UselessConnectionError("garbled") from None
            raise
        await asyncio.sleep(0)

    async def received_message(self, msg: Any, /) -> None:  # noqa: ANN401 - as discord.py has it
        """Handle one frame as discord.py does; end the connection if it can't be read."""
        before = self.sequence
        try:
            if type(msg) is bytes:
                msg = self._decompressed(msg)
            if msg is None:
                return  # the first part of a frame
            await super().received_message(_must_be_object(msg))
        except JSONDecodeError as error:
            self._is_garbled = True
            log.warning("connection garbled", shard=self.shard_id, why=error.msg)
            raise WebSocketClosure from None
        self._has_understood |= self.sequence != before

    def _decompressed(self, frame: bytes) -> str | None:
        """The text of a frame; None for a part of one, JSONDecodeError if it's damaged."""
        try:
            return self._decompressor.decompress(frame)
        except Exception as error:  # noqa: BLE001 - of zlib or Zstandard, or not UTF-8
            raise JSONDecodeError(type(error).__name__, "", 0) from None


def _must_be_object(frame: str) -> str:
    """The frame unchanged; JSONDecodeError if it can't be the object that each frame is."""
    if not frame.lstrip().startswith("{"):
        raise JSONDecodeError("no object", "", 0)
    return frame


# discord.py's shards make their connections by this name.
discord.shard.DiscordWebSocket = FairWebSocket  # type: ignore[misc]  # it has no setting for it


class NotLaunchedError(Exception):
    """A shard could not connect and has to be launched again."""


class PatientBot(commands.AutoShardedBot):
    """Tries for as long as it takes, unless the token is refused; logs each failed attempt.

    An event that discord.py can't read doesn't end it, and channels are made readable. That relies
    on discord.py passing all events through the `parsers` of the connection.
    """

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - passed on
        super().__init__(*args, **options)
        self._failed_attempts = 0
        self._launching: set[int] = set()
        parsers = self._connection.parsers
        parsers.update(
            {
                name: logging_errors(name, with_readable_channels(name, parse))
                for name, parse in parsers.items()
                if name not in FATAL
            }
        )

    async def login(self, token: str) -> None:
        """Log in as soon as Discord can be reached; LoginFailure if it refuses the token."""
        while True:
            try:
                await super().login(token)
            except UNREACHABLE as error:
                if self.is_closed() or self.extensions:  # which are loaded once, after the login
                    raise
                # discord.py makes a session for each attempt, and closes only the last.
                await self.http.close()
                self.http.connector = discord.utils.MISSING
                await self._pause(error)
            else:
                return

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect as soon as the gateway can be reached, and stay connected until closed.

        LoginFailure if the gateway refuses the token.
        """
        while True:
            try:
                await super().connect(reconnect=reconnect)
            except discord.ConnectionClosed as error:
                if _is_refusal(error):
                    raise discord.LoginFailure("The gateway refuses the token.") from error
                raise
            except UNREACHABLE as error:
                if self.is_closed():
                    raise
                await self._pause(error)
            else:
                return

    async def launch_shard(
        self, gateway: yarl.URL, shard_id: int, *, initial: bool = False
    ) -> None:
        """Connect a shard for the first time, trying as often as it takes.

        discord.py tries again by calling this method from within itself, deeper each time and
        after the same pause; that call is turned into another iteration here.
        """
        if shard_id in self._launching:
            raise NotLaunchedError
        while True:
            self._launching.add(shard_id)
            try:
                await super().launch_shard(gateway, shard_id, initial=initial)
            except NotLaunchedError as error:
                await self._pause(error.__context__ or error)
                # Its turn to identify has passed. The next one comes before it connects: discord.py
                # gives up a connection on which it waits too long, as one of many shards does.
                await self.before_identify_hook(shard_id)
                initial = True
            else:
                self._failed_attempts = 0
                return
            finally:
                self._launching.discard(shard_id)

    async def _pause(self, error: BaseException) -> None:
        """Wait before the next attempt, longer each time; LoginFailure for a refused token."""
        if isinstance(error, discord.GatewayNotFound):
            error = error.__cause__ or error
        if getattr(error, "status", 0) == UNAUTHORIZED or _is_refusal(error):
            raise discord.LoginFailure("Discord refuses the token.") from error
        pause = PAUSES[min(self._failed_attempts, len(PAUSES) - 1)]
        self._failed_attempts += 1
        log.warning("discord not reached", why=_why(error), again_in=pause)
        await asyncio.sleep(pause)


def _is_refusal(error: BaseException) -> bool:
    """Whether the gateway refuses the token."""
    return isinstance(error, discord.ConnectionClosed) and error.code == AUTHENTICATION_FAILED


def _why(error: BaseException) -> str:
    """A short reason for the log; the text of an HTTP error may be a whole page."""
    if isinstance(error, discord.HTTPException):
        return f"answered {error.status}"
    return f"{type(error).__name__}: {error}".removesuffix(": ")
