"""The bot's responses to interactions: the first one, edits and follow-ups."""

from typing import Final

from sandbox.command_forms import INTEGER, SLASH, STRING
from sandbox.components import read_modal
from sandbox.components.tree import ComponentTree
from sandbox.errors import Json, Problems, refusal
from sandbox.forms import Form, as_object
from sandbox.interactions import Interaction, InteractionType
from sandbox.media import Media
from sandbox.messages import Flag, Message
from sandbox.payload_reader import MessagePayload, Upload
from sandbox.permissions import Permission
from sandbox.posting import edit, new_message, post
from sandbox.world import World

MESSAGE: Final = 4
DEFERRED_MESSAGE: Final = 5
DEFERRED_UPDATE: Final = 6
UPDATE: Final = 7
AUTOCOMPLETE: Final = 8
MODAL: Final = 9
MAX_USER_FOLLOW_UPS: Final = 5
"""Follow-ups to one interaction if only its user has installed the bot, not the server."""

DATA_PATH: Final = ("data",)
CHAT_INPUT_COMMAND_TYPE: Final = 20
CONTEXT_MENU_TYPE: Final = 23
"""Types of messages that answer a command."""

ALLOWED_CALLBACKS: Final = {
    InteractionType.COMMAND: (MESSAGE, DEFERRED_MESSAGE, MODAL),
    InteractionType.COMPONENT: (MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, MODAL),
    InteractionType.AUTOCOMPLETE: (AUTOCOMPLETE,),
    InteractionType.MODAL: (MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE),
}


def respond(world: World, interaction: Interaction, body: object, uploads: list[Upload]) -> None:
    """Carry out the first response; raises DiscordError and changes nothing if it's invalid."""
    problems = Problems()
    form = Form(body, (), problems)
    kind = form.choice("type", _allowed(interaction), required=True)
    problems.check()
    data = form.data.get("data")
    if kind == MESSAGE:
        _send(world, interaction, data, uploads)
    elif kind == DEFERRED_MESSAGE:
        _defer(world, interaction, data)
    elif kind == DEFERRED_UPDATE:
        interaction.message = interaction.source
    elif kind == UPDATE:
        _update(world, interaction, data, uploads)
    elif kind == AUTOCOMPLETE:
        interaction.choices = _choices(form, interaction)
    elif kind == MODAL:
        interaction.modal = _modal(world, form)
    interaction.callback = kind
    interaction.answered.set()
    world.emit("interaction_answered", interaction, only=interaction.user.id)
    if kind not in (DEFERRED_MESSAGE, DEFERRED_UPDATE):
        _settle(world, interaction)


def _allowed(interaction: Interaction) -> tuple[int, ...]:
    allowed = ALLOWED_CALLBACKS[interaction.kind]
    if interaction.kind is InteractionType.MODAL and interaction.source is None:
        return tuple(kind for kind in allowed if kind not in (DEFERRED_UPDATE, UPDATE))
    return allowed


def _settle(world: World, interaction: Interaction) -> None:
    if not interaction.settled.is_set():
        interaction.settled.set()
        world.emit("interaction_settled", interaction, only=interaction.user.id)


def _payload(
    world: World,
    interaction: Interaction,
    data: object,
    uploads: list[Upload],
    edited: Message | None = None,
) -> MessagePayload:
    return world.payloads.read(
        data, uploads, interaction.channel.id, edited=edited, path=DATA_PATH, ephemeral=True
    )


def _new_message_flags(world: World, interaction: Interaction, flags: int) -> int:
    """The flags of a new message: ephemeral too if external apps may not post in the channel."""
    user, channel = interaction.user.id, interaction.channel
    is_guest = interaction.guild is not None and "0" not in interaction.owners
    if is_guest and not world.can(user, channel, Permission.USE_EXTERNAL_APPS):
        flags |= Flag.EPHEMERAL
    return flags


def _post(world: World, interaction: Interaction, payload: MessagePayload, flags: int) -> Message:
    if world.find_channel(interaction.channel.id) is None:
        raise refusal(10003)
    thread = interaction.channel.thread
    if thread is not None and thread.archived and thread.locked:
        raise refusal(50083)
    message = new_message(world, interaction.channel, world.bot)
    message.flags = flags
    message.application_id = message.webhook_id = world.bot.id
    message.metadata = interaction.metadata()
    if interaction.kind is InteractionType.COMMAND and interaction.message is None:
        is_slash = interaction.data["type"] == SLASH
        message.type = CHAT_INPUT_COMMAND_TYPE if is_slash else CONTEXT_MENU_TYPE
    if flags & Flag.EPHEMERAL:
        message.ephemeral_to = interaction.user.id
    return post(world, interaction.channel, message, payload)


def _send(world: World, interaction: Interaction, data: object, uploads: list[Upload]) -> None:
    payload = _payload(world, interaction, data, uploads)
    flags = _new_message_flags(world, interaction, payload.flags)
    interaction.message = _post(world, interaction, payload, flags)
    interaction.ephemeral = bool(flags & Flag.EPHEMERAL)


def _defer(world: World, interaction: Interaction, data: object) -> None:
    flags = data.get("flags") if isinstance(data, dict) else 0
    # All other flags come with the edit.
    private = Flag.EPHEMERAL if (flags or 0) & Flag.EPHEMERAL else 0
    wanted = _new_message_flags(world, interaction, Flag.LOADING | private)
    interaction.message = _post(world, interaction, MessagePayload(), int(wanted))
    interaction.ephemeral = bool(wanted & Flag.EPHEMERAL)


def _update(world: World, interaction: Interaction, data: object, uploads: list[Upload]) -> None:
    source = interaction.source
    if source is None or source.deleted:
        raise refusal(10008)
    _check_not_archived(world, source)
    payload = _payload(world, interaction, data, uploads, source)
    interaction.message = edit(world, source, payload)
    interaction.ephemeral = source.ephemeral_to is not None


def _check_not_archived(world: World, message: Message) -> None:
    """Refuse (50083) to edit a public message of an interaction in an archived thread.

    A lock doesn't matter, because answers to interactions need no permission in the channel.
    That's an assumption; `Faults.locked_answers` makes the lock matter.
    """
    channel = world.find_channel(message.channel_id)
    if channel is None or channel.thread is None or message.ephemeral_to is not None:
        return
    if channel.thread.archived:
        raise refusal(50083)


def _choices(form: Form, interaction: Interaction) -> list[Json]:
    problems = form.problems
    data = form.form("data", required=True)
    choices: list[Json] = []
    focused = _focused(interaction.data.get("options", []))
    for choice in data.forms("choices", 25, required=True) if data else []:
        name = choice.text("name", 100, low=1, required=True)
        value = choice.data.get("value")
        if focused["type"] == STRING:
            value = choice.text("value", 100, required=True)
        elif focused["type"] == INTEGER:
            value = choice.integer("value", required=True)
        elif not isinstance(value, int | float):
            choice.note("value", "NUMBER_TYPE_COERCE", f'Value "{value}" is not float.')
        choices.append({"name": name, "value": value})
    problems.check()
    return choices


def _focused(options: list[Json]) -> Json:
    for option in options:
        if option.get("focused"):
            return option
        if "options" in option and (found := _focused(option["options"])):
            return found
    return {}


def _modal(world: World, form: Form) -> Json:
    data = form.form("data", required=True)
    tree = ComponentTree(world.emojis, Media(world.cdn, world.ids.next), world.find_channel)
    modal = read_modal(data, tree) if data is not None else {}
    form.problems.check()
    return modal


# What the token of an interaction allows after the first response.


def find_message(world: World, interaction: Interaction, which: str) -> Message:
    """A message of this interaction: `@original`, or by id; raises DiscordError 10008 if gone."""
    own = [interaction.message, *interaction.followups]
    if which == "@original":
        message = interaction.message
    else:
        message = next((m for m in own if m is not None and str(m.id) == which), None)
    if message is None or message.deleted or message.id not in world.messages:
        raise refusal(10008)
    return message


def follow_up(
    world: World, interaction: Interaction, body: object, uploads: list[Upload]
) -> Message:
    """Send a follow-up; the first one after a deferred response edits that response instead."""
    waiting = interaction.message
    if waiting is not None and waiting.is_loading and not waiting.deleted:
        return edit_message(world, interaction, waiting, body, uploads)
    if "0" not in interaction.owners and len(interaction.followups) >= MAX_USER_FOLLOW_UPS:
        raise refusal(40094)
    payload = world.payloads.read(body, uploads, interaction.channel.id, ephemeral=True)
    message = _post(
        world, interaction, payload, _new_message_flags(world, interaction, payload.flags)
    )
    interaction.followups.append(message)
    _settle(world, interaction)
    return message


def edit_message(
    world: World, interaction: Interaction, message: Message, body: object, uploads: list[Upload]
) -> Message:
    """Edit a message of this interaction."""
    fields = as_object(body)
    _check_not_archived(world, message)
    payload = world.payloads.read(fields, uploads, message.channel_id, edited=message)
    edit(world, message, payload)
    _settle(world, interaction)
    return message


def delete_message(world: World, interaction: Interaction, message: Message) -> None:
    """Delete a message of this interaction."""
    world.delete_message(message)
    _settle(world, interaction)
