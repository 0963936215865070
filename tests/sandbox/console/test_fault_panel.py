"""The fault panel: what its buttons do to the sandbox, and how it shows that."""

from datetime import timedelta

import pytest

from sandbox.faults import Faults
from sandbox.permissions import Permission

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_panel_does_not_show_messages_to_a_single_person(page, ann, write):
    message = write(ann.dm, "for Ann alone")

    await page.until(lambda: page.panel.get("faults", {}).get("messages"))

    assert page.panel["faults"]["messages"][0]["id"] == str(message.id)
    assert "for Ann alone" not in str(page.panel)


async def test_the_panel_moves_the_clock(page, console):
    before = console.sandbox.clock.now()

    await page.order("clock", seconds=3600)

    assert console.sandbox.clock.now() - before >= timedelta(hours=1)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("500", (500, 1, 0.0, False)),
        ("500-many", (500, 5, 0.0, False)),
        ("429", (429, 1, 0.0, False)),
        ("slow", (None, 1, 4.0, False)),
        ("drop", (None, 1, 0.0, True)),
    ],
)
async def test_the_panel_orders_faults(page, console, name, expected):
    await page.order("fault", fault=name)

    fault = console.sandbox.faults.ordered[0]
    assert (fault.status, fault.times, fault.delay, fault.drop) == expected
    await page.until(lambda: page.panel["faults"]["pending"] == expected[1])


async def test_the_panel_can_turn_switches_on_and_off(page, console, ann):
    await page.order("deliver-twice", on=True)
    await page.order("rate-limits", on=False)
    await page.order("quarantine", on=True)
    await page.order("close-direct", member=str(ann.id), on=True)

    faults = console.sandbox.faults
    assert (faults.deliver_twice, faults.rate_limits, faults.quarantined) == (True, False, True)
    assert ann.closed
    await page.until(lambda: page.panel["faults"]["quarantined"])


@pytest.mark.parametrize(
    ("verb", "what"),
    [
        ("fault", {"fault": "500-many"}),
        ("deliver-twice", {"on": True}),
        ("rate-limits", {"on": False}),
        ("quarantine", {"on": True}),
    ],
)
async def test_the_panel_can_end_every_fault_and_switch_that_it_shows(page, console, verb, what):
    await page.until(lambda: page.panel.get("faults", {}).get("usual"))
    await page.order(verb, **what)
    await page.until(lambda: not page.panel["faults"]["usual"])

    await page.order("clear-faults")

    await page.until(lambda: page.panel["faults"]["usual"])
    assert console.sandbox.faults == Faults()


async def test_the_panel_can_remove_each_of_the_bots_permissions(page, console):
    world = console.sandbox.world
    games = world.channel("games")
    await page.order("mute-bot", channel=str(games.id), on=True)
    assert not world.can(world.bot.id, games, Permission.SEND_MESSAGES)
    assert world.can(world.bot.id, games, Permission.VIEW_CHANNEL)

    await page.order("hide-channel", channel=str(games.id), on=True)
    await page.order("mute-bot", channel=str(games.id), on=False)

    assert not world.can(world.bot.id, games, Permission.VIEW_CHANNEL)
    await page.order("hide-channel", channel=str(games.id), on=False)
    assert world.can(world.bot.id, games, Permission.SEND_MESSAGES)


async def test_the_panel_can_time_out_the_bot_and_shows_when_that_is_over(page, console):
    world = console.sandbox.world
    games = world.channel("games")
    await page.order("time-out", on=True)
    await page.until(lambda: page.panel["faults"]["timed_out"])
    assert not world.can(world.bot.id, games, Permission.SEND_MESSAGES)

    await page.order("clock", seconds=3600)
    await page.until(lambda: not page.panel["faults"]["timed_out"])
    await page.order("time-out", on=True)
    await page.order("time-out", on=False)

    assert world.can(world.bot.id, games, Permission.SEND_MESSAGES)


async def test_the_panel_can_begin_and_end_an_outage(page, console, ann):
    await page.watch("left", ann)
    await page.order("outage", on=True)
    await page.until(lambda: page.panes["left"]["head"]["channels"] == [])
    assert page.panel["faults"]["unavailable"]

    await page.order("outage", on=False)

    await page.until(lambda: page.panes["left"]["head"]["channels"])


async def test_the_panel_deletes_a_message(page, ann, write):
    await page.watch("left", ann)
    message = write("games", "gone soon")
    await page.shows("left", "gone soon")

    await page.order("delete-message", message=str(message.id))

    await page.until(lambda: not page.texts("left"))
    reply = await page.order("delete-message", message=str(message.id))
    assert reply == {"error": "This message doesn't exist anymore."}
