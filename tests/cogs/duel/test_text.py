import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cogs.duel import text
from cogs.duel.alt_text import describe
from games.duel import SETS, Pair
from tests.support.duel_snapshots import (
    FIRST,
    SECOND,
    TWO,
    UNEVEN,
    A,
    B,
    after,
    dealt,
    left,
    match,
    positions,
    seen,
)

# The table as it is printed in the rulebook.
PRINTED = {
    2: (3, 4, 6, 8, 10, 12),
    3: (4, 6, 9, 12),
    4: (5, 8, 12),
    5: (2, 3, 6, 10),
    6: (4, 7, 12),
    7: (2, 3, 4, 5, 8),
    8: (3, 5, 6, 9),
    9: (2, 4, 5, 6, 7, 10),
    10: (3, 4, 6, 7, 8),
    12: (5, 7, 8, 9, 10),
}


@pytest.mark.parametrize("total", PRINTED)
def test_a_tile_beats_what_the_rulebook_says(total):
    assert text.beaten(10, total) == PRINTED[total]


def test_of_any_two_tiles_of_the_large_set_one_beats_the_other():
    totals = SETS[14].totals

    wins = {(total, other) for total in totals for other in text.beaten(14, total)}

    assert {frozenset(pair) for pair in wins} == {
        frozenset((a, b)) for a in totals for b in totals if a != b
    }
    assert len(wins) == 91


def test_more_than_half_of_the_points_win():
    assert (text.needed(10), text.needed(14)) == (6, 8)


@pytest.mark.parametrize(
    ("pair", "sentence", "reason"),
    [
        (
            Pair(round=1, totals=(10, 5), winner=B, verdict="divides"),
            "10 loses to 5: 5 divides 10.",
            "5 divides 10",
        ),
        (
            Pair(round=1, totals=(8, 9), winner=A, verdict="one less"),
            "9 loses to 8: 8 is exactly one less than 9.",
            "8 is one less",
        ),
        (
            Pair(round=1, totals=(7, 10), winner=B, verdict="higher"),
            "10 beats 7: it's higher, and 7 doesn't divide it and isn't one less.",
            "10 is higher",
        ),
    ],
    ids=["divides", "one less", "higher"],
)
def test_a_pair_is_told_with_the_reason_for_the_win(pair, sentence, reason):
    assert text.pair_sentence(pair) == sentence
    assert text.reason(pair) == reason


@pytest.mark.parametrize(
    ("state", "story"),
    [
        (dealt(), "Each player gets five of the 10 tiles, for everyone to see."),
        (dealt(14), "Each player gets seven of the 14 tiles, for everyone to see."),
        (after((10, 2)), "10 loses to 2: 2 divides 10. <@2> scores a point."),
        (
            after(*FIRST),
            (
                "12 beats 7: it's higher, and 7 doesn't divide it and isn't one less. "
                "<@1> scores a point. Round 1 is over: <@1> 4 points, <@2> 1 point. "
                "The players swap the hands they were dealt, and round 2 of 2 begins."
            ),
        ),
        (
            after(*FIRST, *UNEVEN[:2]),
            (
                "8 loses to 4: 4 divides 8. <@1> scores a point. "
                "That's 6 points, enough to win; the rest is played out."
            ),
        ),
        (
            after(*FIRST, *UNEVEN[:3]),
            "12 loses to 6: 6 divides 12. <@1> scores a point.",
        ),
        (
            after(*FIRST, *SECOND),
            (
                "12 beats 7: it's higher, and 7 doesn't divide it and isn't one less. "
                "<@2> scores a point. Round 2 is over: <@1> 1 point, <@2> 4 points."
            ),
        ),
        (
            left(dealt(), B),
            "Each player gets five of the 10 tiles, for everyone to see.",
        ),
        (
            left(after((8, 9)), A),
            "9 loses to 8: 8 is exactly one less than 9. <@1> scores a point.",
        ),
    ],
    ids=[
        "deal",
        "large-deal",
        "pair",
        "swap",
        "enough",
        "more-than-enough",
        "end",
        "left-first",
        "left",
    ],
)
def test_the_story_tells_the_last_event(state, story):
    assert text.story(seen(state), TWO) == story


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (after((10, 2)), "\U0001f535 <@1> **0** · \U0001f536 <@2> **1** · first to 6 wins"),
        (
            after(*FIRST, SECOND[0]),
            "\U0001f535 <@1> **5** (4 + 1) · \U0001f536 <@2> **1** (1 + 0) · first to 6 wins",
        ),
        (dealt(14), "\U0001f535 <@1> **0** · \U0001f536 <@2> **0** · first to 8 wins"),
        (
            after(*FIRST, *SECOND),
            "\U0001f535 <@1> **5** (4 + 1) · \U0001f536 <@2> **5** (1 + 4)",
        ),
        (
            after(*FIRST, *UNEVEN[:3]),
            (
                "\U0001f535 <@1> **7** (4 + 3) · \U0001f536 <@2> **1** (1 + 0) · decided; the rest "
                "is played out"
            ),
        ),
    ],
    ids=["first round", "second round", "large", "over", "decided"],
)
def test_the_score_adds_up_the_rounds_and_says_how_many_points_win(state, line):
    assert text.score_line(seen(state), TWO) == line


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (
            after(*FIRST, *UNEVEN),
            "**<@1> wins**: more points over both rounds, 8 to 2.",
        ),
        (
            after(*FIRST, *SECOND),
            "**A tie**: the same number of points over both rounds, 5 each.",
        ),
        (left(after((8, 9)), A), "**<@2> wins**: the other player has left."),
        (left(dealt(), B), "**<@1> wins**: the other player has left."),
    ],
    ids=["win", "tie", "left", "left-first"],
)
def test_the_result_says_who_won_and_why(state, line):
    assert text.result_line(seen(state), TWO) == line


def test_a_moment_is_a_pair_of_a_round():
    assert text.moment(seen(dealt())) == "Round 1, pair 1"
    assert text.moment(seen(after(*FIRST, *SECOND[:2]))) == "Round 2, pair 3"


def test_a_running_match_has_no_result():
    with pytest.raises(ValueError, match="no result yet"):
        text.result_line(seen(dealt()), TWO)


@given(positions())
def test_every_position_has_texts(state):
    view = seen(state)

    story, score = text.story(view, TWO), text.score_line(view, TWO)

    assert re.fullmatch(r"\S.*[^.]\.", story)
    assert len(story) < 300
    assert all(name in score for name in TWO)


@settings(deadline=None)
@given(st.sampled_from((10, 14)), st.integers(0, 10**6).map(str))
def test_the_story_says_at_most_once_that_somebody_has_enough_to_win(tiles, seed):
    told = [text.story(seen(state), TWO) for state in match(tiles, seed)]

    final = seen(match(tiles, seed)[-1])
    early = [seen(state) for state in match(tiles, seed)[:-1]]
    reached = any(max(view.scores) >= text.needed(tiles) for view in early)
    assert sum("enough to win" in story for story in told) == reached
    assert final.outcome is not None


@given(positions(), st.sampled_from([A, B]))
def test_a_hand_has_the_same_texts_as_the_table(state, seat):
    assert text.story(seen(state, seat), TWO) == text.story(seen(state), TWO)
    assert text.score_line(seen(state, seat), TWO) == text.score_line(seen(state), TWO)
    own, public = describe(seen(state, seat)), describe(seen(state))
    assert sorted(re.findall(r"\d+", own)) == sorted(re.findall(r"\d+", public))
