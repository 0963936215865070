"""How a match of Pico looks in every phase: within Discord's limits, to every onlooker."""

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.matches import Place
from bot.messaging.content import Layout
from bot.rendering import render
from bot.rendering.presentation import Presentations
from bot.storage import MatchId
from cogs.pico.presentation import VARIANTS, PicoPresentation
from games.chance import Chance
from games.core import Seat
from games.pico import DECKS, PICO, Options
from tests.support.snapshots import is_hand, known_to

HUGE = 2**63 - 1  # the longest id that Discord can give
MATCH = MatchId(10**18 - 1)  # the longest that a button can carry
URL = f"https://discord.com/channels/{HUGE}/{HUGE}/{HUGE}"
PRESENTATIONS = Presentations()
PRESENTATIONS.add("pico", PicoPresentation())


@st.composite
def snapshots(draw):
    """Somebody's look at a position of any preset, in which seats may have chosen or left."""
    deck = draw(st.sampled_from(sorted(DECKS)))
    seed = sha256(str(draw(st.integers(0, 10**6))).encode()).hexdigest()
    state = PICO.setup(Options(deck=deck), DECKS[deck].seats, Chance(seed, 0))
    step = 0
    for step in range(1, draw(st.integers(0, 60)) + 1):
        awaited, chance = sorted(PICO.awaiting(state)), Chance(seed, step)
        if not awaited:
            break
        if draw(st.integers(0, 24)) == 0:
            state = PICO.concede(state, chance.pick(awaited), chance)
        else:
            moves = {seat: PICO.fallback(state, seat, chance) for seat in awaited}
            state = PICO.play(state, moves, chance)
    awaited = sorted(PICO.awaiting(state))
    chosen = draw(st.sets(st.sampled_from(awaited))) if awaited else set()
    onlookers = [None, *(Seat(i) for i in range(DECKS[deck].seats))]
    seat = draw(st.sampled_from(onlookers))
    return snapshot(state, seed, seat=seat, chosen=chosen, step=step)


def snapshot(state, seed, *, seat, chosen, step):
    over = PICO.outcome(state) is not None
    facts = {
        "match": MATCH,
        "game": "pico",
        "options": state.options,
        "status": "over" if over else "running",
        "guild": HUGE,
        "channel": HUGE,
        "wanted": len(state.hands),
        "time_control": "slow",
        "tap": False,
        "step": step,
        "turn": step,
        "due_at": None,
        "paused": False,
        "late": (),
        "ending": None,
        "places": tuple(
            Place(user=HUGE - i, accepted=True, left=i in state.left)
            for i in range(len(state.hands))
        ),
        "awaiting": PICO.awaiting(state),
        "chosen": frozenset(chosen),
        "outcome": PICO.outcome(state),
        "commitment": sha256(seed.encode()).hexdigest(),
        "seed": seed if over else None,
    }
    return known_to(seat, PICO, state, chosen, facts)


def buttons(shown):
    return [button for row in shown.rows for button in row]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(snapshots())
def test_every_look_fits_a_message(onlook):
    shown = render(onlook, PRESENTATIONS, URL)
    layout = Layout(shown, "attachment://x.png")

    assert layout.total_children_count <= 40
    assert 1 <= layout.content_length() <= 4000
    assert all(1 <= len(row) <= 5 for row in shown.rows if row)
    assert all(1 <= len(button.label) <= 80 for button in buttons(shown))
    ids = [str(button.press) for button in buttons(shown) if hasattr(button, "press")]
    assert len(ids) == len(set(ids))
    assert all(len(custom_id) <= 100 for custom_id in ids)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(snapshots())
def test_every_picture_is_told_in_at_most_1024_characters(onlook):
    picture = PicoPresentation().picture(onlook, "")

    assert 1 <= len(picture.alt) <= 1024
    assert len(picture.file) <= 100


@settings(max_examples=200, deadline=None, derandomize=True)
@given(snapshots().filter(is_hand))
def test_a_desk_offers_exactly_the_legal_cards_while_a_card_is_owed(onlook):
    shown = render(onlook, PRESENTATIONS, URL)

    picks = [
        b.press.arg for b in buttons(shown) if getattr(b, "press", None) and b.press.act == "pick"
    ]
    assert picks == [str(move) for move in onlook.legal]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(snapshots().filter(lambda snapshot: not is_hand(snapshot)))
def test_a_table_says_of_a_choice_only_that_it_was_made(onlook):
    public = render(onlook, PRESENTATIONS, URL)

    assert "You chose" not in public.foot
    told = public.foot.count("has chosen ✓")
    assert told == (len(onlook.chosen) if onlook.status == "running" else 0)


@pytest.mark.parametrize("deck", DECKS)
def test_every_variant_has_a_name(deck):
    assert PicoPresentation().variant(Options(deck=deck)) == VARIANTS[deck]


def test_no_two_variants_have_the_same_name():
    assert set(VARIANTS) == set(DECKS)
    assert len(set(VARIANTS.values())) == len(VARIANTS)


def test_a_card_shows_its_dots():
    state = PICO.setup(Options(deck="pico2"), 2, Chance("dots", 0))
    onlook = snapshot(state, "dots", seat=Seat(0), chosen=(), step=0)

    labels = {c.move: c.label for row in PicoPresentation().controls(onlook, "") for c in row}

    dots = DECKS["pico2"].dots
    assert labels == {str(f): f"{f} {'•' * dots[f]}" for f in state.hands[0]}
