"""The smoke test against the sandbox: all lines hold, and each one can fail."""

import asyncio
import os
import signal
import sys
from datetime import timedelta

import pytest
from pydantic import SecretStr

from bot.messaging.content import MessageContent
from bot.operations.smoke import (
    application,
    command,
    members,
    messages,
    pictures,
    thinking,
    threads,
)
from bot.operations.smoke.lines import Verdict
from bot.operations.smoke.trial import content, payload
from sandbox import Fault, Sandbox
from sandbox.permissions import Permission
from sandbox.posting import new_message, post
from tests.conftest import known_cogs, point
from tests.support.services import settings
from tests.support.smoke_faults import RIGHTS, weaken

pytestmark = pytest.mark.long  # each line fails once, and a run at real speed takes a minute

OLD = "A table that has nothing to do with it."
NOTHING = ([OLD], [])


@pytest.fixture(scope="module")
def declared():
    """The payloads of the commands that this version registers."""
    with known_cogs():  # module fixtures come before those of each test
        return asyncio.run(application.declared_commands(settings()))


@pytest.fixture
async def discord(pointed, declared):
    """A test server as an owner prepares it; Bo's direct messages are closed.

    Requests aren't checked against Discord's OpenAPI document, because some are invalid on purpose.
    """
    async with Sandbox() as sandbox:
        point(pointed, sandbox)
        sandbox.world.set_permissions("games", allow=RIGHTS)
        sandbox.commands.overwrite(None, declared)
        sandbox.person("Bo").closed = True
        say(sandbox, MessageContent(head=OLD))
        sandbox.clock.advance(timedelta(hours=2))
        sandbox.faults.rate_limits = False  # most tests send a minute's requests in a second
        yield sandbox
    assert not sandbox.unknown_routes


@pytest.fixture
def smoke(discord):
    """Runs the smoke test; returns its lines by the names of their attempts."""

    async def run(checks=command.CHECKS, *, member="Bo", channel="games", patience=60.0, clicks=3):
        lines = []
        who = None if member is None else discord.person(member).id
        where = discord.world.channel(channel).id
        clicking = asyncio.create_task(click(discord, clicks))
        try:
            await command.run(
                settings(discord_token=SecretStr(discord.token)),
                where,
                who,
                lines,
                checks=checks,
                pause=0.0,
                patience=patience,
            )
        finally:
            clicking.cancel()
        return {name(line.check): line for line in lines}

    return run


def name(check):
    return check.attempt.__name__


def say(sandbox, said):
    """Post a message of the bot in #games."""
    channel = sandbox.world.channel("games")
    read = sandbox.world.payloads.read(payload(said), [], channel.id)
    return post(
        sandbox.world, channel, new_message(sandbox.world, channel, sandbox.world.bot), read
    )


async def click(discord, times=3):
    """Let Bo click this many of the buttons they're asked to click."""
    bo, clicked = discord.person("Bo"), set()
    for _ in range(times):
        message = await discord.until(lambda: asking(bo, clicked))
        clicked.add(message)
        await bo.click(message, members.LABEL)


def asking(person, clicked):
    """Return a message that asks the person for a click and isn't in `clicked`, or None."""
    seen = (message for channel in person.channels for message in person.see(channel))
    return next((m for m in seen if m not in clicked and m.find_button(members.LABEL)), None)


def left(discord):
    """Return the texts of the bot's remaining messages, and the threads.

    Private messages don't count, because only their reader can dismiss them.
    """
    world = discord.world
    made = [m for messages in world.history.values() for m in messages if m.author is world.bot]
    return [m.text for m in made if m.ephemeral_to is None], list(world.guild.threads())


async def test_all_lines_hold(discord, smoke):
    lines = await smoke()

    failed = [str(line) for line in lines.values() if line.verdict is not Verdict.HOLDS]
    assert failed == []
    assert len(lines) == len(command.CHECKS) + 1
    assert left(discord) == NOTHING


async def test_a_deletion_in_an_archived_thread_can_be_refused_too(discord, smoke):
    discord.faults.refuse_archived_deletes = True

    lines = await smoke(with_prerequisites(threads.checks[0]))

    assert lines["deleted_there"].verdict is Verdict.HOLDS
    assert lines["deleted_there"].seen == (
        "400, code 50083: Thread is archived; deleted once it is open"
    )
    assert left(discord) == NOTHING


async def test_a_thread_that_only_a_message_can_open_is_opened_by_one(discord, smoke):
    opening = {"method": "PATCH", "path": r"^/channels/\d+$", "saying": '{"archived": false}'}
    discord.faults.add(Fault(**opening, status=403, code=50013))

    lines = await smoke(with_prerequisites(threads.checks[0]))

    assert lines["opened_from_outside"].verdict is Verdict.HOLDS
    assert lines["opened_from_outside"].seen.endswith("; a message opens it")
    assert left(discord) == NOTHING


async def test_a_nonce_whose_message_is_gone_can_make_a_new_one(discord, smoke, monkeypatch):
    monkeypatch.setattr("sandbox.rest.messages.NONCE_LIFETIME", timedelta(0))

    lines = await smoke([next(c for c in messages.checks if name(c) == "nonce_of_deleted")])

    assert lines["nonce_of_deleted"].seen == "a new message"
    assert lines["nonce_of_deleted"].verdict is Verdict.HOLDS
    assert left(discord) == NOTHING


def with_prerequisites(check):
    """Return the checks of this check's topic, preceded by those that they depend on."""
    topics = (application, messages, pictures, threads, members, thinking)
    own = next((topic.checks for topic in topics if check in topic.checks), [])
    first = [] if own is messages.checks else messages.checks[:1]
    thread = threads.checks[:1] if own in (members.checks, thinking.checks) else []
    click = [c for c in members.checks if name(c) == "clicked"] if own is thinking.checks else []
    return [*first, *thread, *click, *own]


@pytest.mark.parametrize("check", [*command.CHECKS, command.TIDYING], ids=name)
async def test_every_line_can_fail(monkeypatch, discord, smoke, check):
    """Everything it created is still deleted, unless that's the line that fails."""
    weaken(monkeypatch, discord, name(check))

    lines = await smoke(with_prerequisites(check))

    assert lines[name(check)].verdict is Verdict.DIFFERS
    if check is not command.TIDYING:
        assert lines["_tidy_up"].verdict is Verdict.HOLDS
        assert left(discord) == NOTHING


async def test_checks_that_need_a_member_or_a_click_say_so(smoke):
    lines = await smoke(member=None)

    assert {name(c) for c in [*members.checks, *thinking.checks]} == {
        what for what, line in lines.items() if line.verdict is Verdict.NOT_TRIED
    }
    assert lines["clicked"].seen == "needs a click: --member says whose"
    assert lines["closed"].seen == "needs a member: --member says who"


async def test_a_missing_click_is_not_awaited_forever(discord, smoke):
    lines = await smoke(with_prerequisites(members.checks[0]), member="Ann", patience=0.01)

    assert lines["clicked"].seen == "needs a click: none came within 0 s"
    assert lines["acknowledged"].verdict is Verdict.NOT_TRIED
    assert left(discord) == NOTHING


async def test_after_a_missing_second_click_no_third_one_is_requested(discord, smoke):
    lines = await smoke(with_prerequisites(thinking.checks[0]), clicks=1, patience=5.0)

    assert lines["clicked"].verdict is Verdict.HOLDS
    assert lines["thinking"].seen == "needs a click: none came within 5 s"
    assert lines["thinking_publicly"].seen == "needs a click"
    assert left(discord) == NOTHING


async def test_open_direct_messages_are_deleted_and_the_line_says_to_close_them(discord, smoke):
    discord.person("Bo").closed = False

    lines = await smoke(with_prerequisites(members.checks[0]))

    assert lines["closed"].verdict is Verdict.NOT_TRIED
    assert "close your direct messages" in lines["closed"].seen
    assert left(discord) == NOTHING


async def test_without_an_old_message_or_history_the_line_is_not_tried(discord, smoke):
    rights = RIGHTS & ~Permission.READ_MESSAGE_HISTORY
    discord.world.set_permissions("games", allow=rights)

    lines = await smoke(with_prerequisites(messages.checks[0]))

    assert lines["old_edits"].verdict is Verdict.NOT_TRIED
    assert left(discord) == NOTHING


async def test_commands_that_were_never_registered_are_not_compared(discord, smoke):
    discord.commands.overwrite(None, [])

    lines = await smoke(application.checks)

    assert lines["commands"].verdict is Verdict.NOT_TRIED


async def test_a_link_that_adds_the_commands_without_the_bot_is_reported(discord, smoke):
    link = {"oauth2_install_params": {"scopes": ["applications.commands"], "permissions": "0"}}
    told = {"integration_types_config": {"0": link, "1": link}}
    discord.faults.add(Fault(method="GET", path="^/applications/@me$", body=told))

    lines = await smoke(application.checks)

    assert lines["installs"].verdict is Verdict.DIFFERS
    assert "add the scope `bot` to Guild Install" in lines["installs"].seen


async def test_a_message_whose_answer_was_lost_is_deleted(discord, smoke):
    discord.faults.add(Fault(method="POST", saying="headers", after=True, drop=True))

    lines = await smoke(messages.checks)

    assert lines["headers"].verdict is Verdict.DIFFERS
    assert lines["headers"].seen.startswith("no answer")
    assert left(discord) == NOTHING


async def test_leftovers_of_a_killed_run_are_deleted_by_the_next(discord, smoke):
    say(discord, content("left by a killed run"))

    await smoke(application.checks)

    assert left(discord) == NOTHING


async def test_a_message_that_cannot_be_deleted_does_not_stop_other_deletions(discord, smoke):
    discord.faults.add(Fault(method="DELETE", drop=True, times=2))  # aiohttp tries twice

    lines = await smoke(pictures.checks[:1] + messages.checks[:1])

    assert lines["_tidy_up"].verdict is Verdict.DIFFERS
    assert lines["_tidy_up"].seen == "left, delete it by hand: a message (ServerDisconnectedError)"
    assert len(left(discord)[0]) == 2


async def test_a_thread_that_cannot_be_deleted_is_named(discord, smoke):
    discord.world.set_permissions("games", allow=RIGHTS & ~Permission.MANAGE_THREADS)

    lines = await smoke(with_prerequisites(threads.checks[0]))

    assert "the thread (403, code 50013" in lines["_tidy_up"].seen
    assert left(discord)[0] == [OLD]


@pytest.mark.parametrize("channel", ["lobby", "Bo"])
async def test_an_unusable_channel_is_refused_in_a_sentence(discord, smoke, channel):
    discord.world.set_permissions("lobby", deny=Permission.VIEW_CHANNEL)

    with pytest.raises(command.StartError, match="text channel"):
        await smoke(channel=discord.person("Bo").dm if channel == "Bo" else channel)


@pytest.fixture
async def process(discord, tmp_path):
    """Starts `python -m bot smoke` in its own process."""
    processes = []

    async def start(*words, **environment):
        started = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "bot", "smoke", *map(str, words)),
            env={
                **os.environ,
                "DISCORD_API": discord.url,
                "DISCORD_TOKEN": discord.token,
                "DATABASE": str(tmp_path / "none.sqlite3"),
                "REPORT_CHANNEL": "1",  # otherwise it wouldn't have all commands
                **environment,
            },
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        processes.append(started)
        return started

    yield start
    for one in processes:
        if one.returncode is None:
            one.kill()
            await one.wait()


async def test_the_command_prints_a_table_to_paste_and_respects_the_limits(discord, process):
    discord.faults.rate_limits = True
    clicking = asyncio.create_task(click(discord))
    games, bo = discord.world.channel("games").id, discord.person("Bo").id

    running = await process("--channel", games, "--member", bo)
    printed, said = (text.decode() for text in await running.communicate())
    await clicking

    rows = [line for line in printed.splitlines() if line.startswith("|")]
    assert running.returncode == 0, printed + said
    assert f"of {len(rows) - 2} lines {len(rows) - 2} hold, 0 do not, 0 not tried." in printed
    assert all(row.count(" | ") == 3 for row in rows[2:])
    assert "taken, then 429, code 30046" in printed
    assert [r.json for r in discord.requests if r.status == 429] == [{"flags": 32768}]
    assert discord.token not in printed + said
    assert left(discord) == NOTHING


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
async def test_stopping_it_leaves_nothing_behind(discord, process, number):
    running = await process("--channel", discord.world.channel("games").id)
    await discord.until(lambda: len(left(discord)[0]) > 1)

    running.send_signal(number)
    printed, _ = await running.communicate()

    assert running.returncode == 1
    assert b"It was stopped before the end." in printed
    assert left(discord) == NOTHING


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"DISCORD_TOKEN": "no.such.token"}, b"Discord refuses DISCORD_TOKEN"),
        ({"DISCORD_TOKEN": ""}, b"DISCORD_TOKEN is not set"),
        ({"DISCORD_API": "http://127.0.0.1:9"}, b"Discord can't be asked"),
        ({}, b"The bot does not see this channel."),
    ],
    ids=["refused", "missing", "unreachable", "unseen"],
)
async def test_if_nothing_can_be_tried_a_sentence_says_why(process, environment, sentence):
    running = await process("--channel", 1, **environment)
    printed, said = await running.communicate()

    assert running.returncode == 2
    assert said.splitlines()[-1].startswith(sentence)
    assert printed == b""
