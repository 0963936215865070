"""What one member can see, as JSON for the page.

Everything that a pane shows comes from this module, where each function takes the viewing member's
client; the browser filters nothing.
"""

from typing import Any

from sandbox.callbacks import CHAT_INPUT_COMMAND_TYPE
from sandbox.clients import Client
from sandbox.command_forms import GROUP, SLASH, SUBCOMMAND
from sandbox.errors import Json
from sandbox.guilds import Channel, ChannelType
from sandbox.interactions import Interaction, InteractionType
from sandbox.members import User
from sandbox.messages import Flag, Message
from sandbox.permissions import Permission
from sandbox.server import Sandbox

MAX_MESSAGES = 100


def user(who: User) -> Json:
    return {"id": str(who.id), "name": who.name, "bot": who.bot}


def title(interaction: Interaction) -> str:
    """The command that was used, as Discord shows it above the answer; "" if there was none."""
    data = interaction.data
    if interaction.kind is not InteractionType.COMMAND:
        return ""
    names, options = [data["name"]], data.get("options", [])
    while options and options[0]["type"] in (SUBCOMMAND, GROUP):
        names.append(options[0]["name"])
        options = options[0].get("options", [])
    return ("/" if data["type"] == SLASH else "") + " ".join(names)


class Views:
    """The world as one member sees it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._world = sandbox.world
        self.titles: dict[str, str] = {}
        """The command that was used, by the interaction's id; messages don't contain it."""

    # The same for everybody.

    def world(self) -> Json:
        world = self._world
        return {
            "kind": "world",
            "guild": {"id": str(world.guild.id), "name": world.guild.name},
            "bot": user(world.bot),
            "people": [user(client.user) for client in self._sandbox.clients],
            "users": {str(who.id): user(who) for who in world.users.values()},
            "members": [str(identity) for identity in world.guild.members],
            "roles": [
                {"id": str(role.id), "name": role.name.removeprefix("@")}
                for role in world.guild.roles.values()
            ],
            "clock": world.clock.now().isoformat(),
        }

    # What a member sees.

    def place(self, client: Client, wanted: object) -> Channel | None:
        """The channel that a pane shows: the wanted one, or the first that this member can view."""
        if wanted == "direct":
            return client.dm
        found = self.find_place(client, wanted)
        return found or next(iter(self._text_channels(client)), None)

    def find_place(self, client: Client, wanted: object) -> Channel | None:
        """A channel by its id, a string; None if this member can't view it."""
        identity = int(wanted) if isinstance(wanted, str) and wanted.isdigit() else 0
        channel = self._world.find_channel(identity)
        return channel if channel is not None and self._sees(client, channel) else None

    def messages(self, client: Client, channel: Channel | None) -> list[Message]:
        """The last messages of a channel that this member sees, oldest first."""
        return [] if channel is None else client.see(channel)[-MAX_MESSAGES:]

    def read(self, client: Client, channel: Channel) -> bool:
        """Mark a channel as read; returns whether anything was unread."""
        last = channel.last_message_id or 0
        if self._world.last_read.get((client.id, channel.id), 0) == last:
            return False
        client.read(channel)
        return True

    def head(self, client: Client, channel: Channel | None) -> Json:
        """Everything that a pane shows except messages."""
        direct = self._world.direct.get(client.id)
        unread = 0 if direct is None else self._unread(client, direct, channel)
        return {
            "member": user(client.user),
            "place": self._place(client, channel),
            "direct": {
                "id": "direct" if direct is None else str(direct.id),
                "unread": unread,
                "closed": client.closed,
            },
            "installed": client.id in self._world.user_installs,
            "elsewhere": self._elsewhere(client, channel),
            "channels": [
                self._entry(client, each, channel) for each in self._text_channels(client)
            ],
            "commands": [] if channel is None else client.commands(channel),
        }

    def _text_channels(self, client: Client) -> list[Channel]:
        channels = self._world.guild.text_channels()
        seen = [c for c in channels if self._sees(client, c)]
        return sorted(seen, key=lambda channel: channel.position)

    def _elsewhere(self, client: Client, open_: Channel | None) -> list[Json]:
        """This member's other servers, and their group chats and direct messages with people."""
        first = self._world.guild.id
        others = [g for g in self._world.guilds.values() if g.id != first]
        places = [
            (guild.name, [c for c in guild.text_channels() if self._sees(client, c)])
            for guild in others
        ]
        private = [c for c in self._world.private.values() if self._sees(client, c)]
        return [
            {"name": name, "channels": [self._entry(client, each, open_) for each in channels]}
            for name, channels in [*places, ("Friends", private)]
            if channels
        ]

    def _sees(self, client: Client, channel: Channel) -> bool:
        return self._world.can(client.id, channel, Permission.VIEW_CHANNEL)

    def _threads(self, client: Client, channel: Channel) -> list[Channel]:
        return [
            thread
            for thread in self._world.guild.threads()
            if thread.parent_id == channel.id
            and self._sees(client, thread)
            and not (thread.thread is not None and thread.thread.archived)
        ]

    def _place(self, client: Client, channel: Channel | None) -> Json:
        if channel is None:
            return {"id": None, "name": "no channel", "kind": "none", "writable": False}
        if channel.recipient is not None:
            name, kind = self._world.bot.name, "direct"
        elif channel.people:
            name, kind = channel.name, "group"
        elif channel.thread is not None:
            name, kind = channel.name, "thread"
        else:
            name, kind = channel.name, "text" if channel.takes_messages else "forum"
        writable = channel.takes_messages and self._world.may_write(client.id, channel)
        return {"id": str(channel.id), "name": name, "kind": kind, "writable": writable}

    def _entry(self, client: Client, channel: Channel, open_: Channel | None) -> Json:
        threads = [] if channel.thread is not None else self._threads(client, channel)
        mark = self._world.last_read.get((client.id, channel.id), 0)
        pings = sum(m.id > mark and client.id in m.pinged for m in client.see(channel))
        return {
            "id": str(channel.id),
            "name": channel.name,
            "type": int(ChannelType(channel.type)),
            "unread": self._unread(client, channel, open_) > 0,
            "pings": 0 if channel is open_ else pings,
            "threads": [self._entry(client, thread, open_) for thread in threads],
        }

    def _unread(self, client: Client, channel: Channel, open_: Channel | None) -> int:
        """The number of unread messages from others; ephemeral ones don't count, as they answer."""
        if channel is open_:
            return 0
        mark = self._world.last_read.get((client.id, channel.id), 0)
        new = (m for m in client.see(channel) if m.id > mark and m.ephemeral_to is None)
        return sum(m.author is not client.user for m in new)

    def message(self, client: Client, message: Message) -> Json:
        """One message; the caller has checked that this member can see it."""
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
            "pings": client.id in message.pinged,
            "used": self._used(message),
            "reply": self._reply(client, message),
        }
        local: Json = self._local(self._world.cdn.renewed(shown))
        return local

    def _used(self, message: Message) -> Json | None:
        """Who used which command to get this message; None if no command did."""
        name = self.titles.get((message.metadata or {}).get("id", ""))
        if not name or message.metadata is None or message.type != CHAT_INPUT_COMMAND_TYPE:
            return None
        return {"user": user(self._world.users[int(message.metadata["user"]["id"])]), "name": name}

    def _reply(self, client: Client, message: Message) -> Json | None:
        """The message that this one replies to, without content if this member can't see it."""
        if message.reference is None:
            return None
        other = self._world.messages.get(int(message.reference["message_id"]))
        if other is None or not client.sees(other):
            return {"author": None, "content": ""}
        return {"author": user(other.author), "content": other.text[:200]}

    def _local(self, value: Any) -> Any:  # noqa: ANN401 - JSON
        """The JSON with relative URLs of files, as the page can be open under another host name."""
        if isinstance(value, dict):
            return {key: self._local(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._local(item) for item in value]
        if isinstance(value, str) and value.startswith(f"{self._world.cdn.origin}/attachments/"):
            return value.removeprefix(self._world.cdn.origin)
        return value
