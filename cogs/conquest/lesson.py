"""The lesson of Divide & Conquer: objectives, battles, who goes first, the bank, two battalions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.lessons.exercise import Answer, Exercise
from bot.matches import SeatSnapshot
from cogs.conquest.battalions import latest_report
from games.chance import Chance
from games.conquest import CONQUEST, Battalion, Movement, Options, Square, Stack, State
from games.conquest.battalions import in_play
from games.conquest.board import holder
from games.conquest.layout import POSITIONS
from games.conquest.turn import new_report

RED, GREEN, BLUE, YELLOW = Battalion
FULL: Final = 10
"""The troops of a battalion, on the board and in its bank together."""

TARGET: Final = Square("D5")
"""The square that the exercises about battles are about."""


TURN: Final = 12
"""The turn of all positions."""


def _position(troops: Mapping[Battalion, str], *, seats: int = 3, first: Battalion = RED) -> State:
    """A planning phase with troops written as `D4:6 A9:1`; all others are in the banks."""
    board = tuple(_stacks(troops.get(battalion, "")) for battalion in Battalion)
    banks = tuple(
        FULL - sum(stack.troops for stack in board[b]) if b in in_play(seats) else 0
        for b in Battalion
    )
    return replace(
        CONQUEST.setup(Options(), seats, Chance("0" * 64, 0)),
        turn=TURN,
        initiative=first,
        board=board,
        banks=banks,
        current=new_report(TURN, first, board),
    )


def _reinforcing(troops: Mapping[Battalion, str]) -> State:
    """The end of such a turn after everybody passed: Red has to choose its reinforcement."""
    state = _position(troops)
    passes = {seat: CONQUEST.parse("pass") for seat in CONQUEST.awaiting(state)}
    return CONQUEST.play(state, passes, Chance("0" * 64, 1))


def _stacks(text: str) -> tuple[Stack, ...]:
    pairs = (item.split(":") for item in text.split())
    stacks = (Stack(Square(square), int(troops)) for square, troops in pairs)
    return tuple(sorted(stacks, key=lambda stack: POSITIONS[stack.square]))


def _march(source: str, troops: int, target: str, says: str) -> Answer:
    return Answer(
        move=f"{source}-{troops}-{target}", label=f"{troops} from {source} to {target}", says=says
    )


def _wins(snapshot: SeatSnapshot) -> bool:
    return snapshot.outcome is not None and snapshot.outcome.ranks[snapshot.seat] == 1


def _holds_target(snapshot: SeatSnapshot) -> bool:
    return holder(snapshot.view.board, TARGET) is RED


def _loses_nothing(snapshot: SeatSnapshot) -> bool:
    """Whether no order met other troops, so nobody lost any."""
    return all(m.conflict is None for m in _reported(snapshot))


def _nothing_lapses(snapshot: SeatSnapshot) -> bool:
    return all(m.lapse is None for m in _reported(snapshot))


def _reported(snapshot: SeatSnapshot) -> Sequence[Movement]:
    """The orders revealed last, with their results."""
    report = latest_report(snapshot.view)
    assert report is not None  # an answer to planning reveals orders
    return report.movements


LESSON: Final[Sequence[Exercise]] = (
    Exercise(
        key="objectives",
        title="Four objectives",
        text=(
            "You're red, a circle. Four marked squares at the edge are your **objectives**: have "
            "a troop on **all four at once** and you win. You have three of them; you still "
            "need J7."
        ),
        question="Which order wins?",
        state=_position({RED: "E5:1 A9:3 G10:1 I1:1 I6:2", GREEN: "E6:8", BLUE: "F6:8"}),
        seats=3,
        replies=({1: "pass", 2: "pass"},),
        answers=(
            _march(
                "A9",
                3,
                "B9",
                "Now A9 is empty, and that was one of your four. Leave someone behind.",
            ),
            _march(
                "I6",
                1,
                "J7",
                "All four are held, and it's over right away. One troop on each is enough.",
            ),
        ),
        solves=_wins,
    ),
    Exercise(
        key="battle",
        title="A battle",
        text=(
            "March onto someone's troops and you fight: **both sides lose as many troops as the "
            "smaller side has**. Robin, green, has 4 on D5."
        ),
        question="You have 6 on D4. How many do you send?",
        state=_position({RED: "E5:2 D4:6", GREEN: "E6:4 D5:4", BLUE: "F6:8"}),
        seats=3,
        replies=({1: "pass", 2: "pass"},),
        answers=(
            _march(
                "D4", 3, "D5", "Too few: yours are gone, and one of Robin's still holds the square."
            ),
            _march(
                "D4", 4, "D5", "Equal numbers wipe each other out, and nobody holds the square."
            ),
            _march("D4", 6, "D5", "Each side loses 4, and your other 2 hold the square."),
        ),
        solves=_holds_target,
    ),
    Exercise(
        key="first",
        title="You go first",
        text=(
            "Orders are written in secret and carried out **one by one**, the battalion with the "
            "**initiative** first. This turn it's yours. Robin has 6 troops on D6, beside your 3 "
            "on D5."
        ),
        question="Robin is about to attack D5. What do you do?",
        state=_position({RED: "E5:5 D5:3", GREEN: "E6:2 D6:6", BLUE: "F6:8"}),
        seats=3,
        replies=({1: "D6-6-D5", 2: "pass"},),
        answers=(
            _march("D5", 3, "C4", "Yours left before the attack came, so it hit an empty square."),
            _march("D5", 3, "D6", "Yours went first, but 3 against 6 just costs you all of them."),
            Answer(
                move="pass",
                label="Stay on D5",
                says="Your 3 are lost. You went first and didn't use it.",
            ),
        ),
        solves=_loses_nothing,
    ),
    Exercise(
        key="last",
        title="You go last",
        text=(
            "The initiative moves on each turn, clockwise: red, green, blue. Now green is "
            "first and you're **last**. If someone takes a square before your order from there "
            "comes up, that order **lapses**."
        ),
        question="Robin is about to attack D5 with 6. What do you order?",
        state=_position({RED: "E5:1 D5:4 C5:5", GREEN: "E6:2 D6:6", BLUE: "F6:8"}, first=GREEN),
        seats=3,
        replies=({1: "D6-6-D5", 2: "pass"},),
        answers=(
            _march(
                "C5",
                5,
                "D5",
                "Going last has its upside: Robin's troops were worn down when yours arrived.",
            ),
            _march(
                "D5",
                4,
                "C4",
                "Too late: D5 was Robin's before your order came up. You can't run away last.",
            ),
        ),
        solves=_holds_target,
    ),
    Exercise(
        key="bank",
        title="One troop a turn",
        text=(
            "Lost troops go to your **bank**. At the end of each turn you can bring **one** back,"
            " to your headquarters or your other squares. Robin has 3 on D6, and the "
            "initiative next turn."
        ),
        question="Where do you want the troop from your bank?",
        state=_reinforcing({RED: "E5:4 D5:3", GREEN: "E6:7 D6:3", BLUE: "F6:10"}),
        seats=3,
        replies=({}, {0: "pass", 1: "D6-3-D5", 2: "pass"}),
        answers=(
            Answer(
                move="+E5",
                says="Safe at home, but 3 against 3 is a wipeout: one more on D5 was needed.",
            ),
            Answer(move="+D5", says="One troop more makes you the bigger side, and D5 stays red."),
        ),
        solves=_holds_target,
    ),
    Exercise(
        key="team",
        title="Two players, two battalions each",
        text=(
            "In a match for two, each player commands two battalions: here yours are **red and "
            "blue**. You give each of them an order. They help each other, but never stand on the "
            "same square."
        ),
        question="Red and blue are both next to D5. What do you order?",
        state=_position(
            {RED: "E5:5 D4:5", BLUE: "F6:6 D6:4", GREEN: "E6:10", YELLOW: "F5:10"}, seats=2
        ),
        seats=2,
        replies=({1: "pass / pass"},),
        answers=(
            Answer(
                move="D4-5-D5 / D6-4-C6",
                label="Red to D5, blue to C6",
                says="Two orders, two squares. You win with all four objectives of either one.",
            ),
            Answer(
                move="D4-5-D5 / D6-4-D5",
                label="Red and blue to D5",
                says="Red came first, so blue had nowhere to go. An order was wasted.",
            ),
        ),
        solves=_nothing_lapses,
    ),
)
