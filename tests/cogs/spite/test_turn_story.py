"""The story of a turn of Spite and Malice, with every kind of event."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from cogs.spite.turn_story import MAX_TOLD_FOUNDATIONS, story
from games.spite import SPITE, GameResult
from games.spite.events import Dealt, Discarded, Drawn, Played, Stuck
from tests.support.spite_snapshots import NAMES, states
from tests.support.spite_states import CHANCE, A, B, play, position, side

ANN, BO = "Ann", "Bo"
BOTH = (ANN, BO)


def view(*events, turn_start=0, **changes):
    """The public view of a position after these events."""
    state = position(side(hand="A 9"))
    return replace(SPITE.observe(state, None), events=events, turn_start=turn_start, **changes)


def played(face, target="f1", *, seat=A, source="hand", rank=None, complete=False):
    return Played(
        seat=seat,
        source=source,
        face=face,
        rank=rank or face,
        target=target,
        is_complete=complete,
    )


def discarded(face, count=1, pile="d1", *, seat=A):
    return Discarded(seat=seat, face=face, count=count, pile=pile)


STORIES = {
    "nothing yet": ((), "It's Ann's turn."),
    "a deal": ((Dealt(game=1, dealer=B),), "Bo deals."),
    "a draw": ((Drawn(seat=A, count=3, recycled=0),), "Ann drew 3 cards."),
    "a draw of one": ((Drawn(seat=A, count=1, recycled=0),), "Ann drew 1 card."),
    "a shuffle": (
        (Drawn(seat=A, count=5, recycled=24),),
        "Ann drew 5 cards (24 cards shuffled back in).",
    ),
    "a play from the hand": ((played("4", "f2"),), "Ann played **4** onto f2."),
    "a play from the stock": (
        (played("4", source="stock"),),
        "Ann played **4** onto f1 from the stock.",
    ),
    "a play from a pile": ((played("4", source="d3"),), "Ann played **4** onto f1."),
    "a king": ((played("K", rank="7"),), "Ann played **K as 7** onto f1."),
    "a joker": ((played("*", rank="J"),), "Ann played **joker as J** onto f1."),
    "cards on each other": (
        (played("3"), played("4", source="stock"), played("5", source="stock")),
        "Ann played **3-5** onto f1, 2 of them from the stock.",
    ),
    "cards on each other, with others between": (
        (played("3"), played("A", "f2"), played("4"), played("2", "f2", source="stock")),
        "Ann played **3-4** onto f1 and **A-2** onto f2, 1 of them from the stock.",
    ),
    "wild cards among others": (
        (played("2"), played("*", rank="3"), played("4"), played("K", rank="5")),
        "Ann played **2-5** with joker as 3 and K as 5 onto f1.",
    ),
    "a complete foundation": (
        (played("J"), played("Q", complete=True), played("9")),
        "Ann played **J-Q** (complete) and **9** onto f1.",
    ),
    "a foundation that moved up": (
        (played("A", "f4"), played("Q", "f3", complete=True), played("2", "f3")),
        "Ann played **A-2** onto f3 and **Q** (complete).",
    ),
    "one before what left": (
        (played("4", "f1"), played("Q", "f2", complete=True)),
        "Ann played **4** onto f1 and **Q** (complete).",
    ),
    "one that left later": (
        (played("J", "f2"), discarded("9"), played("Q", "f2", seat=B, complete=True)),
        (
            "Ann played **J** (since completed) and discarded **9** onto d1. "
            "Bo played **Q** (complete)."
        ),
    ),
    "moved up by the next turn": (
        (played("4", "f3"), played("Q", "f2", seat=B, complete=True), played("5", "f2", seat=B)),
        "Ann played **4** onto f2. Bo played **Q** (complete) and **5** onto f2.",
    ),
    "one that moved up twice": (
        (
            played("4", "f3"),
            played("Q", "f2", complete=True),
            played("Q", "f1", seat=B, complete=True),
        ),
        "Ann played **4** onto f1 and **Q** (complete). Bo played **Q** (complete).",
    ),
    "before a deal": (
        (
            played("4", "f2"),
            played("Q", seat=B, complete=True),
            Dealt(game=2, dealer=A),
            played("A", "f1"),
            played("Q", "f1", complete=True),
        ),
        (
            "Ann played **4** onto f1. Bo played **Q** (complete). Ann dealt. "
            "Ann played **A-Q** (complete)."
        ),
    ),
    "a discard": ((discarded("9"),), "Ann discarded **9** onto d1."),
    "several discarded": ((discarded("9", 3, "d4"),), "Ann discarded **three 9s** onto d4."),
    "jokers discarded": ((discarded("*", 2),), "Ann discarded **two jokers** onto d1."),
    "a whole turn": (
        (
            Drawn(seat=A, count=2, recycled=0),
            played("3"),
            Drawn(seat=A, count=5, recycled=0),
            played("4"),
            Drawn(seat=A, count=5, recycled=24),
            discarded("9"),
        ),
        (
            "Ann drew 2 and later 10 cards (24 cards shuffled back in), played **3-4** onto f1 "
            "and discarded **9** onto d1."
        ),
    ),
    "a draw after a play": (
        (played("3"), Drawn(seat=A, count=5, recycled=0), discarded("9")),
        "Ann played **3** onto f1, drew 5 cards and discarded **9** onto d1.",
    ),
    "the end of a turn by itself": (
        (played("3"), Stuck(seat=A, was_passed_over=False)),
        ("Ann played **3** onto f1 and couldn't play or draw anymore, so their turn ended."),
    ),
    "passed over": (
        (discarded("9"), Stuck(seat=B, was_passed_over=True), Drawn(seat=A, count=1, recycled=0)),
        ("Ann discarded **9** onto d1. Bo couldn't do anything and was skipped. Ann drew 1 card."),
    ),
}


@pytest.mark.parametrize(("events", "told"), STORIES.values(), ids=STORIES)
def test_every_kind_of_event_is_told(events, told):
    assert story(view(*events), BOTH) == told


def test_the_previous_turn_and_the_current_one_are_told_separately():
    events = (discarded("9"), discarded("8"))

    assert story(view(*events, turn_start=1), BOTH) == (
        "Ann discarded **9** onto d1. Ann discarded **8** onto d1."
    )


def test_in_a_turn_onto_many_foundations_only_the_last_ones_are_told_one_by_one():
    events = [played("9", f"f{i}", source="stock") for i in range(1, MAX_TOLD_FOUNDATIONS + 4)]

    told = story(view(*events), BOTH)

    assert told.startswith("Ann played **9** onto f4, **9** onto f5,")
    assert told.endswith(
        f"**9** onto f{MAX_TOLD_FOUNDATIONS + 3} and 3 cards elsewhere, all from the stock."
    )


def test_a_foundation_that_was_begun_early_and_continued_last_is_told():
    targets = [*range(1, MAX_TOLD_FOUNDATIONS + 2), 1]
    events = [played("9", f"f{i}") for i in targets]

    assert "played **9-9** onto f1, **9** onto f3" in story(view(*events), BOTH)


def test_the_longest_turns_fit():
    """Two turns of wild cards onto foundations with two-digit numbers."""
    turns = [
        played("*", f"f1{i % 10}", seat=seat, source="stock", rank="10", complete=True)
        for seat in (A, B)
        for i in range(60)
    ]
    turns[48:54] = [played("2", f"f{i}", source="stock") for i in range(20, 26)]
    refills = [Drawn(seat=B, count=5, recycled=48)] * 12

    told = story(view(*turns, *refills, turn_start=60, left=A), NAMES)

    assert len(told) <= 600


def test_only_the_result_says_who_has_left_and_it_is_nobodys_turn():
    state = SPITE.concede(position(side(hand="A 9")), A, CHANCE)

    assert story(SPITE.observe(state, None), BOTH) == ""


RESULTS = {
    "the last card": (
        GameResult(game=1, winner=B, points=7, stocks=(7, 0), ending="stock"),
        "Bo wins game 1: the last stock card was played.",
    ),
    "neither could move": (
        GameResult(game=1, winner=A, points=2, stocks=(3, 5), ending="stalemate"),
        "Ann wins game 1: neither could move, with 3 stock cards left against 5.",
    ),
    "the turns ran out": (
        GameResult(game=1, winner=None, points=0, stocks=(4, 4), ending="turn limit"),
        "Game 1 is a draw: the turns ran out, with 4 stock cards left each.",
    ),
    "one card each": (
        GameResult(game=1, winner=None, points=0, stocks=(1, 1), ending="stalemate"),
        "Game 1 is a draw: neither could move, with 1 stock card left each.",
    ),
}


@pytest.mark.parametrize(("last", "told"), RESULTS.values(), ids=RESULTS)
def test_a_new_game_tells_how_the_last_one_ended(last, told):
    options = replace(view().options, scoring="games", target=3)
    shown = view(Dealt(game=2, dealer=A), last=last, game=2, options=options)

    assert story(shown, BOTH) == f"{told} Ann deals game 2."


def test_the_end_of_a_series_tells_how_its_last_game_ended():
    state = position(side(stock="A"), side(stock="9 9"), scoring="games", target=1)

    over = SPITE.observe(play(state, "stock>new"), None)
    left = SPITE.observe(SPITE.concede(state, A, CHANCE), None)

    assert story(over, BOTH) == (
        "Ann played **A** onto f1 from the stock. Ann wins game 1: the last stock card was played."
    )
    assert "game 1" not in story(left, BOTH)


@pytest.mark.parametrize(("points", "worth"), [(1, "1 point"), (7, "7 points")])
def test_a_game_for_points_says_what_it_was_worth(points, worth):
    last = GameResult(game=1, winner=A, points=points, stocks=(0, points), ending="stock")
    options = replace(view().options, scoring="points", target=25)

    told = story(view(Dealt(game=2, dealer=A), last=last, game=2, options=options), BOTH)

    assert told.startswith(f"Ann wins game 1, worth {worth}: the last stock card was played.")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(states())
def test_a_story_consists_of_sentences(state):
    told = story(SPITE.observe(state, None), NAMES)

    assert told.endswith(".")
    assert ", ," not in told
    assert ",," not in told
    assert "  " not in told
