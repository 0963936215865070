"""The pictures of Prize Dominoes: they show what the texts say, and nothing hidden."""

import pickle
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.drawing import palette
from bot.drawing.canvas import MAX_PICTURE_HEIGHT, PICTURE_WIDTH
from bot.drawing.cards import DIM
from cogs.prize import pictures
from cogs.prize.alt_text import describe
from games.core import Outcome
from tests.support.pictures import canvas_of, extent, opened, unreadable
from tests.support.prize_snapshots import (
    WORST,
    event,
    fullest,
    left,
    match,
    onlookers,
    positions,
    result,
    running,
    seen,
    won,
    worst,
)
from tests.support.prize_states import A, B, table

OWN = (20, 400, 880, 676)
"""The box of the player's own hand below a short line, while nobody has a prize."""

drawing = settings(max_examples=25, deadline=None, derandomize=True)


def shown(state, seat=None):
    return opened(pictures.draw(seen(state, seat)))


# The line.


# The whole picture.


@drawing
@given(st.one_of(positions(), worst), onlookers)
def test_every_position_has_a_wide_picture_within_its_edges(state, seat):
    png = pictures.draw(seen(state, seat))

    assert unreadable(pictures.draw, seen(state, seat)) == []
    image = opened(png)
    inside = Image.new("L", image.size, 0)
    inside.paste(255, (12, 12, image.width - 12, image.height - 12))
    ground = Image.new("RGB", image.size, palette.GROUND)
    assert image.width == PICTURE_WIDTH
    assert image.height <= MAX_PICTURE_HEIGHT
    assert len(png) <= 60_000
    assert ImageChops.difference(Image.composite(ground, image, inside), ground).getbbox() is None


@pytest.mark.parametrize("name", sorted(WORST))
def test_the_same_view_gives_the_same_bytes(name):
    view = seen(WORST[name](), A)

    assert pictures.draw(view) == pictures.draw(pickle.loads(pickle.dumps(view)))  # noqa: S301 - our own bytes


def test_every_step_of_a_hand_looks_different():
    states = match("short", 3)

    assert len({pictures.draw(seen(state)) for state in states}) == len(states)


RUNS = seen(running(line="4-6 6-5", a="5-4 4-4 3-3", prizes=("6-6", "")), A)
WON = seen(won(b="6-3 1-0"))


@pytest.mark.parametrize(
    ("view", "changes"),
    [
        (RUNS, {"number": 2}),
        (RUNS, {"turn": B, "awaiting": (B,)}),
        (RUNS, {"hands": (((5, 4), (4, 4)), None)}),
        (RUNS, {"held": (3, 4)}),
        (RUNS, {"stock": 2}),
        (RUNS, {"stock": 0}),
        (RUNS, {"asks": True, "asked": (5, 4)}),
        (RUNS, {"line": ((4, 6), (6, 6)), "ends": (4, 6)}),
        (RUNS, {"prizes": (((6, 6), (3, 2)), ()), "missing": ((0, 1, 4, 5), tuple(range(7)))}),
        (RUNS, {"passes": 1}),
        (RUNS, {"events": (event(A, "hand", "6-4", "left"),)}),
        (RUNS, {"events": (event(B, "hand", "6-5", "right"), event(A, "kept"))}),
        (RUNS, {"left": (B,)}),
        (RUNS, {"last": result(number=1)}),
        (RUNS, {"outcome": Outcome(ranks=(1, 2), scores=(1, 0), reason=""), "awaiting": ()}),
        (RUNS, {"outcome": Outcome(ranks=(2, 1), scores=(1, 0), reason=""), "awaiting": ()}),
        (RUNS, {"outcome": Outcome(ranks=(1, 1), scores=(1, 0), reason=""), "awaiting": ()}),
        (WON, {"last": result(pips=(0, 11))}),
        (WON, {"hands": ((), ((6, 3),))}),
        (WON, {"missing": ((0, 1, 2, 3, 4, 5), tuple(range(7)))}),
        (WON, {"last": result(B)}),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_everything_in_the_picture_is_in_the_alt_text(view, changes):
    other = replace(view, **changes)

    assert (pictures.draw(other) != pictures.draw(view)) == (describe(other) != describe(view))


def test_a_hidden_hand_shows_no_faces():
    """The table shows only tiles of the line and prizes face up; here there are no prizes."""
    image = shown(running(a="5-4 4-4 3-3", b="1-0"))

    assert image.height == 410
    assert extent(image, palette.PAPER, (320, 12, 888, 94)) is None
    assert extent(image, palette.PAPER, (320, 316, 888, 398)) is None


def test_a_hand_shows_its_own_tiles_and_not_those_of_the_opponent():
    image = shown(running(a="5-4 4-4 3-3", b="1-0"), B)

    assert extent(image, palette.PAPER, (320, 12, 888, 94)) is None
    assert extent(image, palette.PAPER, OWN) is not None


def test_both_hands_are_open_once_the_hand_is_won():
    last = result(by="pips", pips=(9, 10))
    image = shown(won(a="5-4", b="6-4", last=last))

    assert extent(image, palette.PAPER, (20, 96, 880, 180)) is not None
    assert extent(image, palette.PAPER, (20, image.height - 90, 880, image.height)) is not None


def test_tiles_that_do_not_fit_are_dimmed():
    image = shown(running(line="4-6 6-5", a="3-3 4-4"), A)

    dim, plain = extent(image, DIM.paper, OWN), extent(image, palette.PAPER, OWN)
    assert dim[2] <= plain[0]


def test_a_drawn_tile_that_fits_both_ends_has_both_arrows():
    state = running(line="4-6 6-5", a="3-3", stock="2-1")
    asked = shown(replace(state, asked=(5, 4)), A)

    arrows = extent(asked, palette.GOLD, (20, 634, 880, 676))
    assert arrows[2] - arrows[0] > 50


def test_a_waiting_hand_is_not_dimmed():
    image = shown(running(line="4-6 6-5", b="3-3"), B)

    assert extent(image, DIM.paper, OWN) is None


def test_the_player_to_move_has_a_frame():
    image = shown(running())

    assert extent(image, palette.GOLD, (12, 30, 17, 80)) is not None
    assert extent(image, palette.GOLD, (12, 330, 17, 380)) is None


def test_the_winner_of_the_match_has_a_frame_and_a_crown():
    image = shown(left(running(), A))

    assert extent(image, palette.GOLD, (12, 30, 17, 80)) is None
    assert extent(image, palette.GOLD, (12, 330, 17, 380)) is not None
    crown = extent(image, palette.GOLD, (95, 325, 260, 390))
    assert crown[2] - crown[0] >= 40


def test_next_to_the_crown_there_is_a_gap_between_you_and_the_pips():
    ended = Outcome(ranks=(1, 2), scores=(1, 0), reason="")
    view = replace(seen(won(b="6-3 1-0"), A), outcome=ended, awaiting=())

    written = {one.text: one.ink for one in canvas_of(pictures.draw, view).writings}

    assert written["0 pips"].left - written["you"].right >= 20


def test_the_last_tile_played_has_a_frame():
    at_left = shown(running(event(B, "hand", "6-4", "left"), line="4-6 6-6"))
    at_right = shown(running(event(B, "hand", "6-6", "right"), line="4-6 6-6"))

    halves = [(260, 170, 436, 300), (464, 170, 640, 300)]
    framed = [
        [extent(image, palette.GOLD, half) is not None for half in halves]
        for image in (at_left, at_right)
    ]
    assert framed == [[True, False], [False, True]]


def test_twenty_one_tiles_in_hand_do_not_touch():
    image = shown(fullest(B), A)

    middle = image.height - 170
    colors = [image.getpixel((x, middle)) for x in range(20, 880)]
    own = tuple(int(palette.PANEL_OWN[i : i + 2], 16) for i in (1, 3, 5))
    gaps = sum(one != own and two == own for one, two in pairwise(colors))
    assert gaps == 21


def test_before_the_opening_no_end_is_marked():
    image = shown(table(a="6-4", b="1-0", turn=B))

    assert extent(image, palette.GOLD, (20, 106, 880, 304)) is None
