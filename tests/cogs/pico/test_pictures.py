import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageChops

from bot.drawing import palette
from bot.drawing.canvas import MAX_PICTURE_HEIGHT, PICTURE_WIDTH
from cogs.pico import pictures
from cogs.pico.alt_text import describe
from cogs.pico.manual_pictures import draw_page
from games.chance import Chance
from games.core import Outcome, Seat, winners
from games.pico import DECKS, PICO, Options, Trick, View
from tests.support.pictures import extent, opened, unreadable


def match(deck, seed="picture", leave=None):
    """Every state of a match of random moves; `leave` is a step and the seat that leaves then."""
    state = PICO.setup(Options(deck=deck), DECKS[deck].seats, Chance(seed, 0))
    states = [state]
    while awaited := sorted(PICO.awaiting(state)):
        chance = Chance(seed, len(states))
        if leave is not None and len(states) == leave[0]:
            state = PICO.concede(state, Seat(leave[1]), chance)
        else:
            moves = {seat: PICO.fallback(state, seat, chance) for seat in awaited}
            state = PICO.play(state, moves, chance)
        states.append(state)
    return states


matches = st.builds(
    match,
    st.sampled_from(sorted(DECKS)),
    st.integers(0, 10**6).map(str),
    st.none() | st.tuples(st.integers(1, 12), st.integers(0, 1)),
)
positions = matches.flatmap(st.sampled_from)
drawing = settings(max_examples=25, deadline=None)  # a picture takes 30 ms and machines differ


@drawing
@given(positions, st.sampled_from([None, Seat(0), Seat(1)]))
def test_every_position_has_a_picture_that_can_be_read(state, seat):
    png = pictures.draw(PICO.observe(state, seat))

    assert unreadable(pictures.draw, PICO.observe(state, seat)) == []
    width, height = opened(png).size
    assert width == PICTURE_WIDTH
    assert height <= MAX_PICTURE_HEIGHT
    assert len(png) <= 60_000


@settings(max_examples=10, deadline=None)
@given(positions, st.sampled_from([Seat(0), Seat(1)]))
def test_a_hand_shows_nothing_that_is_not_in_the_public_view(state, seat):
    """A hand's picture depends only on the public view and on whose hand it is."""
    table = PICO.observe(state, None)

    hand = pictures.draw(PICO.observe(state, seat))

    assert hand == pictures.draw(replace(table, seat=seat))


@pytest.mark.parametrize("deck", DECKS)
def test_the_same_view_gives_the_same_bytes(deck):
    view = PICO.observe(match(deck)[3], Seat(1))

    assert pictures.draw(view) == pictures.draw(pickle.loads(pickle.dumps(view)))  # noqa: S301 - our own bytes


@pytest.mark.parametrize("deck", DECKS)
def test_every_step_of_a_match_looks_different(deck):
    states = match(deck)

    seen = {pictures.draw(PICO.observe(state, None)) for state in states}

    assert len(seen) == len(states)


TRICK = Trick(round=1, faces=(9, 7), winners=(Seat(0),), verdict="higher")
SHOWN = View(
    seat=None,
    deck="standard",
    round=1,
    rounds=2,
    spare=5,
    hands=((4, 6), (7, 8)),
    won=((9, 10, 13), (11, 12, 16)),
    dots=(9, 10),
    totals=(),
    parted=(0, 0),
    left=(),
    last=TRICK,
    awaiting=(Seat(0), Seat(1)),
    outcome=None,
)


@pytest.mark.parametrize(
    "changes",
    [
        {"seat": Seat(0)},
        {"seat": Seat(1)},
        {"deck": "pico2"},  # the 4 has another number of dots
        {"round": 2, "totals": ((0, 0),)},
        {"rounds": 3},
        {"spare": 6},
        {"hands": ((4, 6), (7, 16))},
        {"won": ((9, 10, 13), (11, 12, 8))},
        {"dots": (9, 11)},
        {"left": (Seat(1),)},
        {"last": None},
        {"last": replace(TRICK, faces=(9, 8))},
        {"last": replace(TRICK, winners=(Seat(1),))},
        {"last": replace(TRICK, round=2)},
        {"outcome": Outcome(ranks=(1, 2), scores=(9, 10), reason="")},
        {"outcome": Outcome(ranks=(2, 1), scores=(9, 10), reason="")},
    ],
    ids=str,
)
def test_everything_in_the_alt_text_is_in_the_picture(changes):
    other = replace(SHOWN, **changes)

    assert describe(other) != describe(SHOWN)
    assert pictures.draw(other) != pictures.draw(SHOWN)


@pytest.mark.parametrize(("winner", "left"), [(0, 26), (1, 219)])
def test_the_winning_card_of_a_trick_has_a_frame_and_a_sign(winner, left):
    view = replace(SHOWN, last=replace(TRICK, winners=(Seat(winner),)))

    table = opened(pictures.draw(view))

    # The area of a card in the trick, with the sign at the top right above it.
    sign = extent(table, palette.GOLD, (left + 85, 322, left + 177, 372))
    frame = extent(table, palette.GOLD, (left, 374, left + 183, 530))
    assert sign[2] - sign[0] > 30
    assert frame[3] - frame[1] > 110


@pytest.mark.parametrize("deck", DECKS)
def test_a_players_own_hand_is_larger_than_the_others(deck):
    hand = opened(pictures.draw(PICO.observe(match(deck)[0], Seat(0))))
    lowest = hand.height - 12

    _, top, _, bottom = extent(hand, palette.PAPER, (20, 86, 880, 216))
    _, own_top, _, own_bottom = extent(hand, palette.PAPER, (20, lowest - 184, 880, lowest))

    assert own_bottom - own_top > 1.15 * (bottom - top)


@pytest.mark.parametrize("deck", DECKS)
def test_the_winner_of_the_match_has_a_frame_of_the_full_width(deck):
    states = match(deck, seed="1")
    middle, end = (opened(pictures.draw(PICO.observe(state, None))) for state in states[-2:])

    left = (12, 0, 17, end.height)

    assert winners(PICO.outcome(states[-1]))
    assert extent(end, palette.GOLD, left) is not None
    assert extent(middle, palette.GOLD, left) is None


@pytest.mark.parametrize(
    ("deck", "totals"),
    [
        ("standard", ((6, 4), (4, 6))),
        ("pico1-three", ((6, 6, 6), (4, 4, 4), (1, 1, 1))),
        ("pico1-three", ((6, 4, 6), (4, 6, 4), (1, 0, 1))),
    ],
    ids=["draw", "draw of three", "shared win"],
)
def test_a_draw_or_shared_win_marks_no_single_winner(deck, totals):
    end = match(deck)[-1]
    alone = replace(end, totals=((9, 0, 0)[: len(end.hands)], *totals[1:]))

    shared = PICO.observe(replace(end, totals=totals), None)

    # The winners' signs are in the tile that says Round during the match.
    tile = (708, 310, 888, 421) if deck == "standard" else (708, 444, 888, 555)
    one, other = (opened(pictures.draw(view)) for view in (shared, PICO.observe(alone, None)))
    assert ImageChops.difference(one.crop(tile), other.crop(tile)).getbbox()
    assert bool(extent(one, palette.GOLD, tile)) == bool(winners(shared.outcome))


@pytest.mark.parametrize("function", [pictures.draw, describe, draw_page])
def test_a_process_pool_can_draw(function):
    assert pickle.loads(pickle.dumps(function)) is function  # noqa: S301 - our own bytes
