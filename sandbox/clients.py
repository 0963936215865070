"""One person's Discord client: what they can do, and what they see."""

from collections.abc import Mapping
from typing import Any

from sandbox.answers import Answer
from sandbox.command_forms import ATTACHMENT, MESSAGE, SLASH, USER
from sandbox.command_options import (
    fill_options,
    find_command,
    find_subcommand,
    nest_options,
)
from sandbox.commands import Commands
from sandbox.components.tree import ComponentType
from sandbox.errors import ImpossibleError, Json
from sandbox.guilds import FORUM_TYPES, Channel, Thread
from sandbox.interactions import Interactions, InteractionType, ResolvedData
from sandbox.members import User
from sandbox.messages import Message
from sandbox.payload_reader import MessagePayload
from sandbox.permissions import Permission
from sandbox.posting import new_message, post
from sandbox.submissions import chosen_values, submitted_components
from sandbox.world import World

Place = str | int | Channel


class Client:
    """One person's client. What Discord's client wouldn't offer raises ImpossibleError."""

    def __init__(
        self, user: User, world: World, commands: Commands, interactions: Interactions
    ) -> None:
        self.user = user
        self._world = world
        self._commands = commands
        self._interactions = interactions
        self._dismissed: set[int] = set()
        """The ids of ephemeral messages that this person has dismissed; Discord isn't told."""

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.name

    @property
    def mention(self) -> str:
        return self.user.mention

    @property
    def closed(self) -> bool:
        """Whether direct messages to this person are refused (50007)."""
        return self.id in self._world.closed

    @closed.setter
    def closed(self, closed: bool) -> None:
        (self._world.closed.add if closed else self._world.closed.discard)(self.id)

    # What the person sees.

    @property
    def dm(self) -> Channel:
        """The direct messages with the bot."""
        return self._world.open_direct(self.user)

    @property
    def channels(self) -> list[Channel]:
        """The channels that this person can view in all servers, without direct messages."""
        return [
            channel
            for guild in self._world.guilds.values()
            for channel in guild.channels.values()
            if guild.permissions(self.id, channel) & Permission.VIEW_CHANNEL
        ]

    @property
    def direct_messages(self) -> list[Message]:
        if self.id not in self._world.direct:
            return []
        return self.see(self._world.direct[self.id])

    def see(self, place: Place) -> list[Message]:
        """The messages of a channel that this person sees, including ephemeral ones for them."""
        channel = self._world.channel(place)
        return [m for m in self._world.history[channel.id] if self.sees(m)]

    def sees(self, message: Message) -> bool:
        return message.id not in self._dismissed and self._world.sees(self.id, message)

    @property
    def unread(self) -> int:
        """The number of unread direct messages from the bot."""
        return self.unread_in(self.dm) if self.id in self._world.direct else 0

    def unread_in(self, place: Place) -> int:
        channel = self._world.channel(place)
        mark = self._world.last_read.get((self.id, channel.id), 0)
        return sum(m.id > mark and m.author is not self.user for m in self.see(channel))

    def read(self, place: Place | None = None) -> None:
        """Mark a channel as read, or the direct messages with the bot if none is given."""
        channel = self.dm if place is None else self._world.channel(place)
        self._world.mark_read(self.id, channel)

    def commands(self, place: Place) -> list[Json]:
        """The commands that this person is offered in a channel, context menus included."""
        channel = self._world.channel(place)
        offered = []
        for command in self._commands.available(channel.guild_id):
            try:
                kind, name = command["type"], command["name"]
                find_command(self._world, self._commands, self.user, channel, name, kind)
            except ImpossibleError:
                continue
            offered.append(command)
        return offered

    # What the person does.

    def dismiss(self, message: Message) -> None:
        """Hide an ephemeral message in this client only; the bot can still edit it."""
        if message.ephemeral_to != self.id:
            raise ImpossibleError("Only a message that nobody else sees can be dismissed.")
        self._dismissed.add(message.id)

    async def say(self, place: Place, text: str) -> Message:
        channel = self._world.channel(place)
        if not channel.takes_messages:
            raise ImpossibleError(f"#{channel.name} is a forum; it has posts instead of messages.")
        if self._world.locks_out(self.id, channel):
            raise ImpossibleError(f"#{channel.name} is locked.")
        if not self._world.may_write(self.id, channel):
            raise ImpossibleError(f"{self.name} may not write in #{channel.name}.")
        if not text.strip() or len(text) > 2000:
            raise ImpossibleError("A message has 1 to 2000 characters.")
        message = new_message(self._world, channel, self.user)
        return post(self._world, channel, message, MessagePayload(content=text))

    async def begin_post(self, place: Place, title: str, text: str) -> Channel:
        """Begin a post in a forum."""
        forum = self._world.channel(place)
        if forum.type not in FORUM_TYPES:
            raise ImpossibleError(f"#{forum.name} is no forum.")
        if not self._world.can(self.id, forum, Permission.SEND_MESSAGES):
            raise ImpossibleError(f"{self.name} can't begin a post in #{forum.name}.")
        now = self._world.clock.now()
        details = Thread(
            owner=self.id, created_at=now, changed_at=now, members={self.id: now}, duration=4320
        )
        thread = self._world.add_thread(forum, title, details)
        message = new_message(self._world, thread, self.user)
        message.id = thread.id
        post(self._world, thread, message, MessagePayload(content=text))
        return thread

    async def slash(
        self,
        command: str,
        *,
        channel: Place,
        options: Mapping[str, object] | None = None,
        **values: object,
    ) -> Answer:
        """Use a slash command, named with its subcommands: `slash("pico play", channel="games")`.

        Options are keyword arguments; `options` is for those named like a parameter of this method.
        """
        data, where = self._command(command, channel, {**(options or {}), **values})
        return await self._do(InteractionType.COMMAND, where, data)

    def _command(
        self, command: str, place: Place, values: Mapping[str, Any], focused: str | None = None
    ) -> tuple[Json, Channel]:
        where = self._command_channel(place)
        name, *path = command.split()
        found = find_command(self._world, self._commands, self.user, where, name, SLASH)
        last, way = find_subcommand(found, path)
        resolved = ResolvedData(self._world, where, self.user)
        if focused is None:
            chosen = fill_options(last, self._entities(last, values, where), resolved)
        else:
            chosen = self._typing(last, values, focused, resolved)
        data = {
            "id": found["id"],
            "name": name,
            "type": SLASH,
            "options": nest_options(way, chosen),
        }
        if resolved.data:
            data["resolved"] = resolved.data
        if "guild_id" in found:
            data["guild_id"] = found["guild_id"]
        return data, where

    def _entities(self, command: Json, values: Mapping[str, Any], where: Channel) -> Json:
        """The values, with clients replaced by users, and (name, bytes) of files by attachments."""
        kinds = {option["name"]: option["type"] for option in command.get("options", [])}
        return {
            name: self._file(value, where) if kinds.get(name) == ATTACHMENT else _entity(value)
            for name, value in values.items()
        }

    def _file(self, value: object, where: Channel) -> object:
        if not isinstance(value, tuple):
            return value
        filename, data = value
        return self._world.cdn.store(self._world.ids.next(), where.id, filename, data)

    def _typing(
        self, command: Json, values: Mapping[str, Any], focused: str, resolved: ResolvedData
    ) -> list[Json]:
        """The options sent for autocomplete, the focused one last; required ones may be missing."""
        known = {option["name"]: option for option in command.get("options", [])}
        if not known.get(focused, {}).get("autocomplete"):
            raise ImpossibleError(f"{focused!r} has no autocomplete.")
        relaxed = [{**option, "required": False} for option in command["options"]]
        others = {name: _entity(value) for name, value in values.items() if name != focused}
        chosen = fill_options({**command, "options": relaxed}, others, resolved)
        option = known[focused]
        typed = {"type": option["type"], "name": focused, "value": str(values[focused])}
        return [*chosen, {**typed, "focused": True}]

    async def autocomplete(
        self,
        command: str,
        option: str,
        typed: str,
        *,
        channel: Place,
        options: Mapping[str, object] | None = None,
        **others: object,
    ) -> list[Json]:
        """The choices offered for `typed` in an option; other options are passed as to `slash`."""
        values = {**(options or {}), **others, option: typed}
        data, where = self._command(command, channel, values, focused=option)
        return (await self._do(InteractionType.AUTOCOMPLETE, where, data)).choices

    async def context_menu(
        self,
        name: str,
        *,
        channel: Place,
        user: "Client | User | None" = None,
        message: Message | None = None,
    ) -> Answer:
        """Use a right-click command on a user or a message."""
        if (user is None) == (message is None):
            raise ImpossibleError("A context menu belongs to a user or to a message.")
        kind = USER if message is None else MESSAGE
        where = self._command_channel(channel)
        found = find_command(self._world, self._commands, self.user, where, name, kind)
        resolved = ResolvedData(self._world, where, self.user)
        target = _entity(user) if message is None else self._visible(message)
        data = {"id": found["id"], "name": name, "type": kind, "target_id": resolved.add(target)}
        return await self._do(InteractionType.COMMAND, where, data | {"resolved": resolved.data})

    async def click(self, message: Message, name: str) -> Answer:
        """Click the button with that label or custom id."""
        button = self._visible(message).find_button(name)
        if button is None:
            names = ", ".join(repr(b.label or b.emoji) for b in message.buttons) or "none"
            raise ImpossibleError(f"The message has no button {name!r}; there are: {names}.")
        if button.disabled:
            raise ImpossibleError(f"The button {name!r} is disabled.")
        if button.custom_id is None:
            raise ImpossibleError(f"The button {name!r} is a link to {button.url}.")
        return await self.forge(message, custom_id=button.custom_id)

    async def forge(self, message: Message, *, custom_id: str) -> Answer:
        """Send a click with any custom id, even one that is not on the message."""
        data = {"custom_id": custom_id, "component_type": int(ComponentType.BUTTON)}
        return await self._use_component(self._visible(message), data)

    async def select(self, message: Message, name: str, values: object) -> Answer:
        """Choose from the select with that custom id or placeholder."""
        select = self._visible(message).find_select(name)
        if select is None:
            names = ", ".join(repr(s.placeholder or s.custom_id) for s in message.selects)
            raise ImpossibleError(f"The message has no select {name!r}; there are: {names}.")
        if select.disabled:
            raise ImpossibleError(f"The select {name!r} is disabled.")
        given = [_entity(v) for v in (values if isinstance(values, list | tuple) else [values])]
        resolved = ResolvedData(self._world, self._world.channel(message.channel_id), self.user)
        field = {
            "type": select.kind,
            "custom_id": select.custom_id,
            "options": list(select.options),
            "channel_types": select.channel_types,
            "min_values": select.low,
            "max_values": select.high,
        }
        data: Json = {"custom_id": select.custom_id, "component_type": int(select.kind)}
        data["values"] = chosen_values(field, given, resolved)
        if select.kind != ComponentType.STRING_SELECT:
            data["resolved"] = resolved.data
        return await self._use_component(message, data)

    async def submit(self, opened: Answer, values: Mapping[str, Any]) -> Answer:
        """Fill in the modal of an answer and send it; the keys are custom ids or labels."""
        opener = opened.interaction
        if opener.user is not self.user or opener.modal is None:
            raise ImpossibleError(f"{self.name} has no such modal open.")
        resolved = ResolvedData(self._world, opener.channel, self.user)
        given = {
            name: [_entity(v) for v in value] if isinstance(value, list | tuple) else _entity(value)
            for name, value in values.items()
        }
        data: Json = {"custom_id": opener.modal["custom_id"]}
        data["components"] = submitted_components(opener.modal, given, resolved)
        if resolved.data:
            data["resolved"] = resolved.data
        return await self._do(InteractionType.MODAL, opener.channel, data, opener.source)

    async def _use_component(self, message: Message, data: Json) -> Answer:
        channel = self._world.channel(message.channel_id)
        guild = self._world.guild_of(channel)
        if guild is not None and guild.is_timed_out(self.id):
            raise ImpossibleError(f"{self.name} is timed out in {guild.name}.")
        self._world.archive_idle_threads()
        if channel.thread is not None and channel.thread.archived:
            self._refuse_archived_post(channel)
        component = next(
            (c for c in message.parts() if c.get("custom_id") == data["custom_id"]), {}
        )
        return await self._do(
            InteractionType.COMPONENT, channel, {"id": component.get("id", 0), **data}, message
        )

    async def _do(
        self, kind: InteractionType, channel: Channel, data: Json, source: Message | None = None
    ) -> Answer:
        interaction = self._interactions.start(kind, self.user, channel, data, source)
        await self._interactions.answered(interaction)
        return Answer(interaction)

    def _command_channel(self, place: Place) -> Channel:
        channel = self._world.channel(place)
        if not self._world.can(self.id, channel, Permission.VIEW_CHANNEL):
            raise ImpossibleError(f"{self.name} does not see #{channel.name}.")
        if not channel.takes_messages:
            raise ImpossibleError("Commands cannot be used in a forum, only in its posts.")
        self._world.archive_idle_threads()
        if channel.thread is not None and channel.thread.archived:
            raise ImpossibleError("Commands cannot be used in an archived thread.")
        return channel

    def _refuse_archived_post(self, thread: Channel) -> None:
        """Refuse a click in an archived forum post, which the client fails to reopen."""
        if self._world.channel(thread.parent_id or 0).type in FORUM_TYPES:
            raise ImpossibleError("An error occurred, please try again.")

    def _visible(self, message: Message) -> Message:
        if not self.sees(message):
            raise ImpossibleError(f"{self.name} does not see this message.")
        return message

    def __repr__(self) -> str:
        return f"<Client {self.name}>"


def _entity(value: Any) -> Any:  # noqa: ANN401 - a test may give anything
    return value.user if isinstance(value, Client) else value
