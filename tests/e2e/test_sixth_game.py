"""A game that bot/ has never heard of is played like any other, once the two lists name it."""

from dataclasses import replace

import pytest

import games
from bot import client
from bot.drawing import plots
from tests.support.drawing import Threads
from tests.support.odds_and_evens import ODDS
from tests.support.tables import labels, seated
from tests.support.waiting import written

BOTH = ("Ann", "Bo")


@pytest.fixture
async def table(discord, tmp_path, monkeypatch):
    monkeypatch.setitem(games._GAMES, ODDS.key, ODDS)
    cog = "tests.support.odds_and_evens_cog"
    monkeypatch.setattr(client, "EXTENSIONS", (*client.EXTENSIONS, cog))
    async with seated(discord, tmp_path, Threads()) as table:
        yield table


async def over(table, public):
    """The table once it shows the end, and the winner it names."""
    await table.discord.until(lambda: "seed was" in public.text)
    await table.quiet_now()
    return public.text


async def test_it_is_played_from_its_command_to_the_leaderboard(table):
    public = await table.for_two("odds", "Show your fingers")
    assert "up to 5 fingers" in public.text

    await table.play("Ann", which=1)
    assert "You chose 2" in table.desk("Ann").text
    assert "Nobody has shown any." in public.text
    await table.play("Bo", which=2)

    ann, bo = (f"<@{table.person(name).id}>" for name in BOTH)
    told = await over(table, public)
    assert f"{ann} shows 2, {bo} shows 3" in told
    assert f"**{ann} wins**" in told
    assert labels(public) == ["Rematch", "Replay", "Share", "Export", "Rules"]
    assert all(f"**{ann} wins**" in table.desk(name).text for name in BOTH)

    board = await table.person("Ann").slash("leaderboard", channel="games")
    assert "Odds and Evens" in (await board.settled()).message.text


async def test_its_public_hands_are_buttons_on_the_table(table):
    asked = await table.person("Ann").slash(
        "odds play", channel="games", opponent=table.person("Bo"), pace="live", hand="tap"
    )
    public = asked.message
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: "Show your fingers" in public.text)

    for seat, name in enumerate(BOTH):
        await table.quiet_now()
        taps = [b.custom_id for b in public.buttons if f":tap:{seat} " in (b.custom_id or "")]
        await table.person(name).click(public, taps[0])

    assert f"**<@{table.person('Bo').id}> wins**" in await over(table, public)


async def test_its_rematch_replay_and_export_work_like_those_of_every_game(table):
    public = await table.for_two("odds", "Show your fingers")
    await table.play("Ann")
    await table.play("Bo")
    await over(table, public)

    replay = await table.person("Ann").click(public, "Replay")
    assert "Odds and Evens" in (await replay.settled()).message.text
    for name in BOTH:
        await table.person(name).click(public, "Rematch")

    await written(table, "SELECT count(*) FROM matches", [(2,)])


async def test_it_needs_no_puzzles(table):
    shown = await table.person("Ann").slash("puzzle", channel="games")

    assert "Daily puzzle" in (await shown.settled()).message.text


async def test_it_is_named_where_games_are_described(table, monkeypatch):
    monkeypatch.setattr(type(ODDS), "plays_forced_moves", True)
    ann = table.person("Ann")

    asked = [await ann.slash(command, channel="lobby") for command in ("settings", "preferences")]

    notes = [
        option.get("description")
        for answer in asked
        for select in answer.message.selects
        for option in select.options
    ]
    assert (
        "Pico, Divide and Conquer (tiles) and Odds and Evens: every hand is a row of buttons at "
        "the table" in notes
    )
    assert (
        "Prize Dominoes, Spite and Malice and Odds and Evens: I play moves everyone can see are "
        "forced" in notes
    )


async def test_its_ratings_have_a_line_in_the_plot_of_stats(table, monkeypatch):
    another = replace(plots.STYLES[0], color="#ffffff")
    monkeypatch.setattr(plots, "STYLES", (*plots.STYLES, another))
    for _ in range(2):
        public = await table.for_two("odds", "Show your fingers")
        await table.play("Ann")
        await table.play("Bo")
        await over(table, public)

    shown = await table.person("Ann").slash("stats", channel="games")

    page = (await shown.settled()).message
    assert "Odds and Evens" in page.text
    (plot,) = page.images
    assert "Odds and Evens, 2 rated matches" in plot.description
