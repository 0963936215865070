"""Threads: starting them with or without a message, joining and leaving them."""

from typing import Final

from sandbox.errors import Problems, refusal
from sandbox.forms import Form, as_object
from sandbox.guilds import DURATIONS, FORUM_TYPES, THREAD_TYPES, Channel, ChannelType, Thread
from sandbox.members import User
from sandbox.messages import Flag
from sandbox.permissions import Permission
from sandbox.posting import new_message, post
from sandbox.rest.channels import described
from sandbox.rest.routing import NO_CONTENT, Reply, Request, Routes
from sandbox.world import World

routes = Routes()

KINDS: Final = {
    ChannelType.TEXT: (ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD),
    ChannelType.ANNOUNCEMENT: (ChannelType.ANNOUNCEMENT_THREAD,),
}
"""The types of threads that can be started in each type of channel, forums aside."""


@routes.add("POST", "/channels/{channel}/messages/{message}/threads")
def from_message(request: Request) -> Reply:
    channel = request.channel()
    message = request.world.require_message(channel, request.identity("message"))
    if not request.can(channel, Permission.CREATE_PUBLIC_THREADS):
        raise refusal(50013)
    if message.thread is not None:
        raise refusal(160004)
    if channel.type not in {ChannelType.TEXT, ChannelType.ANNOUNCEMENT}:
        raise refusal(50024)
    thread = _begin(request, channel, identity=message.id)
    message.thread = thread.id
    message.flags |= Flag.HAS_THREAD
    request.world.emit("message_updated", message)
    return Reply(described(request, thread).body, 201)


@routes.add("POST", "/channels/{channel}/threads")
def on_its_own(request: Request) -> Reply:
    channel = request.channel()
    if channel.type in FORUM_TYPES:
        return _begin_post(request, channel)
    problems = Problems()
    form = Form(as_object(request.body), (), problems)
    kind = ChannelType(form.choice("type", THREAD_TYPES) or ChannelType.PRIVATE_THREAD)
    problems.check()
    if kind not in KINDS.get(channel.type, ()):
        raise refusal(50024)
    private = kind is ChannelType.PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    if not request.can(channel, needed):
        raise refusal(50013)
    return Reply(described(request, _begin(request, channel, kind=kind)).body, 201)


def _begin_post(request: Request, forum: Channel) -> Reply:
    """Start a thread in a forum, together with its first message."""
    world = request.world
    if not request.can(forum, Permission.SEND_MESSAGES):
        raise refusal(50013)
    body = as_object(request.body)
    payload = world.payloads.read(body.get("message"), request.uploads, forum.id, path=("message",))
    if payload.is_empty:
        raise refusal(50006)
    thread = _begin(request, forum)
    message = new_message(world, thread, world.bot)
    message.id = thread.id
    post(world, thread, message, payload)
    return Reply(described(request, thread).body | {"message": message.wire()}, 201)


def _begin(
    request: Request,
    channel: Channel,
    *,
    kind: ChannelType | None = None,
    identity: int | None = None,
) -> Channel:
    world = request.world
    problems = Problems()
    form = Form(as_object(request.body), (), problems)
    name = form.text("name", 100, low=1, required=True) or ""
    duration = form.choice("auto_archive_duration", DURATIONS) or 1440
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
    return world.add_thread(channel, name, details, kind=kind, identity=identity)


def _thread(request: Request) -> tuple[World, Channel, Thread]:
    channel = request.channel()
    if channel.thread is None:
        raise refusal(50024)
    return request.world, channel, channel.thread


def _who(request: Request) -> User:
    if "user" not in request.parameters:
        return request.world.bot
    user = request.identity("user")
    if user not in request.world.users:
        raise refusal(10013)
    return request.world.users[user]


@routes.add("PUT", "/channels/{channel}/thread-members/@me")
@routes.add("PUT", "/channels/{channel}/thread-members/{user}")
def join(request: Request) -> Reply:
    world, channel, thread = _thread(request)
    if thread.archived:
        raise refusal(50083)
    user = _who(request)
    if not request.can(channel, channel.sending):
        raise refusal(50013)
    world.add_to_thread(channel, user)
    return NO_CONTENT


@routes.add("DELETE", "/channels/{channel}/thread-members/@me")
@routes.add("DELETE", "/channels/{channel}/thread-members/{user}")
def leave(request: Request) -> Reply:
    world, channel, thread = _thread(request)
    if thread.archived:
        raise refusal(50083)
    user = _who(request)
    owns = thread.owner == world.bot.id and channel.type is ChannelType.PRIVATE_THREAD
    if user is not world.bot and not owns and not request.can(channel, Permission.MANAGE_THREADS):
        raise refusal(50013)
    world.remove_from_thread(channel, user)
    return NO_CONTENT


@routes.add("GET", "/channels/{channel}/thread-members")
def members(request: Request) -> Reply:
    _, channel, thread = _thread(request)
    return Reply([channel.membership(user) for user in thread.members])


@routes.add("GET", "/channels/{channel}/thread-members/{user}")
def member(request: Request) -> Reply:
    _, channel, thread = _thread(request)
    user = _who(request)
    if user.id not in thread.members:
        raise refusal(10007)
    return Reply(channel.membership(user.id))
