"""Every figure about computers, each beside what it is compared with.

`python -m benchmarks.computers` runs all in their short form, with fewer contests and matches and
so with wider intervals; names after it run those only: `pico clicks`. `--full` runs the whole,
which takes hours.
"""

import asyncio
import importlib
import inspect
import os
import sys
import time
from collections.abc import Mapping, Sequence
from importlib.util import find_spec

SHORT: Mapping[str, Sequence[str]] = {
    "pico": ("--deals", "18", "--short"),
    "duel": ("--deals", "20"),
    "prize": ("--matches", "8", "--fewer", "0"),
    "spite": ("--matches", "6", "--fewer", "0"),
    "conquest_wins": ("--positions", "27"),
    "conquest": ("--matches", "6"),
    "clicks": (),
}
"""What is run, and with which arguments in its short form. All of it is meant to take 20 minutes on
two cores: a match of `strong` takes some 30 seconds of CPU in Prize Dominoes, 60 in Spite and
Malice, and 10 to 25 in Divide & Conquer; Pico's exploitability takes 2 ms of CPU a position, and a
deal of Pico for three 15 seconds for each contest. So these are in the long form alone: the
exploitability with the standard deck; with three seats in Pico, all but the knower; in Prize
Dominoes and in Spite and Malice, all but `strong` against the greedy player; in Divide & Conquer,
all but `strong` against `race` and `steady`."""


def run(name: str, arguments: Sequence[str]) -> None:
    """The figures of one game, or of clicks while computers think, and what they took."""
    print(f"== {name} ==", flush=True)
    began, used = time.perf_counter(), cpu_seconds()
    sys.argv = [name]  # what stands behind our name is not for it
    main = importlib.import_module(f"benchmarks.computers.{name}").main
    result = main(arguments) if arguments else main()
    if inspect.iscoroutine(result):
        asyncio.run(result)
    took, cpu = time.perf_counter() - began, cpu_seconds() - used
    print(f"({took:.0f} s, {cpu:.0f} s of CPU)\n", flush=True)


def cpu_seconds() -> float:
    """CPU of this process and of those it has started and that have ended."""
    return sum(os.times()[:4])


def main() -> None:
    is_full = "--full" in sys.argv[1:]
    wanted = [name for name in sys.argv[1:] if name != "--full"] or list(SHORT)
    for name in wanted:
        if find_spec(f"benchmarks.computers.{name}") is None:
            print(f"== {name} == has no figures yet\n")
        else:
            run(name, () if is_full else SHORT.get(name, ()))


if __name__ == "__main__":
    main()
