"""How the time in a profile is divided among the libraries, our code and Python."""

import pstats
from collections import defaultdict
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path

GROUPS = (
    ("SQL (sqlalchemy, aiosqlite)", ("/sqlalchemy/", "/aiosqlite/", "/greenlet/", "sqlite3")),
    ("discord.py and its HTTP", ("/discord/", "/aiohttp/", "/yarl/", "/multidict/", "/zstandard/")),
    ("ours (bot, cogs, games, pydantic)", ("/bot/", "/cogs/", "/games/", "/pydantic")),
)
Function = tuple[str, int, str]
Timing = tuple[int, int, float, float, dict[Function, tuple[int, int, float, float]]]
REST = "Python itself (asyncio, json, …)"


def shares(file: Path) -> Iterator[str]:
    """Lines with the share of the profiled time of each group, largest first, without waiting."""
    # The type stubs of `Stats` lack this attribute.
    stats: dict[Function, Timing] = vars(pstats.Stats(str(file)))["stats"]
    spent: defaultdict[str, float] = defaultdict(float)
    for function, (_, _, own, _, callers) in stats.items():
        if "select.epoll" in function[2] or "poll" in function[2]:
            continue
        if function[0] != "~":
            spent[_group(function[0])] += own
            continue
        for caller, (_, _, by_caller, _) in callers.items():  # a built-in counts for its caller
            spent[_group(caller[0])] += by_caller
    total = sum(spent.values())
    for name, seconds in sorted(spent.items(), key=itemgetter(1), reverse=True):
        yield f"{seconds / total:4.0%} {name}"


def _group(file: str) -> str:
    for name, parts in GROUPS:
        if any(part in file for part in parts):
            return name
    return REST
