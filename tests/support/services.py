"""What tests make a bot of: settings without an environment, and no processes."""

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
from tests.support.sandboxes import SHORT_WINDOWS

AT_ONCE = Pacing(
    detail=3600.0,
    computer=0.0,
    words_first=300.0,
    edits=WINDOW_SECONDS * SHORT_WINDOWS,
    settling=0.0,
    defer=3600.0,
)
"""No computer hesitates, edits follow each other as fast as a quick sandbox takes them, and what is
hidden from the bot counts as hidden for good. However slow the machine, no words go first, nothing
is deferred, and no detail is shown before a test asks for it (`quiet_now`)."""


@functools.cache
def settings(**named):
    """Settings of a bot whose players may be as fast as tests are; frozen, so bots share them."""
    usual = {"discord_token": SecretStr("none"), "most_clicks": 1_000_000, "report_channel": 1}
    return Settings(_env_file=None, **(usual | named))


def bare_router():
    """A router by itself: every match can be reached, and nobody is told what was clicked."""

    async def ignore(*args):
        del args

    return Router(
        FloodControl(30, time.time),
        Bans(()),
        must_reach=ignore,
        acted=lambda match, user: None,
        too_late=ignore,
    )


class ImportingBot(Facedown):
    """Imports its cogs, where others run their modules anew for each bot.

    That takes half of the time between two tests. Extensions are tested in `tests/cogs/`, and by
    every test with a process of its own.
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
    """A bot on this storage that draws with these workers."""
    processes = Processes(pictures=PictureCache(drawing), **(processes or {}))
    return client(settings_ or settings(), storage, processes, pacing=pacing, **options)
