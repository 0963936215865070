"""Matches with computers: opening and playing them, and recording which ones changed."""

import asyncio

from games.pico import PICO
from tests.support.matches import ANN, challenge


class Heard:
    """Takes the part of `Live`, and records which matches it is told have changed."""

    def __init__(self):
        self.told = []

    def note_changed(self, match, *, is_detail=False):
        self.told.append(("detail" if is_detail else "change", match))


def against(*levels, **changes):
    """Ann's challenge to computers of these levels alone."""
    variant = {1: "standard", 2: "pico1-three"}[len(levels)]
    values = {"options": PICO.presets[variant], "wanted": 1 + len(levels), "computers": levels}
    return challenge(**{"opponents": (), **values, **changes})


async def playing(matches, *levels, **changes):
    effect = await matches.open(against(*(levels or ("easy",)), **changes))
    return effect.public().match


async def quiet(computers):
    """Wait until no computer owes a move."""
    while computers._tasks:
        await asyncio.gather(*computers._tasks.values())


async def made(storage, match):
    """Each move so far as (step, seat, move, how), where `how` is the column of that name."""
    async with storage.reading() as reading:
        found = await reading.moves.transcript(match)
    return [(m.step, m.seat, m.move, m.how) for m in found.moves]


async def play_out(matches, computers, match):
    """Let Ann play their first legal move until the match is over; the last snapshot."""
    await quiet(computers)
    while (snapshot := await matches.snapshot(match, ANN)).status == "running":
        await matches.submit(match, snapshot.step, ANN, str(snapshot.legal[0]))
        await quiet(computers)
    return snapshot
