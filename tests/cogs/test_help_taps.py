"""/help in the sandbox: who sees its pages, and what their buttons and links lead to."""

import pytest

from bot.messaging.permissions import invite
from games import GAMES
from tests.support.tables import labels
from tests.support.typed_commands import typed

pytestmark = pytest.mark.slow


async def test_help_is_a_private_message(table):
    ann = table.person("Ann")

    answer = await ann.slash("help", channel="games")

    assert answer.message.ephemeral_to == ann.id
    assert answer.message.text.startswith("### How to play\n")


async def test_each_topic_opens_in_place_also_in_direct_messages(table):
    ann = table.person("Ann")
    page = (await ann.slash("help", channel=ann.dm)).message
    topics = [option["value"] for option in page.selects[0].options]
    opened = {}

    for topic in reversed(topics):
        await ann.select(page, "Topics", topic)
        assert [o["value"] for o in page.selects[0].options if o.get("default")] == [topic]
        opened[page.text] = topic

    assert len(topics) == len(opened) == 8


@pytest.mark.parametrize("game", GAMES)
async def test_the_rules_of_each_game_open_from_help(table, game):
    ann = table.person("Ann")
    page = (await ann.slash("help", channel=ann.dm)).message
    await ann.select(page, "Topics", "rules")

    answer = await ann.click(page, GAMES[game].title)

    manual = (await answer.settled()).message
    assert f"{GAMES[game].title}: rules · page 1 of" in manual.text


def option(page, placeholder, label):
    (select,) = [s for s in page.selects if s.placeholder == placeholder]
    return next(o for o in select.options if o["label"] == label)


def chosen(page):
    """The chosen label in each menu, by its placeholder."""
    return {
        s.placeholder: next((o["label"] for o in s.options if o.get("default")), None)
        for s in page.selects
    }


async def test_a_match_against_the_computer_is_two_taps_from_help(table):
    ann = table.person("Ann")
    page = (await ann.slash("help", channel="games")).message

    await ann.click(page, "Pico")
    assert page.text.startswith("### Play the computer")
    assert {"Game", "Variant", "Level", "Pace"} == {s.placeholder for s in page.selects}
    answer = await ann.click(page, "Play")

    assert "Computer (" in answer.text
    assert table.sql("SELECT game, status, rated FROM matches") == [("pico", "running", 0)]


async def test_help_says_where_matches_are_played(table):
    """A newcomer doesn't have to press **Play** to learn it."""
    ann, world = table.person("Ann"), table.discord.world
    lobby = world.channel("lobby").id
    await table.bot.services.guild_settings.set_channels(world.guild.id, [lobby])
    page = (await ann.slash("help", channel="games")).message

    answer = await ann.click(page, "Pico")

    assert f"Matches are played in <#{lobby}>.\n" in page.text
    assert answer.text == f"You can't start matches in this channel. Play in <#{lobby}>."
    for channel in ("lobby", ann.dm):
        there = (await ann.slash("help", channel=channel)).message
        assert "Matches are played in" not in there.text


async def test_a_first_match_from_help_is_against_a_beginner(table):
    """In games that they have learned or played, the form offers a level that they know."""
    ann, lesson = table.person("Ann"), table.bot.services.presentations["pico"].lesson
    await table.bot.services.progress.solved(ann.id, "pico", lesson, len(lesson) - 1)
    page = (await ann.slash("help", channel="games")).message

    await ann.click(page, "Spite and Malice")
    levels, offers = [chosen(page)["Level"]], ["Learn it" in labels(page)]
    for game in ("Pico", "Prize Dominoes"):
        await ann.select(page, "Game", option(page, "Game", game)["value"])
        levels.append(chosen(page)["Level"])
        offers.append("Learn it" in labels(page))

    assert levels == ["Beginner", "Steady", "Beginner"]
    assert offers == [True, False, True]


async def test_a_first_match_of_a_long_game_is_a_short_one(table):
    """Later, the standard variant comes first."""
    ann, lesson = table.person("Ann"), table.bot.services.presentations["spite"].lesson
    page = (await ann.slash("help", channel="games")).message

    await ann.click(page, "Spite and Malice")
    at_first = chosen(page)["Variant"]
    await table.bot.services.progress.solved(ann.id, "spite", lesson, len(lesson) - 1)
    page = (await ann.slash("help", channel="games")).message
    await ann.click(page, "Spite and Malice")

    assert (at_first, chosen(page)["Variant"]) == ("stocks of 13", "stocks of 26")


async def test_links_to_commands_have_their_registered_ids_also_after_a_restart(table):
    known = {c["name"]: c["id"] for c in table.person("Ann").commands("games")}
    assert table.requests("PUT", "/commands")
    ann = table.person("Ann")
    before = (await ann.slash("help", channel="games")).text
    await table.restart()

    after = (await ann.slash("help", channel="games")).text

    assert f"</pico play:{known['pico']}>" in before
    assert after == before


async def test_only_a_public_bot_links_to_its_invitation(table, monkeypatch):
    ann, link = table.person("Ann"), invite(table.bot.application_id)
    helped = await ann.slash("help", channel=ann.dm)
    here = await ann.slash("help", channel="games")
    shown = here.text
    await ann.select(here.message, "Topics", "managers")
    monkeypatch.setattr(table.bot.application, "bot_public", False)
    private = await ann.slash("help", channel=ann.dm)

    assert f"[Add me to your server](<{link}>)" in helped.text
    assert "Add me" not in shown + private.text
    assert f"[Add me to your server](<{link}>)" in here.message.text


async def test_a_forged_topic_is_refused(table):
    ann = table.person("Ann")
    page = (await ann.slash("help", channel="games")).message

    answer = await ann.forge(page, custom_id="f1:0:0:help:moon")

    assert typed(answer.text) == "I have no help on that. Use `/help` again."
