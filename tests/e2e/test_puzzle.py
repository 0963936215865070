"""The daily puzzle at the wire: asked, answered face down, revealed the day after, and once."""

import asyncio
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from bot.puzzles.calendar import DAY_SECONDS, begins_at, day_of, puzzle_of
from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.clock import Watch
from tests.support.tables import labels, seated

FIVE = ("Ann", "Bo", "Cleo", "Dan", "Eve")
DAY = 21_000
NOON = begins_at(DAY) + DAY_SECONDS // 2


@pytest.fixture
async def table(discord, tmp_path):
    discord.world.add_person("Eve")
    async with seated(discord, tmp_path, now=Watch(NOON)) as table:
        yield table


def best(day=DAY):
    return puzzle_of(day).puzzle.best[0]


def wrong(day=DAY, which=0):
    puzzle = puzzle_of(day).puzzle
    return [c.move for c in puzzle.choices if c.move not in puzzle.best][which]


async def answered(answering):
    return (await (await answering).settled()).message


async def opened(table, name, channel="games"):
    """Today's puzzle, for the eyes of one person."""
    return await answered(table.person(name).slash("puzzle", channel=channel))


def offered(message):
    """The custom_ids of the choices, by the move."""
    found = {b.custom_id.rsplit(":", 1)[1]: b.custom_id for b in message.buttons if b.custom_id}
    return {move: custom_id for move, custom_id in found.items() if ":solve:" in custom_id}


async def solve(table, name, move, message=None):
    """Somebody taps a move, or takes it from the menu; the answer."""
    message = message or await opened(table, name)
    person = table.person(name)
    if message.selects:
        return await person.select(message, message.selects[0].custom_id, move)
    return await person.click(message, offered(message)[move])


async def posting(table, channel="games"):
    """Ann lets puzzles be posted in a channel; the first one stands there."""
    panel = await answered(table.person("Ann").slash("settings", channel="lobby"))
    await table.person("Ann").select(
        panel, "No daily puzzle", [table.discord.world.channel(channel)]
    )
    return panel


def posts(table, channel="games"):
    seen = [m for m in table.person("Ann").see(channel) if m.ephemeral_to is None]
    return [m for m in seen if "Daily puzzle ·" in m.text]


async def posted(table, number=1):
    await table.discord.until(lambda: len(posts(table)) == number)
    await quiet(table)
    return posts(table)[-1]


async def quiet(table):
    """Return when everything that is to be posted by now has been."""
    puzzles = table.bot.services.puzzle_posts
    await puzzles.look()
    await puzzles._posting


async def written(table, query):
    """Return once a query finds something; a `?` in it is the present moment."""
    values = [table.watch()] * query.count("?")
    while not table.sql(query, *values):  # noqa: ASYNC110 - a file tells nobody
        await asyncio.sleep(0.01)


async def next_day(table, number=1):
    table.pass_time(DAY_SECONDS)
    return await posted(table, number)


async def test_the_puzzle_is_for_ones_own_eyes_and_lies_face_down(table):
    shown = await opened(table, "Ann")

    assert shown.ephemeral_to == table.person("Ann").id
    assert len(shown.images) == 1
    assert "The first answer counts." in shown.text
    await solve(table, "Ann", wrong(), shown)

    assert "face down" in shown.text
    assert f"<t:{begins_at(DAY + 1)}:R>" in shown.text
    assert offered(shown) == {}
    assert shown.selects == []
    assert not any(word in shown.text for word in ("Right", "right:", "wins the hand"))
    assert table.sql("SELECT day, choice, solved FROM puzzle_answers") == [(DAY, wrong(), 0)]


async def test_everybody_gets_the_same_puzzle_and_the_next_day_another(table):
    first = [(await opened(table, name)).images[0].description for name in ("Ann", "Bo")]

    table.pass_time(DAY_SECONDS)
    second = (await opened(table, "Ann")).images[0].description

    assert first[0] == first[1] != second


async def test_of_two_answers_the_first_counts(table):
    shown = await opened(table, "Ann")
    again = await opened(table, "Ann")
    await solve(table, "Ann", best(), shown)

    refused = await solve(table, "Ann", wrong(), again)

    assert "the first answer counts" in refused.text
    assert table.sql("SELECT choice FROM puzzle_answers") == [(best(),)]
    mine = await opened(table, "Ann")
    assert "You chose" in mine.text
    assert offered(mine) == {}


async def test_of_two_answers_at_once_one_counts(table):
    messages = [await opened(table, "Ann") for _ in range(2)]

    answers = await asyncio.gather(
        solve(table, "Ann", best(), messages[0]), solve(table, "Ann", wrong(), messages[1])
    )

    assert len(table.sql("SELECT choice FROM puzzle_answers")) == 1
    assert sum("the first answer counts" in answer.text for answer in answers) == 1


async def test_an_answer_after_the_reveal_is_too_late(table):
    shown = await opened(table, "Ann")
    table.pass_time(DAY_SECONDS)

    refused = await solve(table, "Ann", best(), shown)

    assert "That puzzle is over" in refused.text
    assert table.sql("SELECT * FROM puzzle_answers") == []


async def test_a_choice_that_the_puzzle_does_not_have_is_refused(table):
    shown = await opened(table, "Ann")

    refused = await table.person("Ann").forge(shown, custom_id=f"f1:0:{DAY}:solve:99")

    assert "That isn't a choice here" in refused.text
    assert table.sql("SELECT * FROM puzzle_answers") == []


async def test_nobody_answers_on_a_message_that_others_see(table):
    await posting(table)
    post = await posted(table)

    refused = await table.person("Ann").forge(post, custom_id=f"f1:0:{DAY}:solve:{best()}")

    assert "This button is out of date" in refused.text
    assert table.sql("SELECT * FROM puzzle_answers") == []


async def test_two_days_of_five_people(table):
    """One is right and goes on, one is right once, two are wrong, one answers nothing."""
    await posting(table)
    first = await posted(table)
    assert "Yesterday" not in first.text
    assert labels(first) == ["Answer"]
    assert first.pinged == frozenset()
    opened_ = {n: await answered(table.person(n).click(first, "Answer")) for n in FIVE[:4]}
    assert all(m.ephemeral_to == table.person(n).id for n, m in opened_.items())
    for name, move in zip(FIVE, (best(), best(), wrong(), wrong()), strict=False):
        await solve(table, name, move, opened_[name])
    assert posts(table) == [first]
    assert "of 4" not in first.text

    second = await next_day(table, 2)
    await table.restart(now=table.watch)
    assert "2 of 4 got it." in second.text
    assert "Streak" not in second.text
    assert all(f"<@{table.person(n).id}>" not in second.text for n in FIVE)
    assert f"<t:{begins_at(DAY + 2)}:R>" in second.text
    told = (await opened(table, "Ann")).text, (await opened(table, "Cleo")).text
    assert "✅ Right!" in told[0]
    assert "❌ Not this time." in told[1]
    late = await table.person("Eve").click(first, "Answer")
    assert "That puzzle is over" in late.text
    for name, move in (("Ann", best(DAY + 1)), ("Bo", wrong(DAY + 1)), ("Eve", best(DAY + 1))):
        await solve(table, name, move)

    third = await next_day(table, 3)
    assert "2 of 3 got it." in third.text
    assert f"Streaks: <@{table.person('Ann').id}> 2 days" in third.text
    assert third.pinged == frozenset()
    assert all(f"<@{table.person(n).id}>" not in third.text for n in FIVE[1:])
    board = await answered(table.person("Bo").slash("leaderboard", channel="games", game="puzzle"))
    lines = [line for line in board.text.splitlines() if "solved ·" in line]
    assert f"<@{table.person('Ann').id}> · **2** solved · 🔥 2 days" in lines[0]
    assert f"<@{table.person('Eve').id}> · **1** solved · 🔥 1 day" in lines[1]
    assert f"<@{table.person('Bo').id}> · **1** solved · best streak 1 day" in lines[2]
    assert f"📍 <@{table.person('Bo').id}>: place 3 of 3" in board.text


async def test_who_is_hidden_is_neither_named_nor_listed_and_counts(table):
    await posting(table)
    await posted(table)
    ann = table.person("Ann")
    await ann.slash("privacy visibility", channel="games", leaderboards=1)
    for day in (DAY, DAY + 1):
        await solve(table, "Ann", best(day))
        last = await next_day(table, day - DAY + 2)

    assert "1 of 1 got it." in last.text
    assert f"<@{ann.id}>" not in last.text
    board = await answered(ann.slash("leaderboard", channel="games", game="puzzle"))
    assert "Nobody has solved one here yet" in board.text


async def test_an_answer_in_direct_messages_counts_in_no_server(table):
    await posting(table)
    await posted(table)
    bo = table.person("Bo")
    shown = await answered(bo.slash("puzzle", channel=bo.dm))
    await solve(table, "Bo", best(), shown)

    second = await next_day(table, 2)

    assert "Nobody here answered it." in second.text
    again = await answered(bo.slash("puzzle", channel=bo.dm))
    assert "✅ Right!" in again.text


async def test_a_bot_that_dies_between_row_and_message_posts_once(table, monkeypatch):
    """Before the request, and again after Discord has carried it out."""
    await posting(table)
    await posted(table)
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="puzzle.", delay=3600.0)
    )
    table.pass_time(DAY_SECONDS)
    await written(table, "SELECT 1 FROM puzzle_posts WHERE message IS NULL")
    await table.stop()
    table.discord.faults.ordered.clear()

    await table.start(now=table.watch)
    second = await posted(table, 2)
    # As if it had died before it wrote down that the message stands.
    await table.change(f"UPDATE puzzle_posts SET message = NULL WHERE message = {second.id}")  # noqa: S608
    await table.restart(now=table.watch)
    await quiet(table)

    assert posts(table)[-1] == second
    assert len(posts(table)) == 2
    assert table.sql("SELECT count(*) FROM puzzle_posts WHERE message = ?", second.id) == [(1,)]


async def test_what_discord_cannot_take_now_is_posted_later(table):
    await posting(table)
    await posted(table)
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="puzzle.", status=403, code=20028)
    )
    table.pass_time(DAY_SECONDS)
    await written(table, "SELECT 1 FROM puzzle_posts WHERE message IS NULL AND due_at > ?")
    await quiet(table)
    assert len(posts(table)) == 1

    table.pass_time(300)

    assert "Yesterday's puzzle" in (await posted(table, 2)).text


async def test_a_puzzle_stands_once_though_discord_s_answer_was_lost(table):
    await posting(table)
    await posted(table)
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="puzzle.", drop=True, after=True)
    )
    table.pass_time(DAY_SECONDS)
    table.discord.clock.advance(timedelta(seconds=DAY_SECONDS))
    await written(table, "SELECT 1 FROM puzzle_posts WHERE message IS NULL AND due_at > ?")

    for seconds in (30, 600):  # Discord knows a nonce for some minutes only
        table.pass_time(seconds)
        table.discord.clock.advance(timedelta(seconds=seconds))
        await quiet(table)

    assert len(posts(table)) == 2
    last = posts(table)[-1].id
    assert table.sql("SELECT count(*) FROM puzzle_posts WHERE message = ?", last) == [(1,)]


async def waiting(table):
    """The settings, while a post waits in a channel because Discord has trouble."""
    panel = await posting(table)
    await posted(table)
    table.discord.faults.add(Fault(method="POST", path="/messages$", saying="puzzle.", status=503))
    table.pass_time(DAY_SECONDS)
    await written(table, "SELECT 1 FROM puzzle_posts WHERE message IS NULL AND due_at > ?")
    await quiet(table)
    return panel


async def test_a_post_that_waits_goes_nowhere_once_posts_are_turned_off(table):
    panel = await waiting(table)

    await table.person("Ann").select(panel, "No daily puzzle", [])
    table.pass_time(300)
    await quiet(table)

    assert len(posts(table)) == 1
    assert table.sql("SELECT count(*) FROM puzzle_posts WHERE message IS NULL") == [(0,)]


async def test_a_post_that_waits_goes_to_the_channel_that_is_chosen_meanwhile_and_once(table):
    panel = await waiting(table)

    lobby = table.discord.world.channel("lobby")
    await table.person("Ann").select(panel, "No daily puzzle", [lobby])
    await table.discord.until(lambda: posts(table, "lobby"))
    table.pass_time(300)
    await quiet(table)

    assert (len(posts(table)), len(posts(table, "lobby"))) == (1, 1)


async def test_a_post_whose_turn_comes_after_posts_were_turned_off_is_not_sent(table, monkeypatch):
    """Where many servers get one at midnight, the last waits for all others."""
    await posting(table)
    await posted(table)
    service, settings = table.bot.services.puzzle_posts, table.bot.services.guild_settings
    claimed = service._claimed

    async def long_ago():
        posts = await claimed()
        await settings.post_puzzles(table.discord.world.guild.id, None)
        return posts

    monkeypatch.setattr(service, "_claimed", long_ago)
    table.pass_time(DAY_SECONDS)
    await quiet(table)

    assert len(posts(table)) == 1


async def test_a_post_claimed_for_a_channel_just_replaced_goes_to_the_new_one(table):
    await posting(table)
    await posted(table)
    services, world = table.bot.services, table.discord.world
    guild, games = world.guild.id, world.channel("games").id
    await services.guild_settings.post_puzzles(guild, world.channel("lobby").id)
    async with services.storage.transaction() as writing:
        await writing.puzzle_posts.claim(DAY + 1, {guild: games}, NOON)

    table.pass_time(DAY_SECONDS)
    await quiet(table)

    assert (len(posts(table)), len(posts(table, "lobby"))) == (1, 1)


async def test_a_missing_permission_is_told_in_the_settings_and_asks_discord_nothing(table):
    panel = await posting(table)
    await posted(table)
    table.discord.world.set_permissions("games", deny=Permission.ATTACH_FILES)
    since = len(table.discord.requests)

    table.pass_time(DAY_SECONDS)
    await written(table, "SELECT 1 FROM puzzle_posts WHERE failure IS NOT NULL")
    await quiet(table)

    games = table.discord.world.channel("games")
    assert table.requests("POST", f"/channels/{games.id}/messages", since) == []
    panel = await answered(table.person("Ann").slash("settings", channel="lobby"))
    assert f"In <#{games.id}> I need Attach Files: I can't post puzzles" in panel.text
    table.discord.world.set_permissions("games", allow=Permission.ATTACH_FILES)
    panel = await answered(table.person("Ann").slash("settings", channel="lobby"))
    assert "I couldn't post the last puzzle" in panel.text
    await table.person("Ann").select(panel, "No daily puzzle", [games])
    assert "Daily puzzle" in (await posted(table, 2)).text


async def test_a_channel_that_is_gone_is_told_and_not_asked_for_again(table):
    corner = table.discord.world.add_channel("corner")
    await posting(table, "corner")
    await table.discord.until(lambda: posts(table, "corner"))
    await quiet(table)
    table.discord.world.delete_channel("corner")
    since = len(table.discord.requests)

    for _ in range(2):
        table.pass_time(DAY_SECONDS)
        await quiet(table)

    assert table.requests(path=str(corner.id), since=since) == []
    panel = await answered(table.person("Ann").slash("settings", channel="lobby"))
    assert "The puzzle channel is gone." in panel.text


async def test_a_server_that_removed_the_bot_gets_none_until_it_adds_it_again(table):
    world = table.discord.world
    await posting(table)
    await posted(table)
    await solve(table, "Bo", best())
    world.remove_bot()
    await written(table, "SELECT guild FROM servers WHERE left_at IS NOT NULL")
    since = len(table.discord.requests)

    with capture_logs() as logged:
        table.pass_time(DAY_SECONDS)
        await quiet(table)
    asked = table.requests("POST", since=since)
    world.add_bot()
    await written(table, "SELECT guild FROM servers WHERE left_at IS NULL")
    table.pass_time(DAY_SECONDS)
    await posted(table, 2)

    assert asked == []
    assert [line for line in logged if line["log_level"] == "error"] == []
    assert table.sql("SELECT count(*) FROM puzzle_answers") == [(1,)]


async def test_a_server_that_wants_no_puzzle_any_more_gets_none(table):
    panel = await posting(table)
    await posted(table)
    await table.person("Ann").select(panel, "No daily puzzle", [])

    table.pass_time(DAY_SECONDS)
    await quiet(table)

    assert len(posts(table)) == 1


async def test_what_is_deleted_counts_no_more(table):
    await posting(table)
    await posted(table)
    ann = table.person("Ann")
    await solve(table, "Ann", best())
    asked = await answered(ann.slash("privacy delete", channel="games"))
    assert "1 answer to daily puzzles" in asked.text
    await ann.click(asked, "Delete…")
    await ann.click(asked, "Delete it for good")
    await table.settled()

    second = await next_day(table, 2)

    assert "Nobody here answered it." in second.text
    assert table.sql("SELECT * FROM puzzle_answers") == []


def test_the_days_of_the_tests_are_days_of_utc():
    assert day_of(NOON) == DAY
    assert begins_at(DAY + 1) == NOON + DAY_SECONDS // 2
