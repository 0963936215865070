"""Reserves: used up by moves that take too long, before the clock moves for a player."""

import pytest

from bot.computers.pool import SynchronousPool
from bot.matches.agreements import Agreements
from bot.matches.leave_all import leave_for_good
from bot.matches.pauses import Pauses
from bot.matches.time_off import Vacations
from games.spite import SPITE, Options
from tests.support.clock import DAY, HOUR
from tests.support.matches import ANN, BEA, CHANNEL, CYD, GUILD, NOW, RETURNS, A, B, C, begun, dealt
from tests.support.opponents import playing

START = int(NOW)


@pytest.fixture
async def match(matches):
    return await begun(matches, time_control="slow_reserve")


async def choose(matches, match, user):
    hand = await matches.snapshot(match, user)
    return (await matches.submit(match, hand.step, user, str(hand.legal[0]))).public()


def reserves(snapshot):
    return [info.reserve for info in snapshot.seats]


async def test_each_person_starts_with_the_full_reserve(matches, match):
    snapshot = await matches.public(match)

    assert reserves(snapshot) == [3 * DAY, 3 * DAY]
    assert [info.move_deadline for info in snapshot.seats] == [START + DAY] * 2
    assert [info.deadline for info in snapshot.seats] == [START + 4 * DAY] * 2
    assert snapshot.due_at == START + DAY


async def test_when_the_time_for_a_move_is_up_the_reserve_runs_without_a_strike(
    matches, match, late
):
    await choose(matches, match, BEA)

    snapshot = (await late(match)).public()

    assert (snapshot.step, snapshot.seats[A].strikes) == (0, 0)
    assert [info.uses_reserve for info in snapshot.seats] == [True, False]
    assert snapshot.due_at == START + 4 * DAY


async def test_a_late_move_uses_the_reserve_by_the_time_it_was_late(matches, match, watch):
    await choose(matches, match, BEA)
    watch.advance(DAY + 5 * HOUR + 7)

    snapshot = await choose(matches, match, ANN)

    assert reserves(snapshot) == [3 * DAY - 5 * HOUR - 7, 3 * DAY]
    assert snapshot.seats[A].deadline == int(watch()) + DAY + 3 * DAY - 5 * HOUR - 7


async def test_a_late_choice_that_is_not_the_last_uses_the_reserve_too(matches, watch):
    match = await begun(matches, BEA, CYD, time_control="slow_reserve")
    await matches.snapshots(match)  # caches the position
    watch.advance(DAY + HOUR)

    snapshot = await choose(matches, match, ANN)

    assert reserves(snapshot) == [3 * DAY - HOUR, 3 * DAY, 3 * DAY]


async def test_each_late_step_of_a_turn_uses_only_the_time_since_the_last_one(matches, watch):
    match = await begun(matches, game="spite", time_control="slow_reserve", options=Options())
    seat = dealt(game=SPITE).on_turn
    user = (ANN, BEA)[seat]
    watch.advance(2 * DAY - 20)

    steps = 0
    while plays := [m for m in (await matches.sit(match, user)).legal if m.kind == "play"]:
        watch.advance(20)
        snapshot = (await matches.submit(match, steps, user, str(plays[0]))).public()
        steps += 1

    assert steps > 1
    assert snapshot.awaiting == {seat}, "the turn goes on"
    assert snapshot.seats[seat].reserve == 2 * DAY - 20 * (steps - 1)
    assert snapshot.seats[seat].deadline == START + 4 * DAY


async def test_changing_a_choice_uses_no_reserve(matches, match, watch):
    await choose(matches, match, ANN)
    watch.advance(2 * DAY)

    hand = await matches.snapshot(match, ANN)
    snapshot = (await matches.submit(match, 0, ANN, str(hand.legal[1]))).public()

    assert reserves(snapshot) == [3 * DAY, 3 * DAY]


@pytest.fixture
async def pointed(matches, pointing):
    """A match in which Ann has pointed at Cyd, so Cyd's departure begins a new turn."""
    options = pointing.presets["standard"]
    kind = {"game": "pointing", "options": options, "time_control": "slow_reserve"}
    match = await begun(matches, BEA, CYD, **kind)
    await matches.submit(match, 0, ANN, "at 2")
    return match


async def test_having_to_choose_again_gives_no_reserve_back(matches, pointed, watch):
    watch.advance(DAY + 5 * HOUR)

    left = (await matches.concede(pointed, CYD)).public()

    assert left.chosen == frozenset()
    assert reserves(left)[:2] == [3 * DAY, 3 * DAY - 5 * HOUR]
    assert left.seats[B].move_deadline == int(watch()) + DAY


async def pause_match(storage, match, watch):
    """Agree to pause a match."""
    agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
    for user in (ANN, BEA, CYD):
        await agreements.offer(match, user, "pause")


async def test_a_pause_in_which_somebody_leaves_uses_no_reserve(matches, pointed, storage, watch):
    watch.advance(DAY + HOUR)
    await pause_match(storage, pointed, watch)
    watch.advance(2 * DAY)

    async with storage.transaction() as writing:
        await leave_for_good(writing, pointed, C, int(watch()))

    assert reserves(await matches.public(pointed))[:2] == [3 * DAY, 3 * DAY - HOUR]


async def test_a_vacation_and_a_pause_in_which_somebody_leaves_use_no_reserve(
    matches, pointed, storage, watch
):
    """The pause already stores the remaining time, and gives it back on resuming."""
    await Vacations(storage, now=watch).start(BEA, GUILD, 5)
    await pause_match(storage, pointed, watch)
    watch.advance(HOUR)

    left = (await matches.concede(pointed, CYD)).public()

    assert left.chosen == frozenset(), "all choose anew"
    assert reserves(left)[:2] == [3 * DAY, 3 * DAY]


async def test_a_pause_followed_by_a_lost_channel_uses_no_reserve(matches, pointed, storage, watch):
    """The match was already paused, and when that began is no longer known."""
    watch.advance(DAY + HOUR)
    await pause_match(storage, pointed, watch)
    watch.advance(2 * DAY)
    await Pauses(storage, now=watch).pause(pointed, CHANNEL)

    async with storage.transaction() as writing:
        await leave_for_good(writing, pointed, C, int(watch()))

    assert reserves(await matches.public(pointed))[:2] == [3 * DAY, 3 * DAY]


async def test_the_clock_moves_only_when_the_reserve_is_used_up(matches, match, late, watch):
    """The seconds by which the clock acts late aren't charged."""
    await choose(matches, match, BEA)
    await late(match)

    snapshot = (await late(match, 3 * DAY + 7)).public()

    assert (snapshot.step, snapshot.late, snapshot.seats[A].strikes) == (1, (A,), 1)
    assert reserves(snapshot) == [0, 3 * DAY]
    assert snapshot.seats[A].deadline == int(watch()) + DAY


async def test_a_vacation_uses_no_reserve(matches, match, storage, watch):
    await choose(matches, match, BEA)
    vacation = await Vacations(storage, now=watch).start(ANN, GUILD, 5)
    watch.advance(5 * DAY + 20 * HOUR)

    snapshot = await choose(matches, match, ANN)

    assert vacation.matches == [match]
    assert reserves(snapshot) == [3 * DAY, 3 * DAY]


@pytest.mark.parametrize("others", [(BEA,), (BEA, CYD)])
async def test_reserve_used_before_a_vacation_is_not_given_back(matches, storage, watch, others):
    """Even if others still owe a choice, so that this one is written in a batch."""
    match = await begun(matches, *others, time_control="slow_reserve")
    await matches.snapshots(match)
    watch.advance(DAY + 5 * HOUR)
    await Vacations(storage, now=watch).start(ANN, GUILD, 2)
    watch.advance(7 * HOUR)

    snapshot = await choose(matches, match, ANN)

    assert reserves(snapshot)[A] == 3 * DAY - 5 * HOUR


async def start_late(matches, match, storage, watch):
    """Start a vacation of Ann's, who alone owes a move, after 5 hours of her reserve; its end."""
    await choose(matches, match, BEA)
    watch.advance(DAY + 5 * HOUR)
    return (await Vacations(storage, now=watch).start(ANN, GUILD, 5)).until


async def test_a_vacation_begun_while_the_reserve_runs_shows_what_is_left_of_it(
    matches, match, storage, watch, late
):
    until = await start_late(matches, match, storage, watch)

    away = (await matches.public(match)).seats[A]
    back = (await late(match, 5 * DAY)).public().seats[A]

    assert (away.move_deadline, away.reserve) == (until, 3 * DAY - 5 * HOUR)
    assert away.deadline == back.deadline == until + 3 * DAY - 5 * HOUR
    assert (away.uses_reserve, back.uses_reserve) == (False, True)


async def test_back_early_from_a_vacation_the_reserve_runs_on(matches, match, storage, watch):
    await start_late(matches, match, storage, watch)
    watch.advance(DAY)

    await Vacations(storage, now=watch).end(ANN, GUILD)
    back = (await matches.public(match)).seats[A]
    watch.advance(HOUR)
    moved = await choose(matches, match, ANN)

    assert (back.uses_reserve, back.reserve) == (True, 3 * DAY - 5 * HOUR)
    assert back.deadline == int(watch()) - HOUR + 3 * DAY - 5 * HOUR
    assert reserves(moved) == [3 * DAY - 6 * HOUR, 3 * DAY]


async def test_a_vacation_begun_in_a_pause_shows_what_is_left_of_the_reserve(
    matches, match, storage, watch
):
    """The reserve was running when the match was paused."""
    agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
    await choose(matches, match, BEA)
    watch.advance(DAY + 5 * HOUR)
    await agreements.offer(match, ANN, "pause")
    await agreements.accept(match, BEA, "pause")
    until = (await Vacations(storage, now=watch).start(ANN, GUILD, 5)).until
    watch.advance(DAY)

    on = (await Pauses(storage, now=watch).resume_here(match, BEA)).public().seats[A]

    assert (on.move_deadline, on.reserve) == (until, 3 * DAY - 5 * HOUR)
    assert on.deadline == until + 3 * DAY - 5 * HOUR


@pytest.mark.parametrize(
    ("passed", "left"),
    [(DAY - 60, 3 * DAY + 60), (4 * DAY - HOUR, 6 * HOUR)],
    ids=["all", "little"],
)
async def test_resuming_guarantees_a_quarter_of_a_move_including_the_reserve(
    matches, match, storage, watch, passed, left
):
    agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
    watch.advance(passed)
    await agreements.offer(match, ANN, "pause")
    await agreements.accept(match, BEA, "pause")
    watch.advance(DAY)

    on = (await Pauses(storage, now=watch).resume_here(match, BEA)).public()

    assert [info.deadline for info in on.seats] == [int(watch()) + left] * 2
    assert reserves(on) == [3 * DAY, 3 * DAY]


async def test_computers_have_no_reserve(matches, lowest):
    match = await playing(matches, time_control="today_reserve")

    assert reserves(await matches.public(match)) == [6 * HOUR, None]
