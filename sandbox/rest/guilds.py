"""The servers that the bot is in, and their members."""

from sandbox.directory import must_be_available
from sandbox.errors import refusal
from sandbox.guilds import Guild
from sandbox.rest.routing import NO_CONTENT, Reply, Request, Routes

routes = Routes()


def _guild(request: Request) -> Guild:
    guild = request.world.guilds.get(request.identity("guild"))
    if guild is None or request.world.bot.id not in guild.members:
        # Discord doesn't reveal which servers exist.
        raise refusal(10004)
    must_be_available(guild)
    return guild


@routes.add("GET", "/guilds/{guild}")
def get_guild(request: Request) -> Reply:
    guild = _guild(request)
    body = guild.wire()
    if request.query.get("with_counts") in ("true", "1"):
        body["approximate_member_count"] = len(guild.members)
        body["approximate_presence_count"] = len(guild.members)
    return Reply(body)


@routes.add("GET", "/guilds/{guild}/channels")
def channels(request: Request) -> Reply:
    """The channels that the bot can view; only the gateway sends the others too."""
    viewed = _guild(request).viewed_channels(request.world.bot.id)
    return Reply([channel.wire() for channel in viewed])


@routes.add("GET", "/guilds/{guild}/roles")
def roles(request: Request) -> Reply:
    return Reply([role.wire() for role in _guild(request).roles.values()])


@routes.add("GET", "/guilds/{guild}/threads/active")
def active_threads(request: Request) -> Reply:
    guild, bot = _guild(request), request.world.bot.id
    seen = guild.active_threads(bot)
    members = [membership for t in seen if (membership := t.membership(bot)) is not None]
    threads = [thread.wire() for thread in seen]
    return Reply({"threads": threads, "members": members, "has_more": False})


@routes.add("GET", "/guilds/{guild}/members/{user}")
def member(request: Request) -> Reply:
    guild = _guild(request)
    user = request.identity("user")
    if user not in request.world.users:
        raise refusal(10013)
    if user not in guild.members:
        raise refusal(10007)
    return Reply(guild.members[user].wire())


@routes.add("DELETE", "/users/@me/guilds/{guild}")
def leave(request: Request) -> Reply:
    request.world.remove_bot(_guild(request))
    return NO_CONTENT
