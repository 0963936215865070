"""Matches that are rebuilt from their seed and their moves."""

from games import Seat, history
from games.chance import Chance
from tests.support.pointing_game import POINTING

SEED = "c0" * 32


def test_a_departure_draws_again_what_it_drew(monkeypatch):
    """None of our games draws when a seat leaves; the tests' own does."""
    monkeypatch.setattr(history, "GAMES", {POINTING.key: POINTING})
    told = history.History(
        game=POINTING.key,
        options=POINTING.presets["standard"],
        seats=3,
        seed=SEED,
        steps=({Seat(0): "at 1", Seat(1): "at 0"},),
        departures=((0, Seat(2)),),
    )

    dealt, left, played = history.frames(told)

    assert (dealt.left, left.left, played.left) == ((), (2,), (2,))
    assert left.state.drawn == Chance(f"{SEED}:2 leaves", 0).below(1000)
    assert played.state.drawn == Chance(SEED, 1).below(1000)
