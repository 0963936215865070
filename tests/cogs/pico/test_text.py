import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.pico import text
from cogs.pico.alt_text import describe
from games.core import Seat, winners
from games.pico import Trick
from tests.support.pico_snapshots import (
    LAST,
    LAST_OF_ALL,
    MIDDLE,
    THIRDS,
    THREE,
    TWO,
    A,
    B,
    C,
    after,
    dealt,
    final,
    finished,
    left,
    seen,
    states,
    trick,
)


@pytest.mark.parametrize(
    ("shown", "line"),
    [
        (trick(13, 6), "13 loses to 6: more than twice as high. <@2> scores 2 dots."),
        (trick(9, 7), "9 beats 7. <@1> scores 3 dots."),
        (trick(4, 8), "8 beats 4: exactly twice as high still wins. <@2> scores 3 dots."),
        (trick(2, 16), "16 loses to 2: more than twice as high. <@1> scores 1 dot."),
        (trick(16, 13), "16 beats 13. <@1> scores 4 dots."),
        (trick(5, None, 5), "5 and 5: equal cards both win. <@1> and <@3> score 2 dots each."),
        (trick(None, 8, 3), "8 loses to 3: more than twice as high. <@3> scores 1 dot."),
        (trick(10, 7, 5), "10 beats 7 and 5. <@1> scores 3 dots."),
        (
            trick(3, 10, 13),
            "13 beats 10 and 3: exactly as high as both together still wins. <@3> scores 3 dots.",
        ),
        (
            trick(16, 3, 8),
            (
                "16 loses to 3: more than 8 and 3 together, so the lowest card wins. "
                "<@2> scores 1 dot."
            ),
        ),
        (
            trick(3, 16, 3),
            "3 and 3 against 16: equal cards both win. <@1> and <@3> score 1 dot each.",
        ),
    ],
    ids=lambda value: "-".join(map(str, value.faces)) if isinstance(value, Trick) else "",
)
def test_a_trick_is_told_with_its_reason(shown, line):
    assert text.trick_line(shown, THREE, deck="standard") == line


@pytest.mark.parametrize(
    ("deck", "dots"), [("standard", "2 dots"), ("pico1", "2 dots"), ("pico2", "1 dot")]
)
def test_the_4_has_as_many_dots_as_its_deck_says(deck, dots):
    line = text.trick_line(trick(4, 16), TWO, deck=deck)

    assert line == f"16 loses to 4: more than twice as high. <@1> scores {dots}."


@pytest.mark.parametrize(
    ("shown", "reason"),
    [
        (trick(13, 6), "13 > 2 \N{MULTIPLICATION SIGN} 6"),
        (trick(8, 4), "8 = 2 \N{MULTIPLICATION SIGN} 4"),
        (trick(9, None, 7), "9 < 2 \N{MULTIPLICATION SIGN} 7"),
        (trick(10, 7, 5), "10 < 7 + 5"),
        (trick(13, 3, 10), "13 = 10 + 3"),
        (trick(16, 8, 3), "16 > 8 + 3"),
        (trick(7, 13, 7), "7 = 7"),
    ],
)
def test_the_reason_is_the_deciding_comparison(shown, reason):
    assert text.reason(shown) == reason


@pytest.mark.parametrize(
    ("state", "names", "story"),
    [
        (dealt(spare=5), TWO, "The cards are dealt. The 5 is left over and stays out of play."),
        (
            dealt("pico1-three", spare=9),
            THREE,
            (
                "The cards are dealt. Everyone passed their hand to the left. "
                "The 9 is left over and stays out of play."
            ),
        ),
        (after(MIDDLE, 7, 9), TWO, "9 beats 7. <@2> scores 3 dots."),
        (
            after(LAST, 7, 16),
            TWO,
            (
                "16 loses to 7: more than twice as high. <@1> scores 2 dots. "
                "Round 1 is over: <@1> 11 dots, <@2> 9 dots. "
                "The sets are swapped, and round 2 of 2 begins."
            ),
        ),
        (
            after(LAST_OF_ALL, 7, 16),
            TWO,
            (
                "16 loses to 7: more than twice as high. <@1> scores 2 dots. "
                "Round 2 is over: <@1> 11 dots, <@2> 9 dots."
            ),
        ),
        (
            after(THIRDS, 5, 10, 6),
            THREE,
            (
                "10 beats 6 and 5. <@2> scores 3 dots. "
                "Round 1 is over: <@1> 9 dots, <@2> 14 dots, <@3> 8 dots. "
                "Everyone passes the whole set to the right, and round 2 of 3 begins."
            ),
        ),
        (
            after(left(THIRDS, B), 5, None, 4),
            THREE,
            (
                "5 beats 4. <@1> scores 2 dots. "
                "Round 1 is over: <@1> 11 dots, <@3> 8 dots. "
                "<@1> and <@3> swap their sets, and round 2 of 3 begins."
            ),
        ),
        (
            left(THIRDS, B),
            THREE,
            (
                "The cards are dealt. Everyone passed their hand to the left. "
                "The 9 is left over and stays out of play. "
                "<@2> is out; their dots stay and their cards leave play."
            ),
        ),
        (
            left(after(MIDDLE, 7, 9), A),
            TWO,
            "9 beats 7. <@2> scores 3 dots.",
        ),
        (
            left(after(left(THIRDS, B), 16, None, 16), C),
            THREE,
            (
                "16 and 16: equal cards both win. <@1> and <@3> score 4 dots each. "
                "Round 1 is over: <@1> 13 dots, <@3> 12 dots. "
                "<@1> and <@3> swap their sets, and round 2 of 3 begins."
            ),
        ),
    ],
    ids=[
        "deal",
        "deal-three",
        "trick",
        "round",
        "end",
        "round-three",
        "round-of-two-left",
        "left-first",
        "left",
        "left-later",
    ],
)
def test_the_story_tells_the_last_event(state, names, story):
    assert text.story(seen(state), names) == story


@pytest.mark.parametrize(
    ("state", "names", "line"),
    [
        (MIDDLE, TWO, "\U0001f535 <@1> **7** · \U0001f536 <@2> **8** · most dots win"),
        (
            LAST_OF_ALL,
            TWO,
            "\U0001f535 <@1> **15** (6 + 9) · \U0001f536 <@2> **18** (9 + 9) · most dots win",
        ),
        (
            final(((6, 4), (7, 6))),
            TWO,
            "\U0001f535 <@1> **13** (6 + 7) · \U0001f536 <@2> **10** (4 + 6)",
        ),
        (
            left(THIRDS, B),
            THREE,
            (
                "\U0001f535 <@1> **9** · \U0001f536 <@2> **11**, out · \U0001f7e9 <@3> **8**"
                " · most dots win"
            ),
        ),
        (
            left(replace(THIRDS, round=2, totals=((3, 4, 5),), won=((), (), ())), B),
            THREE,
            (
                "\U0001f535 <@1> **3** (3 + 0) · \U0001f536 <@2> **4** (4 + 0), out"
                " · \U0001f7e9 <@3> **5** (5 + 0) · most dots win"
            ),
        ),
    ],
    ids=["first round", "second round", "over", "left in a round", "left between rounds"],
)
def test_the_score_adds_up_the_rounds(state, names, line):
    assert text.score_line(seen(state), names) == line


@pytest.mark.parametrize(
    ("state", "names", "line"),
    [
        (final(((6, 4), (7, 6))), TWO, "**<@1> wins**: more dots over both rounds, 13 to 10."),
        (
            final(((6, 4), (4, 6))),
            TWO,
            "**A draw**: the same number of dots over both rounds, 10 each.",
        ),
        (left(MIDDLE, A), TWO, "**<@2> wins**: everybody else has left."),
        (
            final(((6, 4, 5), (4, 6, 2), (1, 2, 9)), deck="pico1-three"),
            THREE,
            "**<@3> wins**: more dots over three rounds, 16 to 12 to 11.",
        ),
        (
            final(((6, 4, 6), (4, 6, 4), (1, 0, 1)), deck="pico1-three"),
            THREE,
            "**<@1> and <@3> share the win**: the same number of dots over three rounds, 11 each.",
        ),
        (
            final(((6, 6, 6), (4, 4, 4), (1, 1, 1)), deck="pico1-three"),
            THREE,
            "**A draw**: the same number of dots over three rounds, 11 each.",
        ),
        (
            final(((6, 4, 5), (4, 0, 2), (1, 0, 9)), deck="pico1-three", left_=(B,)),
            THREE,
            "**<@3> wins**: more dots over three rounds, 16 to 11.",
        ),
        (left(THIRDS, C, A), THREE, "**<@2> wins**: everybody else has left."),
    ],
    ids=["win", "draw", "left", "three", "shared", "draw-three", "left-three", "all-left"],
)
def test_the_result_says_who_won_and_why(state, names, line):
    assert text.result_line(seen(state), names) == line


def test_a_running_match_has_no_result():
    with pytest.raises(ValueError, match="no result yet"):
        text.result_line(seen(MIDDLE), TWO)


@given(states())
def test_every_position_has_texts(state):
    names, view = THREE[: len(state.hands)], seen(state)

    story, score = text.story(view, names), text.score_line(view, names)

    assert re.fullmatch(r"\S.*[^.]\.", story)
    assert len(story) < 500
    assert all(name in score for name in names)


@given(states())
def test_the_dots_of_the_rounds_add_up(state):
    view = seen(state)

    for seat, total in enumerate(view.dots):
        assert sum(text.round_dots(view, Seat(seat))) + view.parted[seat] == total


def test_a_moment_is_a_trick_of_a_round():
    """With three players, a trick can have two winners, so its number can't be known."""
    assert text.moment(seen(dealt())) == "Round 1, trick 1"
    assert text.moment(seen(MIDDLE)) == "Round 1, trick 7"
    assert text.moment(seen(after(LAST, 7, 16))) == "Round 2, trick 1"
    assert text.moment(seen(THIRDS)) == "Round 1"


@given(states().map(finished))
def test_every_result_names_the_winners_and_no_losers(state):
    names, view = THREE[: len(state.hands)], seen(state)

    result = text.result_line(view, names)

    first, _ = result.split(":", 1)
    won = winners(view.outcome)
    assert [name in first for name in names] == [i in won for i in range(len(names))]


@given(states(), st.sampled_from([A, B]))
def test_a_hand_has_the_same_texts_as_the_table(state, seat):
    names = THREE[: len(state.hands)]

    assert text.story(seen(state, seat), names) == text.story(seen(state), names)
    assert text.score_line(seen(state, seat), names) == text.score_line(seen(state), names)
    own, public = describe(seen(state, seat)), describe(seen(state))
    assert sorted(re.findall(r"\d+", own)) == sorted(re.findall(r"\d+", public))
