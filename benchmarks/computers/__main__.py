"""Every figure about computers, each beside what it is compared with.

`python -m benchmarks.computers` runs all; names after it run those only: `pico clicks`.
"""

import asyncio
import importlib
import inspect
import sys
import time
from importlib.util import find_spec

ALL = ("pico", "duel", "prize", "spite", "conquest", "clicks")


def run(name: str) -> None:
    """The figures of one game, or of clicks while computers think."""
    print(f"== {name} ==", flush=True)
    began = time.perf_counter()
    sys.argv = [name]  # what stands behind our name is not for it
    main = importlib.import_module(f"benchmarks.computers.{name}").main
    result = main()
    if inspect.iscoroutine(result):
        asyncio.run(result)
    print(f"({time.perf_counter() - began:.0f} s)\n", flush=True)


def main() -> None:
    wanted = sys.argv[1:] or ALL
    for name in wanted:
        if find_spec(f"benchmarks.computers.{name}") is None:
            print(f"== {name} == has no figures yet\n")
        else:
            run(name)


if __name__ == "__main__":
    main()
