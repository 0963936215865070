"""discord.py's client, which waits for Discord and lets nothing of the bot wait for its crowds."""

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

from bot.messaging.events import FATAL, sparing
from bot.messaging.hidden_channels import with_readable_channels

log = structlog.get_logger()

UNREACHABLE: Final = (
    OSError,
    aiohttp.ClientError,
    discord.HTTPException,
    discord.GatewayNotFound,
)
"""What is raised where Discord cannot be reached, or answers that it cannot answer."""

PAUSES: Final = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0)
"""Seconds until a start that did not reach Discord goes on; the last for all further times."""

UNAUTHORIZED: Final = 401
AUTHENTICATION_FAILED: Final = 4004
"""What a refused token is answered with, by requests and by the gateway."""


class UselessConnectionError(aiohttp.ClientError):
    """A connection to the gateway by which nothing was understood: the next one comes later."""


class FairWebSocket(DiscordWebSocket):
    """A connection to the gateway that lets all else of the event loop go on between two events.

    A shard that connects is told of up to 2,500 servers, as fast as they can be sent. The library
    takes what has come without a pause, and each costs about a millisecond: clicks on other shards
    would come too late, and leases end that nobody could renew.

    It is replaced where it is garbled. The library takes a frame that is no JSON, or can't be
    decompressed, for its own end: that would close the client, with all its shards.
    """

    _is_garbled = False
    _has_understood = False
    """Whether an event has come by this connection."""

    @classmethod
    async def from_client(cls, client: discord.Client, **options: Any) -> Self:  # noqa: ANN401
        """Connect, as the library does; UselessConnectionError where that is hung up at once.

        The library ends the client where that happens to a shard that had lost its connection. One
        that resumes would ask the same gateway again, without a pause and for as long as it hangs
        up; it gets a new session from another one instead.
        """
        try:
            return await super().from_client(client, **options)
        except ReconnectWebSocket:
            raise UselessConnectionError("hung up") from None

    async def poll_event(self) -> None:
        """Take one event, as the library does."""
        try:
            await super().poll_event()
        except ReconnectWebSocket:
            # What came since the last event comes again, unless that is what can't be read.
            if self._is_garbled and not self._has_understood:
                raise UselessConnectionError("garbled") from None
            raise
        await asyncio.sleep(0)

    async def received_message(self, msg: Any, /) -> None:  # noqa: ANN401 - as the library has it
        """Take one frame, as the library does; end the connection where it can't be read."""
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
        """The text of a frame, None for a part of one; JSONDecodeError where it is damaged."""
        try:
            return self._decompressor.decompress(frame)
        except Exception as error:  # noqa: BLE001 - of zlib or of Zstandard, or no text
            raise JSONDecodeError(type(error).__name__, "", 0) from None


def _must_be_object(frame: str) -> str:
    """The same text; JSONDecodeError where it can't be the object that each frame is."""
    if not frame.lstrip().startswith("{"):
        raise JSONDecodeError("no object", "", 0)
    return frame


# This is the name by which the shards of the library make their connections.
discord.shard.DiscordWebSocket = FairWebSocket  # type: ignore[misc]  # it has no setting for it


class NotLaunchedError(Exception):
    """A shard could not connect, and is to be launched anew."""


class PatientBot(commands.AutoShardedBot):
    """It tries for as long as it takes, unless the token is refused; a line for each attempt.

    Nor does an event end it that the library can't read, and channels come as it can: of the
    library's inside it is leaned on that all events go through the `parsers` of the connection.
    """

    def __init__(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - passed on
        super().__init__(*args, **options)
        self._failed_attempts = 0
        self._launching: set[int] = set()
        parsers = self._connection.parsers
        parsers.update(
            {
                name: sparing(name, with_readable_channels(name, parse))
                for name, parse in parsers.items()
                if name not in FATAL
            }
        )

    async def login(self, token: str) -> None:
        """Log in, as soon as Discord can be reached; LoginFailure if it refuses the token."""
        while True:
            try:
                await super().login(token)
            except UNREACHABLE as error:
                if self.is_closed() or self.extensions:  # which are loaded once, after the login
                    raise
                # The library makes a session at each attempt, and closes only the last.
                await self.http.close()
                self.http.connector = discord.utils.MISSING
                await self._pause(error)
            else:
                return

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect, as soon as the gateway can be reached, and stay connected until closed."""
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
        """Connect a shard for the first time, as often as it takes.

        The library goes on by calling this from within itself, deeper each time and after the same
        pause; that call is turned into another round here.
        """
        if shard_id in self._launching:
            raise NotLaunchedError
        while True:
            self._launching.add(shard_id)
            try:
                await super().launch_shard(gateway, shard_id, initial=initial)
            except NotLaunchedError as error:
                await self._pause(error.__context__ or error)
            else:
                self._failed_attempts = 0
                return
            finally:
                self._launching.discard(shard_id)

    async def _pause(self, error: BaseException) -> None:
        """Wait before the start goes on; longer each time. A refused token ends it instead."""
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
    """A line about an error of the network; an answer of Discord's may be a whole page."""
    if isinstance(error, discord.HTTPException):
        return f"answered {error.status}"
    return f"{type(error).__name__}: {error}".removesuffix(": ")
