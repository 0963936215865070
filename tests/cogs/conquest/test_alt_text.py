"""Alt texts of Divide & Conquer (board): everything that the pictures show."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from cogs.conquest.alt_text import describe
from cogs.conquest.battalions import battalions, latest_report
from cogs.conquest.presentation import ConquestPresentation
from cogs.conquest.scene import Scene
from games import Seat
from games.conquest import (
    CONQUEST,
    LAYOUT,
    Battalion,
    Order,
    Redeployment,
    Reserve,
    Square,
    Stack,
)
from tests.support.conquest_snapshots import seen, snapshots
from tests.support.conquest_states import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    concede,
    play,
    position,
)

SHOWN = ConquestPresentation()


many = settings(max_examples=150, deadline=None, derandomize=True)


EQUAL = {RED: "D4:3", GREEN: "D5:3"}


WON = play(position(3, {RED: "A9:1 G10:1 J7:1 H1:7"}), "H1-1-I1", "pass", "pass")


def test_only_a_player_who_is_still_in_play_has_the_initiative():
    state = concede(position(3, first=GREEN), 1)

    assert "Turn 1 of 100, initiative: Blue." in SHOWN.picture(seen(state), "").alt


@many
@given(snapshots())
def test_the_alt_text_has_every_stack_mark_bank_and_order(onlook):
    view = onlook.view
    alt = SHOWN.picture(onlook, "").alt

    for battalion in battalions(view):
        (part,) = re.findall(rf"{battalion.color.capitalize()} \(.*?objectives .*?\.", alt)
        assert re.findall(r"([A-J]\d+) (\d+)(?=[,;])", part) == [
            (stack.square, str(stack.troops)) for stack in view.board[battalion]
        ]
        assert f"HQ {LAYOUT.headquarters[battalion]}" in part
        assert ("bank" in part) == bool(view.banks[battalion])
    report = latest_report(view)
    for movement in report.movements if report else ():
        assert f"{battalion_name(movement)} {movement.order or 'pass'}" in alt


def battalion_name(movement):
    return movement.battalion.color.capitalize()


@pytest.mark.parametrize(
    ("troops", "said"),
    [
        ("E5:10", "E5 10; objectives A9 G10 J7 I1, 0 held."),
        ("G10:2 I1:1 B1:1", "bank 6; objectives G10 I1 held, A9 J7 not."),
        ("A9:1 G10:1 I1:1 J6:7", "J6 7; objectives A9 G10 I1 held, J7 not."),
        ("A9:1 G10:1 J7:1 I1:7", "J7 1; objectives A9 G10 J7 I1 held."),
    ],
)
def test_the_alt_text_says_which_objectives_are_held_and_which_are_not(troops, said):
    assert said in SHOWN.picture(seen(position(3, {RED: troops})), "").alt


LONG = Order(Square("I10"), 5, Square("J10"))


def test_the_longest_alt_text_fits():
    """Stacks of one troop, four battles, four redeployments, and a joint order or half of one.

    Ten squares have a name of three characters, and each name occurs for one stack; three of each
    battalion's objectives are held. If fewer troops march than were ordered, an earlier battle has
    cost some: at least one for the first battalion that marches, and two for the others.
    """
    squares = [Square(f"{column}{row}") for row in range(10, 6, -1) for column in "ABCDEFGHIJ"]
    start = position(2, {RED: "I9:4", GREEN: "J10:5"}, turn=1000, turn_limit=1000, first=YELLOW)
    fought = latest_report(CONQUEST.observe(play(start, "I9-4-J10 / pass", "pass / pass"), None))
    (lost,) = (movement for movement in fought.movements if movement.conflict)
    last = replace(
        fought,
        turn=999,
        movements=tuple(_lost(lost, battalion) for battalion in (YELLOW, RED, GREEN, BLUE)),
        reserves=tuple(
            Reserve(battalion=battalion, placement=Redeployment(squares[0]))
            for battalion in Battalion
        ),
    )
    banks = tuple(1 if battalion is YELLOW else 2 for battalion in Battalion)
    held = [LAYOUT.objectives[battalion][:3] for battalion in Battalion]
    others = [square for square in squares if square not in sum(held, ())]
    board = tuple(
        tuple(Stack(square, 1) for square in (*held[i], *others[i + 1 :: 4])[: 10 - bank])
        for i, bank in enumerate(banks)
    )
    view = CONQUEST.observe(replace(start, board=board, banks=banks, last=last), Seat(1))
    ahead = ((Seat(0), Seat(1)), (Seat(1), Seat(0)))

    alt = describe(Scene(view=view, orders=((YELLOW, LONG), (GREEN, LONG)), signals=ahead))
    targets = tuple(map(Square, ("H8", "H9", "H10", "I8", "I10", "J8", "J9", "J10")))
    begun = Scene(view=view, orders=((YELLOW, LONG),), source=Square("I9"), targets=targets)

    assert alt.count(" held, ") == 4
    assert len(re.findall(r"[A-J]\d+ 1(?=[,;])", alt)) == 33
    assert "initiative: Yellow" in alt
    assert alt.count("lost to Yellow") == 3
    assert alt.count(" only 4 ") == 3
    assert alt.count("to HQ") == 4
    assert len(alt) <= 1024
    assert len(describe(replace(begun, signals=ahead))) <= 1024


def _lost(movement, battalion):
    """The same battle for another battalion, lost to the one with the longest name."""
    defender = GREEN if battalion is YELLOW else YELLOW
    conflict = replace(movement.conflict, defender=defender, holder=defender)
    order = replace(LONG, troops=4) if battalion is YELLOW else LONG
    return replace(movement, battalion=battalion, order=order, conflict=conflict)


def test_the_alt_text_asks_for_a_commanders_choice():
    state = play(position(3, EQUAL, equal="choice"), "D4-3-D5", "pass", "pass")

    alt = SHOWN.picture(seen(state), "").alt

    assert "Turn 1: Red D4-3-D5 meets 3 Green, to fight or hold." in alt
    assert "Sealed: Green, Blue." in alt


def test_the_alt_text_has_the_result_of_each_order():
    state = position(
        4, {RED: "D5:5", GREEN: "D6:4", BLUE: "C5:3", YELLOW: "C4:3"}, first=GREEN, equal="bounce"
    )
    state = play(state, "D5-5-E4", "D6-4-D5", "C5-3-C4", "pass")

    alt = SHOWN.picture(seen(state), "").alt

    assert "Green D6-4-D5 lost to Red, -4 each" in alt
    assert "Blue C5-3-C4 met Yellow, turned back" in alt
    assert "Yellow pass" in alt
    assert "Red D5-5-E4 only 1" in alt


def test_the_alt_text_says_who_holds_a_square_after_a_battle():
    state = position(3, {RED: "D5:5 H5:3", GREEN: "D6:2", BLUE: "H6:3"})

    taken = SHOWN.picture(seen(play(state, "D5-5-D6", "pass", "pass")), "").alt
    emptied = SHOWN.picture(seen(play(state, "H5-3-H6", "pass", "pass")), "").alt

    assert "Red D5-5-D6 beat Green, -2 each" in taken
    assert "Red H5-3-H6 fought Blue, -3 each" in emptied


@pytest.mark.parametrize(
    ("met", "equal", "words"),
    [
        (1, "annihilate", "Red D5-5-C5 only 2 beat Green, -1 each"),
        (2, "annihilate", "Red D5-5-C5 only 2 fought Green, -2 each"),
        (3, "annihilate", "Red D5-5-C5 only 2 lost to Green, -2 each"),
        (2, "bounce", "Red D5-5-C5 only 2 met Green, turned back"),
        (2, "choice", "Red D5-5-C5 only 2 meets 2 Green, to fight or hold"),
    ],
)
def test_the_alt_text_says_how_many_troops_fight_if_some_were_lost(met, equal, words):
    """Before red's order, a battle with green has cost red three of its five troops."""
    places = {RED: "D5:5", GREEN: f"D6:3 C5:{met}"}
    state = play(position(3, places, first=GREEN, equal=equal), "D5-5-C5", "D6-3-D5", "pass")

    assert words in SHOWN.picture(seen(state), "").alt


def test_the_alt_text_says_why_an_order_lapsed():
    taken = position(4, {RED: "D5:3", GREEN: "D6:6"}, first=GREEN)
    gone = position(4, {RED: "D5:3", GREEN: "D6:3"}, first=GREEN)
    met = position(2, {RED: "D4:5", BLUE: "D6:4"})

    told_of = {
        "Red D5-3-C4 lapsed: taken": play(taken, "D5-3-C4", "D6-6-D5", "pass", "pass"),
        "Red D5-3-C4 lapsed: none left": play(gone, "D5-3-C4", "D6-3-D5", "pass", "pass"),
        "Blue D6-4-D5 lapsed: blocked": play(met, "D4-5-D5 / D6-4-D5", "pass / pass"),
    }

    for words, state in told_of.items():
        assert words in SHOWN.picture(seen(state), "").alt


@pytest.mark.parametrize(
    ("choice", "words"), [("hold", "met Green, held back"), ("fight", "fought")]
)
def test_the_alt_text_says_what_was_chosen(choice, words):
    asked = play(position(3, EQUAL, equal="choice"), "D4-3-D5", "pass", "pass")

    assert f"Red D4-3-D5 {words}" in SHOWN.picture(seen(play(asked, choice)), "").alt


def test_the_alt_text_of_a_hand_says_which_battalion_is_its_owners():
    alt = SHOWN.picture(seen(position(2), seat=1), "").alt

    assert re.findall(r"(\w+) \([^)]*you,", alt) == ["Yellow", "Green"]


def test_the_alt_text_says_who_has_won():
    assert "won by Red." in SHOWN.picture(seen(WON), "").alt


def test_the_alt_text_shows_the_draft():
    planning = seen(position(3, {RED: "B5:4 D8:1"}), seat=0)
    placing = seen(play(position(3, {RED: "E5:9"}), "pass", "pass", "pass"), seat=0)
    chosen = replace(placing, choice=CONQUEST.parse("+E5"))

    assert "From B5 to A5 A6 B4 B6 C4 C5 C6?" in SHOWN.picture(planning, "0 B5").alt
    assert "You place Red +E5." in SHOWN.picture(chosen, "").alt
