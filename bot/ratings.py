"""Ratings: what a result does to what is believed of its players. Pure, the same every time.

Plackett-Luce of openskill, for two to four seats and with ties. It believes of everybody a mean
`mu` and how sure it is of it, `sigma`. People see the mean on the scale they know from chess:
everybody begins at 1500, and a draw of equals moves nobody. (The lower bound mu - 3 sigma, which is
common too, rises with every such draw, for it is made surer: all would drift to about 1900.) Until
somebody has played PROVISIONAL rated matches, the number is marked, and leaderboards put it behind
those that are not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

PROVISIONAL: Final = 5
"""So many rated matches make a rating more than a first guess."""

CENTER: Final = 1500
SPREAD: Final = 24
"""What one step of openskill is in the numbers that people see: an even player's first win is worth
about 60, and about 10 once much is known of them."""

_MODEL: Final = PlackettLuce()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What is known of one player after some rated matches; the defaults are of a new one."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def rating(self) -> int:
        """The number that people see."""
        return round(CENTER + SPREAD * (self.mu - _MODEL.mu))

    @property
    def established(self) -> bool:
        return is_established(self.matches)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """How a match ended for one seat."""

    rank: int
    won: int
    drawn: int
    lost: int


def is_established(matches: int) -> bool:
    """Whether a rating after so many rated matches is not provisional any more."""
    return matches >= PROVISIONAL


def after(standings: Sequence[Standing], finishes: Sequence[Finish]) -> list[Standing]:
    """The standings after a match, given by seat; their order counts in the last digits."""
    teams = [[_MODEL.create_rating([s.mu, s.sigma])] for s in standings]
    rated = _MODEL.rate(teams, ranks=[float(finish.rank) for finish in finishes])
    return [
        Standing(
            mu=new.mu,
            sigma=new.sigma,
            matches=old.matches + 1,
            won=old.won + finish.won,
            drawn=old.drawn + finish.drawn,
            lost=old.lost + finish.lost,
        )
        for (new,), old, finish in zip(rated, standings, finishes, strict=True)
    ]


def shown(rating: int, *, established: bool) -> str:
    """A rating as people read it; a question mark says that it is provisional."""
    return str(rating) if established else f"{rating}?"
