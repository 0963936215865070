"""How a result changes the ratings of its players. Pure and deterministic.

openskill's Plackett-Luce model, for two to four seats and with ties. A player's skill is a mean
`mu` with an uncertainty `sigma`. People see the mean on the scale they know from chess: everybody
starts at 1500, and a draw between equals changes nothing. (The lower bound mu - 3 sigma, also often
shown, rises with each such draw, because sigma shrinks: everybody would drift to about 1900.) A
rating of fewer than PROVISIONAL rated matches is marked, and leaderboards list it after the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

PROVISIONAL: Final = 5
"""Rated matches after which a rating is no longer provisional."""

CENTER: Final = 1500
SPREAD: Final = 24
"""Points that people see for 1 of `mu`: the first win between equals is worth about 60 points, and
about 10 once sigma is small."""

_MODEL: Final = PlackettLuce()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A player's skill and results after some rated matches; the defaults are a new player's."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def rating(self) -> int:
        """The rating that people see."""
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
    """Whether a rating after this many rated matches is no longer provisional."""
    return matches >= PROVISIONAL


def after(standings: Sequence[Standing], finishes: Sequence[Finish]) -> list[Standing]:
    """The standings after a match, by seat; the order of the seats affects the last digits."""
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


def rating_text(rating: int, *, established: bool) -> str:
    """A rating as people read it, with a question mark if it's provisional."""
    return str(rating) if established else f"{rating}?"
