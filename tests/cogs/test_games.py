"""`/games` in the sandbox: in servers and in direct messages, always as a private message."""

import pytest

from sandbox.permissions import Permission
from tests.support.clock import MINUTE
from tests.support.held import held
from tests.support.tables import labels, leads_to
from tests.support.waiting import until


async def games(table, name="Ann", channel="games"):
    return await table.person(name).slash("games", channel=channel)


async def test_a_running_match_is_listed_with_links_to_table_and_hand(table):
    public = await table.match()
    desk = table.desk("Ann", public)
    await table.quiet_now()  # so that the place of the desk is stored

    answer = await games(table)

    assert answer.ephemeral
    assert f"/{public.channel_id}/{public.id})" in answer.text
    assert f"[your hand](https://discord.com/channels/@me/{desk.channel_id}/{desk.id})" in (
        answer.text
    )
    assert "**Your turn**" in answer.text


async def test_it_works_in_direct_messages_too(table):
    public = await table.match()

    answer = await games(table, "Bo", table.person("Bo").dm)

    assert f"/{public.channel_id}/{public.id})" in answer.text
    assert table.person("Ann").mention in answer.text


@pytest.mark.parametrize("inbox", [False, True])
async def test_a_hand_that_is_shown_nowhere_can_be_opened_here(table, inbox):
    """The player may not be able to reach the table, for example if its channel is hidden now."""
    ann = table.person("Ann")
    ann.closed = True
    await table.match()
    shown = (await games(table, channel=ann.dm if inbox else "lobby")).message
    offered = labels(shown)

    hand = (await (await ann.click(shown, "Play 1")).settled()).message
    await table.pick("Ann", hand)
    await table.settled()

    assert offered == ["Play 1"]
    assert "**Waiting for others**" in (await games(table)).text
    assert table.sql("SELECT count(*) FROM moves") == [(1,)]


@pytest.mark.parametrize("inbox", [False, True])
async def test_a_hand_opened_here_leads_to_the_next_match(table, inbox):
    """One tap per match for somebody who comes back, also if the current match continues."""
    ann, where = table.person("Ann"), "lobby"
    ann.closed = True
    tables = [await table.match("Ann", name) for name in ("Bo", "Cleo", "Dan")]
    await table.pick("Bo", table.desk("Bo", tables[0]))
    shown = (await games(table, channel=ann.dm if inbox else where)).message
    hand = (await (await ann.click(shown, "Play 1")).settled()).message
    seen = []

    for _ in range(4):
        seen.append(next(t for t in tables if leads_to(hand, t)))
        await table.pick("Ann", hand)
        await table.settled()
        clicked = await ann.click(hand, "Next match")
        hand = (await clicked.settled()).message

    assert seen == [*tables, tables[0]]
    assert hand.text.startswith("### Your matches\n**Waiting for others**")
    assert clicked.ephemeral


async def test_a_player_who_opens_a_match_by_next_match_gets_no_notice_of_its_turn(table):
    """Looking at a match counts as a click in it, as **Play** does."""
    ann = table.person("Ann")
    ann.closed = True
    tables = [await table.match("Ann", name, pace="slow") for name in ("Bo", "Cleo")]
    for public in tables:
        await table.pick("Ann", await table.hand("Ann", public))
    table.pass_time(15 * MINUTE)
    for public, name in zip(tables, ("Bo", "Cleo"), strict=True):
        await table.pick(name, table.desk(name, public))
    await table.settled()
    table.pass_time(50)
    shown = (await games(table)).message

    hand = (await (await ann.click(shown, "Play 1")).settled()).message
    hand = (await (await ann.click(hand, "Next match")).settled()).message
    table.pass_time(15)
    await table.told()

    assert leads_to(hand, tables[1])
    assert table.sql("SELECT match FROM sent_notices WHERE user = ?", ann.id) == []


async def test_only_a_hand_opened_here_leads_to_the_next_match(table):
    """At its table, the player has come for this match."""
    public = await table.match()

    assert "Next match" not in labels(await table.hand("Ann", public))


async def test_a_hand_still_leads_to_the_next_match_after_a_restart(table):
    ann = table.person("Ann")
    ann.closed = True
    await table.match()
    shown = (await games(table)).message
    hand = (await (await ann.click(shown, "Play 1")).settled()).message
    await table.restart()

    await table.pick("Ann", hand)
    await table.settled()

    assert "You chose" in hand.text
    assert "Next match" in labels(hand)


async def test_a_hand_that_is_shown_somewhere_needs_no_button(table):
    await table.match()
    await table.quiet_now()

    assert labels((await games(table)).message) == []


@pytest.mark.parametrize("inbox", [False, True])
async def test_an_offer_can_be_answered_in_a_hand_opened_here(table, inbox):
    ann = table.person("Ann")
    ann.closed = True
    public = await table.match()
    shown = (await games(table, channel="lobby")).message
    await table.pick("Ann", (await (await ann.click(shown, "Play 1")).settled()).message)
    menu = (await table.person("Bo").click(public, "Menu")).message
    await table.person("Bo").click(menu, "Offer a draw")
    await table.quiet_now()
    shown = (await games(table, channel=ann.dm if inbox else "lobby")).message

    hand = (await (await ann.click(shown, "Answer 1")).settled()).message
    await ann.click(hand, "Accept the draw")
    await table.settled()

    assert labels(shown) == ["Answer 1"]
    assert table.sql("SELECT status, ending FROM matches") == [("over", "draw")]


async def resumed(table, name, channel):
    """Somebody's `/games` after they have pressed its only button."""
    shown = (await games(table, name, channel)).message
    assert labels(shown) == ["Resume 1"]
    await table.person(name).click(shown, "Resume 1")
    await table.settled()
    return shown


@pytest.mark.parametrize("inbox", [False, True])
async def test_a_match_that_time_ended_can_be_resumed_here(table, inbox):
    """The players who are asked need neither the table nor their hand."""
    public = await held(table)
    bo = table.person("Bo")
    await table.person("Ann").click(public, "Resume match")
    await table.quiet_now()

    shown = await resumed(table, "Bo", bo.dm if inbox else "lobby")

    assert table.sql("SELECT status FROM matches") == [("running",)]
    assert "**Your turn**" in shown.text


async def test_a_player_who_ran_out_of_time_can_ask_here_to_resume(table):
    """As at the table, which may be far up in the channel."""
    await held(table)
    bo = table.person("Bo")

    shown = await resumed(table, "Bo", bo.dm)

    assert labels(shown) == []
    assert "you want to resume it" in shown.text
    assert labels((await games(table)).message) == ["Resume 1"]


@pytest.mark.parametrize("inbox", [False, True])
async def test_a_match_paused_by_agreement_can_be_resumed_here(table, inbox):
    public = await table.match(pace="slow")
    ann, bo = (table.person(name) for name in ("Ann", "Bo"))
    await ann.click((await ann.click(public, "Menu")).message, "Offer a pause")
    await table.discord.until(lambda: "Pause the match" in labels(public))
    await bo.click(public, "Pause the match")
    await table.quiet_now()

    shown = await resumed(table, "Bo", bo.dm if inbox else "lobby")

    assert "**Your turn**" in shown.text
    await table.discord.until(lambda: "Paused" not in public.text)


async def test_a_player_who_has_left_the_server_cannot_resume_a_match_here(table):
    public = await held(table)
    bo = table.person("Bo")
    await table.person("Ann").click(public, "Resume match")
    await table.quiet_now()
    shown = (await games(table, "Bo", bo.dm)).message
    table.discord.world.remove_member(bo.user)

    answer = await bo.click(shown, "Resume 1")
    await table.settled()

    (said,) = answer.followups
    assert said.text.startswith("You're not in this match's server anymore")
    assert table.sql("SELECT status FROM matches") == [("over",)]


async def test_after_a_choice_a_match_is_listed_as_waiting_for_others(table):
    await table.match()
    await table.play("Ann")

    assert "**Waiting for others**" in (await games(table)).text
    assert "**Your turn**" in (await games(table, "Bo")).text


async def test_nobody_is_pinged(table):
    await table.match()
    answer = await games(table)

    sent = table.requests("POST", "/callback")[-1].json["data"]
    # Bo is shown by name to Ann, the only one who sees this.
    assert sent["allowed_mentions"] == {"parse": [], "users": [table.person("Bo").id]}
    assert answer.message.pinged == frozenset()


async def test_a_person_without_matches_is_told_how_to_start_one(table):
    assert "You have no matches" in (await games(table, "Cleo")).text


async def test_a_challenge_whose_message_was_deleted_can_be_withdrawn_here(table):
    public = await table.challenge("Ann", "Bo")
    await table.person("Ann").slash("duel play", channel="games", opponent=table.person("Cleo"))
    table.discord.world.delete_message(public)
    shown = (await games(table)).message

    await table.person("Ann").click(shown, "Withdraw 1")
    await table.quiet_now()

    assert labels(shown) == ["Withdraw 1"]
    assert "Divide and Conquer" in shown.text
    await table.ask("Ann", "Bo")  # and asked again


async def test_a_challenge_withdrawn_here_says_so_at_its_table(table):
    public = await table.ask("Ann", "Bo")
    shown = (await games(table)).message

    await table.person("Ann").click(shown, "Withdraw 1")
    await table.quiet_now()

    assert "The challenge was withdrawn." in public.text


async def test_people_can_withdraw_only_their_own_challenges(table):
    await table.ask("Ann", "Bo")

    assert labels((await games(table, "Bo")).message) == ["Accept 1", "Decline 1"]


@pytest.mark.parametrize("inbox", [False, True])
async def test_a_challenge_can_be_accepted_here_and_begins_at_its_table(table, inbox):
    public = await table.ask("Ann", "Bo")
    bo = table.person("Bo")
    shown = (await games(table, "Bo", bo.dm if inbox else "lobby")).message

    await bo.click(shown, "Accept 1")
    await table.settled()

    assert table.sql("SELECT status FROM matches") == [("running",)]
    assert "Round 1" in public.text
    assert "**Your turn**" in shown.text
    assert "Accept 1" not in labels(shown)


async def test_a_challenge_can_be_declined_here(table):
    public = await table.ask("Ann", "Bo")
    shown = (await games(table, "Bo")).message

    await table.person("Bo").click(shown, "Decline 1")
    await table.settled()

    assert "declined" in public.text
    assert "You have no matches" in shown.text


async def test_a_click_on_an_outdated_list_says_so_and_updates_the_list(table):
    public = (await table.ask("Ann", "Bo")).message
    shown = (await games(table, "Bo")).message
    await table.person("Ann").click(public, "Withdraw")

    answer = await table.person("Bo").click(shown, "Accept 1")
    await table.settled()

    said = [message.text for message in answer.followups]
    assert said == ["This challenge was withdrawn. Start a new one with a `play` command."]
    assert "You have no matches" in shown.text


async def test_a_person_who_has_left_the_server_cannot_accept_its_challenges_from_direct_messages(
    table,
):
    await table.ask("Ann", "Bo")
    bo = table.person("Bo")
    shown = (await games(table, "Bo", bo.dm)).message
    table.discord.world.remove_member(bo.user)

    answer = await bo.click(shown, "Accept 1")
    await table.settled()

    (said,) = answer.followups
    assert said.text == "You're not in this challenge's server anymore, so you can't accept it."
    # It is open, or has already ended because the bot noticed that the opponent has left.
    assert table.sql("SELECT status FROM matches") in ([("open",)], [("declined",)])


async def test_a_challenge_in_a_server_that_has_removed_the_bot_cannot_be_accepted(table):
    await table.ask("Ann", "Bo")
    bo = table.person("Bo")
    shown = (await games(table, "Bo", bo.dm)).message
    table.discord.world.remove_bot()
    await until(lambda: table.sql("SELECT left_at IS NULL FROM servers") == [(0,)])

    answer = await bo.click(shown, "Accept 1")
    await table.settled()

    (said,) = answer.followups
    assert said.text.startswith("I'm not in that challenge's server anymore, so it can't start.")
    assert table.sql("SELECT status FROM matches") == [("open",)]


async def test_a_challenge_in_a_server_with_an_outage_cannot_be_accepted(table):
    await table.ask("Ann", "Bo")
    bo = table.person("Bo")
    shown = (await games(table, "Bo", bo.dm)).message
    guild = table.discord.world.guild
    table.discord.world.take_down()
    await until(lambda: table.bot.get_guild(guild.id).unavailable)

    answer = await bo.click(shown, "Accept 1")
    await table.settled()

    (said,) = answer.followups
    assert said.text == "Discord can't reach that server right now. Try again later."
    assert table.sql("SELECT status FROM matches") == [("open",)]


async def test_pages_turn_in_place(table):
    for command in ("pico", "duel", "prize", "spite", "conquest"):
        await table.person("Bo").slash(f"{command} play", channel="games")
    for name in ("Cleo", "Dan", "Ann"):
        await table.ask(name, "Bo")
    await table.ask("Bo", "Ann", variant="pico1")
    first = (await games(table, "Bo")).message
    assert "Next ▶" not in labels(first)

    public = (await table.person("Ann").slash("duel play", channel="games")).message
    await table.person("Bo").click(public, "Join")
    shown = (await games(table, "Bo")).message
    await table.person("Bo").click(shown, "Next ▶")

    assert labels(shown)[-1] == "◀ Previous"
    assert "page 2 of 2" in shown.text


async def test_a_match_cannot_be_resumed_here_where_the_bot_may_no_longer_write(table):
    public = await held(table)
    bo = table.person("Bo")
    shown = (await games(table, "Bo", bo.dm)).message
    table.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES)
    channel = table.bot.get_channel(public.channel_id)
    await until(lambda: not channel.permissions_for(channel.guild.me).send_messages)

    answer = await bo.click(shown, "Resume 1")
    await table.settled()

    (said,) = answer.followups
    assert said.text.startswith(f"I can't run a match in <#{public.channel_id}>: I need Send")
    assert table.sql("SELECT count(*) FROM seats WHERE agrees = 'resume'") == [(0,)]
