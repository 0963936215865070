"""What the soak takes for a promise of the bot's, and what for a refusal."""

import asyncio
import random

import pytest

from sandbox import Fault
from tests.soak import truth
from tests.soak.messages import Messages
from tests.soak.player import Player
from tests.soak.record import Record


def player(table):
    """Ann, who chooses at random and notes what came of it."""
    ann, messages, chance = table.person("Ann"), Messages(table.discord), random.Random(1)
    return Player(table.discord, ann, messages, Record(), chance, reachable=lambda: True)


async def chosen_amid_trouble(table):
    """Ann, once she has chosen in a new match, and was told only that it is saved."""
    await table.match()
    ann = player(table)
    table.discord.faults.add(Fault(path="/callback", drop=True))
    await ann.choose(table.desk("Ann"))
    return ann


async def test_a_choice_that_was_saved_but_could_not_be_shown_is_no_refusal(table):
    ann = await chosen_amid_trouble(table)

    ((move,),) = table.sql("SELECT move FROM moves")
    assert list(ann.record.told.values()) == [move]
    assert truth.strange_choices(table.database, ann.record) == []


async def test_a_choice_that_was_called_saved_and_is_gone_is_found(table):
    ann = await chosen_amid_trouble(table)
    (((match, step, user), move),) = ann.record.told.items()

    await table.change("DELETE FROM moves")

    assert truth.lost_choices(table.database, ann.record) == [
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


async def test_a_choice_that_was_refused_and_is_there_is_found(table, behind):
    ann = player(table)

    await ann.choose(behind)

    query = "SELECT match, move FROM moves JOIN seats USING (match, seat) WHERE user = ?"
    ((match, move),) = table.sql(query, ann.person.id)
    assert list(ann.record.refused) == ["That round is over. Your hand shows the current one."]
    accused = truth.strange_choices(table.database, ann.record)
    assert f"match {match}, step 0, user {ann.person.id}: nobody chose {move}" in accused


async def test_a_private_hand_that_is_put_right_promises_nothing(table, behind):
    """A late click there is acknowledged for that, and the refusal that follows may be lost."""
    cut = table.discord.faults.add(Fault(method="POST", path="^/webhooks/", drop=True))
    ann = player(table)

    choosing = asyncio.create_task(ann.choose(behind))
    await table.discord.until(lambda: cut.times == 0)
    await table.quiet_now()
    await choosing

    assert table.step(behind) == 1
    assert truth.lost_choices(table.database, ann.record) == []
