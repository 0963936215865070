"""Where no deadline runs: matches without a clock, paused or over, and the bot's time away."""

import pytest

from bot.matches.time_off import Vacations
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.deadlines import DEAL, card, strikes
from tests.support.match_records import execute, record_of
from tests.support.matches import ANN, BEA, GUILD, NOW, A, B, begun, opened


@pytest.fixture
def pause(storage):
    """Pauses a match, as when its channel is gone."""

    async def since(match, moment):
        await execute(
            storage,
            f"UPDATE matches SET paused_at = {int(moment)}, paused_why = 'lost'"  # noqa: S608
            f" WHERE id = {match}",
        )

    return since


# Silence.


async def test_without_a_clock_silence_of_30_days_ends_a_match(matches, late):
    match = await begun(matches, time_control="none")

    snapshot = (await late(match, 30 * DAY)).public()

    assert (snapshot.status, snapshot.ending, strikes(snapshot)) == ("closed", "silence", [0, 0])


async def test_a_choice_that_resolves_nothing_breaks_the_silence_too(matches, timeouts, watch):
    match = await begun(matches, time_control="none")
    watch.advance(20 * DAY)
    await matches.submit(match, 0, ANN, card(DEAL, A))

    watch.advance(10 * DAY)
    early = await timeouts.act(match)
    watch.advance(20 * DAY)
    due = await timeouts.act(match)

    assert early is None
    assert due.public().ending == "silence"


async def test_while_a_match_is_paused_no_deadline_runs(match, late, pause, watch):
    await pause(match, watch())

    assert await late(match) is None
    assert await late(match, 28 * DAY) is None


async def test_a_match_that_stays_paused_ends_after_30_days(match, late, pause, watch):
    watch.advance(5 * HOUR)
    await pause(match, watch())

    early = await late(match, 30 * DAY - 1)
    snapshot = (await late(match, 1)).public()

    assert early is None
    assert (snapshot.status, snapshot.ending) == ("closed", "silence")


async def test_a_match_that_is_over_is_never_due(matches, match, late):
    await matches.concede(match, ANN)

    assert await late(match, 60 * DAY) is None


async def test_a_match_that_is_gone_is_never_due(timeouts):
    assert await timeouts.act(4711) is None


# After a time away.


async def grace(storage, watch):
    time_controls = {
        "live": 2 * MINUTE,
        "today": 10 * MINUTE,
        "slow": 10 * MINUTE,
        "relaxed": 10 * MINUTE,
    }
    async with storage.transaction() as writing:
        return await writing.deadlines.give_grace(int(watch()), time_controls, DAY)


async def test_nobody_is_late_because_the_bot_was_away(storage, match, timeouts, watch):
    watch.advance(5 * DAY)

    given = await grace(storage, watch)

    assert given == [match]
    assert await timeouts.act(match) is None
    watch.advance(10 * MINUTE)
    assert (await timeouts.act(match)).public().late == (A, B)


@pytest.mark.parametrize(
    ("time_control", "left", "after"),
    [
        ("live", 119, 119),
        ("live", 59, 120),
        ("today", 6 * MINUTE, 6 * MINUTE),
        ("today", 4 * MINUTE, 10 * MINUTE),
        ("relaxed", 2 * DAY, 2 * DAY),
        ("relaxed", -DAY, 10 * MINUTE),
        ("none", DAY, DAY),
        ("none", -HOUR, DAY),
    ],
)
async def test_grace_is_for_deadlines_that_are_over_or_near(
    storage, matches, watch, time_control, left, after
):
    match = await begun(matches, time_control=time_control)
    due_at = (await record_of(storage, match)).due_at
    watch.now = due_at - left

    await grace(storage, watch)

    assert (await record_of(storage, match)).due_at - int(watch()) == after


@pytest.mark.parametrize(
    ("away", "more"), [(DAY + 12 * HOUR, 0), (3 * DAY - 2 * MINUTE, 8 * MINUTE)]
)
async def test_a_vacation_that_ended_meanwhile_makes_nobodys_deadline_a_near_one(
    storage, matches, watch, away, more
):
    match = await begun(matches, time_control="relaxed")
    await Vacations(storage, now=watch).start(BEA, GUILD, 1)
    before = [place.deadline for place in (await matches.public(match)).places]
    watch.advance(away)

    given = await grace(storage, watch)

    after = [place.deadline for place in (await matches.public(match)).places]
    assert after == [deadline + more for deadline in before]
    assert given == ([match] if more else [])


async def test_a_challenge_gets_no_grace(storage, matches, late, watch):
    match = await opened(matches)
    watch.advance(3 * DAY)

    assert await grace(storage, watch) == []
    assert (await late(match, 0)).public().status == "expired"


async def test_a_pause_that_became_too_long_meanwhile_lasts_a_day_more(
    storage, match, pause, watch, late
):
    await pause(match, NOW)
    watch.advance(40 * DAY)

    await grace(storage, watch)

    assert await late(match, DAY - 1) is None
    assert (await late(match, 1)).public().ending == "silence"
