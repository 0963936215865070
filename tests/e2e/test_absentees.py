"""Players who have left the server or were banned from it: no match begins with them there."""

import asyncio

import pytest

from bot.messaging.membership import BELIEVED_FOR
from tests.support.clock import HOUR, MINUTE
from tests.support.tables import labels, win
from tests.support.waiting import until, written


async def leave(table, name, *, is_looked_for=False):
    """Remove somebody from the server, after any answer that they are a member has expired.

    Unless `is_looked_for`, also turn off the bot's own check for absent invitees.
    """
    absentees = table.bot.services.absentees
    if not is_looked_for:
        absentees._next_look = float("inf")
    # A request still under way could store an answer from before, which would be believed from then
    # on.
    await until(lambda: not absentees._members._asking)
    table.discord.world.remove_member(table.person(name).user)
    table.watch.advance(BELIEVED_FOR.total_seconds() + 1)


def come_back(table, name):
    table.discord.world.add_member(table.person(name).user)


async def check_invitees(table):
    """Advance time until the hourly check of which invited players are still members is over."""
    table.pass_time(MINUTE)
    absentees = table.bot.services.absentees
    await until(lambda: any(absentees._looked_at.values()) and not absentees._members._asking)


def statuses(table):
    return [status for (status,) in table.sql("SELECT status FROM matches ORDER BY id")]


async def challenge_to_conquest(table, *invited, players=4):
    """The table of a conquest challenge by Ann for this many players; those named are invited."""
    keys = ("opponent", "second_opponent", "third_opponent")
    named = {key: table.person(name) for key, name in zip(keys, invited, strict=False)}
    command = table.person("Ann").slash("conquest play", channel="games", players=players, **named)
    public = (await command).message
    await table.discord.until(lambda: public.is_v2)  # mentions are sent in words first
    return public


async def test_a_challenge_whose_challenger_has_left_ends_when_somebody_accepts(table):
    public = await table.challenge("Bo", "Cleo", pace="slow")
    await leave(table, "Bo")

    answer = await table.person("Cleo").click(public, "Accept")
    await table.settled()

    assert answer.text == (
        f"{table.person('Bo').mention} has left this server, so this challenge is over. Start "
        "your own with a `play` command."
    )
    assert statuses(table) == ["withdrawn"]
    assert "Accept" not in labels(public)


async def test_the_seat_of_a_player_who_has_left_reopens_when_somebody_joins(table):
    public = await challenge_to_conquest(table, players=3)
    await table.person("Bo").click(public, "Join")
    await leave(table, "Bo")

    await table.person("Cleo").click(public, "Join")
    await table.settled()
    waiting = statuses(table)
    await table.person("Dan").click(public, "Join")
    await table.settled()

    assert waiting == ["open"]
    assert statuses(table) == ["running"]
    seated = [user for (user,) in table.sql("SELECT user FROM seats ORDER BY seat")]
    assert seated == [table.person(name).id for name in ("Ann", "Cleo", "Dan")]


async def test_two_players_who_join_at_once_while_an_absentee_is_found_both_get_a_seat(table):
    public = await challenge_to_conquest(table, "Bo")
    await leave(table, "Bo")

    await asyncio.gather(*(table.person(name).click(public, "Join") for name in ("Cleo", "Dan")))
    await table.settled()

    seated = {user for (user,) in table.sql("SELECT user FROM seats")}
    assert seated == {table.person(name).id for name in ("Ann", "Cleo", "Dan")}


async def test_a_challenge_whose_challenger_has_left_ends_when_a_seat_is_taken_from_the_list(table):
    public = await challenge_to_conquest(table, players=2)
    shown = (await table.person("Cleo").slash("watch", channel="lobby")).message
    await leave(table, "Ann")

    answer = await table.person("Cleo").click(shown, "Join")
    await table.settled()

    assert "has left this server, so this challenge is over." in answer.text
    assert statuses(table) == ["withdrawn"]
    assert "Join" not in labels(public)


async def test_a_computer_in_the_last_seat_starts_no_match_with_an_absentee(table):
    public = await challenge_to_conquest(table, players=3)
    await table.person("Bo").click(public, "Join")
    await leave(table, "Bo")

    await table.person("Ann").select(public, "Add a computer", "easy")
    await table.settled()

    assert statuses(table) == ["open"]
    seated = [user for (user,) in table.sql("SELECT user FROM seats ORDER BY seat")]
    assert table.person("Bo").id not in seated


async def test_no_match_is_started_with_an_absentee(table):
    public = await challenge_to_conquest(table)
    for name in ("Bo", "Cleo"):
        await table.person(name).click(public, "Join")
    await leave(table, "Bo")

    await table.person("Ann").click(public, "Start")
    await table.settled()

    assert statuses(table) == ["running"]
    seated = [user for (user,) in table.sql("SELECT user FROM seats ORDER BY seat")]
    assert seated == [table.person(name).id for name in ("Ann", "Cleo")]


async def test_a_player_who_left_and_came_back_plays(table):
    """Even if the bot asked about them while they were away."""
    public = await table.challenge("Bo", "Cleo", pace="slow")
    await leave(table, "Bo")
    guild, bo = table.discord.world.guild.id, table.person("Bo").id
    assert await table.bot.services.absentees._members.gone(guild, [bo]) == {bo}
    come_back(table, "Bo")

    await table.person("Cleo").click(public, "Accept")

    assert statuses(table) == ["running"]


async def test_a_challenge_begins_if_discord_does_not_say_who_is_a_member(table, monkeypatch):
    async def unknown(*args):
        del args

    monkeypatch.setattr("bot.messaging.membership.Membership.present", unknown)
    public = await table.challenge("Bo", "Cleo", pace="slow")
    await leave(table, "Bo")

    await table.person("Cleo").click(public, "Accept")

    assert statuses(table) == ["running"]


async def test_a_challenge_does_not_wait_for_an_absentee(table):
    """Discord doesn't tell the bot who leaves, so the bot asks."""
    public = await table.challenge("Ann", "Bo", pace="slow")
    other = await table.challenge("Ann", "Cleo", pace="slow")
    await table.told()
    await check_invitees(table)
    await leave(table, "Bo", is_looked_for=True)

    table.pass_time(HOUR)
    await table.discord.until(lambda: "Accept" not in labels(public))
    await table.told()

    bo = table.person("Bo").mention
    assert f"{bo} has left this server, so the challenge is off." in public.text
    assert statuses(table) == ["declined", "open"]
    assert "Accept" in labels(other)
    (told,) = [m for m in table.letters("Ann") if "is off" in m.text]
    assert f"{bo} has left the server, so the challenge to " in told.text


async def test_invited_players_are_looked_up_once_an_hour_per_server(table):
    await table.challenge("Ann", "Bo", pace="slow")
    await check_invitees(table)
    await leave(table, "Bo", is_looked_for=True)

    table.pass_time(HOUR - 20 * MINUTE)
    await table.bot.services.absentees.look()
    early = statuses(table)
    table.pass_time(20 * MINUTE)

    assert early == ["open"]
    await until(lambda: statuses(table) == ["declined"])


async def test_a_seat_reserved_for_an_absentee_is_open_to_everybody_else(table):
    await challenge_to_conquest(table, "Bo", players=3)
    await check_invitees(table)
    await leave(table, "Bo", is_looked_for=True)

    table.pass_time(HOUR)

    await written(table, "SELECT user FROM seats", [(table.person("Ann").id,)])
    await table.told()
    assert statuses(table) == ["open"]
    (told,) = [m for m in table.letters("Ann") if "won't play" in m.text]
    assert f"{table.person('Bo').mention} won't play " in told.text
    assert "Anyone can take their seat now." in told.text


async def test_a_player_who_accepts_is_told_that_another_invited_player_has_left(table):
    public = await challenge_to_conquest(table, "Bo", "Cleo", players=3)
    await check_invitees(table)
    await leave(table, "Bo")

    answer = await table.person("Cleo").click(public, "Accept")
    await table.settled()

    assert answer.text.startswith(f"{table.person('Bo').mention} has left this server")
    assert statuses(table) == ["declined"]


@pytest.mark.parametrize("wanted", [False, True], ids=["first", "last to agree"])
async def test_a_banned_player_cannot_start_a_rematch_from_direct_messages(table, wanted):
    public = await win(table, "Ann", "Bo")
    if wanted:
        await table.person("Ann").click(public, "Rematch")
    table.discord.world.remove_member(table.person("Bo").user)  # just now

    answer = await table.person("Bo").click(table.desk("Bo"), "Rematch")
    await table.settled()

    assert answer.text == (
        "You're not in this match's server anymore, so you can't start a rematch."
    )
    assert statuses(table) == ["over"]
    to_ann = f"user = {table.person('Ann').id} AND event = 'rematch'"
    assert table.sql(f"SELECT * FROM notices WHERE {to_ann}") == []  # noqa: S608 - our own words


@pytest.mark.parametrize("agreed", [False, True])
async def test_there_is_no_rematch_with_an_absentee(table, agreed):
    public = await win(table, "Bo", "Cleo", pace="slow")
    if agreed:
        await table.person("Bo").click(public, "Rematch")
    await leave(table, "Bo")

    answer = await table.person("Cleo").click(public, "Rematch")
    await table.settled()

    assert answer.text == (
        f"{table.person('Bo').mention} has left the server, so there can't be a rematch. Start a "
        "new match with a `play` command."
    )
    assert statuses(table) == ["over"]


async def menu_of_banned_bo(table, *players):
    """The menu of Bo's hand, opened after Bo was removed during a match of these players."""
    await table.match(*players, pace="slow")
    await leave(table, "Bo")
    return (await table.person("Bo").click(table.desk("Bo"), "Menu")).message


@pytest.mark.parametrize("wish", ["Offer a draw", "Call it off", "Offer a pause", "Nudge"])
async def test_a_banned_player_cannot_ask_the_others_for_anything_from_direct_messages(table, wish):
    opened = await menu_of_banned_bo(table, "Ann", "Bo")
    await table.play("Bo")

    answer = await table.person("Bo").click(opened, wish)
    await table.settled()

    assert answer.text == (
        "You're not in this match's server anymore, so you can't ask the others for anything. "
        "You can still move or resign."
    )
    assert table.sql("SELECT agrees, nudged_at FROM seats") == [(None, None)] * 2
    assert table.sql("SELECT * FROM notices WHERE event IN ('offered', 'nudged')") == []


async def test_the_moves_and_agreements_of_a_banned_player_still_count(table):
    await menu_of_banned_bo(table, "Ann", "Bo")
    await table.trick("Ann", "Bo")
    await table.settled()
    opened = await table.person("Ann").click(table.desk("Ann"), "Menu")
    await table.person("Ann").click(opened.message, "Offer a draw")
    await table.discord.until(lambda: "Accept the draw" in labels(table.desk("Bo")))

    await table.person("Bo").click(table.desk("Bo"), "Accept the draw")

    assert table.sql("SELECT step, ending FROM matches") == [(1, "draw")]


async def test_a_banned_player_against_computers_only_can_call_the_match_off(table):
    play = table.person("Bo").slash("pico play", channel="games", computer="easy", hand="desk")
    public = (await play).message
    await table.discord.until(lambda: "Round 1" in public.text and table.desk("Bo", public))
    await leave(table, "Bo")
    opened = (await table.person("Bo").click(table.desk("Bo"), "Menu")).message

    await table.person("Bo").click(opened, "Call it off")

    assert table.sql("SELECT ending FROM matches") == [("call_off",)]


async def test_a_member_can_ask_the_others_from_direct_messages(table):
    await table.match(pace="slow")
    opened = (await table.person("Bo").click(table.desk("Bo"), "Menu")).message

    answer = await table.person("Bo").click(opened, "Offer a draw")

    assert answer.text.startswith("You offered a draw.")
