"""Actions of members on the page: messages, commands, clicks, modals."""

from collections.abc import Awaitable, Callable
from typing import Any

from sandbox import command_forms as forms
from sandbox.answers import Answer
from sandbox.clients import Client
from sandbox.command_options import find_subcommand
from sandbox.components.tree import ENTITY_SELECTS, ComponentType
from sandbox.console.views import Views
from sandbox.errors import ImpossibleError, Json
from sandbox.guilds import Channel
from sandbox.members import Role, User
from sandbox.messages import Message
from sandbox.server import Sandbox

USER_OPTIONS = frozenset({forms.USER_OPTION, forms.MENTIONABLE})
ROLE_OPTIONS = frozenset({forms.ROLE_OPTION, forms.MENTIONABLE})
MESSAGE_GONE = ImpossibleError("This message doesn't exist anymore.")


class MemberActions:
    """Carries out requests of the page with the member's Client.

    Messages and channels are looked up as the acting member sees them, so members can't use what
    they can't see.
    """

    def __init__(self, sandbox: Sandbox, views: Views) -> None:
        self._sandbox = sandbox
        self._world = sandbox.world
        self._views = views
        self._modals: dict[int, Answer] = {}
        self._verbs: dict[str, Callable[[Client, Json], Awaitable[Json]]] = {
            "say": self._say,
            "slash": self._slash,
            "autocomplete": self._autocomplete,
            "click": self._click,
            "select": self._select,
            "submit": self._submit,
            "context_menu": self._context_menu,
            "install": self._install,
        }

    async def do(self, client: Client, ask: Json) -> Json:
        """Carry out a member's request; returns the reply to the page."""
        act = self._verbs.get(str(ask.get("verb")))
        if act is None:
            return {"error": f"The page can't do {ask.get('verb')!r}."}
        try:
            return await act(client, ask)
        except ImpossibleError as error:
            return {"error": str(error)}

    async def _say(self, client: Client, ask: Json) -> Json:
        await client.say(self._channel(client, ask), str(ask["text"]))
        return {}

    async def _install(self, client: Client, ask: Json) -> Json:
        """Add the bot to this member's apps, or remove it."""
        self._world.install_for(client.user, installed=bool(ask.get("installed")))
        return {}

    async def _slash(self, client: Client, ask: Json) -> Json:
        channel = self._channel(client, ask)
        values = self._values(self._options(client, channel, ask["command"]), ask["values"])
        return self._reply(await client.slash(ask["command"], channel=channel, options=values))

    async def _autocomplete(self, client: Client, ask: Json) -> Json:
        channel = self._channel(client, ask)
        values = self._values(self._options(client, channel, ask["command"]), ask["values"])
        choices = await client.autocomplete(
            ask["command"], ask["option"], str(ask["text"]), channel=channel, options=values
        )
        return {"choices": choices}

    async def _click(self, client: Client, ask: Json) -> Json:
        return self._reply(await client.click(self._message(client, ask), str(ask["custom_id"])))

    async def _select(self, client: Client, ask: Json) -> Json:
        message = self._message(client, ask)
        select = message.find_select(str(ask["custom_id"]))
        kind = ComponentType.STRING_SELECT if select is None else select.kind
        values = [self._entity(kind, value) for value in ask["values"]]
        return self._reply(await client.select(message, str(ask["custom_id"]), values))

    async def _context_menu(self, client: Client, ask: Json) -> Json:
        channel, name = self._channel(client, ask), str(ask["command"])
        if "user" in ask:
            target = self._user(ask["user"])
            return self._reply(await client.context_menu(name, channel=channel, user=target))
        message = self._message(client, ask)
        return self._reply(await client.context_menu(name, channel=channel, message=message))

    async def _submit(self, client: Client, ask: Json) -> Json:
        opened = self._modals.get(int(ask["modal"]))
        if opened is None or opened.modal is None:
            raise ImpossibleError("This modal isn't open anymore.")
        kinds = dict(_fields(opened.modal["components"]))
        values = {
            name: self._field(kinds.get(name, ComponentType.TEXT_INPUT), value)
            for name, value in ask["values"].items()
        }
        answer = await client.submit(opened, values)
        if not answer.failed:
            self._modals.pop(int(ask["modal"]), None)
        return self._reply(answer)

    def _reply(self, answer: Answer) -> Json:
        """The reply for an answer of the bot; its messages reach the page through the feed."""
        reply: Json = {"failed": bool(answer.failed)}
        if answer.modal is not None:
            number = answer.interaction.id
            self._modals[number] = answer
            reply |= {"modal": answer.modal, "modal_number": str(number)}
        return reply

    # Looking up what a request of the page names.

    def _channel(self, client: Client, ask: Json) -> Channel:
        if ask.get("channel") == "direct":
            return client.dm
        channel = self._views.find_place(client, ask.get("channel"))
        if channel is None:
            raise ImpossibleError("This channel doesn't exist anymore.")
        return channel

    def _message(self, client: Client, ask: Json) -> Message:
        message = self._world.messages.get(_number(ask.get("message")))
        if message is None or not client.sees(message):
            raise MESSAGE_GONE
        return message

    def _user(self, value: object) -> User:
        found = self._world.users.get(_number(value))
        if found is None:
            raise ImpossibleError(f"There is no user {value}.")
        return found

    def _options(self, client: Client, channel: Channel, command: str) -> dict[str, int]:
        """The types of a command's options, by their names."""
        name, *path = command.split()
        for offered in client.commands(channel):
            if offered["name"] == name and offered["type"] == forms.SLASH:
                last, _ = find_subcommand(offered, path)
                return {option["name"]: option["type"] for option in last.get("options", [])}
        raise ImpossibleError(f"There is no command /{command} here.")

    def _values(self, options: dict[str, int], values: Json) -> Json:
        return {name: self._value(options.get(name, 0), value) for name, value in values.items()}

    def _value(self, kind: int, value: Any) -> Any:  # noqa: ANN401 - JSON in, entities out
        if kind == forms.CHANNEL_OPTION:
            return self._world.channel(_number(value))
        if kind in USER_OPTIONS and _number(value) in self._world.users:
            return self._user(value)
        return self._role(value) if kind in ROLE_OPTIONS else value

    def _entity(self, kind: int, value: Any) -> Any:  # noqa: ANN401 - JSON in, entities out
        """What a select's value means: a user, role or channel, or the value of a string select."""
        if kind == ComponentType.STRING_SELECT:
            return value
        if kind == ComponentType.CHANNEL_SELECT:
            return self._world.channel(_number(value))
        if kind != ComponentType.ROLE_SELECT and _number(value) in self._world.users:
            return self._user(value)
        return self._role(value)

    def _role(self, value: object) -> Role:
        role = self._world.guild.roles.get(_number(value))
        if role is None:
            raise ImpossibleError(f"There is no role {value}.")
        return role

    def _field(self, kind: int, value: Any) -> Any:  # noqa: ANN401 - JSON in, entities out
        if kind in ENTITY_SELECTS:
            return [self._entity(kind, item) for item in value]
        return value


def _fields(components: list[Json]) -> list[tuple[str, int]]:
    """The custom id and type of each field of a modal."""
    found = []
    for component in components:
        inner = [*component.get("components", ()), *filter(None, [component.get("component")])]
        found += [(field["custom_id"], field["type"]) for field in inner]
    return found


def _number(value: object) -> int:
    return int(value) if isinstance(value, str) and value.isdigit() else 0
