"""What every game promises about moves, refusals and leaving, tested by random play."""

import time
from itertools import count, islice, product
from typing import Any

import pytest

from games import GAMES, IllegalMoveError, Seat
from games.chance import Chance
from tests.support.random_play import (
    CASES,
    PLAY_ON_STEPS,
    Match,
    assert_outcome,
    each_first_match,
    each_game,
    each_match,
    match_of,
    refusal,
    seats_of,
    sentence,
    steps,
)
from tests.support.secrets_shown import shows_nothing_new
from tests.support.stored_states import restored, stored

pytestmark = pytest.mark.slow

NO_MOVES = ("", " ", "what?", "9.5", "-1", "²", "9 9 9", "x" * 5000, "7" * 5000, "\0")


@each_match
def test_an_awaited_seat_has_legal_moves_and_no_other_seat_has_any(match):
    game = match.case.game
    for state in match.states:
        for seat in seats_of(match.case):
            assert bool(game.legal_moves(state, seat)) == (seat in game.awaiting(state))
        assert not game.legal_moves(state, Seat(match.case.seats))


@each_match
def test_every_listed_move_is_listed_once_in_a_stable_order_and_passes_the_check(match):
    game = match.case.game
    for _, state in match.sample():
        twin = restored(game, stored(game, state))
        for seat in game.awaiting(state):
            moves = game.legal_moves(state, seat)
            assert list(game.legal_moves(twin, seat)) == list(moves)
            assert len(set(moves)) == len(moves)
            for move in moves:
                game.check(state, seat, move)


@each_match
def test_a_forced_move_that_plays_itself_reveals_no_more_than_the_move(match):
    """In every world that others consider possible, it is the only legal move if it is legal."""
    game = match.case.game
    for step, (state, moves) in enumerate(zip(match.states, match.moves, strict=False)):
        for seat, move in moves.items():
            if len(game.legal_moves(state, seat)) > 1:
                continue
            if not game.is_openly_forced(state, seat, move):
                continue
            for other in set(seats_of(match.case)) - {seat}:
                world = game.imagine(game.observe(state, other), other, Chance(match.seed, step))
                legal = list(game.legal_moves(world, seat))
                assert move not in legal or legal == [move], (step, seat, move)


def open_steps(match):
    """Steps of one seat that show nothing hidden, at most 25: number, state, seat and move."""
    game = match.case.game
    alone = (
        (step, state, *moves.popitem())
        for step, state, moves in zip(count(), match.states, map(dict, match.moves), strict=False)
        if len(moves) == 1
    )
    return list(islice((s for s in alone if not game.shows_hidden(*s[1:])), 25))


@each_match
def test_a_step_that_shows_nothing_hidden_is_the_same_in_everything_a_seat_imagines(match):
    game = match.case.game
    for step, state, seat, move in open_steps(match):

        def played(world, number, seat=seat, move=move, step=step):
            return game.play(world, {seat: move}, Chance(f"{match.seed} {number}", step + 1))

        assert shows_nothing_new(game, state, played, seats_of(match.case)), (step, move)


@each_match
def test_whether_a_step_shows_anything_hidden_tells_its_mover_nothing(match):
    game = match.case.game
    for step, state in match.sample():
        for seat in game.awaiting(state):
            view = game.observe(state, seat)
            for move in game.legal_moves(state, seat)[:10]:
                world = game.imagine(view, seat, Chance(match.seed, step))
                told = [game.shows_hidden(now, seat, move) for now in (state, world)]
                assert told[0] == told[1], (step, move)


@each_first_match
def test_a_move_that_is_not_listed_is_refused_with_a_sentence(match):
    """If too many moves are legal to list all, at least 200 are listed."""
    game = match.case.game
    met = sorted({move for moves in match.moves for move in moves.values()}, key=str)[:60]
    for _, state in match.sample():
        for seat in game.awaiting(state):
            listed = game.legal_moves(state, seat)
            for move in set(met) - set(listed):
                unlisted = f"{move} is legal and not listed"
                assert refusal(game, state, seat, move) or len(listed) >= 200, unlisted


@each_match
def test_a_move_is_parsed_from_its_text_in_any_case_and_spacing(match):
    game = match.case.game
    for _, state in match.sample():
        for seat in game.awaiting(state):
            for move in game.legal_moves(state, seat):
                text = str(move)
                spaced = f"  {text.replace(' ', '   ')} "
                for written in (text, text.upper(), text.lower(), spaced):
                    assert game.parse(written) == move


@each_game
@pytest.mark.parametrize("text", NO_MOVES, ids=lambda text: repr(text[:9]))
def test_a_text_that_is_no_move_is_refused_with_a_sentence(key, text):
    with pytest.raises(ValueError, match=r"\.$") as refused:
        GAMES[key].parse(text)

    assert sentence(refused.value)


LONGEST = 6000
"""The maximum length of an option of a command, in characters."""


BEGUN = ("7", "d1", "6-4", "a1", "stock >", "take 6", "pass /", "b8 - 1", "+", "K x")
FILLED = (" ", "7", "- ", "1 ", "a1-", "pass / ", "\n", "x")


@each_game
def test_the_longest_text_is_refused_at_once(key):
    """The event loop waits for it, and so does everybody else."""
    for begun, filled in product(BEGUN, FILLED):
        text = (begun + filled * LONGEST)[: LONGEST - 1] + "?"
        took = []
        for _ in range(3):
            began = time.thread_time()
            with pytest.raises(ValueError, match=r"\.$"):
                GAMES[key].parse(text)
            took.append(time.thread_time() - began)

        assert min(took) < 0.03, f"{begun} {filled}"


def refusal_of(match: Match, state: Any, moves: Any) -> str:
    with pytest.raises(IllegalMoveError) as refused:
        match.case.game.play(state, moves, Chance(match.seed, 1))
    return sentence(refused.value)


@each_first_match
def test_an_incomplete_set_of_moves_is_refused(match):
    for step, state in match.sample()[:-1]:
        for seat in match.moves[step]:
            fewer = {other: move for other, move in match.moves[step].items() if other != seat}
            assert "missing" in refusal_of(match, state, fewer)


@each_first_match
def test_a_move_of_a_seat_that_is_not_awaited_is_refused(match):
    game, case = match.case.game, match.case
    for step, state in match.sample()[:-1]:
        move = next(iter(match.moves[step].values()))
        for seat in {*seats_of(case), Seat(case.seats), Seat(-1)} - game.awaiting(state):
            assert "owes no move" in refusal_of(match, state, {**match.moves[step], seat: move})
            with pytest.raises(IllegalMoveError) as refused:
                game.check(state, seat, move)
            assert sentence(refused.value)


@each_first_match
def test_no_move_can_be_made_after_the_end(match):
    game, end = match.case.game, match.states[-1]

    assert "over" in refusal_of(match, end, match.moves[-1])
    assert "over" in refusal_of(match, end, {})
    for seat, move in match.moves[-1].items():
        with pytest.raises(IllegalMoveError) as refused:
            game.check(end, seat, move)
        assert sentence(refused.value)


def strange_moves(key: str) -> list[Any]:
    """Things that are not moves of a game: moves of other games, texts, numbers, None."""
    others = [
        move
        for case in CASES
        if case.key != key
        for move in list(match_of(case, 0).moves[0].values())[:1]
    ]
    return [*others, None, 9, "9", object(), ("9",)]


@each_first_match
def test_a_move_of_another_game_is_refused(match):
    for step, state in match.spread(3)[:-1]:
        for seat in match.moves[step]:
            for strange in strange_moves(match.case.key):
                assert refusal_of(match, state, {**match.moves[step], seat: strange})


@each_match
def test_the_fallback_is_legal_and_the_same_for_the_same_chance(match):
    game = match.case.game
    for step, state in match.sample():
        for seat in game.awaiting(state):
            move = game.fallback(state, seat, Chance(match.seed, step + 1))
            game.check(state, seat, move)
            assert game.fallback(state, seat, Chance(match.seed, step + 1)) == move


@each_first_match
def test_a_match_goes_on_or_ends_properly_if_a_seat_concedes(match):
    game, case = match.case.game, match.case
    for step, state in match.spread(5)[:-1]:
        for seat in seats_of(case):
            after = game.concede(state, seat, Chance(match.seed, step + 1))
            played = steps(game, after, match.seed, after=step, bound=PLAY_ON_STEPS)
            for later in (after, *(later for _, later in played)):
                outcome = game.outcome(later)
                assert bool(game.awaiting(later)) == (outcome is None)
                assert seat not in game.awaiting(later)
                assert not game.legal_moves(later, seat)
                assert restored(game, stored(game, later)) == later
                if outcome is not None:
                    assert_outcome(outcome, case.seats)
                    assert outcome.ranks[seat] == case.seats  # last, behind everybody (R37)


@each_first_match
def test_a_match_that_somebody_left_reaches_its_end(match):
    game, case = match.case.game, match.case
    step, state = match.spread(5)[-2]

    end = game.concede(state, Seat(case.seats - 1), Chance(match.seed, step + 1))
    for _, later in steps(game, end, match.seed, after=step, bound=case.plan.bound):
        end = later

    assert game.outcome(end) is not None
    assert game.awaiting(end) == frozenset()


@each_first_match
def test_if_all_but_one_concede_the_match_ends_and_earlier_leavers_rank_lower(match):
    game, case = match.case.game, match.case
    for step, state in match.spread(3)[:-1]:
        for last in seats_of(case):
            leavers = [seat for seat in seats_of(case) if seat != last]
            for seat in leavers:
                assert game.awaiting(state)
                state = game.concede(state, seat, Chance(match.seed, step + 1))  # noqa: PLW2901 - one leaves after the other
            outcome = game.outcome(state)
            assert outcome.ranks[last] == 1
            assert [outcome.ranks[seat] for seat in leavers] == list(range(case.seats, 1, -1))
            assert game.awaiting(state) == frozenset()
            state = match.states[step]  # noqa: PLW2901 - back to where they all sat


@each_first_match
def test_nobody_can_leave_twice_or_after_the_end_or_without_a_seat(match):
    game, case = match.case.game, match.case
    chance = Chance(match.seed, 1)
    left = game.concede(match.states[0], Seat(0), chance)
    for state, seat in (
        (left, Seat(0)),
        (match.states[-1], Seat(0)),
        (match.states[0], Seat(case.seats)),
        (match.states[0], Seat(-1)),
    ):
        with pytest.raises(IllegalMoveError) as refused:
            game.concede(state, seat, chance)
        assert sentence(refused.value)
