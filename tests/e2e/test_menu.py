"""The menu of a running match: offers, nudges, moves so far, and posting the table again."""

from datetime import timedelta

import pytest

from bot.matches import archive
from cogs import finished_match
from tests.support.clock import HOUR, MINUTE
from tests.support.tables import labels, leads_to
from tests.support.waiting import with_others_going_on


async def menu(table, name, message, label):
    """Press a button of the menu; returns the answer."""
    opened = await table.person(name).click(message, "Menu")
    return await table.person(name).click(opened.message, label)


async def nudges(table):
    """The messages that nudge somebody, once there are any."""

    def sent():
        every = table.discord.world.messages.values()
        return [m for m in every if "is waiting for your move" in m.text]

    await table.discord.until(sent)
    return sent()


async def test_the_menu_is_private(table):
    public = await table.match()

    at_table = await table.person("Ann").click(public, "Menu")
    at_desk = await table.person("Ann").click(table.desk("Ann"), "Menu")
    watching = await table.person("Dan").click(public, "Menu")

    players = [
        "My hand",
        "Moves so far",
        "Rules",
        "Offer a draw",
        "Call it off",
        "Offer a pause",
        "Nudge",
        "Bring to the bottom",
        "Resign",
    ]
    assert [answer.ephemeral for answer in (at_table, at_desk, watching)] == [True] * 3
    assert labels(at_table.message) == labels(at_desk.message) == players
    assert labels(watching.message) == ["Follow", "Moves so far", "Rules"]
    assert "You're watching this match." in watching.text


@pytest.mark.parametrize(
    ("module", "work"), [(archive, "moves_of"), (finished_match, "moves_content")]
)
async def test_nobody_waits_while_the_moves_of_a_long_match_are_listed(
    table, monkeypatch, module, work
):
    public = await table.match()
    asked = menu(table, "Ann", public, "Moves so far")

    answer = await with_others_going_on(monkeypatch, module, work, asked)

    assert "No moves yet." in answer.text


async def test_a_draw_is_offered_shown_everywhere_and_accepted(table):
    public = await table.match()
    ann, bo = (table.person(name).mention for name in ("Ann", "Bo"))

    answer = await menu(table, "Ann", public, "Offer a draw")
    await table.discord.until(lambda: "Accept the draw" in labels(table.desk("Bo")))
    await table.discord.until(lambda: "Accept the draw" in labels(public))

    assert answer.text == (
        "You offered a draw. The offer stands until another player declines it, moves or leaves, "
        "or you agree to another offer."
    )
    said = f"{ann} offers a draw.** Waiting for {bo}."
    await table.discord.until(lambda: said in table.desk("Ann").text)
    assert said in public.text
    assert said in table.desk("Bo").text
    assert "Accept the draw" not in labels(table.desk("Ann"))

    await table.person("Bo").click(table.desk("Bo"), "Accept the draw")
    await table.over(public, "Ann", "Bo")

    assert "**A draw**: everyone agreed to it." in public.text
    assert "**A draw**" in table.desk("Ann").text
    assert labels(table.desk("Ann"))[0::4] == ["Rematch", "Go to the table"]
    assert table.sql("SELECT drawn FROM results") == [(1,), (1,)]


async def test_an_offer_that_replaces_another_says_so(table):
    public = await table.match()
    await menu(table, "Ann", public, "Offer a draw")

    answer = await menu(table, "Ann", public, "Call it off")

    assert answer.text.endswith("It replaces what you offered or agreed to before.")


async def test_a_player_who_declines_is_named_at_the_table_and_in_the_hands(table):
    public = await table.match()
    await menu(table, "Ann", table.desk("Ann"), "Call it off")
    await table.discord.until(lambda: "Keep playing" in labels(public))

    await table.person("Bo").click(public, "Keep playing")

    said = f"{table.person('Bo').mention} declined, so the match goes on."
    for message in (public, table.desk("Ann"), table.desk("Bo")):
        await table.discord.until(lambda m=message: said in m.text)
        assert not {"Keep playing", "Call it off"} & set(labels(message))
    await table.trick("Ann", "Bo")
    await table.discord.until(lambda: said not in public.text)


async def test_a_match_can_be_called_off_by_a_click_on_the_table(table):
    public = await table.match()
    await menu(table, "Ann", public, "Call it off")
    await table.discord.until(lambda: "Call it off" in labels(public))

    strange = await table.person("Dan").click(public, "Call it off")
    await table.person("Bo").click(public, "Call it off")
    await table.over(public, "Ann", "Bo")

    assert strange.text == "You're not playing in this match. Only its players can decide this."
    assert "**Called off**: everyone agreed to end it without a result." in public.text
    assert table.sql("SELECT count(*) FROM results") == [(0,)]


async def test_the_second_player_to_make_the_same_offer_is_told_that_it_is_agreed(table):
    public = await table.match()
    await menu(table, "Ann", public, "Offer a draw")

    answer = await menu(table, "Bo", table.desk("Bo"), "Offer a draw")

    assert answer.text == "Everyone agreed, so the match is over."
    await table.over(public, "Ann", "Bo")


async def test_the_moves_so_far_are_those_of_revealed_steps(table):
    public = await table.match()
    empty = await menu(table, "Dan", public, "Moves so far")
    await table.trick("Ann", "Bo")
    await table.trick("Ann", "Bo")
    await table.play("Ann")

    answer = await menu(table, "Dan", public, "Moves so far")
    at_desk = await menu(table, "Bo", table.desk("Bo"), "Moves so far")

    assert "No moves yet." in empty.text
    lines = answer.text.splitlines()[2:]
    played = table.sql("SELECT move FROM moves WHERE step < 2 ORDER BY step, seat")
    assert [move in lines[i // 2] for i, (move,) in enumerate(played)] == [True] * 4
    assert len(lines) == 2
    assert at_desk.text == answer.text


async def test_long_lists_of_moves_have_pages(table):
    public = await table.match()
    await table.change(
        "WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 59) "
        "INSERT INTO moves (match, step, seat, move, how, made_at) "
        "SELECT 1, i, 0, '7', 'chosen', 1 FROM n"
    )
    await table.change("UPDATE matches SET step = 60")

    last = (await menu(table, "Dan", public, "Moves so far")).message
    text, shown = last.text, labels(last)
    await table.person("Dan").click(last, "◀ Earlier")
    await table.person("Dan").click(last, "◀ Earlier")

    assert ("` 60`" in text, "` 50`" in text, shown) == (True, False, ["◀ Earlier"])
    assert "Page 3 of 3" in text
    assert ("`  1`" in last.text, "` 25`" in last.text, labels(last)) == (True, True, ["Later ▶"])


@pytest.mark.parametrize("preference", ["dm", "channel"])
async def test_a_nudge_reaches_only_players_who_owe_a_move_in_the_way_they_chose(table, preference):
    public = await table.match("Ann", "Bo", "Cleo", pace="slow")
    ann, bo = table.person("Ann"), table.person("Bo")
    await table.bot.services.notice_settings.choose(bo.id, "nudged", preference)
    await table.play("Cleo")

    answer = await menu(table, "Ann", public, "Nudge")
    (nudge,) = await nudges(table)

    assert answer.text == f"Nudged: {bo.mention}."
    assert (nudge in bo.direct_messages) is (preference == "dm")
    assert f"{ann.mention} is waiting for your move" in nudge.text
    assert leads_to(nudge, public)
    assert nudge.pinged <= {bo.id}
    assert nudge.pinged or preference == "dm"


async def test_a_nudge_is_posted_in_the_channel_if_direct_messages_are_closed(table):
    table.person("Bo").closed = True
    public = await table.match(pace="slow")

    await menu(table, "Ann", public, "Nudge")

    (nudge,) = await nudges(table)
    assert nudge.pinged == {table.person("Bo").id}


async def test_a_player_who_wants_no_reminders_is_not_nudged(table):
    public = await table.match(pace="slow")
    bo = table.person("Bo")
    await table.bot.services.notice_settings.choose(bo.id, "nudged", "none")
    since = len(table.discord.requests)

    answer = await menu(table, "Ann", public, "Nudge")

    assert answer.text == f"{bo.mention} doesn't want to be nudged."
    assert table.requests("POST", "/messages", since=since) == []


async def test_a_player_on_vacation_is_not_nudged_and_the_answer_says_until_when(table):
    names = ("Ann", "Bo", "Cleo")
    public = await table.match(*names, pace="slow")
    await table.person("Bo").slash("vacation start", channel="games", days=5)
    since = len(table.discord.requests)

    first = await menu(table, "Ann", public, "Nudge")
    second = await menu(table, "Ann", public, "Nudge")
    await table.told()
    await table.quiet_now()

    bo, cleo = (table.person(name) for name in names[1:])
    ((until,),) = table.sql("SELECT away_until FROM seats WHERE seat = 1")
    away = f"{bo.mention} is on vacation until <t:{until}:f>, so I didn't nudge them."
    assert first.text == f"Nudged: {cleo.mention}. {away}"
    assert second.text.startswith("They were already nudged in the last 6 hours.")
    sent = table.requests("POST", "/messages", since=since)
    assert [r.path for r in sent] == [f"/channels/{cleo.dm.id}/messages"]


async def test_a_player_can_be_nudged_once_in_six_hours(table):
    public = await table.match(pace="slow")
    await menu(table, "Ann", public, "Nudge")
    table.watch.advance(6 * HOUR - MINUTE)

    again = await menu(table, "Ann", public, "Nudge")
    table.watch.advance(MINUTE)
    later = await menu(table, "Ann", public, "Nudge")

    assert again.text.startswith(
        "They were already nudged in the last 6 hours. You can nudge again <t:"
    )
    assert later.text == f"Nudged: {table.person('Bo').mention}."


async def test_neither_the_player_who_owes_a_move_nor_a_stranger_can_nudge(table):
    public = await table.match(pace="slow")
    custom_id = f"f1:{table.match_of(public)}:0:nudge:"
    await table.play("Bo")

    own = await table.person("Ann").forge(public, custom_id=custom_id)  # from an older menu
    strange = await table.person("Dan").forge(public, custom_id=custom_id)

    assert own.text == "The match is waiting for you only. Choose your move."
    assert strange.text == "Only players of this match can nudge each other."


async def test_the_table_is_reposted_at_the_bottom_and_hands_link_to_it(table):
    public = await table.match()
    await table.person("Dan").say("games", "What a game!")
    table.discord.clock.advance(timedelta(minutes=1))

    await menu(table, "Ann", public, "Bring to the bottom")
    await table.discord.until(lambda: public.deleted)

    (new,) = [m for m in table.discord.world.messages.values() if "is choosing" in m.text]
    assert new.id > public.id
    assert new.pinged == frozenset()
    for name in ("Ann", "Bo"):
        await table.discord.until(lambda n=name: leads_to(table.desk(n), new))
    await table.trick("Ann", "Bo")
    await table.discord.until(lambda: "beats" in new.text or "loses to" in new.text)


async def test_only_players_can_repost_the_table(table):
    """Otherwise anybody who reads the channel could have it posted again and again."""
    public = await table.match()
    table.discord.clock.advance(timedelta(minutes=1))

    strange = await table.person("Dan").forge(
        public, custom_id=f"f1:{table.match_of(public)}:0:bottom:"
    )
    await table.quiet_now()

    assert strange.text.startswith("You're not playing in this match.")
    assert not public.deleted


async def test_a_table_that_was_just_posted_is_not_reposted(table):
    public = await table.match()

    answer = await menu(table, "Ann", public, "Bring to the bottom")

    await table.discord.until(lambda: answer.followups)
    (told,) = answer.followups
    assert told.text == "The table was just posted. Try again in a minute."
    assert told.ephemeral_to is not None
    assert not public.deleted


async def test_a_table_that_cannot_be_reposted_stays(table):
    public = await table.match()
    table.discord.clock.advance(timedelta(minutes=1))
    world = table.discord.world
    world.set_permissions(world.channel("games"), deny=2048)  # Send Messages

    answer = await menu(table, "Ann", public, "Bring to the bottom")

    await table.discord.until(lambda: answer.followups)
    assert [message.text for message in answer.followups] == [
        "I can't repost the table: I'm not allowed to post there. It stays where it is."
    ]
    assert not public.deleted
