"""Somebody is deleted whatever becomes of the messages about it."""

from types import SimpleNamespace

import discord
import pytest

from bot.messaging.content import MessageContent
from bot.messaging.failures import Failure, UndeliveredError
from bot.privacy.erasure import GONE, Erasure
from bot.storage import TABLE, MessageRef
from tests.support.match_records import ask, finished, put_message
from tests.support.matches import ANN, BEA, NOW, begun

TABLE_AT = MessageRef(channel=7, message=70, shown="")
DESK_AT = MessageRef(channel=8, message=80, shown="")


class Refusing:
    """Discord where answers come too late and some messages are gone; what was edited."""

    def __init__(self, *gone):
        self.gone = gone
        self.edited = {}

    async def acknowledge(self, interaction):
        del interaction

    async def edit_by(self, token, content, had):
        del token, content, had
        raise UndeliveredError(Failure.EXPIRED)

    async def edit_past(self, channel, message, content):
        del channel
        if message in self.gone:
            raise UndeliveredError(Failure.GONE)
        self.edited[message] = content


class Nowhere:
    """Nobody else has anything to see."""

    def __init__(self):
        self.slots = self

    def changed(self, match):
        del match

    now = forget = changed

    async def abandon(self, match, place):
        del match, place

    async def table_content(self, snapshot):
        return MessageContent(head=f"{snapshot.match}: {snapshot.status}")


class Memory:
    """Notes whom it is told to forget."""

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
    """Makes a match that has just been won, with a table; its number."""

    async def win(interaction):
        match = await begun(matches, interaction=interaction)
        await matches.concede(match, BEA)
        await put_message(storage, match, TABLE, MessageRef(channel=7, message=match, shown=""))
        return match

    return win


def deletion(storage, matches, delivery, *memories):
    return Erasure(
        storage=storage,
        matches=matches,
        live=Nowhere(),
        delivery=delivery,
        memories=memories,
        now=lambda: NOW,
    )


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

    await told.wipe(await told.delete(ANN))

    assert refusing.edited == {shown: MessageContent(head=f"{shown}: over")}


async def test_the_last_tables_are_edited_and_no_more(storage, matches, played, monkeypatch):
    monkeypatch.setattr("bot.privacy.erasure.TABLES", 2)
    _, second, third = [await played(n) for n in (1, 2, 3)]
    refusing = Refusing()
    told = deletion(storage, matches, refusing)

    await told.wipe(await told.delete(ANN))

    assert set(refusing.edited) == {second, third}


async def test_memories_are_told_whom_to_forget(storage, matches):
    memory = Memory()
    told = deletion(storage, matches, Refusing(), memory)

    await told.delete(ANN)

    assert memory.forgotten == [ANN]
