"""A challenge as a command or button proposes it, before its server's settings are applied."""

from dataclasses import dataclass
from typing import Any

from bot.settings.people import Person
from bot.storage import TimeControl


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The game, players and options that somebody asks for."""

    game: str
    options: Any  # of the game's own type
    opponents: tuple[Person, ...]
    seats: int
    """Number of players, the challenger included; seats without a named player are open, unless
    there is a `computer`."""

    time_control: TimeControl | None = None
    """None for the server's default."""

    tap: bool | None = None
    """Whether hands are buttons at the table; None for the server's default, and for games whose
    hands aren't public."""

    rated: bool = True
    """Whether it counts for ratings."""

    computer: str | None = None
    """The level of the computers that take all seats without a named player; None for none."""

    pressed: bool = False
    """Whether it comes from a button, which people may tap twice by accident."""

    @property
    def computers(self) -> tuple[str, ...]:
        """The level of each computer player."""
        if self.computer is None:
            return ()
        return (self.computer,) * max(1, self.seats - 1 - len(self.opponents))
