"""Registering application commands."""

from sandbox.commands import GLOBAL, Scope
from sandbox.errors import refusal
from sandbox.rest.applications import own
from sandbox.rest.routing import NOTHING, Reply, Request, Routes

routes = Routes()

EVERYWHERE = "/applications/{application}/commands"
HERE = "/applications/{application}/guilds/{guild}/commands"


def _scope(request: Request) -> Scope:
    own(request)
    if "guild" not in request.parameters:
        return GLOBAL
    guild = request.world.guilds.get(request.identity("guild"))
    if guild is None or request.world.bot.id not in guild.members:
        raise refusal(50001)
    return guild.id


@routes.add("GET", EVERYWHERE)
@routes.add("GET", HERE)
def list_commands(request: Request) -> Reply:
    return Reply(request.services.commands.of(_scope(request)))


@routes.add("PUT", EVERYWHERE)
@routes.add("PUT", HERE)
def overwrite_commands(request: Request) -> Reply:
    return Reply(request.services.commands.overwrite(_scope(request), request.body))


@routes.add("POST", EVERYWHERE)
@routes.add("POST", HERE)
def upsert_command(request: Request) -> Reply:
    command, is_new = request.services.commands.upsert(_scope(request), request.body)
    return Reply(command, 201 if is_new else 200)


@routes.add("GET", f"{EVERYWHERE}/{{command}}")
@routes.add("GET", f"{HERE}/{{command}}")
def get_command(request: Request) -> Reply:
    scope = _scope(request)
    return Reply(request.services.commands.find(scope, request.identity("command")))


@routes.add("PATCH", f"{EVERYWHERE}/{{command}}")
@routes.add("PATCH", f"{HERE}/{{command}}")
def edit_command(request: Request) -> Reply:
    scope, identity = _scope(request), request.identity("command")
    return Reply(request.services.commands.change(scope, identity, request.body))


@routes.add("DELETE", f"{EVERYWHERE}/{{command}}")
@routes.add("DELETE", f"{HERE}/{{command}}")
def delete_command(request: Request) -> Reply:
    request.services.commands.remove(_scope(request), request.identity("command"))
    return NOTHING
