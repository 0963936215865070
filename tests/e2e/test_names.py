"""People who are mentioned in a message are shown by name, and not notified by that."""

import re
from datetime import timedelta

from tests.support.tables import resign


def named(request):
    """The ids of the people that the content of a request mentions."""
    said = content(request)
    words = f"{said.get('content')}{said.get('components')}"
    return set(map(int, re.findall(r"<@(\d+)>", words)))


def content(request):
    return request.json.get("data", request.json)


def allowed(request):
    return content(request)["allowed_mentions"]


def messages(table, method, path="", since=0):
    """Requests of this kind that have components."""
    found = table.requests(method, path, since)
    return [r for r in found if r.json and "components" in content(r)]


def assert_all_are_named(requests):
    assert requests
    for request in requests:
        users = allowed(request)["users"]
        assert set(users) == named(request)
        assert len(users) == len(set(users))
        assert allowed(request)["parse"] == []


async def test_an_edit_allows_exactly_the_mentions_in_it_and_notifies_nobody(table, expired_tokens):
    public = await table.match("Ann", "Bo", "Cleo")
    before = public.pinged
    since = len(table.discord.requests)

    await table.trick("Ann", "Bo", "Cleo")
    await table.quiet_now()

    edits = messages(table, "PATCH", "/channels/", since)
    assert_all_are_named(edits)
    assert any(len(named(request)) == 3 for request in edits)
    assert public.pinged == before


async def test_an_edit_through_an_interaction_allows_exactly_the_mentions_in_it(table):
    await table.match()
    await table.quiet_now()
    since = len(table.discord.requests)

    await table.trick("Ann", "Bo")
    await table.quiet_now()

    assert_all_are_named(messages(table, "PATCH", "/webhooks/", since))
    changed = [r for r in messages(table, "POST", "/callback", since) if r.json["type"] == 7]
    assert_all_are_named(changed)


async def test_a_hand_by_direct_message_allows_exactly_the_mentions_in_it(table):
    await table.match()

    (ann, bo) = [table.desk(name) for name in ("Ann", "Bo")]
    sent = [
        r
        for desk in (ann, bo)
        for r in messages(table, "POST", f"/channels/{desk.channel_id}/messages")
    ]
    assert_all_are_named(sent)


async def test_a_new_table_allows_only_mentions_of_people_it_notifies(table):
    public = await table.challenge()
    (answer,) = messages(table, "POST", "/callback")
    bo = table.person("Bo")
    assert named(answer) == {table.person("Ann").id, bo.id}
    assert allowed(answer)["users"] == [bo.id]
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann") and table.desk("Bo"))
    table.pass_time(120)
    table.discord.clock.advance(timedelta(minutes=2))
    since = len(table.discord.requests)

    menu = await table.person("Ann").click(public, "Menu")
    await table.person("Ann").click(menu.message, "Bring to the bottom")
    await table.settled()

    path = f"/channels/{public.channel_id}/messages"
    (posted,) = messages(table, "POST", path, since)
    assert len(named(posted)) == 2
    assert allowed(posted)["users"] == []


async def test_a_private_answer_allows_mentions_of_everybody_but_its_reader(table):
    public = await table.match()
    since = len(table.discord.requests)

    await table.hand("Ann", public)

    (answer,) = messages(table, "PATCH", "/webhooks/", since)
    ann, bo = (table.person(name).id for name in ("Ann", "Bo"))
    assert named(answer) == {ann, bo}
    assert allowed(answer)["users"] == [bo]


async def test_a_list_that_is_never_edited_shows_names_and_notifies_nobody(table):
    public = await table.match()
    await resign(table, "Bo", public)
    await table.over(public, "Ann", "Bo")
    since = len(table.discord.requests)

    dan = table.person("Dan")
    shown = (await (await dan.slash("leaderboard", channel="games", game="pico")).settled()).message
    await table.settled()

    last = messages(table, "PATCH", "/webhooks/", since)[-1:]
    assert_all_are_named(last)
    assert {user.id for user in shown.mentions} == named(last[0]) != set()
    assert shown.pinged == frozenset()
    assert len(shown.images) == 1
