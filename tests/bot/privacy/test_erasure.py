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
from tests.support.matches import ANN, BEA, CYD, NOW, begun, opened
from tests.support.nowhere import Nowhere

TABLE_AT = MessageRef(channel=7, message=70, shown="")
DESK_AT = MessageRef(channel=8, message=80, shown="")


class Refusing:
    """Stands in for `Delivery`: tokens have expired and some messages are gone; records edits."""

    def __init__(self, *gone):
        self.gone = gone
        self.trouble = False
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
            raise UndeliveredError(Failure.TROUBLE if self.trouble else Failure.GONE)


class OnItsWay(Nowhere):
    """Stands in for `Live` with a hand that arrives just before its slot is abandoned."""

    def __init__(self, storage):
        super().__init__()
        self._storage = storage

    async def abandon(self, match, place):
        await put_message(self._storage, match, place, DESK_AT)


class Slots(Nowhere):
    """Stands in for `Live`: records the abandoned hands."""

    def __init__(self):
        super().__init__()
        self.given_up = []

    async def abandon(self, match, place):
        self.given_up.append((match, place))


class Marked(Nowhere):
    """Stands in for `Live`: records the changed matches."""

    def __init__(self):
        super().__init__()
        self.marked = []

    def changed(self, match):
        self.marked.append(match)


class Others:
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
        matches=matches,
        live=live or Nowhere(matches),
        delivery=delivery,
        memories=memories,
        now=now,
        share=share,
    )


async def shared(storage, match, message):
    """Store that Ann has shared the result of a match."""
    async with storage.transaction() as writing:
        claimed = await writing.shares.claim(
            ShareRecord(match=match, user=ANN, channel=7, message=None, shared_at=message)
        )
        assert await writing.shares.note_posted(claimed, message)


async def test_whoever_cannot_be_told_is_deleted_and_his_desk_closed(storage, matches, database):
    match = await begun(matches)
    await put_message(storage, match, TABLE, TABLE_AT)
    await put_message(storage, match, 0, DESK_AT)
    refusing = Refusing()

    with pytest.raises(UndeliveredError):
        await deletion(storage, matches, refusing).carry_out(
            click(), MessageContent(head="Deleted")
        )

    assert refusing.edited == {80: GONE}
    assert ask(database, f"SELECT count(*) FROM seats WHERE user = {ANN}") == [(0,)]  # noqa: S608


async def test_a_message_that_is_gone_or_damaged_keeps_no_other_from_being_edited(
    storage, matches, played
):
    shown, gone = await played(1), await played(2)
    damaged = await finished(storage, 3, (ANN, BEA), (1, 2))
    await put_message(storage, damaged, TABLE, TABLE_AT)
    refusing = Refusing(gone)
    told = deletion(storage, matches, refusing)

    await told.delete(ANN)
    await told.wipe()

    assert refusing.edited == {shown: MessageContent(head=f"{shown}: over")}


async def test_the_last_tables_are_edited_and_no_more(storage, matches, played, monkeypatch):
    monkeypatch.setattr("bot.privacy.erasure.TABLES", 2)
    _, second, third = [await played(n) for n in (1, 2, 3)]
    refusing = Refusing()
    told = deletion(storage, matches, refusing)

    await told.delete(ANN)
    await told.wipe()

    assert set(refusing.edited) == {second, third}


async def test_memories_are_told_whom_to_forget(storage, matches):
    memory = Memory()
    told = deletion(storage, matches, Refusing(), memory)

    await told.delete(ANN)

    assert memory.forgotten == [ANN]


async def test_other_processes_are_told_whom_to_forget(storage, matches):
    others = Others()

    await deletion(storage, matches, Refusing(), share=others).delete(ANN)

    assert others.heard == [("forget", ANN)]


async def test_a_hand_that_arrives_meanwhile_leaves_nothing(storage, matches):
    match = await begun(matches)

    await deletion(storage, matches, Refusing(), live=OnItsWay(storage)).delete(ANN)

    assert await messages_of(storage, match) == {}


@pytest.mark.parametrize(
    ("where", "what"), [(Marked, "abandon"), (ErasureRepository, "sweep"), (Writer, "empty_log")]
)
async def test_what_fails_once_somebody_is_deleted_keeps_nothing_else_from_being_done(
    storage, matches, database, monkeypatch, where, what
):
    match, live = await begun(matches), Marked()
    await put_message(storage, match, 0, DESK_AT)
    emptied = []

    async def fail(*_):
        raise StorageUnavailableError("the disk is full")

    async def empty(_):
        emptied.append(True)
        return True

    monkeypatch.setattr(Writer, "empty_log", empty)
    monkeypatch.setattr(where, what, fail)
    await deletion(storage, matches, Refusing(), live=live).delete(ANN)

    assert live.marked == [match]
    assert ask(database, f"SELECT count(*) FROM seats WHERE user = {ANN}") == [(0,)]  # noqa: S608
    assert bool(emptied) is not storage.log_is_to_be_emptied


async def test_who_was_deleted_and_comes_back_plays_unrated(storage, matches):
    """Otherwise people could get rid of losses by deleting their data."""
    await deletion(storage, matches, Refusing()).delete(ANN)

    again = await begun(matches)

    assert not (await matches.public(again)).rated


async def test_a_seat_in_a_challenge_is_free_for_the_hand_of_somebody_else(storage, matches):
    dealt = await begun(matches)
    three = GAMES["pico"].presets["pico1-three"]
    challenge = await opened(
        matches, opener=BEA, opponents=(CYD,), options=three, wanted=3, interaction=2
    )
    await matches.join(challenge, ANN)
    live = Slots()

    await deletion(storage, matches, Refusing(), live=live).delete(ANN)

    assert live.given_up == [(dealt, 0)]


async def test_a_post_that_is_gone_keeps_no_other_from_being_deleted(storage, matches):
    for number, message in ((1, 71), (2, 72), (3, 73)):
        await shared(storage, await finished(storage, number, (ANN, BEA), (1, 2)), message)
    refusing = Refusing(72)
    told = deletion(storage, matches, refusing)

    await told.delete(ANN)
    await told.wipe()

    assert refusing.deleted == [73, 71]


async def noted(storage, match, channel, message):
    """Store that Ann got a notice in this channel that a match is over."""
    sent = SentRecord(match=match, user=ANN, message=message, channel=channel, event="over", turn=1)
    async with storage.transaction() as writing:
        await writing.notices.put_sent(sent)


async def test_a_mention_that_stands_is_deleted_though_the_match_is_over(
    storage, matches, played, database
):
    """Nothing else would delete it. Their own direct messages aren't touched."""
    match = await played(1)
    await put_person(storage, ANN, PersonRecord(dm_channel=DESK_AT.channel))
    await noted(storage, match, DESK_AT.channel, 81)
    await noted(storage, match, 7, 72)
    erasure = deletion(storage, matches, refusing := Refusing())

    await erasure.delete(ANN)
    assert ask(database, "SELECT * FROM sent_notices") == []
    await erasure.wipe()

    assert refusing.deleted == [72]


async def test_a_mention_of_whoever_was_never_written_to_is_deleted_as_well(
    storage, matches, played
):
    match = await played(1)
    await put_person(storage, ANN, PersonRecord(dm_channel=None))
    await noted(storage, match, 7, 72)
    erasure = deletion(storage, matches, refusing := Refusing())

    await erasure.delete(ANN)
    await erasure.wipe()

    assert refusing.deleted == [72]


async def test_a_table_that_was_edited_is_not_remembered_as_it_was(storage, matches, played):
    """The next edit must be compared with the new content, and must not keep the old picture."""
    match, live = await played(1), Nowhere(matches)
    told = deletion(storage, matches, Refusing(), live=live)

    await told.delete(ANN)
    await told.wipe()

    assert live.forgotten == [match]


@pytest.fixture
async def shown(storage, matches, played):
    """Messages that show Ann: a hand, the table of a finished match and a shared result."""
    running = await begun(matches, interaction=1)
    await put_message(storage, running, 0, DESK_AT)
    ended = await played(2)
    await shared(storage, ended, 71)
    return {80: GONE, ended: MessageContent(head=f"{ended}: over")}


async def test_a_process_that_dies_after_a_deletion_leaves_no_message_with_their_name(
    storage, matches, shown, database
):
    await deletion(storage, matches, Refusing()).delete(ANN)
    refusing = Refusing()

    await deletion(storage, matches, refusing).wipe()  # as at the next start

    assert (refusing.edited, refusing.deleted) == (shown, [71])
    assert ask(database, "SELECT * FROM traces") == []


async def test_what_discord_has_trouble_with_is_tried_again_later_for_a_week(
    storage, matches, shown, database, watch
):
    refusing = Refusing()
    refusing.trouble = True
    told = deletion(storage, matches, refusing, now=watch)
    await told.delete(ANN)
    await told.wipe()
    refusing.trouble = False

    await told.wipe()
    assert refusing.edited == {}
    watch.advance(RETRY_PAUSE.total_seconds())
    await told.wipe()
    assert (refusing.edited, refusing.deleted) == (shown, [71])

    await shared(storage, min(shown), 72)
    await told.delete(ANN)
    refusing.trouble = True
    watch.advance(TRACE_LIFE.total_seconds())
    await told.wipe()
    assert ask(database, "SELECT * FROM traces") == []


async def test_who_is_deleted_while_a_table_is_edited_for_another_is_named_no_more(
    storage, matches, played, database
):
    """The edit under way still shows the table from before the second deletion."""
    match, refusing = await played(1), Refusing()
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
