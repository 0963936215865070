"""Offers, menus and replays fit into the fullest tables and hands of every game."""

from dataclasses import replace

import pytest

from bot.matches.replays import Replayed
from bot.matches.transcripts import Line, Moves
from bot.messaging.content import Layout
from bot.rendering import render
from bot.rendering.menu import menu_content
from bot.rendering.moves import LAST_PAGE, moves_content
from bot.rendering.presentation import Presentation
from bot.rendering.replays import replay_content
from games import GAMES
from games.chance import Chance
from tests.support import spite_snapshots
from tests.support.presentations import PRESENTATIONS
from tests.support.snapshots import URL, snapshot

FULLEST = {
    "pico": ("standard", 2),
    "pico three": ("pico1-three", 3),
    "pico ii three": ("pico2-three", 3),
    "duel": ("large", 2),
    "conquest teams": ("standard", 2),
    "conquest": ("standard", 4),
    "prize": ("standard", 2),
    "spite": ("standard", 2),
}


def offering(case, seat):
    """The start of a match in which one seat offers a draw, and another to call it off."""
    key, (preset, seats) = case.split()[0], FULLEST[case]
    game = GAMES[key]
    state = game.setup(game.presets[preset], seats, Chance("ab" * 32, 0))
    if key == "spite":
        onlook = spite_snapshots.snapshot(state, seat)
    else:
        onlook = snapshot(key, state, seat=seat, seats=seats)
    first, second, *others = onlook.seats
    infos = (replace(first, agrees="draw"), replace(second, agrees="call_off"), *others)
    return replace(onlook, seats=infos, tap=key in {"pico", "duel"}, due_at=2**40)


def fits(shown):
    layout = Layout(shown, "attachment://x.png")
    ids = [
        str(b.press)
        for row in shown.rows
        if isinstance(row, tuple)
        for b in row
        if hasattr(b, "press")
    ]
    return (
        layout.total_children_count <= 40
        and 1 <= layout.content_length() <= 4000
        and len(ids) == len(set(ids))
        and all(len(custom_id) <= 100 for custom_id in ids)
    )


@pytest.mark.parametrize("game", GAMES)
def test_only_games_with_public_hands_offer_taps_at_the_table(game):
    offers = type(PRESENTATIONS[game]).taps is not Presentation.taps
    assert offers is GAMES[game].hands_are_public


def test_every_game_has_a_fullest_table():
    assert {case.split()[0] for case in FULLEST} == set(GAMES)


@pytest.mark.parametrize("seat", [None, 0, 1])
@pytest.mark.parametrize("case", FULLEST)
def test_two_offers_at_once_fit_the_fullest_table_and_hand(case, seat):
    onlook = offering(case, seat)

    shown = render(onlook, PRESENTATIONS, URL)

    labels = {b.label for row in shown.rows if isinstance(row, tuple) for b in row}
    assert fits(shown)
    assert ("Accept the draw" in labels) is (seat != 0)
    assert ("Call it off" in labels) is (seat != 1)


@pytest.mark.parametrize("case", FULLEST)
def test_menus_moves_and_replays_fit_a_message(case):
    onlook = offering(case, None)
    presentation = PRESENTATIONS[onlook.game]
    lines = tuple(
        Line(step=10**6 + i, moves=dict.fromkeys(range(len(onlook.seats)), "E5-9-D4 / E6-9-E7"))
        for i in range(500)
    )
    shown = Replayed(snapshot=onlook, number=250, last=10**5, steps=10**5, lines=lines[:1])

    assert fits(menu_content(offering(case, 0), presentation))
    assert fits(replay_content(shown, presentation))
    assert fits(moves_content(Moves(snapshot=onlook, lines=lines), presentation, 3))
    assert fits(moves_content(Moves(snapshot=onlook, lines=lines), presentation, LAST_PAGE))
