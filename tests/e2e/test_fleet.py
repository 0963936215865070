"""Three bot processes on one database server, which are killed, stopped and restarted."""

import asyncio

import pytest

from bot.cluster.share import shard_of
from games import GAMES
from tests.soak.fleet import Fleet, fleet_sandbox
from tests.soak.fleet_siege import FleetSiege
from tests.soak.measurements import Probes
from tests.soak.messages import read
from tests.soak.opener import SHORT
from tests.support.made_servers import own_database

pytestmark = [pytest.mark.postgresql, pytest.mark.death]

PROCESSES = 3
ONCE = pytest.param(1, 1, marks=pytest.mark.long)
MORE = pytest.param(2, 15, marks=pytest.mark.long)
"""The seed, and the number of kills."""


@pytest.fixture
def server():
    """A database server for this test only, as processes die while they use it."""
    with own_database() as found:
        yield found


@pytest.fixture
async def discord():
    async with fleet_sandbox(6) as discord:
        yield discord
    assert not discord.unknown_routes


@pytest.fixture
async def fleet(discord, server, tmp_path):
    fleet = Fleet(discord, server, tmp_path, PROCESSES)
    yield fleet
    await fleet.kill()


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("seed", "deaths"), [ONCE, MORE])
async def test_nothing_is_lost_if_one_of_several_processes_is_killed(discord, fleet, seed, deaths):
    """How long it takes until everything is answered is measured by `make soak PROCESSES=3`."""
    siege = FleetSiege(discord, fleet, SHORT, seed=seed)

    await siege.kill(deaths)
    await siege.end()

    assert siege.tally.lost == []
    assert sum(map(len, siege.answered.values())) == deaths
    assert sum(siege.record.choices[game] for game in GAMES) > 0


@pytest.mark.long
async def test_no_click_goes_unanswered_while_processes_are_restarted_one_by_one(discord, fleet):
    """As in a deployment behind the endpoint: each is told to end, then started again.

    `tests/e2e/test_processes.py` tests the same within one process, as part of `make test`.
    """
    await fleet.start()
    await discord.endpoint.register(*fleet.urls)
    places = [next(iter(guild.text_channels())) for guild in discord.world.guilds.values()]
    answers, over = [], asyncio.Event()

    async def asking(name, place):
        while not over.is_set():
            answers.append(await discord.person(name).slash("vacation left", channel=place))

    people = ("Ann", "Bo", "Cleo", "Dan") * 2
    clicking = [
        asyncio.create_task(asking(name, place))
        for name, place in zip(people, places, strict=False)
    ]
    statuses = []
    for member in fleet.members:
        statuses.append(await member.stop())
        counted = len(answers)
        await fleet.start_anew(member)
        await discord.until(lambda counted=counted: len(answers) > counted + 20)
    over.set()
    await asyncio.gather(*clicking)

    assert statuses == [0] * PROCESSES
    assert [answer for answer in answers if answer.failed or "vacation" not in answer.text] == []


@pytest.mark.long
async def test_a_click_that_two_holders_of_a_shard_get_counts_once(discord, fleet):
    """One process is suspended until another has its lease and gets the same clicks.

    When it resumes, it finds a click that was answered meanwhile, and whose player has chosen
    another card since.
    """
    await fleet.start()
    ann, bo = discord.person("Ann"), discord.person("Bo")
    guild = list(discord.world.guilds.values())[1]
    place = next(iter(guild.text_channels()))
    command = await ann.slash("pico play", channel=place, opponent=bo, pace="none")
    asked = await discord.until(lambda: _challenge(command), 60.0)
    await bo.click(asked, "Accept")
    table = await discord.until(lambda: _taps(asked, ann) and asked, 60.0)
    shard = shard_of(guild.id, discord.shards)
    names = {member: fleet.name_of(member) for member in fleet.members}
    holder = next(member for member, name in names.items() if shard in fleet.held_by(name))
    holder.suspend()
    await fleet.taken_over(names[holder])
    await Probes(discord, discord.person("Cleo")).answered()
    first, second = _taps(table, ann)[:2]

    one = await ann.click(table, first.name)
    discord.endpoint.urls = tuple(
        url for url, member in zip(fleet.urls, fleet.members, strict=True) if member is not holder
    )
    other = await ann.click(table, second.name)
    holder.go_on()
    await fleet.settled()

    assert not one.failed
    assert not other.failed
    assert fleet.database.ask("SELECT move FROM moves") == [(second.press.arg.split()[1],)]


def _challenge(command):
    """The message of a challenge; a follow-up if the bot was busy and has deferred the answer."""
    sent = [*command.followups, command.message]
    return next((m for m in sent if m and not m.deleted and read(m).control("accept")), None)


def _taps(message, person):
    """The controls of a table that this person can tap."""
    controls = read(message).controls
    return [c for c in controls if c.press.act == "tap" and person.mention in c.heading]
