"""What is told of a match of Spite and Malice: every kind of event, score and result."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from cogs.spite import text
from cogs.spite.text import MAX_TOLD_PLAYS, story
from games.core import Outcome
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
    "a play from the stock": ((played("4", source="stock"),), "Ann played **4** (stock) onto f1."),
    "a play from a pile": ((played("4", source="d3"),), "Ann played **4** (d3) onto f1."),
    "a new foundation": ((played("A", "f3"),), "Ann played **A** onto the new f3."),
    "a king": ((played("K", rank="7"),), "Ann played **K as 7** onto f1."),
    "a joker": ((played("*", rank="J"),), "Ann played **joker as J** onto f1."),
    "a king as an ace": ((played("K", rank="A"),), "Ann played **K as A** onto the new f1."),
    "cards on each other": (
        (played("3"), played("4", source="d1"), played("5", source="stock")),
        "Ann played **3**, **4** (d1) and **5** (stock) onto f1.",
    ),
    "a wild card among others": (
        (played("2", source="d3"), played("*", rank="3"), played("4", source="stock")),
        "Ann played **2** (d3), **joker as 3** and **4** (stock) onto f1.",
    ),
    "several foundations": (
        (played("3"), played("A", "f2"), played("2", "f2")),
        "Ann played **3** onto f1 and **A** and **2** onto the new f2.",
    ),
    "one new after the other": (
        (played("A", "f1"), played("A", "f2")),
        "Ann played **A** onto the new f1 and **A** onto the new f2.",
    ),
    "a complete foundation": (
        (played("Q", complete=True), played("9")),
        "Ann played **Q** onto f1 (complete) and **9** onto f1.",
    ),
    "a foundation that moved up": (
        (played("A", "f4"), played("Q", "f3", complete=True)),
        ("Ann played **A** onto the new f4 and **Q** onto f3 (complete, so f4 is now f3)."),
    ),
    "one before what left": (
        (played("4", "f1"), played("Q", "f2", complete=True)),
        "Ann played **4** onto f1 and **Q** onto f2 (complete).",
    ),
    "one that left later": (
        (played("3", "f2"), discarded("9"), played("Q", "f2", seat=B, complete=True)),
        "Ann played **3** onto f2 and discarded **9** onto d1. Bo played **Q** onto f2 (complete).",
    ),
    "moved up by the next turn": (
        (played("4", "f3"), played("Q", "f2", seat=B, complete=True), played("Q", seat=B)),
        (
            "Ann played **4** onto f3. Bo played **Q** onto f2 (complete, so f3 is now f2) and "
            "**Q** onto f1."
        ),
    ),
    "several that moved up": (
        (played("4", "f3"), played("5", "f4"), played("Q", "f1", complete=True)),
        (
            "Ann played **4** onto f3, **5** onto f4 and **Q** onto f1 (complete, so f3 and f4 are "
            "now f2 and f3)."
        ),
    ),
    "many that moved up": (
        (played("4", "f3"), played("5", "f6"), played("6", "f4"), played("Q", complete=True)),
        (
            "Ann played **4** onto f3, **5** onto f6, **6** onto f4 and **Q** onto f1 (complete, "
            "so f3 to f6 are now f2 to f5)."
        ),
    ),
    "one that moved up twice": (
        (
            played("4", "f3"),
            played("Q", "f2", complete=True),
            played("Q", "f1", seat=B, complete=True),
        ),
        (
            "Ann played **4** onto f3 and **Q** onto f2 (complete, so f3 is now f2). Bo played "
            "**Q** onto f1 (complete, so f2 is now f1)."
        ),
    ),
    "before a deal": (
        (played("4", "f2"), played("Q", seat=B, complete=True), Dealt(game=2, dealer=A)),
        "Ann played **4** onto f2. Bo played **Q** onto f1 (complete). Ann deals.",
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
            discarded("9"),
        ),
        (
            "Ann drew 2 cards, played **3** onto f1, drew 5 cards, played **4** onto f1 and "
            "discarded **9** onto d1."
        ),
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


def test_the_turn_before_and_the_present_one_are_told_apart():
    events = (discarded("9"), discarded("8"))

    assert story(view(*events, turn_start=1), BOTH) == (
        "Ann discarded **9** onto d1. Ann discarded **8** onto d1."
    )


def test_of_a_long_turn_the_last_plays_are_told():
    events = [Drawn(seat=A, count=5, recycled=0)]
    events += [played("9", f"f{i}") for i in range(1, MAX_TOLD_PLAYS + 4)]

    told = story(view(*events), BOTH)

    assert told.startswith("Ann first played 3 cards, played **9** onto f4, **9** onto f5,")
    assert told.endswith(f"and **9** onto f{MAX_TOLD_PLAYS + 3}.")
    assert "drew" not in told


def test_of_a_long_turn_it_is_told_what_moved_up_in_its_beginning():
    before = [played("4", "f3", seat=B)]
    events = [*before, played("Q", "f2", complete=True)]
    events += [played("9", "f1") for _ in range(MAX_TOLD_PLAYS)]

    told = story(view(*events, turn_start=1), BOTH)

    assert told.startswith("Bo played **4** onto f3. Ann first played 1 card (f3 is now f2) and ")


def test_the_longest_turns_fit():
    """Wild cards from piles onto foundations with two figures, twice."""
    turns = [
        played("*", f"f1{i % 10}", seat=seat, source="stock", rank="10", complete=True)
        for seat in (A, B)
        for i in range(60)
    ]
    turns[48:54] = [played("2", f"f{i}", source="stock") for i in range(20, 26)]
    refills = [Drawn(seat=B, count=5, recycled=48)] * 12

    told = story(view(*turns, *refills, turn_start=60, left=A), NAMES)

    assert len(told) <= 1800


def test_who_has_left_is_said_by_the_result_and_nobody_is_on_turn_any_more():
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
        "Ann played **A** (stock) onto the new f1. Ann wins game 1: the last stock card was played."
    )
    assert "game 1" not in story(left, BOTH)


@pytest.mark.parametrize(("points", "worth"), [(1, "1 point"), (7, "7 points")])
def test_a_game_for_points_tells_what_it_was_worth(points, worth):
    last = GameResult(game=1, winner=A, points=points, stocks=(0, points), ending="stock")
    options = replace(view().options, scoring="points", target=25)

    told = story(view(Dealt(game=2, dealer=A), last=last, game=2, options=options), BOTH)

    assert told.startswith(f"Ann wins game 1, worth {worth}: the last stock card was played.")


def test_the_score_is_the_stocks():
    state = position(side(stock="9 9 9"), side(stock="9"))

    assert text.score_line(SPITE.observe(state, None), BOTH) == (
        "🔵 Ann **3** in the stock · 🔶 Bo **1** in the stock · first to 0 wins"
    )


def test_the_aim_is_not_told_once_it_is_reached():
    over = view(outcome=Outcome(ranks=(1, 2), scores=(0, 0), reason="any"), awaiting=())

    assert "wins" not in text.score_line(over, BOTH)


@pytest.mark.parametrize(
    ("scoring", "scores", "told"),
    [
        ("games", (1, 2), (", 1 game won", ", 2 games won")),
        ("points", (0, 1), (", 0 points", ", 1 point")),
    ],
)
def test_the_score_of_a_series_says_what_was_won(scoring, scores, told):
    options = replace(view().options, scoring=scoring, target=25)

    line = text.score_line(view(scores=scores, options=options), BOTH)

    assert tuple(line.split(" · ")) == (
        f"🔵 Ann **3** in the stock{told[0]}",
        f"🔶 Bo **3** in the stock{told[1]}",
        "first to 0 wins the game",
    )


def test_the_headline_names_the_turn_and_in_a_series_the_game():
    options = replace(view().options, scoring="games", target=3)

    assert text.headline(view(turn=7)) == "Turn 7"
    assert text.headline(view(turn=7, game=2, options=options)) == (
        "Game 2 (first to 3 games), turn 7"
    )


def test_a_moment_is_a_turn_of_a_game():
    options = replace(view().options, scoring="games", target=3)

    assert text.moment(view(turn=7)) == "Turn 7"
    assert text.moment(view(turn=7, game=2, options=options)) == "Game 2, turn 7"


def test_the_result_says_who_has_won_and_why():
    state = play(position(side(stock="A"), side(stock="9 9")), "stock>new")

    shown = SPITE.observe(state, None)

    assert text.result_line(shown, BOTH) == (
        "**Ann wins**: they played their last stock card; their opponent had 2 left."
    )


def test_a_series_of_a_single_game_is_told_in_the_singular():
    sides = side(stock="A"), side(stock="9 9")
    state = play(position(*sides, scoring="games", target=1), "stock>new")

    shown = SPITE.observe(state, None)

    assert text.result_line(shown, BOTH) == "**Ann wins**: first to 1 game, 1 to 0."


def test_the_result_of_a_draw_says_so():
    state = position(side(stock="9 9 9", hand="9"), turn=5, turn_limit=5)

    shown = SPITE.observe(play(state, "9>d1"), None)

    assert text.result_line(shown, BOTH).startswith("**A draw**: the turns ran out")


def test_the_result_of_a_match_that_somebody_left_says_so():
    shown = SPITE.observe(SPITE.concede(position(side()), A, CHANCE), None)

    assert text.result_line(shown, BOTH) == "**Bo wins**: the other seat has left."


def test_a_match_that_goes_on_has_no_result():
    with pytest.raises(ValueError, match="no result yet"):
        text.result_line(view(), BOTH)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(states())
def test_a_story_is_sentences(state):
    told = story(SPITE.observe(state, None), NAMES)

    assert told.endswith(".")
    assert ", ," not in told
    assert ",," not in told
    assert "  " not in told


@pytest.mark.parametrize(
    ("notation", "said"),
    [
        ("8x2>d2", "discard **two 8s** onto d2"),
        ("10>d1", "discard **10** onto d1"),
        ("stock>f1", "**stock** onto f1"),
        ("d3>f2", "**d3** onto f2"),
        ("*>new", "**joker** onto a new foundation"),
        ("draw", "draw"),
        ("\u2026", "`\u2026`"),
    ],
)
def test_a_move_is_told_in_words(notation, said):
    assert text.spelled(notation) == said
