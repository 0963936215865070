"""Alt texts of Divide and Conquer (tiles): everything that the pictures show."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cogs.duel.alt_text import describe
from games.core import Seat
from tests.support.duel_snapshots import (
    FIRST,
    SECOND,
    UNEVEN,
    A,
    B,
    after,
    dealt,
    left,
    positions,
    seen,
)


@pytest.mark.parametrize(
    ("state", "seat", "told"),
    [
        (
            dealt(),
            None,
            (
                "Divide and Conquer, 10 tiles, round 1 of 2.\nFirst to 6 wins.\n"
                "No pair yet: choose in secret.\n"
                "Blue circle 1: 0 points. Hand: 3, 5, 8, 10, 12. "
                "Played in this round: none.\n"
                "Orange diamond 2: 0 points. Hand: 2, 4, 6, 7, 9. "
                "Played in this round: none."
            ),
        ),
        (
            after(*FIRST[:3]),
            B,
            (
                "Divide and Conquer, 10 tiles, round 1 of 2.\nFirst to 6 wins.\n"
                "Last pair: blue circle played 5, you played 6; blue circle wins. "
                "6 loses to 5: 5 is exactly one less than 6.\n"
                "You, orange diamond 2: 1 point. Hand: 4, 7. "
                "Played in this round: 2 won, 9 lost, 6 lost.\n"
                "Blue circle 1: 2 points. Hand: 3, 12. "
                "Played in this round: 10 lost, 8 won, 5 won."
            ),
        ),
        (
            after(*FIRST),
            A,
            (
                "Divide and Conquer, 10 tiles, round 2 of 2.\nFirst to 6 wins.\n"
                "Last pair, which ended round 1: you played 12, orange diamond played 7; you win. "
                "12 beats 7: it's higher, and 7 doesn't divide it and isn't one less.\n"
                "The dealt hands have been swapped.\n"
                "You, blue circle 1: 4 points (4 + 0). Hand: 2, 4, 6, 7, 9. "
                "Played in this round: none.\n"
                "Orange diamond 2: 1 point (1 + 0). Hand: 3, 5, 8, 10, 12. "
                "Played in this round: none."
            ),
        ),
    ],
    ids=["deal", "desk", "swap"],
)
def test_the_alt_text_describes_the_whole_picture(state, seat, told):
    assert describe(seen(state, seat)) == told


@pytest.mark.parametrize(
    ("state", "start", "part"),
    [
        (
            after(*FIRST, *UNEVEN),
            "Divide and Conquer, 10 tiles, final, won by blue circle.",
            "(4 + 4)",
        ),
        (after(*FIRST, *SECOND), "Divide and Conquer, 10 tiles, final, a tie.", "Hand: none."),
        (
            left(dealt(14), A),
            "Divide and Conquer, 14 tiles, final, won by orange diamond.",
            "No pair.\nBlue circle 1, out: 0 points.",
        ),
    ],
    ids=["win", "tie", "left"],
)
def test_the_alt_text_of_the_end_names_the_winner_first(state, start, part):
    told = describe(seen(state))

    assert told.startswith(start)
    assert part in told
    assert "First to" not in told


def test_the_alt_text_of_a_decided_match_says_that_the_rest_is_played_out():
    told = describe(seen(after(*FIRST, *UNEVEN[:2])))

    assert "round 2 of 2.\nDecided; the rest is played out.\nLast pair" in told


def numbers(text):
    return tuple(int(number) for number in re.findall(r"\d+", text))


@given(positions(), st.sampled_from([None, A, B]))
def test_the_alt_text_has_every_tile(state, seat):
    view = seen(state, seat)

    told = describe(view)

    rows = re.findall(
        r"(.*) (\d)(, out)?: (\d+) points?[^.]*\. Hand: ([^.]*)\. "
        r"Played in this round: ([^.]*)\.",
        told,
    )
    heard = {
        Seat(int(number) - 1): (who, gone, int(points), numbers(hand), played)
        for who, number, gone, points, hand, played in rows
    }
    callings, gone, points, hands, exposed = zip(*(heard[each] for each in (A, B)), strict=True)
    assert points == view.scores
    assert hands == view.hands
    assert [who.startswith("You, ") for who in callings] == [seat == A, seat == B]
    assert [bool(each) for each in gone] == [A in view.left, B in view.left]
    assert [numbers(played) for played in exposed] == [
        tuple(pair.totals[each] for pair in view.played[-1]) for each in (A, B)
    ]
    assert [re.findall("won|lost", played) for played in exposed] == [
        ["won" if pair.winner == each else "lost" for pair in view.played[-1]] for each in (A, B)
    ]
    assert ("swapped" in told) == view.exchanged
