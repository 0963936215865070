"""Held results, which only time has ended: what their messages offer until they count."""

from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.held import held
from tests.support.tables import labels
from tests.support.waiting import until, written

BOTH = ("Ann", "Bo")


async def test_resuming_is_offered_only_while_the_server_allows_it(table):
    public = await held(table)

    await allow_time_off(table, "pause", "vacation")
    await table.discord.until(
        lambda: not any("Resume match" in labels(m) for m in (public, table.desk("Bo")))
    )
    barred = [labels(message) for message in (public, table.desk("Bo"))]
    said = public.text
    await allow_time_off(table, "resume")
    await table.discord.until(lambda: "Resume match" in labels(public))

    assert [shown[:2] for shown in barred] == [["Let it count", "Rematch"]] * 2
    assert "; replay and export come afterwards." in said
    assert "resume" not in said


async def test_a_changed_setting_is_shown_even_if_a_previous_edit_is_not_stored_yet(table):
    public = await held(table)
    slots = table.bot.services.live.slots
    for slot in (await slots.table(1), await slots.hand(1, 1)):
        slot.mark_shown(slot.shown, slot.ref.revision)

    await allow_time_off(table, "pause", "vacation")

    await table.discord.until(
        lambda: not any("Resume match" in labels(m) for m in (public, table.desk("Bo")))
    )


async def test_a_changed_setting_is_shown_even_if_its_answer_fails(table):
    public = await held(table)
    panel = (await table.person("Ann").slash("settings", channel="lobby")).message

    late = Fault(path="/callback$", status=404, code=10062, after=True)
    table.discord.faults.add(late)
    await table.person("Ann").select(panel, "No time off", ["pause", "vacation"])

    await table.discord.until(
        lambda: not any("Resume match" in labels(m) for m in (public, table.desk("Bo")))
    )
    assert not table.discord.faults.ordered


async def test_a_player_who_left_the_server_cannot_resume_a_match_from_direct_messages(table):
    await held(table)
    table.discord.world.remove_member(table.person("Bo").user)

    answer = await table.person("Bo").click(table.desk("Bo"), "Resume match")
    await table.settled()

    assert answer.text == (
        "You're not in this match's server anymore, so you can't ask to resume this match."
    )
    assert table.sql("SELECT agrees FROM seats") == [(None,)] * 2


async def allow_time_off(table, *time_off):
    """Let a manager allow exactly these kinds of time off."""
    manager = table.person("Ann")
    panel = (await manager.slash("settings", channel="lobby")).message
    await manager.select(panel, "No time off", list(time_off))
    await table.handled()
    await table.quiet_now()


async def test_a_held_result_with_a_rematch_links_to_it_and_no_longer_offers_to_resume(table):
    public = await held(table)

    for name in BOTH:
        await table.person(name).click(public, "Rematch")
    await table.discord.until(lambda: "Go to the rematch" in labels(public))
    await table.quiet_now()

    assert labels(public)[:2] == ["Let it count", "Go to the rematch"]
    assert table.sql("SELECT settled FROM matches WHERE id = 1") == [(1,)]


async def test_a_match_cannot_be_resumed_in_a_server_that_the_bot_has_left(table):
    await held(table)
    table.discord.world.remove_bot()
    await written(table, "SELECT 1 FROM servers WHERE left_at NOT NULL")
    await table.settled()

    answers = [await table.person(n).click(table.desk(n), "Resume match") for n in BOTH]
    await table.settled()

    left = "I'm not in that server anymore, so you can't play there."
    assert [answer.text.startswith(left) for answer in answers] == [True, True]
    assert table.sql("SELECT status FROM matches") == [("over",)]


async def test_a_match_cannot_be_resumed_where_the_bot_may_no_longer_write(table):
    public = await held(table)
    table.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES)
    channel = table.bot.get_channel(public.channel_id)
    await until(lambda: not channel.permissions_for(channel.guild.me).send_messages)

    answer = await table.person("Bo").click(table.desk("Bo"), "Resume match")

    assert answer.text.startswith(f"I can't run a match in <#{public.channel_id}>: I need Send")
    assert table.sql("SELECT count(*) FROM seats WHERE agrees = 'resume'") == [(0,)]
