"""The best response to a prediction that doesn't give up more than allowed.

A mix that wins more against the predicted mix gives up something to an adversary who knows it. The
best tradeoffs are restricted Nash responses (Johanson, Zinkevich and Bowling, 2007): equilibria of
games in which the opponent has to play the predicted mix with some probability p, and is free to
choose otherwise. With p = 0 nothing is given up; with p = 1 the adversary isn't considered.
"""

from typing import Final

import numpy as np

from games.duel.computer.matchings import Position
from games.duel.computer.opponent_model import uniform
from games.equilibrium import Floats, solve_many

_RESTRICTION_PROBABILITIES: Final = np.linspace(0.0, 1.0, 33)[:, None, None]
"""The probabilities p that are tried."""

_ROUNDING_TOLERANCE: Final = 1e-12


def given_up(position: Position, mix: Floats) -> Floats:
    """How much of the worth of a position a mix gives up against each tile of the opponent."""
    lost: Floats = position.worth - mix @ position.payoffs
    return lost


def response(position: Position, predicted: Floats, allowed: float) -> Floats:
    """The best mix against a predicted one that gives up at most `allowed` against any tile."""
    payoffs = position.payoffs
    expected = payoffs @ predicted
    p = _RESTRICTION_PROBABILITIES
    restricted = p * expected[:, None] + (1.0 - p) * payoffs
    mixes = solve_many(restricted, np.broadcast_to(expected, restricted.shape[:2])).rows
    risks = position.worth - (mixes @ payoffs).min(axis=1)
    within = np.flatnonzero(risks <= allowed + _ROUNDING_TOLERANCE)
    if not len(within):  # the solver's mixes have rounding errors, `uniform` has none
        return uniform(position)
    last = int(within[-1])
    mix: Floats = mixes[last]
    if last + 1 < len(mixes):  # by convexity, the blend gives up no more than the blended risks
        share = max(0.0, (allowed - risks[last]) / (risks[last + 1] - risks[last]))
        mix = (1 - share) * mix + share * mixes[last + 1]
    return mix
