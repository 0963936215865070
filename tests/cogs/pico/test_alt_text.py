import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.drawing.seats import MARKS
from cogs.pico.alt_text import describe
from games.pico import DECKS
from tests.support.pico_snapshots import (
    LAST,
    MIDDLE,
    THIRDS,
    A,
    B,
    after,
    dealt,
    final,
    left,
    seen,
    states,
)


@pytest.mark.parametrize(
    ("state", "seat", "told"),
    [
        (
            after(MIDDLE, 7, 9),
            B,
            (
                "Pico, round 1 of 2.\nDots are in brackets. Out of play: 5 (2).\n"
                "Last trick: blue circle played 7 (2), you played 9 (3); you win. 9 beats 7.\n"
                "You, orange diamond 2: 11 dots. Hand: 2 (1), 16 (4). "
                "Won: 6 (2), 10 (3), 12 (3), 9 (3).\n"
                "Blue circle 1: 7 dots. Hand: 4 (2), 7 (2), 11 (3). "
                "Won: 3 (1), 8 (3), 13 (3)."
            ),
        ),
        (
            after(LAST, 7, 16),
            None,
            (
                "Pico, round 2 of 2.\nDots are in brackets. Out of play: 5 (2).\n"
                "Last trick, which ended round 1: blue circle played 7 (2), orange diamond "
                "played 16 (4); blue circle wins. 16 loses to 7: more than twice as high.\n"
                "Blue circle 1: 11 dots (11 + 0). "
                "Hand: 2 (1), 6 (2), 9 (3), 10 (3), 12 (3), 16 (4). Won: none.\n"
                "Orange diamond 2: 9 dots (9 + 0). "
                "Hand: 3 (1), 4 (2), 7 (2), 8 (3), 11 (3), 13 (3). Won: none."
            ),
        ),
        (
            left(THIRDS, B),
            None,
            (
                "Pico, round 1 of 3.\nDots are in brackets. Out of play: 9 (3).\n"
                "No trick yet: choose in secret.\n"
                "Blue circle 1: 9 dots. Hand: 5 (2), 16 (4). "
                "Won: 4 (2), 6 (2), 7 (2), 13 (3).\n"
                "Orange diamond 2, out: 11 dots. Hand: none. Won: none.\n"
                "Green square 3: 8 dots. Hand: 4 (2), 6 (2), 16 (4). "
                "Won: 5 (2), 10 (3), 13 (3)."
            ),
        ),
    ],
    ids=["desk", "swap", "left"],
)
def test_the_alt_text_describes_the_whole_picture(state, seat, told):
    assert describe(seen(state, seat)) == told


@pytest.mark.parametrize(
    ("state", "start"),
    [
        (final(((6, 4), (7, 6))), "Pico, final, won by blue circle."),
        (final(((6, 4), (4, 6))), "Pico, final, a draw."),
        (
            left(dealt(spare=5), A),
            (
                "Pico, final, won by orange diamond.\nDots are in brackets. "
                "Out of play: 5 (2).\nNo trick.\nBlue circle 1, out: 0 dots."
            ),
        ),
        (
            final(((6, 4, 6), (4, 6, 4), (1, 0, 1)), deck="pico1-three"),
            "Pico, final, won by blue circle and green square.",
        ),
    ],
)
def test_the_alt_text_of_the_end_names_the_winner_first(state, start):
    assert describe(seen(state)).startswith(start)


def cards(text, dots):
    """The faces in a list like `4 (2), 16 (4)`; asserts that the dots are those of the deck."""
    pairs = [(int(face), int(n)) for face, n in re.findall(r"(\d+) \((\d+)\)", text)]
    assert all(dots[face] == n for face, n in pairs)
    return tuple(face for face, _ in pairs)


@given(states(), st.sampled_from([None, A, B]))
def test_the_alt_text_has_every_card(state, seat):
    view, dots = seen(state, seat), DECKS[state.options.deck].dots

    told = describe(view)

    assert len(told) <= 1024
    assert cards(re.search(r"Out of play: ([^.]*)\.", told)[1], dots) == (view.spare,)
    rows = re.findall(r"(.*) (\d)(, out)?: (\d+) dots?[^.]*\. Hand: ([^.]*)\. Won: ([^.]*)\.", told)
    assert len(rows) == len(view.hands)
    for who, number, left_, total, hand, won in rows:
        row = int(number) - 1
        assert int(total) == view.dots[row]
        assert cards(hand, dots) == view.hands[row]
        assert cards(won, dots) == view.won[row]
        assert who.lower() == f"{'you, ' if row == seat else ''}{MARKS[row].name}"
        assert bool(left_) == (row in view.left)
    played = re.findall(r"([a-z ]+) played (\d+)", told)
    faces = view.last.faces if view.last else ()
    assert [(who.strip(), int(f)) for who, f in played] == [
        ("you" if i == seat else MARKS[i].name, f) for i, f in enumerate(faces) if f
    ]
