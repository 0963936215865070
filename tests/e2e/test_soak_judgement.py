"""What the soak test counts as a promise of the bot, and what as a refusal."""

import asyncio
import random

import pytest

from bot.errors import MaybeSavedError, StorageUnavailableError
from sandbox import Fault
from tests.soak import database_checks
from tests.soak.message_checks import Standing
from tests.soak.messages import Messages
from tests.soak.player import Player
from tests.soak.record import Record
from tests.soak.siege import Tally
from tests.support.tables import resign
from tests.support.taps import begun, tap
from tests.support.waiting import written


def player(table):
    """Ann, who chooses at random and records what she is told."""
    ann, messages, chance = table.person("Ann"), Messages(table.discord), random.Random(1)
    return Player(table.discord, ann, messages, Record(), chance, reachable=lambda: True)


async def chosen_amid_trouble(table):
    """Ann after a choice in a new match, of which she was told only that it is saved."""
    await table.match()
    ann = player(table)
    table.discord.faults.add(Fault(path="/callback", drop=True))
    await ann.choose(table.desk("Ann"))
    return ann


async def test_a_choice_that_was_saved_but_could_not_be_shown_is_not_a_refusal(table):
    ann = await chosen_amid_trouble(table)

    ((move,),) = table.sql("SELECT move FROM moves")
    assert list(ann.record.told.values()) == [move]
    assert database_checks.strange_choices(table.database, ann.record) == []


async def test_a_choice_that_may_have_been_saved_is_neither_a_refusal_nor_a_promise(
    table, monkeypatch
):
    await table.match()
    ann = player(table)

    async def unsure(*_of_turn):
        raise MaybeSavedError("not reached in time")

    monkeypatch.setattr(table.bot.services.replies, "answer_choice", unsure)
    await ann.choose(table.desk("Ann"))

    assert table.sql("SELECT count(*) FROM moves") == [(1,)]
    assert (ann.record.told, ann.record.refused) == ({}, {})
    assert database_checks.strange_choices(table.database, ann.record) == []


@pytest.mark.parametrize("ends", [False, True])
async def test_a_choice_whose_result_is_shown_at_once_is_not_a_refusal(table, ends):
    """The receipt of a tap shows the present state, and the step may be over by then."""
    public = await begun(table, variant="pico1")
    match, ann = table.match_of(public), player(table)
    hand = await table.bot.services.live.slots.hand(match, 0)

    async with hand.lock:
        choosing = asyncio.create_task(ann.choose(public))
        await written(table, "SELECT move FROM moves")
        await tap(table, "Bo", public)
        if ends:
            await table.person("Bo").forge(public, custom_id=f"f1:{match}:1:leave:")
            await written(table, "SELECT 1 FROM matches WHERE status = 'over'")
    await choosing

    ((move,),) = table.sql("SELECT move FROM moves WHERE seat = 0")
    assert list(ann.record.told.values()) == [move]
    assert database_checks.strange_choices(table.database, ann.record) == [
        f"match {match}, step 0, user {table.person('Bo').id}: nobody chose {bos}"
        for (bos,) in table.sql("SELECT move FROM moves WHERE seat = 1")
    ]


async def test_a_choice_that_was_confirmed_but_is_lost_is_found(table):
    ann = await chosen_amid_trouble(table)
    (((match, step, user), move),) = ann.record.told.items()

    await table.change("DELETE FROM moves")

    assert database_checks.lost_choices(table.database, ann.record) == [
        f"match {match}, step {step}, user {user}: told {move}, kept None"
    ]


@pytest.fixture
async def behind(table):
    """Ann's private hand as it was before the step that it asks about was over."""
    hand = await table.hand("Ann", await table.match())
    old = list(hand.components)
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    hand.components = old
    return hand


async def test_a_choice_that_was_refused_but_stored_is_found(table, behind):
    ann = player(table)

    await ann.choose(behind)

    query = "SELECT match, move FROM moves JOIN seats USING (match, seat) WHERE user = ?"
    ((match, move),) = table.sql(query, ann.person.id)
    assert list(ann.record.refused) == ["That round is over. What you see now is the current one."]
    accused = database_checks.strange_choices(table.database, ann.record)
    assert f"match {match}, step 0, user {ann.person.id}: nobody chose {move}" in accused


async def test_a_private_hand_that_is_brought_up_to_date_promises_nothing(table, behind):
    """A late click is acknowledged in order to do that; the refusal that follows may be lost."""
    cut = table.discord.faults.add(Fault(method="POST", path="^/webhooks/", drop=True))
    ann = player(table)

    choosing = asyncio.create_task(ann.choose(behind))
    await table.discord.until(lambda: cut.times == 0)
    await table.quiet_now()
    await choosing

    assert table.step(behind) == 1
    assert database_checks.lost_choices(table.database, ann.record) == []


async def test_a_match_whose_state_does_not_follow_from_its_moves_is_found(table):
    names = ("Ann", "Bo", "Cleo")
    public = await table.match(*names)
    match = table.match_of(public)
    await table.trick(*names)
    await resign(table, "Cleo", public)
    assert database_checks.wrong_matches(table.database) == []

    await table.change("UPDATE seats SET left_step = 0 WHERE left IS NOT NULL")
    (unlike,) = database_checks.wrong_matches(table.database)
    await table.change("DELETE FROM moves WHERE seat = 0")
    (unplayable,) = database_checks.wrong_matches(table.database)

    assert unlike.startswith(f"match {match} (pico) ")
    assert unplayable.startswith(f"match {match} (pico) cannot be replayed to step 1: ")


def test_a_loss_is_reported_once_however_often_it_is_found():
    tally = Tally()
    for found in (["one"], ["one", "another"], []):
        tally.lose(found)

    assert tally.lost == ["one", "another"]


async def test_a_match_that_the_busy_soak_could_not_read_is_read_again(table, monkeypatch):
    """It reads while the bot runs; otherwise one failure would waste the whole run."""
    await table.match()
    await table.quiet_now()
    wrong, tries = Standing._wrong, []

    async def busy(self, match):
        tries.append(match)
        if len(tries) == 1:
            raise StorageUnavailableError("the database server can't be reached")
        return await wrong(self, match)

    monkeypatch.setattr(Standing, "_wrong", busy)

    assert await Standing(table.discord, table.database).differences(60.0) == []
    assert len(tries) == 2


async def test_a_match_that_the_soak_can_never_read_is_reported(table, monkeypatch):
    await table.match()

    async def away(self, match):
        raise StorageUnavailableError("the database server can't be reached")

    monkeypatch.setattr(Standing, "_wrong", away)

    (problem,) = await Standing(table.discord, table.database).differences(0.0)
    assert "can't be read" in problem
