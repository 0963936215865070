"""Everything is tried at random while the server changes: all is answered, and nothing breaks."""

import random

import pytest
from structlog.testing import capture_logs

from tests.support.monkey import CHOOSING, Monkey
from tests.support.tables import seated

NO_FAULTS = frozenset({50083, 160004, 160005})
"""Refusals that can happen to anybody: a thread is archived or locked, or has been begun before."""


async def let_loose(table, seed, actions):
    """What was done, and what was logged as a fault or refused as malformed meanwhile."""
    monkey = Monkey(table, random.Random(seed))
    since = len(table.discord.requests)
    with capture_logs() as logs:
        for _ in range(actions):
            answer = await monkey.act()
            assert answer is None or not answer.failed, monkey.did[-1]
            faults = [entry for entry in logs if entry["log_level"] in {"error", "critical"}]
            assert not faults, (monkey.did[-5:], faults)
            logs.clear()
        await table.settled()
    for request in table.discord.requests[since:]:
        is_refused = request.status == 400 and request.response["code"] not in NO_FAULTS
        assert not is_refused, request
    return monkey


async def test_whatever_people_do_is_answered(discord, tmp_path):
    async with seated(discord, tmp_path) as table:
        monkey = await let_loose(table, 1, 200)

        chosen = sum(monkey.used[act] for act in CHOOSING)
        assert chosen > 30, "matches were played"
        assert len(monkey.used) > 40, "and much of what else there is was used"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 15))
async def test_so_it_is_for_long(discord, tmp_path, seed):
    async with seated(discord, tmp_path) as table:
        await let_loose(table, seed, 2_500)
