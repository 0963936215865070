"""Deleting a person works whatever happens to the messages that show them."""

from types import SimpleNamespace

import discord
import pytest

from bot.cluster.share import EVERYTHING
from bot.errors import StorageUnavailableError
from bot.messaging.content import MessageContent
from bot.messaging.failures import Failure, UndeliveredError
from bot.privacy.erasure import GONE, RETRY_PAUSE, Erasure
from bot.storage import TABLE, MessageRef, PersonRecord
from bot.storage.erasure import ErasureRepository
from bot.storage.notices import SentRecord
from bot.storage.shares import ShareRecord
from bot.storage.traces import TRACE_LIFE
from bot.storage.writer import Writer
from games import GAMES
from tests.support.match_records import ask, finished, messages_of, put_message, put_person
from tests.support.matches import ANN, BEA, CYD, NOW, RETURNS, begun, opened
from tests.support.nowhere import Nowhere

TABLE_AT = MessageRef(channel=7, message=70, shown="")
DESK_AT = MessageRef(channel=8, message=80, shown="")


class RefusingDelivery:
    """Stands in for `Delivery`: tokens have expired and some messages are gone; records edits."""

    def __init__(self, *gone):
        self.gone = gone
        self.trouble = None
        self.edits = 0
        self.edited = {}
        self.deleted = []

    async def acknowledge(self, interaction):
        del interaction

    async def edit_by(self, token, content, had):
        del token, content, had
        raise UndeliveredError(Failure.EXPIRED)

    async def edit_past(self, channel, message, content):
        del channel
        self._must_take(message)
        self.edited[message] = content
        self.edits += 1

    async def delete(self, channel, message):
        del channel
        self._must_take(message)
        self.deleted.append(message)

    def _must_take(self, message):
        if self.trouble or message in self.gone:
            raise UndeliveredError(self.trouble or Failure.GONE)


class LiveWithLateHand(Nowhere):
    """Stands in for `Live` with a hand that arrives just before its slot is abandoned."""

    def __init__(self, storage):
        super().__init__()
        self._storage = storage

    async def abandon(self, match, place):
        await put_message(self._storage, match, place, DESK_AT)


class AbandonRecorder(Nowhere):
    """Stands in for `Live`: records the abandoned hands."""

    def __init__(self):
        super().__init__()
        self.given_up = []

    async def abandon(self, match, place):
        self.given_up.append((match, place))


class ChangeRecorder(Nowhere):
    """Stands in for `Live`: records the changed matches."""

    def __init__(self):
        super().__init__()
        self.marked = []

    def note_changed(self, match):
        self.marked.append(match)


class OtherProcesses:
    """Stands in for other processes: records what they're told."""

    def __init__(self):
        self.heard = []

    def tell(self, what, *about):
        self.heard.append((what, *about))


class Memory:
    """Records the people it's told to forget."""

    def __init__(self):
        self.forgotten = []

    def forget(self, user):
        self.forgotten.append(user)


def click():
    now = discord.utils.utcnow()
    who = SimpleNamespace(id=ANN)
    return SimpleNamespace(user=who, token="token", created_at=now, extras={})


@pytest.fixture
def played(matches, storage):
    """Plays a match with a table to its end; returns its number."""

    async def win(interaction):
        match = await begun(matches, interaction=interaction)
        await matches.concede(match, BEA)
        await put_message(storage, match, TABLE, MessageRef(channel=7, message=match, shown=""))
        return match

    return win


def deletion(storage, matches, delivery, *memories, live=None, share=EVERYTHING, now=lambda: NOW):
    return Erasure(
        storage=storage,
        live=live or Nowhere(matches),
        delivery=delivery,
        memories=memories,
        returns=RETURNS,
        now=now,
        share=share,
    )


async def store_share(storage, match, message):
    """Store that Ann has shared the result of a match."""
    async with storage.transaction() as writing:
        claimed = await writing.shares.claim(
            ShareRecord(match=match, user=ANN, channel=7, message=None, shared_at=message)
        )
        assert await writing.shares.note_posted(claimed, message)


async def test_a_person_who_gets_no_answer_is_deleted_and_their_hand_edited(
    storage, matches, database
):
    match = await begun(matches)
    await put_message(storage, match, TABLE, TABLE_AT)
    await put_message(storage, match, 0, DESK_AT)
    refusing = RefusingDelivery()

    with pytest.raises(UndeliveredError):
        await deletion(storage, matches, refusing).carry_out(
            click(), MessageContent(head="Deleted")
        )

    assert refusing.edited == {80: GONE}
    assert ask(database, f"SELECT count(*) FROM seats WHERE user = {ANN}") == [(0,)]  # noqa: S608


async def test_a_gone_or_damaged_message_does_not_stop_other_edits(storage, matches, played):
    shown, gone = await played(1), await played(2)
    damaged = await finished(storage, 3, (ANN, BEA), (1, 2))
    await put_message(storage, damaged, TABLE, TABLE_AT)
    refusing = RefusingDelivery(gone)
    told = deletion(storage, matches, refusing)

    await told.delete(ANN)
    await told.wipe()

    assert refusing.edited == {shown: MessageContent(head=f"{shown}: over")}


async def test_only_the_latest_tables_are_edited(storage, matches, played, monkeypatch):
    monkeypatch.setattr("bot.privacy.erasure.TABLES", 2)
    _, second, third = [await played(n) for n in (1, 2, 3)]
    refusing = RefusingDelivery()
    told = deletion(storage, matches, refusing)

    await told.delete(ANN)
    await told.wipe()

    assert set(refusing.edited) == {second, third}


async def test_caches_are_told_to_forget_the_person(storage, matches):
    memory = Memory()
    told = deletion(storage, matches, RefusingDelivery(), memory)

    await told.delete(ANN)

    assert memory.forgotten == [ANN]


async def test_other_processes_are_told_to_forget_the_person(storage, matches):
    others = OtherProcesses()

    await deletion(storage, matches, RefusingDelivery(), share=others).delete(ANN)

    assert others.heard == [("forget", ANN)]


async def test_a_hand_that_arrives_meanwhile_leaves_no_row(storage, matches):
    match = await begun(matches)

    await deletion(storage, matches, RefusingDelivery(), live=LiveWithLateHand(storage)).delete(ANN)

    assert await messages_of(storage, match) == {}


@pytest.mark.parametrize(
    ("where", "what"),
    [(ChangeRecorder, "abandon"), (ErasureRepository, "sweep"), (Writer, "empty_log")],
)
async def test_an_error_after_the_deletion_does_not_stop_the_rest(
    storage, matches, database, monkeypatch, where, what
):
    match, live = await begun(matches), ChangeRecorder()
    await put_message(storage, match, 0, DESK_AT)
    emptied = []

    async def fail(*_):
        raise StorageUnavailableError("the disk is full")

    async def empty(_):
        emptied.append(True)
        return True

    monkeypatch.setattr(Writer, "empty_log", empty)
    monkeypatch.setattr(where, what, fail)
    await deletion(storage, matches, RefusingDelivery(), live=live).delete(ANN)

    assert live.marked == [match]
    assert ask(database, f"SELECT count(*) FROM seats WHERE user = {ANN}") == [(0,)]  # noqa: S608
    assert bool(emptied) is not storage.log_is_to_be_emptied


async def test_a_returning_deleted_person_plays_unrated(storage, matches):
    """Otherwise people could get rid of losses by deleting their data."""
    await deletion(storage, matches, RefusingDelivery()).delete(ANN)

    again = await begun(matches)

    assert not (await matches.public(again)).rated


async def test_only_hands_of_running_matches_are_abandoned(storage, matches):
    dealt = await begun(matches)
    three = GAMES["pico"].presets["pico1-three"]
    challenge = await opened(
        matches, opener=BEA, opponents=(CYD,), options=three, wanted=3, interaction=2
    )
    await matches.join(challenge, ANN)
    live = AbandonRecorder()

    await deletion(storage, matches, RefusingDelivery(), live=live).delete(ANN)

    assert live.given_up == [(dealt, 0)]


async def test_a_gone_post_does_not_stop_other_deletions(storage, matches):
    for number, message in ((1, 71), (2, 72), (3, 73)):
        await store_share(storage, await finished(storage, number, (ANN, BEA), (1, 2)), message)
    refusing = RefusingDelivery(72)
    told = deletion(storage, matches, refusing)

    await told.delete(ANN)
    await told.wipe()

    assert refusing.deleted == [73, 71]


async def store_notice(storage, match, channel, message):
    """Store that Ann got a notice in this channel that a match is over."""
    sent = SentRecord(match=match, user=ANN, message=message, channel=channel, event="over", turn=1)
    async with storage.transaction() as writing:
        await writing.notices.put_sent(sent)


async def test_a_mention_of_a_finished_match_is_deleted(storage, matches, played, database):
    """Nothing else would delete it. Their own direct messages aren't touched."""
    match = await played(1)
    await put_person(storage, ANN, PersonRecord(dm_channel=DESK_AT.channel))
    await store_notice(storage, match, DESK_AT.channel, 81)
    await store_notice(storage, match, 7, 72)
    erasure = deletion(storage, matches, refusing := RefusingDelivery())

    await erasure.delete(ANN)
    assert ask(database, "SELECT * FROM sent_notices") == []
    await erasure.wipe()

    assert refusing.deleted == [72]


async def test_a_mention_of_a_person_without_direct_messages_is_deleted_too(
    storage, matches, played
):
    match = await played(1)
    await put_person(storage, ANN, PersonRecord(dm_channel=None))
    await store_notice(storage, match, 7, 72)
    erasure = deletion(storage, matches, refusing := RefusingDelivery())

    await erasure.delete(ANN)
    await erasure.wipe()

    assert refusing.deleted == [72]


async def test_an_edited_table_is_dropped_from_the_cache(storage, matches, played):
    """The next edit must be compared with the new content, and must not keep the old picture."""
    match, live = await played(1), Nowhere(matches)
    told = deletion(storage, matches, RefusingDelivery(), live=live)

    await told.delete(ANN)
    await told.wipe()

    assert live.forgotten == [match]


@pytest.fixture
async def shown(storage, matches, played):
    """Messages that show Ann: a hand, the table of a finished match and a shared result."""
    running = await begun(matches, interaction=1)
    await put_message(storage, running, 0, DESK_AT)
    ended = await played(2)
    await store_share(storage, ended, 71)
    return {80: GONE, ended: MessageContent(head=f"{ended}: over")}


async def test_after_a_crash_the_next_start_removes_the_name_from_all_messages(
    storage, matches, shown, database
):
    await deletion(storage, matches, RefusingDelivery()).delete(ANN)
    refusing = RefusingDelivery()

    await deletion(storage, matches, refusing).wipe()  # as at the next start

    assert (refusing.edited, refusing.deleted) == (shown, [71])
    assert ask(database, "SELECT * FROM traces") == []


@pytest.mark.parametrize("why", [Failure.TROUBLE, Failure.OLD])
async def test_edits_that_fail_are_retried_for_a_week(
    storage, matches, shown, database, watch, why
):
    """Discord limits how many old messages are edited at a time."""
    refusing = RefusingDelivery()
    refusing.trouble = why
    told = deletion(storage, matches, refusing, now=watch)
    await told.delete(ANN)
    await told.wipe()
    refusing.trouble = None

    await told.wipe()
    assert refusing.edited == {}
    watch.advance(RETRY_PAUSE.total_seconds())
    await told.wipe()
    assert (refusing.edited, refusing.deleted) == (shown, [71])

    await store_share(storage, min(shown), 72)
    await told.delete(ANN)
    refusing.trouble = why
    watch.advance(TRACE_LIFE.total_seconds())
    await told.wipe()
    assert ask(database, "SELECT * FROM traces") == []


async def test_two_deletions_that_overlap_on_one_table_remove_both_names(
    storage, matches, played, database
):
    """The edit under way still shows the table from before the second deletion."""
    match, refusing = await played(1), RefusingDelivery()
    told, edit = deletion(storage, matches, refusing), refusing.edit_past

    async def deleted_meanwhile(*args):
        refusing.edit_past = edit
        await told.delete(BEA)
        await edit(*args)

    refusing.edit_past = deleted_meanwhile
    await told.delete(ANN)
    await told.wipe()

    assert list(refusing.edited) == [match]
    assert ask(database, "SELECT * FROM traces") == []
    assert refusing.edits == 2
