"""Channels: reading and deleting them, typing, and editing threads."""

from datetime import datetime

from sandbox.errors import Json, Problems, refusal
from sandbox.forms import Form, as_object
from sandbox.guilds import DURATIONS, Channel, Thread
from sandbox.permissions import Permission
from sandbox.rest.routing import NO_CONTENT, Reply, Request, Routes

routes = Routes()


def described(request: Request, channel: Channel) -> Reply:
    """The JSON of a channel, for a thread with the bot's membership if it has one."""
    membership = channel.membership(request.world.bot.id)
    body = channel.wire()
    return Reply(body | {"member": membership} if membership else body)


@routes.add("GET", "/channels/{channel}")
def get_channel(request: Request) -> Reply:
    return described(request, request.channel())


@routes.add("POST", "/channels/{channel}/typing")
def typing(request: Request) -> Reply:
    channel = request.channel()
    if not channel.takes_messages:
        raise refusal(50008)
    if not request.can(channel, channel.sending):
        raise refusal(50013)
    return NO_CONTENT


@routes.add("PATCH", "/channels/{channel}")
def edit_channel(request: Request) -> Reply:
    """Edit a thread; the bot has no permission to edit other channels."""
    channel = request.channel()
    if channel.recipient is not None:
        raise refusal(50003)
    thread = channel.thread
    if thread is None:
        raise refusal(50013)
    body = as_object(request.body)
    if not _may_edit(request, channel, thread, body):
        raise refusal(50013)
    if thread.archived and body.get("archived") is not False:
        raise refusal(50083)
    locks = "locked" in body and body["locked"] is not thread.locked
    if (thread.locked or locks) and not request.can(channel, Permission.MANAGE_THREADS):
        raise refusal(160005 if thread.locked else 50013)
    _change(channel, thread, body, request.world.clock.now())
    request.world.emit("thread_updated", channel)
    return described(request, channel)


def _may_edit(request: Request, channel: Channel, thread: Thread, body: Json) -> bool:
    """Whether the bot may edit a thread.

    To unarchive an unlocked thread, it must be a member of it and be allowed to send messages
    there. One page of Discord's documentation requires only the former, another only the latter.
    """
    if thread.owner == request.world.bot.id or request.can(channel, Permission.MANAGE_THREADS):
        return True
    opens = body == {"archived": False} and not thread.locked
    was_added = request.world.bot.id in thread.members
    return opens and was_added and request.can(channel, channel.sending)


def _change(channel: Channel, thread: Thread, body: Json, now: datetime) -> None:
    problems = Problems()
    form = Form(body, (), problems)
    name = form.text("name", 100, low=1)
    archived = form.flag("archived", default=thread.archived)
    locked = form.flag("locked", default=thread.locked)
    invitable = form.flag("invitable", default=thread.invitable)
    duration = form.choice("auto_archive_duration", DURATIONS)
    problems.check()
    channel.name = name or channel.name
    thread.locked, thread.invitable = locked, invitable
    if duration is not None:
        thread.duration, thread.active_at = duration, now
    if archived:
        thread.close(now)
    elif thread.archived:
        thread.reopen(now)
    thread.changed_at = now


@routes.add("DELETE", "/channels/{channel}")
def delete_channel(request: Request) -> Reply:
    channel = request.channel()
    if channel.recipient is not None:
        # To delete direct messages is to close them, which deletes nothing.
        return Reply(channel.wire())
    if not request.can(channel, Permission.MANAGE_THREADS):
        raise refusal(50013)
    body = channel.wire()
    request.world.delete_channel(channel)
    return Reply(body)
