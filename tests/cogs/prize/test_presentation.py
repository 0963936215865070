"""Messages of Prize Dominoes in every phase fit Discord's limits and keep secrets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rendering import render
from bot.rendering.phrases import seat_names
from bot.rendering.presentation import Presentations
from cogs.prize.presentation import PrizePresentation
from games.prize import PRIZE
from tests.support.presentations import must_fit
from tests.support.prize_snapshots import WORST, alike, left, onlookers, positions, seen, worst
from tests.support.prize_states import A, B
from tests.support.snapshots import URL, question_of, snapshot

SHOWN = PrizePresentation()
PRESENTATIONS = Presentations()
PRESENTATIONS["prize"] = SHOWN

many = settings(max_examples=200, deadline=None, derandomize=True)
everywhere = st.one_of(positions(), worst)


@many
@given(everywhere, onlookers)
def test_every_snapshot_fits_a_message(state, seat):
    must_fit(render(snapshot("prize", state, seat=seat, step=10**6), PRESENTATIONS, URL))


@many
@given(everywhere, onlookers)
def test_every_text_is_within_its_length(state, seat):
    onlook = snapshot("prize", state, seat=seat)
    who, picture = seat_names(onlook), SHOWN.picture(onlook, "")

    assert 1 <= len(SHOWN.story(onlook.view, who)) <= 1800
    assert 1 <= len(SHOWN.score(onlook, who)) <= 500
    assert 1 <= len(question_of(SHOWN, onlook, "")) <= 500
    assert 1 <= len(picture.alt) <= 1024
    assert len(picture.file) <= 100


@many
@given(everywhere)
def test_every_result_is_within_its_length(state):
    over = state if PRIZE.outcome(state) else left(state, A)

    onlook = snapshot("prize", over)
    assert 1 <= len(SHOWN.result(onlook.view, seat_names(onlook))) <= 300


@many
@given(alike())
def test_hidden_tiles_change_nothing_in_a_message(positions):
    """Other hidden hands and another stock change neither texts nor buttons nor pictures."""
    seat, state, other = positions

    first = snapshot("prize", state, seat=seat)
    second = snapshot("prize", other, seat=seat)

    assert render(second, PRESENTATIONS, URL) == render(first, PRESENTATIONS, URL)


# Buttons.


# Options.


def test_seats_have_the_signs_of_the_pictures():
    assert [SHOWN.marks[seat].emoji for seat in (A, B)] == ["\U0001f535", "\U0001f536"]


@pytest.mark.parametrize("name", sorted(WORST))
def test_the_worst_positions_are_possible(name):
    """Each has tiles of one set, none of them twice."""
    state = WORST[name]()

    lying = [(max(tile), min(tile)) for tile in state.line]
    everything = [*lying, *state.stock, *(t for row in (*state.hands, *state.prizes) for t in row)]
    assert len(everything) == len(set(everything))
    assert seen(state).line == state.line
