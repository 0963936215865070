"""The fast state: troops in plain numbers, with a movement phase quick enough for searches.

A test plays random matches by the rules and compares every order (R14-R16, R19, R21).
"""

from collections.abc import Sequence

from games.conquest.board import Board
from games.conquest.computer.ground import GOALS, SQUARES, Ground
from games.conquest.layout import OBJECTIVES_PER_BATTALION, POSITIONS
from games.conquest.moves import Order

March = tuple[int, int, int]
"""An order: source, troops, target."""

Stacks = dict[int, int]
"""The number of troops of one battalion on each square that has some."""


class FastState:
    """The stacks and the bank of each battalion; changed in place."""

    __slots__ = ("banks", "stacks")

    def __init__(self, stacks: list[Stacks], banks: list[int]) -> None:
        self.stacks = stacks
        self.banks = banks

    def copy(self) -> "FastState":
        return FastState([stacks.copy() for stacks in self.stacks], self.banks.copy())

    def march(self, ground: Ground, battalion: int, march: March, *, fight: bool = True) -> bool:
        """Execute an order as far as possible; returns whether any troops set out.

        `fight` is the answer to a Commander's Choice.
        """
        source, troops, target = march
        own = self.stacks[battalion]
        there = own.get(source)
        if there is None:
            return False
        moved = min(troops, there)
        for defender, stacks in enumerate(self.stacks):
            if target in stacks and defender != battalion:
                if defender == ground.partners[battalion] or (
                    stacks[target] == moved and not _clashes(ground, fight=fight)
                ):
                    return False
                self._battle(battalion, defender, moved, target)
                break
        else:
            own[target] = own.get(target, 0) + moved
        if moved == there:
            del own[source]
        else:
            own[source] = there - moved
        return True

    def _battle(self, attacker: int, defender: int, moved: int, target: int) -> None:
        stacks = self.stacks[defender]
        defenders = stacks[target]
        lost = min(moved, defenders)
        self.banks[attacker] += lost
        self.banks[defender] += lost
        if defenders == lost:
            del stacks[target]
        else:
            stacks[target] = defenders - lost
        if moved > lost:
            self.stacks[attacker][target] = moved - lost

    def play(self, ground: Ground, orders: Sequence[March | None], first: int) -> int | None:
        """Execute the orders of a turn, given by battalion; returns the seat that wins, or None."""
        for battalion in ground.initiative(first):
            order = orders[battalion]
            if (
                order is not None
                and self.march(ground, battalion, order)
                and self.completes(ground, battalion, order[2])
            ):
                return ground.owners[battalion]
        return None

    def completes(self, ground: Ground, battalion: int, target: int) -> bool:
        """Whether a battalion's arrival on `target` has won the match for its seat (R19, R21)."""
        if target not in GOALS[battalion] or not self.is_complete(battalion):
            return False
        partner = ground.partners[battalion]
        return partner is None or ground.goal == "either" or self.is_complete(partner)

    def is_complete(self, battalion: int) -> bool:
        return len(self.stacks[battalion].keys() & GOALS[battalion]) == OBJECTIVES_PER_BATTALION


def _clashes(ground: Ground, *, fight: bool) -> bool:
    """Whether equal numbers of troops fight a battle (R16)."""
    return ground.equal == "annihilate" or (ground.equal == "choice" and fight)


def fast_state_of(board: Board, banks: Sequence[int]) -> FastState:
    """Convert a board and banks to plain numbers."""
    stacks = [{POSITIONS[stack.square]: stack.troops for stack in stacks} for stacks in board]
    return FastState(stacks, list(banks))


def march_of(order: Order | None) -> March | None:
    """Convert an order to plain numbers."""
    if order is None:
        return None
    return POSITIONS[order.source], order.troops, POSITIONS[order.target]


def order_of(march: March | None) -> Order | None:
    """Convert an order back to the form of the rules."""
    return march and Order(SQUARES[march[0]], march[1], SQUARES[march[2]])
