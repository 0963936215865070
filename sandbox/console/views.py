"""What one member may see, as JSON for the page.

Whatever a pane shows comes out of this module, and every function takes the member who looks: the
browser filters nothing.
"""

from typing import Any

from sandbox.clients import Person
from sandbox.errors import Json
from sandbox.guilds import Channel, ChannelType, User
from sandbox.interactions import Interaction, Kind
from sandbox.messages import Flag, Message
from sandbox.permissions import Permission
from sandbox.server import Sandbox

SHOWN = 100
OPTION_LISTS = (1, 2)  # subcommands and groups of subcommands


def user(who: User) -> Json:
    return {"id": str(who.id), "name": who.name, "bot": who.bot}


def title(interaction: Interaction) -> str:
    """What somebody has used, as Discord writes it above the answer."""
    data = interaction.data
    if interaction.kind is not Kind.COMMAND:
        return ""
    names, options = [data["name"]], data.get("options", [])
    while options and options[0]["type"] in OPTION_LISTS:
        names.append(options[0]["name"])
        options = options[0].get("options", [])
    return ("/" if data["type"] == 1 else "") + " ".join(names)


class Views:
    """The world through one member's eyes."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._world = sandbox.world
        self.titles: dict[str, str] = {}
        """What was used, by the interaction's id; the messages themselves do not say."""

    # The same for everybody.

    def world(self) -> Json:
        world = self._world
        return {
            "kind": "world",
            "guild": {"id": str(world.guild.id), "name": world.guild.name},
            "bot": user(world.bot),
            "people": [user(person.user) for person in self._sandbox.people],
            "users": {str(who.id): user(who) for who in world.users.values()},
            "members": [str(identity) for identity in world.guild.members],
            "roles": [
                {"id": str(role.id), "name": role.name.removeprefix("@")}
                for role in world.guild.roles.values()
            ],
            "files": "",
            "clock": world.clock.now().isoformat(),
        }

    # What a member sees.

    def place(self, person: Person, wanted: object) -> Channel | None:
        """The channel a pane shows: the wanted one, or the first that this member can open."""
        if wanted == "direct":
            return person.dm
        found = self.find_place(person, wanted)
        return found or next(iter(self._rooms(person)), None)

    def find_place(self, person: Person, wanted: object) -> Channel | None:
        """A channel by its id, if this member can open it."""
        identity = int(wanted) if isinstance(wanted, str) and wanted.isdigit() else 0
        channel = self._world.find_channel(identity)
        if channel is None or not self._can(person, channel, Permission.VIEW_CHANNEL):
            return None
        return channel

    def messages(self, person: Person, channel: Channel | None) -> list[Message]:
        """The last messages of a channel that this member sees."""
        return [] if channel is None else person.see(channel)[-SHOWN:]

    def read(self, person: Person, channel: Channel) -> bool:
        """Note that a member has read a channel to its end; whether there was anything new."""
        last = channel.last_message_id or 0
        if self._world.read.get((person.id, channel.id), 0) == last:
            return False
        person.read(channel)
        return True

    def head(self, person: Person, channel: Channel | None) -> Json:
        """All of a pane but its messages."""
        direct = self._world.direct.get(person.id)
        unread = 0 if direct is None else self._unread(person, direct, channel)
        return {
            "member": user(person.user),
            "place": self._place(person, channel),
            "direct": {
                "id": "direct" if direct is None else str(direct.id),
                "unread": unread,
                "closed": person.closed,
            },
            "channels": [self._entry(person, room, channel) for room in self._rooms(person)],
            "commands": [] if channel is None else person.commands(channel),
        }

    def _rooms(self, person: Person) -> list[Channel]:
        rooms = self._world.guild.rooms()
        seen = [room for room in rooms if self._can(person, room, Permission.VIEW_CHANNEL)]
        return sorted(seen, key=lambda room: room.position)

    def _threads(self, person: Person, room: Channel) -> list[Channel]:
        return [
            thread
            for thread in self._world.guild.threads()
            if thread.parent_id == room.id
            and self._can(person, thread, Permission.VIEW_CHANNEL)
            and not (thread.thread is not None and thread.thread.archived)
        ]

    def _can(self, person: Person, channel: Channel, permission: Permission) -> bool:
        return self._world.can(person.id, channel, permission)

    def _place(self, person: Person, channel: Channel | None) -> Json:
        if channel is None:
            return {"id": None, "name": "no channel", "kind": "none", "writable": False}
        if channel.recipient is not None:
            name, kind, needed = self._world.bot.name, "direct", Permission.SEND_MESSAGES
        elif channel.thread is not None:
            name, kind, needed = channel.name, "thread", Permission.SEND_MESSAGES_IN_THREADS
        else:
            name, kind, needed = channel.name, "text", Permission.SEND_MESSAGES
        writable = self._can(person, channel, needed)
        return {"id": str(channel.id), "name": name, "kind": kind, "writable": writable}

    def _entry(self, person: Person, channel: Channel, open_: Channel | None) -> Json:
        threads = [] if channel.thread is not None else self._threads(person, channel)
        mark = self._world.read.get((person.id, channel.id), 0)
        pings = sum(m.id > mark and person.id in m.pinged for m in person.see(channel))
        return {
            "id": str(channel.id),
            "name": channel.name,
            "type": int(ChannelType(channel.type)),
            "unread": self._unread(person, channel, open_) > 0,
            "pings": 0 if channel is open_ else pings,
            "threads": [self._entry(person, thread, open_) for thread in threads],
        }

    def _unread(self, person: Person, channel: Channel, open_: Channel | None) -> int:
        """New messages of others; what only this member sees answers him and is no news."""
        if channel is open_:
            return 0
        mark = self._world.read.get((person.id, channel.id), 0)
        news = (m for m in person.see(channel) if m.id > mark and m.ephemeral_to is None)
        return sum(m.author is not person.user for m in news)

    def message(self, person: Person, message: Message) -> Json:
        """One message; whoever calls has seen to it that this member may see it."""
        edited = None if message.edited_at is None else message.edited_at.isoformat()
        shown: Json = {
            "id": str(message.id),
            "author": user(message.author),
            "time": message.created_at.isoformat(),
            "edited": edited,
            "content": message.content,
            "embeds": [] if message.flags & Flag.SUPPRESS_EMBEDS else message.embeds,
            "components": message.components,
            "attachments": [file.wire() for file in message.attachments],
            "ephemeral": message.ephemeral_to is not None,
            "loading": message.is_loading,
            "pings": person.id in message.pinged,
            "used": self._used(message),
            "reply": self._reply(person, message),
        }
        local: Json = self._local(shown)
        return local

    def _used(self, message: Message) -> Json | None:
        """Who used which command to get this message."""
        name = self.titles.get((message.metadata or {}).get("id", ""))
        if not name or message.metadata is None or message.type != 20:
            return None
        return {"user": user(self._world.users[int(message.metadata["user"]["id"])]), "name": name}

    def _reply(self, person: Person, message: Message) -> Json | None:
        """The message this one answers; nothing of it when this member cannot see it."""
        if message.reference is None:
            return None
        other = self._world.messages.get(int(message.reference["message_id"]))
        if other is None or not person.sees(other):
            return {"author": None, "content": ""}
        return {"author": user(other.author), "content": other.text[:200]}

    def _local(self, value: Any) -> Any:  # noqa: ANN401 - JSON
        """The JSON with files addressed relative to the page, whatever name that was opened by."""
        if isinstance(value, dict):
            return {key: self._local(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._local(item) for item in value]
        if isinstance(value, str) and value.startswith(f"{self._world.cdn.origin}/attachments/"):
            return value.removeprefix(self._world.cdn.origin)
        return value
