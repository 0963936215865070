"""Notices of matches that rest: in a pause, or for whoever is on vacation."""

from bot.matches.agreements import Agreements
from bot.matches.archive import InPlace
from bot.matches.nudges import Nudges
from bot.matches.pauses import Pauses
from bot.matches.time_off import Vacations
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.match_records import execute
from tests.support.matches import ANN, BEA, CHANNEL, GUILD, A, B, begun
from tests.support.told import low


async def test_a_paused_match_tells_nothing_until_it_goes_on(world):
    match = await begun(world.matches)
    pauses = Pauses(world.storage, now=world.watch)
    await pauses.pause(match)
    await world.later(10 * MINUTE)
    assert world.hands.brought == []
    await pauses.resume(match, GUILD, CHANNEL, ANN)

    await world.later(MINUTE)

    assert world.hands.brought == [(match, A), (match, B)]


async def test_on_vacation_nobody_is_told_that_it_is_their_turn(world):
    match = await world.begun()
    until = int(world.watch()) + 5 * DAY
    await execute(world.storage, f"UPDATE seats SET away_until = {until} WHERE seat = 0")  # noqa: S608 - ours
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    await world.later(10 * MINUTE)
    assert world.hands.brought == [(match, B)]

    world.watch.now = until
    await world.look()

    assert (match, A) in world.hands.brought


async def test_who_comes_back_early_is_told_of_the_turn_that_began_meanwhile(world):
    match = await world.begun()
    vacations = Vacations(world.storage, now=world.watch)
    await vacations.start(ANN, GUILD, 5)
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    await world.later(10 * MINUTE)
    assert world.hands.brought == [(match, B)]

    await vacations.end(ANN, GUILD)
    await world.later(MINUTE)

    assert (match, A) in world.hands.brought
    assert (ANN, "time") in world.waiting()


async def test_who_goes_on_vacation_before_they_are_nudged_is_not(world):
    match = await world.begun()
    await Nudges(world.storage, now=world.watch).nudge(match, BEA)
    until = int(world.watch()) + 5 * DAY
    await execute(world.storage, f"UPDATE seats SET away_until = {until} WHERE seat = 0")  # noqa: S608 - ours

    await world.look()

    assert world.told() == []
    assert (ANN, "nudged") not in world.waiting()


async def test_a_turn_after_a_pause_is_not_told_twice_at_once(world):
    """Little time was left when it began, so that a reminder was due as it ended."""
    match = await world.begun()
    await world.matches.submit(match, 0, BEA, low(B))
    agreements = Agreements(world.storage, InPlace(), now=world.watch)
    await world.settings.choose(ANN, "turn", "channel")
    await world.later(DAY - 2 * HOUR)
    await agreements.offer(match, ANN, "pause")
    await agreements.accept(match, BEA, "pause")
    await world.later(DAY)
    world.forget()
    await Pauses(world.storage, now=world.watch).resume_here(match, BEA)

    await world.later(10 * MINUTE)
    assert world.told() == [(ANN, "channel")]
    await world.later(3 * HOUR)

    assert world.told() == [(ANN, "channel"), (ANN, "dm")]
    assert world.said(ANN).startswith("⏰ **Your time is running out.**")
