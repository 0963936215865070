"""Permission bits, and the effect of a channel's overwrites."""

from dataclasses import dataclass, field
from enum import IntFlag
from typing import Final

from sandbox.errors import Json


class Permission(IntFlag):
    """The permissions that have an effect in the sandbox."""

    ADMINISTRATOR = 1 << 3
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CONNECT = 1 << 20
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    USE_EXTERNAL_APPS = 1 << 50


ALL_PERMISSIONS: Final = (1 << 53) - 1

_MESSAGES: Final = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
)

BOT_PERMISSIONS: Final = (
    _MESSAGES | Permission.CREATE_PUBLIC_THREADS | Permission.SEND_MESSAGES_IN_THREADS
)
"""309237697536, as in the bot's invite link: the permissions of its role in a server."""

EVERYONE_PERMISSIONS: Final = (
    _MESSAGES
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CONNECT
    | Permission.USE_EXTERNAL_APPS
)

MEMBER_PERMISSIONS: Final = (
    Permission.ADD_REACTIONS
    | Permission.READ_MESSAGE_HISTORY
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)
"""What the members' role adds; the bot doesn't have that role."""

DIRECT_PERMISSIONS: Final = (
    _MESSAGES
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.ADD_REACTIONS
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_EXTERNAL_EMOJIS
)
"""The permissions of both sides in direct messages."""

GUEST_PERMISSIONS: Final = (
    Permission.ATTACH_FILES | Permission.EMBED_LINKS | Permission.MENTION_EVERYONE
)
"""An app's permissions in its answers where only a user has installed it."""

HOST_PERMISSIONS: Final = GUEST_PERMISSIONS | Permission.USE_EXTERNAL_EMOJIS
"""The `app_permissions` in direct messages with the bot; Send Messages isn't among them."""

TIMED_OUT_PERMISSIONS: Final = Permission.VIEW_CHANNEL | Permission.READ_MESSAGE_HISTORY
"""What a member who is timed out can still do."""

NEEDS_SENDING: Final = (
    Permission.MENTION_EVERYONE | Permission.ATTACH_FILES | Permission.EMBED_LINKS
)


@dataclass(slots=True)
class Overwrite:
    """What a channel allows or denies to one role (type 0) or member (type 1)."""

    id: int
    type: int
    allow: int = 0
    deny: int = 0

    def wire(self) -> Json:
        return {
            "id": str(self.id),
            "type": self.type,
            "allow": str(self.allow),
            "deny": str(self.deny),
        }


@dataclass(slots=True)
class BasePermissions:
    """A member's roles in a server and the bits they give, before a channel's overwrites."""

    user: int
    guild: int
    bits: int
    roles: list[int] = field(default_factory=list)


def compute_overwrites(
    member: BasePermissions, overwrites: list[Overwrite], sending: Permission
) -> int:
    """The bits in a channel after the overwrites of @everyone, of the roles and of the member.

    `sending` is the permission that sending messages requires there.
    """
    if member.bits & Permission.ADMINISTRATOR:
        return ALL_PERMISSIONS
    bits = member.bits
    for overwrite in overwrites:
        if overwrite.id == member.guild:
            bits = bits & ~overwrite.deny | overwrite.allow
    mine = [o for o in overwrites if o.type == 0 and o.id in member.roles and o.id != member.guild]
    for overwrite in mine:
        bits &= ~overwrite.deny
    for overwrite in mine:
        bits |= overwrite.allow
    for overwrite in overwrites:
        if overwrite.type == 1 and overwrite.id == member.user:
            bits = bits & ~overwrite.deny | overwrite.allow
    if not bits & Permission.VIEW_CHANNEL:
        return 0
    if not bits & sending:
        # Discord denies these implicitly to members who can't send messages.
        bits &= ~NEEDS_SENDING
    return bits
