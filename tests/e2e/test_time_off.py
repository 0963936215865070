"""Time off at the wire: pauses, vacations, reserves of time, and matches that are resumed."""

import pytest

from tests.support.clock import DAY, MINUTE, Watch
from tests.support.tables import labels, seated

BOTH = ("Ann", "Bo")


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture
async def table(discord, tmp_path, watch):
    async with seated(discord, tmp_path, now=watch) as table:
        yield table


async def paused(table):
    """The table of a match that Ann and Bo have agreed to pause."""
    public = await table.match(pace="slow")
    opened = await table.person("Ann").click(public, "Menu")
    await table.person("Ann").click(opened.message, "Offer a pause")
    await table.discord.until(lambda: "Pause the match" in labels(table.desk("Bo")))
    await table.person("Bo").click(table.desk("Bo"), "Pause the match")
    await table.discord.until(lambda: labels(public) == ["Resume"])
    await table.quiet_now()
    return public


async def test_a_pause_is_shown_everywhere_and_ended_at_the_table(table, watch):
    public = await paused(table)
    until = int(watch()) + 14 * DAY

    for name in BOTH:
        assert f"Paused until <t:{until}:f> at the latest." in table.desk(name).text
        assert labels(table.desk(name)) == ["Resume", "Go to the table"]
    strange = await table.person("Dan").click(public, "Resume")
    watch.advance(2 * DAY)
    await table.person("Bo").click(public, "Resume")
    await table.discord.until(lambda: "The pause is over" in public.text)
    await table.discord.until(lambda: all(table.cards(table.desk(name)) for name in BOTH))

    assert strange.text == "Only its players can resume this match."
    ((due,),) = table.sql("SELECT due_at FROM matches")
    assert watch() + DAY - MINUTE < due <= watch() + DAY
    assert f"<t:{due}:R>" in public.text
    await table.trick(*BOTH)
    await table.discord.until(lambda: "The pause is over" not in public.text)


async def test_a_click_on_a_card_of_before_is_told_of_the_pause(table):
    public = await paused(table)

    answer = await table.person("Ann").forge(
        public, custom_id=f"f1:{table.match_of(public)}:0:hand:"
    )

    assert answer.text == (
        "This match is paused because its players agreed to it. Any of them can press **Resume** "
        "at the table."
    )


async def test_a_pause_goes_on_over_a_restart_and_ends_after_14_days(table, watch):
    public = await paused(table)

    await table.restart(now=watch)
    table.pass_time(14 * DAY)

    await table.discord.until(lambda: "the clock is running again" in public.text)
    await table.discord.until(lambda: all(table.cards(table.desk(name)) for name in BOTH))
    ((paused_at, due),) = table.sql("SELECT paused_at, due_at FROM matches")
    assert paused_at is None
    assert watch() + DAY - MINUTE < due <= watch() + DAY


async def test_a_vacation_is_told_to_its_player_and_shown_at_the_table(table, watch):
    public = await table.match(pace="slow")
    ann = table.person("Ann")

    begun = await ann.slash("vacation start", channel="games", days=3)
    ((until,),) = table.sql("SELECT until FROM vacations")
    said = f"{ann.mention} is on vacation until <t:{until}:f>; their clock is stopped."
    await table.discord.until(lambda: said in public.text)
    await table.discord.until(lambda: "You're on vacation until" in table.desk("Ann").text)
    watch.advance(MINUTE)
    left = await ann.slash("vacation left", channel="games")
    ended = await ann.slash("vacation end", channel="games")
    await table.discord.until(lambda: said not in public.text)

    assert begun.ephemeral
    assert "Your clock is stopped in 1 match here" in begun.text
    assert "You have 11 vacation days left in this server this year." in left.text
    assert ended.text == (
        "Welcome back! Your clocks are running again. "
        "You have 13 vacation days left in this server this year."
    )


async def test_a_vacation_ends_by_itself_over_a_restart(table, watch):
    public = await table.match(pace="slow")
    await table.play("Bo")
    await table.person("Ann").slash("vacation start", channel="games", days=2)
    await table.discord.until(lambda: "is on vacation" in public.text)

    await table.restart(now=watch)
    table.pass_time(2 * DAY)

    await table.discord.until(lambda: "is on vacation" not in public.text)
    assert table.sql("SELECT step FROM matches") == [(0,)]


async def test_a_reserve_is_shown_and_runs_when_the_time_for_a_move_is_up(table, watch):
    public = await table.match(pace="slow_reserve")
    bo = table.person("Bo").mention
    await table.play("Ann")
    await table.discord.until(lambda: "has chosen" in public.text)

    assert "then 3 days in reserve" in public.text
    assert "After that you have 3 days in reserve for the whole match." in table.desk("Bo").text
    table.pass_time(DAY)
    await table.discord.until(lambda: "using their reserve" in public.text)
    await table.discord.until(lambda: "You're using your reserve." in table.desk("Bo").text)
    assert f"{bo} is choosing" in public.text
    table.pass_time(3 * DAY)
    await table.discord.until(lambda: table.sql("SELECT step FROM matches") == [(1,)])

    assert table.sql("SELECT reserve, strikes FROM seats ORDER BY seat") == [(259200, 0), (0, 1)]
