import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.drawing import palette
from bot.drawing.canvas import MAX_PICTURE_HEIGHT, PICTURE_WIDTH
from bot.drawing.cards import DIM
from cogs.duel import pictures
from cogs.duel.alt_text import describe
from games.core import Outcome
from games.duel import Pair, View
from tests.support.duel_snapshots import (
    FIRST,
    SECOND,
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
from tests.support.pictures import canvas_of, extent, opened, unreadable

drawing = settings(max_examples=20, deadline=None)  # a picture takes 20 ms and machines differ


@drawing
@given(positions(), st.sampled_from([None, A, B]))
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


def test_the_text_before_the_first_pair_is_as_close_as_after_it():
    before, later = (
        {one.text: one.room.top for one in canvas_of(pictures.draw, seen(state, None)).writings}
        for state in (dealt(), after(*FIRST[:2]))
    )

    assert before["yet"] - before["No pair"] == later["8 is"] - later["Last pair"]


@settings(max_examples=10, deadline=None)
@given(positions(), st.sampled_from([A, B]))
def test_a_hand_shows_nothing_that_is_not_in_the_public_view(state, seat):
    """A hand's picture depends only on the public view and on whose hand it is."""
    assert pictures.draw(seen(state, seat)) == pictures.draw(replace(seen(state), seat=seat))


@pytest.mark.parametrize("tiles", [10, 14])
def test_the_same_view_gives_the_same_bytes(tiles):
    view = seen(match(tiles)[3], B)

    assert pictures.draw(view) == pictures.draw(pickle.loads(pickle.dumps(view)))  # noqa: S301 - our own bytes


@pytest.mark.parametrize("tiles", [10, 14])
def test_every_step_of_a_match_looks_different(tiles):
    states = match(tiles)

    assert len({pictures.draw(seen(state)) for state in states}) == len(states)


PAIR = Pair(round=1, totals=(9, 7), winner=A, verdict="higher")
SHOWN = View(
    seat=None,
    tiles=10,
    round=1,
    rounds=2,
    exchanged=False,
    dealt=((3, 5, 8, 10, 12), (2, 4, 6, 7, 9)),
    hands=((3, 5, 8, 12), (2, 4, 6, 9)),
    played=((PAIR,),),
    points=((1, 0),),
    scores=(1, 0),
    last=PAIR,
    left=(),
    awaiting=(A, B),
    outcome=None,
)


@pytest.mark.parametrize(
    "changes",
    [
        {"seat": A},
        {"seat": B},
        {"tiles": 14},
        {"round": 2},
        {"rounds": 3},
        {"exchanged": True},
        {"hands": ((3, 5, 8, 12), (2, 4, 6, 10))},
        {"hands": ((3, 5, 8), (2, 4, 6, 9))},
        {"played": ((),)},
        {"played": ((replace(PAIR, winner=B),),)},
        {"played": ((replace(PAIR, totals=(9, 6)),),)},
        {"played": ((PAIR,), (PAIR, PAIR)), "points": ((1, 0), (0, 0))},
        {"points": ((1, 0), (2, 3))},
        {"scores": (2, 0)},
        {"left": (B,)},
        {"last": None},
        {"last": replace(PAIR, totals=(9, 6))},
        {"last": replace(PAIR, winner=B)},
        {"last": replace(PAIR, round=2)},
        {"last": replace(PAIR, verdict="one less")},
        {"last": replace(PAIR, verdict="divides")},
        {"outcome": Outcome(ranks=(1, 2), scores=(1, 0), reason="")},
        {"outcome": Outcome(ranks=(2, 1), scores=(1, 0), reason="")},
        {"outcome": Outcome(ranks=(1, 1), scores=(1, 0), reason="")},
    ],
    ids=str,
)
def test_everything_in_the_alt_text_is_in_the_picture(changes):
    other = replace(SHOWN, **changes)

    assert describe(other) != describe(SHOWN)
    assert pictures.draw(other) != pictures.draw(SHOWN)


@pytest.mark.parametrize("tiles", [10, 14])
def test_a_players_own_hand_is_larger_than_the_other(tiles):
    hand = opened(pictures.draw(seen(dealt(tiles), A)))

    _, top, _, bottom = extent(hand, palette.PAPER, (20, 138, 700, 260))
    _, own_top, _, own_bottom = extent(hand, palette.PAPER, (20, 680, 700, 850))

    assert own_bottom - own_top > 1.3 * (bottom - top)


def test_a_revealed_tile_is_upright_if_it_won_and_sideways_if_it_lost():
    """As in the rulebook: winners are turned upright, losers sideways."""
    table = opened(pictures.draw(seen(after((10, 2)))))  # the 2 of the second seat wins

    sideways = extent(table, DIM.paper, (746, 136, 876, 276))
    lengthwise = extent(table, palette.PAPER, (746, 684, 876, 824))

    assert sideways[2] - sideways[0] > 1.5 * (sideways[3] - sideways[1])
    assert lengthwise[3] - lengthwise[1] > 1.5 * (lengthwise[2] - lengthwise[0])


@pytest.mark.parametrize(("pair", "left"), [((8, 9), 26), ((10, 2), 246)], ids=["first", "second"])
def test_the_winning_tile_of_a_pair_has_a_frame_and_a_crown(pair, left):
    table = opened(pictures.draw(seen(after(pair))))

    crown = extent(table, palette.GOLD, (left + 60, 310, left + 120, 366))
    frame = extent(table, palette.GOLD, (left, 368, left + 210, 540))
    assert crown[2] - crown[0] > 40
    assert frame[3] - frame[1] > 110


@pytest.mark.parametrize(
    ("end", "framed"),
    [
        (after(*FIRST, *UNEVEN), [True, False]),
        (left(dealt(), A), [False, True]),
        (after(*FIRST, *SECOND), [False, False]),
    ],
    ids=["win", "left", "tie"],
)
def test_the_winner_of_the_match_has_a_frame(end, framed):
    table = opened(pictures.draw(seen(end)))

    edges = [(12, 40, 17, 260), (12, 590, 17, 810)]
    assert [extent(table, palette.GOLD, edge) is not None for edge in edges] == framed


@pytest.mark.parametrize(
    ("state", "told", "passed"),
    [
        (dealt(), {"Round", "first to"}, {"Winner", "Final", "Tie"}),
        (after(*FIRST, *UNEVEN), {"Winner"}, {"Round", "first to", "Final", "Tie"}),
        (after(*FIRST, *SECOND), {"Final", "Tie"}, {"Round", "first to", "Winner"}),
        (left(dealt(), A), {"Winner"}, {"Round", "first to", "Final", "Tie"}),
    ],
    ids=["begun", "win", "tie", "left"],
)
def test_the_picture_says_what_it_takes_to_win_and_at_the_end_who_won(state, told, passed):
    written = {one.text for one in canvas_of(pictures.draw, seen(state)).writings}

    assert told <= written
    assert not passed & written


def test_the_hand_of_a_player_who_has_left_is_dimmed():
    table = opened(pictures.draw(seen(left(dealt(), B))))

    papers = (palette.PAPER, DIM.paper)
    hands = [(20, 138, 700, 272), (20, 686, 700, 820)]
    found = [[extent(table, paper, hand) is not None for paper in papers] for hand in hands]
    assert found == [[True, False], [False, True]]
