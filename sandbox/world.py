"""The state of the sandbox: servers, channels, users, messages."""

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from typing import Final

from sandbox.cdn import Cdn
from sandbox.clock import Clock
from sandbox.directory import Directory
from sandbox.emojis import Emoji
from sandbox.errors import ImpossibleError
from sandbox.events import Event, Events
from sandbox.guilds import Channel, ChannelType, Guild, OutageEvent, Thread
from sandbox.members import Member, Role, User
from sandbox.messages import Message
from sandbox.payload_reader import PayloadReader
from sandbox.permissions import (
    BOT_PERMISSIONS,
    EVERYONE_PERMISSIONS,
    MEMBER_PERMISSIONS,
    Overwrite,
)
from sandbox.snowflakes import Snowflakes

APPLICATION_ID: Final = 1150000000000000001
GUILD_ID: Final = 1160000000000000000
GAMES_ID: Final = 1160000000000000101
LOBBY_ID: Final = 1160000000000000102
MEMBER_IDS: Final = {
    "Ann": 310000000000000001,
    "Bo": 320000000000000002,
    "Cleo": 330000000000000003,
    "Dan": 340000000000000004,
}
MAX_TIME_OUT: Final = timedelta(days=28)
FOUNDED_AT: Final = datetime(2023, 10, 1, tzinfo=UTC)


class World(Directory):
    """Servers, channels, users and messages. Every change emits an event."""

    def __init__(self, clock: Clock, *, guilds: int = 1) -> None:
        super().__init__(User(id=APPLICATION_ID, name="Facedown", bot=True))
        self.clock = clock
        self.ids = Snowflakes(clock)
        self.events = Events()
        self.cdn = Cdn(clock)
        self.direct_opened_at: list[datetime] = []
        """When the bot opened each direct message channel."""

        self.history: defaultdict[int, list[Message]] = defaultdict(list)
        self.by_nonce: dict[int | str, Message] = {}
        """The last message that the bot has sent with each nonce, even if it's deleted."""

        self.emojis: dict[int, Emoji] = {}
        self.closed: set[int] = set()
        """The ids of users who accept no direct messages."""

        self.user_installs: set[int] = set()
        """The ids of users who have added the bot to their own apps."""

        self.last_read: dict[tuple[int, int], int] = {}
        """The id of the last message that a user has read in a channel, by (user, channel)."""

        self.payloads = PayloadReader(
            cdn=self.cdn, ids=self.ids, emojis=self.emojis, find_channel=self.find_channel
        )
        for name, identity in MEMBER_IDS.items():
            self.users[identity] = User(id=identity, name=name)
        clock.subscribe(self.archive_idle_threads)
        self._seed(guilds)

    def _seed(self, guilds: int) -> None:
        home = self.add_guild("The Back Room", identity=GUILD_ID, channels=())
        self.add_channel("games", guild=home, identity=GAMES_ID)
        self.add_channel("lobby", guild=home, identity=LOBBY_ID)
        for number in range(2, guilds + 1):
            # Consecutive multiples of 1 << 22 belong to consecutive shards.
            identity = GUILD_ID + ((number - 1) << 22)
            self.add_guild(f"The Back Room {number}", identity=identity)

    def emit(self, kind: str, subject: object, *, only: int | None = None) -> None:
        """Emit an event, with the guild and channel of its subject."""
        guild = channel = None
        if isinstance(subject, Guild):
            guild = subject.id
        elif isinstance(subject, Channel):
            guild, channel = subject.guild_id, subject.id
        elif isinstance(subject, Message):
            guild, channel = subject.guild_id, subject.channel_id
            only = subject.ephemeral_to
        self.events.emit(Event(kind=kind, subject=subject, guild=guild, channel=channel, only=only))

    # Changes that people, moderators and Discord make.

    def add_person(self, name: str, *, guild: Guild | None = None, locale: str = "en-US") -> User:
        """Add a user, who joins the first server or `guild`."""
        user = User(id=self.ids.next(), name=name, locale=locale)
        self.users[user.id] = user
        self.add_member(user, guild)
        return user

    def add_guild(
        self, name: str, *, identity: int | None = None, channels: tuple[str, ...] = ("general",)
    ) -> Guild:
        """Add a server with the bot and all existing people, owned by the first of them."""
        people = [user for user in self.users.values() if not user.bot]
        guild = Guild(
            id=identity or self.ids.next(),
            name=name,
            owner=people[0],
            created_at=FOUNDED_AT,
            now=self.clock.now,
        )
        guild.roles[guild.id] = Role(guild.id, "@everyone", EVERYONE_PERMISSIONS, position=0)
        regulars = Role(guild.id + 1, "Regulars", MEMBER_PERMISSIONS)
        bots = Role(guild.id + 2, self.bot.name, BOT_PERMISSIONS, position=2, managed=True)
        guild.roles |= {regulars.id: regulars, bots.id: bots}
        self.guilds[guild.id] = guild
        for user in people:
            guild.members[user.id] = Member(user, FOUNDED_AT, roles=[regulars.id])
        guild.members[self.bot.id] = Member(self.bot, FOUNDED_AT, roles=[bots.id])
        self.emit("guild_joined", guild)
        for channel in channels:
            self.add_channel(channel, guild=guild)
        return guild

    def add_channel(
        self,
        name: str,
        *,
        kind: ChannelType = ChannelType.TEXT,
        guild: Guild | None = None,
        identity: int | None = None,
    ) -> Channel:
        guild = guild or self.guild
        channel = Channel(
            id=identity or self.ids.next(),
            type=kind,
            name=name,
            guild_id=guild.id,
            position=len(guild.channels),
        )
        guild.channels[channel.id] = channel
        self.emit("channel_created", channel)
        return channel

    def add_channel_without_bot(self, *people: User, name: str = "") -> Channel:
        """Add a group chat without the bot, or the direct messages of two people."""
        kind = ChannelType.DIRECT if len(people) == 2 else ChannelType.GROUP
        called = name or ", ".join(person.name for person in people)
        channel = Channel(id=self.ids.next(), type=kind, name=called, people=people)
        self.private[channel.id] = channel
        self.emit("channel_created", channel)
        return channel

    def add_thread(
        self,
        parent: Channel,
        name: str,
        details: Thread,
        *,
        kind: ChannelType | None = None,
        identity: int | None = None,
    ) -> Channel:
        """Add a thread to a channel: a post, if the channel is a forum."""
        guild = self.guild_of(parent)
        assert guild is not None
        kinds = {ChannelType.ANNOUNCEMENT: ChannelType.ANNOUNCEMENT_THREAD}
        thread = Channel(
            id=identity or self.ids.next(),
            type=kind or kinds.get(parent.type, ChannelType.PUBLIC_THREAD),
            name=name,
            guild_id=parent.guild_id,
            parent_id=parent.id,
            thread=details,
        )
        guild.channels[thread.id] = thread
        self.emit("thread_created", thread)
        return thread

    def add_to_thread(self, channel: Channel, user: User) -> None:
        """Add a user to a thread, as mentioning them there does."""
        assert channel.thread is not None
        if user.id not in channel.thread.members:
            channel.thread.members[user.id] = self.clock.now()
            self._emit_membership("thread_joined", channel, user)

    def remove_from_thread(self, channel: Channel, user: User) -> None:
        assert channel.thread is not None
        if channel.thread.members.pop(user.id, None) is not None:
            self._emit_membership("thread_left", channel, user)

    def _emit_membership(self, kind: str, channel: Channel, user: User) -> None:
        subject = channel, user
        event = Event(kind=kind, subject=subject, guild=channel.guild_id, channel=channel.id)
        self.events.emit(event)

    def archive_idle_threads(self) -> None:
        """Archive the threads that have been inactive for their `duration`."""
        now = self.clock.now()
        for guild in self.guilds.values():
            for channel in list(guild.threads()):
                thread = channel.thread
                if thread is not None and not thread.archived and thread.archives_at <= now:
                    thread.close(thread.archives_at)
                    self.emit("thread_updated", channel)

    def archive_thread(self, which: str | int | Channel, *, locked: bool = False) -> None:
        """Archive a thread, as a moderator does, and lock it if `locked` is set."""
        channel = self.channel(which)
        assert channel.thread is not None
        channel.thread.close(self.clock.now())
        channel.thread.locked = locked
        self.emit("thread_updated", channel)

    def lock(self, which: str | int | Channel, *, locked: bool = True) -> None:
        """Lock or unlock a thread, as a moderator does, without archiving or reopening it."""
        channel = self.channel(which)
        assert channel.thread is not None
        channel.thread.locked = locked
        self.emit("thread_updated", channel)

    def delete_channel(self, which: str | int | Channel) -> None:
        """Delete a channel with its threads and messages; like Discord, without events of those."""
        channel = self.channel(which)
        guild = self.guild_of(channel)
        if guild is None:
            raise LookupError("A direct message cannot be deleted.")
        threads = [t for t in guild.threads() if t.parent_id == channel.id]
        for gone in (*threads, channel):
            for message in self.history.pop(gone.id, []):
                message.deleted = True
                self.messages.pop(message.id, None)
            del guild.channels[gone.id]
        kind = "thread_deleted" if channel.thread else "channel_deleted"
        self.emit(kind, channel)

    def delete_message(self, message: Message) -> None:
        """Delete the message and its files."""
        message.deleted = True
        for file in message.files:
            self.cdn.forget(file)
        self.messages.pop(message.id, None)
        if message in self.history[message.channel_id]:
            self.history[message.channel_id].remove(message)
        self.emit("message_deleted", message)

    def set_permissions(
        self,
        which: str | int | Channel,
        *,
        allow: int = 0,
        deny: int = 0,
        role: Role | None = None,
    ) -> None:
        """Replace a role's permission overwrite in a channel; without a role, the bot's own."""
        channel = self.channel(which)
        whose, kind = (self.bot.id, 1) if role is None else (role.id, 0)
        others = [o for o in channel.overwrites if o.id != whose]
        own = Overwrite(id=whose, type=kind, allow=int(allow), deny=int(deny))
        channel.overwrites = [*others, own] if allow or deny else others
        self.emit("channel_updated", channel)

    def add_role(self, name: str, permissions: int = 0) -> Role:
        """Add a role to the first server; nobody has it yet."""
        role = Role(self.ids.next(), name, int(permissions))
        self.guild.roles[role.id] = role
        self.events.emit(Event(kind="role_created", subject=role, guild=self.guild.id))
        return role

    def set_role_permissions(self, role: Role, permissions: int) -> None:
        """Replace the permissions of a role in its server."""
        guild = next(each for each in self.guilds.values() if role.id in each.roles)
        role.permissions = int(permissions)
        self.events.emit(Event(kind="role_updated", subject=role, guild=guild.id))

    def delete_role(self, role: Role) -> None:
        """Delete a role, from its members and from the overwrites of channels too.

        Discord documents no event but GUILD_ROLE_DELETE for this.
        """
        guild = next(each for each in self.guilds.values() if role.id in each.roles)
        if role.id == guild.id or role.managed:
            raise ImpossibleError(f"{role.name} cannot be deleted.")
        del guild.roles[role.id]
        for member in guild.members.values():
            member.roles = [each for each in member.roles if each != role.id]
        for channel in guild.channels.values():
            channel.overwrites = [each for each in channel.overwrites if each.id != role.id]
        self.events.emit(Event(kind="role_deleted", subject=role, guild=guild.id))

    def set_roles(self, user: User, *roles: Role, guild: Guild | None = None) -> None:
        """Replace the roles of a member."""
        guild = guild or self.guild
        member = guild.members[user.id]
        member.roles = [role.id for role in roles]
        self.events.emit(Event(kind="member_updated", subject=member, guild=guild.id))

    def remove_bot(self, guild: Guild | None = None, *, keep_commands: bool = False) -> None:
        """Kick the bot from a server.

        `keep_commands` leaves the server as if it had added the bot with only the scope
        `applications.commands`.
        """
        guild = guild or self.guild
        guild.has_commands = keep_commands
        guild.members.pop(self.bot.id, None)
        self.emit("guild_left", guild)

    def add_bot(self) -> None:
        """Add the bot to the first server again."""
        self.guild.has_commands = False
        roles = [role.id for role in self.guild.roles.values() if role.managed]
        self.guild.members[self.bot.id] = Member(self.bot, self.clock.now(), roles=roles)
        self.emit("guild_joined", self.guild)

    def take_down(
        self,
        guild: Guild | None = None,
        *,
        told_by: OutageEvent = "GUILD_DELETE",
    ) -> None:
        """Begin an outage, in which nobody can use a server.

        `told_by` is the event that tells a bot of it when it identifies.
        """
        guild = guild or self.guild
        guild.unavailable, guild.outage_told_by = True, told_by
        self.emit("guild_unavailable", guild)

    def bring_back(self, guild: Guild | None = None) -> None:
        """End the outage of a server."""
        guild = guild or self.guild
        guild.unavailable = False
        self.emit("guild_available", guild)

    def install_for(self, user: User, *, installed: bool = True) -> None:
        """Add the bot to a user's apps, so that they can use it anywhere, or remove it."""
        (self.user_installs.add if installed else self.user_installs.discard)(user.id)
        self.emit("user_install_changed", user, only=user.id)

    def add_member(self, user: User, guild: Guild | None = None) -> Member:
        guild = guild or self.guild
        member = Member(user, self.clock.now(), roles=[guild.id + 1])
        guild.members[user.id] = member
        self.events.emit(Event(kind="member_added", subject=member, guild=guild.id))
        return member

    def remove_member(self, user: User) -> None:
        """Remove a user from the first server."""
        guild = self.guild
        member = guild.members.pop(user.id)
        for thread in guild.threads():
            if thread.thread is not None:
                thread.thread.members.pop(user.id, None)
        self.events.emit(Event(kind="member_removed", subject=member, guild=guild.id))

    def time_out(self, user: User, lasting: timedelta | None) -> None:
        """Time a member out for up to 28 days, or end their time-out (None)."""
        member = self.guild.members[user.id]
        if self.guild.is_immune_to_time_outs(user.id):
            raise ImpossibleError(f"{user.name} cannot be timed out in {self.guild.name}.")
        if lasting is not None and lasting > MAX_TIME_OUT:
            raise ImpossibleError("A time-out lasts 28 days at most.")
        member.timed_out_until = None if lasting is None else self.clock.now() + lasting
        self.events.emit(Event(kind="member_updated", subject=member, guild=self.guild.id))

    def open_direct(self, user: User) -> Channel:
        """The direct message channel of the bot and a user, opened if there is none."""
        if user.id not in self.direct:
            channel = Channel(
                id=self.ids.next(), type=ChannelType.DIRECT, name=user.name, recipient=user
            )
            self.direct[user.id] = channel
            self.emit("channel_created", channel, only=user.id)
        return self.direct[user.id]

    def mark_read(self, user: int, channel: Channel) -> None:
        """Mark a channel as read by a user."""
        self.last_read[user, channel.id] = channel.last_message_id or 0
        self.emit("read", channel, only=user)
