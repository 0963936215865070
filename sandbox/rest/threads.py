"""Threads: started from a message or without one, joined and left."""

from sandbox.errors import Problems, refusal
from sandbox.forms import Form
from sandbox.guilds import Channel, ChannelType, Thread
from sandbox.messages import Flag
from sandbox.permissions import Permission
from sandbox.rest.channels import described
from sandbox.rest.routing import NO_CONTENT, Reply, Request, Routes, as_object
from sandbox.world import World

routes = Routes()


@routes.add("POST", "/channels/{channel}/messages/{message}/threads")
def from_message(request: Request) -> Reply:
    channel = request.channel()
    message = request.world.require_message(channel, request.identity("message"))
    if not request.can(channel, Permission.CREATE_PUBLIC_THREADS):
        raise refusal(50013)
    if message.thread is not None:
        raise refusal(160004)
    thread = _begin(request, channel, ChannelType.PUBLIC_THREAD, identity=message.id)
    message.thread = thread.id
    message.flags |= Flag.HAS_THREAD
    request.world.emit("message_updated", message)
    return Reply(described(request, thread).body, 201)


@routes.add("POST", "/channels/{channel}/threads")
def on_its_own(request: Request) -> Reply:
    channel = request.channel()
    problems = Problems()
    form = Form(as_object(request.body), (), problems)
    kind = form.choice("type", (10, 11, 12)) or ChannelType.PRIVATE_THREAD
    problems.check()
    private = kind == ChannelType.PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    if not request.can(channel, needed):
        raise refusal(50013)
    thread = _begin(request, channel, ChannelType(kind))
    return Reply(described(request, thread).body, 201)


def _begin(
    request: Request, channel: Channel, kind: ChannelType, identity: int | None = None
) -> Channel:
    world = request.world
    if channel.type is not ChannelType.TEXT:
        raise refusal(50024)
    problems = Problems()
    form = Form(as_object(request.body), (), problems)
    name = form.text("name", 100, low=1, required=True) or ""
    duration = form.choice("auto_archive_duration", (60, 1440, 4320, 10080)) or 1440
    problems.check()
    now = world.clock.now()
    details = Thread(
        owner=world.bot.id,
        created_at=now,
        changed_at=now,
        duration=duration,
        invitable=form.flag("invitable", default=True),
        members={world.bot.id: now},
    )
    thread = Channel(
        id=identity or world.ids.next(),
        type=kind,
        name=name,
        guild_id=channel.guild_id,
        parent_id=channel.id,
        thread=details,
    )
    guild = world.guild_of(channel)
    assert guild is not None
    guild.channels[thread.id] = thread
    world.emit("thread_created", thread)
    return thread


def _thread(request: Request) -> tuple[World, Channel, Thread]:
    channel = request.channel()
    if channel.thread is None:
        raise refusal(50024)
    return request.world, channel, channel.thread


def _who(request: Request) -> int:
    if "user" not in request.parameters:
        return request.world.bot.id
    user = request.identity("user")
    if user not in request.world.users:
        raise refusal(10013)
    return user


@routes.add("PUT", "/channels/{channel}/thread-members/@me")
@routes.add("PUT", "/channels/{channel}/thread-members/{user}")
def join(request: Request) -> Reply:
    world, channel, thread = _thread(request)
    if thread.archived:
        raise refusal(50083)
    user = _who(request)
    if not request.can(channel, Permission.SEND_MESSAGES_IN_THREADS):
        raise refusal(50013)
    thread.members.setdefault(user, world.clock.now())
    world.emit("thread_updated", channel)
    return NO_CONTENT


@routes.add("DELETE", "/channels/{channel}/thread-members/@me")
@routes.add("DELETE", "/channels/{channel}/thread-members/{user}")
def leave(request: Request) -> Reply:
    world, channel, thread = _thread(request)
    if thread.archived:
        raise refusal(50083)
    user = _who(request)
    owns = thread.owner == world.bot.id and channel.type is ChannelType.PRIVATE_THREAD
    if user != world.bot.id and not owns and not request.can(channel, Permission.MANAGE_THREADS):
        raise refusal(50013)
    thread.members.pop(user, None)
    world.emit("thread_updated", channel)
    return NO_CONTENT


@routes.add("GET", "/channels/{channel}/thread-members")
def members(request: Request) -> Reply:
    _, channel, thread = _thread(request)
    return Reply([channel.membership(user) for user in thread.members])
