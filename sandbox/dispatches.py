"""The gateway dispatches that an event of the world causes."""

from collections.abc import Iterator
from typing import Any, Final

from sandbox.errors import Json
from sandbox.events import Event
from sandbox.guilds import Channel, Guild
from sandbox.members import Role, User
from sandbox.messages import Message
from sandbox.permissions import Permission
from sandbox.world import World

GUILDS_INTENT: Final = 1 << 0
GUILD_MEMBERS_INTENT: Final = 1 << 1
GUILD_MESSAGES_INTENT: Final = 1 << 9
DIRECT_MESSAGES_INTENT: Final = 1 << 12

Dispatch = tuple[str, Json, int | None, int]
"""Name, data, the id of the server (None in direct messages), and the required intents."""


def dispatches_of(world: World, event: Event) -> Iterator[Dispatch]:
    """The dispatches for an event; a session gets those that its intents include."""
    subject: Any = event.subject
    home = world.guilds.get(event.guild or 0)
    if home is not None and home.unavailable and not isinstance(subject, Guild):
        return
    group = event.kind.partition("_")[0]
    if isinstance(subject, Message):
        yield from _message(world, event.kind, subject)
    elif event.kind in {"thread_joined", "thread_left"}:
        yield from _membership(world, event.kind, *subject)
    elif isinstance(subject, Channel) and group in {"channel", "thread"}:
        yield from _channel(world, event.kind, subject)
    elif isinstance(subject, Guild):
        yield from _guild(world, event.kind, subject)
    elif isinstance(subject, Role) and event.guild is not None:
        yield _role(event.kind, subject, event.guild)
    elif group == "member" and event.guild is not None:
        yield from _member(world, event.kind, subject, event.guild)


def _sees(world: World, channel: Channel) -> bool:
    return world.can(world.bot.id, channel, Permission.VIEW_CHANNEL)


def _message(world: World, kind: str, message: Message) -> Iterator[Dispatch]:
    channel = world.find_channel(message.channel_id)
    if channel is None or message.ephemeral_to is not None:
        return
    if not _sees(world, channel):
        return
    guild = message.guild_id
    intent = DIRECT_MESSAGES_INTENT if guild is None else GUILD_MESSAGES_INTENT
    extra: Json = {} if guild is None else {"guild_id": str(guild)}
    if kind == "message_deleted":
        ids = {"id": str(message.id), "channel_id": str(message.channel_id)}
        yield "MESSAGE_DELETE", ids | extra, guild, intent
        return
    data = _readable(world, message) | extra
    home = world.guilds.get(guild or 0)
    if home is not None and message.author.id in home.members:
        data["member"] = home.members[message.author.id].wire(with_user=False)
    name = "MESSAGE_CREATE" if kind == "message_created" else "MESSAGE_UPDATE"
    yield name, data, guild, intent


def _readable(world: World, message: Message) -> Json:
    """The message as a bot without the message content intent gets it: others' are blank.

    Messages in direct messages, and those that mention the bot, are complete.
    """
    data = message.wire()
    own = message.author is world.bot or message.guild_id is None or world.bot in message.mentions
    if not own:
        data |= {"content": "", "embeds": [], "attachments": [], "components": []}
    return data


def _channel(world: World, kind: str, channel: Channel) -> Iterator[Dispatch]:
    guild = world.guild_of(channel)
    if guild is None or world.bot.id not in guild.members:
        return
    if channel.thread is not None and not _sees(world, channel):
        return
    names = {
        "channel_created": "CHANNEL_CREATE",
        "channel_updated": "CHANNEL_UPDATE",
        "channel_deleted": "CHANNEL_DELETE",
        "thread_created": "THREAD_CREATE",
        "thread_updated": "THREAD_UPDATE",
        "thread_deleted": "THREAD_DELETE",
    }
    data = channel.wire() if channel.thread else guild.gateway_channel(channel, world.bot.id)
    if kind == "thread_deleted":
        data = {name: data[name] for name in ("id", "guild_id", "parent_id", "type")}
    elif kind == "thread_created":
        data |= {"newly_created": True}
    yield names[kind], data, guild.id, GUILDS_INTENT


def _membership(world: World, kind: str, channel: Channel, user: User) -> Iterator[Dispatch]:
    """The dispatches when the bot joins or leaves a thread; for others, they need more intents."""
    membership = channel.membership(user.id)
    if user is not world.bot or channel.guild_id is None:
        return
    data: Json = {"id": str(channel.id), "guild_id": str(channel.guild_id)}
    data["member_count"] = 0 if channel.thread is None else len(channel.thread.members)
    if kind == "thread_joined":
        created = channel.wire() | {"member": membership}
        yield "THREAD_CREATE", created, channel.guild_id, GUILDS_INTENT
        data["added_members"] = [membership]
    else:
        data["removed_member_ids"] = [str(user.id)]
    yield "THREAD_MEMBERS_UPDATE", data, channel.guild_id, GUILDS_INTENT


def sight_changed(world: World, guild: Guild, channels: list[Channel]) -> Iterator[Dispatch]:
    """CHANNEL_UPDATE for channels that have just become visible to the bot, or hidden."""
    for channel in channels:
        yield (
            "CHANNEL_UPDATE",
            guild.gateway_channel(channel, world.bot.id),
            guild.id,
            GUILDS_INTENT,
        )


def thread_list(world: World, guild: Guild, gained: list[Channel]) -> Dispatch:
    """THREAD_LIST_SYNC: the active threads of channels that have become visible to the bot."""
    bot, ids = world.bot.id, {channel.id for channel in gained}
    threads = [thread for thread in guild.active_threads(bot) if thread.parent_id in ids]
    data: Json = {
        "guild_id": str(guild.id),
        "channel_ids": [str(identity) for identity in sorted(ids)],
        "threads": [thread.wire() for thread in threads],
        "members": [member for t in threads if (member := t.membership(bot)) is not None],
    }
    return "THREAD_LIST_SYNC", data, guild.id, GUILDS_INTENT


def _guild(world: World, kind: str, guild: Guild) -> Iterator[Dispatch]:
    if kind == "guild_left":
        yield "GUILD_DELETE", {"id": str(guild.id)}, guild.id, GUILDS_INTENT
    elif world.bot.id not in guild.members:
        return
    elif kind == "guild_unavailable":
        yield "GUILD_DELETE", guild.unavailable_wire(), guild.id, GUILDS_INTENT
    elif kind == "guild_joined":
        told = guild.unavailable_wire() if guild.unavailable else guild.join_wire(world.bot.id)
        yield "GUILD_CREATE", told, guild.id, GUILDS_INTENT
    elif kind == "guild_available":
        yield "GUILD_CREATE", guild.arrival(world.bot.id), guild.id, GUILDS_INTENT
    elif kind == "guild_updated":
        yield "GUILD_UPDATE", guild.wire(), guild.id, GUILDS_INTENT


def _role(kind: str, role: Role, guild: int) -> Dispatch:
    data: Json = {"guild_id": str(guild)}
    if kind == "role_deleted":
        return "GUILD_ROLE_DELETE", {**data, "role_id": str(role.id)}, guild, GUILDS_INTENT
    name = "GUILD_ROLE_CREATE" if kind == "role_created" else "GUILD_ROLE_UPDATE"
    return name, {**data, "role": role.wire()}, guild, GUILDS_INTENT


def _member(world: World, kind: str, member: Any, guild: int) -> Iterator[Dispatch]:  # noqa: ANN401 - the subject of an event
    if member.user is world.bot:
        if kind == "member_updated":
            # Changes of the bot's own member need no intent.
            yield "GUILD_MEMBER_UPDATE", {**member.wire(), "guild_id": str(guild)}, guild, 0
        return
    if kind == "member_removed":
        data = {"guild_id": str(guild), "user": member.user.wire()}
        yield "GUILD_MEMBER_REMOVE", data, guild, GUILD_MEMBERS_INTENT
    else:
        name = "GUILD_MEMBER_ADD" if kind == "member_added" else "GUILD_MEMBER_UPDATE"
        yield name, {**member.wire(), "guild_id": str(guild)}, guild, GUILD_MEMBERS_INTENT
