"""Puzzles of the board game: the order that wins this turn or next, whatever the opponents do.

Nobody can enter the objectives of another battalion, so what is held stays held; what can go wrong
is that troops are beaten before their order is executed. The positions are made up: late ones with
few troops, in which no opponent can win in two turns. All orders of the opponents in this turn are
searched. In the second turn, an order onto the last objective succeeds for certain if and only if
its stack is larger than all the troops together that earlier battalions can send to it.

Orders are executed on a `Field` by code of this module, on purpose: by the rules or the computer's
`FastState`, a mistake in these would be proven along. Tests compare this code with the rules.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Final

from games.chance import Chance
from games.conquest.battalions import Battalion, in_play
from games.conquest.board import Board, Stack, troops_of
from games.conquest.layout import LAYOUT, NEIGHBORS, POSITIONS, Square, closed_to
from games.conquest.moves import Order, Plan
from games.conquest.options import Options
from games.conquest.planning import orders_of
from games.conquest.rules import CONQUEST, TROOPS
from games.conquest.state import State, clockwise
from games.conquest.turn import new_report
from games.core import Seat
from games.puzzle import MAX_CHOICES, Assessed, Puzzle, PuzzleMaker

NOW: Final = "one"
NEXT: Final = "two"
"""The aims: to win in this turn, or in this turn or the next."""

_SEATS: Final = 3
_MIN_CHOICES: Final = 6
_MAX_RIGHT: Final = 3
_TURNS: Final = range(12, 40)

Field = dict[Square, tuple[Battalion, int]]
"""The battalion and the number of troops on each square; empty squares are left out."""


class ConquestPuzzles(PuzzleMaker[State]):
    proof: ClassVar[str] = (
        "All combinations of orders that the opponents can write were searched, and all ways to "
        "reinforce: the right order wins the match in time against every one of them, and any "
        "other order is stopped by one of them."
    )

    def attempt(self, chance: Chance) -> Puzzle[State] | None:
        aim = chance.pick((NOW, NEXT, NEXT, NEXT))
        me = chance.pick(in_play(_SEATS))
        field = _composed(me, aim, chance)
        return None if field is None else self.assess(_state(field, chance), Seat(int(me)), aim)

    def assess(self, state: State, seat: Seat, aim: str) -> Puzzle[State] | None:
        if aim not in (NOW, NEXT) or seat not in CONQUEST.awaiting(state):
            return None
        proof = _Proof(state, Battalion(seat), aim)
        orders = _offered(state, Battalion(seat))
        if not proof.is_quiet or not _MIN_CHOICES <= len(orders) <= MAX_CHOICES:
            return None
        choices = []
        for order in orders:
            refutation = proof.refutation(order)
            worth = 1.0 if refutation is None else -1.0
            choices.append(Assessed(str(Plan((order,))), worth, refutation or ()))
        right = [order for order, c in zip(orders, choices, strict=True) if c.worth > 0]
        if not 0 < len(right) <= _MAX_RIGHT or not _is_question(
            orders, right, Battalion(seat), aim
        ):
            return None
        return Puzzle(
            state=state,
            seat=seat,
            aim=aim,
            choices=tuple(choices),
            best=tuple(choice.move for choice in choices if choice.worth > 0),
            effort=proof.positions,
        )


def _is_question(
    orders: Sequence[Order | None], right: Sequence[Order | None], me: Battalion, aim: str
) -> bool:
    """Whether the orders make a question: one march is right, and there are tempting other ones.

    The right orders may differ in the number of troops, which doesn't matter then. Another stack
    must be able to march to the same target, or (for `NEXT`) to an objective.
    """
    marches = {(order.source, order.target) for order in right if order is not None}
    if None in right or len(marches) > 1:
        return False
    ((source, target),) = marches
    others = {order.target for order in orders if order is not None and order.source != source}
    return target in others or (aim == NEXT and not others.isdisjoint(LAYOUT.objectives[me]))


def _offered(state: State, me: Battalion) -> list[Order | None]:
    """The orders to choose from: all but those that leave an objective, which can't be right."""
    held = set(LAYOUT.objectives[me])
    orders = orders_of(state.board, state.seats, me)
    return [order for order in orders if order is None or order.source not in held]


class _Proof:
    """Searches a position for one battalion."""

    def __init__(self, state: State, me: Battalion, aim: str) -> None:
        self._me, self._aim = me, aim
        self._field = _field_of(state.board)
        self._line = clockwise(state, state.initiative)
        self._before = _before_next(state, self._me)
        self._others = [battalion for battalion in in_play(state.seats) if battalion is not me]
        replies = product(
            *(orders_of(state.board, state.seats, battalion) for battalion in self._others)
        )
        # The simplest ones first, so that a refutation shows the reason clearly.
        self._replies = sorted(replies, key=lambda reply: len(reply) - reply.count(None))
        self._next_wins: dict[object, bool] = {}
        self.positions = 0

    @property
    def is_quiet(self) -> bool:
        """Whether no opponent can win in two turns: each lacks at least three objectives."""
        return all(
            sum(self._field.get(square, (None,))[0] is other for square in LAYOUT.objectives[other])
            <= 1
            for other in self._others
        )

    def refutation(self, order: Order | None) -> tuple[str, ...] | None:
        """Orders of the opponents, in N-E-S-W order, after which this one doesn't win in time.

        None if there are none.
        """
        for reply in self._replies:
            self.positions += 1
            orders = dict(zip(self._others, reply, strict=True)) | {self._me: order}
            field = dict(self._field)
            for battalion in self._line:
                _execute(field, battalion, orders[battalion])
            missing = self._missing(field)
            if not missing or (self._aim == NEXT and self._wins_next(field, missing)):
                continue
            return tuple(str(Plan((answer,))) for answer in reply)
        return None

    def _missing(self, field: Field) -> list[Square]:
        mine = LAYOUT.objectives[self._me]
        return [square for square in mine if square not in field]  # nobody else can be there

    def _wins_next(self, field: Field, missing: Sequence[Square]) -> bool:
        """Whether the next turn is won for certain, however the opponents reinforce before it."""
        if len(missing) > 1:
            return False
        key = tuple(sorted(field.items(), key=lambda item: POSITIONS[item[0]]))
        if key not in self._next_wins:
            self._next_wins[key] = self._holds(field, missing[0], list(self._line))
        return self._next_wins[key]

    def _holds(self, field: Field, goal: Square, line: Sequence[Battalion]) -> bool:
        """Whether the goal is reached for certain, after the battalions in `line` reinforce."""
        self.positions += 1
        if not line:
            return any(
                field[square][1] > self._threat(field, square)
                for square in NEIGHBORS[goal]
                if square in field and field[square][0] is self._me
            )
        battalion, *rest = line
        ways = (self._holds(after, goal, rest) for after in _reinforced(field, battalion))
        return any(ways) if battalion is self._me else all(ways)

    def _threat(self, field: Field, square: Square) -> int:
        """The troops that earlier battalions can send to a square next turn, all together."""
        return sum(troops for troops, _, _ in _attacks(field, square, self._before))


@dataclass(frozen=True, slots=True)
class Stop:
    """How opponents keep a battalion from the last objective that it lacks, in the next turn."""

    goal: Square
    orders: tuple[tuple[Battalion, Order], ...]
    """The fewest orders that do; all are executed before that battalion's own."""

    reinforced: bool
    """Whether their stacks must be reinforced first."""


def stop_next(state: State, me: Battalion, order: Order | None) -> Stop | None:
    """How a battalion can be stopped next turn, after an order that leaves one objective to take.

    Assumes that the opponents pass in this turn. None if several stacks could go on to that
    objective, or if the only one can't be stopped.
    """
    field = _field_of(state.board)
    _execute(field, me, order)
    missing = [square for square in LAYOUT.objectives[me] if square not in field]
    if len(missing) != 1:
        return None
    near = [s for s in NEIGHBORS[missing[0]] if s in field and field[s][0] is me]
    if len(near) != 1:
        return None
    needed = field[near[0]][1] + _can_reinforce(field, me)
    attacks = _attacks(field, near[0], _before_next(state, me))
    attacks.sort(key=lambda attack: -attack[0])
    for reinforced in (False, True):
        orders, total = [], 0
        for troops, battalion, source in attacks:
            sent = troops + (reinforced and _can_reinforce(field, battalion))
            orders.append((battalion, Order(source, sent, near[0])))
            total += sent
            if total >= needed:
                return Stop(missing[0], tuple(orders), reinforced)
    return None


def _before_next(state: State, me: Battalion) -> tuple[Battalion, ...]:
    """The battalions that go before this one in the next turn."""
    line = clockwise(state, Battalion((state.initiative + 1) % len(Battalion)))
    return line[: line.index(me)]


def _attacks(
    field: Field, square: Square, before: Sequence[Battalion]
) -> list[tuple[int, Battalion, Square]]:
    """The largest attack on a square by each of these battalions: troops, battalion, source."""
    near = [(*field[source], source) for source in NEIGHBORS[square] if source in field]
    attacks = []
    for battalion in before:
        own = [(troops, battalion, source) for other, troops, source in near if other is battalion]
        if own and square not in closed_to(_SEATS, battalion):
            attacks.append(max(own))
    return attacks


def _can_reinforce(field: Field, battalion: Battalion) -> bool:
    """Whether a battalion has troops in its bank."""
    return sum(troops for other, troops in field.values() if other is battalion) < TROOPS


def _reinforced(field: Field, battalion: Battalion) -> Iterator[Field]:
    """Yield the board after each way in which a battalion can reinforce, or not."""
    yield field
    if not _can_reinforce(field, battalion):
        return
    standing = [square for square, (other, _) in field.items() if other is battalion]
    home = LAYOUT.headquarters[battalion]
    for square in dict.fromkeys([*standing, home]):  # no other battalion can be on the HQ
        yield field | {square: (battalion, field.get(square, (battalion, 0))[1] + 1)}


def _execute(field: Field, battalion: Battalion, order: Order | None) -> None:
    """Execute an order in place, unless it lapses (R14, R15)."""
    if order is None or field.get(order.source, (None,))[0] is not battalion:
        return
    there = field[order.source][1]
    moved = min(order.troops, there)
    _put(field, order.source, battalion, there - moved)
    defender, number = field.get(order.target, (battalion, 0))
    if defender is battalion:
        _put(field, order.target, battalion, number + moved)
    elif moved > number:
        _put(field, order.target, battalion, moved - number)
    else:
        _put(field, order.target, defender, number - moved)


def _put(field: Field, square: Square, battalion: Battalion, troops: int) -> None:
    if troops:
        field[square] = battalion, troops
    else:
        field.pop(square, None)


def _field_of(board: Board) -> Field:
    return {
        stack.square: (battalion, stack.troops)
        for battalion in Battalion
        for stack in board[battalion]
    }


def _composed(me: Battalion, aim: str, chance: Chance) -> Field | None:
    """Make up a late position; None if a square that was drawn isn't free.

    All but one or two objectives are held, and opponents are near the stacks that are to march.
    """
    objectives = chance.shuffled(LAYOUT.objectives[me])
    lacking = 1 if aim == NOW else 1 + chance.below(2)
    field: Field = dict.fromkeys(objectives[lacking:], (me, 1))
    marching = []
    for goal in objectives[:lacking]:
        for _ in range(1 if lacking == 2 else 2):
            near = goal if aim == NOW or lacking == 2 else chance.pick(NEIGHBORS[goal])
            square = chance.pick(NEIGHBORS[near])
            if not _is_free(field, me, square) or square == goal:
                return None
            field[square] = me, 1 + chance.below(2)
            marching.append(square)
    for other in in_play(_SEATS):
        if other is not me and not _add_opponent(field, other, marching, chance):
            return None
    return field


def _add_opponent(
    field: Field, other: Battalion, marching: Sequence[Square], chance: Chance
) -> bool:
    """Put two or three stacks of an opponent near `marching`; False if a square isn't free."""
    for i in range(2 + chance.below(2)):
        near = chance.pick(marching)
        square = chance.pick(NEIGHBORS[near])
        if i or chance.below(2):
            square = chance.pick(NEIGHBORS[square])
        if not _is_free(field, other, square):
            return False
        field[square] = other, 1 + chance.below(2 + (i == 0))
    return True


def _is_free(field: Mapping[Square, object], battalion: Battalion, square: Square) -> bool:
    return square not in field and square not in closed_to(_SEATS, battalion)


def _state(field: Field, chance: Chance) -> State:
    """The state at the start of a random turn on this board; casualties are in the banks."""
    board: Board = tuple(
        tuple(
            Stack(square, field[square][1])
            for square in sorted(field, key=POSITIONS.__getitem__)
            if field[square][0] is battalion
        )
        for battalion in Battalion
    )
    playing = in_play(_SEATS)
    turn, initiative = chance.pick(_TURNS), chance.pick(playing)
    return State(
        options=Options(),
        seats=_SEATS,
        left=(),
        turn=turn,
        initiative=initiative,
        phase="planning",
        board=board,
        banks=tuple(TROOPS - troops_of(board, b) if b in playing else 0 for b in Battalion),
        pending=(),
        contest=None,
        reserve=(),
        current=new_report(turn, initiative, board),
        last=None,
    )
