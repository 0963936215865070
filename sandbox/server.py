"""The sandbox: one HTTP server on 127.0.0.1 with REST, gateway and CDN."""

from collections.abc import Callable
from datetime import timedelta
from typing import Final, Self, TypeVar

from aiohttp import web

from sandbox.api import Api
from sandbox.bot_token import BotToken
from sandbox.clients import Client
from sandbox.clock import Clock
from sandbox.commands import Commands
from sandbox.endpoint import Endpoint
from sandbox.errors import Json
from sandbox.faults import Faults
from sandbox.gateway import Gateway
from sandbox.gateway_limits import GatewayLimits
from sandbox.interactions import ANSWER_WITHIN, Interactions
from sandbox.ratelimits import RateLimits
from sandbox.request_log import LoggedRequest
from sandbox.rest import Services
from sandbox.world import APPLICATION_ID, World

T = TypeVar("T")
HOST: Final = "127.0.0.1"
UPLOADED_HEADERS: Final = {
    # Pages can show an uploaded file as a picture or save it, but it never runs as a page itself.
    "Content-Disposition": "attachment",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}
MAX_BODY_BYTES: Final = 64 * 1024 * 1024


class Sandbox:
    """A local Discord. `async with Sandbox() as discord:` starts and stops it.

    `port` 0 takes any free one; `heartbeat` is in milliseconds; `privileged_intents` are the bits
    of those that the bot may use; the servers (`guilds`) are spread over the shards.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        shards: int = 1,
        guilds: int = 1,
        heartbeat: int = 41_250,
        privileged_intents: int = 0,
        answer_within: timedelta = ANSWER_WITHIN,
    ) -> None:
        self._port = port
        self.shards = shards
        self._token = BotToken.of(APPLICATION_ID)
        self.clock = Clock()
        self.faults = Faults()
        self.world = World(self.clock, guilds=guilds)
        self.commands = Commands(self.world)
        self.interactions = Interactions(self.world, answer_within)
        self.limits = RateLimits(Clock())
        gateway_limits = GatewayLimits(self.limits, self.faults)
        self.gateway = Gateway(
            self.world,
            self.faults,
            gateway_limits,
            self._token,
            privileged=privileged_intents,
            heartbeat=heartbeat,
        )
        self.endpoint = Endpoint(self.clock, self.faults, self.interactions)
        self.interactions.deliver = self._deliver
        self._services = self._shared(gateway_limits)
        self._api = Api(self._services, self._token)
        self._clients: dict[int, Client] = {}
        self.app = self._application()
        self._runner = web.AppRunner(self.app, access_log=None, shutdown_timeout=0.1)

    def _shared(self, gateway_limits: GatewayLimits) -> Services:
        """The services that all routes of the API use."""
        return Services(
            world=self.world,
            commands=self.commands,
            interactions=self.interactions,
            faults=self.faults,
            limits=self.limits,
            endpoint=self.endpoint,
            shards=self.shards,
            gateway_limits=gateway_limits,
        )

    def _application(self) -> web.Application:
        # No middlewares: with them, aiohttp caches the handlers of the last hundred sandboxes.
        app = web.Application(client_max_size=MAX_BODY_BYTES)
        app.router.add_route("*", "/api/{path:.*}", self._api.serve)
        app.router.add_get("/attachments/{channel}/{id}/{name}", self._attachment)
        app.router.add_get("/emojis/{name}", self._emoji)
        app.router.add_get("/gateway", self.gateway.serve)
        app.router.add_get("/gateway/", self.gateway.serve)
        return app

    async def start(self) -> Self:
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, self._port, backlog=1024)
        await site.start()
        self._port = self._runner.addresses[0][1]
        self.world.cdn.origin = self.url
        self.gateway.url = f"ws://{HOST}:{self._port}/gateway"
        self._services.gateway_url = self.gateway.url
        return self

    async def stop(self) -> None:
        self.gateway.close()
        await self.endpoint.close()
        await self._runner.cleanup()

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *_of_error: object) -> None:
        await self.stop()

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._port}"

    @property
    def token(self) -> str:
        """The bot token that is valid at present."""
        return self._token.value

    @property
    def requests(self) -> list[LoggedRequest]:
        """All REST requests so far, in order."""
        return self._api.requests

    @property
    def unknown_routes(self) -> list[str]:
        """What the bot has asked for that the sandbox doesn't implement."""
        return self._api.unknown_routes

    def person(self, name: str | int) -> Client:
        """The client of a person, by name or id; always the same object for each person."""
        user = self.world.user(name)
        if user.id not in self._clients:
            self._clients[user.id] = Client(user, self.world, self.commands, self.interactions)
        return self._clients[user.id]

    @property
    def clients(self) -> list[Client]:
        return [self.person(user.id) for user in self.world.users.values() if not user.bot]

    def is_connected(self) -> bool:
        """Whether every shard has identified, and the bot isn't just registering its commands."""
        syncing = any("/commands" in request.path for request in self._api.pending)
        return self.gateway.is_ready() and not syncing

    async def ready(self, timeout: float = 120.0) -> None:  # noqa: ASYNC109 - the test's patience
        """Wait until the bot is connected; raises TimeoutError after `timeout` seconds."""
        await self.until(self.is_connected, timeout)

    async def until(self, predicate: Callable[[], T], timeout: float = 60.0) -> T:  # noqa: ASYNC109 - the test's patience
        """The first truthy value of `predicate`, called now and at each event of the world.

        Raises TimeoutError after `timeout` seconds.
        """
        return await self.world.events.until(predicate, timeout)

    async def drop_connections(self) -> None:
        """Abort every connection of the gateway; the sessions can be resumed."""
        self.gateway.drop()

    async def request_reconnect(self) -> None:
        self.gateway.ask_to_reconnect()

    async def invalidate_sessions(self, *, resumable: bool = False) -> None:
        self.gateway.invalidate(resumable=resumable)

    def _deliver(self, guild: int | None, payload: Json) -> None:
        """Send an interaction to the endpoint if one is registered, otherwise over the gateway."""
        if self.endpoint.urls:
            self.endpoint.deliver(payload)
        else:
            self.gateway.deliver(guild, payload)

    async def _attachment(self, request: web.Request) -> web.StreamResponse:
        file = self.world.cdn.find(str(request.rel_url))
        if file is None:
            text = "This content is no longer available."
            return web.Response(status=404, text=text)
        return web.Response(
            body=file.data, content_type=file.content_type, headers=UPLOADED_HEADERS
        )

    async def _emoji(self, request: web.Request) -> web.StreamResponse:
        identity = request.match_info["name"].partition(".")[0]
        emoji = self.world.emojis.get(int(identity)) if identity.isdigit() else None
        if emoji is None:
            return web.Response(status=404)
        return web.Response(
            body=emoji.image, content_type=emoji.content_type, headers=UPLOADED_HEADERS
        )
