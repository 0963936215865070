"""Servers and channels, and their JSON."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum
from typing import Final, Literal

from sandbox.errors import Json
from sandbox.guild_constants import ARRIVAL_CONSTANTS, GUILD_CONSTANTS
from sandbox.members import Member, Role, User
from sandbox.permissions import (
    ALL_PERMISSIONS,
    TIMED_OUT_PERMISSIONS,
    BasePermissions,
    Overwrite,
    Permission,
    compute_overwrites,
)


class ChannelType(IntEnum):
    """The types of channels that the sandbox has."""

    TEXT = 0
    DIRECT = 1
    VOICE = 2
    GROUP = 3
    ANNOUNCEMENT = 5
    ANNOUNCEMENT_THREAD = 10
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12
    STAGE = 13
    FORUM = 15
    MEDIA = 16


CHANNEL_TYPES: Final = frozenset({0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16})
"""All channel types that Discord has."""

FORUM_TYPES: Final = frozenset({ChannelType.FORUM, ChannelType.MEDIA})
"""Channels that have posts (threads) instead of messages."""

VOICE_TYPES: Final = frozenset({ChannelType.VOICE, ChannelType.STAGE})
"""Voice channels; their chat is only open to members who may connect to them."""

WRITABLE_TYPES: Final = frozenset({ChannelType.TEXT, ChannelType.ANNOUNCEMENT}) | VOICE_TYPES
"""Channels of a server that hold messages, threads aside."""

THREAD_TYPES: Final = frozenset(
    {ChannelType.ANNOUNCEMENT_THREAD, ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD}
)


DURATIONS: Final = (60, 1440, 4320, 10080)
"""The minutes without activity after which a thread may be archived."""


def text_id(value: int | None) -> str | None:
    """An id as Discord's JSON has it: a string, or None."""
    return None if value is None else str(value)


OutageEvent = Literal["GUILD_DELETE", "GUILD_CREATE"]
"""The event that announces an outage to the bot, always with `unavailable: true`."""


@dataclass(slots=True)
class Thread:
    """The fields that only threads have; `duration` is in minutes."""

    owner: int
    created_at: datetime
    changed_at: datetime
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    duration: int = 1440
    members: dict[int, datetime] = field(default_factory=dict)
    messages: int = 0
    active_at: datetime | None = None
    """When it was last created, written in or reopened, or its duration changed. Editing a message
    isn't activity."""

    @property
    def archives_at(self) -> datetime:
        """When it will be archived if there is no activity before."""
        return (self.active_at or self.created_at) + timedelta(minutes=self.duration)

    def close(self, at: datetime) -> None:
        """Archive the thread."""
        self.archived, self.changed_at = True, at

    def reopen(self, at: datetime) -> None:
        self.archived, self.changed_at, self.active_at = False, at, at

    def wire(self) -> Json:
        return {
            "archived": self.archived,
            "archive_timestamp": self.changed_at.isoformat(),
            "auto_archive_duration": self.duration,
            "locked": self.locked,
            "create_timestamp": self.created_at.isoformat(),
        }


_VOICE_FIELDS: Final[Json] = {
    "bitrate": 64000,
    "user_limit": 0,
    "rtc_region": None,
    "video_quality_mode": 1,
}

_OWN_FIELDS: Final[dict[ChannelType, Json]] = {
    ChannelType.VOICE: _VOICE_FIELDS,
    ChannelType.STAGE: _VOICE_FIELDS,
    ChannelType.FORUM: {
        "available_tags": [],
        "default_reaction_emoji": None,
        "default_sort_order": None,
        "default_forum_layout": 0,
    },
    ChannelType.MEDIA: {
        "available_tags": [],
        "default_reaction_emoji": None,
        "default_sort_order": None,
    },
}
"""The fields that only channels of one type have."""

_NOT_IN_PARTS: Final = frozenset(
    {"permission_overwrites", *(name for own in _OWN_FIELDS.values() for name in own)}
)
"""The fields that a channel in an interaction lacks."""

OBFUSCATED: Final = 1 << 17
"""The flag of a channel that the gateway sends to a bot that can't view it."""


@dataclass(slots=True, eq=False)
class Channel:
    """A channel or thread of a server, or the direct messages of the bot and a user.

    Or a channel without the bot: the direct messages of two people, or a group chat.
    """

    id: int
    type: ChannelType
    name: str
    guild_id: int | None = None
    position: int = 0
    overwrites: list[Overwrite] = field(default_factory=list)
    recipient: User | None = None
    """The user in direct messages with the bot."""

    people: tuple[User, ...] = ()
    """The users in a channel without the bot, the owner of a group first."""

    parent_id: int | None = None
    last_message_id: int | None = None
    thread: Thread | None = None

    @property
    def mention(self) -> str:
        return f"<#{self.id}>"

    @property
    def takes_messages(self) -> bool:
        """Whether it can hold messages; forums only have posts, which are threads."""
        private = self.recipient is not None or bool(self.people)
        return private or self.thread is not None or self.type in WRITABLE_TYPES

    @property
    def sending(self) -> Permission:
        """The permission that sending messages here requires."""
        if self.thread is not None:
            return Permission.SEND_MESSAGES_IN_THREADS
        return Permission.SEND_MESSAGES

    def wire(self) -> Json:
        common: Json = {
            "id": str(self.id),
            "type": int(self.type),
            "last_message_id": text_id(self.last_message_id),
            "flags": 0,
        }
        if self.recipient is not None:
            return {**common, "recipients": [self.recipient.wire()]}
        if self.people:
            return common | self._private()
        common |= {
            "guild_id": text_id(self.guild_id),
            "name": self.name,
            "parent_id": text_id(self.parent_id),
            "rate_limit_per_user": 0,
            "last_pin_timestamp": None,
        }
        if self.thread is not None:
            return common | self._thread(self.thread)
        return {
            **common,
            "position": self.position,
            "permission_overwrites": [overwrite.wire() for overwrite in self.overwrites],
            "nsfw": False,
            "topic": None,
            **_OWN_FIELDS.get(self.type, {}),
        }

    def obfuscated(self) -> Json:
        """Its JSON over the gateway for a bot that can't view it.

        Only the id, type, server, position, parent and slow mode are real. Fields that only voice
        channels have are left out unless they're null, as Discord's documentation promises no more.
        """
        hide = Overwrite(id=self.guild_id or 0, type=0, deny=Permission.VIEW_CHANNEL)
        told = ("id", "type", "guild_id", "position", "parent_id", "rate_limit_per_user")
        return {
            **{name: value for name, value in self.wire().items() if name in told},
            "name": "___hidden___",
            "flags": OBFUSCATED,
            "permission_overwrites": [hide.wire()],
            "nsfw": False,
            "topic": None,
            "last_message_id": None,
            "last_pin_timestamp": None,
            "rtc_region": None,
            "available_tags": [],
        }

    def partial(self, **permissions: int) -> Json:
        """Its JSON in an interaction; `permissions` are fields with permission bits."""
        told = {name: str(bits) for name, bits in permissions.items()}
        own = {name: value for name, value in self.wire().items() if name not in _NOT_IN_PARTS}
        return own | told

    def _private(self) -> Json:
        found: Json = {"recipients": [user.wire() for user in self.people]}
        if self.type is ChannelType.GROUP:
            found |= {"name": self.name, "icon": None, "owner_id": str(self.people[0].id)}
        return found

    def _thread(self, thread: Thread) -> Json:
        return {
            "owner_id": str(thread.owner),
            "thread_metadata": thread.wire(),
            "message_count": thread.messages,
            "total_message_sent": thread.messages,
            "member_count": len(thread.members),
        }

    def membership(self, user: int) -> Json | None:
        """The thread member object of a user; None if they aren't in this thread."""
        if self.thread is None or user not in self.thread.members:
            return None
        joined = self.thread.members[user].isoformat()
        return {"id": str(self.id), "user_id": str(user), "join_timestamp": joined, "flags": 0}


@dataclass(slots=True, eq=False)
class Guild:
    """A server; `channels` includes its threads."""

    id: int
    name: str
    owner: User
    created_at: datetime
    now: Callable[[], datetime]
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    locale: str = "en-US"
    unavailable: bool = False
    """Whether nobody can use it because of an outage."""

    outage_told_by: OutageEvent = "GUILD_DELETE"
    """The event that tells a bot of the outage when it identifies; Discord documents both."""

    has_commands: bool = False
    """Whether it has the bot's commands without the bot."""

    def threads(self) -> Iterable[Channel]:
        return (channel for channel in self.channels.values() if channel.type in THREAD_TYPES)

    def active_threads(self, user: int) -> list[Channel]:
        """The threads that aren't archived and that a user can view."""
        return [
            channel
            for channel in self.threads()
            if channel.thread is not None
            and not channel.thread.archived
            and self._views(user, channel)
        ]

    def text_channels(self) -> Iterable[Channel]:
        return (channel for channel in self.channels.values() if channel.type not in THREAD_TYPES)

    def viewed_channels(self, user: int) -> list[Channel]:
        return [channel for channel in self.text_channels() if self._views(user, channel)]

    def _views(self, user: int, channel: Channel) -> bool:
        return bool(self.permissions(user, channel) & Permission.VIEW_CHANNEL)

    def permissions(self, user: int, channel: Channel) -> int:
        """The permissions of a user in a channel; 0 if they aren't a member, and in an outage.

        In a private thread, only its members and moderators have any.
        """
        bits = self.permissions_ignoring_membership(user, channel)
        is_private = channel.type is ChannelType.PRIVATE_THREAD
        is_in = channel.membership(user) is not None or bits & Permission.MANAGE_THREADS
        return bits if is_in or not is_private else 0

    def permissions_ignoring_membership(self, user: int, channel: Channel) -> int:
        """Like `permissions`, but as if every private thread were open to the user."""
        member = self.members.get(user)
        if member is None or self.unavailable:
            return 0
        if user == self.owner.id:
            return ALL_PERMISSIONS
        base = self._base_permissions(member)
        own = BasePermissions(user=user, guild=self.id, bits=base, roles=member.roles)
        parent = self.channels.get(channel.parent_id or 0, channel) if channel.thread else channel
        bits = compute_overwrites(own, parent.overwrites, channel.sending)
        if self.is_timed_out(user):
            return bits & TIMED_OUT_PERMISSIONS
        if channel.type in VOICE_TYPES and not bits & Permission.CONNECT:
            return bits & Permission.VIEW_CHANNEL  # the chat of a voice channel requires Connect
        return bits

    def _base_permissions(self, member: Member) -> int:
        bits = self.roles[self.id].permissions
        for role in member.roles:
            bits |= self.roles[role].permissions
        return bits

    def is_immune_to_time_outs(self, user: int) -> bool:
        """Whether time-outs don't affect this member: the owner, or an administrator."""
        bits = self._base_permissions(self.members[user])
        return user == self.owner.id or bool(bits & Permission.ADMINISTRATOR)

    def is_timed_out(self, user: int) -> bool:
        """Whether a user is timed out at present, and so can only view and read."""
        member = self.members.get(user)
        if member is None or member.timed_out_until is None or self.is_immune_to_time_outs(user):
            return False
        return self.now() < member.timed_out_until

    def wire(self) -> Json:
        """The server's JSON in REST."""
        return {
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(self.owner.id),
            "roles": [role.wire() for role in self.roles.values()],
            "preferred_locale": self.locale,
            "features": [],
            "emojis": [],
            "stickers": [],
            **GUILD_CONSTANTS,
        }

    def unavailable_wire(self) -> Json:
        """The server's JSON in READY and during an outage."""
        return {"id": str(self.id), "unavailable": True}

    def join_wire(self, bot: int) -> Json:
        """The server's JSON in GUILD_CREATE when the bot is added to it."""
        member = self.members[bot]
        return {
            **self.wire(),
            "joined_at": member.joined_at.isoformat(),
            "member_count": len(self.members),
            "members": [member.wire()],
            "channels": [self.gateway_channel(channel, bot) for channel in self.text_channels()],
            "threads": [thread.wire() for thread in self.active_threads(bot)],
            **ARRIVAL_CONSTANTS,
        }

    def gateway_channel(self, channel: Channel, bot: int) -> Json:
        """A channel's JSON over the gateway: obfuscated if the bot can't view it."""
        return channel.wire() if self._views(bot, channel) else channel.obfuscated()

    def arrival(self, bot: int) -> Json:
        """Its JSON in GUILD_CREATE after READY and after an outage, where it was `unavailable`."""
        return self.join_wire(bot) | {"unavailable": False}
