"""A message before it is Discord's: words, one picture, rows of buttons."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, TypeVar

import discord
from discord import ButtonStyle, ComponentType

from bot.messaging.components import Button, ChannelSelect, Link, Row, Section, Select, is_id

T = TypeVar("T")

Json = dict[str, Any]
"""A component as Discord has it."""

_CHANNELS_FOR_MESSAGES = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
]
_CHANNELS = [*_CHANNELS_FOR_MESSAGES, discord.ChannelType.forum]
"""Where messages can be, or threads with messages. Not media channels, which are forums too: the
document that Discord publishes has no such type, and a type it refused would cost the whole panel.
"""

DISCORDS_TEXT_LENGTH: Final = 4000
"""Characters that Discord takes in all the words of a message together."""

MAX_TEXT_LENGTH = 3700
"""Characters of a message that says what its picture would show: a note may be added, and its
commands may be made to be tapped."""

MAX_MENTIONED: Final = 100
"""People whom a message may mention by `allowed_mentions`."""

MAX_COMPONENTS: Final = 40
"""What Discord takes in a message, inner ones too."""

MAX_PLAIN_LENGTH: Final = 2000
"""Characters that Discord takes in the words of a message of the older form."""

MAX_PLAIN_ROWS: Final = 5
"""Rows of buttons that Discord takes below them."""

MAX_IN_ROW: Final = 5
"""Buttons that Discord takes in a row; what is too wide for the screen it wraps."""

_PHONE_ROW: Final = 293
_BUTTON_EDGES: Final = 36
_LETTER: Final = 8
"""Pixels of a row in a message on a phone that is 400 wide, of a button without its label but with
the gap after it, and of a letter: measured on the sandbox's page."""

_PERSON: Final = re.compile(r"<@!?(\d+)>")

_STYLES = {
    "primary": ButtonStyle.primary.value,
    "secondary": ButtonStyle.secondary.value,
    "success": ButtonStyle.success.value,
    "danger": ButtonStyle.danger.value,
}
_LINK: Final = ButtonStyle.link.value

_BOX: Final = ComponentType.container.value
_TEXT: Final = ComponentType.text_display.value
_ROW: Final = ComponentType.action_row.value
_BUTTON: Final = ComponentType.button.value


@dataclass(frozen=True)
class Picture:
    """A picture that is still to be drawn."""

    name: str
    """How its file name begins: the game."""

    draw: Callable[[Any], bytes]
    """A function of a module, so that a worker process can call it: a subject to PNG."""

    subject: Any  # a view of the game's own type, or what else `draw` takes
    alt: str
    """All that the picture says, in words, a line for each subject."""

    @property
    def description(self) -> str:
        """The words that go with it, in one line: clients read them out, or show them on hover."""
        return self.alt.replace("\n", " ")[:1024]

    @cached_property
    def file(self) -> str:
        """A file name that differs when the picture does, so that no client shows an old one."""
        what = f"{self.draw.__module__}.{self.draw.__qualname__}:{self.subject!r}"
        return f"{self.name}-{sha256(what.encode()).hexdigest()[:20]}.png"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageContent:
    """The content of one message."""

    head: str
    picture: Picture | None = None
    foot: str = ""
    rows: tuple[Row, ...] = ()
    color: int | None = None
    asked: tuple[int, ...] = ()
    """Who finds it among their mentions where it is sent to a channel; their phones stay quiet."""

    @property
    def named(self) -> list[int]:
        """The people whom its words mention, in order and each once.

        A number that is no id can stand in words of others; Discord refuses to mention it.
        """
        words = (self.head, self.foot, *map(_words, self.rows))
        found = (user for text in words for user in _PERSON.findall(text))
        return list(dict.fromkeys(int(user) for user in found if is_id(user)))

    def told(self, words: Callable[[str], str]) -> "MessageContent":
        """The same with its words told otherwise, where Discord would take so many of them."""
        other = replace(
            self,
            head=words(self.head),
            foot=words(self.foot),
            rows=tuple(_told(row, words) for row in self.rows),
        )
        texts = (other.head, other.foot, *map(_words, other.rows))
        return other if sum(map(len, texts)) <= DISCORDS_TEXT_LENGTH else self

    def in_plain(self) -> "MessageContent":
        """Its first words and its buttons, in the form whose words a push notification shows.

        Of all that is made of components it shows nothing (discord-api-docs #7854).
        """
        rows = [row for row in self.rows if isinstance(row, tuple) and row]
        return replace(self, picture=None, foot="", rows=tuple(rows[-MAX_PLAIN_ROWS:]))

    def in_words(self) -> "MessageContent":
        """The same for somebody who wants no pictures: what it shows is said instead."""
        if self.picture is None:
            return self
        others = (self.head, f"\n{self.foot}", *map(_words, self.rows))
        room = MAX_TEXT_LENGTH - sum(map(len, others))
        alt = self.picture.alt
        said = alt if len(alt) <= room else f"{alt[: max(room, 1) - 1]}…"
        return replace(self, picture=None, foot=f"{said}\n{self.foot}")


class Layout(discord.ui.LayoutView):
    """The content of a message as Discord's JSON, where discord.py takes a view.

    The JSON is built from the content at once, and not from the library's items in between. Its
    buttons are not dispatched through the library: `bot/interactions/router.py` takes every click
    from the gateway by its custom_id, also those on messages from before a restart. So the library
    must not keep this view, or each message sent would stay in memory for ever: it keeps only views
    that are not finished. (That they are not dispatchable, it does not ask everywhere.)
    """

    def __init__(self, content: MessageContent, media: str | None) -> None:
        super().__init__(timeout=None)
        parts = [_text(content.head)]
        if content.picture is not None and media is not None:
            parts.append(_gallery(media, content.picture.description))
        if content.foot:
            parts.append(_text(content.foot))
        parts += [_row(row) for row in content.rows if row]
        self._parts, self._color = parts, content.color
        if self.total_children_count > MAX_COMPONENTS:
            raise ValueError(f"a message has {MAX_COMPONENTS} components at most")
        if any(isinstance(row, tuple) and len(row) > MAX_IN_ROW for row in content.rows):
            raise ValueError(f"a row has {MAX_IN_ROW} buttons at most")

    def to_components(self) -> list[Json]:
        return [{"type": _BOX, "accent_color": self._color, "components": self._parts}]

    def has_components_v2(self) -> bool:
        return True

    def is_finished(self) -> bool:
        return True

    def content_length(self) -> int:
        inner = (p for part in self._parts for p in (part, *part.get("components", ())))
        return sum(len(part.get("content", "")) for part in inner)

    @property
    def total_children_count(self) -> int:
        return 1 + sum(
            1 + len(part.get("components", ())) + ("accessory" in part) for part in self._parts
        )


class PlainButtons(discord.ui.View):
    """The rows of buttons of a plain message; the library does not keep this view, either."""

    def __init__(self, rows: Iterable[Row]) -> None:
        super().__init__(timeout=None)
        self._rows = [_row(row) for row in rows if row]

    def to_components(self) -> list[Json]:
        return self._rows

    def is_finished(self) -> bool:
        return True


def _told(row: Row, words: Callable[[str], str]) -> Row:
    if isinstance(row, Section):
        return replace(row, text=words(row.text))
    return words(row) if isinstance(row, str) else row


def _words(row: Row) -> str:
    """The words of a row, apart from what its buttons say."""
    if isinstance(row, Section):
        return row.text
    return row if isinstance(row, str) else ""


def _text(text: str) -> Json:
    return {"type": _TEXT, "content": text}


def _gallery(url: str, description: str) -> Json:
    item = {"media": {"url": url}, "description": description}
    return {"type": ComponentType.media_gallery.value, "items": [item]}


def _row(row: Row) -> Json:
    match row:
        case str():
            return _text(row)
        case Section():
            words, button = [_text(row.text)], _button(row.accessory)
            return {
                "type": ComponentType.section.value,
                "components": words,
                "accessory": button,
            }
        case Select():
            parts = [_select(row)]
        case ChannelSelect():
            parts = [_channel_select(row)]
        case _:
            parts = [_button(button) for button in row]
    return {"type": _ROW, "components": parts}


def _select(select: Select) -> Json:
    return {
        "type": ComponentType.string_select.value,
        "custom_id": str(select.press),
        "placeholder": select.placeholder,
        "options": [
            {"label": option.label, "value": option.value, "default": option.chosen}
            | ({"description": option.note} if option.note else {})
            for option in select.options
        ],
        "min_values": select.fewest,
        "max_values": select.most,
    }


def _channel_select(select: ChannelSelect) -> Json:
    kinds = _CHANNELS if select.forums else _CHANNELS_FOR_MESSAGES
    return {
        "type": ComponentType.channel_select.value,
        "custom_id": str(select.press),
        "placeholder": select.placeholder,
        "channel_types": [kind.value for kind in kinds],
        "default_values": [{"id": channel, "type": "channel"} for channel in select.chosen],
        "min_values": 0,
        "max_values": select.most,
    }


def _button(button: Button | Link) -> Json:
    if isinstance(button, Link):
        return {"type": _BUTTON, "style": _LINK, "label": button.label, "url": button.url}
    return {
        "type": _BUTTON,
        "style": _STYLES[button.style],
        "label": button.label,
        "custom_id": str(button.press),
        "disabled": button.disabled,
    }


def mentions(people: Iterable[int], *, but: int | None = None) -> discord.AllowedMentions:
    """Only these people are mentioned by a message, each once and no more than Discord takes.

    `but` is the only one who sees it: to name them would ping them.
    """
    users = [discord.Object(user) for user in dict.fromkeys(people) if user != but]
    return discord.AllowedMentions(everyone=False, roles=False, users=users[:MAX_MENTIONED])


def abreast(labels: Iterable[str]) -> int:
    """How many buttons of such labels stand beside each other on a phone, five at most."""
    longest = max(map(len, labels), default=0)
    return max(1, min(MAX_IN_ROW, _PHONE_ROW // (_BUTTON_EDGES + longest * _LETTER)))


def balanced(buttons: tuple[T, ...], widest: int = MAX_IN_ROW) -> tuple[tuple[T, ...], ...]:
    """The buttons in as few rows as possible, rows as even as possible: six become 3 + 3."""
    count = -(-len(buttons) // widest)
    if count == 0:
        return ()
    short, longer = divmod(len(buttons), count)
    rows, start = [], 0
    for i in range(count):
        end = start + short + (i < longer)
        rows.append(buttons[start:end])
        start = end
    return tuple(rows)
