"""Reads a request body field by field, with Discord's error messages."""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from sandbox.errors import Json, Path, Problems, invalid
from sandbox.snowflakes import is_snowflake

NO_OBJECT: Final = "Only dictionaries may be used in a ModelType"


class Form:
    """A JSON object in a body. Invalid fields are noted as problems and count as absent."""

    def __init__(self, value: object, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems
        self.data: Json = {}
        if isinstance(value, dict):
            self.data = value
        else:
            self.note(None, "MODEL_TYPE_CONVERT", NO_OBJECT)

    def note(self, name: str | None, code: str, message: str) -> None:
        self.problems.note(self.path if name is None else (*self.path, name), code, message)

    def has(self, name: str) -> bool:
        """Whether the field exists and isn't null."""
        return self.data.get(name) is not None

    def _value(self, name: str, *, required: bool) -> Any:  # noqa: ANN401 - JSON
        value = self.data.get(name)
        if value is None and required:
            self.note(name, "BASE_TYPE_REQUIRED", "This field is required")
        return value

    def text(self, name: str, high: int, *, low: int = 0, required: bool = False) -> str | None:
        value = self._value(name, required=required)
        if value is None:
            return None
        if isinstance(value, bool | list | dict):
            self.note(name, "STRING_TYPE_CONVERT", f'Could not interpret "{value}" as string.')
            return None
        value = str(value)
        if low and value.isspace():
            value = ""  # Discord strips texts
        if low <= len(value) <= high:
            return value
        if low == 0:
            message = f"Must be {high} or fewer in length."
            self.note(name, "BASE_TYPE_MAX_LENGTH", message)
        elif not value and required:
            self.note(name, "BASE_TYPE_REQUIRED", "This field is required")
        else:
            message = f"Must be between {low} and {high} in length."
            self.note(name, "BASE_TYPE_BAD_LENGTH", message)
        return None

    def integer(
        self,
        name: str,
        *,
        low: int | None = None,
        high: int | None = None,
        required: bool = False,
    ) -> int | None:
        value = self._value(name, required=required)
        if value is None:
            return None
        number = _whole(value)
        if number is None:
            self.note(name, "NUMBER_TYPE_COERCE", f'Value "{value}" is not int.')
            return None
        return self._bounded(name, number, low, high)

    def _bounded(self, name: str, number: int, low: int | None, high: int | None) -> int | None:
        if low is not None and number < low:
            message = f"int value should be greater than or equal to {low}."
            self.note(name, "NUMBER_TYPE_MIN", message)
            return None
        if high is not None and number > high:
            message = f"int value should be less than or equal to {high}."
            self.note(name, "NUMBER_TYPE_MAX", message)
            return None
        return number

    def number(self, name: str) -> float | None:
        value = self.data.get(name)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            return value
        self.note(name, "NUMBER_TYPE_COERCE", f'Value "{value}" is not float.')
        return None

    def flag(self, name: str, *, default: bool = False) -> bool:
        value = self.data.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            self.note(name, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
            return default
        return value

    def snowflake(self, name: str, *, required: bool = False) -> int | None:
        value = self._value(name, required=required)
        if value is None:
            return None
        if not is_snowflake(value):
            self.note(name, "NUMBER_TYPE_COERCE", f'Value "{value}" is not snowflake.')
            return None
        return int(value)

    def choice(self, name: str, choices: Collection[int], *, required: bool = False) -> int | None:
        value = self.integer(name, required=required)
        if value is not None and value not in choices:
            allowed = ", ".join(str(choice) for choice in sorted(choices))
            self.note(name, "BASE_TYPE_CHOICES", f"Value must be one of ({allowed}).")
            return None
        return value

    def choices(
        self, name: str, choices: Collection[int], *, low: int = 0, high: int | None = None
    ) -> list[int] | None:
        """The distinct, allowed entries of a list; None if the field is absent or null."""
        if not self.has(name):
            return None
        chosen: list[int] = []
        for path, value in self.items(name, len(choices) if high is None else high, low=low):
            if isinstance(value, bool) or value not in choices:
                allowed = ", ".join(str(choice) for choice in sorted(choices))
                self.problems.note(path, "BASE_TYPE_CHOICES", f"Value must be one of ({allowed}).")
            elif value in chosen:
                self.problems.note(path, "SET_TYPE_CONTAINS_DUPLICATES", "Must be unique")
            else:
                chosen.append(value)
        return chosen

    def timestamp(self, name: str) -> str | None:
        value = self.data.get(name)
        if value is None:
            return None
        try:
            return datetime.fromisoformat(value).isoformat()
        except (TypeError, ValueError):
            message = f'Could not parse "{value}". Should be ISO8601.'
            self.note(name, "DATE_TIME_TYPE_PARSE", message)
            return None

    def url(
        self,
        name: str,
        high: int = 2048,
        *,
        schemes: tuple[str, ...] = ("http", "https"),
        required: bool = False,
    ) -> str | None:
        value = self.text(name, high, low=1 if required else 0, required=required)
        if not value:
            return None
        parts = urlsplit(value)
        if not parts.scheme or not (parts.netloc or parts.path):
            self.note(name, "URL_TYPE_INVALID_URL", "Not a well formed URL.")
            return None
        if parts.scheme not in schemes:
            message = f'Scheme "{parts.scheme}" is not supported. Scheme must be one of {schemes}.'
            self.note(name, "URL_TYPE_INVALID_SCHEME", message)
            return None
        return value

    def items(
        self, name: str, high: int, *, low: int = 0, required: bool = False
    ) -> list[tuple[Path, Any]]:
        """The entries of a list, each with its path; empty if the list is absent or invalid."""
        value = self._value(name, required=required)
        if value is None:
            return []
        if not isinstance(value, list):
            self.note(name, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return []
        if not low <= len(value) <= high:
            if low == 0:
                message = f"Must be {high} or fewer in length."
                self.note(name, "BASE_TYPE_MAX_LENGTH", message)
            else:
                message = f"Must be between {low} and {high} in length."
                self.note(name, "BASE_TYPE_BAD_LENGTH", message)
            return []
        return [((*self.path, name, str(i)), item) for i, item in enumerate(value)]

    def forms(self, name: str, high: int, *, low: int = 0, required: bool = False) -> list["Form"]:
        entries = self.items(name, high, low=low, required=required)
        return [Form(item, path, self.problems) for path, item in entries]

    def form(self, name: str, *, required: bool = False) -> "Form | None":
        value = self._value(name, required=required)
        return None if value is None else Form(value, (*self.path, name), self.problems)


def as_object(body: object) -> Json:
    """The body, if it's a JSON object; otherwise raises DiscordError."""
    if not isinstance(body, dict):
        raise invalid((), "MODEL_TYPE_CONVERT", NO_OBJECT)
    return body


def _whole(value: object) -> int | None:
    """The integer that Discord reads from a value: 3, 3.0 and "3" are all 3; None for others."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.removeprefix("-").isdecimal():
        return int(value)
    return None
