"""The best response to what is foreseen that gives up no more than is allowed.

A mix that wins more against what is foreseen gives up something to an adversary who knows it. The
best trades are restricted Nash responses (Johanson, Zinkevich and Bowling, 2007): the equilibria of
games in which the opponent, with some probability, is held to what is foreseen and is free to
answer otherwise. From 0, where nothing is given up, that probability goes to 1.
"""

from typing import Final

import numpy as np

from games.duel.computer.matchings import Position
from games.duel.computer.opponent_model import evenly
from games.equilibrium import Floats, solve_many

_HELD_PROBABILITIES: Final = np.linspace(0.0, 1.0, 33)[:, None, None]
"""With what probability the opponent is held to what is foreseen, in each trade considered."""

_ROUNDING_TOLERANCE: Final = 1e-12


def given_up(position: Position, mix: Floats) -> Floats:
    """What a mix gives up of the worth of a position, by the tile of the opponent."""
    lost: Floats = position.worth - mix @ position.payoffs
    return lost


def response(position: Position, foreseen: Floats, allowed: float) -> Floats:
    """The best mix against what is foreseen that gives up no more than allowed to any tile."""
    payoffs = position.payoffs
    hoped = payoffs @ foreseen
    held = _HELD_PROBABILITIES * hoped[:, None] + (1.0 - _HELD_PROBABILITIES) * payoffs
    mixes = solve_many(held, np.broadcast_to(hoped, held.shape[:2])).rows
    risks = position.worth - (mixes @ payoffs).min(axis=1)
    within = np.flatnonzero(risks <= allowed + _ROUNDING_TOLERANCE)
    if not len(within):  # the solver's mixes err by rounding; an even one does not
        return evenly(position)
    last = int(within[-1])
    mix: Floats = mixes[last]
    if last + 1 < len(mixes):  # between two mixes what is given up is at most in proportion
        share = max(0.0, (allowed - risks[last]) / (risks[last + 1] - risks[last]))
        mix = (1 - share) * mix + share * mixes[last + 1]
    return mix
