"""The texts of the puzzles of Prize Dominoes."""

import re
from dataclasses import replace

import pytest

from bot.puzzles.calendar import calendar
from bot.text import counted
from cogs.prize import puzzles
from games.chance import Chance
from games.core import Seat
from games.prize.moves import read_move
from games.prize.rules import PRIZE
from games.prize.state import ends_of, hand_result
from games.puzzle import Assessed

PUZZLES = [shipped.puzzle for shipped in calendar() if shipped.game == "prize"]

MAX_LENGTH = 500
"""The most characters of a reason: about ten lines on a phone."""

PASSES = re.compile(r"two passes in a row you (win with fewer pips|both hold \d+ pips?)")


def test_the_task_says_what_the_opponent_holds():
    puzzle = PUZZLES[0]
    theirs = puzzle.state.hands[1 - puzzle.seat]

    assert all(f"{high}-{low}" in puzzles.task(puzzle) for high, low in theirs)


STAND = replace(
    PUZZLES[0].state,
    hands=(((6, 4), (0, 0)), ((4, 0), (6, 1))),
    line=((6, 5), (5, 4)),
    prizes=((), ()),
    turn=Seat(0),
)
"""A position in which the ends of the line are 6 and 4."""


def told(state, best, line, *others):
    choices = (Assessed(best, 1.0, line), *others)
    return puzzles.reason(
        replace(PUZZLES[0], state=state, seat=Seat(0), choices=choices, best=(best,))
    )


def test_the_reason_tells_how_to_play_on_and_what_beats_the_other_moves():
    beaten = Assessed("6-4 right", -1.0, ("6-1 right",))

    assert told(STAND, "6-4 left", ("4-0 right", "0-0 right"), beaten) == (
        "**6-4 left** wins the hand whatever they play. For example, they play 4-0 right, you play "
        "0-0 right, and you go out. 6-4 right loses to 6-1 right: whatever you do, they go out or "
        "win after two passes."
    )


WON = "they win with fewer pips,"
BEATEN = [
    f"Pass loses at once: after two passes in a row, {WON} 13 to 14.",
    f"Pass loses to a pass: after two passes in a row, {WON} 26 to 40.",
    f"5-2 left loses to a pass: you can only pass too, and then {WON} 11 to 29.",
    "a pass: you can only pass too, and then you both hold 10 pips, and they passed first.",
    "4-1 right loses to a pass: you have to play 5-1 right, and then they go out.",
    "right loses to a pass: whatever you do, they end with at least 4 fewer pips than you.",
    "left loses to 5-2 left: whatever you do, they end with fewer pips, or with equal pips and",
    "5-2 right loses to a pass and 5-3 right loses to a pass: whatever you do, they go out.",
    "right loses to the prize 4-3 right: whatever you do, they go out or win after two passes.",
]


@pytest.mark.parametrize("sentence", BEATEN)
def test_the_reason_says_why_a_move_loses(sentence):
    assert any(sentence in puzzles.reason(puzzle) for puzzle in PUZZLES)


LAST = replace(STAND, hands=(((6, 4),), ((4, 0),)))
LIGHT = replace(STAND, hands=(((6, 4), (0, 0)), ((5, 1), (5, 2))))
PASSED = replace(STAND, hands=(((0, 0),), ((5, 1),)), passes=1)
EQUAL = replace(STAND, hands=(((5, 1),), ((3, 3),)))
LONG = replace(
    STAND,
    hands=(((6, 4), (4, 0), (1, 0), (2, 1), (3, 2)), ((3, 3), (6, 6), (6, 3))),
    line=((6, 1), (1, 5)),
)
ALONE = ("pass", "4-0 left", "pass", "1-0 left", "pass", "2-1 left", "pass", "3-2 left")
AT_ONCE = "wins the hand: after two passes in a row you win with fewer pips, 0 to 6."
LIGHTER = "they pass, you pass. After two passes in a row you win with fewer pips, 0 to 13."
FIRST = "After two passes in a row you both hold 6 pips, and you win by passing first."


@pytest.mark.parametrize(
    ("state", "best", "line", "end"),
    [
        (LAST, "6-4 left", (), "**6-4 left** wins the hand: you go out."),
        (PASSED, "pass", (), f"**Pass** {AT_ONCE}"),
        (LIGHT, "6-4 left", ("pass", "pass"), LIGHTER),
        (EQUAL, "pass", ("pass",), f"For example, they pass. {FIRST}"),
        (LONG, "6-4 left", ALONE, "they pass, you play 2-1 left, and so on until you go out."),
    ],
    ids=["out at once", "lighter at once", "lighter", "first pass", "long"],
)
def test_the_reason_says_how_the_hand_is_won(state, best, line, end):
    assert end in told(state, best, line)


def test_a_move_of_another_kind_is_described_by_its_notation():
    assert puzzles.choice(PUZZLES[0], "draw") == "draw"


def test_the_text_of_every_puzzle_of_the_year_goes_to_the_end_of_the_hand():
    """No text stops in the middle of a hand, or at a pass without saying what follows."""
    for puzzle in PUZZLES:
        reason = puzzles.reason(puzzle)
        assert re.search(r"(you go out|until you go out)\. ", reason) or PASSES.search(reason)
        assert puzzles.reason(puzzle).startswith(f"**{puzzles.choice(puzzle, puzzle.best[0])}**")
        labels = [puzzles.choice(puzzle, choice.move) for choice in puzzle.choices]
        assert len(set(labels)) == len(labels)
        assert all(read_move(choice.move) for choice in puzzle.choices)


def sure_lead(state, winner, *, out, known):
    """The least number of pips by which a seat is ahead if it wins like this; -1 if it can't win.

    Found by the rules alone.
    """
    if (end := hand_result(state)) is not None:
        is_so = end.winner == winner and (end.by == "out") == out
        return end.pips[1 - winner] - end.pips[winner] if is_so else -1
    key = (state.hands, state.prizes, ends_of(state), state.turn, state.passes, out)
    if key not in known:
        after = (
            PRIZE.play(state, {state.turn: move}, Chance("nothing is drawn", 0))
            for move in PRIZE.legal_moves(state, state.turn)
        )
        leads = [sure_lead(each, winner, out=out, known=known) for each in after]
        known[key] = max(leads) if state.turn == winner else min(leads)
    return known[key]


def proven(puzzle, found, known):
    """What the rules prove about a wrong move and its answer: the end of the sentence about it."""
    state = puzzle.state
    for move in (found.move, *found.line[:1]):
        state = PRIZE.play(state, {state.turn: read_move(move)}, Chance("nothing is drawn", 0))
    other = 1 - puzzle.seat
    if (end := hand_result(state)) is not None:
        assert end.winner == other
        return f"fewer pips, {end.pips[other]} to {end.pips[puzzle.seat]}."
    if sure_lead(state, other, out=True, known=known) >= 0:
        return " they go out."
    lead = sure_lead(state, other, out=False, known=known)
    if lead < 0:
        return "they go out or win after two passes."
    return "the first pass." if lead == 0 else f"at least {counted(lead, 'fewer pip')} than you."


@pytest.mark.slow
@pytest.mark.parametrize("puzzle", PUZZLES, ids=range(len(PUZZLES)))
def test_the_reason_given_for_every_wrong_move_of_the_year_is_true(puzzle):
    known = {}
    sentences = re.split(r"(?<=\.) ", puzzles.reason(puzzle))
    for found in puzzle.choices:
        if found.move not in puzzle.best:
            claim = f"{puzzles.choice(puzzle, found.move)} loses "
            (told,) = (s for s in sentences if re.search(rf"(^|, | and ){claim}", s, re.IGNORECASE))
            end = proven(puzzle, found, known)
            if "you can only pass too" in told:
                assert re.search(
                    r"\d+ to \d+\.$|both hold \d+ pips, and they passed first\.$", told
                )
            else:
                assert told.replace("and then they go", ", they go").endswith(end), (told, end)
    assert len(puzzles.reason(puzzle)) <= MAX_LENGTH
