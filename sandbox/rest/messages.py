"""Messages that the bot sends outside of interactions."""

from datetime import timedelta
from typing import Final

from sandbox.errors import Json, Problems, invalid, refusal
from sandbox.forms import Form, as_object
from sandbox.guilds import VOICE_TYPES, Channel
from sandbox.messages import Message
from sandbox.payload_reader import MessagePayload, read_nonce
from sandbox.permissions import Permission
from sandbox.posting import check_editable, edit, is_old, new_message, post
from sandbox.rest.routing import NO_CONTENT, Reply, Request, Routes

routes = Routes()

NONCE_LIFETIME: Final = timedelta(minutes=5)
REPLY_TYPE: Final = 19
"""The message type of a reply."""


@routes.add("GET", "/channels/{channel}/messages")
def list_messages(request: Request) -> Reply:
    channel = request.channel()
    if not request.can(channel, Permission.READ_MESSAGE_HISTORY):
        return Reply([])
    problems = Problems()
    form = Form(dict(request.query), (), problems)
    limit = form.integer("limit", low=1, high=100) if "limit" in request.query else 50
    marks = {n: form.snowflake(n) for n in ("before", "after", "around") if n in request.query}
    problems.check()
    if len(marks) > 1:
        message = "Only one of around, before and after may be passed"
        raise invalid((), "BASE_TYPE_MUTUALLY_EXCLUSIVE", message)
    public = [m for m in request.world.history[channel.id] if m.ephemeral_to is None]
    chosen = _page(public, {name: mark or 0 for name, mark in marks.items()}, limit or 50)
    return Reply([message.wire() for message in sorted(chosen, key=lambda m: -m.id)])


def _page(messages: list[Message], marks: dict[str, int], limit: int) -> list[Message]:
    if "after" in marks:
        return [m for m in messages if m.id > marks["after"]][:limit]
    if "before" in marks:
        return [m for m in messages if m.id < marks["before"]][-limit:]
    if "around" in marks:
        nearest = sorted(messages, key=lambda m: abs(m.id - marks["around"]))
        return nearest[:limit]
    return messages[-limit:]


@routes.add("GET", "/channels/{channel}/messages/{message}")
def get_message(request: Request) -> Reply:
    channel = request.channel()
    if not request.can(channel, Permission.READ_MESSAGE_HISTORY):
        raise refusal(50001)
    return Reply(request.world.require_message(channel, request.identity("message")).wire())


@routes.add("POST", "/channels/{channel}/messages")
def create_message(request: Request) -> Reply:
    world = request.world
    channel = request.channel()
    body: Json = {} if request.body is None else as_object(request.body)
    nonce = read_nonce(body)
    if body.get("enforce_nonce") and nonce is not None:
        before = _sent_before(request, nonce)
        if before is not None:
            return Reply(before.wire() | {"nonce": nonce})
    payload = world.payloads.read(body, request.uploads, channel.id)
    _check_sending(request, channel, payload)
    message = new_message(world, channel, world.bot)
    message.nonce = nonce
    message.reference = _reference(request, channel, body)
    if message.reference is not None:
        message.type = REPLY_TYPE
    post(world, channel, message, payload)
    if nonce is not None:
        world.by_nonce[nonce] = message
    return Reply(message.wire())


def _sent_before(request: Request, nonce: int | str) -> Message | None:
    """The message that the bot sent with this nonce in the last 5 minutes, in any channel.

    Raises 10008 if it's deleted.
    """
    message = request.world.by_nonce.get(nonce)
    if message is None or request.world.clock.now() - message.created_at > NONCE_LIFETIME:
        return None
    if message.deleted:
        raise refusal(10008)
    return message


def _check_sending(request: Request, channel: Channel, payload: MessagePayload) -> None:
    world = request.world
    if channel.recipient is not None:
        _check_direct(request, channel)
        return
    if not channel.takes_messages:
        raise refusal(50008)
    if channel.type in VOICE_TYPES and not request.can(channel, Permission.CONNECT):
        raise refusal(50001)
    if world.locks_out(world.bot.id, channel):
        raise refusal(160005)
    if not request.can(channel, channel.sending):
        raise refusal(50013)
    if payload.embeds and not request.can(channel, Permission.EMBED_LINKS):
        raise refusal(50013)
    if payload.uploads and not world.can(world.bot.id, channel, Permission.ATTACH_FILES):
        raise refusal(50013)


def _check_direct(request: Request, channel: Channel) -> None:
    assert channel.recipient is not None
    user = channel.recipient.id
    if request.services.faults.quarantined and not request.world.history[channel.id]:
        raise refusal(20026)
    if not request.world.share_a_guild(user) and user not in request.world.user_installs:
        raise refusal(50278)
    if user in request.world.closed:
        raise refusal(50007)


def _reference(request: Request, channel: Channel, body: Json) -> Json | None:
    if body.get("message_reference") is None:
        return None
    problems = Problems()
    form = Form(body["message_reference"], ("message_reference",), problems)
    identity = form.snowflake("message_id", required=True) or 0
    problems.check()
    if not request.can(channel, Permission.READ_MESSAGE_HISTORY):
        raise refusal(160002)
    found = request.world.messages.get(identity)
    if found is None or found.channel_id != channel.id or found.ephemeral_to is not None:
        if form.flag("fail_if_not_exists", default=True):
            path = ("message_reference",)
            raise invalid(path, "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return None
    reference = {"type": 0, "message_id": str(identity), "channel_id": str(channel.id)}
    return reference | ({"guild_id": str(channel.guild_id)} if channel.guild_id else {})


@routes.add("PATCH", "/channels/{channel}/messages/{message}")
def edit_message(request: Request) -> Reply:
    world = request.world
    channel = request.channel()
    message = world.require_message(channel, request.identity("message"))
    if message.author is not world.bot:
        raise refusal(50005)
    check_editable(world, channel)
    body = as_object(request.body)
    payload = world.payloads.read(body, request.uploads, channel.id, edited=message)
    if payload.uploads and not request.can(channel, Permission.ATTACH_FILES):
        raise refusal(50013)
    if is_old(world, message):
        request.services.limits.check_old_edit(channel.id)
    return Reply(edit(world, message, payload).wire())


@routes.add("DELETE", "/channels/{channel}/messages/{message}")
def delete_message(request: Request) -> Reply:
    channel = request.channel()
    message = request.world.require_message(channel, request.identity("message"))
    if message.author is not request.world.bot:
        if channel.recipient is not None:
            raise refusal(50003)
        if not request.can(channel, Permission.MANAGE_MESSAGES):
            raise refusal(50013)
    thread = channel.thread
    if thread is not None and thread.archived:
        is_locked = request.world.locks_out(request.world.bot.id, channel)
        if is_locked or request.services.faults.refuse_archived_deletes:
            raise refusal(50083)
    request.world.delete_message(message)
    return NO_CONTENT
