"""The command itself: its options, the run from the first request to the last, the table."""

import argparse
import asyncio
import contextlib
import signal
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import aiohttp
import discord

from bot.config import LOGIN_REFUSED, Settings, SettingsError, read
from bot.messaging import discord_address
from bot.operations.smoke import application, members, messages, pictures, thinking, threads
from bot.operations.smoke.lines import Check, DiffersError, Line, NotTriedError, Verdict, table
from bot.operations.smoke.requests import PAUSE_SECONDS, Requests
from bot.operations.smoke.trial import Trial, Where
from bot.telemetry.logging import configure
from bot.text import counted

CLICK_SECONDS: Final = 60.0

CHECKS: Final[Sequence[Check]] = (
    *application.checks,
    *messages.checks,
    *pictures.checks,
    *threads.checks,
    *members.checks,
    *thinking.checks,
)
"""All checks but the last, in their order."""


class StartError(Exception):
    """Nothing can be tried; the message is a sentence that says why."""


def add_to(commands: "argparse._SubParsersAction[Any]") -> None:
    """Add it to the commands of `python -m bot`."""
    smoke = commands.add_parser(
        "smoke",
        help="try at Discord what the bot relies on, in a channel of a test server",
        description="Posts some messages and a thread, deletes them again, and prints a table of "
        "what holds. Stop the bot before: it would answer the clicks too.",
    )
    smoke.add_argument("--channel", type=int, required=True, metavar="ID", help="a text channel")
    smoke.add_argument(
        "--member",
        type=int,
        metavar="ID",
        help="you, to be named, sent a direct message, and asked for three clicks",
    )
    smoke.set_defaults(begin=begin, online=True)


def begin(asked: argparse.Namespace) -> int:
    """Run the checks and print the table; an exit status.

    0 if everything holds that the bot relies on, 1 if not or if stopped, 2 if nothing could be
    tried.
    """
    try:
        settings = read(Settings)
    except SettingsError as error:
        return _refuse(str(error))
    configure("warning", settings.log_format)  # it hides the tokens in URLs
    discord_address.use_address(settings.discord_api)
    lines: list[Line] = []
    stopped = False
    try:
        asyncio.run(_until_stopped(settings, asked.channel, asked.member, lines))
    except discord.LoginFailure:
        return _refuse(LOGIN_REFUSED)
    except StartError as error:
        return _refuse(str(error))
    except (aiohttp.ClientError, OSError, discord.DiscordException) as error:
        return _refuse(f"Discord can't be asked: {type(error).__name__}. Try again later.")
    except (KeyboardInterrupt, asyncio.CancelledError):
        stopped = True
    sys.stdout.write(f"{summary(lines, stopped=stopped)}\n\n{table(lines)}\n")
    return 1 if stopped or any(line.fails for line in lines) else 0


def summary(lines: Sequence[Line], *, stopped: bool) -> str:
    """What was run, when, and how many lines had each verdict."""
    counts = [
        f"{sum(line.verdict is verdict for line in lines)} {words}"
        for verdict, words in (
            (Verdict.HOLDS, "hold"),
            (Verdict.DIFFERS, "do not"),
            (Verdict.NOT_TRIED, "not tried"),
        )
    ]
    day = datetime.now(UTC).date()
    end = " It was stopped before the end." if stopped else ""
    return (
        f"Facedown smoke test, {day}, discord.py {discord.__version__}: "
        f"of {counted(len(lines), 'line', 'lines')} {', '.join(counts)}.{end}"
    )


async def _until_stopped(
    settings: Settings, channel: int, member: int | None, lines: list[Line]
) -> None:
    """Run until SIGTERM or SIGINT cancels it; what was made is deleted first."""
    task = asyncio.current_task()
    assert task is not None
    for number in (signal.SIGTERM, signal.SIGINT):  # a shell's background job ignores SIGINT
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    if member is not None:
        sys.stderr.write(
            "In half a minute a message in a new thread asks the member for a click, then for two "
            "more.\n"
        )
    sys.stderr.write("What is made is deleted at the end, also after Ctrl-C.\n")
    await run(settings, channel, member, lines)


async def run(  # noqa: PLR0913 - a test chooses what and how fast
    settings: Settings,
    channel: int,
    member: int | None,
    lines: list[Line],
    *,
    checks: Sequence[Check] = CHECKS,
    pause: float = PAUSE_SECONDS,
    patience: float = CLICK_SECONDS,
) -> None:
    """Try the checks one after the other, appending each line at once; then delete what was made.

    It's deleted even if this is cancelled.
    """
    requests = Requests(pause)
    client = discord.AutoShardedClient(
        intents=discord.Intents(guilds=True),
        http_trace=requests.trace,
        allowed_mentions=discord.AllowedMentions.none(),
        chunk_guilds_at_startup=False,
    )
    async with client:
        await client.login(settings.discord_token.get_secret_value())
        guild = await _guild_of(client, channel)
        where = Where(channel=channel, guild=guild, member=member)
        trial = Trial(client, requests, settings, where, patience)
        try:
            for check in checks:
                lines.append(await attempt(check, trial))  # noqa: PERF401 - each as it comes
        finally:
            lines.append(await attempt(TIDYING, trial))
            await _disconnect(trial)


async def _guild_of(client: discord.Client, channel: int) -> int:
    """The server of the channel; StartError unless that is a text channel that the bot can see."""
    try:
        data = await client.http.get_channel(channel)
    except (discord.Forbidden, discord.NotFound):
        raise StartError(
            "The bot does not see this channel. Give the id of a text channel of a test server "
            "that it is in."
        ) from None
    if data["type"] != discord.ChannelType.text.value:
        raise StartError("This is no text channel; give the id of one.")
    return int(data["guild_id"])


async def attempt(check: Check, trial: Trial) -> Line:
    """Try one check and return its line."""
    try:
        return Line(check, Verdict.HOLDS, await check.attempt(trial))
    except NotTriedError as error:
        return Line(check, Verdict.NOT_TRIED, str(error))
    except DiffersError as error:
        return Line(check, Verdict.DIFFERS, str(error))
    except (LookupError, TypeError, ValueError) as error:
        seen = f"an answer of another form ({type(error).__name__})"
        return Line(check, Verdict.DIFFERS, seen)
    except (aiohttp.ClientError, OSError, discord.DiscordException) as error:
        return Line(check, Verdict.DIFFERS, f"no answer ({type(error).__name__})")


async def _tidy_up(trial: Trial) -> str:
    count, left = await trial.tidy_up()
    if left:
        raise DiffersError(f"left, delete it by hand: {', '.join(left)}")
    return f"{counted(count, 'message or thread', 'messages and threads')}, all deleted"


TIDYING: Final = Check(
    what="Deleting everything that was made", expected="all gone", attempt=_tidy_up
)


async def _disconnect(trial: Trial) -> None:
    await trial.client.close()
    if trial.connection is not None:
        with contextlib.suppress(discord.DiscordException, aiohttp.ClientError, OSError):
            await trial.connection


def _refuse(sentence: str) -> int:
    sys.stderr.write(f"{sentence}\n")
    return 2
