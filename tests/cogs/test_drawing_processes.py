"""Pictures of every game can be drawn in separate processes, which don't import discord.py."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from bot.messaging.process_pool import ProcessPool
from games import GAMES
from games.chance import Chance
from tests.support.presentations import PRESENTATIONS

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("game", GAMES)]


async def test_a_worker_process_draws_the_same_bytes(game):
    rules, shown = GAMES[game], PRESENTATIONS[game]
    state = rules.setup(rules.presets["standard"], 2, Chance("drawn", 0))
    # Pictures use nothing else of a snapshot.
    table = SimpleNamespace(view=rules.observe(state, None), status="running", seats=())
    pictures = [shown.picture(table, ""), shown.manual[0].picture]

    async with ProcessPool(1) as workers:
        drawn = [await workers.run(picture.draw, picture.subject) for picture in pictures]

    assert drawn == [picture.draw(picture.subject) for picture in pictures]


def test_drawing_does_not_import_discord_py(game):
    drawing = {f"cogs.{game}.pictures", f"cogs.{game}.manual_pictures"}
    code = f"import sys, {', '.join(sorted(drawing))}; print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603 - our own interpreter

    loaded = set(done.stdout.split())
    assert drawing <= loaded
    assert not {"discord", "sqlalchemy"} & loaded
