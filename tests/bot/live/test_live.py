"""Hands that are sent again, and tables whose threads end, during everything that can happen."""

import asyncio
import time
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from bot.live.private_hand import Private, PrivateCopy
from bot.messaging.failures import Failure, UndeliveredError
from bot.messaging.first_answer import Token
from bot.storage import TABLE, MessageRef
from bot.storage.notices import NoticeRecord
from tests.support.broken_files import read_only
from tests.support.match_records import ask, execute, put_message, record_of
from tests.support.matches import ANN, BEA, CHANNEL, A, begun
from tests.support.notice_world import low

PATIENCE = 10


def news(match, event, turn=0):
    return NoticeRecord(id=1, match=match, user=ANN, event=event, actor=BEA, turn=turn)


async def coming(live, inboxes, notice):
    """The task that sends a hand, waiting for its direct messages to be opened."""
    bringing = asyncio.create_task(live.resend_hand(notice, A))
    await asyncio.wait_for(inboxes.asked.wait(), PATIENCE)
    return bringing


async def test_no_hand_is_sent_for_a_turn_that_ended_while_its_direct_messages_were_opened(
    live, inboxes, channels, matches, match
):
    turn = (await matches.public(match)).turn
    bringing = await coming(live, inboxes, news(match, "turn", turn))

    await matches.submit(match, 0, ANN, low(A))
    inboxes.open.set()

    assert await bringing
    assert channels.sent == []
    assert (await matches.snapshot(match, ANN)).told is None


async def test_an_ended_match_is_not_forgotten_while_a_hand_is_being_sent(
    live, inboxes, matches, match
):
    """Otherwise the next change would not know about that hand, and send another."""
    await matches.concede(match, BEA)
    hand = await live.slots.hand(match, A)
    bringing = await coming(live, inboxes, news(match, "over"))

    await live._settle(await matches.public(match), live._snapshots.version(match))

    assert await live.slots.hand(match, A) is hand
    bringing.cancel()
    await asyncio.gather(bringing, return_exceptions=True)


async def test_a_table_whose_thread_is_gone_when_it_would_be_kept_open_pauses_its_match(
    live, threads, matches, storage
):
    gone, other = await begun(matches), await begun(matches, interaction=2)
    for match in (gone, other):
        ref = MessageRef(channel=CHANNEL + match, message=500 + match, shown="")
        await put_message(storage, match, TABLE, ref)
    threads.old = {gone: 500 + gone, other: 500 + other}
    await lose(live, gone, Failure.NOWHERE)
    await lose(live, other, Failure.TROUBLE)

    await live.keep_threads_open()

    assert (await record_of(storage, gone)).paused
    assert not (await record_of(storage, other)).paused
    assert gone in live.marked


async def test_a_table_that_could_not_be_reposted_is_tried_again_after_a_while(
    live, threads, channels, storage, match, monkeypatch
):
    """Nothing tells the bot that its timeout in a server has ended."""
    monkeypatch.setattr("bot.live.bar.PAUSES", (0.0,))
    await put_message(storage, match, TABLE, MessageRef(channel=CHANNEL, message=500, shown=""))
    threads.old = {match: 500}
    channels.failure = Failure.FORBIDDEN
    await live.keep_threads_open()
    deleted = list(channels.deleted)

    channels.failure = None
    await live.keep_threads_open()

    assert (deleted, channels.deleted) == ([], [500])


async def test_a_deleted_match_is_silently_no_longer_shown(live, match, storage):
    await live.slots.table(match)
    await execute(storage, "DELETE FROM matches")

    with capture_logs() as logs:
        shown = await live.bring_up_to_date(match)
        is_done = await live._updater._show((match, TABLE))

    assert (shown, is_done, logs) == ([], True, [])
    assert live.slots.known() == ()


async def test_private_state_is_gone_when_servers_return_from_another_process(live, matches, match):
    hand = await live.slots.hand(match, A)
    hand.private.copy = hand.private.receipt = PrivateCopy(shown="old")
    hand.note_draft(await matches.snapshot(match, ANN), "3")

    await live.forget_servers(lambda _: True)
    await live.note_changed_elsewhere(match)

    assert (await live.slots.hand(match, A)).private == Private()


@pytest.mark.parametrize("is_known", [True, False], ids=["in memory", "forgotten before"])
async def test_a_failed_write_does_not_overwrite_what_another_process_shows_meanwhile(
    live, storage, database, match, is_known
):
    ref = MessageRef(channel=CHANNEL, message=500, shown="")
    await put_message(storage, match, TABLE, ref)
    (await live.slots.table(match)).mark_shown("old", 2)
    async with read_only(storage):
        if not is_known:
            live.slots.forget(match)
        await live.forget_servers(lambda _: True)
    await put_message(storage, match, TABLE, replace(ref, shown="newer"))

    await live.slots.flush()

    assert ask(database, "SELECT shown, revision FROM places") == [("newer", 0)]


async def test_a_private_hand_is_redrawn_because_the_table_may_have_moved(live, match):
    (await live.slots.hand(match, A)).private.copy = PrivateCopy(shown="key")

    await live.note_changed_elsewhere(match)

    assert (await live.slots.hand(match, A)).private.copy == PrivateCopy(shown="")


async def test_a_replaced_private_hand_that_cannot_be_deleted_does_not_keep_the_others(
    live, channels, match, monkeypatch
):
    private, delete_by = (await live.slots.hand(match, A)).private, channels.delete_by
    until = int(time.time()) + 600
    private.replaced = [PrivateCopy(Token.kept(str(i), until, None), message=i) for i in (1, 2)]

    async def delete(token):
        if token.value == "2":
            raise UndeliveredError(Failure.TROUBLE)
        await delete_by(token)

    monkeypatch.setattr(channels, "delete_by", delete)
    for _ in range(2):
        await live._updater._show((match, A))

    assert channels.answers == [("1", "deleted")]
    assert [copy.message for copy in private.replaced] == [2]


async def test_a_draft_is_dropped_if_another_process_answered_in_the_hand(live, matches, match):
    """The other process may have shown a newer draft."""
    snapshot = await matches.snapshot(match, ANN)
    (await live.slots.hand(match, A)).note_draft(snapshot, "3")

    await live.note_changed_elsewhere(match)
    kept = (await live.slots.hand(match, A)).draft(snapshot)
    await live.note_changed_elsewhere(match, A)

    assert kept == "3"
    assert (await live.slots.hand(match, A)).draft(snapshot) == ""


async def test_an_answer_under_way_while_a_match_is_read_again_is_waited_for(live, match):
    """The hand has a new slot by then, whose changes wait for the answer."""
    before = await live.slots.hand(match, A)
    async with before.lock:
        await live.note_changed_elsewhere(match)
        before.private.copy = PrivateCopy(shown="now")
        after = await live.slots.hand(match, A)
        is_changed = after.is_being_shown

    assert after is not before
    assert is_changed
    assert after.private.copy == PrivateCopy(shown="now")


async def lose(live, match, failure):
    """Make every attempt to repost the table of a match fail."""

    async def fail(snapshot):
        raise UndeliveredError(failure)

    (await live.slots.table(match)).keep_open = fail


async def test_a_prompt_answer_causes_one_comparison_of_its_match(live, match, monkeypatch):
    monkeypatch.setattr("bot.live.live.ANSWER_PATIENCE_SECONDS", 0.0)

    async with live.changing(match):
        before = list(live.marked)
    await asyncio.sleep(0)

    assert (before, live.marked) == ([], [match])


async def test_an_ended_match_is_not_forgotten_while_the_answer_hangs(live, matches, match):
    """What the answer reveals is stored with the hand, which still has to show the end."""
    hand = await live.slots.hand(match, A)
    async with live.changing(match):
        await matches.concede(match, BEA)

        await live._settle(await matches.public(match), live._snapshots.version(match))

        assert await live.slots.hand(match, A) is hand
    assert live.marked == [match]


async def test_a_match_that_changes_during_an_answer_that_shows_everything_is_compared(live, match):
    """A comparison made meanwhile may have left the end of the match to the answer."""
    async with live.changing(match) as change:
        live.note_changed(match)
        change.is_shown = True

    assert live.marked == [match, match]
