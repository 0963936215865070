"""Turn notices: when they're sent, and that they're sent once."""

import pytest

from bot.computers.pool import SynchronousPool
from bot.live.turn_telling import has_told
from bot.matches.agreements import Agreements
from bot.matches.time_off import Vacations
from bot.storage import MessageRef
from bot.storage.notices import NoticeRecord
from cogs.prize.presentation import PrizePresentation
from games.prize import PRIZE
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.match_records import put_message
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    GUILD,
    RETURNS,
    WITH_COMPUTER,
    A,
    B,
    C,
    begun,
    choose,
    opened,
)
from tests.support.notice_world import low
from tests.support.opponents import playing


async def test_a_turn_is_announced_once_a_minute_after_it_began(world):
    match = await world.begun()
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    await world.later(2 * MINUTE - 1)
    assert world.hands.brought == []

    await world.later(1)
    await world.later(HOUR)

    assert world.hands.brought == [(match, A), (match, B)]


async def test_a_player_who_chooses_within_the_minute_gets_no_turn_notice(world):
    match = await begun(world.matches)
    await world.matches.submit(match, 0, ANN, low(A))

    await world.later(10 * MINUTE)

    assert world.hands.brought == [(match, B)]


async def test_an_active_player_gets_the_turn_notice_once_they_are_inactive(world):
    match = await begun(world.matches)
    world.watch.advance(50)
    world.activity.note(match, ANN)

    await world.later(2 * MINUTE - 1)
    assert world.hands.brought == [(match, B)]
    await world.later(1)

    assert world.hands.brought == [(match, B), (match, A)]


async def test_activity_in_the_future_does_not_count_after_the_clock_was_set_back(world):
    """Neither their clicks nor their moves count, because both are an hour in the future."""
    match = await world.begun(time_control="today")
    world.activity.note(match, ANN)
    await world.matches.submit(match, 0, ANN, low(A))
    world.watch.advance(-HOUR)
    world.activity.note(match, BEA)
    await world.matches.submit(match, 0, BEA, low(B))

    await world.later(MINUTE)

    assert world.hands.brought == [(match, A)]


async def test_in_a_live_match_a_turn_is_announced_after_a_minute(world):
    await world.settings.choose(ANN, "accepted", "none")  # it also says that it's their turn
    match = await begun(world.matches, time_control="live")
    await world.table(match)
    for user in (ANN, BEA):
        world.activity.note(match, user)

    await world.later(MINUTE)

    assert world.hands.brought == [(match, A), (match, B)]


@pytest.mark.parametrize("way", ["dm", "channel"])
async def test_the_notice_that_a_match_begins_replaces_the_turn_notice(world, way):
    await world.settings.choose(ANN, "accepted", way)
    await world.settings.choose(ANN, "turn", "channel")
    match = await begun(world.matches)
    await world.table(match)

    await world.later(10 * MINUTE)

    assert [told for told in world.told() if told[0] == ANN] == [(ANN, way)]


@pytest.mark.parametrize("way", ["dm", "channel"])
async def test_a_match_in_which_the_other_moved_within_the_minute_is_announced(world, way):
    """In a game of turns, whoever accepts may begin. Nothing else may tell that it's their turn."""
    world.presentations["prize"] = PrizePresentation()
    await world.settings.choose(ANN, "turn", "none")
    await world.settings.choose(ANN, "accepted", way)
    match = await begun(world.matches, game="prize", options=PRIZE.presets["standard"])
    await world.table(match)
    while B in (await world.matches.public(match)).awaiting:
        await choose(world.matches, match, BEA)
    assert (await world.matches.public(match)).turn == 2

    await world.later(MINUTE)

    assert world.told() == [(ANN, way)]
    assert "accepted your challenge" in world.said(ANN)
    assert (ANN, "time") in world.waiting()
    assert world.post.deleted == []


async def test_a_hand_that_came_with_the_beginning_tells_of_it_also_in_the_next_turn(world):
    """It notified its player. Its turn is that of the notice, though the match has moved on."""
    world.presentations["prize"] = PrizePresentation()
    await world.settings.choose(ANN, "turn", "none")
    await world.settings.choose(ANN, "accepted", "channel")
    match = await begun(world.matches, game="prize", options=PRIZE.presets["standard"])
    await world.table(match)
    hand = MessageRef(channel=CHANNEL + 1, message=700, shown="something", turn=1)
    await put_message(world.storage, match, A, hand)
    while B in (await world.matches.public(match)).awaiting:
        await choose(world.matches, match, BEA)
    snapshot = await world.matches.snapshot(match, ANN)
    notice = NoticeRecord(id=1, match=match, user=ANN, event="accepted", turn=1, actor=BEA)
    assert await has_told(world.storage, hand, snapshot, notice)

    await world.later(MINUTE)

    assert world.told() == []


async def test_a_first_turn_is_announced_if_the_notice_of_the_beginning_is_off(world):
    await world.settings.choose(ANN, "accepted", "none")
    await world.settings.choose(ANN, "turn", "channel")
    match = await begun(world.matches)
    await world.table(match)

    await world.later(10 * MINUTE)

    assert [told for told in world.told() if told[0] == ANN] == [(ANN, "channel")]


# After an absence.


@pytest.fixture
def away(world, clocks):
    """Lets the bot be away for this many seconds from a full hour on, and restarts it."""

    async def stay_away(seconds):
        world.watch.now -= world.watch.now % HOUR - HOUR
        async with world.storage.transaction() as writing:
            await writing.puzzles.note_presence(int(world.watch() // HOUR) - 1)
        world.watch.advance(seconds)
        world.restart()
        await clocks()

    return stay_away


async def test_a_player_who_owes_a_move_is_notified_again_after_a_long_absence(
    world, away, matches
):
    match = await world.begun()
    await opened(matches, CYD, interaction=7)
    await matches.submit(match, 0, ANN, low(A))

    await away(20 * HOUR)
    await world.later(MINUTE - 1)
    assert world.hands.brought == []
    await world.later(1)
    await world.later(MINUTE)

    assert world.hands.brought == [(match, B)]
    assert (await matches.public(match)).chosen == {A}
    assert (BEA, "time") in world.waiting()
    assert not [told for told in world.waiting() if told[1] == "turn"]


async def test_after_a_long_absence_the_beginning_of_a_match_is_still_announced(
    world, away, matches
):
    await world.table(await begun(matches))

    await away(20 * HOUR)
    await world.later(MINUTE)

    assert (ANN, "dm") in world.told()
    assert "accepted" in world.said(ANN)


@pytest.mark.parametrize("turn", ["dm", "none"])
async def test_a_player_whose_vacation_ended_during_a_long_absence_is_told_so_once(
    world, away, matches, turn
):
    """Little time was left, so they get more of it, and are notified of their turn again."""
    await world.settings.choose(ANN, "turn", turn)
    match = await world.begun()
    await matches.submit(match, 0, BEA, low(B))
    await world.later(20 * HOUR)
    await Vacations(world.storage, now=world.watch).start(ANN, GUILD, 1)
    world.forget()

    await away(DAY + HOUR)
    before = await matches.snapshot(match, ANN)
    await world.look()
    await world.later(2 * MINUTE)

    assert (before.turn, before.own.away_until) == (2, None)
    assert (world.told(), world.hands.brought) == ([(ANN, "dm")], [])
    assert world.said(ANN).startswith("🏝️ **Your vacation is over, and your clock is running.**")
    assert world.waiting() == [(ANN, "time"), (ANN, "last")]


@pytest.mark.parametrize(
    ("time_control", "away_for"), [("today", 9 * MINUTE), ("relaxed", 12 * HOUR), ("none", DAY)]
)
async def test_after_a_short_absence_or_with_much_time_left_nobody_is_notified_again(
    world, away, *, time_control, away_for
):
    await world.begun(time_control=time_control)
    world.watch.advance(40 * MINUTE)

    await away(away_for)
    await world.later(2 * MINUTE)

    assert world.hands.brought == []


# Alone with computers, which answer at once.


@pytest.fixture
def begin_alone(world):
    """Begins a match of Ann against a computer by a click of hers."""

    async def begin(**changes):
        match = await playing(world.matches, **changes)
        await world.table(match)
        world.activity.note(match, ANN)
        return match

    return begin


@pytest.mark.parametrize("time_control", ["live", "slow"])
async def test_a_turn_after_the_answer_of_a_computer_is_not_told(world, begin_alone, time_control):
    match = await begin_alone(time_control=time_control)
    await world.later(MINUTE)
    await world.matches.submit(match, 0, ANN, low(A))
    world.watch.advance(5)
    await world.matches.submit_for(match, 0, B, low(B), turn=1)
    await world.later(MINUTE)
    world.activity.note(match, ANN)

    await world.later(3 * MINUTE)

    assert world.hands.brought == []
    assert (ANN, "turn") not in world.waiting()


async def test_a_turn_against_a_computer_is_told_when_an_agreed_pause_is_over(world, begin_alone):
    match = await begin_alone()
    await world.later(MINUTE)
    agreements = Agreements(world.storage, SynchronousPool(), now=world.watch, returns=RETURNS)
    await agreements.offer(match, ANN, "pause")
    world.watch.advance(14 * DAY)
    await world.timeouts.act(match)

    await world.later(MINUTE)

    assert world.hands.brought == [(match, A)]


async def test_a_turn_against_a_computer_is_told_again_after_a_long_absence(
    world, begin_alone, away
):
    match = await begin_alone(time_control="live")
    await world.later(MINUTE)

    await away(10 * MINUTE)
    await world.later(MINUTE)

    assert world.hands.brought == [(match, A)]


async def test_a_turn_is_told_to_who_is_left_alone_with_a_computer_after_waiting(world):
    changes = {**WITH_COMPUTER, "time_control": "live"}
    match = await world.begun(**changes)
    await choose(world.matches, match, ANN)
    await world.later(3 * MINUTE)
    await world.matches.concede(match, BEA)
    turn = (await world.matches.public(match)).turn
    await world.matches.submit_for(match, 0, C, None, turn=turn)

    await world.later(MINUTE)

    assert world.hands.brought[-1:] == [(match, A)]
