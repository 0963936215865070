"""`/block` and `/unblock` in the sandbox: only the person who blocks learns of it."""

import pytest

from bot.settings.blocks import MAX_BLOCKS
from cogs.blocks import listed
from tests.support.typed_commands import typed
from tests.support.waiting import until


async def block(table, name, other=None, *, command="block"):
    given = {} if other is None else {"user": table.person(other)}
    return await table.person(name).slash(command, channel="games", **given)


async def out_of_time(table, match):
    """Let a match end because nobody has chosen in time twice."""
    for _ in range(2):
        await table.change(f"UPDATE matches SET due_at = 1, deadline = 1 WHERE id = {match}")  # noqa: S608
        table.bot.services.deadlines.clock_moved()
        await until(lambda: table.sql("SELECT due_at FROM matches WHERE id = ?", match) != [(1,)])


def heard(table, actor):
    """The users with a stored or sent notice of what `actor` asks for."""
    asks = "event IN ('nudged', 'offered', 'rematch')"
    waiting = table.sql(f"SELECT user FROM notices WHERE actor = ? AND {asks}", actor)  # noqa: S608
    told = table.sql(f"SELECT user FROM sent_notices WHERE {asks}")  # noqa: S608
    return {user for (user,) in waiting + told}


async def test_a_blocked_person_cannot_challenge(table):
    told = await block(table, "Bo", "Ann")

    refused = await table.ask("Ann", "Bo")

    bo = table.person("Bo").mention
    assert told.ephemeral
    assert "I don't tell them; if they try, I say that they can't, but not why." in told.text
    assert refused.ephemeral
    assert "block" not in refused.text
    assert refused.text == (
        f"You can't challenge {bo} at the moment. Ask someone else, or leave the seat open."
    )


async def test_a_block_can_be_undone(table):
    await block(table, "Bo", "Ann")
    told = await block(table, "Bo", "Ann", command="unblock")

    assert told.text == f"{table.person('Ann').mention} can challenge you again."
    assert (await table.ask("Ann", "Bo")).ephemeral is False


async def test_unblocking_somebody_lets_nobody_challenge_a_person_who_takes_no_challenges(table):
    await block(table, "Bo", "Ann")
    await table.bot.services.preferences.change(table.person("Bo").id, "challenges nobody")

    told = await block(table, "Bo", "Ann", command="unblock")

    assert typed(told.text) == (
        f"{table.person('Ann').mention} can join your tables again, but not challenge you: you've "
        "chosen in `/preferences` that nobody can."
    )
    assert (await table.ask("Ann", "Bo")).ephemeral is True


async def test_blocking_somebody_twice_says_so(table):
    first = await block(table, "Bo", "Ann")
    again = await block(table, "Bo", "Ann")

    ann = table.person("Ann").mention
    assert first.text.startswith(f"Blocked. {ann} can't challenge you or join your tables.")
    assert again.text.startswith(f"You've already blocked {ann}. To undo that, use ")


def test_the_longest_list_fits_a_message():
    told = listed([10**18 + i for i in range(MAX_BLOCKS)])

    assert told.count("<@") == MAX_BLOCKS
    assert len(told) < 4000


async def test_without_a_person_the_block_list_is_shown(table):
    empty = await block(table, "Bo")
    await block(table, "Bo", "Ann")
    listed = await block(table, "Bo")

    assert empty.text.startswith("You haven't blocked anyone.")
    assert table.person("Ann").mention in listed.text
    assert empty.ephemeral
    assert listed.ephemeral


async def test_somebody_cannot_join_the_open_challenge_of_a_person_who_blocked_them(table):
    await block(table, "Ann", "Bo")
    public = (await table.person("Ann").slash("pico play", channel="games")).message

    answer = await table.person("Bo").click(public, "Join")

    assert answer.text == "You can't join this table. Start your own with a `play` command."
    assert table.sql("SELECT count(*) FROM seats") == [(1,)]


@pytest.mark.parametrize("asking", ["nudge", "draw", "rematch", "resume"])
async def test_a_person_who_returns_after_deletion_still_cannot_notify_those_who_blocked_them(
    table, asking
):
    await block(table, "Bo", "Ann")
    services, ann, bo = table.bot.services, table.person("Ann").id, table.person("Bo").id
    await services.erasure.delete(ann)
    match = table.match_of(await table.match("Dan", "Ann", "Bo", variant="pico2-three"))

    if asking == "nudge":
        await services.nudges.nudge(match, ann)
    elif asking == "draw":
        await services.agreements.offer(match, ann, "draw")
    elif asking == "rematch":
        for user in (ann, bo):
            await services.matches.concede(match, user)
        await services.rematches.want(match, ann, 1)
    else:
        await out_of_time(table, match)
        await services.reopenings.want(match, ann)

    assert heard(table, ann) == {table.person("Dan").id}
