"""How well the computer plays Prize Dominoes: `python -m benchmarks.computers.prize`.

The yardstick is the greedy player of `games/prize/computer/greedy.py`, the level `easy`.
"""

import sys
from collections.abc import Sequence

from benchmarks.computers.contest import compare
from games.chance import Chance
from games.core import Seat
from games.prize import PRIZE, Move, View
from games.prize.computer.greedy import greedy


def greedy_player(view: View, seat: Seat, chance: Chance) -> Move:
    return greedy(view, PRIZE.legal_moves(PRIZE.imagine(view, seat, chance), seat))


def main(arguments: Sequence[str] = ()) -> None:
    compare(PRIZE.key, greedy_player, arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
