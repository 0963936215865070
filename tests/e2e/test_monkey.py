"""Everything is tried at random while the server changes: all is answered, and nothing breaks."""

import random

import pytest
from structlog.testing import capture_logs

from tests.support.monkey import CHOOSING, Monkey
from tests.support.tables import seated

NO_FAULTS = frozenset({50083, 160004, 160005})
"""Refusals that can happen to anybody: a thread is archived or locked, or has been begun before."""


async def let_loose(table, seed, actions, *, is_enough=None):
    """Do so much, or stop earlier where it is enough; nothing may be a fault or malformed."""
    monkey = Monkey(table, random.Random(seed))
    since = len(table.discord.requests)
    with capture_logs() as logs:
        for _ in range(actions):
            if is_enough is not None and is_enough(monkey):
                break
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


def has_done_much(monkey):
    """Whether matches were played and much of what else there is was used."""
    chosen = sum(monkey.used[act] for act in CHOOSING)
    return monkey.used.total() >= 200 and chosen > 30 and len(monkey.used) > 40


async def test_whatever_people_do_is_answered(discord, tmp_path):
    """How soon it is enough differs: what is offered depends on how far the bot has come."""
    async with seated(discord, tmp_path) as table:
        monkey = await let_loose(table, 1, 1_000, is_enough=has_done_much)

        assert has_done_much(monkey), monkey.used


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 15))
async def test_so_it_is_for_long(discord, tmp_path, seed):
    async with seated(discord, tmp_path) as table:
        await let_loose(table, seed, 2_500)
