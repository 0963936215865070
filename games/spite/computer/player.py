"""The computer player of Spite and Malice: greedy, by the playout policy, or by playouts.

`steady`, `strong` and the coach first look for a certain win in this turn.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import ClassVar, Final

from games.chance import Chance
from games.computer import Assessment, Computer, Lesson, Level
from games.core import Seat
from games.spite.cards import FACES, ORDER
from games.spite.computer.fast_state import PILE, PILE_NAMES, FastState, fast_play, play_of
from games.spite.computer.greedy import careless, greedy
from games.spite.computer.plans import Plan, habit, plans
from games.spite.computer.search import best, margin, playout_worth
from games.spite.computer.sure_wins import SureWins
from games.spite.moves import PILES, Discard, Draw, Move, Play
from games.spite.options import Options
from games.spite.rules import SPITE
from games.spite.view import View

BEGINNER: Final = Level(
    "beginner",
    0,
    "Plays any card from its hand that fits, discards anything, and often forgets its stock card.",
)
EASY: Final = Level(
    "easy",
    0,
    "Plays what fits, stock card first, keeps wild cards for it if it can, and ignores what helps "
    "you.",
)
STEADY: Final = Level(
    "steady", 1, "Works toward its stock card, keeps its piles tidy and causes trouble for yours."
)
STRONG: Final = Level(
    "strong",
    4000,
    "Plays thousands of games a few turns ahead before each choice, with cards you might hold.",
)
_MAX_PLANS: Final = 12
_MIN_PLAYOUTS_PER_PLAN: Final = 12
"""Plans are compared only if there are at least this many playouts for each."""

_MAX_STUDY_PLAYOUTS: Final = 1200
"""The most playouts with which the coach looks for a better plan; a match has about a hundred
choices."""

_SURE_ERRORS: Final = 2.0
"""The coach believes differences larger than this many standard errors."""

_MAX_TRIED_PLAYS: Final = 30_000
"""The most plays tried in search of a certain win, which take up to a third of a second; hardly any
turn needs more."""

_MAX_RIVALS: Final = 3
_MAX_RANKED_PLANS: Final = 40


class SpiteComputer(Computer[View, Move, Options]):
    """`budget` is a number of playouts; a level with too few to compare plans plays by habit."""

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
        state = SPITE.imagine(view, seat, chance)
        moves = SPITE.legal_moves(state, seat)
        if len(moves) == 1 or isinstance(moves[0], Draw):  # it never hurts to draw
            return moves[0]
        if level.key == BEGINNER.key:
            return careless(moves, chance)
        if level.key == EASY.key:
            return greedy(view, moves)
        fast = FastState(state, 0)
        wins = _plans_of(fast, SureWins(fast, _MAX_TRIED_PLAYS))
        return move_of(fast, _plan(view, fast, wins, level.budget, chance))

    def assess(self, view: View, seat: Seat, move: Move, chance: Chance) -> Assessment[Move] | None:
        """By the strong level, for the current game of a series.

        None if its playouts leave the question open, or if the search for certain wins was cut off.
        """
        state = SPITE.imagine(view, seat, chance)
        moves = SPITE.legal_moves(state, seat)
        if len(moves) == 1:
            return Assessment(None, 0.0)
        if isinstance(moves[0], Draw):
            return Assessment(None, 0.0) if move == moves[0] else None
        fast, budget = FastState(state, 0), min(self.levels[-1].budget, _MAX_STUDY_PLAYOUTS)
        search = SureWins(fast, _MAX_TRIED_PLAYS)
        wins = _plans_of(fast, search)
        if move in wins:
            return Assessment(None, 0.0)
        if not search.is_whole:
            return None  # it may lead to a certain win that wasn't found
        plan = _plan(view, fast, wins, budget, chance)
        better = move_of(fast, plan)
        if better == move:
            return Assessment(None, 0.0)
        likely = [own for own in plans(fast, _MAX_RANKED_PLANS) if move_of(fast, own) == move]
        rivals = [*likely[:_MAX_RIVALS], plan_of(fast, move)]
        cost, error = _compared(plan, rivals, islice(_worlds(view, seat, chance), budget // 4))
        return Assessment(better, cost) if cost > _SURE_ERRORS * error else None

    def basis(self, seats: int) -> str:
        return f"{super().basis(seats)} In a series, each choice is judged for its own game."


def move_of(state: FastState, plan: Plan) -> Move:
    """The first move of a plan."""
    if not plan.plays:
        assert plan.discard is not None  # a plan without plays has one
        card, count, pile = plan.discard
        return Discard(FACES[card - 1], count, PILE_NAMES[pile])
    return play_of(state, plan.plays[0])


def plan_of(state: FastState, move: Move) -> Plan:
    """The plan that consists of one move: the inverse of `move_of`."""
    if isinstance(move, Discard):
        return Plan((), (ORDER[move.face] + 1, move.count, PILES[move.pile]))
    assert isinstance(move, Play)  # a draw is no part of a plan
    return Plan((fast_play(move, len(state.foundations)),))


def _plans_of(state: FastState, search: SureWins) -> dict[Move, Plan]:
    """Plans that win this turn for certain, by their first moves."""
    return {play_of(state, play): Plan(line) for play, line in search.lines().items()}


def _plan(
    view: View, state: FastState, wins: Mapping[Move, Plan], budget: int, chance: Chance
) -> Plan:
    """The plan of the seat on turn: a certain win if there is one, else by habit or playouts."""
    if wins:
        usual = wins.get(move_of(state, habit(state)))
        return usual or min(wins.values(), key=lambda plan: len(plan.plays))
    most = min(_MAX_PLANS, budget // _MIN_PLAYOUTS_PER_PLAN)
    if most < 2 or _is_obvious(state):
        return habit(state)
    return best(plans(state, most), _worlds(view, Seat(state.seat), chance), budget)


def _is_obvious(state: FastState) -> bool:
    """Whether the habit plays the stock card without a wild card, which is best."""
    sources = [source for source, _ in habit(state).plays]
    cards = [state.card_at(source) for source in sources if source < PILE]
    return 0 in sources and not any(card in state.wilds for card in cards)


def _compared(
    plan: Plan, rivals: Sequence[Plan], worlds: Iterable[FastState]
) -> tuple[float, float]:
    """How much more a plan is worth than the best of its rivals, and the standard error."""
    values: list[list[float]] = [[] for _ in (plan, *rivals)]
    for world in worlds:
        for tried, row in zip((plan, *rivals), values, strict=True):
            row.append(playout_worth(world.copy(), tried))
    return margin(values[0], max(values[1:], key=sum))


def _worlds(view: View, seat: Seat, chance: Chance) -> Iterator[FastState]:
    while True:
        yield FastState(SPITE.imagine(view, seat, chance), chance.below(1 << 31))
