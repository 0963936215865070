"""Sharing a solved puzzle at the wire: who can, where it is posted, and only once."""

import asyncio

import pytest

from bot.interactions.error_handler import UNSHARED
from bot.puzzles.answers import TOLD_DAYS, UNSOLVED
from bot.puzzles.calendar import puzzle_of
from bot.time_units import DAY_SECONDS
from games import GAMES
from sandbox import Fault
from sandbox.permissions import Overwrite, Permission
from tests.support.channels import shared
from tests.support.clock import MINUTE, Watch
from tests.support.held_calls import HeldCalls
from tests.support.puzzle_tables import DAY, NOON, best, opened, solve, wrong
from tests.support.solo import guest_of
from tests.support.tables import labels, seated
from tests.support.typed_commands import typed
from tests.support.waiting import answered

SHARE = "Share yesterday's"


@pytest.fixture
async def table(discord, tmp_path):
    async with seated(discord, tmp_path, now=Watch(NOON)) as table:
        yield table


@pytest.fixture
async def solved(table):
    """What `/puzzle` shows Ann, who has solved yesterday's."""
    await solve(table, "Ann", best())
    table.pass_time(DAY_SECONDS)
    return await opened(table, "Ann")


async def share(table, message, label=SHARE, name="Ann"):
    return await answered(table.person(name).click(message, label))


async def test_somebody_who_solved_it_can_share_that_once_in_the_channel_without_notifying_anybody(
    table, solved
):
    ann = table.person("Ann")

    told = await share(table, solved)
    again = await share(table, await opened(table, "Ann", "lobby"))

    (post,) = shared(table)
    title = GAMES[puzzle_of(DAY).game].title
    assert (
        post.text
        == f"### Daily puzzle · July 1\n**{title}** · ✅ Solved\n-# Shared by {ann.mention}"
    )
    assert post.pinged == frozenset()
    assert told.ephemeral_to == again.ephemeral_to == ann.id
    assert told.text.startswith("Shared in ")
    assert again.text.startswith("You've already shared this in ")
    assert told.buttons[0].url == again.buttons[0].url
    assert told.buttons[0].url.endswith(f"/{post.channel_id}/{post.id}")
    assert shared(table, "lobby") == []


async def test_the_button_of_a_shared_puzzle_opens_todays_puzzle_for_everybody(table, solved):
    await share(table, solved)
    (post,) = shared(table)
    table.pass_time(DAY_SECONDS)  # the button always opens the current one

    shown = await answered(table.person("Bo").click(post, "Today's puzzle"))

    assert labels(post) == ["Today's puzzle"]
    assert shown.ephemeral_to == table.person("Bo").id
    assert "### Daily puzzle · July 3" in shown.text
    assert "It counts in this server." in shown.text


async def test_a_streak_is_shared_with_the_puzzle(table, solved):
    await solve(table, "Ann", best(DAY + 1), solved)
    table.pass_time(DAY_SECONDS)

    await share(table, await opened(table, "Ann"))

    (post,) = shared(table)
    assert "✅ Solved · 🔥 2 days in a row, counting answers anywhere" in post.text


async def test_an_earlier_puzzle_is_shared_beside_its_answer_for_a_week(table, solved):
    past = await answered(table.person("Ann").click(solved, "Yesterday's answer"))
    table.pass_time(DAY_SECONDS)

    assert labels(past) == ["◀ Earlier", "Today's puzzle", "Share"]
    await share(table, past, "Share")
    await share(table, solved)  # left open, it still means that day

    (post,) = shared(table)
    assert "July 1" in post.text
    table.pass_time(TOLD_DAYS * DAY_SECONDS)
    late = await share(table, past, "Share")
    assert typed(late.text) == (
        "You can only share puzzles of the last 7 days. `/puzzle` has today's puzzle and those "
        "answers."
    )


async def test_share_is_still_offered_after_todays_puzzle_was_answered(table, solved):
    await solve(table, "Ann", wrong(DAY + 1), solved)

    assert SHARE in labels(await opened(table, "Ann"))


async def test_share_is_not_offered_after_a_wrong_answer_or_where_nobody_else_would_see_it(
    table, solved
):
    ann, bo = table.person("Ann"), table.person("Bo")
    await solve(table, "Bo", wrong(DAY + 1))
    table.pass_time(DAY_SECONDS)
    past = await answered(bo.click(await opened(table, "Bo"), "Yesterday's answer"))
    direct = await answered(ann.slash("puzzle", channel=ann.dm))
    guest = await answered(ann.slash("puzzle", channel=guest_of(table, "Ann")))

    missed = await opened(table, "Ann")  # her last answer is no longer yesterday's
    for message in (await opened(table, "Bo"), past, direct, guest, missed):
        assert not any(label.startswith("Share") for label in labels(message))


@pytest.mark.parametrize("day", [DAY, DAY + 1])
async def test_no_forged_click_shares_an_unsolved_puzzle_or_reveals_whether_it_was_solved(
    table, day
):
    """For today's puzzle, the refusal is the same as for one that is too old."""
    shown = await opened(table, "Ann")
    await solve(table, "Ann", best(), shown)
    table.pass_time(DAY_SECONDS * (day - DAY))
    again = await opened(table, "Bo")

    refused = await answered(table.person("Bo").forge(again, custom_id=f"f1:0:{DAY}:sharepuzzle:"))

    said = UNSOLVED if day > DAY else "You can only share puzzles of the last 7 days. `/puzzle` "
    assert typed(refused.text).startswith(said)
    assert shared(table) == []


async def test_nothing_is_posted_where_the_person_or_the_bot_cannot_write(table):
    await solve(table, "Bo", best())
    table.pass_time(DAY_SECONDS)
    mine = await opened(table, "Bo")
    world, games = table.discord.world, table.discord.world.channel("games")
    silenced = Overwrite(id=table.person("Bo").id, type=1, deny=int(Permission.SEND_MESSAGES))
    games.overwrites = [*games.overwrites, silenced]
    for_bo = await share(table, mine, name="Bo")
    world.set_permissions("games", deny=Permission.SEND_MESSAGES)
    for_bot = await share(table, mine, name="Bo")

    assert for_bo.text.startswith(f"You can't send messages in <#{games.id}>, so I can't post")
    assert for_bot.text.startswith(f"I can't post in <#{games.id}>: I need Send Messages there.")
    assert table.sql("SELECT * FROM puzzle_shares") == []


async def test_two_simultaneous_clicks_post_once(table, solved):
    await asyncio.gather(*(share(table, solved) for _ in range(3)))

    assert len(shared(table)) == 1


async def test_a_post_that_a_moderator_has_deleted_can_be_shared_again(table, solved):
    table.discord.world.set_permissions("games", allow=Permission.READ_MESSAGE_HISTORY)
    await share(table, solved)
    table.discord.world.delete_message(shared(table)[0])
    table.watch.advance(MINUTE)

    again = await share(table, solved)

    (post,) = shared(table)
    assert again.text.startswith("Shared in ")
    assert again.buttons[0].url.endswith(f"/{post.id}")


async def test_after_trouble_at_discord_it_can_be_shared_again(table, solved):
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="Shared by", drop=True, times=2)
    )

    refused = await share(table, solved)

    assert refused.text == UNSHARED
    assert (await share(table, solved)).text.startswith("Shared in ")
    assert len(shared(table)) == 1


@pytest.mark.parametrize("failure", ["trouble", "refusal"])
async def test_a_puzzle_whose_post_failed_is_posted_where_it_is_shared_later(
    table, solved, failure
):
    failed = {"trouble": {"drop": True, "times": 2}, "refusal": {"status": 403, "code": 50013}}
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="Shared by", **failed[failure])
    )
    await share(table, solved)
    if failure == "trouble":
        table.pass_time(10 * MINUTE)

    told = await share(table, await opened(table, "Ann", "lobby"))

    lobby = table.discord.world.channel("lobby")
    assert told.text.startswith(f"Shared in <#{lobby.id}>.")
    assert (len(shared(table, "lobby")), shared(table)) == (1, [])


async def test_no_post_of_a_deleted_person_remains(table, solved):
    await share(table, solved)
    ann = table.person("Ann")
    asked = await answered(ann.slash("privacy delete", channel="games"))
    assert "1 post you shared" in asked.text

    await ann.click(asked, "Delete…")
    await ann.click(asked, "Delete it for good")
    await table.discord.until(lambda: not shared(table))

    assert table.sql("SELECT * FROM puzzle_shares") == []


async def test_no_post_remains_of_a_person_deleted_while_it_is_posted(table, solved, monkeypatch):
    services = table.bot.services
    sending = HeldCalls(monkeypatch, services.delivery, "send")
    sharing = asyncio.create_task(share(table, solved))
    await sending.reached()
    await services.erasure.delete(table.person("Ann").id)
    sending.let_through()

    refused = await sharing

    assert typed(refused.text) == UNSOLVED
    assert shared(table) == []
