"""The bot's process is killed at random moments of matches of all games, and nothing is lost."""

import pytest

from games import GAMES
from tests.soak.opener import SHORT
from tests.soak.siege import Siege
from tests.support.processes import Process
from tests.support.tables import database

ONCE = pytest.param(1, 1)
TEN_TIMES = [pytest.param(seed, 5, marks=pytest.mark.long) for seed in (1, 2)]
"""The seed, and the number of kills per game."""


@pytest.fixture
async def siege(discord, tmp_path, seed):
    bot = Process(discord, await database(tmp_path), tmp_path / "bot.log")
    siege = Siege(discord, bot, SHORT, seed=seed)
    yield siege
    await siege.abandon()


def test_the_siege_plays_every_game():
    assert {sitting.game for sitting in SHORT} == set(GAMES)


@pytest.mark.death
@pytest.mark.timeout(1500)
@pytest.mark.parametrize(("seed", "kills"), [ONCE, *TEN_TIMES])
async def test_a_bot_killed_at_random_moments_loses_nothing(siege, kills):
    await siege.kill(kills * len(GAMES))
    await siege.end()

    assert siege.tally.lost == []
    assert all(siege.tally.kills[game] >= kills for game in GAMES)
    assert all(siege.record.choices[game] > 0 for game in GAMES)
