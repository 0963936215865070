"""The lesson of the tile duel: higher, divides, one less, and the swap."""

from collections.abc import Sequence
from typing import Final

from bot.lessons.exercise import LEARNER, Answer, Exercise
from bot.matches import SeatSnapshot
from games.chance import Chance
from games.core import Seat
from games.duel import DUEL, Options, State, Tile

ROBIN: Final = Seat(1)
_CHANCE: Final = Chance("0" * 64, 1)  # not used: only the deal is random


def _position(mine: tuple[int, ...], theirs: tuple[int, ...], *pairs: tuple[int, int]) -> State:
    """The position after these pairs were played from these hands, the learner's tile first."""
    dealt = mine, theirs
    state = State(options=Options(), round=1, dealt=dealt, hands=dealt, pairs=(), left=())
    for pair in pairs:
        moves = {Seat(i): Tile(total) for i, total in enumerate(pair)}
        state = DUEL.play(state, moves, _CHANCE)
    return state


def _wins(snapshot: SeatSnapshot) -> bool:
    return bool(snapshot.view.last.winner == LEARNER)


LESSON: Final[Sequence[Exercise]] = (
    Exercise(
        key="higher",
        title="The higher tile wins",
        text=(
            "You both pick a tile in secret, then both are revealed. What counts is a tile's "
            "total: all its pips together. You see Robin's tiles, and Robin sees yours."
        ),
        question="Robin plays the 7. Which tile do you play?",
        state=_position((3, 5, 8, 10, 12), (2, 4, 6, 7, 9)),
        replies=({ROBIN: "7"},),
        answers=(
            Answer(move="5", says="The 5 is lower, and there's nothing special about 5 and 7."),
            Answer(move="10", says="Higher wins, as long as nothing special gets in the way."),
        ),
        solves=_wins,
    ),
    Exercise(
        key="divides",
        title="Divide and conquer",
        text=(
            "The first special case gives the game its name: if the lower tile **divides** the "
            "higher one with nothing left over, the lower tile wins."
        ),
        question="Robin plays the 10. Which of these brings it down?",
        state=_position((4, 5, 7, 9, 12), (2, 3, 6, 8, 10)),
        replies=({ROBIN: "10"},),
        answers=(
            Answer(move="4", says="Two fours make 8, three make 12: the 4 doesn't divide 10."),
            Answer(move="5", says="Two fives make 10, so the 5 brings it down."),
            Answer(move="7", says="It's lower, and it doesn't divide 10. Look for half of 10."),
        ),
        solves=_wins,
    ),
    Exercise(
        key="divided",
        title="Your big tiles can be divided",
        text=(
            "Robin can do the same to you. The 12 is the biggest tile, and 2, 3, 4 and 6 all "
            "divide it."
        ),
        question="Robin plays the 3. Which of your tiles survives it?",
        state=_position((4, 5, 7, 9, 12), (2, 3, 6, 8, 10)),
        replies=({ROBIN: "3"},),
        answers=(
            Answer(move="7", says="3 doesn't divide 7, so the plain rule holds."),
            Answer(move="9", says="Three threes make 9. Against a 3, avoid anything it divides."),
            Answer(move="12", says="Four threes make 12. Against a 3, avoid anything it divides."),
        ),
        solves=_wins,
    ),
    Exercise(
        key="less",
        title="One less wins too",
        text=(
            "The second special case: a tile that is exactly **one less** than the other wins. So "
            "every tile fears the one just below it."
        ),
        question="Robin plays the 6. Which of these beats it?",
        state=_position((5, 7, 9, 10, 12), (2, 3, 4, 6, 8)),
        replies=({ROBIN: "6"},),
        answers=(
            Answer(move="5", says="One less than 6: the small tile takes the point."),
            Answer(move="7", says="It's higher, but by one, and that's the wrong side to be on."),
            Answer(move="12", says="Half of 12 is 6. Big isn't safe."),
        ),
        solves=_wins,
    ),
    Exercise(
        key="sure",
        title="Look at their tiles",
        text=(
            "A played tile is out for the round, won or lost, so near the end you can work it "
            "out. Robin has two tiles left and can play either one."
        ),
        question="Which of your tiles wins, whatever Robin plays?",
        state=_position((4, 5, 7, 9, 12), (2, 3, 6, 8, 10), (4, 2), (7, 3), (9, 8)),
        answers=(
            Answer(
                move="5",
                replies=({ROBIN: "10"},),
                says="It divides 10 and is one less than 6. Robin had no way out.",
            ),
            Answer(
                move="12",
                replies=({ROBIN: "6"},),
                says="It would have beaten the 10. But Robin had the 6 too.",
            ),
        ),
        solves=_wins,
    ),
    Exercise(
        key="swap",
        title="Swap and play again",
        text=(
            "After round 1 you **swap** the hands you were dealt and play again, so nobody is "
            "unlucky. Now Robin has your old tiles, with the big 12. First to 6 points over both "
            "rounds wins."
        ),
        question="Robin plays the 12. Which tile do you play?",
        state=_position(
            (4, 5, 7, 9, 12), (2, 3, 6, 8, 10), (4, 2), (7, 3), (9, 8), (5, 6), (12, 10)
        ),
        replies=({ROBIN: "12"},),
        answers=(
            Answer(
                move="6",
                says="Now it's your 6 that brings down the 12. Each hand has its answers.",
            ),
            Answer(move="8", says="It's lower, and it doesn't divide 12. Look for a divisor."),
            Answer(move="10", says="It's lower, it doesn't divide 12, and it isn't one less."),
        ),
        solves=_wins,
    ),
)
