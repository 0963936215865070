"""Mentions in messages, and which of them ping."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from sandbox.errors import Json
from sandbox.forms import Form
from sandbox.snowflakes import is_snowflake

_USER: Final = re.compile(r"<@!?(\d+)>")
_ROLE: Final = re.compile(r"<@&(\d+)>")
PARSE_TYPES: Final = ("users", "roles", "everyone")


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedMentions:
    """Which mentions ping; all of them by default."""

    kinds: frozenset[str] = frozenset(PARSE_TYPES)
    users: frozenset[int] = frozenset()
    roles: frozenset[int] = frozenset()

    def user(self, user: int) -> bool:
        return "users" in self.kinds or user in self.users

    def role(self, role: int) -> bool:
        return "roles" in self.kinds or role in self.roles


def read_allowed_mentions(form: Form) -> AllowedMentions:
    """The body's `allowed_mentions`."""
    given = form.form("allowed_mentions")
    if given is None:
        return AllowedMentions()
    kinds = {kind for _, kind in given.items("parse", 1521)}
    for path, kind in given.items("parse", 1521):
        if kind not in PARSE_TYPES:
            message = "Value must be one of ('users', 'roles', 'everyone')."
            form.problems.note(path, "BASE_TYPE_CHOICES", message)
    listed: dict[str, frozenset[int]] = {}
    for name in ("users", "roles"):
        entries = _ids(given, name)
        listed[name] = frozenset(entries)
        if entries and name in kinds:
            message = f'parse:["{name}"] and {name}: [ids...] are mutually exclusive.'
            given.note(None, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)
    given.flag("replied_user")  # only checked, as replies never ping here
    return AllowedMentions(kinds=frozenset(kinds), users=listed["users"], roles=listed["roles"])


def _ids(form: Form, name: str) -> list[int]:
    """The ids in a list; duplicates are noted as problems."""
    ids: list[int] = []
    for path, value in form.items(name, 100):
        if not is_snowflake(value):
            message = f'Value "{value}" is not snowflake.'
            form.problems.note(path, "NUMBER_TYPE_COERCE", message)
        elif int(value) in ids:
            form.problems.note(path, "SET_TYPE_CONTAINS_DUPLICATES", "Must be unique")
        else:
            ids.append(int(value))
    return ids


def named_users(texts: Iterable[str]) -> list[int]:
    """The ids of the users that the texts mention, in order, without duplicates."""
    return list(dict.fromkeys(int(m[1]) for text in texts for m in _USER.finditer(text)))


def named_roles(texts: Iterable[str]) -> list[int]:
    return list(dict.fromkeys(int(m[1]) for text in texts for m in _ROLE.finditer(text)))


def names_everyone(texts: Iterable[str]) -> bool:
    return any("@everyone" in text or "@here" in text for text in texts)


def displayed(content: str, components: list[Json]) -> list[str]:
    """The texts of a message in which mentions ping: content and text displays."""
    return [text for text in (content, *texts_of(components)) if text]


def texts_of(value: object) -> Iterator[str]:
    """The contents of the text displays in a tree of components, from top to bottom."""
    if isinstance(value, list):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, dict):
        if value.get("type") == 10:
            yield value["content"]
        yield from texts_of(value.get("components"))
