"""The daily puzzle at the wire: asked, answered in secret, and revealed once, the day after."""

import asyncio

import pytest

from bot.puzzles.answers import TOLD_DAYS
from bot.puzzles.calendar import begins_at, day_of, puzzle_of
from bot.time_units import DAY_SECONDS
from games import GAMES
from tests.support.clock import Watch
from tests.support.puzzle_tables import (
    DAY,
    NOON,
    best,
    next_day,
    offered,
    opened,
    posted,
    posting,
    posts,
    solve,
    wrong,
)
from tests.support.solo import guest_of
from tests.support.tables import labels, seated
from tests.support.typed_commands import typed
from tests.support.waiting import answered, written

FIVE = ("Ann", "Bo", "Cleo", "Dan", "Eve")


@pytest.fixture
async def table(discord, tmp_path):
    discord.world.add_person("Eve")
    async with seated(discord, tmp_path, now=Watch(NOON)) as table:
        yield table


async def test_the_puzzle_is_private_and_does_not_show_its_answer(table):
    shown = await opened(table, "Ann")

    assert shown.ephemeral_to == table.person("Ann").id
    assert len(shown.images) == 1
    assert "The first answer counts. It counts in this server." in shown.text
    await solve(table, "Ann", wrong(), shown)

    assert "face down. It counts in this server." in shown.text
    assert f"<t:{begins_at(DAY + 1)}:R>" in shown.text
    assert offered(shown) == {}
    assert shown.selects == []
    assert not any(word in shown.text for word in ("Right", "right:", "wins the hand"))
    assert table.sql("SELECT day, choice, solved FROM puzzle_answers") == [(DAY, wrong(), 0)]


@pytest.mark.parametrize("is_answered", [False, True])
async def test_rules_and_lesson_of_its_game_open_beside_the_puzzle(table, is_answered):
    """The first answer counts, so newcomers can read them before they answer."""
    ann, game = table.person("Ann"), GAMES[puzzle_of(DAY).game].title
    shown = await opened(table, "Ann")
    if is_answered:
        await solve(table, "Ann", best(), shown)
    puzzle = shown.text

    rules = await answered(ann.click(shown, "Rules"))
    lesson = await answered(ann.click(shown, "Learn it"))

    assert f"{game}: rules · page 1 of" in rules.text
    assert lesson.text.startswith(f"### {game} · 1 of ")
    assert rules.ephemeral_to == lesson.ephemeral_to == ann.id
    assert shown.text == puzzle


async def test_everybody_gets_the_same_puzzle_and_another_the_next_day(table):
    first = [(await opened(table, name)).images[0].description for name in ("Ann", "Bo")]

    table.pass_time(DAY_SECONDS)
    second = (await opened(table, "Ann")).images[0].description

    assert first[0] == first[1] != second


async def test_only_the_first_of_two_answers_counts(table):
    shown = await opened(table, "Ann")
    again = await opened(table, "Ann")
    await solve(table, "Ann", best(), shown)

    refused = await solve(table, "Ann", wrong(), again)

    assert "the first answer counts" in refused.text
    assert table.sql("SELECT choice FROM puzzle_answers") == [(best(),)]
    mine = await opened(table, "Ann")
    assert "You chose" in mine.text
    assert offered(mine) == {}


async def test_only_one_of_two_simultaneous_answers_counts(table):
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


async def test_somebody_who_missed_a_puzzle_finds_its_answer_and_those_of_the_week(table):
    """Even in servers without posts, and in direct messages."""
    ann = table.person("Ann")
    await solve(table, "Ann", wrong())
    table.pass_time(2 * DAY_SECONDS)
    shown = await answered(ann.slash("puzzle", channel=ann.dm))
    assert "The puzzle of July 1: the answer" in shown.text

    missed = await answered(ann.click(shown, "Yesterday's answer"))
    assert missed.ephemeral_to == ann.id
    assert "Yesterday's puzzle: the answer" in missed.text
    assert "You didn't answer this one." in missed.text
    assert labels(missed) == ["◀ Earlier", "Today's puzzle"]
    assert offered(shown) or shown.selects  # the question is still there

    await answered(ann.click(missed, "◀ Earlier"))
    assert "The puzzle of July 1: the answer" in missed.text
    assert "❌ Not this time. You chose **" in missed.text


async def test_an_answered_puzzle_that_is_left_open_leads_to_its_answer_once_it_is_out(table):
    shown = await opened(table, "Ann")
    await solve(table, "Ann", best(), shown)
    table.pass_time(DAY_SECONDS)

    over = await answered(table.person("Ann").click(shown, "Yesterday's answer"))

    assert "✅ Right! You chose **" in over.text


async def test_an_old_post_shows_its_answer_for_a_week_and_leads_to_todays_puzzle(table):
    ann = table.person("Ann")
    await posting(table)
    post = await posted(table)
    await solve(table, "Ann", wrong())
    table.pass_time(DAY_SECONDS)

    over = await answered(ann.click(post, "Answer"))
    assert over.ephemeral_to == ann.id
    assert "Yesterday's puzzle: the answer" in over.text
    assert "❌ Not this time. You chose **" in over.text
    table.pass_time(DAY_SECONDS)  # the message is left open
    todays = await answered(ann.click(over, "Today's puzzle"))
    assert "### Daily puzzle · July 3" in todays.text
    assert todays.ephemeral_to == ann.id

    table.pass_time((TOLD_DAYS - 2) * DAY_SECONDS)
    over = await answered(ann.click(post, "Answer"))
    assert "The puzzle of July 1: the answer" in over.text
    table.pass_time(DAY_SECONDS)
    refused = await ann.click(post, "Answer")
    assert typed(refused.text) == (
        "That puzzle is over. `/puzzle` has today's, and the answers of the last 7 days."
    )


async def test_no_forged_click_opens_a_puzzle_before_its_day(table):
    await posting(table)
    post = await posted(table)

    refused = await table.person("Ann").forge(post, custom_id=f"f1:0:{DAY + 1}:puzzle:")

    assert refused.text.startswith("That puzzle is over.")
    assert "Daily puzzle" not in refused.text


async def test_no_forged_click_turns_a_public_message_into_an_answer(table):
    await posting(table)
    post = await posted(table)

    refused = await table.person("Ann").forge(post, custom_id=f"f1:0:{DAY - 1}:solutions:")

    assert "This button is out of date" in refused.text
    assert "the answer" not in posts(table)[-1].text


@pytest.mark.parametrize("day", [DAY, DAY + 1])
async def test_no_forged_click_shows_an_answer_that_is_not_out(table, day):
    """Only answers that a message offers can replace it."""
    ann = table.person("Ann")
    past = await answered(ann.click(await opened(table, "Ann"), "Yesterday's answer"))
    shown = past.text

    refused = await ann.forge(past, custom_id=f"f1:0:{day}:solutions:")

    assert refused.text == "This button is out of date. Use the command again."
    assert past.text == shown


async def test_a_page_of_answers_left_open_for_days_turns_to_one_that_is_still_available(table):
    ann = table.person("Ann")
    past = await answered(ann.click(await opened(table, "Ann"), "Yesterday's answer"))
    table.pass_time(TOLD_DAYS * DAY_SECONDS)

    await answered(ann.click(past, "◀ Earlier"))

    assert "The puzzle of July 1: the answer" in past.text
    assert labels(past) == ["Later ▶", "Today's puzzle"]


async def test_nobody_can_answer_on_a_public_message(table):
    await posting(table)
    post = await posted(table)

    refused = await table.person("Ann").forge(post, custom_id=f"f1:0:{DAY}:solve:{best()}")

    assert "This button is out of date" in refused.text
    assert table.sql("SELECT * FROM puzzle_answers") == []


async def test_two_days_of_five_people(table):
    """One is right on both days, one is right once, two are wrong, one never answers."""
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
    late = await answered(table.person("Eve").click(first, "Answer"))
    assert "Yesterday's puzzle: the answer" in late.text
    assert "You didn't answer this one." in late.text
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


@pytest.mark.parametrize(
    "options", [{"season": "Spring"}, {"period": "week"}, {"ladder": "computers"}], ids=list
)
async def test_the_leaderboard_of_the_puzzle_is_not_mistaken_for_one_of_matches(table, options):
    ann = table.person("Ann")

    answer = await ann.slash("leaderboard", channel="games", game="puzzle", **options)

    assert answer.ephemeral
    assert answer.text == (
        "The daily puzzle has only an all-time leaderboard. Leave out `period`, `season` and "
        "`ladder`."
    )


async def test_hidden_people_are_neither_named_nor_listed_but_count(table):
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
    assert "No member who shows their results has solved one" in board.text
    assert f"<@{ann.id}> isn't on this list: no puzzle solved in this server, or hid" in board.text
    assert "counts once its answer is out" in board.text  # for people who have answered today's


@pytest.mark.parametrize(
    "place",
    [lambda table: table.person("Bo").dm, lambda table: guest_of(table, "Bo")],
    ids=["direct messages", "a server without the bot"],
)
async def test_an_answer_outside_servers_with_the_bot_counts_in_none_and_says_so(table, place):
    await posting(table)
    await posted(table)
    bo = table.person("Bo")
    shown = await answered(bo.slash("puzzle", channel=place(table)))
    assert "Here it counts for yourself only: to count in a server" in shown.text
    await solve(table, "Bo", best(), shown)
    assert "It counts for yourself only: to count in a server, answer the next one" in shown.text

    second = await next_day(table, 2)

    assert "Nobody here answered it." in second.text
    again = await answered(bo.slash("puzzle", channel=bo.dm))
    assert "✅ Right!" in again.text


async def test_no_streak_ends_with_a_day_on_which_the_bot_was_off(table):
    await posting(table)
    await posted(table)
    for day in (DAY, DAY + 1):
        await solve(table, "Ann", best(day))
        await next_day(table, day - DAY + 2)
    await table.stop()
    table.watch.advance(2 * DAY_SECONDS)

    await table.start(now=table.watch)

    last = await posted(table, 4)
    assert "### The puzzle of July 3: the answer" in last.text
    assert f"Streaks: <@{table.person('Ann').id}> 2 days" in last.text
    mine = await opened(table, "Ann")
    assert (
        "I was away for most of yesterday, so your 2-day streak continues, wherever you answered."
        in mine.text
    )
    await written(table, "SELECT 1 FROM puzzle_days WHERE hour = ? / 3600")
    hours = table.sql("SELECT day, hours FROM puzzle_days ORDER BY day")
    assert hours == [(DAY, 1), (DAY + 1, 1), (DAY + 2, 1), (DAY + 3, 0), (DAY + 4, 1)]


async def test_deleted_answers_no_longer_count(table):
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


def test_the_days_of_the_tests_are_utc_days():
    assert day_of(NOON) == DAY
    assert begins_at(DAY + 1) == NOON + DAY_SECONDS // 2
