"""Matches that are rebuilt from their seed and their moves."""

from dataclasses import replace
from itertools import islice

import pytest

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


@pytest.fixture
def departed(monkeypatch):
    """Three steps of four people, of whom two have left before the second one."""
    monkeypatch.setattr(history, "GAMES", {POINTING.key: POINTING})
    pair = {Seat(0): "at 1", Seat(1): "at 0"}
    return history.History(
        game=POINTING.key,
        options=POINTING.presets["long"],
        seats=4,
        seed=SEED,
        steps=({**pair, Seat(2): "at 3", Seat(3): "at 2"}, pair, pair),
        departures=((1, Seat(3)), (1, Seat(2))),
    )


def test_a_choice_is_told_with_what_its_seat_saw_when_the_last_had_left(departed):
    choices = history.choices_of(departed, Seat(1), frozenset({1, 2}))

    assert [(own.step, str(own.move), own.view.left) for own in choices] == [
        (1, "at 0", (3, 2)),
        (2, "at 0", (3, 2)),
    ]
    assert [own.view.drawn for own in choices] == [
        Chance(f"{SEED}:2 leaves", 1).below(1000),
        Chance(SEED, 2).below(1000),
    ]
    assert {own.view.number for own in choices} == {next(history.frames(departed)).state.numbers[1]}


def test_frames_are_counted_and_beyond_the_end_stands_the_last(departed):
    frames = list(history.frames(departed))

    assert departed.frames == len(frames)
    assert [(frame.step, frame.left) for frame in frames] == [
        (0, ()),
        (1, ()),
        (1, (3,)),
        (1, (3, 2)),
        (2, (3, 2)),
        (3, (3, 2)),
    ]
    assert [history.frame(departed, number) for number in (0, 3, 5, 99)] == [
        frames[0],
        frames[3],
        frames[5],
        frames[5],
    ]


def test_who_leaves_after_the_last_step_leaves_and_later_nobody_can(departed):
    late = replace(departed, steps=departed.steps[:1], departures=((1, Seat(3)), (2, Seat(2))))

    told = history.frames(late)

    assert [(frame.step, frame.left) for frame in islice(told, 3)] == [(0, ()), (1, ()), (1, (3,))]
    with pytest.raises(history.WrongError) as wrong:
        next(told)
    assert wrong.value.args == (3, "A departure does not fit into this match.")


def test_what_the_rules_refuse_is_told_with_its_step_from_1(departed):
    again = replace(departed, departures=(*departed.departures, (2, Seat(3))))

    with pytest.raises(history.WrongError) as wrong:
        list(history.frames(again))

    assert wrong.value.args == (3, "You have already left this match.")
