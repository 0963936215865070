"""Finds things in the sandbox's world, and says who may do what there."""

from collections.abc import Callable

from sandbox.errors import DiscordError, refusal
from sandbox.guilds import Channel, Guild
from sandbox.members import Member, User
from sandbox.messages import Message
from sandbox.permissions import DIRECT_PERMISSIONS, Permission


def must_be_available(guild: Guild) -> None:
    """Refuse (503) a request about a server in an outage; Discord documents no answer."""
    if guild.unavailable:
        raise DiscordError(503, 0, "503: Service Unavailable")


class Directory:
    """Servers, channels, users and messages, to be read only."""

    def __init__(self, bot: User) -> None:
        self.bot = bot
        self.users: dict[int, User] = {bot.id: bot}
        self.guilds: dict[int, Guild] = {}
        self.direct: dict[int, Channel] = {}
        self.private: dict[int, Channel] = {}
        """Channels of people without the bot, by id: group chats, and direct messages of two."""

        self.messages: dict[int, Message] = {}

    @property
    def guild(self) -> Guild:
        """The first server, "The Back Room"."""
        return next(iter(self.guilds.values()))

    @property
    def members(self) -> list[Member]:
        return list(self.guild.members.values())

    def user(self, name: str | int) -> User:
        for user in self.users.values():
            if not user.bot and name in (user.name, user.id):
                return user
        raise LookupError(f"Nobody is called {name!r}.")

    def find_channel(self, identity: int) -> Channel | None:
        for guild in self.guilds.values():
            if identity in guild.channels:
                return guild.channels[identity]
        if identity in self.private:
            return self.private[identity]
        return next((c for c in self.direct.values() if c.id == identity), None)

    def channel(self, which: "str | int | Channel", guild: Guild | None = None) -> Channel:
        """A channel by name (in the first server, or in `guild`), by id, or itself.

        Raises LookupError if there is none.
        """
        if isinstance(which, Channel):
            return which
        if isinstance(which, int):
            found = self.find_channel(which)
        else:
            channels = (guild or self.guild).channels.values()
            found = next((c for c in channels if c.name == which), None)
        if found is None:
            raise LookupError(f"There is no channel {which!r}.")
        return found

    def guild_of(self, channel: Channel) -> Guild | None:
        return self.guilds.get(channel.guild_id or 0)

    def permissions(self, user: int, channel: Channel) -> int:
        """The permission bits of a user in a channel."""
        guild = self.guild_of(channel)
        if guild is not None:
            return guild.permissions(user, channel)
        recipient = channel.recipient
        at_home = recipient is not None and user in (recipient.id, self.bot.id)
        at_home = at_home or any(person.id == user for person in channel.people)
        return int(DIRECT_PERMISSIONS) if at_home else 0

    def can(self, user: int, channel: Channel, permission: int) -> bool:
        return self.permissions(user, channel) & permission == permission

    def locks_out(self, user: int, channel: Channel) -> bool:
        """Whether this is a locked thread and the user may not manage threads, and so not write."""
        locked = channel.thread is not None and channel.thread.locked
        return locked and not self.can(user, channel, Permission.MANAGE_THREADS)

    def may_write(self, user: int, channel: Channel) -> bool:
        """Whether a user may send messages in a channel, provided that it's one for messages."""
        return self.can(user, channel, channel.sending) and not self.locks_out(user, channel)

    def sees(self, user: int, message: Message) -> bool:
        """Whether a user sees the message when they open its channel."""
        channel = self.find_channel(message.channel_id)
        if channel is None or message.deleted:
            return False
        if message.ephemeral_to is not None:
            return message.ephemeral_to == user
        return self.can(user, channel, Permission.VIEW_CHANNEL)

    def share_a_guild(self, user: int) -> bool:
        """Whether the bot and the user are in the same server."""
        return any(user in g.members and self.bot.id in g.members for g in self.guilds.values())

    def bot_guilds(self, has: Callable[[int], bool] = lambda _: True) -> list[Guild]:
        """The servers that the bot is in, filtered by their ids."""
        guilds = self.guilds.values()
        return [guild for guild in guilds if has(guild.id) and self.bot.id in guild.members]

    def require_channel(self, identity: int) -> Channel:
        """A channel that the bot sees; raises 10003 if there is none, 50001 if it's hidden.

        Raises 503 if its server is in an outage.
        """
        channel = self.find_channel(identity)
        if channel is None:
            raise refusal(10003)
        if (guild := self.guild_of(channel)) is not None:
            must_be_available(guild)
        if not self.can(self.bot.id, channel, Permission.VIEW_CHANNEL):
            raise refusal(50001)
        return channel

    def require_message(self, channel: Channel, identity: int) -> Message:
        """A message in the channel's history; raises 10008 if there is none or it's ephemeral."""
        message = self.messages.get(identity)
        if message is None or message.channel_id != channel.id or message.ephemeral_to:
            raise refusal(10008)
        return message
