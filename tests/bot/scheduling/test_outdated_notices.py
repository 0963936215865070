"""Notices that are no longer valid when they're due, and people who get none."""

import asyncio

from bot.computers.pool import SynchronousPool
from bot.matches.agreements import Agreements
from bot.matches.limits import POSTED_WITHIN
from bot.matches.moderation import Moderation
from bot.matches.rematches import Rematches
from tests.support.clock import DAY, EVERY_SHARD, MINUTE
from tests.support.match_records import ask, forget_user
from tests.support.matches import ANN, BEA, CYD, GUILD, RETURNS, begun, opened
from tests.support.notice_world import Channels


async def test_an_answered_offer_is_not_announced(world):
    match = await world.begun()
    agreements = Agreements(world.storage, SynchronousPool(), now=world.watch, returns=RETURNS)
    world.activity.note(match, ANN)
    await agreements.offer(match, BEA, "draw")
    await agreements.decline(match, ANN, "draw")

    await world.later()

    assert world.told() == []
    assert ("offered",) not in ask(world.storage_file, "SELECT event FROM notices")


async def test_a_turn_of_a_finished_match_is_not_announced(world):
    match = await begun(world.matches)
    await Moderation(world.storage, now=world.watch).end(match, GUILD, ANN)

    await world.later()

    assert world.hands.brought == []
    assert world.told() == [(BEA, "dm")]
    assert "**Ended by a moderator**, without a result." in world.said(BEA)


async def test_a_deleted_person_gets_no_notice_and_is_named_in_none(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    await forget_user(world.storage, ANN)

    await world.later()

    assert world.told() == []


async def test_a_notice_sent_during_the_erasure_of_its_person_is_deleted(world, monkeypatch):
    """It names them, and no row remains by which it could be found later."""
    match = await world.begun()
    world.post.closed.add(ANN)  # so the notice goes to the table's channel
    send = Channels.send

    async def send_slowly(*message, **pinged):
        arrived = await send(*message, **pinged)
        await forget_user(world.storage, ANN)
        return arrived

    monkeypatch.setattr(Channels, "send", send_slowly)
    await world.matches.concede(match, BEA)

    await world.later()

    assert world.told() == [(ANN, "channel")]
    assert world.post.deleted == [sent["message"] for sent in world.post.sent.values()]


async def test_a_notice_sent_by_two_processes_during_a_handover_is_not_deleted(world, monkeypatch):
    """Discord answers both with the same message; only the first process finds the notice's row."""
    await world.settings.choose(ANN, "over", "channel")
    match = await world.begun()
    await world.matches.concede(match, BEA)
    before, send = world.notices, Channels.send
    world.restart()  # the process that holds the shard next
    both = asyncio.Barrier(2)

    async def send_at_once(*message, **pinged):
        arrived = await send(*message, **pinged)
        await both.wait()
        return arrived

    monkeypatch.setattr(Channels, "send", send_at_once)
    for notices in (before, world.notices):
        await notices.look(EVERY_SHARD)
    await asyncio.gather(before.finished(), world.notices.finished())

    assert max(world.post.tries.values()) == 2
    assert world.told() == [(ANN, "channel")]
    assert world.post.deleted == []
    assert ask(world.storage_file, "SELECT message FROM sent_notices") == [(1000,)]


async def test_a_player_who_forfeited_on_time_is_notified_of_the_end(world):
    match = await world.begun()
    for step in range(2):
        await world.matches.submit(
            match, step, ANN, str((await world.matches.snapshot(match, ANN)).legal[0])
        )
        world.watch.advance(DAY)
        await world.timeouts.act(match)
    world.forget()

    await world.look()

    assert sorted(line for line in world.told() if line[0] == BEA) == [(BEA, "dm")]
    assert f"<@{BEA}> missed two deadlines in a row" in world.said(BEA)


async def test_a_blocked_players_rematch_request_sends_no_notice(world):
    match = await world.begun()
    async with world.storage.transaction() as writing:
        await writing.blocks.add(ANN, BEA)
    await world.matches.concede(match, BEA)
    await world.look()
    await Rematches(world.storage, now=world.watch, returns=RETURNS).want(match, BEA, 55)

    await world.later()

    assert len(world.told()) == 1
    assert "is over" in world.said(ANN)


async def test_a_blocked_players_offer_sends_no_notice(world):
    """The offer itself is in the match, where it can be answered."""
    match = await world.begun()
    async with world.storage.transaction() as writing:
        await writing.blocks.add(ANN, BEA)
    await Agreements(world.storage, SynchronousPool(), now=world.watch, returns=RETURNS).offer(
        match, BEA, "draw"
    )

    await world.later()

    assert world.told() == []
    assert ("offered",) not in ask(world.storage_file, "SELECT event FROM notices")


async def test_a_watchers_notice_of_the_result_stays_when_a_rematch_begins(world):
    match = await world.begun()
    async with world.storage.transaction() as writing:
        await writing.watches.add(match, CYD)
    await world.matches.concede(match, BEA)
    await world.look()
    (told,) = (sent["message"] for sent in world.post.sent.values() if sent["to"] == CYD)

    rematches = Rematches(world.storage, now=world.watch, returns=RETURNS)
    for user in (ANN, BEA):
        await rematches.want(match, user, 55)
    await world.look()

    assert told not in world.post.deleted


async def test_a_challenge_that_was_never_posted_is_looked_at_once_a_minute(world):
    """The bot died before it could post it, or couldn't undo it: it stays open until it expires.

    One that was posted just before a crash is found soon after the next start.
    """
    match = await opened(world.matches)
    await world.settings.choose(BEA, "challenged", "dm")
    await world.look()
    soon = ask(world.storage_file, "SELECT due_at FROM notices")
    begun_at = int(world.watch())

    await world.later(POSTED_WITHIN + 1)
    late = ask(world.storage_file, "SELECT due_at FROM notices")
    await world.table(match)
    await world.later(MINUTE)

    assert soon == [(begun_at + 5,)]
    assert late == [(begun_at + POSTED_WITHIN + 1 + MINUTE,)]
    assert world.told() == [(BEA, "dm")]
