"""The fast state: troops in plain numbers, and the movement phase quick enough to be searched.

A test plays random matches through the engine and compares every order (R14-R16, R19, R21).
"""

from collections.abc import Sequence

from games.conquest.board import Board
from games.conquest.computer.ground import GOALS, SQUARES, Ground
from games.conquest.layout import OBJECTIVES_PER_BATTALION, POSITIONS
from games.conquest.moves import Order

March = tuple[int, int, int]
"""Source, troops and target of an order."""

Stacks = dict[int, int]
"""The troops of one battalion by square."""


class FastState:
    """Where troops stand and how many are in the banks, by battalion; changed in place."""

    __slots__ = ("banks", "stacks")

    def __init__(self, stacks: list[Stacks], banks: list[int]) -> None:
        self.stacks = stacks
        self.banks = banks

    def copy(self) -> "FastState":
        return FastState([stacks.copy() for stacks in self.stacks], self.banks.copy())

    def march(self, ground: Ground, battalion: int, march: March, *, fight: bool = True) -> bool:
        """Execute an order as far as it can be; whether any troops set out.

        `fight` is what a Commander's Choice would be.
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
        """Execute a turn's orders, listed by battalion; the seat that wins by one of them."""
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
        """Whether a battalion's arrival on a square has won the match for its seat (R19, R21)."""
        if target not in GOALS[battalion] or not self.is_complete(battalion):
            return False
        partner = ground.partners[battalion]
        return partner is None or ground.goal == "either" or self.is_complete(partner)

    def is_complete(self, battalion: int) -> bool:
        return len(self.stacks[battalion].keys() & GOALS[battalion]) == OBJECTIVES_PER_BATTALION


def _clashes(ground: Ground, *, fight: bool) -> bool:
    """Whether equal numbers do battle (R16)."""
    return ground.equal == "annihilate" or (ground.equal == "choice" and fight)


def fast_state_of(board: Board, banks: Sequence[int]) -> FastState:
    """The same troops in plain numbers."""
    stacks = [{POSITIONS[stack.square]: stack.troops for stack in stacks} for stacks in board]
    return FastState(stacks, list(banks))


def march_of(order: Order | None) -> March | None:
    """The same order in plain numbers."""
    if order is None:
        return None
    return POSITIONS[order.source], order.troops, POSITIONS[order.target]


def order_of(march: March | None) -> Order | None:
    """The same order as a player writes it."""
    return march and Order(SQUARES[march[0]], march[1], SQUARES[march[2]])
