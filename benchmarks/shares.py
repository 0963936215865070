"""Whose code the time of a profile was spent in."""

import pstats
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

GROUPS = (
    ("SQL (sqlalchemy, aiosqlite)", ("/sqlalchemy/", "/aiosqlite/", "/greenlet/", "sqlite3")),
    ("discord.py and its HTTP", ("/discord/", "/aiohttp/", "/yarl/", "/multidict/", "/zstandard/")),
    ("ours (bot, cogs, games, pydantic)", ("/bot/", "/cogs/", "/games/", "/pydantic")),
)
REST = "Python itself (asyncio, json, …)"


def shares(file: Path) -> Iterator[str]:
    """Lines that say what part of the profiled time each group took; waiting is left out."""
    stats: dict = pstats.Stats(str(file)).stats  # type: ignore[attr-defined] - documented in use only
    spent: Counter[str] = Counter()
    for function, (_, _, own, _, callers) in stats.items():
        if "select.epoll" in function[2] or "poll" in function[2]:
            continue
        if function[0] != "~":
            spent[_group(function[0])] += own
            continue
        for caller, (_, _, by_caller, _) in callers.items():  # built-in: time is the caller's
            spent[_group(caller[0])] += by_caller
    total = sum(spent.values())
    for name, seconds in spent.most_common():
        yield f"{seconds / total:4.0%} {name}"


def _group(file: str) -> str:
    for name, parts in GROUPS:
        if any(part in file for part in parts):
            return name
    return REST
