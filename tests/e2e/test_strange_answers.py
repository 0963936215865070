"""Discord's answers don't always follow its documentation; that is trouble, and no bug of ours."""

import asyncio

import pytest
from structlog.testing import capture_logs

from bot.errors import MaybeSavedError, StorageUnavailableError
from bot.interactions.error_handler import MAYBE_SAVED, STANDING, UNPOSTED
from bot.live.message_slots import MessageSlots
from bot.matches import Matches
from sandbox.faults import Fault
from tests.support.tables import labels
from tests.support.typed_commands import typed

LIMITS = {
    "a limit without its time": {"message": "You are being rate limited."},
    "a limit for no time": {"retry_after": None, "global": True},
    "a limit that is a page": "<html>",
    "a limit that is a list": [],
}
REFUSALS = {
    "errors as a list": {"code": 50013, "message": "Missing Permissions", "errors": ["a", "b"]},
    "no message": {"code": 50013, "message": None},
    "a code as text": {"code": "50013", "message": "Missing Permissions"},
    "a list of codes": {"code": [50013]},
    "a list": ["Missing Permissions"],
}
TAKEN = {
    "an empty answer": {},
    "null": None,
    "a list": [],
    "a page": "<html>",
    "no message": {"interaction": {"id": "1"}},
    "a message without its author": {
        "interaction": {"id": "1"},
        "resource": {"type": 4, "message": {"id": "1"}},
    },
}


@pytest.fixture(autouse=True)
def no_bug():
    """Check that nothing is logged as a bug."""
    with capture_logs() as logs:
        yield logs
    assert [line for line in logs if line["log_level"] == "error"] == []


FORBIDDEN = "I can't post this: I'm not allowed to post there. Nothing has begun."


@pytest.mark.parametrize(
    ("status", "answer", "said"),
    [
        *((429, answer, UNPOSTED) for answer in LIMITS.values()),
        *((403, answer, FORBIDDEN) for answer in REFUSALS.values()),
    ],
    ids=[*LIMITS, *REFUSALS],
)
async def test_a_challenge_that_was_refused_strangely_can_be_made_again(
    table, status, answer, said
):
    faults = table.discord.faults
    faults.add(Fault(method="POST", path="/callback", status=status, instead=answer))

    told = await table.ask("Ann", "Bo")
    again = await table.ask("Ann", "Bo")

    assert told.text == said
    assert "Accept" in labels(again.message)


@pytest.mark.parametrize(
    ("trouble", "said"), [(StorageUnavailableError, STANDING), (MaybeSavedError, MAYBE_SAVED)]
)
@pytest.mark.parametrize("unshown", ["refused", "unread"])
async def test_a_challenge_that_can_neither_be_shown_nor_undone_is_reported_as_standing(
    table, monkeypatch, trouble, said, unshown
):
    async def fail(*_args):
        raise trouble("the disk does not work")

    with monkeypatch.context() as away:
        away.setattr(Matches, "undo", fail)
        if unshown == "refused":
            table.discord.faults.add(Fault(method="POST", path="/callback", status=403))
        else:
            away.setattr(MessageSlots, "_read", fail)
        told = await table.ask("Ann", "Bo")
        await table.settled()
    ann = table.person("Ann")
    listed = await ann.slash("games", channel="games")
    await ann.click(listed.message, "Withdraw 1")
    again = await table.ask("Ann", "Bo")

    assert typed(told.text) == said
    assert "Accept" in labels(again.message)


async def test_somebody_who_only_looked_something_up_is_not_told_that_they_did_something(table):
    table.discord.faults.add(Fault(path="/callback", drop=True))

    answer = await table.person("Ann").slash("games", channel="games")
    await table.settled()

    assert answer.text == (
        "Discord is having trouble, so I can't show you this. Anything you did is saved; try again "
        "in a minute."
    )


@pytest.mark.parametrize("answer", TAKEN.values(), ids=TAKEN)
async def test_a_challenge_that_was_accepted_with_a_strange_answer_is_kept(table, answer):
    table.discord.faults.add(Fault(method="POST", path="/callback", instead=answer))

    told = await table.ask("Ann", "Bo")
    await table.handled()

    assert table.sql("SELECT message FROM places WHERE place = -1") == [(told.message.id,)]


@pytest.mark.parametrize("answer", [*LIMITS.values(), *REFUSALS.values()])
@pytest.mark.parametrize("path", [r"^/channels/\d+/messages$", "^/users/@me/channels$"])
async def test_a_hand_is_sent_even_if_discord_refused_it_strangely(table, path, answer):
    status = 429 if answer in LIMITS.values() else 503
    table.discord.faults.add(Fault(method="POST", path=path, status=status, instead=answer))

    async with asyncio.timeout(20):
        await table.match()

    assert len(table.letters("Ann")) == len(table.letters("Bo")) == 1


@pytest.mark.parametrize("answer", [{}, None, [], "<html>", {"id": "1"}])
async def test_a_hand_that_was_accepted_with_a_strange_answer_is_sent_once(table, answer):
    path = r"^/channels/\d+/messages$"
    table.discord.faults.add(Fault(method="POST", path=path, instead=answer))

    async with asyncio.timeout(20):
        await table.match()

    assert len(table.letters("Ann")) == len(table.letters("Bo")) == 1


async def test_a_strange_global_rate_limit_stops_nothing_else(table):
    """The library lets all requests wait until the one that met it has waited."""
    everything = {"global": True, "retry_after": None}
    path = "^/users/@me/channels$"
    table.discord.faults.add(Fault(method="POST", path=path, status=429, instead=everything))

    await table.match()

    assert table.bot.http._global_over.is_set()
