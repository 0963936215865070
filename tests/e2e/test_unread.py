"""What two people who do not look at the same time get, from the challenge to the rematch."""

import pytest

from games import GAMES
from tests.support.clock import HOUR, MINUTE

BOTH = ("Ann", "Bo")


async def away(table, seconds):
    """Nobody clicks for a while, and what is due meanwhile is told."""
    table.watch.advance(seconds)
    table.bot.services.deadlines.wake()
    await table.quiet_now()
    await table.told()
    await table.quiet_now()


def unread(table):
    """The direct messages of each that are new since they last looked, which they now do."""
    found = tuple(table.person(name).unread for name in BOTH)
    for name in BOTH:
        table.person(name).read()
    return found


def owing(table):
    """Who has a choice to make at their hand."""
    asking = (":pick:", ":draft:")
    ids = {name: [b.custom_id or "" for b in table.desk(name).buttons] for name in BOTH}
    return [name for name in BOTH if any(act in i for i in ids[name] for act in asking)]


def kept(table):
    """How many messages of the bot stand in each inbox, whatever they tell."""
    return tuple(len(table.letters(name)) for name in BOTH)


async def time_runs_out(table, public):
    table.pass_time(5 * HOUR)
    await table.discord.until(lambda: "Time ran out" in public.text)
    await table.told()
    await table.quiet_now()


async def leaves(table, public):
    await table.person("Bo").forge(public, custom_id=f"f1:{table.match_of(public)}:0:leave:")
    await table.told()
    await table.quiet_now()


async def wants_a_rematch(table, name, public):
    await table.person(name).click(public, "Rematch")
    await table.told()
    await table.quiet_now()


@pytest.mark.parametrize("game", GAMES)
async def test_each_event_is_told_once_to_whom_it_concerns(table, game):
    """Their unread messages after each event, and what stands in their inboxes then."""
    public = await table.for_two(game, "is choosing", pace="slow")
    ann, bo = (int(name in owing(table)) for name in BOTH)

    async def after(event):
        await event
        return unread(table), kept(table)

    assert (unread(table), kept(table)) == ((1, 1), (1, 1))
    assert await after(away(table, 5 * MINUTE)) == ((0, 0), (1, 1))  # the hand has told the turn
    assert await after(away(table, 3 * HOUR)) == ((0, 0), (1, 1))
    assert await after(away(table, 16 * HOUR)) == ((ann, bo), (1, 1))  # time runs out
    assert await after(time_runs_out(table, public)) == ((0, 0), (1, 1))
    brought = tuple(int(name in owing(table)) for name in BOTH)
    assert await after(away(table, 5 * MINUTE)) == (brought, (1, 1))  # another turn has begun
    assert await after(leaves(table, public)) == ((1, 0), (1, 1))
    assert await after(wants_a_rematch(table, "Bo", public)) == ((1, 0), (1, 1))
    await wants_a_rematch(table, "Ann", public)
    await table.discord.until(lambda: kept(table) == (2, 2))  # each has the hand of the rematch
    assert unread(table) == (1, 1)
