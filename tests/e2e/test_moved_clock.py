"""The bot as `make play` starts it: its clock follows the sandbox's."""

from datetime import timedelta

import pytest

from sandbox.__main__ import tell_time
from tests.support.processes import Process
from tests.support.tables import database

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
async def bot(discord, tmp_path):
    tell_time(discord, tmp_path / "clock")
    process = Process(
        discord,
        await database(tmp_path),
        tmp_path / "log",
        CLOCK_FILE=str(tmp_path / "clock"),
    )
    try:
        await process.start()
        yield process
    finally:
        await process.clear_away()


async def test_a_deadline_is_acted_on_at_once_when_the_panel_moves_the_clock_past_it(discord, bot):
    ann, bo = discord.person("Ann"), discord.person("Bo")
    options = {"channel": "games", "opponent": bo, "pace": "live"}
    answer = await ann.slash("pico play", **options)

    def challenge():
        """The message of the challenge; a follow-up if the answer was deferred."""
        found = [answer.message, *answer.followups]
        return next((m for m in found if m and "Accept" in [b.label for b in m.buttons]), None)

    public = await discord.until(challenge)
    await bo.click(public, "Accept")
    await discord.until(lambda: "Round 1" in public.text)

    discord.clock.advance(timedelta(minutes=15))

    # By itself, the bot would look again only after 60 seconds.
    await discord.until(lambda: "Time ran out for" in public.text, timeout=30)
    assert "clock moved" in bot.output
