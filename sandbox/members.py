"""Users, roles and members of servers, and their JSON."""

from dataclasses import dataclass, field
from datetime import datetime

from sandbox.errors import Json


@dataclass(slots=True, eq=False)
class User:
    id: int
    name: str
    bot: bool = False
    locale: str = "en-US"

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"

    def wire(self) -> Json:
        return {
            "id": str(self.id),
            "username": self.name.lower().replace(" ", "_"),
            "global_name": None if self.bot else self.name,
            "discriminator": "0",
            "avatar": None,
            "avatar_decoration_data": None,
            "banner": None,
            "accent_color": None,
            "collectibles": None,
            "bot": self.bot,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }


@dataclass(slots=True, eq=False)
class Role:
    id: int
    name: str
    permissions: int
    position: int = 1
    managed: bool = False
    mentionable: bool = False

    def wire(self) -> Json:
        colors = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
        return {
            "id": str(self.id),
            "name": self.name,
            "color": 0,
            "colors": colors,
            "hoist": False,
            "icon": None,
            "unicode_emoji": None,
            "position": self.position,
            "permissions": str(self.permissions),
            "managed": self.managed,
            "mentionable": self.mentionable,
            "flags": 0,
        }


@dataclass(slots=True, eq=False)
class Member:
    user: User
    joined_at: datetime
    nick: str | None = None
    roles: list[int] = field(default_factory=list)
    timed_out_until: datetime | None = None
    """When their last time-out ends or ended."""

    def wire(self, *, with_user: bool = True) -> Json:
        until = self.timed_out_until
        member: Json = {
            "nick": self.nick,
            "avatar": None,
            "avatar_decoration_data": None,
            "banner": None,
            "collectibles": None,
            "roles": [str(role) for role in self.roles],
            "joined_at": self.joined_at.isoformat(),
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "pending": False,
            "communication_disabled_until": None if until is None else until.isoformat(),
        }
        return {"user": self.user.wire(), **member} if with_user else member
