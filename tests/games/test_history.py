"""Matches that are rebuilt from their seed and their moves."""

from dataclasses import replace
from itertools import islice

import pytest

from games import Seat, history
from games.chance import Chance
from tests.support.pointing_game import POINTING

SEED = "c0" * 32


def test_a_departure_repeats_its_draws(monkeypatch):
    """None of our games draws when a seat leaves, but the tests' own game does."""
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
    assert dealt.state == POINTING.setup(told.options, 3, Chance(SEED, 0))
    assert left.state.drawn == Chance(f"{SEED}:2 leaves", 0).below(1000)
    assert played.state.drawn == Chance(SEED, 1).below(1000)


@pytest.fixture
def departed(monkeypatch):
    """Three steps of four people, two of whom left before the second step."""
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


def test_a_choice_has_what_its_seat_saw_after_the_last_departure(departed):
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


def test_frames_are_counted_and_the_last_one_is_shown_beyond_the_end(departed):
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


@pytest.mark.parametrize(("step", "told"), [(2, 3), (0, 1)], ids=["after the end", "out of order"])
def test_departures_after_the_last_step_are_allowed_and_out_of_order_ones_refused(
    departed, step, told
):
    departures = ((1, Seat(3)), (step, Seat(1)), (9, Seat(0)))
    frames = history.frames(replace(departed, steps=departed.steps[:1], departures=departures))

    assert [(frame.step, frame.left) for frame in islice(frames, 3)] == [
        (0, ()),
        (1, ()),
        (1, (3,)),
    ]
    with pytest.raises(history.InvalidHistoryError) as wrong:
        next(frames)
    assert wrong.value.args == (told, "A departure does not fit into this match.")


@pytest.mark.parametrize(
    ("changes", "told", "reason"),
    [
        pytest.param(
            {"departures": ((1, Seat(3)), (1, Seat(2)), (2, Seat(3)))},
            3,
            "You have already left this match.",
            id="a departure",
        ),
        pytest.param(
            {"departures": (), "steps": ({Seat(i): f"at {i}" for i in range(4)},)},
            1,
            "You can only point at another player who is still here.",
            id="a move",
        ),
    ],
)
def test_a_refusal_by_the_rules_has_its_step_counted_from_1(departed, changes, told, reason):
    with pytest.raises(history.InvalidHistoryError) as wrong:
        list(history.frames(replace(departed, **changes)))

    assert wrong.value.args == (told, reason)
