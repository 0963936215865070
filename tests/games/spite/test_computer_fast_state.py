"""The fast state of Spite and Malice, compared with the rules."""

import pytest

from games.chance import Chance
from games.spite import SPITE, Options
from games.spite.computer.fast_state import FastState
from games.spite.computer.plans import Plan
from games.spite.computer.player import move_of, plan_of
from games.spite.computer.playout import take_turn
from games.spite.computer.search import playout_worth
from games.spite.moves import Discard, Draw, Play
from tests.support.spite_states import VARIANTS, A, B, match, play, position, side


def by_lot(options, seed, steps):
    """Random moves of a game, each with the states around it; cards are drawn if that is legal."""
    state, chance = SPITE.setup(options, 2, Chance("deal", seed)), Chance("moves", seed)
    state, turns = drawn(state), []
    while len(turns) < steps and state.series.game == 1 and not state.is_over:
        moves = SPITE.legal_moves(state, state.on_turn)
        plays = [move for move in moves if isinstance(move, Play)]
        move = chance.pick(plays if plays and chance.below(8) else moves)
        after = drawn(SPITE.play(state, {state.on_turn: move}, chance))
        turns.append((state, move, after))
        state = after
    return turns


def drawn(state):
    draws = state.draw == "open" and Draw() in SPITE.legal_moves(state, state.on_turn)
    return play(state, "draw") if draws else state


def legal(state, kind):
    return {move for move in SPITE.legal_moves(state, state.on_turn) if isinstance(move, kind)}


def table(fast):
    """Everything that a play changes except hands, which depend on the shuffle of removed cards."""
    return (
        fast.seat,
        fast.turn,
        fast.stocks,
        fast.held,
        fast.piles,
        fast.foundations,
        len(fast.source),
    )


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("seed", range(3))
def test_a_fast_state_allows_the_plays_that_the_rules_allow(variant, seed):
    for state, _, _ in by_lot(Options(stock=9, **variant), seed, 120):
        fast = FastState(state, 1)

        assert {move_of(fast, Plan((play,))) for play in fast.plays()} == legal(state, Play)
        assert bool(fast.forced and fast.forced_plays()) == (not legal(state, Discard))


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("seed", range(3))
def test_a_fast_state_follows_the_rules_of_a_game(variant, seed):
    options = Options(stock=9, turn_limit=25, **variant)
    turns = by_lot(options, seed, 400)
    for state, move, after in turns[:-1]:
        fast = FastState(state, 1)
        plan = plan_of(fast, move)
        assert move_of(fast, plan) == move
        plan.follow(fast)
        assert table(fast) == table(FastState(after, 1))

    state, move, _ = turns[-1]
    fast = FastState(state, 1)
    plan_of(fast, move).follow(fast)
    assert fast.is_over


def test_a_fast_state_draws_the_cards_that_the_game_draws():
    state = position(side(hand="4 5"), piles=("A 2 3",), source="6 7 8 9 10 J Q")
    fast = FastState(state, 1)
    Plan(((4, 0), (5, 0))).follow(fast)

    assert fast.hands == FastState(play(state, "4>f1", "5>f1"), 1).hands


def test_a_fast_state_shuffles_the_removed_cards_when_the_source_is_short():
    state = position(side(hand="4"), piles=("A 2 3",), source="6 7", removed="A A A A A A")
    fast = FastState(state, 1)
    fast.lay(4, 0)

    assert (fast.hands[A][1], len(fast.source), fast.removed) == (3, 3, [])


def test_a_fast_state_refills_no_hand_if_the_draw_was_given_up():
    state = play(position(side(hand="4 5"), piles=("A 2 3",), strict_draw=True), "4>f1")
    fast = FastState(state, 1)
    fast.lay(5, 0)

    assert (fast.seat, fast.held[A]) == (1, 0)


def test_in_the_next_turn_of_a_fast_state_hands_are_refilled_again():
    aces = " ".join("A" * 10)
    state = position(
        side(hand="4 5"), side(hand="A"), piles=("A 2 3",), source=aces, strict_draw=True
    )
    fast = FastState(play(state, "4>f1"), 1)
    fast.discard(5, 1, 0)
    for _ in range(5):
        fast.lay(1, len(fast.foundations))

    assert (fast.seat, fast.held[B], len(fast.source)) == (B, 5, 1)


def test_a_game_in_which_nobody_can_move_is_over():
    state = position(
        side(stock="9 9", hand="4"), side(stock="9", hand=""), piles=("A 2 3",), source=""
    )
    fast = FastState(state, 1)
    fast.lay(4, 0)

    assert fast.is_over
    assert playout_worth(FastState(state, 1), Plan(((4, 0),))) == -1


def test_a_copy_of_a_fast_state_is_independent():
    fast = FastState(match(5, steps=30)[-1], 1)
    before = table(fast.copy())
    take_turn(fast.copy())

    assert table(fast) == before
