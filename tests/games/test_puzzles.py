"""Puzzles as they are made: legal according to the engine, and proven again by it alone."""

from dataclasses import replace
from functools import cache
from itertools import count, product

import pytest

from games import GAMES
from games.chance import Chance
from games.conquest import CONQUEST, Battalion
from games.conquest.puzzles import NEXT, NOW, _field_of, _Proof
from games.core import Seat
from games.pico.computer.solution import advice
from games.pico.rules import PICO
from games.prize.rules import PRIZE
from games.prize.state import hand_result
from games.prize.tiles import DOMINOES, upright
from games.puzzle import MAX_CHOICES
from games.puzzles import PUZZLES
from games.spite.moves import Play
from games.spite.rules import SPITE

NOTHING = Chance("nothing is drawn", 0)


FIRST = {"pico": 0, "conquest": 210, "prize": 23, "spite": 139}
"""The numbers of attempts that find small puzzles, so that no test has to search for one."""

NOW_FIRST = 875


@cache
def made(game, number=None):
    """The first puzzle of a game from this attempt on."""
    attempts = (PUZZLES[game].attempt(Chance("tests", n)) for n in count(number or FIRST[game]))
    return next(puzzle for puzzle in attempts if puzzle is not None)


@pytest.mark.slow
@pytest.mark.parametrize("game", PUZZLES)
def test_a_puzzle_is_the_same_for_the_same_seed_and_its_proof_reproduces_it(game):
    puzzle = made(game)

    assert PUZZLES[game].attempt(Chance("tests", FIRST[game])) == puzzle
    assert PUZZLES[game].assess(puzzle.state, puzzle.seat, puzzle.aim) == puzzle


@pytest.mark.slow
@pytest.mark.parametrize("game", PUZZLES)
def test_the_choices_of_a_puzzle_are_legal_and_the_best_is_worth_the_most(game):
    puzzle, rules = made(game), GAMES[game]
    legal = {str(move) for move in rules.legal_moves(puzzle.state, puzzle.seat)}
    worth = {choice.move: choice.worth for choice in puzzle.choices}

    assert 2 <= len(worth) == len(puzzle.choices) <= MAX_CHOICES
    assert worth.keys() <= legal
    assert all(str(rules.parse(move)) == move for move in worth)
    most = max(worth.values())
    assert {move for move in worth if worth[move] == most} == set(puzzle.best)
    assert len(puzzle.best) < len(worth)
    assert PUZZLES[game].proof.endswith(".")


@pytest.mark.parametrize("game", PUZZLES)
def test_a_position_at_the_beginning_is_not_a_puzzle(game):
    rules = GAMES[game]
    seats = 3 if 3 in rules.seats and game != "pico" else 2
    state = rules.setup(rules.presets["standard"], seats, Chance("new", 0))
    seat = min(rules.awaiting(state))

    assert PUZZLES[game].assess(state, seat, "no such aim") is None
    assert game == "pico" or all(
        PUZZLES[game].assess(state, seat, aim) is None for aim in (NOW, NEXT, "hand", "turn")
    )


@pytest.mark.slow
def test_in_pico_the_opponent_has_a_mix_that_makes_every_wrong_card_worse():
    """Against that mix, the right cards have the puzzle's worth, and no other card does."""
    puzzle = made("pico")
    known = advice(PICO.observe(puzzle.state, puzzle.seat), puzzle.seat)
    worth = {choice.move: choice.worth for choice in puzzle.choices}

    assert worth[puzzle.best[0]] == pytest.approx(known.worth, abs=1e-3)
    played = {str(puzzle.state.hands[puzzle.seat][i]) for i in known.mix.nonzero()[0]}
    assert played <= set(puzzle.best)


def wins_hand(state, seat):
    """Whether a seat wins the hand according to the engine alone, with all tiles known."""
    if hand_result(state) is not None:
        return hand_result(state).winner == seat
    ways = [
        wins_hand(PRIZE.play(state, {state.turn: move}, NOTHING), seat)
        for move in PRIZE.legal_moves(state, state.turn)
    ]
    return any(ways) if state.turn == seat else all(ways)


@pytest.mark.slow
def test_in_prize_dominoes_the_engine_alone_has_the_same_result():
    puzzle = made("prize")

    for choice in puzzle.choices:
        move = {puzzle.seat: PRIZE.parse(choice.move)}
        wins = wins_hand(PRIZE.play(puzzle.state, move, NOTHING), puzzle.seat)
        assert wins == (choice.move in puzzle.best)


@pytest.mark.slow
def test_in_prize_dominoes_a_player_can_infer_what_the_opponent_holds():
    puzzle = made("prize")
    view = PRIZE.observe(puzzle.state, puzzle.seat)
    seen = {upright(tile) for tile in view.line}
    seen |= {tile for row in (*view.prizes, view.hands[puzzle.seat]) for tile in row}

    assert set(DOMINOES) - seen == set(puzzle.state.hands[1 - puzzle.seat])


def wins_turn(state, seat, turn):
    """Whether a turn is won by plays alone, according to the engine, with nothing drawn."""
    if SPITE.outcome(state) is not None:
        return SPITE.outcome(state).ranks[seat] == 1
    if state.on_turn != seat or state.turn != turn:
        return False
    plays = [move for move in SPITE.legal_moves(state, seat) if isinstance(move, Play)]
    return any(wins_turn(SPITE.play(state, {seat: play}, NOTHING), seat, turn) for play in plays)


@pytest.mark.slow
def test_in_spite_the_engine_alone_has_the_same_result():
    puzzle = made("spite")
    dry = replace(puzzle.state, source=(), removed=())  # nothing can be drawn

    for choice in puzzle.choices:
        after = SPITE.play(dry, {puzzle.seat: SPITE.parse(choice.move)}, NOTHING)
        wins = wins_turn(after, puzzle.seat, dry.turn)
        assert wins == (choice.move in puzzle.best)


def others(puzzle):
    return [Seat(i) for i in range(puzzle.state.seats) if i != puzzle.seat]


def ordered(puzzle, state, move, replies):
    """The state after everybody's orders."""
    moves = {puzzle.seat: move, **dict(zip(others(puzzle), replies, strict=True))}
    return CONQUEST.play(state, moves, NOTHING)


def has_won(puzzle, state):
    outcome = CONQUEST.outcome(state)
    return outcome is not None and outcome.ranks[puzzle.seat] == 1


def replies_to(puzzle, state):
    return product(*(CONQUEST.legal_moves(state, seat) for seat in others(puzzle)))


@pytest.mark.slow
def test_in_conquest_a_win_this_turn_holds_against_all_orders_in_the_engine():
    puzzle = made("conquest", NOW_FIRST)
    state = puzzle.state

    for text in puzzle.best:
        move = CONQUEST.parse(text)
        assert all(
            has_won(puzzle, ordered(puzzle, state, move, replies))
            for replies in replies_to(puzzle, state)
        )


@pytest.mark.slow
@pytest.mark.parametrize(("aim", "number"), [(NOW, NOW_FIRST), (NEXT, None)])
def test_in_conquest_the_refutation_of_an_order_prevents_the_win_in_the_engine(aim, number):
    puzzle = made("conquest", number)
    assert puzzle.aim == aim
    refuted = [choice for choice in puzzle.choices if choice.move not in puzzle.best]

    assert refuted
    for choice in refuted:
        replies = map(CONQUEST.parse, choice.line)
        state = ordered(puzzle, puzzle.state, CONQUEST.parse(choice.move), replies)
        assert not has_won(puzzle, state)


def goals(puzzle, state):
    """The orders onto the last missing objective."""
    field = _field_of(state.board)
    (goal,) = _Proof(state, Battalion(puzzle.seat), NOW)._missing(field)
    moves = CONQUEST.legal_moves(state, puzzle.seat)
    return [move for move in moves if move.orders[0] and move.orders[0].target == goal]


@pytest.mark.slow
def test_in_conquest_a_stack_reaches_its_goal_exactly_if_it_outnumbers_what_can_come_first():
    """What the proof says about the second turn, compared with all orders in the engine."""
    puzzle = made("conquest")
    chance, compared = Chance("some", 0), 0
    for replies in replies_to(puzzle, puzzle.state):
        if chance.fraction() > 0.03:
            continue
        state = ordered(puzzle, puzzle.state, CONQUEST.parse(puzzle.best[0]), replies)
        while state.phase == "reinforcement":
            (seat,) = CONQUEST.awaiting(state)
            move = chance.pick(CONQUEST.legal_moves(state, seat))
            state = CONQUEST.play(state, {seat: move}, NOTHING)
        proof = _Proof(state, Battalion(puzzle.seat), NOW)
        for move in goals(puzzle, state):
            compared += 1
            holds = all(
                has_won(puzzle, ordered(puzzle, state, move, second))
                for second in replies_to(puzzle, state)
            )
            assert holds == (proof.refutation(move.orders[0]) is None)
    assert compared > 3
