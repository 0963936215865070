"""Channels themselves."""

from sandbox.errors import Problems, refusal
from sandbox.forms import Form
from sandbox.guilds import Channel
from sandbox.permissions import Permission
from sandbox.rest.routing import NO_CONTENT, Reply, Request, Routes, as_object

routes = Routes()


def described(request: Request, channel: Channel) -> Reply:
    """The JSON of a channel; a thread has the bot's membership with it."""
    membership = channel.membership(request.world.bot.id)
    body = channel.wire()
    return Reply(body | {"member": membership} if membership else body)


@routes.add("GET", "/channels/{channel}")
def get_channel(request: Request) -> Reply:
    return described(request, request.channel())


@routes.add("POST", "/channels/{channel}/typing")
def typing(request: Request) -> Reply:
    channel = request.channel()
    if not request.can(channel, Permission.SEND_MESSAGES):
        raise refusal(50013)
    return NO_CONTENT


@routes.add("PATCH", "/channels/{channel}")
def edit_channel(request: Request) -> Reply:
    """Edit a thread; the bot may not edit other channels."""
    channel = request.channel()
    if channel.recipient is not None:
        raise refusal(50003)
    thread = channel.thread
    if thread is None:
        raise refusal(50013)
    owns = thread.owner == request.world.bot.id
    if not (owns or request.can(channel, Permission.MANAGE_THREADS)):
        raise refusal(50013)
    body = as_object(request.body)
    if thread.archived and body.get("archived") is not False:
        raise refusal(50083)
    problems = Problems()
    form = Form(body, (), problems)
    if (name := form.text("name", 100, low=1)) is not None:
        channel.name = name
    thread.archived = form.flag("archived", default=thread.archived)
    thread.locked = form.flag("locked", default=thread.locked)
    thread.invitable = form.flag("invitable", default=thread.invitable)
    duration = form.choice("auto_archive_duration", (60, 1440, 4320, 10080))
    thread.duration = duration or thread.duration
    problems.check()
    thread.changed_at = request.world.clock.now()
    request.world.emit("thread_updated", channel)
    return described(request, channel)


@routes.add("DELETE", "/channels/{channel}")
def delete_channel(request: Request) -> Reply:
    channel = request.channel()
    if channel.recipient is not None:
        # Closing a direct message deletes nothing.
        return Reply(channel.wire())
    if not request.can(channel, Permission.MANAGE_THREADS):
        raise refusal(50013)
    body = channel.wire()
    request.world.delete_channel(channel)
    return Reply(body)
