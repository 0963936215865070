"""The effects of new messages and edits: who is pinged, and who is added to a thread."""

import pytest

from sandbox.guilds import Thread
from sandbox.messages import Flag

PRIVATE = int(Flag.EPHEMERAL)


@pytest.fixture
def thread(refusing):
    now = refusing.world.clock.now()
    details = Thread(owner=refusing.world.bot.id, created_at=now, changed_at=now)
    return refusing.world.add_thread(refusing.world.channel("games"), "match", details)


def names(refusing):
    return " ".join(refusing.person(name).mention for name in ("Ann", "Bo"))


async def test_a_refused_edit_that_would_empty_a_message_changes_nothing(refusing, rest):
    body = {"content": "x", "embeds": [{"image": {"url": "attachment://a.png"}}]}
    sent = await rest("POST", f"{rest.games}/messages", body, files={"a.png": b"x"})
    message = refusing.world.messages[int(sent.body["id"])]
    emptied = {"content": "", "embeds": [], "attachments": [], "flags": 4}

    reply = await rest("PATCH", f"{rest.games}/messages/{message.id}", emptied)

    assert (reply.status, reply.code) == (400, 50006)
    assert message.wire() == sent.body


async def test_an_ephemeral_answer_pings_nobody_else(refusing, bench):
    interaction = bench.begin()
    told = {"content": names(refusing), "flags": PRIVATE}

    await bench.answer(interaction, {"type": 4, "data": told})

    assert interaction.message.pinged == {refusing.person("Ann").id}
    assert len(interaction.message.mentions) == 2


async def test_a_deferred_answer_pings_when_it_is_filled(refusing, bench):
    interaction = bench.begin()
    await bench.answer(interaction, {"type": 5})

    for content in (names(refusing), refusing.person("Cleo").mention):
        await bench.webhook("PATCH", interaction, "/messages/@original", {"content": content})

    assert interaction.message.pinged == {refusing.person(name).id for name in ("Ann", "Bo")}


async def test_only_a_mentionable_role_pings(refusing, rest):
    role, bo = refusing.world.add_role("Players"), refusing.person("Bo")
    refusing.world.set_roles(bo.user, role)
    body = {"content": f"<@&{role.id}>"}

    pinged = []
    for role.mentionable in (False, True):
        sent = await rest("POST", f"{rest.games}/messages", body)
        pinged.append(refusing.world.messages[int(sent.body["id"])].pinged)

    assert sent.body["mention_roles"] == [str(role.id)]
    assert pinged == [set(), {bo.id}]


async def test_nobody_pings_themselves(refusing):
    said = await refusing.person("Ann").say("games", names(refusing))

    assert said.pinged == {refusing.person("Bo").id}


async def test_people_who_are_mentioned_in_a_thread_are_added_to_it(refusing, thread):
    said = await refusing.person("Ann").say(thread, refusing.person("Bo").mention)

    assert set(thread.thread.members) == {user.id for user in said.mentions}


async def test_people_who_cannot_see_the_channel_are_not_added_to_a_thread(refusing, thread):
    bo = refusing.person("Bo")
    refusing.world.remove_member(bo.user)

    await refusing.person("Ann").say(thread, bo.mention)

    assert not thread.thread.members


async def test_an_ephemeral_message_adds_nobody_to_a_thread(refusing, bench, thread):
    interaction = bench.begin(channel=thread)

    told = {"content": names(refusing), "flags": PRIVATE}
    await bench.answer(interaction, {"type": 4, "data": told})

    assert not thread.thread.members
