"""A challenge before it is stored, and the checks on its players."""

from dataclasses import dataclass
from typing import Any

from bot.errors import ChallengeError
from bot.settings.people import Person
from bot.storage import TimeControl


def must_be_able_to_answer(opponent: Person, opener: int) -> None:
    """Raise ChallengeError if the opponent is the challenger or a bot, who could never accept."""
    if opponent.id == opener:
        raise ChallengeError("You can't challenge yourself. Pick someone else in this server.")
    if opponent.bot:
        raise ChallengeError(
            "Bots can't answer a challenge. Pick a person, or set `computer` to play a computer."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """A proposed match and its players; raises ChallengeError if they don't fit its seats."""

    interaction: int
    """The id of the interaction that asks for it: each makes one challenge at most."""

    game: str
    options: Any  # of the game's own type
    guild: int | None
    """None for a solo match, which belongs to no server; all other players are computers."""

    channel: int | None
    """The channel for its table; None for a solo match."""

    opener: int
    opponents: tuple[int, ...]
    wanted: int
    """Number of players, the opener included; seats without a named player are open."""

    time_control: TimeControl
    tap: bool = False
    rated: bool = True
    """Whether it counts for ratings."""

    computers: tuple[str, ...] = ()
    """The level of each computer player; their seats follow those of the opponents."""

    pressed: bool = False
    """Whether it comes from a button, which people may tap twice by accident."""

    @property
    def begins_at_once(self) -> bool:
        """Whether all other players are computers, so that nobody has to accept."""
        return 1 + len(self.computers) == self.wanted

    def __post_init__(self) -> None:
        if len(set(self.opponents)) < len(self.opponents):
            raise ChallengeError(
                "You named the same person twice. Every seat needs its own player."
            )
        seats = 1 + len(self.opponents) + len(self.computers)
        if seats > self.wanted and self.computers:
            raise ChallengeError(
                f"With you and the computer, that's {seats} players for {self.wanted} seats. Name "
                "fewer people, or leave the computer out."
            )
        if seats > self.wanted:
            raise ChallengeError(
                f"With you, that's {1 + len(self.opponents)} players for {self.wanted} seats. "
                "Name fewer people, or choose more players."
            )
