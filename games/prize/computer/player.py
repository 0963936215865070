"""The computer player of Prize Dominoes: by its own tiles only, or by tree search."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import ClassVar, Final

from games.chance import Chance
from games.computer import Assessment, Computer, Lesson, Level, mean_and_error
from games.core import Seat
from games.prize.computer.fast_state import FastState, code_of, tiles_of
from games.prize.computer.greedy import careless, greedy
from games.prize.computer.hand_inference import sampled_states
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
"""Playouts of each imagined state, since it takes as long as some playouts to imagine one."""

_PLAYOUTS_PER_LOOK: Final = 100
"""Playouts between two checks whether the remaining ones could still change the choice."""

_MAX_STUDY_PLAYOUTS: Final = 3000
"""The most playouts with which the coach looks for a better move, and compares the two."""

_SURE_ERRORS: Final = 2.0
"""The coach believes differences larger than this many standard errors."""

_SURE_TAKE_MARGIN: Final = 0.03
"""The coach believes differences between two takes larger than this, in P(win) - P(loss): the race
is measured on a sample of hands, and another sample may rank closer takes the other way round."""

_EXACT_TOLERANCE: Final = 1e-9
"""Takes whose worths differ by no more are equally good: sums of probabilities are rounded."""


class PrizeComputer(Computer[View, Move, Options]):
    """`budget` is a number of playouts; a level with 0 plays greedily."""

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
        """By the search of the strong level; None if its playouts leave the question open."""
        moves = PRIZE.legal_moves(PRIZE.imagine(view, seat, chance), seat)
        takes = _takes(view, seat, moves)
        if takes:
            best = max(moves, key=takes.__getitem__)
            cost = takes[best] - takes[move]
            if cost <= _EXACT_TOLERANCE:
                return Assessment(None, 0.0)
            # A certain win doesn't depend on the sample of hands.
            is_sure = cost > _SURE_TAKE_MARGIN or takes[best] > 1 - _EXACT_TOLERANCE
            return Assessment(best, cost) if is_sure else None
        budget = min(self.levels[-1].budget, _MAX_STUDY_PLAYOUTS)
        best = _best(view, seat, moves, budget, chance) if len(moves) > 1 else move
        if best == move:
            return Assessment(None, 0.0)
        cost, error = _compared(view, seat, (best, move), budget // 2, chance)
        return Assessment(best, cost) if cost > _SURE_ERRORS * error else None


def _takes(view: View, seat: Seat, moves: Sequence[Move]) -> dict[Move, float]:
    """The worth of the match after each take, in P(win) - P(loss); empty if no move is a take."""
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
    """How much more the first move is worth than the second, and the standard error.

    Both are tried in the same imagined states.
    """
    first, second = (code_of(move) for move in pair)
    searches = [Search(seat, _worth(view), chance.below(1 << 31)) for _ in pair]
    margins = [
        searches[0].grow(world.copy(), first) - searches[1].grow(world, second)
        for world in islice(_worlds(view, seat, chance), number)
    ]
    return mean_and_error(margins)


def _worlds(view: View, seat: Seat, chance: Chance) -> Iterator[FastState]:
    """Yield imagined states endlessly, each of them several times in a row."""
    return (
        world.copy()
        for world in sampled_states(view, seat, chance)
        for _ in range(_PLAYOUTS_PER_STATE)
    )


def _worth(view: View) -> Worth | None:
    """The worth of the race after this hand; None if this is the last hand."""
    hands = view.options.hand_limit - view.number
    return worth(hands) if hands > 0 else None
