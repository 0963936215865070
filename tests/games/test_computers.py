"""The contract of computer players, tested on each: a view, a level and a seed give a move."""

from dataclasses import replace

import pytest

from games import GAMES
from games.chance import Chance
from games.computer import LEVEL_KEYS
from games.computers import COMPUTERS

SEED = "c0ffee" * 10 + "abcd"
CASES = [
    pytest.param(key, preset, seats, id=f"{key}-{preset}-{seats}")
    for key, game in GAMES.items()
    for preset, options in game.presets.items()
    for seats in game.seats
    if game.fits(options, seats)
]
cases = pytest.mark.parametrize(("key", "preset", "seats"), CASES)
each_game = pytest.mark.parametrize("key", COMPUTERS)


def begun(key, preset="standard", seats=2):
    """A match that was just dealt, the first seat that owes a move, and its view."""
    game = GAMES[key]
    state = game.setup(game.presets[preset], seats, Chance(SEED, 0))
    seat = min(game.awaiting(state))
    return game, state, seat, game.observe(state, seat)


def chosen(key, view, seat, level):
    return COMPUTERS[key].choose(view, seat, level, Chance(SEED, 1))


def test_every_game_has_a_computer():
    assert set(COMPUTERS) == set(GAMES)


@each_game
def test_levels_have_unique_names_and_descriptions(key):
    levels = COMPUTERS[key].levels
    keys = [level.key for level in levels]

    assert keys == [key for key in LEVEL_KEYS if key in keys]
    assert {"beginner", "easy", "steady", "strong"} <= set(keys)
    assert all(level.says.endswith(".") and level.budget >= 0 for level in levels)


@cases
def test_the_weakest_level_opens_every_match_legally(key, preset, seats):
    game, state, seat, view = begun(key, preset, seats)
    level = COMPUTERS[key].levels_for(game.presets[preset], seats)[0]

    game.check(state, seat, chosen(key, view, seat, level))


@each_game
def test_the_same_view_level_and_seed_give_the_same_move(key):
    _, _, seat, view = begun(key)
    strong = COMPUTERS[key].levels[-1]
    level = replace(strong, budget=min(strong.budget, 8))

    assert chosen(key, view, seat, level) == chosen(key, view, seat, level)


@each_game
def test_the_coach_says_what_a_choice_has_cost_or_nothing(key):
    game, state, seat, view = begun(key)
    move = game.legal_moves(state, seat)[0]

    assessment = COMPUTERS[key].assess(view, seat, move, Chance(SEED, 1))

    assert assessment is None or 0 <= assessment.cost <= 2
    assert COMPUTERS[key].basis(2).endswith(".")


@each_game
def test_the_worth_of_a_deal_is_between_a_loss_and_a_win_where_it_is_known(key):
    _, _, seat, view = begun(key)

    luck = COMPUTERS[key].luck(view, seat)

    assert (luck is None) == (key not in {"pico", "duel"})
    assert luck is None or -1 <= luck <= 1


@pytest.mark.parametrize(
    ("key", "level", "matches"),
    [("pico", "steady", 20), ("prize", "easy", 4), ("spite", "easy", 4), ("conquest", "easy", 4)],
)
def test_a_level_that_looks_one_step_ahead_beats_a_beginner(key, level, matches):
    game, computer = GAMES[key], COMPUTERS[key]
    levels = {each.key: each for each in computer.levels}
    won = 0
    for number in range(matches):
        beginner = number % 2
        state, step = game.setup(game.presets["standard"], 2, Chance(f"{SEED} {number}", 0)), 0
        while awaited := game.awaiting(state):
            step += 1
            moves = {
                seat: computer.choose(
                    game.observe(state, seat),
                    seat,
                    levels["beginner" if seat == beginner else level],
                    Chance(f"{SEED} {number} {seat}", step),
                )
                for seat in sorted(awaited)
            }
            state = game.play(state, moves, Chance(f"{SEED} {number}", step))
        won += game.outcome(state).ranks[beginner] > 1

    assert won >= 0.75 * matches
