"""The bot is killed, really, at random moments of matches of all games, and nothing is lost."""

import pytest

from games import GAMES
from tests.soak.opener import SHORT
from tests.soak.siege import Siege

KILLS = 5
"""A game and seed; with both seeds 10 a game."""


@pytest.fixture
async def siege(discord, tmp_path, seed):
    siege = Siege(discord, tmp_path, SHORT, seed=seed)
    yield siege
    await siege.abandon()


@pytest.mark.death
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("seed", [1, 2])
async def test_killed_at_random_moments_the_bot_loses_nothing(siege):
    await siege.kill(KILLS * len(GAMES))
    await siege.end()

    assert siege.tally.lost == []
    assert all(siege.tally.kills[game] >= KILLS for game in GAMES)
    assert all(siege.record.choices[game] > 0 for game in GAMES)
