"""What the alt texts of all games have in common: how players are named, and who is to move."""

import re

import pytest

from bot.text import YOU
from games import GAMES, Seat
from games.chance import Chance
from tests.support.presentations import PRESENTATIONS
from tests.support.snapshots import ended_by, snapshot
from tests.support.spite_snapshots import snapshot as spite_seen

TABLES = [(key, seats) for key, game in GAMES.items() for seats in game.seats]
NUMBERED = r"\b(seat|player) \d"


def begun(key, seats, seat=None):
    game = GAMES[key]
    variants = (each for each in game.presets.values() if game.fits(each, seats))
    state = game.setup(next(variants), seats, Chance("alt texts", 0))
    return (
        spite_seen(state, seat) if key == "spite" else snapshot(key, state, seat=seat, seats=seats)
    )


def alt(shown):
    return PRESENTATIONS[shown.game].picture(shown, "").alt


@pytest.mark.parametrize(("key", "seats"), TABLES)
def test_alt_texts_name_players_by_the_marks_before_their_names(key, seats):
    told = alt(begun(key, seats)).lower()

    for mark in PRESENTATIONS[key].marks[:seats]:
        color, shape = mark.name.split()
        assert re.search(rf"\b{color}\b.*\b{shape}\b", told)
    assert not re.search(NUMBERED, told)


@pytest.mark.parametrize("key", GAMES)
def test_alt_texts_of_the_rules_name_nobody_by_a_number(key):
    alts = [page.picture.alt for page in PRESENTATIONS[key].manual if page.picture]

    assert alts
    assert [alt for alt in alts if re.search(NUMBERED, alt.lower())] == []


@pytest.mark.parametrize(("key", "seats"), TABLES)
def test_the_alt_text_of_a_hand_calls_its_reader_you(key, seats):
    assert YOU not in re.findall(r"\w+", alt(begun(key, seats)).lower())
    for seat in range(seats):
        assert YOU in re.findall(r"\w+", alt(begun(key, seats, Seat(seat))).lower())


@pytest.mark.parametrize(("status", "ending"), [("over", "draw"), ("closed", "call_off")])
@pytest.mark.parametrize(("key", "seats"), TABLES)
def test_nobody_is_to_move_after_an_ending_that_the_rules_do_not_know(key, seats, status, ending):
    for seat in (None, *map(Seat, range(seats))):
        shown = begun(key, seats, seat)
        picture = PRESENTATIONS[key].picture(ended_by(shown, ending, status), "")

        assert re.search(r"to (move|play)|choose|initiative|playable|fits", alt(shown).lower())
        assert not re.search(r"to (move|play)|choose|initiative|playable|fits", picture.alt.lower())
        assert "ended" in picture.alt
        assert picture.subject != PRESENTATIONS[key].picture(shown, "").subject
