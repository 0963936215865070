"""Posting and editing messages."""

from datetime import timedelta
from typing import Final

from sandbox.errors import refusal
from sandbox.guilds import Channel
from sandbox.members import User
from sandbox.mentions import AllowedMentions, displayed, named_roles, named_users, names_everyone
from sandbox.messages import Flag, Message
from sandbox.payload_reader import MessagePayload
from sandbox.permissions import Permission
from sandbox.world import World

OLD_AGE: Final = timedelta(hours=1)


def new_message(world: World, channel: Channel, author: User) -> Message:
    """An empty message, for `post` to fill."""
    return Message(
        id=world.ids.next(),
        channel_id=channel.id,
        guild_id=channel.guild_id,
        author=author,
        created_at=world.clock.now(),
        cdn=world.cdn,
    )


def post(world: World, channel: Channel, message: Message, payload: MessagePayload) -> Message:
    """Fill a new message from its payload and add it to its channel; 50006 if it's empty."""
    if payload.is_empty and not message.is_loading:
        raise refusal(50006)
    _fill(message, payload)
    _set_mentions(world, channel, message, payload.allowed_mentions)
    message.pinged = _pinged(world, channel, message)
    message.preview = message.content
    _add_mentioned_to_thread(world, channel, message)
    world.messages[message.id] = message
    world.history[channel.id].append(message)
    if message.ephemeral_to is None:
        channel.last_message_id = message.id
        _count_in_thread(world, channel)
    world.emit("message_created", message)
    return message


def edit(world: World, message: Message, payload: MessagePayload) -> Message:
    """Change the fields that are in the payload; 50006 if that would leave the message empty.

    Edits don't ping, except for the first edit of a deferred answer.
    """
    channel = world.find_channel(message.channel_id)
    was_loading = message.is_loading
    keeps = (message.content, message.embeds, message.components, message.files)
    before = (message.flags, message.shown_by)
    _fill(message, payload)
    if not (message.content or message.embeds or message.components or message.files):
        message.content, message.embeds, message.components, message.files = keeps
        message.flags, message.shown_by = before
        raise refusal(50006)
    for file in keeps[-1]:
        if file not in message.files:
            world.cdn.forget(file)
    message.flags &= ~Flag.LOADING
    message.edits += 1
    if not was_loading:
        message.edited_at = world.clock.now()
    if channel is not None:
        if payload.content is not None or payload.components is not None:
            _set_mentions(world, channel, message, payload.allowed_mentions)
            _add_mentioned_to_thread(world, channel, message)
        if was_loading:
            message.pinged = _pinged(world, channel, message)
            message.preview = message.content
    world.emit("message_updated", message)
    return message


def check_editable(world: World, channel: Channel) -> None:
    """Refuse to edit messages in an archived thread (50083) or a locked one (160005).

    With Manage Threads, the bot can edit in a locked one.
    """
    if channel.thread is not None and channel.thread.archived:
        raise refusal(50083)
    if world.locks_out(world.bot.id, channel):
        raise refusal(160005)


def is_old(world: World, message: Message) -> bool:
    """Whether a message is so old that its edits have their own rate limit (30046)."""
    return world.clock.now() - message.created_at > OLD_AGE


def _fill(message: Message, payload: MessagePayload) -> None:
    fixed = message.flags & (Flag.EPHEMERAL | Flag.LOADING | Flag.HAS_THREAD)
    if payload.v2:
        fixed |= Flag.COMPONENTS_V2
    message.flags = fixed | (payload.flags & ~Flag.EPHEMERAL)
    if payload.content is not None:
        message.content = payload.content
    if payload.embeds is not None:
        message.embeds = payload.embeds
    if payload.components is not None:
        message.components = payload.components
    kept = message.files if payload.kept is None else payload.kept
    files = [*kept, *payload.uploads]
    given = {"embeds": payload.embeds, "components": payload.components}
    used = {name: payload.used[name] for name, parts in given.items() if parts is not None}
    message.shown_by = message.shown_by | used
    # A Components V2 message loses the files that its components don't show.
    message.files = [f for f in files if f.id in message.shown] if message.is_v2 else files


def _set_mentions(
    world: World, channel: Channel, message: Message, allowed: AllowedMentions
) -> None:
    """Set the mentions of a message: those in its texts that `allowed` includes."""
    texts = displayed(message.content, message.components)
    known = (world.users.get(user) for user in named_users(texts))
    message.mentions = [user for user in known if user is not None and allowed.user(user.id)]
    guild = world.guild_of(channel)
    roles = guild.roles if guild is not None else {}
    message.mention_roles = [r for r in named_roles(texts) if r in roles and allowed.role(r)]
    bits = world.permissions(message.author.id, channel)
    message.mention_everyone = (
        names_everyone(texts)
        and guild is not None
        and bool(bits & Permission.MENTION_EVERYONE)
        and "everyone" in allowed.kinds
    )


def _add_mentioned_to_thread(world: World, channel: Channel, message: Message) -> None:
    """Add the users that a message in a thread mentions to it, if they can view its channel.

    Discord does so for edits too.
    """
    guild = world.guild_of(channel)
    if channel.thread is None or guild is None or message.ephemeral_to is not None:
        return
    for user in message.mentions:
        if guild.permissions_ignoring_membership(user.id, channel) & Permission.VIEW_CHANNEL:
            world.add_to_thread(channel, user)


def _pinged(world: World, channel: Channel, message: Message) -> frozenset[int]:
    if channel.recipient is not None:
        told = {channel.recipient.id, world.bot.id} - {message.author.id}
        return frozenset(told & {user.id for user in message.mentions})
    guild = world.guild_of(channel)
    if guild is None:
        return frozenset()
    told = {user.id for user in message.mentions}
    for role in message.mention_roles:
        if guild.roles[role].mentionable:
            told |= {user for user, member in guild.members.items() if role in member.roles}
    if message.mention_everyone:
        told |= set(guild.members)
    if message.ephemeral_to is not None:
        told &= {message.ephemeral_to}
    told.discard(message.author.id)
    return frozenset(u for u in told if guild.permissions(u, channel) & Permission.VIEW_CHANNEL)


def _count_in_thread(world: World, channel: Channel) -> None:
    if channel.thread is None:
        return
    now = world.clock.now()
    channel.thread.messages += 1
    channel.thread.active_at = now
    if channel.thread.archived:
        # Discord reopens an archived thread when a message is sent to it.
        channel.thread.reopen(now)
        world.emit("thread_updated", channel)
