"""Information set Monte Carlo tree search (Cowling, Powley and Whitehouse, 2012) of a hand.

Each iteration takes a state that is consistent with the view and follows a tree of what the seat
can see: a tile that the opponent draws and keeps doesn't make a branch. Where the tree ends, a
playout finishes the hand, and the race says what its prize is worth.
"""

from math import log, sqrt
from typing import Final

from games.prize.computer.fast_state import COVERS, DRAW, Code, FastState, Tiles, bits, lacking
from games.prize.computer.playout import finished
from games.prize.computer.race import Worth

_EXPLORATION_WEIGHT: Final = 0.6
"""The exploration constant of UCB1: the bonus of moves that have been tried rarely."""


class Node:
    """A node of the tree; `total` is the sum of results for the seat that moved there.

    `offered` is how often the move to this node was legal when one was chosen.
    """

    __slots__ = ("branches", "offered", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.offered = 0
        self.total = 0.0
        self.branches: dict[int, Node] = {}

    def branch(self, key: int) -> "Node":
        node = self.branches.get(key)
        if node is None:
            node = self.branches[key] = Node()
        return node


class Search:
    """The search tree of one seat, which grows with every playout."""

    def __init__(self, seat: int, worth: Worth | None, noise: int) -> None:
        self.root = Node()
        self._seat = seat
        self._worth = worth
        self._noise = noise

    def grow(self, world: FastState, first: Code | None = None) -> float:
        """Run one playout of an imagined state; returns what the match was worth to the seat.

        `world` must not be used afterward. `first` forces the first move.
        """
        path = self._descend(world, world.moves() if first is None else [first])
        winner, left, self._noise = finished(world, self._noise)
        value = worth_of_hand(self._worth, world.prizes, winner, left)
        for node, mover in path:
            node.visits += 1
            node.total += value if mover == winner else -value
        return value if winner == self._seat else -value

    def favorite(self) -> Code:
        """The move that was tried most often."""
        branches = self.root.branches
        return max(branches, key=lambda move: (branches[move].visits, branches[move].total))

    def is_decided(self, playouts: int) -> bool:
        """Whether this many more playouts can't change which move was tried most often."""
        visits = sorted(branch.visits for branch in self.root.branches.values())
        return len(visits) > 1 and visits[-1] - visits[-2] > playouts

    def _descend(self, world: FastState, moves: list[Code]) -> list[tuple[Node, int]]:
        """Go down the tree to the first new node: the path, each node with the seat that moved."""
        node = self.root
        path: list[tuple[Node, int]] = []
        while world.winner < 0:
            mover = world.turn
            move = moves[0] if len(moves) == 1 else _select(node, moves)
            node = node.branch(move)
            path.append((node, mover))
            is_new = not node.visits and len(moves) > 1
            drawn = world.drawn
            world.play(move)
            if move == DRAW and drawn < world.drawn:
                tile = world.stock[drawn]
                if mover == self._seat or not world.hands[mover] >> tile & 1:
                    node = node.branch(tile)
                    path.append((node, mover))
            if is_new:
                break
            moves = world.moves()
        return path


def worth_of_hand(worth: Worth | None, prizes: list[Tiles], winner: int, left: Tiles) -> float:
    """P(win) - P(loss) of the winner of a hand, who takes the best of the loser's tiles in `left`.

    `worth` is that of the race after this hand; None if it's the last hand, after which more
    numbers win, then more prizes (R28).
    """
    mine, others = prizes[winner], prizes[winner ^ 1]
    lack, other = lacking(mine), lacking(others)
    if worth is not None:
        return max(worth[lack & ~COVERS[i]][other] for i in bits(left))
    fewest = min((lack & ~COVERS[i]).bit_count() for i in bits(left))
    lead = (other.bit_count() - fewest) or (mine.bit_count() + 1 - others.bit_count())
    return float((lead > 0) - (lead < 0))


def _select(node: Node, moves: list[Code]) -> Code:
    """The move to try next: one that hasn't been tried, or the one with the highest UCB1 score."""
    best, chosen = -9.0, moves[0]
    branches = node.branches
    for move in moves:
        branch = branches.get(move)
        if branch is None:
            branch = branches[move] = Node()
        branch.offered += 1
        visits = branch.visits
        if visits:
            score = branch.total / visits + _EXPLORATION_WEIGHT * sqrt(log(branch.offered) / visits)
        else:
            score = 9.0
        if score > best:
            best, chosen = score, move
    return chosen
