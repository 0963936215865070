"""How well the computer plays Spite and Malice: `python -m benchmarks.computers.spite`.

The baseline is the greedy player of `games/spite/computer/greedy.py`, the level `easy`.
"""

import sys
from collections.abc import Sequence

from benchmarks.computers.contest import compare


def main(arguments: Sequence[str] = ()) -> None:
    compare("spite", arguments)


if __name__ == "__main__":
    main(sys.argv[1:])
