"""Members of a server are requested by id, in batches, and the answers are kept for a while."""

import pytest

from bot.messaging.membership import BELIEVED_FOR, MAX_IDS_ASKED, Membership
from tests.support.clock import HOUR


@pytest.fixture
def members(table):
    return Membership(table.bot, now=table.watch)


async def asked_about(table, members, users):
    return await members.gone(table.discord.world.guild.id, users)


async def test_people_who_left_and_people_who_were_never_members_are_gone(table, members):
    ann, bo = table.person("Ann").id, table.person("Bo").id
    table.discord.world.guild.members.pop(bo)

    assert await asked_about(table, members, [ann, bo, 404]) == {bo, 404}


async def test_more_than_a_hundred_people_are_requested_in_batches(table, members):
    """The sandbox closes the connection, as Discord does, if a request has more ids."""
    ann = table.person("Ann").id
    strangers = set(range(1, 2 * MAX_IDS_ASKED + 2))

    assert await asked_about(table, members, [*strangers, ann]) == strangers


async def test_an_answer_is_kept_for_ten_minutes(table, members):
    ann, guild = table.person("Ann").id, table.discord.world.guild
    await asked_about(table, members, [ann])
    guild.members.pop(ann)

    table.watch.advance(BELIEVED_FOR.total_seconds() - 1)
    before = await asked_about(table, members, [ann])
    table.watch.advance(1)
    after = await asked_about(table, members, [ann])

    assert (before, after) == (frozenset(), {ann})


async def test_an_answer_is_not_kept_longer_if_the_clock_is_set_back(table, members):
    ann, guild = table.person("Ann").id, table.discord.world.guild
    await asked_about(table, members, [ann])
    guild.members.pop(ann)

    table.watch.advance(-HOUR)

    assert await asked_about(table, members, [ann]) == {ann}


async def test_membership_is_unknown_if_no_answer_comes_in_time(table):
    hurried = Membership(table.bot, now=table.watch, patience=0.0)

    assert await asked_about(table, hurried, [table.person("Ann").id]) is None


async def test_membership_is_unknown_in_a_server_without_the_bot(members):
    assert await members.gone(404, [1]) is None


async def test_the_number_of_remembered_servers_is_limited(table, monkeypatch):
    monkeypatch.setattr("bot.messaging.membership.MAX_REMEMBERED", 1)
    members = Membership(table.bot, now=table.watch)
    guild, ann = table.discord.world.guild, table.person("Ann").id
    await members.gone(guild.id, [ann])
    await members.gone(404, [ann])
    guild.members.pop(ann)

    gone = await members.gone(guild.id, [ann])

    assert gone == {ann}  # type: ignore[comparison-overlap]  # a frozenset can equal a set
