"""/report in the sandbox: who can read a report, who can't, and how many are accepted."""

import time

import pytest

from bot.config import Support
from bot.guilds.reports import COLOR, MAX_LENGTH, Report, report_content
from bot.interactions.error_handler import UNSHOWN
from sandbox import Fault, ImpossibleError
from sandbox.permissions import Permission
from tests.support.clock import HOUR, MINUTE
from tests.support.services import settings
from tests.support.tables import seated

WORDS = "Bo writes rude words, and the desk of my match is empty."
THANKS = (
    "Thank you! The bot's owner has your report and can see who wrote it and where, so they can "
    "answer you."
)
URL = "https://example.com/help"
NOT_ARRIVED = "Your report didn't reach the bot's owner. Please try again later"


def report(text):
    return Report(number=1, reporter=2, text=text, guild=3, channel=4)


def heard(table, **support):
    """Make #lobby the channel for reports."""
    channel = table.discord.world.channel("lobby").id
    table.bot.services.reports.support = Support(channel=channel, **support)


async def answered(table, text=WORDS, name="Ann", channel="games"):
    """Report something; the message that answers it."""
    answer = await table.person(name).slash("report", channel=channel, text=text)
    await table.discord.until(lambda: answer.message is not None and answer.message.text)
    return answer.message


def posted(table):
    return [message for message in table.person("Dan").see("lobby") if "Report" in message.text]


async def test_a_report_is_posted_in_the_report_channel(table):
    heard(table)
    ann, games = table.person("Ann"), table.discord.world.channel("games")

    answer = await answered(table)

    [message] = posted(table)
    assert message.text == (
        f"### Report by {ann.mention}\n> {WORDS}\n"
        f"-# `{ann.id}` in <#{games.id}> of server `{games.guild_id}`"
    )
    assert answer.text == THANKS
    assert answer.ephemeral_to == ann.id


async def test_a_report_is_posted_if_its_reporter_is_told_after_a_failed_answer_that_it_was_saved(
    table,
):
    heard(table)
    table.discord.faults.add(Fault(path="/callback", drop=True))

    answer = await answered(table)

    assert answer.text == UNSHOWN
    assert len(posted(table)) == 1


async def test_a_report_from_direct_messages_says_so(table):
    heard(table)
    ann = table.person("Ann")

    await answered(table, channel=ann.dm)

    assert posted(table)[0].text.endswith(f"-# `{ann.id}` in direct messages")


async def test_a_report_pings_nobody(table):
    heard(table)
    bo = table.person("Bo")

    await answered(table, f"@everyone @here {bo.mention} cheats")

    [message] = posted(table)
    assert bo.mention in message.text
    assert message.pinged == frozenset()
    sent = table.requests("POST", f"/channels/{message.channel_id}/messages")
    assert sent[-1].json["allowed_mentions"]["parse"] == []


async def test_the_text_of_a_report_is_neither_logged_nor_stored(table, capsys):
    heard(table)
    await answered(table)
    order_trouble(table)
    await answered(table)

    logged = capsys.readouterr()
    assert "report not delivered" in logged.out + logged.err
    assert "rude" not in logged.out + logged.err
    assert b"rude" not in table.database.read_bytes()
    assert "rude" not in repr(report(WORDS))


def order_trouble(table, times=2):
    lobby = table.discord.world.channel("lobby").id
    fault = Fault(status=503, method="POST", path=f"^/channels/{lobby}/messages", times=times)
    table.discord.faults.add(fault)


@pytest.mark.parametrize(
    "lost",
    [{"status": 503}, {"status": 503, "after": True}, {"drop": True, "after": True}],
    ids=["not taken", "taken", "not heard of"],
)
async def test_a_report_is_posted_once_even_if_discords_answer_is_lost(table, lost):
    heard(table)
    table.discord.faults.add(Fault(method="POST", path=r"/messages$", saying="Report", **lost))

    answer = await answered(table)

    assert answer.text == THANKS
    assert len(posted(table)) == 1
    assert not table.discord.faults.ordered


async def test_a_report_that_discord_refuses_is_not_sent_again(table):
    """It would be refused again, and Discord counts refusals."""
    heard(table)
    slow_mode = Fault(method="POST", path=r"/messages$", status=400, code=20028, times=None)
    table.discord.faults.add(slow_mode)
    since = len(table.discord.requests)

    answer = await answered(table)

    assert answer.text == f"{NOT_ARRIVED}."
    assert len(table.requests("POST", "/messages", since)) == 1


async def test_a_command_delivered_twice_is_one_report(table):
    heard(table)
    table.discord.faults.deliver_twice = True

    await answered(table)

    assert len(posted(table)) == 1


async def test_three_reports_an_hour_are_accepted_and_a_fourth_is_refused(table):
    heard(table)
    for minute in range(3):
        await answered(table, f"Report number {minute}")
        table.pass_time(MINUTE)

    refused = await answered(table)

    assert refused.text == "You've sent 3 reports in an hour. Try again in 57 minutes."
    assert len(posted(table)) == 3


async def test_others_can_report_while_somebody_has_to_wait(table):
    heard(table)
    for _ in range(4):
        await answered(table)

    answer = await answered(table, name="Bo")

    assert answer.text == THANKS


async def test_after_an_hour_another_report_is_accepted(table):
    heard(table)
    for _ in range(3):
        await answered(table)
    table.pass_time(HOUR - 30)
    early = await answered(table)
    table.pass_time(30)

    late = await answered(table)

    assert early.text.endswith("Try again in 1 minute.")
    assert late.text == THANKS


async def test_a_report_that_did_not_arrive_does_not_count(table):
    heard(table)
    order_trouble(table, times=6)
    failed = [(await answered(table)).text for _ in range(3)]

    arrived = [(await answered(table)).text for _ in range(3)]

    assert failed == [f"{NOT_ARRIVED}."] * 3
    assert arrived == [THANKS] * 3


@pytest.mark.parametrize(
    ("support", "told"),
    [({}, f"{NOT_ARRIVED}."), ({"url": URL}, f"{NOT_ARRIVED}, or go to <{URL}>.")],
    ids=["nowhere else", "with a page"],
)
async def test_if_the_bot_cannot_post_the_report_its_reporter_is_told(table, support, told):
    heard(table, **support)
    table.discord.world.set_permissions("lobby", deny=Permission.VIEW_CHANNEL)

    assert (await answered(table)).text == told


async def test_without_a_report_channel_the_command_does_not_exist(discord, tmp_path):
    """Nobody should write a report that nobody can read."""
    async with seated(discord, tmp_path) as table:
        known = {command.name for command in table.bot.tree.get_commands()}
        await table.restart(settings_=settings(report_channel=None))

        offered = {command.name for command in table.bot.tree.get_commands()}
        with pytest.raises(ImpossibleError):
            await answered(table)

    assert known - offered == {"report"}


@pytest.mark.parametrize("sign", [" ", "\u200b", "\u3164", "\u2800", "."], ids=ascii)
async def test_a_report_without_visible_text_is_refused_and_does_not_count(table, sign):
    heard(table)
    ann = table.person("Ann")

    answers = [await ann.slash("report", channel="games", text=sign * 20) for _ in range(4)]

    assert {answer.text for answer in answers} == {
        "Your report is too short. Say in a few words what's wrong."
    }
    assert not posted(table)
    assert (await answered(table)).text == THANKS


@pytest.mark.parametrize("text", ["too short", "x" * (MAX_LENGTH + 1)], ids=["short", "long"])
async def test_discord_enforces_the_length_of_a_report(table, text):
    with pytest.raises(ImpossibleError):
        await table.person("Ann").slash("report", channel="games", text=text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**loud** words", r"> \*\*loud\*\* words"),
        ("# heading", r"> \# heading"),
        ("[Discord](https://evil.example)", "]\u200b(https://evil.example)"),
        ("https://a.example/[x](https://evil.example)", "]\u200b(https://evil.example)"),
        ("first\nsecond", "> first\n> second"),
    ],
    ids=["bold", "heading", "link", "link in a link", "lines"],
)
def test_markup_in_a_report_has_no_effect(text, shown):
    assert shown in report_content(report(text)).head
    assert report_content(report(text)).color == COLOR


def test_a_report_full_of_brackets_is_rendered_quickly():
    """The event loop waits for it, and so does every other player."""
    brackets = "[" * (MAX_LENGTH // 3) + "](" * (MAX_LENGTH // 3)
    took = []
    for _ in range(3):
        began = time.thread_time()
        report_content(report(brackets))
        took.append(time.thread_time() - began)

    assert min(took) < 0.03


def test_the_longest_report_fits_a_message():
    content = report_content(report("*\n" * (MAX_LENGTH // 2)))

    assert len(content.head) + len(content.foot) <= 4000
