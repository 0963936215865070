"""In the picture of their hand, players find their own seat, also when the match is over."""

from importlib import import_module

import pytest

from games import GAMES
from games.chance import Chance
from games.core import Seat
from tests.support.pictures import canvas_of

pytestmark = pytest.mark.slow

SEEDS = [f"own seat {n}" for n in range(4)]


def played(game, seed):
    """The last state of a match of random moves."""
    state, step = game.setup(game.presets["standard"], 2, Chance(seed, 0)), 0
    while awaited := sorted(game.awaiting(state)):
        step += 1
        chance = Chance(seed, step)
        moves = {seat: game.fallback(state, seat, chance) for seat in awaited}
        state = game.play(state, moves, chance)
    return state


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", ["pico", "duel", "prize", "spite"])
def test_after_the_match_the_picture_still_shows_which_seat_is_yours(key, seed):
    game, draw = GAMES[key], import_module(f"cogs.{key}.pictures").draw
    end = played(game, seed)

    for seat in (Seat(0), Seat(1)):
        written = [one.text for one in canvas_of(draw, game.observe(end, seat)).writings]
        assert written.count("you") == 1
