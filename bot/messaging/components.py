"""Buttons and selects; their custom_id is `f1:<match>:<step>:<act>:<arg>`, without secrets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Self

import discord

from bot.errors import ButtonError
from bot.storage import MatchId

# With all parts at their longest, this has exactly the 100 characters that Discord allows.
_PATTERN: Final = re.compile(r"f1:(\d{1,18}):(\d{1,9}):([a-z]{1,12}):([^:]{0,55})", re.ASCII)

_AGAIN: Final = "Use a newer message."

LARGEST_ID: Final = 2**63 - 1
"""The largest id that the database can store; Discord's own are smaller so far."""

_ID: Final = re.compile(r"[1-9]\d{0,18}", re.ASCII)


def is_id(text: str) -> bool:
    """Whether a text is an id: an integer from 1 to `LARGEST_ID`."""
    return _ID.fullmatch(text) is not None and int(text) <= LARGEST_ID


def outdated(again: str = _AGAIN) -> ButtonError:
    """The error for a button that is out of date; `again` tells what to do instead."""
    return ButtonError(f"This button is out of date. {again}")


def id_in(text: str, *, again: str = _AGAIN) -> int:
    """The id in a press's argument; ButtonError, which ends with `again`, for any other text."""
    if not is_id(text):
        raise outdated(again)
    return int(text)


Style = Literal["primary", "secondary", "success", "danger"]


@dataclass(frozen=True, slots=True)
class Press:
    """What pressing a button means; `match` is 0 if it belongs to no match."""

    match: MatchId
    step: int
    act: str
    arg: str = ""
    values: tuple[str, ...] = ()
    """The values chosen in a select; not part of the custom_id."""

    def __str__(self) -> str:
        return f"f1:{self.match}:{self.step}:{self.act}:{self.arg}"

    @classmethod
    def parse(cls, custom_id: str) -> Self:
        """The press that a custom_id encodes; ButtonError if it isn't one of ours."""
        parsed = _PATTERN.fullmatch(custom_id)
        if parsed is None:
            raise outdated()
        match, step, act, arg = parsed.groups()
        return cls(MatchId(int(match)), int(step), act, arg)

    def with_values(self, *values: str) -> Self:
        """The press for choosing these values in a select; a single one becomes its argument.

        ButtonError for a value that fits in no custom_id.
        """
        read = [self.parse(str(replace(self, arg=value))) for value in values]
        return replace(read[0] if len(read) == 1 else self, values=values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    label: str
    press: Press
    style: Style = "secondary"
    disabled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    label: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """An option of a select; choosing it is the select's press with this value as its argument."""

    label: str
    value: str
    note: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Select:
    """A row with a menu of at most 25 options; one is chosen unless `fewest` or `most` differ."""

    placeholder: str
    press: Press
    """Its own argument only distinguishes the selects of one message."""

    options: tuple[Option, ...]
    fewest: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelSelect:
    """A row with a menu of the server's channels, of which none or up to `most` are chosen."""

    placeholder: str
    press: Press
    chosen: tuple[int, ...]
    most: int = 25
    forums: bool = True
    """Whether forums can be chosen too, where messages can only be in threads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """Text with a button beside it."""

    text: str
    accessory: Button | Link


Row = tuple[Button | Link, ...] | Select | ChannelSelect | Section | str
"""A row of a message below its picture: buttons, a select, or text, with or without a button."""


def is_offered(interaction: discord.Interaction[Any]) -> bool:
    """Whether the clicked component is on its message; the custom_id of a click can be forged."""
    data: Any = interaction.data  # typed as the union of all kinds of interaction
    return data.get("custom_id") in _custom_ids(interaction.message)


def has_act_beside(interaction: discord.Interaction[Any], act: str) -> bool:
    """Whether the message that was clicked has a button of this act."""
    return any(f":{act}:" in custom_id for custom_id in _custom_ids(interaction.message))


def _custom_ids(message: discord.Message | None) -> Iterator[str]:
    """The custom_ids of all buttons and selects of a message, in no particular order."""
    pending = [] if message is None else list(message.components)
    while pending:
        component = pending.pop()
        if isinstance(component, (discord.Button, discord.SelectMenu)):
            if component.custom_id is not None:
                yield component.custom_id
        elif isinstance(component, (discord.ActionRow, discord.Container)):
            pending += component.children
        elif isinstance(component, discord.SectionComponent):
            pending.append(component.accessory)
