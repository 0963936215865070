"""Discord's gateway, version 10."""

import asyncio
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

from aiohttp import WSMsgType, web

from sandbox.bot_token import BotToken
from sandbox.close_codes import CloseCode
from sandbox.compression import STREAMS
from sandbox.dispatches import (
    GUILDS_INTENT,
    Dispatch,
    dispatches_of,
    sight_changed,
    thread_list,
)
from sandbox.errors import Json
from sandbox.events import Event
from sandbox.faults import Faults
from sandbox.gateway_limits import GatewayLimits, payload_bucket
from sandbox.guilds import Guild
from sandbox.member_requests import members_chunk
from sandbox.sessions import Connection, Session
from sandbox.sight import Sight
from sandbox.world import World

ALL_INTENTS: Final = (1 << 17) - 1 | 0b11 << 20 | 0b11 << 24
PRIVILEGED_INTENTS: Final = 1 << 1 | 1 << 8 | 1 << 15
MAX_PAYLOAD_BYTES: Final = 4096

ACK_SECONDS: Final = 0.1
"""The round trip to Discord. Without it, an acknowledgment can arrive before discord.py's heartbeat
thread has noted when it sent the heartbeat; then it reports the whole interval as latency."""


class Gateway:
    """All sessions of the bot, and their connections."""

    def __init__(
        self,
        world: World,
        faults: Faults,
        limits: GatewayLimits,
        token: BotToken,
        *,
        privileged: int = 0,
        heartbeat: int,
    ) -> None:
        self._world = world
        self._faults = faults
        self.limits = limits
        self._token = token
        self._privileged = privileged
        self._heartbeat = heartbeat
        self._connections: set[Connection] = set()
        self._sight = Sight(world)
        self.url = ""
        self.sessions: dict[str, Session] = {}
        self.identified = 0
        """How many times shards have identified."""

        self.resumed = 0
        world.events.subscribe(self._dispatch_event)

    def is_ready(self) -> bool:
        """Whether all shards of the bot are connected; sessions say how many there are."""
        live = [session for session in self.sessions.values() if session.connection]
        counts = {session.count for session in live}
        shards = {session.shard for session in live}
        return len(counts) == 1 and shards == set(range(*counts))

    def deliver(self, guild: int | None, payload: Json) -> None:
        """Dispatch INTERACTION_CREATE to the shard of this server; None is direct messages."""
        for session in list(self.sessions.values()):
            if session.has(guild):
                session.dispatch("INTERACTION_CREATE", payload)
                if self._faults.deliver_twice:
                    session.dispatch("INTERACTION_CREATE", payload)

    def _dispatch_event(self, event: Event) -> None:
        for name, data, guild, intents in self._dispatches(event):
            for session in list(self.sessions.values()):
                if session.has(guild) and session.intents & intents == intents:
                    session.dispatch(name, data)

    def _dispatches(self, event: Event) -> Iterator[Dispatch]:
        yield from dispatches_of(self._world, event)
        home = self._world.guilds.get(event.guild or 0)
        if home is None or self._world.bot.id not in home.members:
            return
        if event.kind in {"guild_joined", "guild_available"}:
            self._sight.note(home)
            return
        gained, lost = self._sight.changed(event)
        if not event.kind.startswith("channel"):  # these have just caused their own dispatch
            yield from sight_changed(self._world, home, [*gained, *lost])
        if gained and event.kind != "channel_created":  # a new channel has no threads
            yield thread_list(self._world, home, gained)

    # For tests and the page's panel.

    def drop(self) -> None:
        """Abort every connection without a close frame."""
        for connection in tuple(self._connections):
            connection.abort()

    def ask_to_reconnect(self) -> None:
        for connection in tuple(self._connections):
            connection.send({"op": 7, "d": None})

    def invalidate(self, *, resumable: bool) -> None:
        """Tell every shard that its session is invalid, and whether it can be resumed."""
        sessions = [session for session in self.sessions.values() if session.connection]
        if not resumable:
            self.sessions.clear()
        for session in sessions:
            assert session.connection is not None
            session.connection.send({"op": 9, "d": resumable})

    def close(self) -> None:
        for connection in tuple(self._connections):
            connection.close(1001)

    # One connection.

    async def serve(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(compress=False)
        try:
            await socket.prepare(request)
        except ConnectionError:
            return web.Response()  # never sent: the bot has disconnected
        compress = request.query.get("compress")
        stream = STREAMS[compress]() if compress in STREAMS else None
        connection = Connection(socket, request, stream)
        self._connections.add(connection)
        writer = asyncio.create_task(connection.write())
        if request.query.get("v") != "10":
            connection.close(CloseCode.INVALID_VERSION)
        elif request.query.get("encoding", "json") != "json":
            connection.close(CloseCode.DECODE_ERROR)
        else:
            connection.send({"op": 10, "d": {"heartbeat_interval": self._heartbeat}})
        try:
            await ConnectionHandler(self, connection).serve(socket)
        finally:
            writer.cancel()
            with suppress(asyncio.CancelledError):
                await writer
            self._connections.discard(connection)
            self._detach(connection, ended=socket.close_code in (1000, 1001))
        return socket

    def _detach(self, connection: Connection, *, ended: bool) -> None:
        """Detach a closed connection from its session, which ends if the code was 1000 or 1001.

        Otherwise the session can be resumed until `Session.is_over`.
        """
        for session in list(self.sessions.values()):
            if session.connection is connection:
                session.connection, session.lost_at = None, self._world.clock.now()
                if ended:
                    self.sessions.pop(session.id, None)
                self._world.emit("connection", session)

    @property
    def heartbeat_timeout(self) -> float:
        """Seconds without a heartbeat after which a connection is closed."""
        return self._heartbeat / 1000 * 1.5

    def members(self, session: Session, data: Json) -> Json | int | None:
        """The data of GUILD_MEMBERS_CHUNK, the code to close with, or None for no answer."""
        return members_chunk(self._world, session.intents, data)

    def answers_heartbeats(self) -> bool:
        return not self._faults.ignore_heartbeats

    def identify(self, connection: Connection, data: Json) -> Session | int | None:
        """The new session, the code to close with, or None if IDENTIFY came too soon."""
        code = self._identify_error(data)
        if code is not None:
            return code
        if not self.limits.counts_identify():
            self._revoke_token()
            return CloseCode.AUTHENTICATION_FAILED
        shard, count = data.get("shard", [0, 1])
        if not self.limits.admits_identify(shard):
            return None
        session = Session(
            id=secrets.token_hex(16), shard=shard, count=count, intents=data["intents"]
        )
        session.connection = connection
        for old in list(self.sessions.values()):
            # After a restart of the bot, interactions must not go to its old session.
            if old.shard == session.shard and old.connection is None:
                self.sessions.pop(old.id)
        self.sessions[session.id] = session
        self.identified += 1
        self._send_ready(session)
        return session

    def _identify_error(self, data: Json) -> CloseCode | None:
        """The code that refuses an invalid IDENTIFY; None if it's valid."""
        if data.get("token") != self._token.value:
            return CloseCode.AUTHENTICATION_FAILED
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~ALL_INTENTS:
            return CloseCode.INVALID_INTENTS
        if intents & PRIVILEGED_INTENTS & ~self._privileged:
            return CloseCode.DISALLOWED_INTENTS
        if not isinstance(data.get("properties"), dict):
            return CloseCode.DECODE_ERROR
        return None if _is_shard(data.get("shard", [0, 1])) else CloseCode.INVALID_SHARD

    def _revoke_token(self) -> None:
        """End all sessions and replace the token, as Discord does if a bot identifies too often."""
        self._token.replace()
        ended = list(self.sessions.values())
        self.sessions.clear()
        for connection in self._connections:
            connection.close(CloseCode.AUTHENTICATION_FAILED)
        for session in ended:
            session.connection = None
            self._world.emit("connection", session)

    def _send_ready(self, session: Session) -> None:
        guilds = self._world.bot_guilds(session.has)
        session.dispatch("READY", self._ready(session, guilds))
        if session.intents & GUILDS_INTENT:
            for guild in guilds:
                if guild.unavailable:
                    session.dispatch(guild.outage_told_by, guild.unavailable_wire())
                else:
                    self._sight.note(guild)
                    session.dispatch("GUILD_CREATE", guild.arrival(self._world.bot.id))
        self._world.emit("connection", session)

    def _ready(self, session: Session, guilds: list[Guild]) -> Json:
        user = {**self._world.bot.wire(), "verified": True, "mfa_enabled": False, "email": None}
        return {
            "v": 10,
            "user": user,
            "guilds": [guild.unavailable_wire() for guild in guilds],
            "session_id": session.id,
            "session_type": "normal",
            "resume_gateway_url": self.url,
            "shard": [session.shard, session.count],
            "application": {"id": str(self._world.bot.id), "flags": 0},
            "private_channels": [],
            "relationships": [],
            "presences": [],
            "user_settings": {},
            "guild_join_requests": [],
            "geo_ordered_rtc_regions": [],
            "auth": {},
            "_trace": ["sandbox"],
        }

    def resume(self, connection: Connection, data: Json) -> Session | int | None:
        """The resumed session, the code to close with, or None if it can't be resumed."""
        if data.get("token") != self._token.value:
            return CloseCode.AUTHENTICATION_FAILED
        session = self.sessions.get(str(data.get("session_id")))
        if session is not None and session.is_over(self._world.clock.now()):
            del self.sessions[session.id]
            session = None
        if session is None:
            return None
        sequence = data.get("seq")
        if not isinstance(sequence, int) or sequence > session.sequence:
            return CloseCode.INVALID_SEQUENCE
        if session.sent and session.sent[0]["s"] > sequence + 1:
            return None
        if session.connection is not None:
            session.connection.close(CloseCode.ALREADY_AUTHENTICATED)
        session.connection, session.lost_at = connection, None
        session.replay(sequence)
        session.dispatch("RESUMED", {"_trace": ["sandbox"]})
        self.resumed += 1
        self._world.emit("connection", session)
        return session


class ConnectionHandler:
    """Handles what the bot sends on one connection."""

    def __init__(self, gateway: Gateway, connection: Connection) -> None:
        self._gateway = gateway
        self._connection = connection
        self._session: Session | None = None
        self._sent = payload_bucket()
        self._handlers: dict[int, Callable[[Any], None]] = {
            1: self._heartbeat,
            2: self._identify,
            3: lambda _: None,
            4: lambda _: None,
            6: self._resume,
            8: self._members,
        }

    async def serve(self, socket: web.WebSocketResponse) -> None:
        """Answer messages until the connection closes."""
        while True:
            try:
                message = await socket.receive(timeout=self._gateway.heartbeat_timeout)
            except TimeoutError:
                self._connection.close(CloseCode.TIMED_OUT)
                continue
            if message.type is not WSMsgType.TEXT:
                return
            self._handle(message.data)

    def _handle(self, text: str) -> None:
        try:
            payload: Any = json.loads(text) if len(text.encode()) <= MAX_PAYLOAD_BYTES else None
            operation, data = payload["op"], payload.get("d")
        except (ValueError, KeyError, TypeError, AttributeError):
            self._connection.close(CloseCode.DECODE_ERROR)
            return
        if not self._gateway.limits.admits(self._sent):
            self._connection.close(CloseCode.RATE_LIMITED)
        elif operation not in self._handlers:
            self._connection.close(CloseCode.UNKNOWN_OPCODE)
        elif operation not in (1, 2, 6) and self._session is None:
            self._connection.close(CloseCode.NOT_AUTHENTICATED)
        elif operation != 1 and not isinstance(data, dict):
            self._connection.close(CloseCode.DECODE_ERROR)
        else:
            self._handlers[operation](data)

    def _heartbeat(self, _: object) -> None:
        if self._gateway.answers_heartbeats():
            loop = asyncio.get_running_loop()
            loop.call_later(ACK_SECONDS, self._connection.send, {"op": 11, "d": None})

    def _identify(self, data: Json) -> None:
        if self._session is not None:
            self._connection.close(CloseCode.ALREADY_AUTHENTICATED)
            return
        self._begin(self._gateway.identify(self._connection, data))

    def _resume(self, data: Json) -> None:
        self._begin(self._gateway.resume(self._connection, data))

    def _begin(self, session: Session | int | None) -> None:
        if session is None:
            self._connection.send({"op": 9, "d": False})
        elif isinstance(session, int):
            self._connection.close(session)
        else:
            self._session = session

    def _members(self, data: Json) -> None:
        assert self._session is not None
        chunk = self._gateway.members(self._session, data)
        if isinstance(chunk, int):
            self._connection.close(chunk)
        elif chunk is not None:
            self._session.dispatch("GUILD_MEMBERS_CHUNK", chunk)


def _is_shard(shard: object) -> bool:
    return (
        isinstance(shard, list)
        and len(shard) == 2
        and all(isinstance(number, int) for number in shard)
        and 0 <= shard[0] < shard[1]
    )
