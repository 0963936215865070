"""Challenging somebody who is on vacation: the challenger is told, and the challenge waits."""

from datetime import timedelta

from tests.support.clock import DAY, HOUR
from tests.support.notices import away, offer_a_draw


async def start_vacation(table, name, days=3):
    """Send somebody on vacation; returns the Unix time when it ends."""
    await table.person(name).slash("vacation start", channel="games", days=days)
    query = "SELECT until FROM vacations WHERE user = ?"
    ((until,),) = table.sql(query, table.person(name).id)
    return until


async def test_only_the_challenger_is_told_until_when_their_opponent_is_away(table):
    until = await start_vacation(table, "Bo")

    answer = await table.ask("Ann", "Bo", pace="slow")
    await table.discord.until(lambda: answer.followups)

    (told,) = answer.followups
    assert told.ephemeral_to == table.person("Ann").id
    assert told.text == (
        f"🏝️ {table.person('Bo').mention} is on vacation until <t:{until}:f>.\n"
        f"They can still answer; your challenge stays open until <t:{until + 3 * DAY}:f>."
    )
    assert f"expiry: <t:{until + 3 * DAY}:R>" in answer.message.text
    assert "vacation" not in answer.message.text
    table.watch.advance(3 * DAY + HOUR)
    await table.person("Bo").click(answer.message, "Accept")
    await table.discord.until(lambda: "Round 1" in answer.message.text)


async def test_a_quick_challenge_is_not_extended(table):
    until = await start_vacation(table, "Bo")

    answer = await table.ask("Ann", "Bo")
    await table.discord.until(lambda: answer.followups)

    (told,) = answer.followups
    assert told.text == (
        f"🏝️ {table.person('Bo').mention} is on vacation until <t:{until}:f>.\n"
        "They might not answer in time."
    )


async def test_the_vacation_of_somebody_with_private_results_is_not_revealed(table):
    await start_vacation(table, "Bo")
    await table.person("Bo").slash("privacy visibility", channel="games", leaderboards=1)

    answer = await table.ask("Ann", "Bo", pace="slow")
    await table.handled()

    assert answer.followups == []


async def hand_of_a_match_begun_on_vacation(table):
    """Ann's first hand, which comes silently while they are away, though they owe a move."""
    await start_vacation(table, "Ann")
    challenge = await table.challenge(pace="slow")
    await away(table, HOUR)
    await table.person("Bo").click(challenge, "Accept")
    await table.settled()
    await away(table, HOUR)
    return table.desk("Ann")


async def test_who_was_away_when_their_match_began_is_notified_when_their_clock_starts(table):
    """Their first hand came silently when it began, in the turn that they still owe."""
    silent = await hand_of_a_match_begun_on_vacation(table)

    await away(table, 3 * DAY)

    assert table.desk("Ann").id != silent.id
    assert table.desk("Ann").text.startswith(
        "🏝️ **Your vacation is over, and your clock is running.**\n"
    )


async def turn_off_ends_of_vacations(table, name):
    await table.bot.services.notice_settings.choose(table.person(name).id, "back", "none")


async def test_who_is_told_of_no_end_of_a_vacation_is_told_of_the_turn_that_they_then_owe(table):
    """Their first hand came silently in that turn, before their clock ran."""
    await turn_off_ends_of_vacations(table, "Ann")
    silent = await hand_of_a_match_begun_on_vacation(table)

    await away(table, 3 * DAY)

    told = table.desk("Ann")
    assert told.id != silent.id
    assert told.text.startswith("👉 **It's your turn.**\n")
    await away(table, HOUR)
    assert table.desk("Ann").id == told.id


async def test_an_offer_during_a_vacation_does_not_tell_of_the_turn_after_it(table):
    await turn_off_ends_of_vacations(table, "Ann")
    public = await table.match(pace="slow")
    await away(table)
    await start_vacation(table, "Ann")
    await table.trick("Ann", "Bo")
    await away(table)
    await offer_a_draw(table, "Bo", public)
    offered = table.desk("Ann")

    await table.person("Ann").slash("vacation end", channel="games")
    await away(table)

    assert offered.text.startswith("🤝")
    assert table.desk("Ann").id != offered.id


async def test_a_hand_that_came_after_a_vacation_has_told_of_its_turn(table):
    await start_vacation(table, "Ann", days=1)
    table.discord.clock.advance(timedelta(days=2))
    await away(table, 2 * DAY)
    await table.match(pace="slow")
    first = table.desk("Ann")

    await away(table)

    assert table.desk("Ann").id == first.id
