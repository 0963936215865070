"""Notices that don't arrive, and the deletion of sent ones that are no longer valid."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from discord.utils import time_snowflake

from bot.cluster.share import EVERYTHING, shard_of
from bot.errors import StorageUnavailableError
from bot.matches.nudges import Nudges
from bot.matches.rematches import Rematches
from bot.messaging.failures import Failure
from bot.scheduling.notices import Notices
from bot.scheduling.sent_notices import STANDING, SWEEP
from bot.storage import TABLE, MessageRef
from bot.storage.notices import NoticeRepository, SentRecord
from bot.storage.shards import Shards
from tests.support.broken_files import lost_answers
from tests.support.clock import EVERY_SHARD, HOUR, MINUTE
from tests.support.match_records import ask, put_message
from tests.support.matches import ANN, BEA, CHANNEL, GUILD, RETURNS, A, B, begun
from tests.support.notice_world import TABLE_REF, low

# Crashes, and notices that don't arrive.


async def test_a_crash_between_sending_and_storing_a_notice_causes_no_second_one(
    world, monkeypatch
):
    await world.settings.choose(ANN, "over", "channel")
    match = await world.begun()
    await world.matches.concede(match, BEA)
    real = Notices._note_told

    async def die(self, message, arrived, *, resent):
        del self, message, arrived, resent
        raise asyncio.CancelledError

    monkeypatch.setattr(Notices, "_note_told", die)
    await world.notices.look(EVERY_SHARD)
    await world.notices.finished()
    assert world.told() == [(ANN, "channel")]
    monkeypatch.setattr(Notices, "_note_told", real)
    world.restart()

    await world.look()
    await world.later()

    assert world.told() == [(ANN, "channel")]
    assert max(world.post.tries.values()) == 2  # with the same nonce, so Discord has one message


async def test_a_crash_before_sending_loses_no_notice(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    world.restart()

    await world.notices.sent.start(EVERYTHING.owns)
    await world.look()

    assert world.told() == [(ANN, "dm")]


async def test_a_notice_is_retried_when_discord_has_trouble(world):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    world.post.failure = Failure.TROUBLE
    await world.look()
    world.post.failure = None

    await world.later(5 * MINUTE)

    assert world.told() == [(ANN, "dm")]


@pytest.mark.parametrize("failure", [Failure.NOWHERE, Failure.FORBIDDEN])
async def test_a_notice_that_can_never_arrive_is_given_up(world, failure):
    match = await world.begun()
    await world.matches.concede(match, BEA)
    world.post.failure = failure

    await world.look()

    assert world.waiting() == []


async def test_closed_direct_messages_become_a_mention_that_pings_only_them(world):
    match = await world.begun()
    world.post.closed |= {ANN, A}
    await world.matches.concede(match, BEA)

    await world.look()

    assert world.told() == [(ANN, "channel")]
    assert world.said(ANN).startswith(f"🏁 <@{ANN}>: **Pico")


async def test_a_player_who_left_the_server_is_not_mentioned_there(world):
    match = await world.begun()
    world.post.closed.add(ANN)
    world.members.left.add(ANN)
    await world.matches.concede(match, BEA)

    await world.look()

    assert world.told() == []


# Sent messages.


async def mention_of_turn(world):
    """Begin a match in which Ann is mentioned for her turn; returns it and the mention."""
    await world.settings.choose(ANN, "accepted", "none")
    await world.settings.choose(ANN, "turn", "channel")
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await world.later()
    (mention,) = world.post.sent.values()
    return match, mention


async def notice_of_end(world):
    """Play a match that Ann wins because Bea resigns; returns it and Ann's notice."""
    await world.settings.choose(ANN, "over", "channel")
    match = await world.begun()
    await world.matches.concede(match, BEA)
    await world.look()
    (over,) = world.post.sent.values()
    return match, over


async def test_a_mention_is_deleted_when_its_player_has_chosen(world):
    match, mention = await mention_of_turn(world)

    await world.matches.submit(match, 0, ANN, low(A))
    await world.look()

    assert mention["to"] == ANN
    assert world.post.deleted == [mention["message"]]
    assert ask(world.storage_file, "SELECT * FROM sent_notices") == []


@pytest.mark.parametrize("is_heard", [True, False])
async def test_a_mention_is_deleted_when_its_player_chose_in_another_process(world, is_heard):
    """This process doesn't see those commits; it's notified of them or may have missed that."""
    match, mention = await mention_of_turn(world)
    world.storage.unsubscribe(world.notices.sent.mark_changed)
    await world.matches.submit(match, 0, ANN, low(A))

    world.notices.sent.changed_elsewhere(match if is_heard else None)
    await world.look()

    assert world.post.deleted == [mention["message"]]


ELSEWHERE = Shards(frozenset({1 - shard_of(GUILD, 2)}), 2)
IN_AN_OUTAGE = replace(EVERY_SHARD, away=frozenset({GUILD}))


@pytest.mark.parametrize("shards", [ELSEWHERE, IN_AN_OUTAGE], ids=["elsewhere", "in an outage"])
@pytest.mark.parametrize("begin", ["a start", "a hint", "a commit"])
async def test_where_the_clock_rests_notices_are_neither_sent_nor_deleted(world, shards, begin):
    match, mention = await mention_of_turn(world)
    await world.settings.choose(ANN, "nudged", "channel")
    await Nudges(world.storage, now=world.watch, returns=RETURNS).nudge(match, BEA)
    world.watch.advance(HOUR)
    if begin == "a start":
        world.restart()
        await world.notices.sent.start(EVERYTHING.owns)
    elif begin == "a hint":
        world.notices.sent.changed_elsewhere(None)
    else:
        await world.matches.submit(match, 0, BEA, low(B))

    await world.look(shards)
    assert (world.told(), world.post.deleted) == ([(ANN, "channel")], [])
    await world.look()

    assert world.told() == [(ANN, "channel")] * 2
    assert world.post.deleted == [mention["message"]]


async def test_sent_messages_are_tracked_by_the_process_that_holds_their_server(world):
    match, mention = await mention_of_turn(world)
    world.restart()
    standing = world.notices.sent

    await standing.start(lambda guild: guild != GUILD)
    assert standing.unsure == set()
    await standing.start(lambda guild: guild == GUILD)  # as if its shard were taken over
    assert standing.unsure == {match}
    world.watch.advance(SWEEP.total_seconds())
    await standing.forget_old(lambda guild: guild != GUILD)  # its shard was given away again

    assert standing.unsure == set()
    assert ask(world.storage_file, "SELECT message FROM sent_notices") == [(mention["message"],)]
    await standing.start(EVERYTHING.owns)
    await world.matches.submit(match, 0, ANN, low(A))
    await world.look()
    assert world.post.deleted == [mention["message"]]


async def test_a_new_notice_deletes_the_previous_one(world):
    for event in ("over", "rematch"):
        await world.settings.choose(ANN, event, "channel")
    match = await world.begun()
    await world.matches.concede(match, BEA)
    await world.look()
    await Rematches(world.storage, now=world.watch, returns=RETURNS).want(match, BEA, 55)
    await world.look()

    over, rematch = (sent["message"] for sent in world.post.sent.values())
    assert world.post.deleted == [over]
    assert ask(world.storage_file, "SELECT message FROM sent_notices") == [(rematch,)]


async def test_a_mention_is_deleted_if_a_newer_hand_was_sent(world):
    match, over = await notice_of_end(world)
    hand = MessageRef(channel=ANN, message=over["message"] + 1, shown="")
    await put_message(world.storage, match, A, hand)

    await Rematches(world.storage, now=world.watch, returns=RETURNS).want(match, BEA, 55)
    await world.look()

    assert world.post.deleted == [over["message"]]


async def test_a_notice_is_deleted_when_a_hand_is_sent_even_if_nothing_else_changes(world):
    """For example if the player only now asked for their hand in direct messages."""
    match, over = await notice_of_end(world)

    hand = MessageRef(channel=ANN, message=over["message"] + 1, shown="")
    await put_message(world.storage, match, A, hand)
    await world.look()

    assert world.post.deleted == [over["message"]]


async def test_a_message_that_discord_fails_to_delete_is_deleted_at_the_next_look(world):
    match, mention = await mention_of_turn(world)
    await world.matches.submit(match, 0, ANN, low(A))
    world.post.failure = Failure.TROUBLE
    await world.look()
    before = list(world.post.deleted)

    world.post.failure = None
    await world.look()

    assert (before, world.post.deleted) == ([], [mention["message"]])
    assert ask(world.storage_file, "SELECT * FROM sent_notices") == []


@pytest.mark.parametrize("what", ["sent_in", "drop_sent"])
async def test_an_outdated_message_is_deleted_after_a_failure_of_the_database(
    world, monkeypatch, what
):
    match, mention = await mention_of_turn(world)
    await world.matches.submit(match, 0, ANN, low(A))

    async def fail(*_):
        raise StorageUnavailableError("the disk does not work")

    with monkeypatch.context() as disk:
        disk.setattr(NoticeRepository, what, fail)
        await world.look()
    await world.look()

    assert set(world.post.deleted) == {mention["message"]}
    assert ask(world.storage_file, "SELECT * FROM sent_notices") == []


async def test_a_message_whose_commit_was_unconfirmed_is_still_deleted_later(world, monkeypatch):
    """The connection breaks during that commit, which is carried out all the same."""
    note_told, standing = Notices._note_told, world.notices.sent

    async def unheard(notices, message, arrived, *, resent):
        if arrived is None:
            return await note_told(notices, message, arrived, resent=resent)
        async with lost_answers(world.storage):
            with pytest.raises(StorageUnavailableError) as lost:
                await note_told(notices, message, arrived, resent=resent)
        raise lost.value

    await standing.start(EVERYTHING.owns)
    with monkeypatch.context() as broken:
        broken.setattr(Notices, "_note_told", unheard)
        match, mention = await mention_of_turn(world)
    await world.matches.submit(match, 0, ANN, low(A))
    await world.look()

    world.watch.advance(SWEEP.total_seconds())
    await standing.forget_old(EVERYTHING.owns)
    await world.look()

    assert world.post.deleted == [mention["message"]]
    assert ask(world.storage_file, "SELECT * FROM sent_notices") == []


@pytest.mark.parametrize("failed", [False, True], ids=["read", "not read"])
async def test_a_message_outdated_during_an_absence_is_deleted_at_the_start(world, failed):
    """Or a little later, if the database can't be read at the start."""
    await world.settings.choose(ANN, "accepted", "none")
    await world.settings.choose(ANN, "turn", "channel")
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await world.later()
    await world.matches.submit(match, 0, ANN, low(A))
    world.restart()

    if not failed:
        await world.notices.sent.start(EVERYTHING.owns)
    await world.notices.sent.forget_old(EVERYTHING.owns)
    await world.look()

    assert len(world.post.deleted) == 1


async def test_after_three_days_the_notice_of_an_end_stays_for_good(world):
    """Nothing else would delete its row, because a finished match doesn't change."""
    standing = world.notices.sent
    await standing.start(EVERYTHING.owns)
    _, old = await notice_of_end(world)  # its id is that of an old message
    ended = await begun(world.matches, interaction=2)
    await world.matches.concede(ended, ANN)
    await world.look()
    young = time_snowflake(datetime.fromtimestamp(world.watch() + 2 * HOUR, UTC) - STANDING)
    sent = SentRecord(match=ended, user=BEA, message=young, channel=CHANNEL, event="over", turn=1)
    async with world.storage.transaction() as writing:
        await writing.notices.put_sent(sent)
    standing.note_sent(ended, GUILD)
    rows = "SELECT message FROM sent_notices ORDER BY message"
    await standing.forget_old(EVERYTHING.owns)
    assert ask(world.storage_file, rows) == [(old["message"],), (young,)]

    world.watch.advance(SWEEP.total_seconds())
    await standing.forget_old(EVERYTHING.owns)
    await world.look()

    assert ask(world.storage_file, rows) == [(young,)]
    assert standing._guilds.keys() == {ended}
    assert world.post.deleted == []


@pytest.mark.parametrize(("failure", "kept"), [(Failure.GONE, 0), (Failure.TROUBLE, 1)])
async def test_the_row_of_a_message_that_is_already_gone_is_deleted(world, failure, kept):
    await world.settings.choose(ANN, "accepted", "none")
    await world.settings.choose(ANN, "turn", "channel")
    match = await begun(world.matches)
    await put_message(world.storage, match, TABLE, TABLE_REF)
    await world.later()
    world.post.failure = failure

    await world.matches.submit(match, 0, ANN, low(A))
    await world.look()

    assert len(ask(world.storage_file, "SELECT * FROM sent_notices")) == kept


@pytest.mark.parametrize("restarted", [True, False], ids=["at a start", "an hour later"])
async def test_a_mention_that_could_not_be_deleted_at_the_end_is_deleted_later(world, restarted):
    """Nobody wants a notice of the end, so no other message replaces it."""
    for user in (ANN, BEA):
        await world.settings.choose(user, "over", "none")
    match, mention = await mention_of_turn(world)
    await world.matches.concede(match, BEA)
    world.post.failure = Failure.TROUBLE
    await world.look()
    if restarted:
        world.restart()
    standing = world.notices.sent
    world.watch.advance(SWEEP.total_seconds())
    await standing.forget_old(EVERYTHING.owns)

    world.post.failure = None
    await world.look()

    assert world.post.deleted == [mention["message"]]
    assert ask(world.storage_file, "SELECT * FROM sent_notices") == []
