"""Who is reminded of a move, and when; how it is told is tested at the wire."""

import asyncio

import pytest

from bot.scheduling.reminders import EARLY
from bot.storage.people import ReminderPreference
from games.spite import SPITE, Options
from tests.support.clock import DAY, EVERY_SHARD, HOUR, MINUTE
from tests.support.match_records import person_of, put_person, record_of
from tests.support.matches import ANN, BEA, CYD, A, B, C, begun, dealt


@pytest.fixture
def due(storage, watch):
    """Who is to be looked at now."""

    async def now():
        async with storage.reading() as reading:
            return list(await reading.deadlines.to_remind(int(watch()), EARLY, EVERY_SHARD))

    return now


@pytest.fixture
def preferences(storage):
    async def write(user, *preference):
        async with storage.transaction() as writing:
            await writing.people.put_reminder_preference(user, ReminderPreference(*preference))

    return write


async def test_a_quarter_of_the_time_before_the_deadline_unless_wished_otherwise(
    matches, due, watch
):
    match = await begun(matches)

    watch.advance(18 * HOUR - 1)
    assert await due() == []
    watch.advance(1)
    assert await due() == [(match, A), (match, B)]


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
async def test_reminders_come_as_early_as_wished_but_not_in_the_first_half(
    matches, due, watch, preferences, case
):
    time_control, before, seconds = case
    await preferences(ANN, "dm", before)
    await preferences(BEA, "none")
    match = await begun(matches, time_control=time_control)
    moment = (await matches.public(match)).due_at - seconds

    watch.now = moment - 1
    assert await due() == []
    watch.now = moment
    assert await due() == [(match, A)]


async def test_who_has_chosen_is_not_reminded(matches, due, watch):
    match = await begun(matches)
    await matches.submit(match, 0, ANN, str(dealt().hands[A][0]))

    watch.advance(DAY - 1)

    assert await due() == [(match, B)]


async def test_who_has_left_is_not_reminded(matches, due, watch):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, ANN)

    watch.advance(DAY - 1)

    assert await due() == [(match, B), (match, C)]


@pytest.mark.parametrize("time_control", ["live", "none"])
async def test_where_moves_are_fast_or_have_no_clock_nobody_is_reminded(
    matches, due, watch, storage, time_control
):
    match = await begun(matches, time_control=time_control)

    watch.now = (await record_of(storage, match)).due_at - 1

    assert await due() == []


async def test_when_time_is_up_it_is_too_late_for_a_reminder(matches, due, watch):
    await begun(matches)

    watch.advance(DAY)

    assert await due() == []


async def test_nobody_is_reminded_twice_of_one_turn(matches, due, timeouts, watch):
    match = await begun(matches)
    watch.advance(DAY - 1)

    snapshots = await asyncio.gather(*(timeouts.remind(match, A) for _ in range(3)))

    assert [snapshot.seat for snapshot in snapshots if snapshot is not None] == [A]
    assert await due() == [(match, B)]


async def test_of_the_next_turn_one_is_reminded_again(matches, due, timeouts, watch):
    match = await begun(matches)
    watch.advance(DAY - 1)
    await timeouts.remind(match, A)
    for user, seat in ((ANN, A), (BEA, B)):
        await matches.submit(match, 0, user, str(dealt().hands[seat][0]))

    watch.advance(DAY - 1)

    assert (match, A) in await due()


async def test_who_owes_no_move_is_asked_after_once_and_not_reminded(matches, due, timeouts, watch):
    match = await begun(matches, game="spite", options=Options())
    watch.advance(DAY - 1)
    waiting = B if dealt(game=SPITE).on_turn == A else A

    snapshot = await timeouts.remind(match, waiting)

    assert snapshot is None
    assert await due() == [(match, dealt(game=SPITE).on_turn)]


async def test_a_choice_of_the_same_instant_makes_the_reminder_needless(matches, timeouts, watch):
    match = await begun(matches)
    watch.advance(DAY - 1)

    _, snapshot = await asyncio.gather(
        matches.submit(match, 0, ANN, str(dealt().hands[A][0])), timeouts.remind(match, A)
    )

    assert snapshot is None


async def test_a_wish_is_kept_beside_everything_else_about_a_person(storage, preferences):
    await put_person(storage, ANN, (await person_of(storage, ANN)))
    await preferences(ANN, "channel", HOUR)

    async with storage.reading() as reading:
        assert await reading.people.reminder_preference(ANN) == ReminderPreference("channel", HOUR)
        assert await reading.people.reminder_preference(BEA) == ReminderPreference("dm", None)
