"""The types of components, and the rules for a whole tree of them."""

from collections.abc import Callable, Collection
from enum import IntEnum
from typing import Final

from sandbox.emojis import Emoji, is_emoji
from sandbox.errors import Json
from sandbox.forms import Form
from sandbox.guilds import Channel
from sandbox.media import Media


class ComponentType(IntEnum):
    ACTION_ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT_DISPLAY = 10
    THUMBNAIL = 11
    MEDIA_GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


ENTITY_SELECTS: Final = {
    ComponentType.USER_SELECT: ("user",),
    ComponentType.ROLE_SELECT: ("role",),
    ComponentType.MENTIONABLE_SELECT: ("user", "role"),
    ComponentType.CHANNEL_SELECT: ("channel",),
}
SELECTS: Final = frozenset({ComponentType.STRING_SELECT, *ENTITY_SELECTS})

Reader = Callable[[Form, "ComponentTree"], Json]


class ComponentTree:
    """Reads one tree of components, in which ids are unique; counts components and characters."""

    def __init__(
        self,
        emojis: dict[int, Emoji],
        media: Media,
        find_channel: Callable[[int], Channel | None],
    ) -> None:
        self.emojis = emojis
        self.media = media
        self.find_channel = find_channel
        self.count = 0
        self.text = 0
        self._custom_ids: set[str] = set()
        self._ids: set[int] = set()
        self._unnumbered: list[Json] = []

    def read(
        self, form: Form, allowed: Collection[ComponentType], readers: dict[ComponentType, Reader]
    ) -> Json:
        """One component; {}, and a problem noted, if its type isn't allowed."""
        kind = form.data.get("type")
        if kind is None:
            form.note("type", "BASE_TYPE_REQUIRED", "This field is required")
            return {}
        if isinstance(kind, bool) or kind not in allowed:
            choices = ", ".join(str(int(one)) for one in sorted(allowed))
            comma = "," if len(allowed) == 1 else ""
            message = f'Value of field "type" must be one of ({choices}{comma}).'
            form.note("type", "UNION_TYPE_CHOICES", message)
            return {}
        self.count += 1
        component: Json = {"type": kind, "id": self._number(form)}
        if component["id"] is None:
            self._unnumbered.append(component)
        component |= readers[ComponentType(kind)](form, self)
        return component

    def _number(self, form: Form) -> int | None:
        number = form.integer("id", low=0, high=2**31 - 1)
        if not number:
            return None
        if number in self._ids:
            form.note("id", "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
        self._ids.add(number)
        return number

    def give_numbers(self) -> None:
        """Give each component without an id the next free number, from top to bottom."""
        number = 0
        for component in self._unnumbered:
            number += 1
            while number in self._ids:
                number += 1
            component["id"] = number

    def custom_id(self, form: Form, *, required: bool = True) -> str | None:
        custom_id = form.text("custom_id", 100, low=1, required=required)
        if custom_id is not None:
            if custom_id in self._custom_ids:
                message = "Component custom id cannot be duplicated"
                form.note("custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", message)
            self._custom_ids.add(custom_id)
        return custom_id

    def emoji(self, form: Form) -> Json | None:
        """The emoji of a button or an option; None if there is none or it's invalid."""
        emoji = form.form("emoji")
        if emoji is None:
            return None
        own = self.emojis.get(emoji.snowflake("id") or 0)
        name = emoji.text("name", 32)
        if own is not None:
            return {"id": str(own.id), "name": own.name, "animated": own.animated}
        if emoji.has("id") or name is None or not is_emoji(name):
            where = "id" if emoji.has("id") else "name"
            emoji.note(where, "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")
            return None
        return {"name": name}


def present(**fields: object) -> Json:
    """The fields that aren't None."""
    return {name: value for name, value in fields.items() if value is not None}
