"""A challenge as a command proposes it, before the settings of its server are applied."""

from dataclasses import dataclass
from typing import Any

from bot.settings.people import Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What somebody wants to play, with whom and how."""

    game: str
    options: Any  # of the game's own type
    opponents: tuple[Person, ...]
    seats: int
    """Players in all, the challenger too; seats for which nobody is named are open to anybody."""

    time_control: str | None = None
    """A key of TIME_CONTROLS; None for the server's own."""

    tap: str | None = None
    """`tap` or `desk`; None for the server's own, and where the game knows only hands."""

    rated: bool = True
    """Whether it counts for ratings."""

    computer: str | None = None
    """The level of the computer that takes every seat for which nobody is named."""

    pressed: bool = False
    """Whether a button asks for it, which may be pressed twice."""

    @property
    def computers(self) -> tuple[str, ...]:
        """The level of each computer that plays."""
        if self.computer is None:
            return ()
        return (self.computer,) * max(1, self.seats - 1 - len(self.opponents))
