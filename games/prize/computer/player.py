"""How the computer plays Prize Dominoes: by its own tiles, or by hands played ahead."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar, Final

from games.chance import Chance
from games.computer import Assessment, Computer, Lesson, Level, mean_and_error
from games.core import Seat
from games.prize.computer.fast_state import FastState, code_of, tiles_of
from games.prize.computer.greedy import careless, greedy
from games.prize.computer.hand_inference import believed
from games.prize.computer.race import Worth, worth
from games.prize.computer.search import Search, worth_of_hand
from games.prize.moves import Move, Take
from games.prize.rules import PRIZE
from games.prize.state import Options
from games.prize.view import View

BEGINNER: Final = Level(
    "beginner",
    0,
    "Plays any tile that fits and takes the biggest prize, even if it doesn't need the numbers.",
)
EASY: Final = Level(
    "easy",
    0,
    "Looks only at its own tiles: it plays the heaviest that fits and saves the prizes it needs.",
)
STEADY: Final = Level(
    "steady",
    100,
    "Plays out a hundred hands before each choice, with tiles you might hold.",
)
STRONG: Final = Level(
    "strong",
    12000,
    "Plays out up to twelve thousand hands before each choice, and knows what each prize is worth.",
)
_PLAYOUTS_PER_STATE: Final = 4
"""Playouts of each imagined state: to imagine one takes as long as some playouts."""

_PLAYOUTS_PER_LOOK: Final = 100
"""Playouts between two looks whether the rest of them can change anything."""

_MAX_STUDY_PLAYOUTS: Final = 3000
"""Playouts with which the coach looks for a better move, and compares the two."""

_SURE_ERRORS: Final = 2.0
"""Standard errors beyond which the coach believes a difference."""

_SURE_TAKE_MARGIN: Final = 0.03
"""P(win) - P(loss) beyond which the coach believes a difference between two takes: the race is
measured on a sample of hands, and another sample may rank closer ones the other way round."""

_EXACT_TOLERANCE: Final = 1e-9
"""How far apart two takes can be though they are worth the same: a sum of chances is rounded."""


class PrizeComputer(Computer[View, Move, Options]):
    """`budget` is a number of playouts; with none a level is the greedy player."""

    levels: ClassVar[Sequence[Level]] = (BEGINNER, EASY, STEADY, STRONG)

    def choose(
        self,
        view: View,
        seat: Seat,
        level: Level,
        chance: Chance,
        lessons: Sequence[Lesson[View, Move]] = (),
    ) -> Move:
        del lessons
        moves = PRIZE.legal_moves(PRIZE.imagine(view, seat, chance), seat)
        if len(moves) == 1:
            return moves[0]
        if level.key == BEGINNER.key:
            return careless(moves, chance)
        if level.budget < 1:
            return greedy(view, moves)
        takes = _takes(view, seat, moves)
        if takes:
            return max(moves, key=takes.__getitem__)
        return _best(view, seat, moves, level.budget, chance)

    def assess(self, view: View, seat: Seat, move: Move, chance: Chance) -> Assessment[Move] | None:
        """By the search of the strong level; no opinion where its playouts leave it in doubt."""
        moves = PRIZE.legal_moves(PRIZE.imagine(view, seat, chance), seat)
        takes = _takes(view, seat, moves)
        if takes:
            best = max(moves, key=takes.__getitem__)
            cost = takes[best] - takes[move]
            if cost <= _EXACT_TOLERANCE:
                return Assessment(None, 0.0)
            # A certain win is one by any sample of hands.
            is_sure = cost > _SURE_TAKE_MARGIN or takes[best] > 1 - _EXACT_TOLERANCE
            return Assessment(best, cost) if is_sure else None
        budget = min(self.levels[-1].budget, _MAX_STUDY_PLAYOUTS)
        best = _best(view, seat, moves, budget, chance) if len(moves) > 1 else move
        if best == move:
            return Assessment(None, 0.0)
        cost, error = _compared(view, seat, (best, move), budget // 2, chance)
        return Assessment(best, cost) if cost > _SURE_ERRORS * error else None


def _takes(view: View, seat: Seat, moves: Sequence[Move]) -> dict[Move, float]:
    """What the match is worth after each take; nothing where there is no prize to be taken."""
    prizes, race = [tiles_of(row) for row in view.prizes], _worth(view)
    return {
        move: worth_of_hand(race, prizes, seat, tiles_of((move.tile,)))
        for move in moves
        if isinstance(move, Take)
    }


def _best(view: View, seat: Seat, moves: Sequence[Move], budget: int, chance: Chance) -> Move:
    search = Search(seat, _worth(view), chance.below(1 << 31))
    for number, world in enumerate(islice(_worlds(view, seat, chance), budget), 1):
        search.grow(world)
        if number % _PLAYOUTS_PER_LOOK == 0 and search.is_decided(budget - number):
            break
    favorite = search.favorite()
    return next(move for move in moves if code_of(move) == favorite)


def _compared(
    view: View, seat: Seat, pair: tuple[Move, Move], number: int, chance: Chance
) -> tuple[float, float]:
    """How much better one move is than another in the same worlds, and the standard error."""
    first, second = (code_of(move) for move in pair)
    searches = [Search(seat, _worth(view), chance.below(1 << 31)) for _ in pair]
    margins = [
        searches[0].grow(world.copy(), first) - searches[1].grow(world, second)
        for world in islice(_worlds(view, seat, chance), number)
    ]
    return mean_and_error(margins)


def _worlds(view: View, seat: Seat, chance: Chance) -> Iterator[FastState]:
    """Endless imagined hands, some of them after each other the same."""
    return (
        world.copy() for world in believed(view, seat, chance) for _ in range(_PLAYOUTS_PER_STATE)
    )


def _worth(view: View) -> Worth | None:
    """What the race after this hand is worth; None after the last hand."""
    hands = view.options.hand_limit - view.number
    return worth(hands) if hands > 0 else None
