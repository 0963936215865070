"""The bot as a process: its pool is killed while a computer thinks, and so is the bot itself."""

import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.computers.pool import NICENESS
from tests.support.processes import Process
from tests.support.tables import database
from tests.support.waiting import until


@pytest.fixture
async def bot(discord, tmp_path):
    discord.clock.freeze()
    process = Process(discord, await database(tmp_path), tmp_path / "bot.log")
    yield process
    await process.clear_away()


def pool(bot):
    """The processes that think, which have the highest nice value."""
    nice = os.nice(0) + NICENESS
    stats = {pid: Path(f"/proc/{pid}/stat").read_text() for pid in bot.children()}
    return [pid for pid, stat in stats.items() if int(stat.rpartition(")")[2].split()[16]) == nice]


def hows(bot):
    with closing(sqlite3.connect(bot.database)) as connection:
        return connection.execute(
            "SELECT step, how FROM moves WHERE seat = 1 ORDER BY step"
        ).fetchall()


def desk(ann):
    return ann.direct_messages[-1]


def cards(ann):
    desks = ann.direct_messages
    buttons = desks[-1].buttons if desks else []
    return [b.custom_id for b in buttons if b.custom_id and ":pick:" in b.custom_id]


def step(ann):
    return [custom_id.split(":")[2] for custom_id in cards(ann)[:1]]


@pytest.mark.death
async def test_a_computer_moves_although_its_process_and_the_bot_are_killed(bot, discord):
    """It computes the exact solution, which takes longer than a kill."""
    ann = discord.person("Ann")
    await bot.start()
    options = {"pace": "live", "hand": "desk", "computer": "perfect"}
    await ann.slash("pico play", channel="games", **options)
    await until(lambda: pool(bot), 60)  # nothing announces that it has begun to think
    os.kill(pool(bot)[0], signal.SIGKILL)
    await discord.until(lambda: cards(ann))

    await ann.click(desk(ann), cards(ann)[0])
    await discord.until(lambda: step(ann) == ["1"])
    await ann.click(desk(ann), cards(ann)[0])
    await bot.kill()
    await bot.start()

    await discord.until(lambda: step(ann) == ["2"])
    assert hows(bot)[:2] == [(0, "computer"), (1, "computer")]
