"""The bot's messages as players read them: their controls, and the match they belong to."""

from dataclasses import dataclass
from functools import cached_property

from bot.messaging.components import Press
from sandbox import Client, Event, Message, Sandbox
from sandbox.components.tree import ComponentType

CHOOSING = ("pick", "draft", "tap")
"""The acts that build or choose a move."""

ASKING = ("hand", "accept", "withdraw")
"""Acts that only tables of running matches and challenges have."""


@dataclass(frozen=True, slots=True)
class Control:
    """A button, or one option of a select menu."""

    press: Press
    name: str
    value: str | None
    """The option's value in the menu with custom_id `name`; None for a button."""

    heading: str
    """The last text above it in the message."""


@dataclass(frozen=True)
class Seen:
    """A message of the bot in its current version."""

    message: Message
    text: str
    controls: tuple[Control, ...]

    def control(self, act: str) -> Control | None:
        return self._first.get(act)

    @cached_property
    def _first(self) -> dict[str, Control]:
        """The first control of each act."""
        return {control.press.act: control for control in reversed(self.controls)}

    @cached_property
    def is_due(self) -> bool:
        """Whether somebody can still act on it, unlike messages of a match that is over."""
        return bool(self.choosing) or any(self.control(act) for act in ASKING)

    @cached_property
    def choosing(self) -> tuple[Control, ...]:
        return tuple(c for c in self.controls if c.press.act in CHOOSING)

    @cached_property
    def match(self) -> int:
        return max((c.press.match for c in self.controls), default=0)

    @cached_property
    def step(self) -> int:
        """The step that its controls are for; 0 without controls."""
        return max((c.press.step for c in self.controls), default=0)

    @cached_property
    def game(self) -> str:
        rules = self.control("rules")
        return "" if rules is None else rules.press.arg

    @property
    def is_table(self) -> bool:
        """Whether it is the table of a running match."""
        return self.message.ephemeral_to is None and self.control("hand") is not None

    @property
    def is_challenge(self) -> bool:
        return self.control("withdraw") is not None


class Messages:
    """All messages that somebody can still act on, kept up to date by the sandbox's events.

    Others are dropped: in a long run, there are many of matches that are over, and every player
    looks through all messages at each event.
    """

    def __init__(self, discord: Sandbox) -> None:
        self._world = discord.world
        self._seen: dict[int, Seen] = {}
        self.stop = discord.world.events.subscribe(self._notice)

    def __iter__(self):
        return iter(list(self._seen.values()))

    def of(self, person: Client) -> list[Seen]:
        """The messages that this person sees."""
        return [seen for seen in self._seen.values() if person.sees(seen.message)]

    def __getitem__(self, message: Message) -> Seen:
        return self._seen.get(message.id) or read(message)

    def _notice(self, event: Event) -> None:
        if event.kind in {"message_created", "message_updated"}:
            seen = read(event.subject)
            if seen.is_due:
                self._seen[seen.message.id] = seen
                return
        if event.kind.startswith("message_"):
            self._seen.pop(event.subject.id, None)


def read(message: Message) -> Seen:
    """Read the enabled controls of a message."""
    controls: list[Control] = []
    heading = ""
    for part in message.parts():
        custom_id = part.get("custom_id", "")
        if part["type"] == ComponentType.TEXT_DISPLAY:
            heading = part["content"]
        elif custom_id.startswith("f1:") and not part.get("disabled"):
            press = Press.parse(custom_id)
            values = [option["value"] for option in part.get("options", ())]
            if part["type"] == ComponentType.BUTTON:
                values = [None]
            controls += [
                Control(press if v is None else press.with_values(v), custom_id, v, heading)
                for v in values
            ]
    return Seen(message, message.text, tuple(controls))
