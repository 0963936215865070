"""How well the computer plays Prize Dominoes: `python -m benchmarks.computers.prize`.

The baseline is the greedy player of `games/prize/computer/greedy.py`, the level `easy`.
"""

import sys
from collections.abc import Sequence

from benchmarks.computers.contest import compare


def main(arguments: Sequence[str] = ()) -> None:
    compare("prize", arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
