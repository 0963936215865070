"""A challenge before it is written: who may challenge whom."""

from dataclasses import dataclass
from typing import Any

from bot.errors import ChallengeError
from bot.storage import TimeControl


def must_be_able_to_answer(opponent: int, opener: int, *, bot: bool) -> None:
    """ChallengeError for an opponent who could never accept."""
    if opponent == opener:
        raise ChallengeError("You can't challenge yourself. Pick someone else in this server.")
    if bot:
        raise ChallengeError(
            "Bots can't answer a challenge. Pick a person, or set `computer` to play a computer."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """What somebody asks others to play with them; ChallengeError if it makes no sense."""

    interaction: int
    game: str
    options: Any  # of the game's own type
    guild: int | None
    """None for a solo match: it belongs to no server, and all others are computers."""

    channel: int | None
    """Where its table is posted; None for a solo match."""

    opener: int
    opponents: tuple[int, ...]
    bots: frozenset[int]
    """Which of the opponents are bots."""

    wanted: int
    """Players in all, the opener too; seats for which nobody is named are open."""

    time_control: TimeControl
    tap: bool = False
    rated: bool = True
    """Whether it counts for ratings."""

    computers: tuple[str, ...] = ()
    """The levels of the computers that play too, behind the opponents."""

    pressed: bool = False
    """Whether a button asks for it, which may be pressed twice."""

    @property
    def begins_at_once(self) -> bool:
        """Whether all others are computers, so that nobody has to answer."""
        return 1 + len(self.computers) == self.wanted

    def __post_init__(self) -> None:
        for opponent in self.opponents:
            must_be_able_to_answer(opponent, self.opener, bot=opponent in self.bots)
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
