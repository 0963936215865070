"""Reminders before a deadline: how early they come, and that they come once per turn."""

import pytest

from bot.matches.time_off import Vacations
from bot.scheduling.notices import Notices
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.match_records import ask, execute, forget_user
from tests.support.matches import ANN, BEA, GUILD, A, B, begun
from tests.support.notice_world import low


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
async def test_reminders_come_as_early_as_chosen_but_not_in_the_first_half(world, case):
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
async def test_live_matches_and_matches_without_a_clock_have_no_reminders(world, time_control):
    match = await begun(world.matches, time_control=time_control)
    await world.later(61)
    world.forget()

    world.watch.now = (await world.matches.public(match)).due_at - 1
    await world.look()

    assert world.told() == []


async def test_a_later_deadline_postpones_the_reminder(world):
    match = await world.begun()
    due_at = (await world.matches.public(match)).due_at + DAY
    await execute(world.storage, f"UPDATE matches SET deadline = {due_at}")  # noqa: S608 - ours
    await world.later(18 * HOUR)
    assert world.told() == []

    world.watch.now = due_at - 6 * HOUR
    await world.look()

    assert world.told() == [(ANN, "dm"), (BEA, "dm")]


async def test_there_is_a_reminder_for_every_turn(world):
    match = await world.begun()
    await world.later(18 * HOUR)
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    await world.later()

    await world.later(18 * HOUR)

    assert world.told() == [(ANN, "dm"), (BEA, "dm")] * 2


async def test_with_a_reserve_the_reminder_comes_before_the_reserve_runs_out(world):
    match = await world.begun(time_control="slow_reserve")
    await world.matches.submit(match, 0, BEA, low(B))
    world.watch.now = (await world.matches.public(match)).due_at
    await world.timeouts.act(match)  # the reserve starts to run
    await world.look()
    assert world.told() == []
    moment = (await world.matches.snapshot(match, ANN)).deadline - 6 * HOUR

    world.watch.now = moment - 1
    await world.look()
    assert world.told() == []
    world.watch.now = moment
    await world.look()

    assert world.told() == [(ANN, "dm")]


# The second reminder, for players who chose it.


async def choose_two(world, way="dm", before=8 * HOUR):
    """Choose two reminders for Ann and none for Bea."""
    await world.settings.choose(BEA, "time", "none")
    await world.settings.remind_before(ANN, before)
    await world.settings.choose(ANN, "last", way)


async def reminded(world, match, moments):
    """Return how many notices were sent by each moment, in seconds before Ann's deadline."""
    due_at = (await world.matches.snapshot(match, ANN)).deadline
    counts = []
    for before in moments:
        world.watch.now = due_at - before
        await world.look()
        counts.append(len(world.told()))
    return counts


@pytest.mark.parametrize("pace", ["slow", "slow_reserve", "relaxed"])
@pytest.mark.parametrize("way", ["dm", "channel"])
async def test_a_second_reminder_comes_an_hour_before_in_its_own_way(world, pace, way):
    await choose_two(world, way)
    match = await world.begun(time_control=pace)

    moments = (8 * HOUR + 1, 8 * HOUR, HOUR + 1, HOUR, 5 * MINUTE)
    counts = await reminded(world, match, moments)

    assert counts == [0, 1, 1, 2, 2]
    assert world.told() == [(ANN, "dm"), (ANN, way)]
    last = "Your time is running out." if way == "dm" else "Your time limit: <t:"
    assert last in world.said(ANN)


async def test_the_second_reminder_replaces_the_first(world):
    await choose_two(world, "channel")
    await world.settings.choose(ANN, "time", "channel")
    match = await world.begun()

    await reminded(world, match, (8 * HOUR, HOUR))

    first, _ = (sent["message"] for sent in world.post.sent.values())
    assert world.post.deleted == [first]


async def test_after_a_restart_neither_reminder_is_sent_again(world):
    await choose_two(world)
    match = await world.begun()

    before = await reminded(world, match, (8 * HOUR,))
    world.restart()
    between = await reminded(world, match, (7 * HOUR, HOUR))
    world.restart()
    after = await reminded(world, match, (HOUR - 3 * MINUTE,))

    assert (before, between, after) == ([1], [1, 2], [2])


@pytest.mark.parametrize(("before", "expected"), [(HOUR, [1, 1]), (10 * MINUTE, [1, 2])])
async def test_two_reminders_at_the_same_time_are_one(world, before, expected):
    await choose_two(world, before=before)
    match = await world.begun()

    assert await reminded(world, match, (HOUR, 10 * MINUTE)) == expected
    assert (ANN, "last") not in world.waiting()


@pytest.mark.parametrize("late", [HOUR + 20 * MINUTE, 40 * MINUTE])
async def test_after_a_late_reminder_there_is_no_second_one(world, late):
    """For example after an absence of the bot."""
    await choose_two(world)
    match = await world.begun()

    assert await reminded(world, match, (late, 30 * MINUTE)) == [1, 1]


async def test_the_second_reminder_can_be_chosen_without_the_first(world):
    await choose_two(world)
    await world.settings.choose(ANN, "time", "none")
    match = await world.begun()

    assert await reminded(world, match, (8 * HOUR, HOUR)) == [0, 1]


@pytest.mark.parametrize("pace", ["slow", "relaxed"])
@pytest.mark.parametrize("first", ["dm", "none"])
async def test_a_second_reminder_can_be_chosen_until_it_is_due(world, pace, first):
    """Even after the first reminder, which says where to choose it."""
    await world.settings.choose(BEA, "time", "none")
    await world.settings.choose(ANN, "time", first)
    match = await world.begun(time_control=pace)
    told = first == "dm"
    counts = await reminded(world, match, (18 * HOUR, 6 * HOUR, HOUR + 1))
    assert counts[-1] == told

    await world.settings.choose(ANN, "last", "dm")
    await world.look()

    assert await reminded(world, match, (HOUR + 1, HOUR, MINUTE)) == [told, told + 1, told + 1]


async def test_a_second_reminder_chosen_within_the_last_hour_is_not_sent_this_turn(world):
    await world.settings.choose(BEA, "time", "none")
    match = await world.begun()
    assert await reminded(world, match, (6 * HOUR, 50 * MINUTE)) == [1, 1]

    await world.settings.choose(ANN, "last", "dm")
    await world.look()

    assert await reminded(world, match, (50 * MINUTE, MINUTE)) == [1, 1]


async def test_postponing_a_reminder_stores_no_row_for_a_deleted_person(world, monkeypatch):
    match = await world.begun()
    await world.settings.remind_before(ANN, HOUR)  # the reminder is due now, and postponed
    active_at = Notices._active_at

    async def deleted_meanwhile(self, reading, notice, snapshot):
        if notice.user == ANN:
            await forget_user(world.storage, ANN)
        return await active_at(self, reading, notice, snapshot)

    monkeypatch.setattr(Notices, "_active_at", deleted_meanwhile)
    await world.look()

    assert ask(world.storage_file, f"SELECT event FROM notices WHERE user = {ANN}") == []  # noqa: S608 - ours
    assert (await world.matches.public(match)).status == "running"


@pytest.mark.parametrize("pace", ["today", "today_reserve"])
async def test_with_an_hour_per_move_there_is_only_one_reminder(world, pace):
    """Even with six hours in reserve."""
    await choose_two(world)
    match = await world.begun(time_control=pace)

    assert await reminded(world, match, (HOUR, 30 * MINUTE, 5 * MINUTE)) == [0, 1, 1]


@pytest.mark.parametrize(
    ("left", "counts"),
    [
        (50 * MINUTE, [0, 1, 1]),
        (64 * MINUTE, [0, 1, 1]),
        (90 * MINUTE, [0, 1, 1]),
        (91 * MINUTE, [1, 1, 1]),
    ],
)
async def test_there_is_no_reminder_shortly_after_another_notice_with_the_deadline(
    world, left, counts
):
    """For example after an absence past the deadline: the reminder waits for half of the time."""
    await choose_two(world)
    match = await begun(world.matches)
    await world.table(match)
    due_at = int(world.watch()) + MINUTE + left
    await execute(world.storage, f"UPDATE matches SET deadline = {due_at}")  # noqa: S608 - ours
    await world.later(MINUTE)
    assert world.hands.brought or world.told()
    world.forget()

    assert await reminded(world, match, (min(left, HOUR) - 5, left // 2 - 5, MINUTE)) == counts


@pytest.mark.parametrize(("event", "way"), [("watched", "none"), ("time", "channel")])
async def test_choosing_a_way_sends_no_reminder_that_waits_for_half_of_the_time(world, event, way):
    """They were told the deadline when they came back, with too little left for the usual one."""
    match = await world.begun()
    await world.matches.submit(match, 0, BEA, low(B))
    await reminded(world, match, (4 * HOUR,))
    vacations = Vacations(world.storage, now=world.watch)
    await vacations.start(ANN, GUILD, 5)
    await vacations.end(ANN, GUILD)
    await world.look()
    world.forget()

    await world.settings.choose(ANN, event, way)
    await world.look()

    assert await reminded(world, match, (4 * HOUR - 1, 2 * HOUR + 1, 2 * HOUR)) == [0, 0, 1]


async def test_a_player_who_has_moved_gets_no_reminder(world):
    await choose_two(world)
    match = await world.begun()
    await reminded(world, match, (8 * HOUR,))
    await world.matches.submit(match, 0, ANN, low(A))

    await world.later(7 * HOUR)

    assert world.told() == [(ANN, "dm")]


async def test_a_later_deadline_postpones_the_second_reminder_too(world):
    await choose_two(world)
    match = await world.begun()
    await reminded(world, match, (8 * HOUR,))
    due_at = (await world.matches.public(match)).due_at + DAY
    await execute(world.storage, f"UPDATE matches SET deadline = {due_at}")  # noqa: S608 - ours

    assert await reminded(world, match, (DAY + HOUR, 8 * HOUR, HOUR)) == [1, 1, 2]


async def test_a_vacation_postpones_the_second_reminder_until_the_player_is_back(world):
    await choose_two(world)
    match = await world.begun()
    await world.matches.submit(match, 0, BEA, low(B))
    await reminded(world, match, (8 * HOUR,))
    vacations = Vacations(world.storage, now=world.watch)
    await vacations.start(ANN, GUILD, 5)
    await world.later(DAY)
    assert world.told() == [(ANN, "dm")]
    await vacations.end(ANN, GUILD)
    await world.look()
    world.forget()

    assert await reminded(world, match, (4 * HOUR, HOUR + 1, HOUR, MINUTE)) == [1, 1, 2, 2]


@pytest.fixture
async def last_only(world):
    """A match in which only Ann owes a move; she gets only the reminder an hour before."""
    await choose_two(world, "channel")
    await world.settings.choose(ANN, "time", "none")
    match = await world.begun()
    await world.matches.submit(match, 0, BEA, low(B))
    return match


async def test_a_second_reminder_is_deleted_when_a_vacation_begins(world, last_only):
    assert await reminded(world, last_only, (HOUR,)) == [1]
    (mention,) = (sent["message"] for sent in world.post.sent.values())

    await Vacations(world.storage, now=world.watch).start(ANN, GUILD, 5)
    await world.look()

    assert world.post.deleted == [mention]


async def test_nobody_gets_the_second_reminder_on_vacation(world, last_only):
    """Not even if the reminder was already due and waited because they were active."""
    world.watch.now = (await world.matches.snapshot(last_only, ANN)).deadline - HOUR
    world.activity.note(last_only, ANN)
    await world.look()
    vacation = await Vacations(world.storage, now=world.watch).start(ANN, GUILD, 5)

    world.watch.now = vacation.until - 1
    await world.look()
    assert world.told() == []
    world.watch.now = vacation.until
    await world.look()

    assert world.told() == [(ANN, "dm")]
    assert "Your vacation is over" in world.said(ANN)


async def test_a_player_back_shortly_before_the_second_reminder_gets_one_notice(world, last_only):
    await reminded(world, last_only, (80 * MINUTE,))
    vacations = Vacations(world.storage, now=world.watch)
    await vacations.start(ANN, GUILD, 5)
    await vacations.end(ANN, GUILD)
    await world.look()

    assert await reminded(world, last_only, (80 * MINUTE, HOUR, MINUTE)) == [1, 1, 1]
    assert "Your vacation is over" in world.said(ANN)
