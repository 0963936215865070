"""The buttons of a hand of Pico: every legal move, and nothing else."""

from hypothesis import given, settings

from bot.rendering import render
from bot.rendering.presentation import Presentations
from cogs.pico.presentation import PicoPresentation
from games.chance import Chance
from games.core import Seat
from games.pico import DECKS, PICO, Options
from tests.support.pico_snapshots import snapshots
from tests.support.snapshots import URL, controls_of, is_hand, snapshot

PRESENTATIONS = Presentations()
PRESENTATIONS["pico"] = PicoPresentation()


def buttons(shown):
    return [button for row in shown.rows for button in row]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(snapshots().filter(is_hand))
def test_a_hand_offers_exactly_the_legal_cards_while_a_card_is_owed(onlook):
    shown = render(onlook, PRESENTATIONS, URL)

    picks = [
        b.press.arg for b in buttons(shown) if getattr(b, "press", None) and b.press.act == "pick"
    ]
    assert picks == [str(move) for move in onlook.legal]


def test_five_cards_are_in_two_rows_that_fit_a_phone():
    state = PICO.setup(Options(deck="pico1"), 2, Chance("rows", 0))
    onlook = snapshot("pico", state, seat=Seat(0))

    assert [len(row) for row in controls_of(PicoPresentation(), onlook)] == [3, 2]


def test_a_card_shows_its_dots():
    state = PICO.setup(Options(deck="pico2"), 2, Chance("dots", 0))
    onlook = snapshot("pico", state, seat=Seat(0))

    labels = {c.move: c.label for row in controls_of(PicoPresentation(), onlook) for c in row}

    dots = DECKS["pico2"].dots
    assert labels == {str(f): f"{f} {'•' * dots[f]}" for f in state.hands[0]}
