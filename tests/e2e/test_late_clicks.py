"""A click on a step that is over: it gets a sentence, and what it came from is put right."""

import asyncio


async def begun(table):
    """A match of spite, live, and the desk of the seat whose turn it is."""
    asked = await table.person("Ann").slash(
        "spite play", channel="games", opponent=table.person("Bo"), pace="live", stock=5
    )
    public = asked.message
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: all(table.desk(name, public) for name in ("Ann", "Bo")))
    await table.quiet_now()
    name = next(name for name in ("Ann", "Bo") if drafts(table.desk(name)))
    return name, table.desk(name)


def drafts(desk):
    return [b for b in desk.buttons if b.custom_id and ":draft:" in b.custom_id]


async def test_a_desk_that_is_behind_is_put_right_by_a_click_on_it(table):
    """Whatever made it stay behind, nobody is stuck at a desk that shows an old round."""
    public = await table.match()
    desk = table.desk("Ann")
    old = list(desk.components)
    await table.trick("Ann", "Bo")
    await table.quiet_now()
    desk.components = old  # as if an edit had overtaken another

    answer = await table.pick("Ann", desk)
    await table.quiet_now()

    assert answer.text.startswith("That round is over.")
    assert table.step(desk) == 1
    assert "Round 1" in public.text


async def test_a_draft_of_an_old_step_does_not_cover_the_new_one(table):
    """A draft waits while the desk is drawn, and the step is over when its turn comes."""
    name, desk = await begun(table)
    first = drafts(desk)[0].custom_id
    await table.person(name).click(desk, first)
    await table.discord.until(lambda: any(":pick:" in (b.custom_id or "") for b in desk.buttons))
    pick = next(b.custom_id for b in desk.buttons if ":pick:" in (b.custom_id or ""))
    seat = 0 if name == "Ann" else 1
    slot = await table.bot.services.live.slots.at(1, seat)

    async with slot.lock:
        drafting = asyncio.create_task(table.person(name).forge(desk, custom_id=first))
        picking = asyncio.create_task(table.person(name).forge(desk, custom_id=pick))
        await table.discord.until(
            lambda: table.sql("SELECT step FROM matches") == [(1,)] or picking.done()
        )
    answers = await asyncio.gather(drafting, picking)
    await table.quiet_now()

    assert table.sql("SELECT step FROM matches") == [(1,)]
    assert answers[0].text.startswith("That round is over.")
    assert pick not in [b.custom_id for b in desk.buttons]
