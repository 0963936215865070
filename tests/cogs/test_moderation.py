"""/moderate in the sandbox: ending matches, and removing players from them."""

import pytest

from bot.interactions.match_access import NO_MODERATOR, OWN_MATCH
from sandbox import ImpossibleError
from sandbox.guilds import ChannelType, Thread
from sandbox.permissions import Overwrite, Permission


async def moderate(table, act, public, **options):
    return await table.person("Ann").slash(
        f"moderate {act}", channel="lobby", match=table.match_of(public), **options
    )


async def says(table, message, words):
    await table.discord.until(lambda: words in message.text)


async def moderates(table, name, channel, **rights):
    """Set somebody's overwrite in a channel, and wait until the bot knows of it."""
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    person, place = table.person(name), table.discord.world.channel(channel)
    others = [overwrite for overwrite in place.overwrites if overwrite.id != person.id]
    place.overwrites = [*others, Overwrite(id=person.id, type=1, **rights)]
    table.discord.world.set_permissions(channel)
    await heard


async def completed(table, typed="", act="end", name="Ann", channel="lobby"):
    """The choices that the option `match` offers: values by name."""
    person = table.person(name)
    choices = await person.autocomplete(f"moderate {act}", "match", typed, channel=channel)
    return {choice["name"]: choice["value"] for choice in choices}


async def test_a_moderator_can_end_a_match_of_others_and_its_table_and_hands_say_so(table):
    public = await table.match("Bo", "Cleo")

    match = table.match_of(public)
    asked = await moderate(table, "end", public)
    assert asked.message.ephemeral_to == table.person("Ann").id
    bo, cleo, lobby = (table.person("Bo").mention, table.person("Cleo").mention, public.channel_id)
    assert asked.text.startswith(f"End match {match} (Pico in <#{lobby}>: {bo} against {cleo}) for")
    assert table.sql("SELECT status FROM matches") == [("running",)]
    await table.person("Ann").click(asked.message, "End the match")
    await table.discord.until(lambda: not table.cards(table.desk("Bo")))

    assert asked.message.text == f"You ended match {match} without a result."
    for message in (public, table.desk("Cleo")):
        await says(table, message, "Ended by a moderator")
    assert table.sql("SELECT count(*) FROM results") == [(0,)]


async def test_a_moderator_can_decide_to_let_the_match_continue(table):
    public = await table.match("Bo", "Cleo")
    asked = await moderate(table, "end", public)

    await table.person("Ann").click(asked.message, "Change nothing")

    assert asked.message.text == f"I've left match {table.match_of(public)} as it is."
    assert table.sql("SELECT status FROM matches") == [("running",)]


@pytest.mark.parametrize("act", ["endmatch:", "unseat:{cleo}"])
async def test_only_moderators_can_confirm_the_question(table, act):
    public = await table.match("Bo", "Cleo")
    custom_id = f"f1:{table.match_of(public)}:0:{act.format(cleo=table.person('Cleo').id)}"

    refused = await table.person("Bo").forge(public, custom_id=custom_id)

    assert refused.text == NO_MODERATOR
    assert table.sql("SELECT status FROM matches") == [("running",)]


async def test_moderators_cannot_moderate_their_own_rated_matches(table):
    public = await table.match("Ann", "Bo")
    bo, match = table.person("Bo"), table.match_of(public)

    answers = [
        await moderate(table, "end", public),
        await moderate(table, "unseat", public, user=bo),
        *[
            await table.person("Ann").forge(public, custom_id=f"f1:{match}:0:{act}")
            for act in ("endmatch:", f"unseat:{bo.id}")
        ],
    ]

    assert [answer.text for answer in answers] == [OWN_MATCH] * 4
    assert table.sql("SELECT status FROM matches") == [("running",)]


async def test_moderators_can_end_their_own_casual_matches(table):
    casual = await table.match("Ann", "Bo", rated=False)
    begun = await table.person("Ann").slash("pico play", channel="games", computer="easy")
    await says(table, begun.message, "Round 1")
    taken_back = await table.match("Ann", "Cleo")
    match = table.match_of(taken_back)
    await table.change(f"UPDATE matches SET taken_back = 1 WHERE id = {match}")  # noqa: S608

    asked = [await moderate(table, "end", public) for public in (casual, begun.message, taken_back)]

    assert [answer.text[:9] for answer in asked] == ["End match"] * 3


async def test_a_removed_player_is_told_and_the_others_play_on(table):
    public = await table.match("Bo", "Cleo", "Dan")

    dan, match = table.person("Dan"), table.match_of(public)
    asked = await moderate(table, "unseat", public, user=dan)
    assert asked.message.ephemeral_to == table.person("Ann").id
    assert asked.text.startswith(f"Remove {dan.mention} from match {match} (Pico in ")
    assert f" against {dan.mention}) for good?" in asked.text
    assert "they win, and if only computers are left, the match is over." in asked.text
    assert table.cards(table.desk("Dan"))
    await table.person("Ann").click(asked.message, "Remove from the match")
    await table.discord.until(lambda: not table.cards(table.desk("Dan")))

    assert asked.message.text == f"{dan.mention} is out of match {match}."
    assert "A moderator removed you from this match" in table.desk("Dan").text
    await says(table, public, "was removed by a moderator")
    await table.trick("Bo", "Cleo")


async def test_removing_somebody_who_does_not_play_is_refused_without_a_question(table):
    public = await table.match("Bo", "Cleo")

    answer = await moderate(table, "unseat", public, user=table.person("Dan"))

    assert answer.text == "This person isn't playing in this match."
    assert not answer.message.buttons


async def test_the_commands_are_for_moderators(table):
    public = await table.match("Bo", "Cleo")

    with pytest.raises(ImpossibleError, match="Bo is not offered 'moderate'"):
        await table.person("Bo").slash(
            "moderate end", channel="games", match=table.match_of(public)
        )


async def test_the_list_finds_matches_by_game_number_and_channel(table):
    public = await table.match("Bo", "Cleo")
    match = table.match_of(public)

    line = f"Pico · match {match} · #games"
    assert await completed(table) == {line: match}
    assert await completed(table, f"games {match}", "unseat") == {line: match}
    assert await completed(table, "spite") == {}


async def test_the_list_leaves_out_channels_that_somebody_does_not_moderate(table):
    """They may not even know that the channel exists."""
    await table.match("Bo", "Cleo")
    await moderates(table, "Dan", "games", deny=int(Permission.VIEW_CHANNEL))
    await moderates(table, "Dan", "lobby", allow=int(Permission.MANAGE_MESSAGES))

    assert await completed(table, name="Dan") == {}
    assert len(await completed(table)) == 1


@pytest.fixture
async def secret(table):
    """A private thread with a match of Bo and Cleo, in a channel that Dan moderates."""
    world = table.discord.world
    await moderates(table, "Dan", "games", allow=int(Permission.MANAGE_MESSAGES))
    now = world.clock.now()
    people = [world.bot, *(table.person(name).user for name in ("Bo", "Cleo"))]
    details = Thread(
        owner=people[1].id, created_at=now, changed_at=now, members={p.id: now for p in people}
    )
    heard = table.bot.wait_for("thread_create", timeout=30)
    thread = world.add_thread(
        world.channel("games"), "secret", details, kind=ChannelType.PRIVATE_THREAD
    )
    await heard
    return thread


async def test_only_moderators_who_can_see_a_private_thread_can_moderate_it(table, secret):
    """Others see neither its name nor its match, even if they moderate the channel around it."""
    public = await table.match("Bo", "Cleo", channel=secret)
    dan, match = table.person("Dan"), table.match_of(public)

    refused = await dan.slash("moderate end", channel="games", match=match)
    hidden = await completed(table, name="Dan", channel="games")
    both = Permission.MANAGE_MESSAGES | Permission.MANAGE_THREADS
    await moderates(table, "Dan", "games", allow=int(both))

    assert refused.text == NO_MODERATOR
    assert hidden == {}
    assert await completed(table, name="Dan", channel="games") == {
        f"Pico · match {match} · #secret": match
    }


@pytest.mark.parametrize("private", [True, False])
async def test_only_moderators_who_can_see_an_archived_thread_can_moderate_it(
    table, secret, private
):
    """discord.py doesn't keep archived threads, so the bot asks Discord."""
    public = await table.match("Bo", "Cleo", channel=secret)
    await moderates(table, "Dan", "games", deny=int(Permission.MANAGE_THREADS))
    world = table.discord.world
    everyone = world.guild.roles[world.guild.id]
    heard = table.bot.wait_for("guild_role_update", timeout=30)
    world.set_role_permissions(everyone, everyone.permissions | Permission.MANAGE_MESSAGES)
    await heard
    if not private:
        secret.type = ChannelType.PUBLIC_THREAD
    secret.thread.archived = True
    thread = table.bot.get_channel(secret.id)
    thread.guild._remove_thread(thread)
    dan, match = table.person("Dan"), table.match_of(public)

    hidden = await completed(table, name="Dan", channel="lobby")
    asked = await dan.slash("moderate end", channel="lobby", match=match)

    assert hidden == {}
    assert (asked.text == NO_MODERATOR) == private


async def test_the_list_is_the_same_wherever_the_command_is_used(table):
    """A server's integration settings can allow it for a role in every channel."""
    public = await table.match("Bo", "Cleo")
    await moderates(table, "Dan", "games", allow=int(Permission.MANAGE_MESSAGES))
    (command,) = [c for c in table.discord.commands.available(None) if c["name"] == "moderate"]
    command["default_member_permissions"] = None

    for channel in ("games", "lobby"):
        match = table.match_of(public)
        found = await completed(table, name="Dan", channel=channel)
        assert found == {f"Pico · match {match} · #games": match}
    assert await completed(table, name="Bo") == {}


async def test_a_moderator_can_withdraw_a_challenge_even_if_its_message_was_deleted(table):
    """The bot doesn't learn of the deletion, so `/watch` still lists the challenge."""
    deleted = await table.challenge("Bo", "Cleo")
    match, bo, cleo = table.match_of(deleted), table.person("Bo"), table.person("Cleo")
    table.discord.world.delete_message(deleted)
    line = f"Pico · challenge {match} · #games"
    assert (await completed(table), await completed(table, act="unseat")) == ({line: match}, {})

    asked = await moderate(table, "end", deleted)
    assert asked.text.startswith(
        f"Withdraw challenge {match} (Pico in <#{deleted.channel_id}>: {bo.mention} against "
        f"{cleo.mention}), so that nobody can accept it?"
    )
    await table.person("Ann").click(asked.message, "Withdraw the challenge")

    assert asked.message.text == f"You withdrew challenge {match}."
    assert table.sql("SELECT status FROM matches") == [("withdrawn",)]
    assert await completed(table) == {}


async def test_moderators_can_withdraw_their_own_rated_challenge_and_its_message_says_so(table):
    public = await table.challenge("Ann", "Cleo")

    asked = await moderate(table, "end", public)
    await table.person("Ann").click(asked.message, "Withdraw the challenge")

    await says(table, public, "A moderator withdrew the challenge.")
    assert not public.buttons
