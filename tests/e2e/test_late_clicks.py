"""A click for a past step: it gets a sentence, and its message is brought up to date."""

import asyncio

import pytest

from sandbox import Fault


async def begin_spite(table):
    """Whose turn it is in a live match of Spite and Malice, and their hand."""
    asked = await table.person("Ann").slash(
        "spite play", channel="games", opponent=table.person("Bo"), pace="live", stock=5
    )
    public = asked.message
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: all(table.desk(name, public) for name in ("Ann", "Bo")))
    await table.quiet_now()
    while not (asked := [n for n in ("Ann", "Bo") if offered(table.desk(n), "draft")]):
        # Discarding onto one of four empty piles needs no draft.
        name = next(name for name in ("Ann", "Bo") if offered(table.desk(name), "pick"))
        desk = table.desk(name)
        await table.person(name).click(desk, offered(desk, "pick")[-1])
        await table.settled()
    return asked[0], table.desk(asked[0])


def offered(desk, act):
    return [b.custom_id for b in desk.buttons if b.custom_id and f":{act}:" in b.custom_id]


def step(table):
    ((found,),) = table.sql("SELECT step FROM matches")
    return found


async def test_a_hand_that_is_behind_is_updated_by_a_click_on_it(table):
    """Whatever has kept it behind, nobody is stuck with a hand that shows a past round."""
    public = await table.match()
    desk = table.desk("Ann")
    old = list(desk.components)
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    desk.components = old  # as if an older edit had arrived last

    answer = await table.pick("Ann", desk)
    await table.settled()

    assert answer.text.startswith("That round is over.")
    assert table.step(desk) == 1
    assert "Round 1" in public.text


async def test_a_late_choice_is_refused_even_if_its_hand_cannot_be_updated(table):
    """Whatever fails meanwhile, nobody is told that the choice was saved."""
    public = await table.match()
    hand = await table.hand("Ann", public)
    old = list(hand.components)
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    hand.components = old
    table.discord.faults.add(Fault(path="/callback", drop=True, times=2))

    answer = await table.pick("Ann", hand)

    assert answer.text.startswith("That round is over.")


@pytest.mark.parametrize("lost", [{"drop": True}, {"status": 503}])
async def test_a_late_choice_is_refused_even_if_its_acknowledgment_was_not_confirmed(table, lost):
    """Discord has accepted the acknowledgment, so it accepts no other first answer."""
    public = await table.match()
    hand = await table.hand("Ann", public)
    old = list(hand.components)
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    hand.components = old
    table.discord.faults.add(Fault(path="/callback", after=True, **lost))

    answer = await table.pick("Ann", hand)

    await table.discord.until(lambda: answer.followups)
    (told,) = answer.followups
    assert told.text.startswith("That round is over.")
    assert told.ephemeral_to == table.person("Ann").id


async def test_a_draft_of_a_past_step_does_not_replace_the_new_step(table):
    """The draft waits for the lock of its hand, and the step is over when it gets it."""
    name, desk = await begin_spite(table)
    first, now = offered(desk, "draft")[0], step(table)
    await table.person(name).click(desk, first)
    await table.discord.until(lambda: offered(desk, "pick"))
    pick = offered(desk, "pick")[0]
    seat = 0 if name == "Ann" else 1
    slot = await table.bot.services.live.slots.at(1, seat)

    async with slot.lock:
        drafting = asyncio.create_task(table.person(name).forge(desk, custom_id=first))
        picking = asyncio.create_task(table.person(name).forge(desk, custom_id=pick))
        await table.discord.until(lambda: step(table) == now + 1 or picking.done())
    answers = await asyncio.gather(drafting, picking)
    await table.quiet_now()

    assert step(table) == now + 1
    assert answers[0].text.startswith("That round is over.")
    assert pick not in [b.custom_id for b in desk.buttons]
