"""Who gets which notices, when and how; what Discord receives is tested in wire tests."""

import pytest
from structlog.testing import capture_logs

from bot.computers.pool import SynchronousPool
from bot.matches.agreements import Agreements
from bot.matches.moderation import Moderation
from bot.matches.nudges import Nudges
from bot.matches.pauses import Pauses
from bot.matches.rematches import Rematches
from bot.matches.time_off import Vacations
from bot.settings.notices import EVENTS
from bot.storage import TABLE
from tests.support.broken_files import read_only
from tests.support.clock import DAY, EVERY_SHARD, HOUR, MINUTE
from tests.support.match_records import ask, execute, forget_user, put_message
from tests.support.matches import ANN, BEA, CHANNEL, CYD, GUILD, RETURNS, A, B, begun, opened
from tests.support.notice_world import TABLE_REF, low

# Each event once.


async def by_turn(world):
    await world.settings.choose(ANN, "accepted", "none")  # it would say the same
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await world.matches.submit(match, 0, BEA, low(B))
    return ANN


async def by_time(world):
    await world.begun()
    await world.settings.choose(BEA, "time", "none")
    world.watch.advance(DAY - 6 * HOUR)
    return ANN


async def by_a_second_reminder(world):
    for user, event in ((ANN, "time"), (BEA, "time"), (BEA, "last")):
        await world.settings.choose(user, event, "none")
    await world.begun()
    world.watch.advance(DAY - HOUR)
    return ANN


async def by_the_end_of_a_vacation(world):
    await world.begun()
    vacations = Vacations(world.storage, now=world.watch)
    await vacations.start(ANN, GUILD, 1)
    await vacations.end(ANN, GUILD)
    return ANN


async def by_nudge(world):
    match = await world.begun()
    await Nudges(world.storage, now=world.watch, returns=RETURNS).nudge(match, BEA)
    return ANN


async def by_challenge(world):
    match = await opened(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    return BEA


async def by_acceptance(world):
    await world.settings.choose(ANN, "turn", "none")
    await world.settings.choose(BEA, "turn", "none")
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    return ANN


async def by_refusal(world):
    match = await opened(world.matches, BEA, CYD)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await world.matches.decline(match, CYD)
    return ANN


async def by_expiry(world):
    match = await opened(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    world.watch.advance(3 * DAY)
    await world.timeouts.act(match)
    return ANN


async def by_offer(world):
    match = await world.begun()
    await Agreements(world.storage, SynchronousPool(), now=world.watch, returns=RETURNS).offer(
        match, BEA, "draw"
    )
    return ANN


async def by_rematch(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    await world.look()
    world.forget()
    await Rematches(world.storage, now=world.watch, returns=RETURNS).want(match, BEA, 55)
    return ANN


async def by_a_lost_channel(world):
    match = await world.begun()
    await world.settings.choose(BEA, "lost", "none")
    await Pauses(world.storage, now=world.watch).pause_channel(CHANNEL)
    assert await Pauses(world.storage, now=world.watch).pause(match, CHANNEL) == []
    return ANN


async def by_removal(world):
    for user in (ANN, BEA):
        await world.settings.choose(user, "turn", "none")
    await world.settings.choose(ANN, "accepted", "none")
    match = await begun(world.matches, BEA, CYD)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await Moderation(world.storage, now=world.watch).unseat(match, GUILD, CYD, BEA)
    return CYD


async def by_end(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    return ANN


async def by_watching(world):
    match = await world.begun()
    for user in (ANN, BEA):
        await world.settings.choose(user, "over", "none")
    async with world.storage.transaction() as writing:
        await writing.watches.add(match, CYD)
        await writing.watches.add(match, ANN)  # players get the notice for players instead
    await world.matches.concede(match, BEA)
    return CYD


CAUSES = {
    "turn": by_turn,
    "time": by_time,
    "last": by_a_second_reminder,
    "back": by_the_end_of_a_vacation,
    "nudged": by_nudge,
    "challenged": by_challenge,
    "accepted": by_acceptance,
    "declined": by_refusal,
    "expired": by_expiry,
    "offered": by_offer,
    "rematch": by_rematch,
    "lost": by_a_lost_channel,
    "out": by_removal,
    "over": by_end,
    "watched": by_watching,
}


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("way", ["dm", "channel", "none"])
async def test_every_event_is_announced_once_in_the_chosen_way(world, event, way):
    for user in (ANN, BEA, CYD):
        await world.settings.choose(user, event, way)

    user = await CAUSES[event](world)
    await world.later()
    await world.later()

    # The challenge itself mentions its invited players, and a new hand message tells of a turn.
    by_itself = {("challenged", "channel"), ("turn", "dm")}
    # Nobody can be mentioned in a lost channel.
    by = "dm" if event == "lost" else way
    told = [] if way == "none" or (event, way) in by_itself else [(user, by)]
    assert world.told() == told
    assert world.hands.brought == ([(1, A)] if (event, way) == ("turn", "dm") else [])


@pytest.mark.parametrize("event", [event for event in EVENTS if event != "turn"])
async def test_every_notice_has_a_link_and_says_where_to_change_notices(world, event):
    await world.settings.choose(BEA, "challenged", "dm")
    await world.settings.choose(ANN, "last", "dm")

    user = await CAUSES[event](world)
    await world.later()

    content = next(s["said"] for s in world.post.sent.values() if s["to"] == user)
    links = [button.url for row in content.rows for button in row if hasattr(button, "url")]
    assert "Pico · " in content.head
    assert f"{content.head}{content.foot}".endswith("`/notify` sets what I tell you and how.")
    table = f"https://discord.com/channels/{GUILD}/{CHANNEL}/500"
    assert links[-1] == (f"https://discord.com/channels/{GUILD}" if event == "lost" else table)


async def test_the_player_who_acted_gets_no_notice(world):
    match = await world.begun()

    await Agreements(world.storage, SynchronousPool(), now=world.watch, returns=RETURNS).offer(
        match, BEA, "draw"
    )
    await world.later()
    await world.matches.concede(match, BEA)
    await world.later()
    await Rematches(world.storage, now=world.watch, returns=RETURNS).want(match, BEA, 55)
    await world.later()

    assert world.told() == [(ANN, "dm")] * 3


async def test_the_winner_reads_who_resigned_and_who_wants_a_rematch(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    await world.look()
    over = world.said(ANN)
    await Rematches(world.storage, now=world.watch, returns=RETURNS).want(match, BEA, 55)
    await world.look()

    assert over.startswith("🏁 **This match is over.**\n### Pico")
    assert f"**<@{ANN}> wins**: <@{BEA}> resigned." in over
    assert world.said(ANN).startswith(f"🔁 **<@{BEA}> wants a rematch.** Press **Rematch** below")


async def test_an_event_during_another_notice_of_the_match_is_announced_right_after(world):
    match = await world.begun()
    await Nudges(world.storage, now=world.watch, returns=RETURNS).nudge(match, BEA)
    bring = world.hands.resend_hand

    async def resigned_meanwhile(notice, seat):
        world.hands.resend_hand = bring
        arrived = await bring(notice, seat)
        await world.matches.concede(match, BEA)
        await world.notices.look(EVERY_SHARD)
        return arrived

    world.hands.resend_hand = resigned_meanwhile
    await world.notices.look(EVERY_SHARD)
    await world.notices.finished()

    assert world.told() == [(ANN, "dm")] * 2
    assert world.said(ANN).startswith("🏁 **This match is over.**")


@pytest.mark.parametrize("what", ["person", "match"])
async def test_no_reminder_remains_if_its_player_or_match_was_deleted_meanwhile(world, what):
    await by_acceptance(world)
    bring = world.hands.resend_hand

    async def deleted_meanwhile(notice, seat):
        brought = await bring(notice, seat)
        if what == "person":
            await forget_user(world.storage, ANN)
        else:
            await execute(world.storage, "DELETE FROM matches")
        return brought

    world.hands.resend_hand = deleted_meanwhile
    with capture_logs() as logs:
        await world.later()

    assert world.told() == [(ANN, "dm")]
    assert ANN not in [user for user, _ in world.waiting()]
    assert "not told" not in [line["event"] for line in logs]


# People who are there.


async def test_two_active_players_get_no_notices_between_the_first_and_the_last(world):
    """They choose within a minute all match long, and both see the end on their hands."""
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    for user in (ANN, BEA):
        world.activity.note(match, user)
    while (snapshot := await world.matches.public(match)).status == "running":
        for user in (ANN, BEA):
            hand = await world.matches.snapshot(match, user)
            await world.matches.submit(match, snapshot.step, user, str(hand.legal[0]))
            await world.later(25)
    await world.later()
    await world.later()

    assert world.told() == []
    assert world.hands.brought == []
    assert world.waiting() == []


async def test_a_player_who_just_asked_for_a_rematch_is_notified_later(world):
    old = await world.begun()
    await world.matches.concede(old, BEA)
    for user in (ANN, BEA):
        await world.settings.choose(user, "accepted", "none")
    rematches = Rematches(world.storage, now=world.watch, returns=RETURNS)
    await rematches.want(old, BEA, 55)
    wanted = await rematches.want(old, ANN, 56)
    match = wanted.new.public().match
    await put_message(world.storage, match, TABLE, TABLE_REF)
    world.activity.note(old, ANN)

    await world.later(2 * MINUTE - 1)
    assert world.hands.brought == [(match, A)]  # Bea, because seats change
    await world.later(1)

    assert world.hands.brought == [(match, A), (match, B)]


async def test_a_player_who_chose_before_a_restart_still_counts_as_active(world):
    match = await world.begun()
    for user, seat in ((ANN, A), (BEA, B)):
        await world.matches.submit(match, 0, user, low(seat))
    world.restart()

    await world.matches.concede(match, BEA)
    await world.look()

    assert world.told() == []  # Ann has just chosen, so she's active


async def test_an_offer_is_announced_once_the_player_is_no_longer_active(world):
    match = await world.begun()
    world.activity.note(match, ANN)
    await Agreements(world.storage, SynchronousPool(), now=world.watch, returns=RETURNS).offer(
        match, BEA, "draw"
    )
    await world.look()
    assert world.told() == []

    await world.later()

    assert world.told() == [(ANN, "dm")]


@pytest.mark.sqlite
async def test_due_notices_are_found_by_an_index(storage, database):
    query = (
        "EXPLAIN QUERY PLAN SELECT notices.id FROM notices JOIN matches "
        "ON matches.id = notices.match WHERE notices.due_at <= 5 "
        "ORDER BY notices.due_at, notices.id LIMIT 500"
    )

    plan = [row[3] for row in ask(database, query)]

    assert "SEARCH notices USING INDEX ix_notices_due_at (due_at<?)" in plan[0]
    assert not any("SCAN" in line or "TEMP B-TREE" in line for line in plan)


@pytest.mark.parametrize("removed", [False, True])
async def test_a_watchers_notice_waits_until_it_is_known_what_they_can_read(world, removed):
    match = await world.begun()
    async with world.storage.transaction() as writing:
        await writing.watches.add(match, CYD)
        if removed:
            await writing.guilds.note_left(GUILD, int(world.watch()))
    world.members.all_read = None
    await world.matches.concede(match, BEA)

    await world.look()

    assert CYD not in dict(world.told())
    assert ((CYD, "watched") in world.waiting()) is not removed


async def test_if_too_many_notices_are_due_the_rest_is_read_soon(world, match, monkeypatch):
    """For example after an outage; otherwise the clock would read more only once a minute."""
    assert match
    world.watch.advance(MINUTE)
    monkeypatch.setattr("bot.scheduling.notices.MAX_READ", len(world.waiting()))

    some = await world.notices.look(EVERY_SHARD)
    await world.look()
    assert some == int(world.watch()) + 1
    assert world.told()
    assert await world.notices.look(EVERY_SHARD) != some


@pytest.mark.sqlite
async def test_a_notice_that_cannot_be_marked_as_sent_is_not_sent_repeatedly(world, match):
    """After some minutes Discord no longer knows the nonce, so it'd be sent again and again."""
    await world.settings.choose(ANN, "nudged", "channel")
    world.watch.advance(5 * MINUTE)
    await world.look()
    await Nudges(world.storage, now=world.watch, returns=RETURNS).nudge(match, BEA)

    async with read_only(world.storage):
        for _ in range(5):
            await world.notices.look(EVERY_SHARD)
            await world.notices.finished()
            world.watch.advance(MINUTE)
        during = max(world.post.tries.values())
    await world.look()

    assert during == 1
    assert max(world.post.tries.values()) == 2, "by then it is noted"
    assert "nudged" not in {event for _, event in world.waiting()}
