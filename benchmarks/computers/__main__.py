"""Every figure about computers, each beside what it is compared with.

`python -m benchmarks.computers` runs all in their short form, with fewer matches and so with wider
intervals; names after it run those only: `pico clicks`. `--full` runs the whole, which takes hours.
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
    "pico": ("--deals", "20"),
    "duel": ("--deals", "20"),
    "prize": ("--matches", "16", "--fewer", "8"),
    "spite": ("--matches", "12", "--fewer", "6"),
    "conquest_wins": ("--positions", "36"),
    "conquest": ("--matches", "10"),
    "clicks": (),
}
"""What is run, and with which arguments in its short form. All of it is meant to take 20 minutes on
two cores: a match of `strong` takes some 25 seconds of CPU in Prize Dominoes and in Divide &
Conquer, and 30 in Spite and Malice."""


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
