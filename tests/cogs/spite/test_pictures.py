import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageChops

from bot.drawing import palette
from bot.drawing.canvas import MAX_PICTURE_HEIGHT, PICTURE_WIDTH
from bot.messaging.process_pool import ProcessPool
from cogs.spite import pictures, piles
from cogs.spite.manual_pictures import draw_page
from games.core import Outcome
from games.spite import SPITE
from tests.support.pictures import extent, opened, unreadable
from tests.support.spite_snapshots import WORST, seats, states
from tests.support.spite_states import A, B, position, side


def drawn(state, seat=None, **changes):
    return pictures.draw(replace(SPITE.observe(state, seat), **changes))


drawing = settings(max_examples=25, deadline=None, derandomize=True)


@drawing
@given(states(), seats)
def test_every_position_has_a_wide_picture(state, seat):
    png = drawn(state, seat)

    assert unreadable(drawn, state, seat) == []
    width, height = opened(png).size
    assert width == PICTURE_WIDTH
    assert height <= MAX_PICTURE_HEIGHT
    assert len(png) <= 60_000


@pytest.mark.parametrize("state", WORST.values(), ids=WORST)
@pytest.mark.parametrize("seat", [None, A, B], ids=["table", "on turn", "waiting"])
def test_the_fullest_positions_stay_within_the_picture(state, seat):
    image = opened(drawn(state, seat))

    assert unreadable(drawn, state, seat) == []
    ground = image.getpixel((0, 0))
    width, height = image.size
    image.paste(ground, (12, 12, width - 12, height - 12))
    assert image.getcolors() == [(width * height, ground)]
    assert height <= MAX_PICTURE_HEIGHT


STATE = position(
    side(stock="9 9 7", hand="2 7 9 K", d1="9 8", d3="3"),
    side(stock="5 5", hand="3 3 3", d2="Q J"),
    piles=("A 2 3 4 5 6", "K"),
    removed="A A A",
)


def changed(which, **changes):
    """STATE with changes to one side."""
    sides = list(STATE.sides)
    sides[which] = replace(sides[which], **changes)
    return replace(STATE, sides=tuple(sides))


OTHERWISE = {
    "stock top": changed(0, stock=("9", "9", "6")),
    "stock count": changed(0, stock=("9", "7")),
    "other stock": changed(1, stock=("5", "4")),
    "own hand": changed(0, hand=("2", "7", "9", "9")),
    "number of the other hand": changed(1, hand=("3", "3")),
    "top of a pile": changed(0, discards=(("9", "7"), (), ("3",), ())),
    "second of a pile": changed(0, discards=(("10", "8"), (), ("3",), ())),
    "other pile": changed(1, discards=((), ("Q", "J", "J"), (), ())),
    "foundation": replace(STATE, foundations=(("A", "2", "3", "4", "5"), ("K",))),
    "needed rank": replace(STATE, foundations=(("A", "2", "3", "4", "5", "6"), ("A", "K"))),
    "another foundation": replace(STATE, foundations=(*STATE.foundations, ("A",))),
    "source": replace(STATE, source=STATE.source[1:]),
    "removed": replace(STATE, removed=()),
    "on turn": replace(STATE, on_turn=B),
    "left": replace(STATE, left=B),
}


@pytest.mark.parametrize("other", OTHERWISE.values(), ids=OTHERWISE)
def test_everything_visible_is_drawn(other):
    assert drawn(other, A) != drawn(STATE, A)


@pytest.mark.parametrize("ranks", [(1, 2), (2, 1), (1, 1)], ids=str)
def test_the_end_is_drawn(ranks):
    outcome = Outcome(ranks=ranks, scores=(0, 0), reason="")

    assert drawn(STATE, None, outcome=outcome, awaiting=()) != drawn(STATE, None)


def test_the_scores_of_a_series_are_drawn():
    options = replace(STATE.series.options, scoring="points", target=25)
    games = replace(options, scoring="games", target=3)

    seen = {
        drawn(STATE, None, options=options, scores=(3, 0)),
        drawn(STATE, None, options=options, scores=(4, 0)),
        drawn(STATE, None, options=games, scores=(3, 0)),
        drawn(STATE, None),
    }

    assert len(seen) == 4


@pytest.mark.parametrize("seat", [None, B], ids=["table", "other hand"])
def test_a_hand_is_drawn_only_for_its_owner(seat):
    assert drawn(OTHERWISE["own hand"], seat) == drawn(STATE, seat)


def test_only_playable_cards_have_a_frame():
    """Besides frames, only the ranks of the foundations and the arrow at the badge are gold."""
    own = (20, 602, 880, 908)
    playable = opened(drawn(STATE, A))
    stuck = opened(drawn(changed(0, hand=("4", "9"), stock=("9",)), A))
    waiting = opened(drawn(STATE, B))

    assert extent(playable, palette.GOLD, own) is not None
    assert extent(stuck, palette.GOLD, own) is None
    assert extent(waiting, palette.GOLD, own) is None


def test_the_winner_has_a_frame_of_the_full_width():
    outcome = Outcome(ranks=(2, 1), scores=(0, 0), reason="")

    end = opened(drawn(STATE, A, outcome=outcome, awaiting=()))

    assert extent(end, palette.GOLD, (0, 0, 900, 238))[2] > 880


def test_a_wild_card_looks_different_even_without_colors():
    """Its face is enough: no other card is a king or a star."""
    wild = opened(drawn(position(side(stock="9 K")), None)).convert("L")
    plain = opened(drawn(position(side(stock="9 Q")), None)).convert("L")

    assert ImageChops.difference(wild, plain).getbbox() is not None


@pytest.mark.parametrize(("count", "strips"), [(1, 0), (2, 1), (4, 2), (9, 2)])
def test_a_deep_pile_shows_its_last_cards(count, strips):
    top = drawn(position(side(d1=" ".join(["5"] * count))))
    wider = extent(opened(top), palette.PAPER, (210, 130, 372, 236))

    assert round((wider[2] - wider[0] - 65) / 38) == strips
    assert piles.MAX_FANNED_CARDS == 4


@pytest.mark.parametrize("state", [STATE, *WORST.values()], ids=["usual", *WORST])
def test_the_same_view_gives_the_same_bytes(state):
    view = SPITE.observe(state, A)

    assert pictures.draw(view) == pictures.draw(pickle.loads(pickle.dumps(view)))  # noqa: S301 - our own bytes


async def test_a_worker_process_draws_the_same_bytes():
    view = SPITE.observe(STATE, A)

    async with ProcessPool(1) as workers:
        hand = await workers.run(pictures.draw, view)
        page = await workers.run(draw_page, 0)

    assert hand == pictures.draw(view)
    assert page == draw_page(0)


@drawing
@given(states(), st.sampled_from([A, B]))
def test_a_picture_does_not_depend_on_the_opponents_hand(state, seat):
    other = 1 - seat
    sides = list(state.sides)
    sides[other] = replace(sides[other], hand=("3",) * len(sides[other].hand))

    assert drawn(replace(state, sides=tuple(sides)), seat) == drawn(state, seat)
