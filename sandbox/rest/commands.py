"""Registering application commands."""

from sandbox.commands import GLOBAL_SCOPE, Scope
from sandbox.errors import refusal
from sandbox.rest.applications import check_application
from sandbox.rest.routing import NO_CONTENT, Reply, Request, Routes

routes = Routes()

GLOBAL_PATH = "/applications/{application}/commands"
GUILD_PATH = "/applications/{application}/guilds/{guild}/commands"


def _scope(request: Request) -> Scope:
    check_application(request)
    if "guild" not in request.parameters:
        return GLOBAL_SCOPE
    guild = request.world.guilds.get(request.identity("guild"))
    if guild is None or request.world.bot.id not in guild.members:
        raise refusal(50001)
    return guild.id


@routes.add("GET", GLOBAL_PATH)
@routes.add("GET", GUILD_PATH)
def list_commands(request: Request) -> Reply:
    return Reply(request.services.commands.of(_scope(request)))


@routes.add("PUT", GLOBAL_PATH)
@routes.add("PUT", GUILD_PATH)
def overwrite_commands(request: Request) -> Reply:
    return Reply(request.services.commands.overwrite(_scope(request), request.body))


@routes.add("POST", GLOBAL_PATH)
@routes.add("POST", GUILD_PATH)
def upsert_command(request: Request) -> Reply:
    command, is_new = request.services.commands.upsert(_scope(request), request.body)
    return Reply(command, 201 if is_new else 200)


@routes.add("GET", f"{GLOBAL_PATH}/{{command}}")
@routes.add("GET", f"{GUILD_PATH}/{{command}}")
def get_command(request: Request) -> Reply:
    scope = _scope(request)
    return Reply(request.services.commands.find(scope, request.identity("command")))


@routes.add("PATCH", f"{GLOBAL_PATH}/{{command}}")
@routes.add("PATCH", f"{GUILD_PATH}/{{command}}")
def edit_command(request: Request) -> Reply:
    scope, identity = _scope(request), request.identity("command")
    return Reply(request.services.commands.change(scope, identity, request.body))


@routes.add("DELETE", f"{GLOBAL_PATH}/{{command}}")
@routes.add("DELETE", f"{GUILD_PATH}/{{command}}")
def delete_command(request: Request) -> Reply:
    request.services.commands.remove(_scope(request), request.identity("command"))
    return NO_CONTENT
