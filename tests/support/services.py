"""What tests build a bot from: settings without an environment, and no worker processes."""

import functools
import importlib
import time

from pydantic import SecretStr

from bot.client import Facedown
from bot.config import Settings
from bot.guilds.bans import Bans
from bot.interactions.flood_control import FloodControl
from bot.interactions.router import Router
from bot.live.edit_turns import WINDOW_SECONDS
from bot.messaging.picture_cache import PictureCache
from bot.services import Pacing, Processes
from games import GAMES
from tests.support.sandboxes import SHORT_WINDOWS

AT_ONCE = Pacing(
    detail=3600.0,
    computer=0.0,
    words_first=300.0,
    edits=WINDOW_SECONDS * SHORT_WINDOWS,
    settling=0.0,
    defer=3600.0,
)
"""Pacing for tests: computers move at once, edits follow each other as fast as a quick sandbox
allows, and a hidden channel counts as hidden at once. However slow the machine is, words never go
first, nothing is deferred, and no detail is shown before a test asks for it (`quiet_now`)."""


for game in GAMES:
    # Now, not when a bot first loads them: by then, a test can have replaced a game's computer,
    # and its levels would stay among the options of the command.
    importlib.import_module(f"cogs.{game}.commands")


@functools.cache
def settings(**named):
    """Settings that don't limit the clicks of fast tests; cached, because they are frozen."""
    usual = {"discord_token": SecretStr("none"), "most_clicks": 1_000_000, "report_channel": 1}
    return Settings(_env_file=None, **(usual | named))


def bare_router():
    """A router for tests that dispatch no click, and so need no matches."""
    return Router(FloodControl(30, time.time), Bans(()), access=None, activity=None, replies=None)


class ImportingBot(Facedown):
    """Imports its cogs instead of loading them as extensions, which executes each module again.

    That would take half of the time between two tests. Extensions are tested in `tests/cogs/`, and
    by every test that starts a process.
    """

    async def load_extension(self, name, *, package=None):
        await importlib.import_module(name, package).setup(self)


def bot_of(
    storage,
    drawing,
    *,
    client=ImportingBot,
    pacing=AT_ONCE,
    processes=None,
    settings_=None,
    **options,
):
    """A bot with this storage that draws with these workers."""
    processes = Processes(pictures=PictureCache(drawing), **(processes or {}))
    return client(settings_ or settings(), storage, processes, pacing=pacing, **options)
