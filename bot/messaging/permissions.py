"""Permissions: what the bot needs where a match is played, and what people may see and do."""

from typing import Any, Final

import discord

from bot.errors import NotAllowedHereError
from bot.messaging.hidden_channels import is_hidden, known_channel
from bot.messaging.installs import has_commands_alone
from bot.messaging.own_member import own_member
from bot.text import listed

_VIEW: Final = {"view_channel": "View Channel"}
_CONNECT: Final = {"connect": "Connect"}
_SEND: Final = {"send_messages": "Send Messages"}
_SEND_IN_THREADS: Final = {"send_messages_in_threads": "Send Messages in Threads"}
_EMBED_AND_ATTACH: Final = {"embed_links": "Embed Links", "attach_files": "Attach Files"}
_START_THREADS: Final = {"create_public_threads": "Create Public Threads", **_SEND_IN_THREADS}


SCOPES: Final = ("bot", "applications.commands")


def invite(application: int) -> str:
    """The URL that adds the bot to a server, with every permission that it may need there."""
    needed = {**_VIEW, **_SEND, **_EMBED_AND_ATTACH, **_START_THREADS}
    permissions = discord.Permissions(**dict.fromkeys(needed, True))
    return discord.utils.oauth_url(application, permissions=permissions, scopes=SCOPES)


def missing(
    permissions: discord.Permissions,
    *,
    in_thread: bool = False,
    in_voice: bool = False,
    threads: bool = False,
) -> list[str]:
    """The permissions that a match needs and that are missing, by Discord's names.

    `in_voice` says whether it's the chat of a voice channel, `threads` whether the match will get a
    thread of its own. Leaves out what only another missing permission takes away: without View
    Channel, nothing else counts, and without Send Messages, neither files nor embeds do.
    """
    if not permissions.view_channel:
        return list(_VIEW.values())
    send = _SEND_IN_THREADS if in_thread else _SEND
    needed = {**(_CONNECT if in_voice else {}), **send}
    if all(getattr(permissions, right) for right in send):
        needed |= _EMBED_AND_ATTACH
    if threads:
        needed |= _START_THREADS
    return [name for right, name in needed.items() if not getattr(permissions, right)]


def missing_in(
    channel: discord.abc.GuildChannel | discord.Thread,
    me: discord.Member,
    *,
    threads: bool = False,
) -> list[str]:
    """Like `missing`, for a channel or thread that discord.py knows; in a forum, for its posts.

    Posts are threads: Send Messages is needed only to start one.
    """
    if isinstance(channel, discord.ForumChannel):
        # As discord.py does for a thread: keeps what a missing Send Messages would take away.
        rights = discord.abc.GuildChannel.permissions_for(channel, me)
        return missing(rights, in_thread=True)
    return missing(
        channel.permissions_for(me),
        in_thread=isinstance(channel, discord.Thread),
        in_voice=is_voice(channel),
        threads=threads,
    )


def for_matches() -> list[str]:
    """The permissions that every match needs, by Discord's names."""
    return list({**_VIEW, **_SEND, **_EMBED_AND_ATTACH}.values())


def for_threads() -> list[str]:
    """The permissions that a match in its own thread needs in addition, by Discord's names."""
    return list(_START_THREADS.values())


def can_see(interaction: discord.Interaction[Any], channel: int) -> bool:
    """Whether the person who asks is known to be able to read this channel or thread.

    Who is in a private thread isn't known: only people who may manage threads surely see it, and
    the person who asks from within it. A channel hidden from the bot counts as seen by
    administrators only.
    """
    member = interaction.user
    if interaction.guild is None or not isinstance(member, discord.Member):
        return False
    if channel == interaction.channel_id:
        return True
    place = interaction.guild.get_channel_or_thread(channel)
    if place is None or (isinstance(place, discord.Thread) and place.parent is None):
        return False
    if is_hidden(place):
        return member.guild_permissions.administrator
    return not _is_closed_to(place, place.permissions_for(member)) and may_read(place, member)


def can_see_it(person: discord.Member, interaction: discord.Interaction[Any]) -> bool:
    """Whether a person can see the channel of an interaction; True if that isn't known.

    Discord sends the permissions of people that a command names. A private thread adds people who
    are mentioned, if they can see the channel around it.
    """
    channel = interaction.channel
    is_private = isinstance(channel, discord.Thread) and channel.is_private()
    rights = None if is_private else person.resolved_permissions
    if rights is None:
        place = channel_or_parent(person.guild, interaction.channel_id or 0)
        if place is None:
            return True
        rights = place.permissions_for(person)
    return _sees(rights, channel)


def may_see(
    channel: discord.abc.GuildChannel | discord.Thread, member: discord.Member | discord.Role
) -> bool:
    """Whether somebody sees new messages in a channel, perhaps without its history."""
    return _sees(channel.permissions_for(member), channel)


def _sees(rights: discord.Permissions, channel: object) -> bool:
    return rights.view_channel and (rights.connect or not is_voice(channel))


def is_voice(channel: object) -> bool:
    """Whether a channel is a voice or stage channel, whose chat also requires Connect.

    Discord may not apply that to the permissions in it, and discord.py doesn't.
    """
    return isinstance(channel, discord.VoiceChannel | discord.StageChannel)


def may_read(
    channel: discord.abc.GuildChannel | discord.Thread, member: discord.Member | discord.Role
) -> bool:
    """Whether somebody can read a channel with its history, and so the public threads in it."""
    return may_see(channel, member) and channel.permissions_for(member).read_message_history


def is_seen(channel: object) -> bool:
    """Whether this is a channel or thread of a server that the bot may view."""
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    if not isinstance(place, discord.abc.GuildChannel):
        return False
    me: discord.Member | None = place.guild.me  # it may be missing, whatever the types say
    return me is not None and may_see(place, me)


def may_edit_in(channel: object) -> bool:
    """Whether the bot may edit messages here: it views the channel, and no lock keeps it out."""
    if not is_seen(channel):
        return False
    if not isinstance(channel, discord.Thread) or not channel.locked:
        return True
    parent = channel.parent
    return parent is not None and parent.permissions_for(channel.guild.me).manage_threads


def gained_permissions(before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> bool:
    """Whether the bot gained a permission in a channel by this change."""
    me: discord.Member | None = after.guild.me  # it may be missing, as above
    if me is None:
        return False
    gained = after.permissions_for(me).value & ~before.permissions_for(me).value
    return bool(gained)


def cannot_view(thread: discord.Thread) -> bool:
    """Whether the bot can't view a thread that it isn't in, even if discord.py still has it."""
    me: discord.Member | None = thread.guild.me  # it may be missing, as above
    if thread.parent is None or me is None:
        return thread.is_private()
    return _is_closed_to(thread, thread.parent.permissions_for(me))


def remove_deleted_role(role: discord.Role) -> bool:
    """Take a deleted role from the bot's member; returns whether the bot gained a permission.

    discord.py doesn't do that, and counts a channel's overwrites for a role as long as it knows
    it.
    """
    me: discord.Member | None = role.guild.me  # it may be missing, as above
    if me is None or not me._roles.has(role.id):  # noqa: SLF001 - no public way
        return False
    channels = role.guild.channels
    before = [channel.permissions_for(me).value for channel in channels]
    me._roles.remove(role.id)  # noqa: SLF001 - no public way
    after = [channel.permissions_for(me).value for channel in channels]
    return any(now & ~then for now, then in zip(after, before, strict=True))


def may_exclude_members(channel: discord.abc.GuildChannel) -> bool:
    """Whether some member of the server may be unable to read a channel."""
    denied = (overwrite.pair()[1] for overwrite in channel.overwrites.values())
    return not may_read(channel, channel.guild.default_role) or any(
        no.view_channel or no.read_message_history or (no.connect and is_voice(channel))
        for no in denied
    )


def channel_or_parent(guild: discord.Guild, channel: int) -> discord.abc.GuildChannel | None:
    """The channel with this id, or the channel of the thread with it; None if unknown.

    None also for one that is hidden from the bot: its permissions and the rest can't be relied on.
    """
    place = known_channel(guild, channel)
    return place.parent if isinstance(place, discord.Thread) else place


def _is_closed_to(
    channel: discord.abc.GuildChannel | discord.Thread, rights: discord.Permissions
) -> bool:
    """Whether a channel is a private thread that these permissions alone don't let somebody see."""
    return (
        isinstance(channel, discord.Thread) and channel.is_private() and not rights.manage_threads
    )


def rights_in(
    channel: discord.abc.GuildChannel | discord.Thread, member: discord.Member
) -> discord.Permissions:
    """What somebody may do in a channel; in the whole server if it's hidden from the bot."""
    return member.guild_permissions if is_hidden(channel) else channel.permissions_for(member)


def may_moderate(interaction: discord.Interaction[Any], channel: int) -> bool:
    """Whether the person who asks may manage messages in this channel.

    Not in a private thread that they may not even know of, as in `can_see`, nor in a voice channel
    that they may not connect to. In a channel hidden from the bot, their permissions in the whole
    server decide. An unknown channel is gone, or an archived thread, perhaps a private one: only
    people who may manage threads in the whole server surely see that.
    """
    member = interaction.user
    if interaction.guild is None or not isinstance(member, discord.Member):
        return False
    if channel == interaction.channel_id:
        return interaction.permissions.manage_messages
    place = interaction.guild.get_channel_or_thread(channel)
    if place is None or (isinstance(place, discord.Thread) and place.parent is None):
        everywhere = member.guild_permissions
        return everywhere.manage_messages and everywhere.manage_threads
    rights = rights_in(place, member)
    may_enter = rights.connect or not is_voice(place)
    return rights.manage_messages and may_enter and not _is_closed_to(place, rights)


def may_moderate_archived(
    interaction: discord.Interaction[Any], parent: int, *, is_private: bool
) -> bool:
    """Like `may_moderate`, for a thread of this channel that discord.py doesn't know."""
    member, guild = interaction.user, interaction.guild
    place = None if guild is None else guild.get_channel(parent)
    if place is None or not isinstance(member, discord.Member):
        return False
    rights = rights_in(place, member)
    return rights.manage_messages and (rights.manage_threads or not is_private)


def may_write(permissions: discord.Permissions, *, in_thread: bool, in_voice: bool) -> bool:
    """Whether somebody with these permissions can send messages themselves."""
    send = permissions.send_messages_in_threads if in_thread else permissions.send_messages
    return permissions.view_channel and send and (permissions.connect or not in_voice)


def timed_out_until(guild: discord.Guild | None) -> str | None:
    """The end of the bot's timeout in this server, as a Discord timestamp; None without one.

    In a timeout it may only read there, although its permissions stay as they are.
    """
    me: discord.Member | None = None if guild is None else guild.me
    if me is None or me.timed_out_until is None or not me.is_timed_out():
        return None
    if me.guild_permissions.administrator:
        return None
    return discord.utils.format_dt(me.timed_out_until, "f")


def _is_shut_out(interaction: discord.Interaction[Any]) -> bool:
    """Whether this comes from a private thread that the bot isn't in.

    Discord accepts only answers there, though it may even send the channel's permissions. The bot
    is told of all active threads that it can see, but of no archived ones: a click there proves
    nothing. Nor does one in a server that discord.py doesn't know yet: that has no channels.
    """
    channel, guild = interaction.channel, interaction.guild
    if guild is None or not isinstance(channel, discord.Thread) or not channel.is_private():
        return False
    if channel.archived or not guild.channels:
        return False
    return guild.get_thread(channel.id) is None and not interaction.app_permissions.manage_threads


def must_be_able_to_play(interaction: discord.Interaction[Any], *, threads: bool = False) -> None:
    """NotAllowedHereError if a match can't go on here, where the bot has to edit its table."""
    if has_commands_alone(interaction):
        link = invite(interaction.application_id)
        raise NotAllowedHereError(
            "I'm only half added to this server: my commands are here, but I'm not, so I can't run "
            f"matches. Someone with the Manage Server permission can [add me](<{link}>)."
        )
    silent_until = timed_out_until(interaction.guild)
    if silent_until is not None:
        raise NotAllowedHereError(
            "A moderator has timed me out in this server, so I can't run matches here until "
            f"{silent_until}. Ask them to remove the timeout, or wait."
        )
    if _is_shut_out(interaction):
        raise NotAllowedHereError(
            "I'm not in this private thread, so I can't run matches here. Mention me in a message "
            "to add me, or play in another channel."
        )
    channel = interaction.channel
    is_locked = isinstance(channel, discord.Thread) and channel.locked
    if is_locked and not interaction.app_permissions.manage_threads:
        raise NotAllowedHereError(
            "This thread is locked, so I can't run matches here. Unlock it, or play in another "
            "channel."
        )
    own_thread = threads and isinstance(channel, discord.TextChannel)
    lacking = missing(
        interaction.app_permissions,
        in_thread=isinstance(channel, discord.Thread),
        in_voice=is_voice(channel),
        threads=own_thread,
    )
    if not lacking:
        return
    wish = " In this server, each match gets its own thread." if own_thread else ""
    raise NotAllowedHereError(
        f"I can't run a match in this channel: I need {listed(lacking)} here.{wish} Ask a "
        "moderator to allow that, or play in another channel."
    )


def must_be_able_to_play_in(
    guild: discord.Guild, place: discord.abc.GuildChannel | discord.Thread | None
) -> None:
    """Like `must_be_able_to_play`, for a click made elsewhere.

    `place` is None for a channel that the bot doesn't find: one that is gone is noticed at the
    first message.
    """
    silent_until = timed_out_until(guild)
    if silent_until is not None:
        raise NotAllowedHereError(
            "A moderator has timed me out in that server, so I can't run matches there until "
            f"{silent_until}. Ask them to remove the timeout, or wait."
        )
    me = own_member(guild)
    if me is None or place is None or (isinstance(place, discord.Thread) and place.parent is None):
        return
    is_locked = isinstance(place, discord.Thread) and place.locked
    if is_locked and not place.permissions_for(me).manage_threads:
        raise NotAllowedHereError(
            f"<#{place.id}> is locked, so I can't run matches there. Ask a moderator to unlock it."
        )
    lacking = missing_in(place, me)
    if lacking:
        raise NotAllowedHereError(
            f"I can't run a match in <#{place.id}>: I need {listed(lacking)} there. Ask a "
            "moderator to allow that."
        )
