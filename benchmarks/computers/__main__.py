"""Runs all benchmarks of computers, or those that are named.

`python -m benchmarks.computers` runs their short forms, with fewer contests and matches and so
with wider intervals; `python -m benchmarks.computers pico clicks` runs only these. `--full` runs
the full forms, which takes hours.
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
"""The benchmarks, with the arguments of their short forms. Together, these should take 20 minutes
on two cores: a match of `strong` takes about 30 seconds of CPU in Prize Dominoes, 60 in Spite and
Malice, and 10 to 25 in Divide & Conquer; Pico's exploitability takes 2 ms of CPU per position, and
a deal of three-player Pico 15 seconds per contest. So these are only in the full forms: Pico's
exploitability with the standard deck; its contests with three seats, except for the knower's; in
Prize Dominoes and in Spite and Malice, all contests except for `strong` against the greedy player;
in Divide & Conquer, all except for `strong` against `race` and `steady`."""


def run(name: str, arguments: Sequence[str]) -> None:
    """Run one benchmark, and print the seconds that it took."""
    print(f"== {name} ==", flush=True)
    began, used = time.perf_counter(), cpu_seconds()
    sys.argv = [name]  # hides our own arguments from it
    main = importlib.import_module(f"benchmarks.computers.{name}").main
    result = main(arguments) if arguments else main()
    if inspect.iscoroutine(result):
        asyncio.run(result)
    took, cpu = time.perf_counter() - began, cpu_seconds() - used
    print(f"(took {took:.0f} s, {cpu:.0f} s of CPU)\n", flush=True)


def cpu_seconds() -> float:
    """Seconds of CPU of this process and its children that have ended."""
    return sum(os.times()[:4])


def main() -> None:
    is_full = "--full" in sys.argv[1:]
    wanted = [name for name in sys.argv[1:] if name != "--full"] or list(SHORT)
    for name in wanted:
        if find_spec(f"benchmarks.computers.{name}") is None:
            print(f"== {name} == has no benchmark yet\n")
        else:
            run(name, () if is_full else SHORT.get(name, ()))


if __name__ == "__main__":
    main()
