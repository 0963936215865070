"""While the coach analyzes a match, its player is shown the progress, and told if it fails."""

import asyncio

import pytest

from bot.computers.coach import SLOW
from bot.interactions.error_handler import RESTARTING, UNSHOWN
from games.computers import COMPUTERS
from games.pico import PICO
from sandbox.faults import Fault
from tests.support.solo import begin, play_out
from tests.support.standstill import Halting
from tests.support.tables import seated
from tests.support.thinking import Lowest
from tests.support.waiting import until

ENDS = {"Coach": "Choice by choice", "Share": "Shared by"}
"""What the answer says when the coach has finished, by the button that was pressed."""


class LimitedPool(Halting):
    """A pool that halts when it has assessed as many choices as `may` allows."""

    crowd, may, slow = 1, 1000, False

    async def run(self, seconds, work, *args, urgent=True):
        if not urgent and work.__name__ == "assess":
            if self.slow:
                raise TimeoutError
            self.may -= 1
            self.halted = self.may < 0
        return await self.run_within(seconds, work, *args)

    async def wake(self):
        """Do nothing."""


@pytest.fixture
def thinkers():
    return LimitedPool()


@pytest.fixture
async def table(discord, tmp_path, thinkers, monkeypatch):
    monkeypatch.setitem(COMPUTERS, "pico", Lowest(PICO))
    monkeypatch.setattr("bot.computers.coach.PROGRESS_SECONDS", -1.0)  # shown at every choice
    async with seated(discord, tmp_path, processes={"computers": thinkers}) as table:
        yield table


@pytest.fixture
async def ended(table):
    """A solo match of Ann's that is over."""
    message = await begin(table, table.person("Ann").dm)
    await play_out(table, message)
    return message


@pytest.mark.parametrize("label", ENDS)
@pytest.mark.parametrize("lost", ["2 of", "5 of"])
async def test_the_analysis_continues_if_its_progress_cannot_be_shown(table, ended, label, lost):
    fault = table.discord.faults.add(Fault(method="PATCH", saying=lost, drop=True))

    answer = await table.person("Ann").click(ended, label)
    await table.discord.until(lambda: ENDS[label] in answer.text)

    assert fault not in table.discord.faults.ordered
    assert answer.followups == []


@pytest.mark.parametrize("label", ENDS)
async def test_a_player_shown_progress_is_told_if_the_answer_cannot_be_shown(table, ended, label):
    table.discord.faults.add(Fault(method="PATCH", saying=ENDS[label], drop=True))

    answer = await table.person("Ann").click(ended, label)
    await table.discord.until(lambda: answer.text == UNSHOWN)
    again = await table.person("Ann").click(ended, label)
    await table.discord.until(lambda: ENDS[label] in again.text)

    assert answer.followups == []
    assert answer.message.ephemeral_to == table.person("Ann").id


async def test_a_player_shown_progress_is_told_if_the_coach_is_too_busy(table, ended, thinkers):
    """The message with the progress says so, as it would otherwise stay forever."""
    thinkers.slow = True

    answer = await table.person("Ann").click(ended, "Coach")
    await table.discord.until(lambda: answer.text == SLOW)

    assert answer.followups == []


async def test_a_text_that_cannot_replace_the_progress_is_a_followup(table, ended, thinkers):
    thinkers.slow = True
    table.discord.faults.add(Fault(method="PATCH", saying=SLOW, status=403, code=50013))

    answer = await table.person("Ann").click(ended, "Coach")
    await table.discord.until(lambda: answer.followups)

    assert [told.text for told in answer.followups] == [SLOW]
    assert answer.followups[0].ephemeral_to == table.person("Ann").id


async def test_a_player_who_dismissed_the_progress_is_not_told_that_the_coach_is_too_busy(
    table, ended, thinkers
):
    thinkers.slow = True
    fault = table.discord.faults.add(Fault(method="PATCH", saying=SLOW, status=404, code=10008))

    answer = await table.person("Ann").click(ended, "Coach")
    await table.handled()

    assert fault not in table.discord.faults.ordered
    assert answer.followups == []


@pytest.mark.parametrize("label", ENDS)
async def test_a_player_who_dismissed_the_progress_gets_no_further_messages(table, ended, label):
    table.discord.faults.add(Fault(method="PATCH", saying="2 of", status=404, code=10008))

    answer = await table.person("Ann").click(ended, label)
    await table.settled()

    assert "1 of" in answer.text
    assert answer.followups == []


@pytest.mark.parametrize("label", ENDS)
async def test_a_player_shown_progress_is_told_if_the_bot_stops(
    table, ended, thinkers, label, monkeypatch
):
    monkeypatch.setattr("bot.interactions.router.ANSWERABLE_SECONDS", 0.01)
    thinkers.may = 3
    answer = await table.person("Ann").click(ended, label)
    await until(lambda: thinkers.halted)

    async with asyncio.timeout(10):
        await table.bot.services.router.close()

    assert answer.text == RESTARTING
    assert answer.followups == []
