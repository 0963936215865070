"""`/season`: managers start seasons, everybody can list them and read past ones."""

from datetime import timedelta

import pytest

from bot.errors import StorageUnavailableError
from bot.stats.seasons import FULL, MAX_NAME_LENGTH, MEANWHILE
from bot.storage.seasons import SeasonRecord
from bot.text import escaped
from cogs.season import MAX_LISTED_SEASONS, list_content
from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.every_message import find
from tests.support.tables import labels, win
from tests.support.typed_commands import typed
from tests.support.waiting import until


def seasons(count, name="n" * 40):
    return [
        SeasonRecord(id=n, name=name, started_at=10**9, ended_at=10**9) for n in range(count, 0, -1)
    ]


async def ask(table, name="Spring", who="Ann"):
    return await table.person(who).slash("season start", channel="games", name=name)


async def begin(table, name="Spring"):
    """Start a season; the public message that announces it."""
    asked = await ask(table, name)
    await table.person("Ann").click(asked.message, "Start the season")
    await table.discord.until(lambda: announced(table, name))
    return announced(table, name)[0]


def announced(table, name):
    head = f"A new season: {escaped(name)}"
    return [message for message in table.person("Bo").see("games") if head in message.text]


async def test_a_season_is_announced_publicly(table):
    first = await begin(table, "Spring *2027* <@77>")
    second = await begin(table, "Summer")

    assert "All-time leaderboards and ratings stay as they are." in first.text
    assert "including those in progress; so do wins on time that don't count yet." in first.text
    assert "is over" not in first.text
    assert "**Spring \\*2027\\* <\u200b@77>** is over." in second.text
    assert "choose **This season** below `/leaderboard`. Rated" in typed(second.text)
    assert "To see its leaderboards, pick it as `season` in `/leaderboard`." in typed(second.text)


@pytest.mark.parametrize(
    "lost",
    [{"status": 404, "code": 10062, "after": True}, {"drop": True}, {"drop": True, "after": True}],
    ids=["too late", "not sent", "not heard of"],
)
async def test_a_season_is_announced_once_even_if_the_answer_fails(table, lost):
    asked = await ask(table)

    table.discord.faults.add(Fault(path="/callback$", **lost))
    await table.person("Ann").click(asked.message, "Start the season")
    await table.discord.until(lambda: announced(table, "Spring"))
    await table.settled()

    assert len(announced(table, "Spring")) == 1
    assert not table.discord.faults.ordered


@pytest.mark.parametrize(
    "lost",
    [
        {"status": 503},
        {"status": 503, "after": True},
        {"status": 500, "after": True},
        {"drop": True, "after": True},
    ],
    ids=["not taken", "taken", "repeated", "not heard of"],
)
async def test_a_season_is_announced_once_even_if_discords_answer_is_lost(table, lost):
    asked = await ask(table)

    ways = r"^/webhooks/|^/channels/\d+/messages$"
    table.discord.faults.add(Fault(method="POST", path=ways, saying="A new season", **lost))
    await table.person("Ann").click(asked.message, "Start the season")
    await table.discord.until(lambda: announced(table, "Spring"))
    await table.settled()

    assert len(announced(table, "Spring")) == 1
    assert not table.discord.faults.ordered


@pytest.mark.parametrize("after", [False, True], ids=["before it is posted", "after that"])
async def test_a_season_is_announced_once_even_if_the_bot_dies_meanwhile(table, after):
    await begin(table, "Spring")
    asked = await ask(table, "Summer")
    fault = Fault(method="POST", saying="A new season", delay=3600.0, after=after)
    table.discord.faults.add(fault)
    await table.person("Ann").click(asked.message, "Start the season")
    await until(lambda: not table.discord.faults.ordered)
    await table.die()
    await table.start()
    await table.bot.wait_until_ready()

    table.pass_time(60)
    query = "SELECT name FROM seasons WHERE announce_in IS NOT NULL"
    await until(lambda: not table.sql(query))

    (summer,) = announced(table, "Summer")
    assert "**Spring** is over." in summer.text
    assert len(announced(table, "Spring")) == 1


async def test_a_season_that_began_a_day_ago_is_not_announced_again(table):
    channel = (await begin(table)).channel_id
    await table.settled()
    await table.change(f"UPDATE seasons SET announce_in = {channel}")  # noqa: S608 - a number
    table.discord.world.by_nonce.clear()
    table.pass_time(24 * 60 * 60)

    await table.bot.services.season_announcements.look()

    assert table.sql("SELECT announce_in FROM seasons") == [(None,)]
    assert len(announced(table, "Spring")) == 1


async def test_a_season_is_announced_even_if_the_bot_cannot_write_in_the_channel(table):
    table.discord.world.set_permissions("games", deny=Permission.SEND_MESSAGES)

    await begin(table)

    assert len(announced(table, "Spring")) == 1


@pytest.mark.parametrize("obstacle", ["permission", "timeout"])
async def test_a_season_is_announced_as_the_answer_even_if_members_are_unknown(
    table, monkeypatch, obstacle
):
    """The clock would wait for the names, be refused, and have no answer to fall back on."""
    await begin(table, "Spring")
    await win(table, "Ann", "Bo")
    world = table.discord.world
    if obstacle == "permission":
        world.set_permissions("games", deny=Permission.SEND_MESSAGES)
    else:
        world.time_out(world.bot, timedelta(days=1))

    async def fail(*_args, **_named):
        raise TimeoutError

    monkeypatch.setattr("discord.Guild.query_members", fail)
    table.bot.services.leaderboards._members._known.clear()
    said = await begin(table, "Summer")

    assert "**Spring** is over. To see its leaderboards, pick" in said.text
    await until(lambda: table.sql("SELECT announce_in FROM seasons") == [(None,), (None,)])


async def test_the_end_of_a_season_names_the_winners_and_pings_nobody(table):
    await begin(table, "Spring")
    await win(table, "Ann", "Bo")
    summer = await begin(table, "Summer")
    autumn = await begin(table, "Autumn")

    ann = table.person("Ann").mention
    assert f"**Spring** is over. In first place:\n🥇 **Pico** · {ann} · **15" in summer.text
    assert typed(summer.text).endswith("pick it as `season` in `/leaderboard`.")
    assert table.person("Bo").mention not in summer.text
    assert not summer.pinged
    assert "**Summer** is over. To see its leaderboards, pick" in autumn.text


async def test_a_season_is_announced_without_standings_if_they_cannot_be_read(table, monkeypatch):
    """The season has begun, so nothing else would ever announce it."""
    await begin(table, "Spring")
    await win(table, "Ann", "Bo")
    asked = await ask(table, "Summer")

    async def fail(*_args, **_named):
        raise StorageUnavailableError("the disk does not work")

    monkeypatch.setattr(table.bot.services.leaderboards, "overview", fail)
    answer = await table.person("Ann").click(asked.message, "Start the season")
    await table.settled()

    (said,) = announced(table, "Summer")
    assert not answer.followups  # no message says that it didn't work
    assert "**Spring** is over. To see its leaderboards, pick" in said.text


async def test_the_buttons_of_the_announcement_work_for_everybody_also_after_a_restart(table):
    await begin(table, "Spring")
    await win(table, "Ann", "Bo")
    summer = await begin(table, "Summer")
    await begin(table, "Autumn")
    said = summer.text
    await table.restart()

    board = await table.person("Cleo").click(summer, "Final leaderboards")
    page = await table.person("Dan").click(summer, "Start a match")

    assert board.ephemeral
    assert "### Leaderboards · Spring\n" in board.text
    assert table.person("Ann").mention in board.text
    assert page.ephemeral
    assert "Pico" in labels(page.message)
    assert summer.text == said
    await table.person("Cleo").select(board.message, "Game", "Pico")
    await table.discord.until(lambda: "### Leaderboard · Pico · Spring" in board.message.text)


async def test_the_announcement_of_a_first_season_has_no_button_for_a_previous_one(table):
    assert labels(await begin(table)) == ["Start a match"]


async def test_people_who_hide_are_not_named_when_a_season_ends(table):
    await begin(table, "Spring")
    await win(table, "Ann", "Bo")
    await table.person("Ann").slash("privacy visibility", channel="games", leaderboards=1)

    summer = await begin(table, "Summer")

    assert table.person("Ann").mention not in summer.text
    assert f"🥇 **Pico** · {table.person('Bo').mention} · " in summer.text


async def test_all_who_share_the_first_place_are_named(table):
    """After one match each, all winners have the same rating."""
    await begin(table, "Spring")
    people = [table.discord.world.add_person(f"P{n}") for n in range(8)]
    names = [person.name for person in people]
    for winner, loser in zip(names[::2], names[1::2], strict=True):
        await win(table, winner, loser)

    summer = await begin(table, "Summer")

    assert [table.person(name).mention in summer.text for name in names[::2]] == [True] * 4


async def test_starting_a_season_asks_first_and_can_be_canceled(table):
    await begin(table)

    asked = await ask(table, "Summer")
    assert asked.ephemeral
    assert "### Start the season Summer?\n**Spring** ends now." in asked.text
    await table.person("Ann").click(asked.message, "Don't start it")

    assert asked.message.text == "I've left this server's seasons as they are."
    assert asked.message.buttons == []
    assert table.sql("SELECT name FROM seasons") == [("Spring",)]


async def test_a_question_can_end_only_the_season_that_it_named(table):
    first = await ask(table, "Autumn")
    await begin(table, "Spring")
    second = await ask(table, "Winter")
    await begin(table, "Summer")

    for question in (first, second):
        refused = await table.person("Ann").click(question.message, "Start the season")
        assert refused.ephemeral
        assert typed(refused.text) == MEANWHILE

    assert table.sql("SELECT name FROM seasons") == [("Spring",), ("Summer",)]
    assert not announced(table, "Autumn")


async def test_a_question_of_an_older_version_ends_the_current_season(table):
    await begin(table, "Spring")
    asked = await ask(table, "Summer")
    await begin(table, "Autumn")

    await table.person("Ann").forge(asked.message, custom_id="f1:0:0:newseason:Summer")
    await table.discord.until(lambda: announced(table, "Summer"))

    assert "**Autumn** is over." in announced(table, "Summer")[0].text


@pytest.mark.parametrize("name", [f"<@{10**19 - 1}>x", "</help:77>", "x<@77>", "https://e.example"])
async def test_markup_in_a_name_has_no_effect_anywhere(table, name):
    ann = table.person("Ann")
    asked = await ask(table, name)
    question = asked.message.text
    await ann.click(asked.message, "Start the season")
    told = await (await ann.slash("season list", channel="games")).settled()
    board = await (await ann.slash("leaderboard", channel="games", season=name)).settled()
    ladder = await ann.slash("leaderboard", channel="games", season=name, ladder="computers")
    await table.settled()

    (said,) = announced(table, name)
    texts = [question, asked.message.text, said.text, told.text, board.text, ladder.text]
    assert [escaped(name) in text for text in texts] == [True] * 6
    assert [name in text for text in texts] == [False] * 6


async def test_the_question_is_gone_once_the_season_has_begun(table):
    asked = await ask(table)
    await table.person("Ann").click(asked.message, "Start the season")

    assert asked.message.text == "**Spring** has started."
    assert asked.message.buttons == []


async def test_a_name_with_colons_is_stored_unchanged_up_to_the_full_length(table):
    name = ":🏆" * (MAX_NAME_LENGTH // 2 - 1) + "S1"

    await begin(table, name)

    assert table.sql("SELECT name FROM seasons") == [(name,)]


async def test_only_managers_of_the_server_can_start_a_season(table):
    answer = await ask(table, who="Bo")
    button = find((await ask(table)).message, "newseason")
    public = await table.challenge("Ann", "Bo")
    forged = await table.person("Bo").forge(public, custom_id=button.custom_id)

    for refused in (answer, forged):
        assert refused.ephemeral
        assert refused.text.startswith("You need the Manage Server permission")
    assert table.sql("SELECT count(*) FROM seasons") == [(0,)]


async def test_a_name_that_is_taken_is_refused_even_if_both_questions_were_open(table):
    asked = await ask(table, "spring")
    await begin(table)

    late = await table.person("Ann").click(asked.message, "Start the season")
    again = await ask(table, "SPRING")

    for answer in (late, again):
        assert answer.ephemeral
        assert answer.text.startswith("This server already has a season with this name")


async def test_the_number_of_a_servers_seasons_is_limited(table, monkeypatch):
    monkeypatch.setattr("bot.stats.seasons.MAX_SEASONS", 2)
    await begin(table, "Spring")
    summer, autumn = await ask(table, "Summer"), await ask(table, "Autumn")
    await table.person("Ann").click(summer.message, "Start the season")
    refused = await table.person("Ann").click(autumn.message, "Start the season")

    assert table.sql("SELECT name FROM seasons") == [("Spring",), ("Summer",)]
    assert refused.text == FULL
    assert (await ask(table, "Winter")).text == FULL


async def test_everybody_can_list_the_seasons(table):
    empty = await table.person("Bo").slash("season list", channel="games")
    await begin(table)
    full = await table.person("Bo").slash("season list", channel="games")

    assert "This server has no season yet." in empty.text
    assert "- **Spring** · <t:" in full.text
    assert full.ephemeral


async def test_autocomplete_offers_past_seasons_and_their_leaderboards_can_be_read(table):
    await begin(table, "Spring")
    await begin(table, "Summer")
    ann = table.person("Ann")

    offered = await ann.autocomplete("leaderboard", "season", "spr", channel="games")
    board = await ann.slash("leaderboard", channel="games", game="pico", season="Spring")

    assert [choice["name"] for choice in offered] == ["Spring"]
    assert "### Leaderboard · Pico · Spring" in board.text


async def test_a_season_together_with_a_period_is_refused(table):
    await begin(table)

    answer = await table.person("Bo").slash(
        "leaderboard", channel="games", game="pico", season="Spring", period="week"
    )

    assert answer.ephemeral
    assert answer.text == ("A season is its own period. Choose `period` or `season`, not both.")


def test_a_long_list_fits_a_message_and_says_how_many_are_left_out():
    content = list_content(seasons(MAX_LISTED_SEASONS + 3))

    assert len(content.head) + len(content.foot) < 4000
    assert content.foot == "-# and 3 earlier seasons"


def test_a_long_list_of_names_with_markup_fits_too():
    content = list_content(seasons(MAX_LISTED_SEASONS, "n" + "_" * 39))

    listed = content.head.count("\n- ")
    assert len(content.head) + len(content.foot) < 4000
    assert content.foot == f"-# and {MAX_LISTED_SEASONS - listed} earlier seasons"
    assert listed > 25
