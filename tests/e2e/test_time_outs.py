"""A moderator times out the bot or a player."""

from datetime import timedelta

import pytest

from bot.messaging.membership import SILENT_FOR
from sandbox import ImpossibleError, interactions
from sandbox.members import Role
from sandbox.permissions import ALL_PERMISSIONS, Permission
from tests.support.puzzle_tables import quiet
from tests.support.tables import labels, win

A_DAY = timedelta(days=1)
HERE = "A moderator has timed me out in this server, so I can't run matches here until "


@pytest.fixture
def world(table):
    return table.discord.world


def until(world):
    ends = world.guild.members[world.bot.id].timed_out_until
    return f"<t:{int(ends.timestamp())}:f>"


async def test_a_challenge_is_refused_with_the_reason(table, world):
    """Discord reports no permissions then, although moderators see that the bot has them all."""
    world.time_out(world.bot, A_DAY)

    refused = await table.ask("Ann", "Bo")

    assert refused.text == f"{HERE}{until(world)}. Ask them to remove the timeout, or wait."
    assert refused.ephemeral
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_a_timeout_is_named_even_if_discord_reports_all_permissions(
    table, world, monkeypatch
):
    """Discord doesn't document whether `app_permissions` omit what a timeout takes away."""
    world.time_out(world.bot, A_DAY)
    monkeypatch.setattr(interactions, "_app_permissions", lambda *_: ALL_PERMISSIONS)

    refused = await table.ask("Ann", "Bo")

    assert refused.text.startswith(HERE)


async def test_a_match_goes_on_meanwhile_and_afterwards(table, world):
    public = await table.match()
    world.time_out(world.bot, A_DAY)

    await table.trick("Ann", "Bo")
    await table.trick("Ann", "Bo")
    assert table.step(table.desk("Ann")) == 2
    world.time_out(world.bot, None)
    await table.trick("Ann", "Bo")
    await table.finish(public, "Ann", "Bo")

    assert not public.deleted
    assert "Rematch" in labels(public)


async def test_matches_can_begin_again_once_it_is_over(table, world):
    world.time_out(world.bot, A_DAY)
    await table.ask("Ann", "Bo")
    world.time_out(world.bot, None)

    assert labels(await table.challenge())[0] == "Accept"


async def test_a_timed_out_player_can_play_on_in_direct_messages(table, world):
    public = await table.match()
    world.time_out(table.person("Bo").user, A_DAY)

    with pytest.raises(ImpossibleError, match="timed out"):
        await table.person("Bo").click(public, "My hand")
    await table.trick("Ann", "Bo")

    assert table.step(table.desk("Bo")) == 1


async def test_the_settings_mention_a_timeout_once(table, world):
    """They mention a puzzle that it kept back only later, when another attempt can help."""
    services, games = table.bot.services, world.channel("games")
    world.time_out(world.bot, A_DAY)
    await services.guild_settings.post_puzzles(world.guild.id, games.id)
    await services.guild_settings.set_channels(world.guild.id, [games.id])
    table.pass_time(60)
    await quiet(table)
    assert table.sql("SELECT failure FROM puzzle_posts") == [("a moderator had timed me out",)]

    panel = await (await table.person("Ann").slash("settings", channel="lobby")).settled()

    warned = [line for line in panel.text.splitlines() if line.startswith("⚠️")]
    sentence = f"⚠️ A moderator has timed me out: no matches and no posts until {until(world)}."
    assert warned == [sentence]


async def test_results_cannot_be_shared_meanwhile(table, world):
    ended = await table.match()
    await table.finish(ended, "Ann", "Bo")
    await table.quiet_now()
    world.time_out(world.bot, A_DAY)

    at_table = await (await table.person("Ann").click(ended, "Share")).settled()
    at_hand = await (await table.person("Bo").click(table.desk("Bo", ended), "Share")).settled()

    games = world.channel("games")
    sentence = (
        f"A moderator has timed me out in that server, so I can't post in {games.mention} until "
        f"{until(world)}. Ask them to remove the timeout, or share it later."
    )
    assert (at_table.text, at_hand.text) == (sentence, sentence)
    assert table.sql("SELECT count(*) FROM shares") == [(0,)]


async def test_timing_out_an_administrator_has_no_effect_on_the_bot(table, world):
    world.time_out(world.bot, A_DAY)
    promote(world, world.bot.id)
    await table.restart()

    assert labels(await table.challenge())[0] == "Accept"


async def test_a_timed_out_player_who_is_an_administrator_can_still_ask_the_others(table, world):
    await table.match("Ann", "Bo", pace="slow")
    await table.play("Bo")
    silence(table, "Bo")
    promote(world, table.person("Bo").id)
    await table.restart()
    opened = (await table.person("Bo").click(table.desk("Bo"), "Menu")).message

    answer = await table.person("Bo").click(opened, "Offer a draw")

    assert answer.text.startswith("You offered a draw.")
    assert table.sql("SELECT agrees FROM seats WHERE agrees IS NOT NULL") == [("draw",)]


def promote(world, user):
    """Make somebody an administrator; the bot learns that at its next start."""
    admins = Role(world.guild.id + 3, "Admins", int(Permission.ADMINISTRATOR))
    world.guild.roles[admins.id] = admins
    world.guild.members[user].roles.append(admins.id)


def silence(table, name):
    """Time a player out; returns the end as they are told it."""
    table.discord.world.time_out(table.person(name).user, A_DAY)
    ends = table.discord.world.guild.members[table.person(name).id].timed_out_until
    return f"<t:{int(ends.timestamp())}:f>"


@pytest.mark.parametrize("wish", ["Offer a draw", "Call it off", "Offer a pause", "Nudge"])
async def test_a_timed_out_player_cannot_ask_the_others_for_anything_from_direct_messages(
    table, wish
):
    await table.match("Ann", "Bo", pace="slow")
    await table.play("Bo")
    opened = (await table.person("Bo").click(table.desk("Bo"), "Menu")).message
    ends = silence(table, "Bo")

    answer = await table.person("Bo").click(opened, wish)
    await table.settled()

    assert answer.text == (
        f"A moderator has timed you out in this match's server until {ends}, so you can't ask the "
        "others for anything now. You can still move or resign."
    )
    assert table.sql("SELECT agrees, nudged_at FROM seats") == [(None, None)] * 2
    assert table.sql("SELECT * FROM notices WHERE event IN ('offered', 'nudged')") == []


async def test_a_timed_out_player_can_answer_offers(table):
    await table.match()
    silence(table, "Bo")
    opened = await table.person("Ann").click(table.desk("Ann"), "Menu")
    await table.person("Ann").click(opened.message, "Offer a draw")
    await table.discord.until(lambda: "Accept the draw" in labels(table.desk("Bo")))

    await table.person("Bo").click(table.desk("Bo"), "Accept the draw")

    assert table.sql("SELECT ending FROM matches") == [("draw",)]


@pytest.mark.parametrize("wanted", [False, True], ids=["first", "last to agree"])
async def test_a_timed_out_player_cannot_start_a_rematch_from_direct_messages(table, wanted):
    public = await win(table, "Ann", "Bo")
    if wanted:
        await table.person("Ann").click(public, "Rematch")
    ends = silence(table, "Bo")

    answer = await table.person("Bo").click(table.desk("Bo"), "Rematch")
    await table.settled()

    assert answer.text == (
        f"A moderator has timed you out in this match's server until {ends}, so you can't start a "
        "rematch now."
    )
    assert table.sql("SELECT status FROM matches") == [("over",)]


async def test_a_timed_out_player_cannot_accept_a_challenge_from_direct_messages(table):
    await table.ask("Ann", "Bo")
    bo = table.person("Bo")
    shown = (await bo.slash("games", channel=bo.dm)).message
    ends = silence(table, "Bo")

    answer = await bo.click(shown, "Accept 1")
    await table.settled()

    (said,) = answer.followups
    assert said.text == (
        f"A moderator has timed you out in this challenge's server until {ends}, so you can't "
        "accept it now."
    )
    assert table.sql("SELECT status FROM matches") == [("open",)]


async def test_a_player_can_ask_the_others_again_once_the_timeout_is_over(table, world):
    await table.match("Ann", "Bo", pace="slow")
    opened = (await table.person("Bo").click(table.desk("Bo"), "Menu")).message
    silence(table, "Bo")
    await table.person("Bo").click(opened, "Offer a draw")
    world.time_out(table.person("Bo").user, None)
    table.watch.advance(SILENT_FOR.total_seconds() + 1)

    answer = await table.person("Bo").click(table.desk("Bo"), "Menu")
    offered = await table.person("Bo").click(answer.message, "Offer a draw")

    assert offered.text.startswith("You offered a draw.")
