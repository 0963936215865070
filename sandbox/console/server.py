"""The server side of the page: its files, and a WebSocket for each open page."""

from collections.abc import Sequence
from importlib import resources
from typing import Final

from aiohttp import web

from sandbox.console.fault_panel import FaultPanel
from sandbox.console.member_actions import MemberActions
from sandbox.console.page_socket import PageSocket
from sandbox.console.views import Views, title
from sandbox.errors import Json
from sandbox.events import Event
from sandbox.server import Sandbox
from sandbox.supervisor import Supervisor

PAGE_FOLDER: Final = resources.files("sandbox.console") / "page"
CONTENT_TYPES: Final = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
OWN_HOSTS: Final = frozenset({"127.0.0.1", "localhost"})
HEADERS: Final = {
    "Cache-Control": "no-store",
    # Load nothing from other servers, not even the pictures in embeds.
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
}


class Console:
    """The page of one sandbox; create it before the sandbox starts, as it adds routes to it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.bots: Sequence[Supervisor] = ()
        """The processes of the bot; empty if this process doesn't supervise them."""

        self.views = Views(sandbox)
        self.actions = MemberActions(sandbox, self.views)
        self.fault_panel = FaultPanel(sandbox)
        self._sockets: set[PageSocket] = set()
        sandbox.world.events.subscribe(self._on_event)
        router = sandbox.app.router
        router.add_get("/", self._index)
        router.add_get("/console/socket", self._socket)
        router.add_get(r"/console/{folder:css|js}/{name:[a-z-]+\.(?:css|js)}", self._file)

    def wake(self) -> None:
        """Send every open page what has changed."""
        for socket in self._sockets:
            socket.wake()

    def resend_world(self) -> None:
        """Send every open page the part that is the same for everybody again."""
        for socket in self._sockets:
            socket.resend_world()

    def members(self) -> list[str]:
        """The ids of the users whose client a pane can show."""
        return [str(client.id) for client in self.sandbox.clients]

    def dismiss(self, member: int, message: int) -> None:
        """Dismiss an ephemeral message for its only reader; ignored if it's for somebody else."""
        found = self.sandbox.world.messages.get(message)
        if found is not None and found.ephemeral_to == member:
            self.sandbox.person(member).dismiss(found)
            self.wake()

    async def control(self, ask: Json) -> Json:
        """Carry out the action of a button of the panel; returns the reply to the page."""
        try:
            known = await self._control_bot(ask) or await self.fault_panel.do(ask)
        except LookupError as error:
            return {"error": str(error).strip("'\"")}
        finally:
            self.resend_world()
        return {} if known else {"error": f"The panel can't do {ask.get('verb')!r}."}

    async def _control_bot(self, ask: Json) -> bool:
        verb, number = str(ask.get("verb")), ask.get("process", 1)
        if not self.bots or not verb.endswith("-bot") or verb == "mute-bot":
            return False
        if number not in range(1, len(self.bots) + 1):
            raise LookupError(f"There is no process {number!r} of the bot.")
        bot = self.bots[number - 1]
        act = {"start-bot": bot.start, "restart-bot": bot.restart}
        await act.get(verb, bot.kill)()
        return True

    def state_of_bot(self) -> Json:
        """The bot's status for the top bar: its connection, command, and processes in order."""
        connected = self.sandbox.gateway.is_ready()
        return {
            "connected": connected,
            "command": " ".join(self.bots[0].command) if self.bots else "",
            "processes": [
                {
                    "state": bot.state,
                    "exit_code": bot.exit_code,
                    "exited_alone": bot.exited_alone,
                }
                for bot in self.bots
            ],
        }

    def _on_event(self, event: Event) -> None:
        if event.kind == "interaction_started":
            self.views.titles[str(event.subject.id)] = title(event.subject)
        if event.kind in {"member_added", "member_removed"}:
            self.resend_world()
        self.wake()

    async def _index(self, _: web.Request) -> web.Response:
        return _served("index.html")

    async def _file(self, request: web.Request) -> web.Response:
        return _served(f"{request.match_info['folder']}/{request.match_info['name']}")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        if not _is_own(request):
            raise web.HTTPForbidden(text="Only the sandbox's own page can connect here.")
        stream = web.WebSocketResponse(heartbeat=30.0)
        await stream.prepare(request)
        socket = PageSocket(self, stream)
        self._sockets.add(socket)
        try:
            await socket.serve()
        finally:
            self._sockets.discard(socket)
        return stream

    async def close(self) -> None:
        """Close the sockets of all open pages."""
        for socket in tuple(self._sockets):
            await socket.close()


def _is_own(request: web.Request) -> bool:
    """Whether the request comes from a page of this server, not from another website."""
    origin, host = request.headers.get("Origin"), request.host
    return host.partition(":")[0] in OWN_HOSTS and origin in (None, f"http://{host}")


def _served(path: str) -> web.Response:
    file = PAGE_FOLDER / path
    if not file.is_file():
        raise web.HTTPNotFound
    kind = CONTENT_TYPES[path.rpartition(".")[2]]
    text = file.read_text(encoding="utf-8")
    return web.Response(text=text, content_type=kind, headers=HEADERS)
