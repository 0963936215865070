"""Grace for the bot's absence in matches where somebody is or was on vacation."""

import pytest

from bot.matches.time_off import Vacations
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.match_records import execute, record_of
from tests.support.matches import ANN, BEA, GUILD, B, begun, choose


async def left(storage, match, watch):
    return (await record_of(storage, match)).due_at - int(watch())


@pytest.mark.parametrize(
    ("away", "more"), [(DAY + 12 * HOUR, 0), (3 * DAY - 2 * MINUTE, 8 * MINUTE)]
)
async def test_a_vacation_that_ended_meanwhile_counts_when_grace_is_given(
    storage, matches, grace, watch, away, more
):
    match = await begun(matches, time_control="relaxed")
    await Vacations(storage, now=watch).start(BEA, GUILD, 1)
    before = [info.deadline for info in (await matches.public(match)).seats]
    watch.advance(away)

    given = await grace(MINUTE)

    after = [info.deadline for info in (await matches.public(match)).seats]
    assert after == [deadline + more for deadline in before]
    assert given == ([match] if more else [])


@pytest.mark.parametrize(
    ("time_control", "looks"), [("relaxed", [3 * DAY]), ("slow", [DAY, 2 * DAY])]
)
async def test_only_deadlines_of_players_who_owe_a_move_get_grace(
    storage, matches, grace, timeouts, watch, *, time_control, looks
):
    """Nor does a due time that is only the end of a vacation."""
    match = await begun(matches, time_control=time_control)
    await Vacations(storage, now=watch).start(BEA, GUILD, 2)
    await choose(matches, match, ANN)
    begun_at = watch.now
    before = (await matches.public(match)).seats[B].deadline

    for look in looks:
        watch.now = begun_at + look - 2 * MINUTE
        assert await grace(MINUTE) == []
        watch.now = begun_at + look
        await timeouts.act(match)

    assert (await matches.public(match)).seats[B].deadline == before


async def test_a_player_back_from_vacation_gets_grace_for_their_own_deadline(
    storage, matches, grace, timeouts, watch
):
    match = await begun(matches, time_control="slow")
    await Vacations(storage, now=watch).start(BEA, GUILD, 2)
    await choose(matches, match, ANN)
    watch.now = (await matches.public(match)).seats[B].deadline - 2 * MINUTE

    given = await grace(MINUTE)

    assert given == [match]
    assert await left(storage, match, watch) == 10 * MINUTE
    snapshot = await matches.public(match)
    assert snapshot.seats[B].deadline == int(watch()) + 10 * MINUTE
    assert snapshot.seats[B].away_until is None
    watch.advance(10 * MINUTE)
    assert (await timeouts.act(match)).public().late == (B,)


async def test_a_reserve_that_ends_after_a_vacation_gets_grace_too(
    storage, matches, grace, timeouts, watch
):
    """Reserve that was used before the absence stays used."""
    match = await begun(matches, time_control="slow_reserve")
    await Vacations(storage, now=watch).start(BEA, GUILD, 1)
    await choose(matches, match, ANN)
    record = await record_of(storage, match)
    watch.now = of_move = record.deadline + record.seats[B].rested
    await timeouts.act(match)
    watch.now = of_move + record.seats[B].reserve - 2 * MINUTE

    given = await grace(MINUTE)

    assert given == [match]
    after = await record_of(storage, match)
    assert after.deadline + after.seats[B].rested == of_move + 8 * MINUTE
    watch.advance(10 * MINUTE - 1)
    assert (await timeouts.act(match)) is None
    watch.advance(1)
    assert (await timeouts.act(match)).public().late == (B,)


async def test_the_end_of_a_vacation_from_which_the_reserve_runs_on_gets_no_grace(
    storage, matches, grace, watch
):
    """That isn't when time runs out: the player had used up the time for the move before."""
    match = await begun(matches, time_control="slow_reserve")
    await choose(matches, match, ANN)
    watch.advance(DAY + HOUR)
    await Vacations(storage, now=watch).start(BEA, GUILD, 1)
    before = (await matches.public(match)).seats[B].deadline
    watch.advance(DAY - 2 * MINUTE)

    given = await grace(MINUTE)

    assert given == []
    assert (await matches.public(match)).seats[B].deadline == before


async def test_a_broken_match_with_a_vacation_does_not_stop_grace_for_others(
    storage, matches, grace, watch
):
    await begun(matches, time_control="slow", interaction=1)
    whole = await begun(matches, time_control="slow", interaction=2)
    await Vacations(storage, now=watch).start(BEA, GUILD, 1)
    await execute(storage, "UPDATE matches SET state = 'nonsense' WHERE id = 1")
    watch.advance(2 * DAY)

    assert await grace(DAY) == [whole]


async def test_after_grace_a_match_is_still_due_when_a_vacation_ends(
    storage, matches, grace, watch, timeouts
):
    """Its player is notified then, even though the others have more time."""
    match = await begun(matches, time_control="slow")
    await Vacations(storage, now=watch).start(BEA, GUILD, 2)
    watch.advance(DAY + 12 * HOUR)

    await grace(DAY)

    assert await left(storage, match, watch) == 12 * HOUR
    watch.advance(12 * HOUR)
    snapshot = (await timeouts.act(match)).public()
    assert [info.away_until for info in snapshot.seats] == [None, None]
    assert snapshot.late == ()
