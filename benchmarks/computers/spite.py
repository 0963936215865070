"""How well the computer plays Spite and Malice: `python -m benchmarks.computers.spite`.

The yardstick is the greedy player of `games/spite/computer/greedy.py`, the level `easy`.
"""

import sys
from collections.abc import Sequence

from benchmarks.computers.contest import compare
from games.chance import Chance
from games.core import Seat
from games.spite import SPITE, Move, View
from games.spite.computer.greedy import greedy


def greedy_player(view: View, seat: Seat, chance: Chance) -> Move:
    return greedy(view, SPITE.legal_moves(SPITE.imagine(view, seat, chance), seat))


def main(arguments: Sequence[str] = ()) -> None:
    compare(SPITE.key, greedy_player, arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
