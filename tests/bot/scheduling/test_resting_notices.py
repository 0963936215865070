"""Notices of matches whose clocks rest, in a pause or on somebody's vacation."""

import pytest

from bot.computers.pool import SynchronousPool
from bot.matches.agreements import Agreements
from bot.matches.notices import event_of_hand
from bot.matches.nudges import Nudges
from bot.matches.pauses import Pauses
from bot.matches.time_off import Vacations
from bot.storage import TABLE, Telling
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.match_records import execute, put_message
from tests.support.matches import ANN, BEA, CHANNEL, GUILD, RETURNS, A, B, begun, opened
from tests.support.notice_world import TABLE_REF, low


async def test_a_paused_match_sends_no_notices_until_it_is_resumed(world):
    match = await begun(world.matches)
    pauses = Pauses(world.storage, now=world.watch)
    await pauses.pause(match, CHANNEL)
    await world.later(10 * MINUTE)
    assert world.hands.brought == []
    await pauses.resume(match, GUILD, CHANNEL, ANN)

    await world.later(MINUTE)

    assert world.hands.brought == [(match, A), (match, B)]


async def test_a_player_on_vacation_is_notified_of_their_turn_at_its_end(world):
    match = await world.begun()
    until = int(world.watch()) + 5 * DAY
    await execute(world.storage, f"UPDATE seats SET away_until = {until} WHERE seat = 0")  # noqa: S608 - ours
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    await world.later(10 * MINUTE)
    assert world.hands.brought == [(match, B)]

    world.watch.now = until
    await world.look()

    assert world.said(ANN).startswith("🏝️ **Your vacation is over, and your clock is running.**\n")
    assert world.hands.brought == [(match, B)]


async def test_a_turn_during_a_vacation_is_told_if_only_its_end_is_turned_off(world):
    match = await world.begun()
    await world.settings.choose(ANN, "back", "none")
    await Vacations(world.storage, now=world.watch).start(ANN, GUILD, 5)
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    await world.later(10 * MINUTE)
    assert world.hands.brought == [(match, B)]

    await world.later(5 * DAY)

    assert world.hands.brought == [(match, B), (match, A)]


async def test_a_player_back_early_is_notified_of_the_turn_that_began_meanwhile(world):
    match = await world.begun()
    vacations = Vacations(world.storage, now=world.watch)
    await vacations.start(ANN, GUILD, 5)
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    await world.later(10 * MINUTE)
    assert world.hands.brought == [(match, B)]

    await vacations.end(ANN, GUILD)
    await world.later(MINUTE)

    assert world.told() == [(ANN, "dm")]
    assert (ANN, "time") in world.waiting()


@pytest.mark.parametrize("way", ["dm", "channel", "none"])
async def test_a_player_on_vacation_when_a_match_begins_is_notified_at_its_end(world, way):
    """The notice that it has begun says that they owe a move, but their clock is stopped."""
    await world.settings.choose(ANN, "accepted", way)
    match = await opened(world.matches)
    await world.table(match)
    await Vacations(world.storage, now=world.watch).start(ANN, GUILD, 5)
    await world.later(HOUR)
    await world.matches.accept(match, BEA)
    await world.matches.submit(match, 0, BEA, low(B))
    await world.later(10 * MINUTE)
    world.forget()

    await world.later(5 * DAY - 2 * HOUR)
    assert world.told() == []
    await world.later(HOUR)

    assert world.told() == [(ANN, "dm")]
    assert world.said(ANN).startswith("🏝️ **Your vacation is over, and your clock is running.**\n")


async def test_a_vacation_withdraws_a_reminder_that_was_sent(
    world,
):
    await world.settings.choose(BEA, "time", "channel")
    match = await world.begun()
    await world.later(18 * HOUR)
    assert world.told() == [(ANN, "dm"), (BEA, "channel")]
    (mention,) = (sent["message"] for sent in world.post.sent.values() if sent["to"] == BEA)
    reminded = Telling(notice=7, event="time", turn=1, by=None)
    async with world.storage.transaction() as writing:
        await writing.seats.note_telling(match, A, reminded)
    before = await world.matches.snapshot(match, ANN)
    vacations = Vacations(world.storage, now=world.watch)

    await vacations.start(ANN, GUILD, 5)
    await world.look()
    assert world.post.deleted == []
    await vacations.start(BEA, GUILD, 5)
    await world.look()

    away = await world.matches.snapshot(match, ANN)
    assert (event_of_hand(before), event_of_hand(away)) == ("time", None)
    assert world.post.deleted == [mention]
    await vacations.end(ANN, GUILD)
    assert event_of_hand(await world.matches.snapshot(match, ANN)) == "time"


async def test_a_player_on_vacation_gets_no_nudge(world):
    match = await world.begun()
    await Nudges(world.storage, now=world.watch, returns=RETURNS).nudge(match, BEA)
    until = int(world.watch()) + 5 * DAY
    await execute(world.storage, f"UPDATE seats SET away_until = {until} WHERE seat = 0")  # noqa: S608 - ours

    await world.look()

    assert world.told() == []
    assert (ANN, "nudged") not in world.waiting()


@pytest.fixture
def vacations(world):
    return Vacations(world.storage, now=world.watch)


@pytest.fixture
async def match(world):
    """A slow match in which only Ann owes a move; both were notified of their turn."""
    match = await world.begun()
    await world.matches.submit(match, 0, BEA, low(B))
    return match


async def test_a_player_who_owes_a_move_is_notified_when_their_vacation_ends(
    world, match, vacations
):
    """They were notified of this turn and reminded of its deadline before the vacation."""
    await world.later(DAY - 5 * HOUR)
    assert world.said(ANN).startswith("⏰")
    await vacations.start(ANN, GUILD, 5)
    world.forget()

    await world.later(5 * DAY - MINUTE)
    assert world.told() == []
    await world.later(MINUTE)

    assert world.told() == [(ANN, "dm")]
    assert world.said(ANN).startswith("🏝️ **Your vacation is over, and your clock is running.**\n")


async def test_a_player_back_early_is_notified_of_the_turn_that_waited_for_them(
    world, match, vacations
):
    await vacations.start(ANN, GUILD, 5)
    await world.later(DAY)
    assert world.told() == []

    await vacations.end(ANN, GUILD)
    await world.look()

    assert world.told() == [(ANN, "dm")]


@pytest.fixture
async def back(world, match, vacations):
    """Ends a vacation, which tells Ann by a mention, and by their hand; returns the mention."""
    await world.settings.choose(ANN, "back", "channel")
    await vacations.start(ANN, GUILD, 5)
    await vacations.end(ANN, GUILD)
    await world.look()
    told = Telling(notice=7, event="back", turn=1, by=None)
    async with world.storage.transaction() as writing:
        await writing.seats.note_telling(match, A, told)
    assert event_of_hand(await world.matches.snapshot(match, ANN)) == "back"
    await world.look()
    assert world.post.deleted == []
    (mention,) = (sent["message"] for sent in world.post.sent.values())
    return mention


async def test_a_second_vacation_withdraws_that_the_first_is_over(world, match, vacations, back):
    await vacations.start(ANN, GUILD, 5)
    await world.look()

    assert event_of_hand(await world.matches.snapshot(match, ANN)) is None
    assert world.post.deleted == [back]

    await world.later(5 * DAY)

    assert world.told() == [(ANN, "channel")] * 2
    assert world.post.deleted == [back]


async def test_a_pause_withdraws_that_a_vacation_is_over(world, match, back):
    agreements = Agreements(world.storage, SynchronousPool(), now=world.watch, returns=RETURNS)
    await agreements.offer(match, ANN, "pause")
    await agreements.accept(match, BEA, "pause")
    await world.look()

    assert event_of_hand(await world.matches.snapshot(match, ANN)) is None
    assert back in world.post.deleted


async def test_a_player_who_moved_on_vacation_is_notified_only_of_the_next_turn(
    world, match, vacations
):
    await vacations.start(ANN, GUILD, 5)
    await world.matches.submit(match, 0, ANN, low(A))
    await world.settings.choose(BEA, "time", "none")

    await world.later(5 * DAY)

    assert world.told() == []
    assert (match, A) in world.hands.brought


async def test_a_vacation_that_begins_before_the_turn_notice_ends_with_one_message(
    world, vacations
):
    for event in ("turn", "back"):
        await world.settings.choose(ANN, event, "channel")
    await world.settings.choose(ANN, "accepted", "none")
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await world.matches.submit(match, 0, BEA, low(B))
    await vacations.start(ANN, GUILD, 5)
    await world.later(10 * MINUTE)
    assert world.told() == []

    await world.later(5 * DAY)

    assert world.told() == [(ANN, "channel")]
    assert "Your vacation is over, and it's your turn in **Pico" in world.said(ANN)


async def test_after_a_vacation_the_reminder_comes_halfway_to_the_deadline(world, match, vacations):
    await world.later(DAY - 4 * HOUR)
    await vacations.start(ANN, GUILD, 5)
    await world.later(5 * DAY)
    await world.timeouts.act(match)
    world.forget()

    await world.later(2 * HOUR - 5 * MINUTE)
    assert world.told() == []
    await world.later(10 * MINUTE)

    assert world.told() == [(ANN, "dm")]
    assert world.said(ANN).startswith("⏰ **Your time is running out.**")


async def test_after_a_pause_the_reminder_does_not_come_right_after_the_turn_notice(world, match):
    """Little time was left before the pause, so a reminder is due when it ends."""
    agreements = Agreements(world.storage, SynchronousPool(), now=world.watch, returns=RETURNS)
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
