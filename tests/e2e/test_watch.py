"""`/watch` at the wire: what it lists for each person, Join and Follow, and their effects."""

import pytest

from sandbox.guilds import ChannelType, Thread
from sandbox.permissions import Overwrite, Permission
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.tables import labels, resign
from tests.support.typed_commands import typed

THREADS = Permission.CREATE_PUBLIC_THREADS | Permission.SEND_MESSAGES_IN_THREADS


async def watch(table, name="Dan", **options):
    """The list that somebody is shown."""
    answer = await table.person(name).slash("watch", channel="games", **options)
    return answer.message


async def hide(table, channel, name, permission=Permission.VIEW_CHANNEL):
    """Deny one person a permission in a channel, and wait until the bot knows."""
    world = table.discord.world
    found = world.channel(channel)
    denied = Overwrite(id=table.person(name).id, type=1, deny=int(permission))
    found.overwrites = [*found.overwrites, denied]
    heard = table.bot.wait_for("guild_channel_update", timeout=30)
    world.emit("channel_updated", found)
    await heard


def follows(table):
    return table.sql("SELECT match, user FROM watches ORDER BY match, user")


async def test_the_list_is_private_links_to_the_table_and_notifies_nobody(table):
    public = await table.match()

    shown = await watch(table)

    assert shown.ephemeral_to == table.person("Dan").id
    assert f"/{public.channel_id}/{public.id})" in shown.text
    assert f"{table.person('Ann').mention} against {table.person('Bo').mention}" in shown.text
    assert shown.pinged == frozenset()
    sent = table.requests("POST", "/callback")[-1].json["data"]
    assert set(sent["allowed_mentions"]["users"]) == {
        table.person(name).id for name in ("Ann", "Bo")
    }


async def test_without_matches_it_says_how_to_begin(table):
    assert "No matches are on here right now." in (await watch(table)).text


async def test_without_matches_of_a_game_it_does_not_say_that_there_are_none_at_all(table):
    await table.match()

    shown = await watch(table, game="duel")

    assert "No matches of Divide and Conquer (tiles) are on here right now." in shown.text


@pytest.mark.parametrize("seats", [{}, {"variant": "pico2-three"}], ids=["2", "3"])
async def test_an_invited_player_has_the_buttons_of_their_own_list_of_matches(table, seats):
    await table.challenge("Ann", "Bo", **seats)

    shown = await watch(table, "Bo")

    assert "you're invited · Live: 2 minutes a move · Rated · expiry" in shown.text
    assert "you have a seat" not in shown.text
    assert labels(shown) == ["Accept", "Decline"]


async def test_a_challenge_that_has_scrolled_away_can_be_accepted_here(table):
    public = await table.challenge("Ann", "Bo")
    shown = await watch(table, "Bo")

    await table.person("Bo").click(shown, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)

    assert "you have a seat" in shown.text
    assert labels(shown) == []


async def test_a_challenge_can_be_declined_here_and_the_list_keeps_its_filter(table):
    public = await table.challenge("Ann", "Bo")
    shown = await watch(table, "Bo", game="pico")

    await table.person("Bo").click(shown, "Decline")
    await table.discord.until(lambda: "declined" in public.text)

    assert "No matches of Pico are on here right now." in shown.text


async def test_a_challenge_that_was_withdrawn_meanwhile_is_refused_and_leaves_the_list(table):
    public = await table.challenge("Ann", "Bo")
    shown = await watch(table, "Bo")
    await table.person("Ann").click(public, "Withdraw")

    answer = await table.person("Bo").click(shown, "Accept")
    await table.discord.until(lambda: answer.followups)

    (refusal,) = answer.followups
    assert refusal.text.startswith("This challenge was withdrawn.")
    assert "No matches are on here right now." in shown.text


async def test_an_open_seat_that_has_scrolled_away_can_be_taken_here(table):
    options = {"pace": "live", "hand": "desk"}
    public = (await table.person("Ann").slash("pico play", channel="games", **options)).message
    shown = await watch(table)

    await table.person("Dan").click(shown, "Join")
    await table.discord.until(lambda: "Round 1" in public.text)
    await table.discord.until(lambda: table.desk("Dan", public) is not None)

    assert "you have a seat" in shown.text
    assert "Join" not in labels(shown)


async def test_a_seat_that_was_taken_meanwhile_is_refused_with_a_sentence(table):
    await table.person("Ann").slash("pico play", channel="games")
    shown = await watch(table)
    await table.person("Bo").click(await watch(table, "Bo"), "Join")

    answer = await table.person("Dan").click(shown, "Join")
    await table.discord.until(lambda: answer.followups)

    (refusal,) = answer.followups
    assert refusal.ephemeral_to == table.person("Dan").id
    assert "Someone just took the last seat." in refusal.text
    assert "Join" not in labels(shown)


async def test_follow_and_stop_following(table):
    await table.match()
    dan = table.person("Dan")
    shown = await watch(table)

    await dan.click(shown, "Follow")
    assert follows(table) == [(1, dan.id)]
    assert "Stop following" in labels(shown)

    await dan.click(shown, "Stop following")
    assert follows(table) == []
    assert "Follow" in labels(shown)


async def test_a_match_can_be_followed_from_its_menu_too(table):
    public = await table.match()
    dan = table.person("Dan")
    menu = (await dan.click(public, "Menu")).message

    await dan.click(menu, "Follow")

    assert follows(table) == [(1, dan.id)]
    assert labels(menu) == ["Stop following", "Moves so far", "Rules"]
    again = (await dan.click(public, "Menu")).message
    assert "Stop following" in labels(again)


async def test_followed_matches_and_the_list_survive_a_restart(table):
    await table.match()
    shown = await watch(table)
    await table.person("Dan").click(shown, "Follow")

    await table.restart()
    await table.person("Dan").click(shown, "Stop following")

    assert follows(table) == []
    assert "Follow" in labels(shown)


@pytest.mark.parametrize("stays", [True, False], ids=["stays", "leaves"])
async def test_a_follower_is_told_of_the_end_as_long_as_they_are_in_the_server(table, stays):
    """People who were removed must not learn what happens there."""
    public = await table.match(pace="slow")
    dan = table.person("Dan")
    await dan.click(await watch(table), "Follow")
    table.pass_time(HOUR)  # they aren't active in the match
    if not stays:  # they can still get direct messages, through another server
        table.discord.world.add_guild("Elsewhere")
        table.discord.world.remove_member(dan.user)

    await resign(table, "Ann", public)

    told = table.sql("SELECT event FROM sent_notices WHERE user = ?", dan.id)
    assert told == [("watched",)] * stays
    assert table.sql("SELECT count(*) FROM notices WHERE user = ?", dan.id) == [(0,)]


@pytest.mark.parametrize("pace", ["live", "slow"])
async def test_a_recent_follower_is_told_of_the_end_once_although_they_clicked_there(table, pace):
    """A click in a list, perhaps in another channel, shows them nothing of the match."""
    public = await table.match(pace=pace)
    dan = table.person("Dan")
    await dan.click(await watch(table), "Follow")

    await resign(table, "Ann", public)
    await table.told()
    table.pass_time(HOUR)
    await table.told()

    (told,) = table.letters("Dan")
    assert "is over" in told.text
    assert table.sql("SELECT count(*) FROM notices WHERE user = ?", dan.id) == [(0,)]


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("Decline", "{bo} declined the challenge to **{what}**. There is no match."),
        ("Withdraw", "The challenge to **{what}** was withdrawn. There is no match."),
        ("", "The challenge to **{what}** expired. There is no match."),
    ],
    ids=["declined", "withdrawn", "expired"],
)
async def test_a_follower_of_a_challenge_is_told_that_there_is_no_match(table, by, said):
    challenge = await table.challenge(pace="slow")
    dan = table.person("Dan")
    await dan.click(await watch(table), "Follow")

    if by:
        await table.person("Bo" if by == "Decline" else "Ann").click(challenge, by)
    table.pass_time(4 * DAY)
    await table.discord.until(lambda: table.letters("Dan"))
    await table.told()

    (told,) = table.letters("Dan")
    expected = said.format(bo=table.person("Bo").mention, what="Pico · 13 cards")
    assert told.text.startswith(f"🏁 {expected}\n")


@pytest.mark.parametrize(
    ("kept_out", "heard"), [("Dan", 0), ("Cleo", 1)], ids=["who follows", "somebody else"]
)
async def test_a_follower_is_not_told_of_the_end_in_a_channel_they_can_no_longer_see(
    table, kept_out, heard
):
    public = await table.match(pace="slow")
    dan = table.person("Dan")
    await dan.click(await watch(table), "Follow")
    await hide(table, public.channel_id, kept_out)
    table.pass_time(HOUR)  # they aren't active in the match

    await resign(table, "Ann", public)

    told = table.sql("SELECT event FROM sent_notices WHERE user = ?", dan.id)
    assert told == [("watched",)] * heard
    assert table.sql("SELECT count(*) FROM notices WHERE user = ?", dan.id) == [(0,)]


async def test_the_end_is_told_later_if_discord_does_not_say_who_can_read_the_channel(
    table, monkeypatch
):
    public = await table.match(pace="slow")
    dan = table.person("Dan")
    await dan.click(await watch(table), "Follow")
    await hide(table, public.channel_id, "Cleo")
    table.pass_time(HOUR)

    with monkeypatch.context() as patch:
        patch.setattr(table.discord.gateway, "members", lambda session, data: None)
        await resign(table, "Ann", public)
    before = table.sql("SELECT event FROM sent_notices WHERE user = ?", dan.id)
    table.pass_time(MINUTE)
    await table.told()

    assert before == []
    assert table.sql("SELECT event FROM sent_notices WHERE user = ?", dan.id) == [("watched",)]


async def test_the_end_of_a_listed_match(table):
    public = await table.match()
    shown = await watch(table)
    asked = await table.asked_to_resign("Ann", public)
    await table.person("Ann").click(asked.message, "Resign")
    await table.over(public, "Ann", "Bo")

    late = await table.person("Dan").click(shown, "Follow")
    assert late.text == "That match is over."

    await table.person("Dan").select(shown, "Games", "pico")
    assert "No matches of Pico are on here right now." in shown.text
    assert follows(table) == []


async def test_a_match_in_a_channel_that_somebody_cannot_read_is_not_listed_for_them(table):
    await table.match(channel="lobby")
    await table.match("Ann", "Cleo")
    await hide(table, "lobby", "Dan")

    hidden, seen = await watch(table), await watch(table, "Bo")

    assert "1 match\n" in f"{hidden.text}\n"
    assert table.person("Bo").mention not in hidden.text
    assert "2 matches" in seen.text


@pytest.mark.parametrize("act", ["follow", "takeseat"])
async def test_nobody_can_follow_or_join_a_match_that_they_cannot_read(table, act):
    await table.person("Ann").slash("pico play", channel="lobby")
    shown = await watch(table)
    await hide(table, "lobby", "Dan")

    answer = await table.person("Dan").forge(shown, custom_id=f"f1:1:0:{act}:all")

    assert answer.text.startswith("I can't find that match here.")
    assert follows(table) == []
    assert table.sql("SELECT count(*) FROM seats") == [(1,)]


async def test_a_former_player_cannot_join_again_in_a_channel_they_can_no_longer_read(table):
    """Players' clicks reach their match from anywhere, and players are remembered for a while."""
    options = {"variant": "pico2-three"}
    public = (await table.person("Ann").slash("pico play", channel="lobby", **options)).message
    dan, shown = table.person("Dan"), await watch(table)
    await dan.click(shown, "Join")
    await table.quiet_now()
    await dan.click(public, "Leave")
    await hide(table, "lobby", "Dan")

    answer = await dan.forge(shown, custom_id="f1:1:0:takeseat:all")

    assert answer.text.startswith("I can't find that match here.")
    assert table.sql("SELECT user FROM seats") == [(table.person("Ann").id,)]


async def test_a_match_is_not_listed_for_people_without_read_message_history(table):
    await table.match(channel="lobby")
    await hide(table, "lobby", "Dan", Permission.READ_MESSAGE_HISTORY)

    assert "No matches are on here right now." in (await watch(table)).text


async def test_a_match_in_a_thread_is_listed_for_people_who_can_read_the_channel(table):
    table.discord.world.set_permissions("lobby", allow=int(THREADS))
    await table.bot.services.guild_settings.change(table.discord.world.guild.id, "threads on")
    challenge = await table.challenge(channel="lobby")
    await table.person("Bo").click(challenge, "Accept")
    await table.discord.until(lambda: table.desk("Ann") and table.desk("Bo"))
    await table.quiet_now()
    (thread,) = table.discord.world.guild.threads()
    assert f"/{thread.id}/" in (await watch(table)).text

    await hide(table, "lobby", "Dan")

    assert "No matches are on here right now." in (await watch(table)).text


async def test_a_match_in_a_private_thread_is_listed_only_within_it(table):
    world = table.discord.world
    world.set_permissions("lobby", allow=int(THREADS))
    now = world.clock.now()
    people = [world.bot, *(table.person(name).user for name in ("Ann", "Bo", "Dan"))]
    details = Thread(
        owner=people[1].id, created_at=now, changed_at=now, members={p.id: now for p in people}
    )
    lobby = world.channel("lobby")
    heard = table.bot.wait_for("thread_create", timeout=30)
    secret = world.add_thread(lobby, "secret", details, kind=ChannelType.PRIVATE_THREAD)
    await heard
    await table.match(channel=secret)

    outside = await watch(table)
    within = (await table.person("Dan").slash("watch", channel=secret)).message

    assert "No matches are on here right now." in outside.text
    assert "1 match" in within.text


async def test_turning_pages_and_choosing_a_game_edit_the_list(table):
    for command in ("pico", "duel", "prize", "spite", "conquest"):
        await table.person("Bo").slash(f"{command} play", channel="games")
    for name in ("Ann", "Cleo"):
        await table.person(name).slash("pico play", channel="games")
    shown = await watch(table)
    assert labels(shown) == ["Join"] * 6 + ["Next ▶"]

    await table.person("Dan").click(shown, "Next ▶")
    assert labels(shown) == ["Join", "◀ Previous"]
    assert "7 matches · 7 with open seats · page 2 of 2" in shown.text

    await table.person("Dan").select(shown, "Games", "duel")
    assert labels(shown) == ["Join"]
    assert "Matches in this server: Divide and Conquer" in shown.text


async def test_a_forged_button_of_the_list_is_refused(table):
    """A button with a game that doesn't exist is refused, and no bug."""
    await table.match()
    shown = await watch(table)

    answer = await table.person("Dan").forge(shown, custom_id="f1:0:0:watch:chess")

    assert typed(answer.text) == "I don't know this button; use `/watch` again."
