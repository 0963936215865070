"""Reminders of time that runs out: how early, and once a turn."""

import pytest

from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.match_records import execute
from tests.support.matches import ANN, BEA, A, B, begun
from tests.support.told import low


@pytest.mark.parametrize(
    "case",
    [
        ("today", None, 15 * MINUTE),
        ("today", 10 * MINUTE, 10 * MINUTE),
        ("today", 8 * HOUR, 30 * MINUTE),
        ("slow", 8 * HOUR, 8 * HOUR),
        ("slow", 10 * MINUTE, 10 * MINUTE),
        ("relaxed", None, 18 * HOUR),
        ("relaxed", HOUR, HOUR),
    ],
)
async def test_reminders_come_as_early_as_wished_but_not_in_the_first_half(world, case):
    time_control, before, seconds = case
    await world.settings.choose(BEA, "time", "none")
    match = await world.begun(time_control=time_control)
    await world.settings.remind_before(ANN, before)
    await world.look()
    moment = (await world.matches.public(match)).due_at - seconds

    world.watch.now = moment - 1
    await world.look()
    assert world.told() == []
    world.watch.now = moment
    await world.look()

    assert world.told() == [(ANN, "dm")]


@pytest.mark.parametrize("time_control", ["live", "none"])
async def test_where_moves_are_fast_or_have_no_clock_nobody_is_reminded(world, time_control):
    match = await begun(world.matches, time_control=time_control)
    await world.later(61)
    world.forget()

    world.watch.now = (await world.matches.public(match)).due_at - 1
    await world.look()

    assert world.told() == []


async def test_time_that_was_put_off_puts_off_its_reminder(world):
    match = await world.begun()
    due_at = (await world.matches.public(match)).due_at + DAY
    await execute(world.storage, f"UPDATE matches SET deadline = {due_at}")  # noqa: S608 - ours
    await world.later(18 * HOUR)
    assert world.told() == []

    world.watch.now = due_at - 6 * HOUR
    await world.look()

    assert world.told() == [(ANN, "dm"), (BEA, "dm")]


async def test_of_the_next_turn_one_is_reminded_again(world):
    match = await world.begun()
    await world.later(18 * HOUR)
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    await world.later()

    await world.later(18 * HOUR)

    assert world.told() == [(ANN, "dm"), (BEA, "dm")] * 2


async def test_with_a_reserve_the_reminder_comes_before_all_time_is_up(world):
    match = await world.begun(time_control="slow_reserve")
    await world.matches.submit(match, 0, BEA, low(B))
    world.watch.now = (await world.matches.public(match)).due_at
    await world.timeouts.act(match)  # from now on the reserve runs
    await world.look()
    assert world.told() == []
    moment = (await world.matches.snapshot(match, ANN)).deadline - 6 * HOUR

    world.watch.now = moment - 1
    await world.look()
    assert world.told() == []
    world.watch.now = moment
    await world.look()

    assert world.told() == [(ANN, "dm")]
