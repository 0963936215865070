"""When channels of direct messages are opened: their pace, their order, and after refusals."""

import asyncio
from functools import partial
from itertools import pairwise

import pytest

from bot.errors import StorageUnavailableError
from bot.messaging.failures import Failure, UndeliveredError
from bot.messaging.openings import Delay, OpeningPace, Openings, Waiter
from bot.time_units import HOUR_SECONDS
from tests.support.clock import DAY, Watch
from tests.support.waiting import until

ANN, BEA, CYD = 1, 2, 3


class Door:
    """Opens channels, or fails as told; records whose, and when."""

    def __init__(self, watch):
        self.watch = watch
        self.asked, self.opened_at, self.told = [], [], []
        self.failures = {}
        self.decided = set()

    async def is_decided(self, user):
        return user in self.decided

    async def open(self, user):
        self.asked.append((user, self.watch()))
        if self.failures.get(user):
            failure = self.failures[user].pop(0)
            raise failure if isinstance(failure, OSError) else UndeliveredError(failure)
        self.opened_at.append(int(self.watch()))

    async def since(self, moment):
        return [at for at in self.opened_at if at > moment]

    def queue(self, openings, *users, holds=True):
        async def wanted():
            return holds

        for user in users:
            openings.join(user, "hand", Waiter(wanted, partial(self.told.append, user)))


@pytest.fixture
def watch():
    return Watch(1000.0)


@pytest.fixture
def door(watch):
    return Door(watch)


@pytest.fixture
async def openings(door, watch):
    pace = OpeningPace(most_per_hour=3, sleep=watch.sleep)
    openings = Openings(door.open, door.is_decided, door.since, pace, watch)
    yield openings
    await openings.stop()


async def settled(openings, watch):
    """Wait until the line is empty or waits for time to pass."""
    await until(lambda: not openings._line or watch.is_awaited, pause=0)


async def passed(openings, watch, seconds):
    watch.advance(seconds)
    await asyncio.sleep(0)
    await settled(openings, watch)


async def test_people_are_served_in_order_with_a_pause_between(door, openings, watch):
    door.queue(openings, ANN, BEA, CYD)

    await settled(openings, watch)

    assert door.asked == [(ANN, 1000), (BEA, 1002), (CYD, 1004)]
    assert door.told == [ANN, BEA, CYD]


async def test_each_of_several_processes_pauses_for_all_of_them(door, watch):
    pace = OpeningPace(most_per_hour=3, processes=lambda: 3, sleep=watch.sleep)
    openings = Openings(door.open, door.is_decided, door.since, pace, watch)
    door.queue(openings, ANN, BEA)

    await settled(openings, watch)
    await openings.stop()

    assert door.asked == [(ANN, 1000), (BEA, 1006)]


async def test_somebody_whose_channel_is_known_in_their_turn_is_told_and_holds_up_nobody(
    door, openings, watch
):
    door.decided.add(ANN)
    door.queue(openings, ANN, BEA)

    await settled(openings, watch)

    assert door.asked == [(BEA, 1000)]
    assert door.told == [ANN, BEA]


async def test_two_waiters_for_one_person_are_one_opening_and_both_are_told(door, openings, watch):
    door.queue(openings, ANN)
    openings.join(ANN, "reminder", Waiter(_yes, lambda: door.told.append("reminder")))

    await settled(openings, watch)

    assert [user for user, _ in door.asked] == [ANN]
    assert door.told == [ANN, "reminder"]


async def test_a_waiter_that_no_longer_holds_costs_neither_an_opening_nor_a_pause(
    door, openings, watch
):
    door.queue(openings, ANN, holds=False)
    door.queue(openings, BEA)

    await settled(openings, watch)

    assert door.asked == [(BEA, 1000)]


async def test_a_waiter_added_while_another_is_checked_is_not_lost(door, openings, watch):
    async def outdated():
        door.queue(openings, ANN)
        return False

    openings.join(ANN, "old hand", Waiter(outdated, list))
    await settled(openings, watch)

    assert door.asked == [(ANN, 1000)]
    assert door.told == [ANN]


async def test_a_forgotten_person_leaves_the_line(door, openings, watch):
    door.queue(openings, ANN, BEA)

    openings.forget(ANN)
    await settled(openings, watch)

    assert door.asked == [(BEA, 1000)]


async def test_waiters_for_a_forgotten_person_are_told_after_they_left_the_line(
    door, openings, watch
):
    left = []
    watch.held = True
    door.queue(openings, ANN, BEA)
    waiter = Waiter(_yes, list, given_up=lambda: left.append(BEA not in openings))
    openings.join(BEA, "notice", waiter)
    await settled(openings, watch)

    openings.forget(BEA)

    assert left == [True]
    assert door.told == [ANN]


async def test_a_waiter_that_no_longer_holds_is_told_in_its_turn(door, openings, watch):
    given_up = []
    openings.join(ANN, "notice", Waiter(_no, list, given_up=lambda: given_up.append(ANN)))

    await settled(openings, watch)

    assert (given_up, door.asked) == ([ANN], [])


async def test_a_full_hour_is_waited_for_and_told(door, openings, watch):
    watch.held = True
    door.opened_at = [900, 950, 990]
    door.queue(openings, ANN)
    await settled(openings, watch)

    assert (await openings.delay(), door.told) == (Delay.LIMIT, [ANN])
    await passed(openings, watch, 900 + HOUR_SECONDS - 1000 - 1)
    assert door.asked == []
    await passed(openings, watch, 1)
    assert door.asked == [(ANN, 900 + HOUR_SECONDS)]


async def test_a_channel_opened_while_the_clock_was_ahead_makes_nobody_wait(door, openings, watch):
    watch.advance(DAY)
    door.queue(openings, ANN)
    await settled(openings, watch)
    watch.now -= DAY

    door.queue(openings, BEA)
    await settled(openings, watch)

    assert door.asked == [(ANN, 1000 + DAY), (BEA, 1000)]


async def test_a_refusal_while_the_clock_was_ahead_makes_nobody_wait(door, openings, watch):
    watch.advance(DAY)
    openings.refused(ANN)
    before = await openings.delay()
    watch.now -= DAY

    after = await openings.delay()
    door.queue(openings, BEA)
    await settled(openings, watch)

    assert (before, after) == (Delay.REFUSED, None)
    assert door.asked == [(BEA, 1000)]


async def test_stored_channels_opened_while_the_clock_was_ahead_make_nobody_wait(
    door, openings, watch
):
    door.opened_at = [10**6] * 3
    door.queue(openings, ANN)

    await settled(openings, watch)

    assert door.asked == [(ANN, 1000)]


async def test_a_line_that_waits_for_an_hour_moves_within_a_minute_if_the_clock_is_set_back(
    door, openings, watch
):
    """Somebody who joins it then is told of no delay, and waits for the channel."""
    watch.advance(DAY)
    openings.refused(ANN)
    door.queue(openings, BEA)
    await settled(openings, watch)
    assert (door.asked, door.told) == ([], [BEA])
    watch.set_back(DAY)
    assert await openings.delay() is None

    await passed(openings, watch, 60)

    assert door.asked == [(BEA, 1060)]


async def test_somebody_who_waits_for_long_is_told_so_once(door, openings, watch):
    openings.refused(ANN)
    door.queue(openings, BEA)

    for _ in range(10):
        await settled(openings, watch)
        await passed(openings, watch, 60)

    assert door.told == [BEA]


async def test_pauses_grow_while_discord_or_the_database_has_trouble(door, openings, watch):
    rests = [2, 5, 15, 60, 60]
    door.failures[ANN] = [Failure.TROUBLE, OSError(), *[Failure.TROUBLE] * 3]
    watch.held = True
    door.queue(openings, ANN)
    await settled(openings, watch)

    for seconds in rests:
        await passed(openings, watch, seconds)

    moments = [moment for _, moment in door.asked]
    assert [after - before for before, after in pairwise(moments)] == rests
    assert door.told == [ANN]


async def test_a_broken_waiter_stops_nobody(door, openings, watch):
    async def broken():
        raise ValueError

    openings.join(ANN, "hand", Waiter(broken, list))
    door.queue(openings, BEA)

    await settled(openings, watch)

    assert door.asked == [(BEA, 1000)]


async def test_a_failing_database_is_read_again_after_a_pause(door, openings, watch):
    whole, failures = door.since, [OSError(), StorageUnavailableError("full")]

    async def since(moment):
        if failures:
            raise failures.pop()
        return await whole(moment)

    openings._opened_since = since
    door.queue(openings, ANN)

    await settled(openings, watch)

    assert door.asked == [(ANN, 1000 + 2 + 5)]


async def test_a_waiter_is_kept_while_the_database_cannot_say_whether_it_holds(
    door, openings, watch
):
    failures = [StorageUnavailableError("full")]

    async def holds():
        if failures:
            raise failures.pop()
        return True

    openings.join(ANN, "hand", Waiter(holds, list))
    await settled(openings, watch)

    assert door.asked == [(ANN, 1000 + 2)]


async def test_closed_direct_messages_let_the_others_through(door, openings, watch):
    door.failures[ANN] = [Failure.CLOSED]
    door.queue(openings, ANN, BEA)

    await settled(openings, watch)

    assert door.asked == [(ANN, 1000), (BEA, 1002)]
    assert door.told == [ANN, BEA]


async def test_after_being_told_to_slow_down_nothing_is_opened_for_ten_minutes(
    door, openings, watch
):
    door.failures[ANN] = [Failure.HURRIED]
    door.queue(openings, ANN, BEA)
    await settled(openings, watch)

    assert await openings.delay() is Delay.REFUSED
    await passed(openings, watch, 600)

    assert door.asked == [(ANN, 1000), (ANN, 1600), (BEA, 1602)]


async def test_after_a_refusal_others_are_tried_first(door, openings, watch):
    door.queue(openings, ANN)
    await settled(openings, watch)

    personal = openings.refused(ANN)
    door.queue(openings, ANN, BEA)
    await settled(openings, watch)
    delay = await openings.delay()
    await passed(openings, watch, HOUR_SECONDS)

    assert (personal, delay) == (False, Delay.REFUSED)
    assert [user for user, _ in door.asked] == [ANN, BEA, ANN]


@pytest.mark.parametrize(("reached", "personal"), [([BEA], True), ([], False)])
async def test_a_second_refusal_is_about_the_person_if_others_were_reached(
    door, openings, watch, reached, personal
):
    door.queue(openings, ANN, BEA)
    await settled(openings, watch)
    openings.refused(ANN)
    for user in reached:
        openings.arrived(user)

    assert openings.refused(ANN) is personal


async def test_reaching_somebody_written_to_before_proves_nothing(door, openings, watch):
    openings.refused(ANN)

    openings.arrived(CYD)

    assert openings.refused(ANN) is False


async def test_nothing_is_opened_after_stopping(door, openings, watch):
    watch.held = True
    door.queue(openings, ANN, BEA)
    await settled(openings, watch)

    await openings.stop()
    watch.advance(HOUR_SECONDS)
    await asyncio.sleep(0)

    assert door.asked == [(ANN, 1000)]


async def test_a_waiter_after_stopping_starts_nothing(door, openings, watch):
    await openings.stop()

    door.queue(openings, ANN)
    await settled(openings, watch)

    assert ANN not in openings
    assert openings._walking is None


async def _yes():
    return True


async def _no():
    return False
