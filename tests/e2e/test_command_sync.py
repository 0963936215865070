"""If Discord refuses the commands, the bot keeps running and the previous ones still work."""

import asyncio

import pytest
from structlog.testing import capture_logs

from bot.interactions import command_sync
from sandbox import Fault

REFUSALS = [
    ({"status": 400, "code": 30034}, {"status": 400, "code": 30034}),
    (
        {"status": 400, "code": 50035},
        {"status": 400, "code": 50035, "hint": command_sync.HINT},
    ),
    ({"status": 403, "code": 20012}, {"status": 403, "code": 20012}),
    ({"status": 503}, {"status": 503, "code": 0}),
    ({"drop": True, "times": None}, {"why": "ServerDisconnectedError"}),
]
LIMITED = {"status": 429, "code": 30034, "retry_after": 3600.0}


@pytest.fixture
async def outdated(table):
    """A bot that finds at its next start that its commands have changed since they were synced."""
    await table.stop()
    await table.change("UPDATE synced_commands SET fingerprint = 'before'")
    return table


def fingerprints(table):
    return {fingerprint for (fingerprint,) in table.sql("SELECT fingerprint FROM synced_commands")}


@pytest.mark.parametrize(("fault", "said"), REFUSALS)
async def test_a_failed_sync_is_logged_in_one_line_and_the_start_continues(outdated, fault, said):
    outdated.discord.faults.add(Fault(method="PUT", path="/commands$", **fault))

    with capture_logs() as logs:
        await outdated.start()
        public = await outdated.match()

    assert "Round 1" in public.text
    assert [line for line in logs if line["log_level"] != "info"] == [
        {"event": "commands not synced", "log_level": "warning", **said}
    ]
    assert fingerprints(outdated) == {"before"}


async def test_the_bot_does_not_wait_an_hour_for_a_rate_limit(outdated, monkeypatch):
    monkeypatch.setattr(command_sync, "SYNC_SECONDS", 0.5)
    outdated.discord.faults.add(Fault(method="PUT", path="/commands$", **LIMITED))

    with capture_logs() as logs:
        await outdated.start()

    assert [line for line in logs if line["log_level"] != "info"] == [
        {"event": "commands not synced", "log_level": "warning", "why": "TimeoutError"}
    ]
    assert fingerprints(outdated) == {"before"}


async def test_a_global_rate_limit_on_the_sync_stops_nothing_else(outdated, monkeypatch):
    monkeypatch.setattr(command_sync, "SYNC_SECONDS", 0.5)
    everything = {"global": True, "retry_after": 3600.0}
    limited = Fault(method="PUT", path="/commands$", status=429, instead=everything)
    outdated.discord.faults.add(limited)

    async with asyncio.timeout(20):
        await outdated.start()
        await outdated.match()


async def test_a_failed_sync_is_tried_again_at_the_next_start(outdated):
    outdated.discord.faults.add(Fault(method="PUT", path="/commands$", status=400, code=30034))
    await outdated.start()

    await outdated.restart()
    synced = len(outdated.requests("PUT", "/commands"))
    await outdated.restart()

    assert fingerprints(outdated) != {"before"}
    assert len(outdated.requests("PUT", "/commands")) == synced


def commands(table):
    return table.discord.commands.of(None)


@pytest.mark.parametrize(
    "changed",
    [
        lambda all_: [],
        lambda all_: [each for each in all_ if each["name"] != "games"],
        lambda all_: [*all_, {"name": "older", "type": 1, "description": "Of another version"}],
        lambda all_: [
            each | {"options": each["options"][1:]} if each["name"] == "stats" else each
            for each in all_
        ],
        lambda all_: [each for each in all_ if each["type"] == 1],
    ],
    ids=["all gone", "one gone", "one more", "an option gone", "the menu of people gone"],
)
async def test_commands_that_something_else_has_changed_are_sent_again(table, changed):
    ours = {(each["type"], each["name"]): each.get("options") for each in commands(table)}
    await table.stop()
    table.discord.commands.overwrite(None, changed(commands(table)))

    await table.start()

    now = {(each["type"], each["name"]): each.get("options") for each in commands(table)}
    assert now == ours
    ids = {each["name"]: int(each["id"]) for each in commands(table) if each["type"] == 1}
    assert dict(await table.bot.services.command_ids.known()) == ids


async def test_a_recreated_command_is_known_by_its_new_id(table):
    await table.stop()
    table.discord.commands.overwrite(None, [])
    await table.start()
    before = dict(await table.bot.services.command_ids.known())
    await table.stop()
    again = [{k: v for k, v in each.items() if k != "id"} for each in commands(table)]
    table.discord.commands.overwrite(None, [])
    table.discord.commands.overwrite(None, again)

    await table.start()

    ids = {each["name"]: int(each["id"]) for each in commands(table) if each["type"] == 1}
    assert dict(await table.bot.services.command_ids.known()) == ids != before


@pytest.fixture
async def activity_command(table):
    """The entry point command of an app that has an Activity; the bot is stopped."""
    await table.stop()
    activity = {"name": "launch", "type": 4, "handler": 2, "contexts": [0]}
    table.discord.commands.overwrite(None, [*commands(table), activity])
    return entry_point(table)


def entry_point(table):
    [found] = [each for each in commands(table) if each["type"] == 4]
    return found


async def test_an_activity_command_alone_causes_no_sync(table, activity_command):
    sent = len(table.requests("PUT", "/commands"))

    await table.start()

    assert len(table.requests("PUT", "/commands")) == sent


async def test_an_activity_command_is_kept_when_commands_are_synced(table, activity_command):
    """Discord refuses a list of commands without it."""
    without = [each for each in commands(table) if each["name"] != "games"]
    table.discord.commands.overwrite(None, without)

    await table.start()

    assert "games" in {each["name"] for each in commands(table)}
    assert entry_point(table) == activity_command


async def test_commands_that_cannot_be_read_count_as_unchanged(table):
    await table.stop()
    table.discord.faults.add(Fault(method="GET", path="/commands$", status=503, times=None))
    sent = len(table.requests("PUT", "/commands"))

    with capture_logs() as logs:
        await table.start()

    assert [line for line in logs if line["log_level"] != "info"] == [
        {"event": "commands not looked at", "log_level": "warning", "why": "DiscordServerError"}
    ]
    assert len(table.requests("PUT", "/commands")) == sent
