"""Reads the application commands that a bot registers, and checks all of Discord's limits."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from sandbox.errors import Json, Path, Problems
from sandbox.forms import Form
from sandbox.guilds import CHANNEL_TYPES

SLASH: Final = 1
USER: Final = 2
MESSAGE: Final = 3
ENTRY_POINT: Final = 4
"""The command that launches an app's Activity."""

COMMAND_TYPES: Final = (SLASH, USER, MESSAGE, ENTRY_POINT)

SUBCOMMAND: Final = 1
GROUP: Final = 2
STRING: Final = 3
INTEGER: Final = 4
BOOLEAN: Final = 5
USER_OPTION: Final = 6
CHANNEL_OPTION: Final = 7
ROLE_OPTION: Final = 8
MENTIONABLE: Final = 9
NUMBER: Final = 10
ATTACHMENT: Final = 11
NUMERIC_OPTIONS: Final = (INTEGER, NUMBER)
OPTIONS_WITH_CHOICES: Final = (STRING, INTEGER, NUMBER)

HANDLERS: Final = (1, 2)
"""Who handles an entry point command: the app (1), or Discord (2)."""

MAX_OPTIONS: Final = 25
MAX_CHOICES: Final = 25
MAX_COMMAND_CHARACTERS: Final = 8000
MAX_NUMBER: Final = 2**53
LOCALES: Final = frozenset(
    re.findall(
        r"\S+",
        """
        ar bg cs da de el en-GB en-US es-419 es-ES fi fr he hi hr hu id it ja ko lt nl no pl pt-BR
        ro ru sv-SE th tr uk vi zh-CN zh-TW
        """,
    )
)


def read_command(body: object, path: Path, problems: Problems) -> Json:
    """One command in the form Discord stores; adds what is wrong with it to `problems`."""
    form = Form(body, path, problems)
    kind = form.choice("type", COMMAND_TYPES) or SLASH
    command: Json = {"type": kind, "name": _name(form, slash=kind == SLASH)}
    command["name_localizations"] = _localized(form, "name", 32, slash=kind == SLASH)
    command["description"] = _description(form, kind)
    command["description_localizations"] = _localized(form, "description", 100)
    permissions = form.integer("default_member_permissions", low=0, high=2**54 - 1)
    command["default_member_permissions"] = None if permissions is None else str(permissions)
    command["nsfw"] = form.flag("nsfw")
    command["dm_permission"] = form.flag("dm_permission", default=True)
    command["contexts"] = form.choices("contexts", range(3), low=1)
    command["integration_types"] = form.choices("integration_types", range(2), low=1) or [0]
    if kind == ENTRY_POINT:
        command["handler"] = form.choice("handler", HANDLERS)
    options = _options(form, depth=0)
    if kind != SLASH and options:
        message = "Context menu commands cannot have options"
        form.note("options", "APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED", message)
    if options:
        command["options"] = options
    if _size(command) > MAX_COMMAND_CHARACTERS:
        message = f"Command exceeds maximum size ({MAX_COMMAND_CHARACTERS})"
        form.note(None, "APPLICATION_COMMAND_TOO_LARGE", message)
    return command


def is_slash_name(name: str) -> bool:
    """Whether a name has only `-`, `_`, `'`, digits, lower-case letters, Devanagari and Thai."""
    return name == name.lower() and all(_fits(character) for character in name)


def _fits(character: str) -> bool:
    if character in "-_'" or unicodedata.category(character)[0] in "LN":
        return True
    script = unicodedata.name(character, "")
    return script.startswith(("DEVANAGARI", "THAI"))


def _name(form: Form, *, slash: bool) -> str | None:
    name = form.text("name", 32, low=1, required=True)
    if name is not None and slash and not is_slash_name(name):
        form.note("name", "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    return name


def _description(form: Form, kind: int) -> str:
    if kind == SLASH:
        return form.text("description", 100, low=1, required=True) or ""
    if kind == ENTRY_POINT:
        return form.text("description", 100) or ""
    if form.data.get("description"):
        message = "Context menu commands cannot have description"
        form.note("description", "APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID", message)
    return ""


def _localized(form: Form, name: str, high: int, *, slash: bool = False) -> Json | None:
    texts = form.form(f"{name}_localizations")
    if texts is None:
        return None
    for locale in texts.data:
        if locale not in LOCALES:
            choices = ", ".join(sorted(LOCALES))
            texts.note(locale, "ENUM_TYPE_COERCE", f"Value must be one of ({choices}).")
        text = texts.text(locale, high, low=1)
        if text is not None and slash and not is_slash_name(text):
            texts.note(locale, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
    return dict(texts.data)


def _options(form: Form, *, depth: int) -> list[Json]:
    """The options of a command (depth 0), a group (1) or a subcommand (2)."""
    forms = form.forms("options", MAX_OPTIONS)
    options = [_option(option, depth) for option in forms]
    names: set[str] = set()
    optional = False
    for option, given in zip(options, forms, strict=True):
        if option["name"] is not None and option["name"] in names:
            message = "Option name is already in use"
            given.note("name", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_IN_USE", message)
        names.add(option["name"])
        if option.get("required") and optional:
            message = "Required options must be placed before non-required options"
            given.note(None, "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message)
        optional = optional or not option.get("required")
    kinds = {option["type"] in (SUBCOMMAND, GROUP) for option in options}
    if len(kinds) > 1:
        message = "Sub-command and sub-command group option types are mutually exclusive to others"
        form.note("options", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message)
    return options


def _option(form: Form, depth: int) -> Json:
    allowed = ((1, 2, *range(3, 12)), (SUBCOMMAND,), range(3, 12))[depth]
    kind = form.choice("type", allowed, required=True)
    option: Json = {
        "type": kind,
        "name": _name(form, slash=True),
        "name_localizations": _localized(form, "name", 32, slash=True),
        "description": form.text("description", 100, low=1, required=True) or "",
        "description_localizations": _localized(form, "description", 100),
    }
    if kind == GROUP:
        option["options"] = _options(form, depth=1)
    elif kind == SUBCOMMAND:
        option["options"] = _options(form, depth=2)
    elif kind is not None:
        option |= _details(form, kind)
    return option


def _details(form: Form, kind: int) -> Json:
    details: Json = {"required": form.flag("required")}
    choices = _choices(form, kind)
    autocomplete = form.flag("autocomplete")
    if autocomplete and choices:
        message = "Autocomplete cannot be used with choices"
        form.note("autocomplete", "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES_EXCLUSIVE", message)
    if autocomplete and kind not in OPTIONS_WITH_CHOICES:
        message = "Autocomplete is not supported for this option type"
        form.note("autocomplete", "APPLICATION_COMMAND_AUTOCOMPLETE_TYPE_INVALID", message)
    if choices:
        details["choices"] = choices
    if autocomplete:
        details["autocomplete"] = True
    return details | _limits(form, kind)


def _limits(form: Form, kind: int) -> Json:
    limits: Json = {}
    if kind in NUMERIC_OPTIONS:
        for name in ("min_value", "max_value"):
            limits[name] = form.integer(name) if kind == INTEGER else form.number(name)
            if limits[name] is not None and abs(limits[name]) > MAX_NUMBER:
                form.note(name, "NUMBER_TYPE_MAX", f"Value must be within ±{MAX_NUMBER}.")
    elif kind == STRING:
        limits["min_length"] = form.integer("min_length", low=0, high=6000)
        limits["max_length"] = form.integer("max_length", low=1, high=6000)
    elif kind == CHANNEL_OPTION and form.has("channel_types"):
        limits["channel_types"] = form.choices("channel_types", CHANNEL_TYPES)
    limits = {name: value for name, value in limits.items() if value is not None}
    low, high = limits.get("min_value"), limits.get("max_value")
    if low is not None and high is not None and low > high:
        form.note("min_value", "NUMBER_TYPE_MAX", "min_value must not exceed max_value")
    return limits


def _choices(form: Form, kind: int) -> list[Json]:
    choices: list[Json] = []
    seen: set[Any] = set()
    for choice in form.forms("choices", MAX_CHOICES):
        name = choice.text("name", 100, low=1, required=True)
        value: Any = None
        if kind == STRING:
            value = choice.text("value", 100, required=True)
        elif kind == INTEGER:
            value = choice.integer("value", low=-MAX_NUMBER, high=MAX_NUMBER, required=True)
        elif kind == NUMBER:
            value = choice.number("value")
        else:
            message = "Choices are not supported for this option type"
            choice.note(None, "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", message)
        if name in seen:
            message = "Choice names must be unique"
            choice.note("name", "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS", message)
        seen.add(name)
        localized = _localized(choice, "name", 100)
        choices.append({"name": name, "name_localizations": localized, "value": value})
    return choices


def _size(command: Json) -> int:
    """The characters that Discord counts: names, descriptions and values, longest localization."""
    return sum(_lengths(command))


def _lengths(item: Json) -> Iterator[int]:
    for name in ("name", "description"):
        localized = (item.get(f"{name}_localizations") or {}).values()
        yield max(len(str(text)) for text in (item.get(name) or "", *localized))
    if isinstance(item.get("value"), str):
        yield len(item["value"])
    for child in (*item.get("options", ()), *item.get("choices", ())):
        yield from _lengths(child)
