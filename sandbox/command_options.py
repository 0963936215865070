"""The command options that a person fills in, checked as Discord's client checks them."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from sandbox import command_forms as forms
from sandbox.cdn import Attachment
from sandbox.commands import Commands
from sandbox.errors import ImpossibleError, Json
from sandbox.guilds import Channel
from sandbox.interactions import ResolvedData, owners
from sandbox.members import Role, User
from sandbox.permissions import Permission
from sandbox.world import World

BY_GUILD: Final = 0
"""The integration type of an installation to a server; 1 is one to a user."""

Entity = User | Channel | Role | Attachment
ENTITY_CLASSES: Final = {
    forms.USER_OPTION: (User,),
    forms.CHANNEL_OPTION: (Channel,),
    forms.ROLE_OPTION: (Role,),
    forms.MENTIONABLE: (User, Role),
    forms.ATTACHMENT: (Attachment,),
}


def find_command(
    world: World, commands: Commands, user: User, channel: Channel, name: str, kind: int
) -> Json:
    """The command as offered to this person in this channel; ImpossibleError if it isn't."""
    guild = world.guild_of(channel)
    available = [c for c in commands.available(channel.guild_id) if c["type"] == kind]
    found = next((c for c in available if c["name"] == name), None)
    if found is None:
        names = ", ".join(sorted(c["name"] for c in available)) or "none"
        raise ImpossibleError(f"There is no command {name!r} here; there are: {names}.")
    if not _is_installed(world, found, user, channel):
        where = "here" if guild is None else f"in {guild.name}"
        raise ImpossibleError(f"{name!r} is not installed {where}.")
    contexts = found.get("contexts")
    if channel.people:
        if contexts is not None and 2 not in contexts:
            raise ImpossibleError(f"{name!r} is not offered in channels without the bot.")
        return found
    if guild is None:
        if (contexts is not None and 1 not in contexts) or found.get("dm_permission") is False:
            raise ImpossibleError(f"{name!r} is not offered in direct messages.")
        return found
    if contexts is not None and 0 not in contexts:
        raise ImpossibleError(f"{name!r} is not offered in servers.")
    bits = guild.permissions(user.id, channel)
    if not bits & Permission.USE_APPLICATION_COMMANDS:
        raise ImpossibleError(f"{user.name} may not use commands in #{channel.name}.")
    needed = found["default_member_permissions"]
    hidden = needed is not None and (int(needed) == 0 or bits & int(needed) != int(needed))
    if hidden and not bits & Permission.ADMINISTRATOR:
        raise ImpossibleError(f"{user.name} is not offered {name!r}.")
    return found


def _is_installed(world: World, command: Json, user: User, channel: Channel) -> bool:
    """Whether the command is installed here, by the server or by the user."""
    if "guild_id" in command:
        return True
    kinds = command.get("integration_types") or [BY_GUILD]
    present = owners(world, user, channel)
    return any(str(kind) in present for kind in kinds)


def find_subcommand(command: Json, path: list[str]) -> tuple[Json, list[Json]]:
    """The (sub)command at the end of a path of names, and the definition of each name in it."""
    here, way = command, []
    for name in path:
        options = here.get("options", [])
        nested = [o for o in options if o["type"] in (forms.SUBCOMMAND, forms.GROUP)]
        found = next((option for option in nested if option["name"] == name), None)
        if found is None:
            names = ", ".join(option["name"] for option in nested) or "none"
            raise ImpossibleError(f"{here['name']!r} has no subcommand {name!r}, only: {names}.")
        here = found
        way.append(found)
    if any(o["type"] in (forms.SUBCOMMAND, forms.GROUP) for o in here.get("options", [])):
        raise ImpossibleError(f"{here['name']!r} needs a subcommand.")
    return here, way


def nest_options(way: list[Json], options: list[Json]) -> list[Json]:
    """The options as they're sent: nested in their subcommand, and it in its group."""
    for step in reversed(way):
        options = [{"type": step["type"], "name": step["name"], "options": options}]
    return options


def fill_options(command: Json, values: Mapping[str, Any], resolved: ResolvedData) -> list[Json]:
    """The values as sent, in the order of the options; ImpossibleError if one isn't possible."""
    options = command.get("options", [])
    known = {option["name"] for option in options}
    if unknown := set(values) - known:
        raise ImpossibleError(f"{command['name']!r} has no option {', '.join(sorted(unknown))}.")
    missing = [o["name"] for o in options if o.get("required") and o["name"] not in values]
    if missing:
        raise ImpossibleError(f"{command['name']!r} needs {', '.join(missing)}.")
    return list(_filled(options, values, resolved))


def _filled(
    options: list[Json], values: Mapping[str, object], resolved: ResolvedData
) -> Iterator[Json]:
    for option in options:
        if option["name"] in values:
            value = check_value(option, values[option["name"]], resolved)
            yield {"type": option["type"], "name": option["name"], "value": value}


def check_value(option: Json, value: object, resolved: ResolvedData) -> object:
    """The value as it's sent; ImpossibleError if the client wouldn't accept it."""
    kind = option["type"]
    if kind in ENTITY_CLASSES:
        if not isinstance(value, Entity) or type(value) not in ENTITY_CLASSES[kind]:
            names = " or ".join(cls.__name__.lower() for cls in ENTITY_CLASSES[kind])
            raise ImpossibleError(f"{option['name']!r} takes a {names}, not {value!r}.")
        return resolved.add(value)
    if option.get("choices"):
        return _chosen(option, value)
    if kind == forms.BOOLEAN:
        _check_flag(option, value)
    elif kind == forms.STRING:
        _check_text(option, value)
    else:
        _check_number(option, value)
    return value


def _chosen(option: Json, value: object) -> object:
    for choice in option["choices"]:
        if value in (choice["value"], choice["name"]):
            return choice["value"]
    offered = ", ".join(repr(choice["value"]) for choice in option["choices"])
    raise ImpossibleError(f"{option['name']!r} offers {offered}, not {value!r}.")


def _check_flag(option: Json, value: object) -> None:
    if not isinstance(value, bool):
        raise ImpossibleError(f"{option['name']!r} is true or false, not {value!r}.")


def _check_text(option: Json, value: object) -> None:
    if not isinstance(value, str):
        raise ImpossibleError(f"{option['name']!r} is a text, not {value!r}.")
    low, high = option.get("min_length", 0), option.get("max_length", 6000)
    if not low <= len(value) <= high:
        sentence = f"{option['name']!r} takes {low} to {high} characters, not {len(value)}."
        raise ImpossibleError(sentence)


def _check_number(option: Json, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ImpossibleError(f"{option['name']!r} is a number, not {value!r}.")
    if option["type"] == forms.INTEGER and not isinstance(value, int):
        raise ImpossibleError(f"{option['name']!r} is a whole number, not {value!r}.")
    low = option.get("min_value", -forms.MAX_NUMBER)
    high = option.get("max_value", forms.MAX_NUMBER)
    if not low <= value <= high:
        raise ImpossibleError(f"{option['name']!r} is {low} to {high}, not {value}.")
