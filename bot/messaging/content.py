"""A message before it is Discord's: words, one picture, rows of buttons."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Final, TypeVar

import discord

from bot.messaging.components import Button, ChannelSelect, Link, Row, Section, Select

T = TypeVar("T")

_CHANNELS_FOR_MESSAGES = [
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
]
_CHANNELS = [*_CHANNELS_FOR_MESSAGES, discord.ChannelType.forum]
"""Where messages can be, or threads with messages."""

LONGEST = 3700
"""Characters of a message that says what its picture would show: Discord takes 4000 in all the
words of a message together, and a note may be added."""

MAX_MENTIONED: Final = 100
"""People whom a message may mention by `allowed_mentions`."""

MAX_IN_ROW: Final = 5
"""Buttons that Discord takes in a row; what is too wide for the screen it wraps."""

_PHONE_ROW: Final = 293
_BUTTON_EDGES: Final = 36
_LETTER: Final = 8
"""Pixels of a row in a message on a phone that is 400 wide, of a button without its label but with
the gap after it, and of a letter: measured on the sandbox's page."""

_PERSON: Final = re.compile(r"<@!?(\d+)>")

_STYLES = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}


@dataclass(frozen=True)
class Picture:
    """A picture that is still to be drawn."""

    name: str
    """How its file name begins: the game."""

    draw: Callable[[Any], bytes]
    """A function of a module, so that a worker process can call it: a subject to PNG."""

    subject: Any  # a view of the game's own type, or what else `draw` takes
    alt: str
    """All that the picture says, in words."""

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

    @property
    def named(self) -> list[int]:
        """The people whom its words mention, in order and each once."""
        words = (self.head, self.foot, *map(_words, self.rows))
        return list(dict.fromkeys(int(user) for text in words for user in _PERSON.findall(text)))

    def in_words(self) -> "MessageContent":
        """The same for somebody who wants no pictures: what it shows is said instead."""
        if self.picture is None:
            return self
        others = (self.head, f"\n{self.foot}", *map(_words, self.rows))
        room = LONGEST - sum(map(len, others))
        alt = self.picture.alt
        said = alt if len(alt) <= room else f"{alt[: room - 1]}…"
        return replace(self, picture=None, foot=f"{said}\n{self.foot}")


class Layout(discord.ui.LayoutView):
    """A sheet as discord.py sends it.

    Its buttons are not dispatched through the library: `bot/interactions/router.py` takes every
    click from the gateway by its custom_id, also those on messages from before a restart. So the
    library must not keep this view, or each message sent would stay in memory for ever: it keeps
    only views that are not finished. (That they are not dispatchable, it does not ask everywhere.)
    """

    def __init__(self, content: MessageContent, media: str | None) -> None:
        super().__init__(timeout=None)
        box: discord.ui.Container[Any] = discord.ui.Container(accent_color=content.color)
        box.add_item(discord.ui.TextDisplay(content.head))
        if content.picture is not None and media is not None:
            gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery(
                discord.MediaGalleryItem(media, description=content.picture.alt[:1024])
            )
            box.add_item(gallery)
        if content.foot:
            box.add_item(discord.ui.TextDisplay(content.foot))
        for row in content.rows:
            if row:
                box.add_item(_row(row))
        self.add_item(box)

    def is_finished(self) -> bool:
        return True


def _words(row: Row) -> str:
    """The words of a row, apart from what its buttons say."""
    if isinstance(row, Section):
        return row.text
    return row if isinstance(row, str) else ""


def _row(row: Row) -> discord.ui.Item[Any]:
    match row:
        case str():
            return discord.ui.TextDisplay(row)
        case Section():
            return discord.ui.Section(row.text, accessory=_button(row.accessory))
        case Select():
            return discord.ui.ActionRow(_select(row))
        case ChannelSelect():
            return discord.ui.ActionRow(_channel_select(row))
        case _:
            return discord.ui.ActionRow(*(_button(button) for button in row))


def _select(select: Select) -> discord.ui.Select[Any]:
    return discord.ui.Select(
        custom_id=str(select.press),
        placeholder=select.placeholder,
        options=[
            discord.SelectOption(
                label=option.label,
                value=option.value,
                description=option.note or None,
                default=option.chosen,
            )
            for option in select.options
        ],
        min_values=select.fewest,
        max_values=select.most,
    )


def _channel_select(select: ChannelSelect) -> discord.ui.ChannelSelect[Any]:
    return discord.ui.ChannelSelect(
        custom_id=str(select.press),
        placeholder=select.placeholder,
        channel_types=_CHANNELS if select.forums else _CHANNELS_FOR_MESSAGES,
        default_values=[
            discord.SelectDefaultValue(id=channel, type=discord.SelectDefaultValueType.channel)
            for channel in select.chosen
        ],
        min_values=0,
        max_values=select.most,
    )


def _button(button: Button | Link) -> discord.ui.Button[Any]:
    if isinstance(button, Link):
        return discord.ui.Button(label=button.label, url=button.url)
    return discord.ui.Button(
        label=button.label,
        custom_id=str(button.press),
        style=_STYLES[button.style],
        disabled=button.disabled,
    )


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
