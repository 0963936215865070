"""The lines of the smoke test: what is tried, what is expected, and what was seen."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeVar

from bot.operations.smoke.trial import Trial

MAX_CELL_CHARACTERS: Final = 200

T = TypeVar("T")
Attempt = Callable[[Trial], Awaitable[str]]


class Verdict(Enum):
    HOLDS = "holds"
    DIFFERS = "**does not hold**"
    NOT_TRIED = "not tried"


class DiffersError(Exception):
    """Something isn't as the bot relies on; the message says what was seen."""


class NotTriedError(Exception):
    """Something could not be tried; the message says why."""


def needed(value: T | None, why: str) -> T:
    """What an earlier check has left; NotTriedError if it has left nothing."""
    if value is None:
        raise NotTriedError(why)
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing to try; its attempt returns what was seen, or raises one of the two errors."""

    what: str
    expected: str
    attempt: Attempt
    relied_on: bool = True
    """Whether the bot fails if it doesn't hold; otherwise it's only good to know."""


class Checks(list[Check]):
    """The checks of one topic, added by decorating attempts, in the order in which they run."""

    def add(
        self, what: str, expected: str, *, relied_on: bool = True
    ) -> Callable[[Attempt], Attempt]:
        def register(attempt: Attempt) -> Attempt:
            check = Check(what=what, expected=expected, attempt=attempt, relied_on=relied_on)
            self.append(check)
            return attempt

        return register


@dataclass(frozen=True, slots=True)
class Line:
    """A check and its result."""

    check: Check
    verdict: Verdict
    seen: str

    @property
    def fails(self) -> bool:
        return self.verdict is Verdict.DIFFERS and self.check.relied_on

    def __str__(self) -> str:
        note = "" if self.check.relied_on else " (good to know)"
        cells = (self.check.what, self.check.expected, self.seen, self.verdict.value + note)
        return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def table(lines: Iterable[Line]) -> str:
    """The lines as a table in Markdown."""
    return "\n".join(("| what | expected | seen | |", "|---|---|---|---|", *map(str, lines)))


def _cell(text: str) -> str:
    flat = " ".join(text.split()).replace("|", "\\|")
    return flat if len(flat) <= MAX_CELL_CHARACTERS else f"{flat[: MAX_CELL_CHARACTERS - 1]}…"
