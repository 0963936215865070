"""While the coach looks at a match, its player is told how far it is; whatever fails, they hear."""

import asyncio

import pytest

from bot.interactions.error_handler import RESTARTING, UNSHOWN
from games.computers import COMPUTERS
from games.pico import PICO
from sandbox.faults import Fault
from tests.support.solo import begin, play_out
from tests.support.standstill import Halting
from tests.support.tables import seated
from tests.support.thinking import Lowest

ENDS = {"Coach": "Choice by choice", "Share": "Shared by"}
"""What the answer says when the coach has looked at everything."""


class Thinkers(Halting):
    """Processes that halt when they are to look at one choice more than they may."""

    crowd, may = 1, 1000

    async def run(self, seconds, work, *args, urgent=True):
        if not urgent and work.__name__ == "assess":
            self.may -= 1
            self.halted = self.may < 0
        return await self.run_within(seconds, work, *args)

    async def wake(self):
        """There is nothing to wake."""


@pytest.fixture
def thinkers():
    return Thinkers()


@pytest.fixture
async def table(discord, tmp_path, thinkers, monkeypatch):
    monkeypatch.setitem(COMPUTERS, "pico", Lowest(PICO))
    monkeypatch.setattr("bot.computers.coach.PROGRESS_SECONDS", -1.0)  # told at every choice
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
async def test_the_work_goes_on_where_how_far_it_is_cannot_be_shown(table, ended, label, lost):
    fault = table.discord.faults.add(Fault(method="PATCH", saying=lost, drop=True))

    answer = await table.person("Ann").click(ended, label)
    await table.discord.until(lambda: ENDS[label] in answer.text)

    assert fault not in table.discord.faults.ordered
    assert answer.followups == []


@pytest.mark.parametrize("label", ENDS)
async def test_who_was_told_to_wait_hears_that_the_answer_cannot_be_shown(table, ended, label):
    table.discord.faults.add(Fault(method="PATCH", saying=ENDS[label], drop=True))

    answer = await table.person("Ann").click(ended, label)
    await table.discord.until(lambda: answer.followups)
    again = await table.person("Ann").click(ended, label)
    await table.discord.until(lambda: ENDS[label] in again.text)

    assert [told.text for told in answer.followups] == [UNSHOWN]
    assert answer.followups[0].ephemeral_to == table.person("Ann").id


@pytest.mark.parametrize("label", ENDS)
async def test_who_has_put_the_message_away_hears_nothing_more(table, ended, label):
    table.discord.faults.add(Fault(method="PATCH", saying="2 of", status=404, code=10008))

    answer = await table.person("Ann").click(ended, label)
    await table.settled()

    assert "1 of" in answer.text
    assert answer.followups == []


@pytest.mark.parametrize("label", ENDS)
async def test_who_was_told_to_wait_hears_that_the_bot_ends(
    table, ended, thinkers, label, monkeypatch
):
    monkeypatch.setattr("bot.interactions.router.ANSWERABLE", 0.01)
    thinkers.may = 3
    answer = await table.person("Ann").click(ended, label)
    await table.discord.until(lambda: thinkers.halted)

    async with asyncio.timeout(10):
        await table.bot.services.router.close()

    assert [told.text for told in answer.followups] == [RESTARTING]
