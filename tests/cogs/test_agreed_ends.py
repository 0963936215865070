"""Matches that end by an `Ending` that the rules don't know about: no text promises a next move."""

from dataclasses import replace

import pytest

from cogs.conquest.pictures import draw
from cogs.conquest.scene import scene_of
from cogs.conquest.turn_story import story as conquest_story
from cogs.duel import text as duel
from cogs.prize import text as prize
from games.conquest import CONQUEST
from tests.cogs.conquest.test_turn_story import EQUAL, MEETING, NAMES
from tests.support.conquest_snapshots import seen as conquest_seen
from tests.support.conquest_states import play, position
from tests.support.duel_snapshots import FIRST, UNEVEN, after
from tests.support.duel_snapshots import seen as duel_seen
from tests.support.pictures import canvas_of
from tests.support.presentations import PRESENTATIONS
from tests.support.prize_snapshots import TWO, event, left, running, seen, won
from tests.support.prize_states import B
from tests.support.snapshots import ended_by


def ended(view):
    """A view after its match has ended by such an `Ending`: nobody is awaited."""
    return replace(view, awaiting=())


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (won(), "<@1> played 6-6 at the right end. <@1> went out and won hand 1."),
        (
            running(event(B, "asks")),
            "<@2> drew a tile that fits both ends. The left end shows 4, the right end 6.",
        ),
        (running(line="6-4 4-6"), "Both ends show 6."),
        (
            running(event(B, "pass"), passes=1),
            "<@2> passed. The left end shows 4, the right end 6.",
        ),
    ],
    ids=["a prize to take", "a tile to place", "where to play", "a pass"],
)
def test_prize_dominoes_promises_no_next_move_after_an_agreed_end(state, said):
    view = seen(state, None)

    assert prize.story(view, TWO) != prize.story(ended(view), TWO)
    assert prize.story(ended(view), TWO).endswith(said)


def test_after_a_resignation_no_prize_is_said_to_be_taken():
    assert "takes one of" in prize.story(seen(won(), None), TWO)
    for seat in range(2):
        assert "takes one of" not in prize.story(seen(left(won(), seat), None), TWO)


def test_after_an_agreed_end_the_score_of_prize_dominoes_does_not_say_what_is_needed():
    view = seen(running(prizes=("", "3-1")), None)

    assert prize.score_line(ended(view), TWO).splitlines() == [
        "\U0001f535 <@1> **0 of 7** numbers, no prizes",
        "\U0001f536 <@2> **2 of 7** numbers in 1 prize",
    ]


def test_after_an_agreed_end_the_story_of_conquest_asks_for_no_choice_and_has_no_sealed_orders():
    state = play(position(3, EQUAL, equal="choice"), "D4-3-D5", "pass", "pass")
    view = CONQUEST.observe(state, None)

    told = conquest_story(ended(view), NAMES)

    assert told.startswith("Turn 1 was revealed in part, 🔴 Ann first:")
    assert f"{MEETING}no choice was made" in told
    assert "Never revealed: the orders of 🟩 Bo and 🔷 Cleo." in told
    assert "fight or hold" not in told


def test_after_an_agreed_end_the_duel_does_not_say_that_the_rest_is_played_out():
    view = duel_seen(after(*FIRST, *UNEVEN[:2]))

    assert "the rest is played out" in duel.story(view, TWO)
    assert "the rest is played out" not in duel.story(ended(view), TWO)


@pytest.mark.parametrize("seat", [None, 0, 1])
def test_after_an_agreed_end_the_picture_of_conquest_shows_no_pending_orders(seat):
    state = play(position(3, EQUAL, equal="choice"), "D4-3-D5", "D5-2-D6", "pass")
    running = conquest_seen(state, seat=seat)
    legal = {} if seat is None else {"legal": ()}
    stopped = replace(ended_by(running, "draw"), **legal)

    told = PRESENTATIONS["conquest"].picture(stopped, "").alt

    assert "Turn 1: Red D4-3-D5 met 3 Green, stayed." in told
    assert "Sealed: Green, Blue." in told
    assert "Your order" not in told
    assert scene_of(stopped, "").orders == ()


def test_the_picture_of_a_choice_that_was_never_made_does_not_ask_for_it():
    state = play(position(3, EQUAL, equal="choice"), "D4-3-D5", "D5-2-D6", "pass")
    shown = scene_of(conquest_seen(state), "")
    written = [
        [one.text for one in canvas_of(draw, scene).writings]
        for scene in (shown, replace(shown, view=ended(shown.view)))
    ]

    assert "?" in written[0]
    assert "3:3?" in written[0]
    assert not any("?" in text for text in written[1])
    assert "stays" in written[1]
