"""A message before it becomes Discord's JSON: text, one picture, rows of buttons."""

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
"""A component as Discord's JSON."""

_CHANNELS_FOR_MESSAGES = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
]
_CHANNELS = [*_CHANNELS_FOR_MESSAGES, discord.ChannelType.forum]
"""Types of channels that have messages, or threads with messages. Not media channels, although they
are forums too: Discord's published API document has no such type, and if Discord refused it, the
whole panel would be lost."""

DISCORDS_TEXT_LENGTH: Final = 4000
"""How many characters Discord allows in all text of a Components V2 message together."""

MAX_TEXT_LENGTH = 3700
"""How many characters a message has at most that describes its picture in words. Less than Discord
allows, because a note may be added, and command names become longer as links."""

MAX_MENTIONED: Final = 100
"""How many users Discord allows in `allowed_mentions`."""

MAX_ALT_LENGTH: Final = 1024
"""How many characters Discord allows in the description of a picture."""

MAX_COMPONENTS: Final = 40
"""How many components Discord allows in a message, nested ones included."""

MAX_PLAIN_LENGTH: Final = 2000
"""How many characters Discord allows in `content`."""

MAX_PLAIN_ROWS: Final = 5
"""How many rows of buttons Discord allows in a message without Components V2."""

MAX_IN_ROW: Final = 5
"""How many buttons Discord allows in a row; a row that is too wide for the screen wraps."""

_PHONE_ROW: Final = 293
_BUTTON_EDGES: Final = 36
_LETTER: Final = 8
"""Widths in pixels on a phone that is 400 wide: a row in a message, a button without its label but
with the gap after it, and a letter; measured on the sandbox's page."""

_MENTION: Final = re.compile(r"<@!?(\d+)>")

_STYLES = {
    "primary": ButtonStyle.primary.value,
    "secondary": ButtonStyle.secondary.value,
    "success": ButtonStyle.success.value,
    "danger": ButtonStyle.danger.value,
}
_LINK: Final = ButtonStyle.link.value

_CONTAINER: Final = ComponentType.container.value
_TEXT: Final = ComponentType.text_display.value
_ROW: Final = ComponentType.action_row.value
_BUTTON: Final = ComponentType.button.value


@dataclass(frozen=True)
class Picture:
    """A picture that is still to be drawn."""

    name: str
    """The beginning of its file name: the game."""

    draw: Callable[[Any], bytes]
    """A module-level function, so that a worker process can call it: from a subject to PNG
    bytes."""

    subject: Any  # a view of the game's own type, or whatever else `draw` takes
    alt: str
    """Everything that the picture says, in words; one line per topic."""

    @property
    def description(self) -> str:
        """The alt text on one line, within Discord's limit; clients read it out or show it."""
        return self.alt.replace("\n", " ")[:MAX_ALT_LENGTH]

    @cached_property
    def file(self) -> str:
        """A file name that changes with the picture, so that no client shows an old one."""
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
    """User ids that a new message in a channel mentions silently, without notifying them."""

    @property
    def texts(self) -> list[str]:
        """All its text, without the labels of its buttons: the head, the foot and the rows'."""
        rows = (row.text if isinstance(row, Section) else row for row in self.rows)
        return [self.head, self.foot, *(row for row in rows if isinstance(row, str))]

    @property
    def named(self) -> list[int]:
        """The user ids that its text mentions, in order and without duplicates.

        Numbers that aren't ids are left out: text by other people can contain one, and Discord
        refuses to mention it.
        """
        ids = (user for text in self.texts for user in _MENTION.findall(text))
        return list(dict.fromkeys(int(user) for user in ids if is_id(user)))

    def with_text(self, words: Callable[[str], str]) -> "MessageContent":
        """The content with `words` applied to all text; unchanged if it exceeds Discord's limit."""
        other = replace(
            self,
            head=words(self.head),
            foot=words(self.foot),
            rows=tuple(_with_words(row, words) for row in self.rows),
        )
        return other if sum(map(len, other.texts)) <= DISCORDS_TEXT_LENGTH else self

    def in_words(self) -> "MessageContent":
        """The content with its picture replaced by the alt text, shortened to fit."""
        if self.picture is None:
            return self
        room = MAX_TEXT_LENGTH - sum(map(len, self.texts)) - len("\n")
        alt = self.picture.alt
        shortened = alt if len(alt) <= room else f"{alt[: max(room, 1) - 1]}…"
        return replace(self, picture=None, foot=f"{shortened}\n{self.foot}")


class Layout(discord.ui.LayoutView):
    """The content of a message as Discord's JSON, where discord.py expects a view.

    The JSON is built directly from the content, without discord.py's items in between. Its buttons
    aren't dispatched by discord.py: `bot/interactions/router.py` takes every click from the
    gateway by its custom_id, also those on messages from before a restart. So discord.py must not
    keep this view, or every message sent would stay in memory forever: it keeps only views that
    aren't finished. (It doesn't check everywhere whether they are dispatchable.)
    """

    def __init__(self, content: MessageContent, media: str | None) -> None:
        super().__init__(timeout=None)
        parts = [_row(content.head)]
        if content.picture is not None and media is not None:
            item = {"media": {"url": media}, "description": content.picture.description}
            parts.append({"type": ComponentType.media_gallery.value, "items": [item]})
        parts += [_row(row) for row in (content.foot, *content.rows) if row]
        self._parts, self._color = parts, content.color
        if self.total_children_count > MAX_COMPONENTS:
            raise ValueError(f"a message has {MAX_COMPONENTS} components at most")
        if any(isinstance(row, tuple) and len(row) > MAX_IN_ROW for row in content.rows):
            raise ValueError(f"a row has {MAX_IN_ROW} buttons at most")

    def to_components(self) -> list[Json]:
        return [{"type": _CONTAINER, "accent_color": self._color, "components": self._parts}]

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
    """The last rows of buttons of a message, as many as Discord allows without Components V2.

    discord.py doesn't keep this either.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        super().__init__(timeout=None)
        buttons = [_row(row) for row in rows if isinstance(row, tuple) and row]
        self._rows = buttons[-MAX_PLAIN_ROWS:]

    def to_components(self) -> list[Json]:
        return self._rows

    def is_finished(self) -> bool:
        return True


def _with_words(row: Row, words: Callable[[str], str]) -> Row:
    if isinstance(row, Section):
        return replace(row, text=words(row.text))
    return words(row) if isinstance(row, str) else row


def _row(row: Row) -> Json:
    match row:
        case str():
            return {"type": _TEXT, "content": row}
        case Section():
            return {
                "type": ComponentType.section.value,
                "components": [_row(row.text)],
                "accessory": _button(row.accessory),
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
    """Allows mentions of these users only, without duplicates and up to Discord's limit.

    `but` is left out: the only person who sees the message, and who would be pinged.
    """
    users = [discord.Object(user) for user in dict.fromkeys(people) if user != but]
    return discord.AllowedMentions(everyone=False, roles=False, users=users[:MAX_MENTIONED])


def buttons_per_row(labels: Iterable[str]) -> int:
    """How many buttons with these labels fit side by side on a phone, from 1 to 5."""
    longest = max(map(len, labels), default=0)
    return max(1, min(MAX_IN_ROW, _PHONE_ROW // (_BUTTON_EDGES + longest * _LETTER)))


def balanced(buttons: tuple[T, ...], widest: int = MAX_IN_ROW) -> tuple[tuple[T, ...], ...]:
    """The buttons in as few rows as possible, as even as possible: six become 3 + 3."""
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
