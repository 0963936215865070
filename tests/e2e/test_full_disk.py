"""Nothing can be saved for a while: people are told, nothing is lost, and play goes on later."""

import asyncio

import aiohttp
import pytest
from structlog.testing import capture_logs

from bot.errors import StorageUnavailableError
from bot.interactions.error_handler import DAMAGED, MAYBE_SAVED, SAVED, UNSAVED
from bot.live import message_slots, repairs
from bot.live.live import Live
from bot.live.message_slots import MessageSlots
from bot.matches.time_off import Vacations
from bot.matches.watching import Watching
from bot.scheduling.deadlines import Deadlines
from bot.stats.visibility import Visibility
from bot.storage.messages import MessageRepository
from cogs import games
from sandbox import Fault
from tests.support.broken_files import damage, full, lost_answers, read_only, unreadable
from tests.support.clock import MINUTE
from tests.support.health import health_of
from tests.support.typed_commands import typed
from tests.support.waiting import until

BOTH = ("Ann", "Bo")

LISTS = {"games": (games, "listing"), "watch": (Watching, "page")}
"""The method that reads the list which each command shows."""


def loud(logs):
    """The events logged as a warning or worse."""
    return [line["event"] for line in logs if line["log_level"] not in {"info", "debug"}]


async def test_a_click_that_cannot_be_saved_gets_a_sentence_and_the_next_one_counts(table):
    await table.match()
    before = table.desk("Ann").wire()

    with capture_logs() as logs:
        async with read_only(table.bot.services.storage):
            refused = [await table.play("Ann") for _ in range(3)]
            await table.quiet_now()
        saved = await table.play("Ann")

    assert [answer.text for answer in refused] == [UNSAVED] * 3
    assert all(answer.message.ephemeral_to == table.person("Ann").id for answer in refused)
    assert saved.kind == 7  # the hand itself is the answer
    assert table.desk("Ann").wire() != before
    assert table.sql("SELECT count(*) FROM moves") == [(1,)]
    assert loud(logs) == ["database unavailable"]


async def test_a_command_that_cannot_be_saved_gets_a_sentence_and_reading_goes_on(table):
    ann = table.person("Ann")
    await table.match()

    async with read_only(table.bot.services.storage):
        refused = await table.ask("Ann", "Cleo")
        games = await ann.slash("games", channel="games")

    assert refused.text == UNSAVED
    assert "Pico" in games.text
    assert table.sql("SELECT count(*) FROM matches") == [(1,)]


async def test_nobody_is_told_to_wait_if_the_file_is_damaged(table, monkeypatch):
    await table.match()
    storage = table.bot.services.storage

    async def broken(picks):
        del picks
        with storage.trouble.translating(writing=True):
            raise damage()

    monkeypatch.setattr(table.bot.services.matches._picks, "_write", broken)
    answer = await table.play("Ann")

    assert answer.text == DAMAGED


async def test_a_message_sent_while_nothing_can_be_written_is_not_sent_twice(table, monkeypatch):
    """Its row is written once there is room; until then, the process remembers it."""
    monkeypatch.setattr(message_slots, "UNWRITTEN_SECONDS", 0.05)
    public = await table.match(pace="slow")
    await table.trick(*BOTH)
    old = [table.desk(name) for name in BOTH]
    table.discord.faults.add(Fault(method="POST", path="/messages$", times=2, delay=1.0))
    bringing = asyncio.gather(*(table.bring(seat) for seat in (0, 1)))
    posting = lambda: [e for e in table.discord._api.pending if "/messages" in e.path]  # noqa: E731
    await until(lambda: len(posting()) >= len(BOTH))

    with capture_logs() as logs:
        async with read_only(table.bot.services.storage):
            assert await bringing == [True, True]
            assert not any(message.deleted for message in old)
        await until(lambda: rows(table) >= {table.desk(name).id for name in BOTH})

    await table.restart()
    await table.discord.until(lambda: all(message.deleted for message in old))
    await table.quiet_now()
    assert [len(table.letters(name)) for name in BOTH] == [1, 1]
    assert rows(table) == {public.id, *(table.desk(name).id for name in BOTH)}
    assert loud(logs) == ["database unavailable"]


def fail_once(monkeypatch, where, what):
    """Make the next call of this method fail as if the disk didn't work."""
    works = getattr(where, what)

    def fail(*_args, **_named):
        monkeypatch.setattr(where, what, works)
        raise StorageUnavailableError("the disk does not work")

    monkeypatch.setattr(where, what, fail)


async def test_a_player_whose_choice_cannot_be_shown_is_told_that_it_is_saved(table, monkeypatch):
    await table.match()
    await table.restart()
    fail_once(monkeypatch, MessageSlots, "_read")

    answer = await table.play("Ann")

    assert answer.text == SAVED
    assert table.sql("SELECT count(*) FROM moves") == [(1,)]
    await table.discord.until(lambda: "You can change it" in table.desk("Ann").text)


@pytest.mark.parametrize(
    ("where", "named", "undone"),
    [
        ("games", {"opponent": "Bo"}, "withdrawn"),
        ("games", {"computer": "easy"}, "closed"),
        ("inbox", {"computer": "easy"}, "closed"),
    ],
)
async def test_a_match_or_challenge_that_cannot_be_shown_is_undone_and_can_be_begun_again(
    table, monkeypatch, where, named, undone
):
    ann = table.person("Ann")
    options = {
        key: table.person(name) if key == "opponent" else name for key, name in named.items()
    }
    channel = ann.dm if where == "inbox" else where
    fail_once(monkeypatch, MessageSlots, "_read")

    refused = await (await ann.slash("pico play", channel=channel, options=options)).settled()
    await table.settled()
    again = await (await ann.slash("pico play", channel=channel, options=options)).settled()

    assert refused.text == UNSAVED
    assert again.text != UNSAVED
    begun = "open" if undone == "withdrawn" else "running"
    assert table.sql("SELECT status FROM matches ORDER BY id") == [(undone,), (begun,)]


@pytest.mark.parametrize(
    ("where", "what", "told"),
    [(Vacations, "public_vacations", []), (Live, "tell_owner", [SAVED])],
)
async def test_a_challenge_that_was_posted_is_not_reported_as_failed(
    table, monkeypatch, where, what, told
):
    fail_once(monkeypatch, where, what)

    answer = await table.ask("Ann", "Bo")
    await table.settled()

    assert [message.text for message in answer.followups] == told
    await table.person("Bo").click(answer.message, "Accept")
    await table.discord.until(lambda: "Round 1" in answer.message.text)


@pytest.mark.parametrize(
    ("name", "command", "button", "became"),
    [
        ("Bo", "games", "Accept 1", "running"),
        ("Bo", "games", "Decline 1", "declined"),
        ("Ann", "games", "Withdraw 1", "withdrawn"),
        ("Bo", "watch", "Accept", "running"),
        ("Bo", "watch", "Decline", "declined"),
    ],
)
async def test_a_click_in_a_list_is_not_reported_as_failed_if_the_list_cannot_be_read_again(
    table, monkeypatch, name, command, button, became
):
    await table.challenge("Ann", "Bo")
    person = table.person(name)
    shown = (await person.slash(command, channel="games")).message
    fail_once(monkeypatch, *LISTS[command])

    answer = await (await person.click(shown, button)).settled()

    assert answer.text == SAVED
    assert table.sql("SELECT status FROM matches") == [(became,)]


async def test_following_a_match_is_confirmed_even_if_the_list_cannot_be_read_again(
    table, monkeypatch
):
    await table.match()
    dan = table.person("Dan")
    shown = (await dan.slash("watch", channel="games")).message

    for button, follows in (("Follow", 1), ("Stop following", 0)):
        fail_once(monkeypatch, *LISTS["watch"])
        answer = await (await dan.click(shown, button)).settled()
        assert answer.text == SAVED
        assert table.sql("SELECT count(*) FROM watches") == [(follows,)]
        shown = (await dan.slash("watch", channel="games")).message


async def test_taking_a_seat_is_confirmed_even_if_the_list_cannot_be_read_again(table, monkeypatch):
    await table.person("Ann").slash("pico play", channel="games")
    dan = table.person("Dan")
    shown = (await dan.slash("watch", channel="games")).message
    fail_once(monkeypatch, *LISTS["watch"])

    answer = await (await dan.click(shown, "Join")).settled()

    assert answer.text == SAVED
    assert table.sql("SELECT status FROM matches") == [("running",)]


@pytest.mark.parametrize(
    ("button", "said"),
    [("f1:1:0:games:accept", "This challenge was withdrawn."), ("f1:0:1:games:", UNSAVED)],
    ids=["refused", "another page"],
)
async def test_nothing_is_said_to_be_saved_that_is_not_if_the_list_cannot_be_read(
    table, monkeypatch, button, said
):
    public = await table.challenge("Ann", "Bo")
    bo = table.person("Bo")
    shown = (await bo.slash("games", channel="games")).message
    await table.person("Ann").click(public, "Withdraw")
    fail_once(monkeypatch, *LISTS["games"])

    answer = await (await bo.forge(shown, custom_id=button)).settled()

    assert answer.text.startswith(said)


async def test_hiding_is_confirmed_even_if_nothing_can_be_read_afterwards(table, monkeypatch):
    fail_once(monkeypatch, Visibility, "is_hidden")

    answer = await table.person("Ann").slash("privacy visibility", channel="games", leaderboards=1)

    assert "You're **hidden**" in answer.text
    assert table.sql("SELECT hidden FROM people") == [(1,)]


@pytest.mark.parametrize(
    ("command", "options", "done"),
    [
        ("pico play", {"computer": "easy"}, "SELECT 1 FROM matches WHERE status = 'running'"),
        ("privacy visibility", {"leaderboards": 1}, "SELECT 1 FROM people WHERE hidden"),
    ],
)
async def test_if_nobody_knows_whether_it_is_saved_people_are_told_how_to_check(
    table, command, options, done
):
    """The connection to a database server broke during the commit; here it was carried out."""
    async with lost_answers(table.bot.services.storage):
        ann = table.person("Ann")
        answer = await (await ann.slash(command, channel="games", options=options)).settled()

    assert typed(answer.text) == MAYBE_SAVED
    assert table.sql(done) == [(1,)]


def rows(table):
    return {message for (message,) in table.sql("SELECT message FROM places")}


async def test_a_deadline_that_passes_meanwhile_is_acted_on_once_there_is_room(table):
    public = await table.match()
    clock, storage = table.bot.services.deadlines, table.bot.services.storage

    with capture_logs() as logs:
        async with read_only(storage):
            table.pass_time(2 * MINUTE)
            await until(lambda: storage.trouble.reason is not None and not clock._woken.is_set())
        clock.clock_moved()
        await table.discord.until(lambda: "Time ran out" in public.text)

    assert loud(logs) == ["database unavailable"]


async def test_a_change_that_cannot_be_read_is_shown_once_it_can(table):
    public = await table.match()
    await table.quiet_now()
    storage, match = table.bot.services.storage, table.match_of(public)
    async with storage.transaction() as writing:
        await writing.matches.note_late(match, [0])

    with capture_logs() as logs:
        async with unreadable(storage):
            table.bot.services.live.note_changed(match)
            await until(lambda: storage.trouble.reason is not None)
        await table.discord.until(lambda: "Time ran out" in public.text)

    assert loud(logs) == ["database unavailable"]


async def test_a_start_that_cannot_read_what_is_behind_tries_again(table, monkeypatch):
    monkeypatch.setattr(repairs, "UNREAD_PAUSE", 0.01)
    public = await table.match()
    await table.quiet_now()
    async with table.bot.services.storage.transaction() as writing:
        await writing.matches.note_late(table.match_of(public), [0])
    behind, asked = MessageRepository.behind, []

    async def once(repository):
        asked.append(True)
        if len(asked) == 1:
            raise StorageUnavailableError("the disk is full")
        return await behind(repository)

    monkeypatch.setattr(MessageRepository, "behind", once)
    with capture_logs() as logs:
        await table.restart()
        await table.discord.until(lambda: "Time ran out" in public.text)

    assert len(asked) == 2
    assert loud(logs) == []


async def test_metrics_are_served_even_if_nothing_can_be_read(table):
    await table.bot.wait_until_ready()
    storage = table.bot.services.storage
    async with (
        health_of(table.bot) as server,
        aiohttp.ClientSession() as session,
        unreadable(storage),
        session.get(f"{server}/metrics") as answer,
    ):
        text = await answer.text()

    assert answer.status == 200
    assert "facedown_clicks_total" in text


@pytest.fixture
async def health(table):
    """A function that asks the bot for its health: the HTTP status and the body."""
    await table.bot.wait_until_ready()
    async with (
        health_of(table.bot) as server,
        aiohttp.ClientSession() as session,
    ):

        async def ask():
            async with session.get(f"{server}/health") as answer:
                return answer.status, await answer.json()

        yield ask


async def test_a_bot_with_a_full_disk_is_unhealthy_says_why_and_recovers(table, health):
    async with full(table.bot.services.storage):
        without = await health()

    sick = {"gateway": True, "database": False, "requests": True, "why": "the disk is full"}
    assert without == (503, sick)
    assert await health() == (200, {"gateway": True, "database": True, "requests": True})


async def test_a_bot_can_be_started_while_nothing_can_be_written(table, monkeypatch):
    """Its clocks rest until the grace for the time before could be written."""
    public = await table.match(pace="slow")
    await table.quiet_now()
    await table.stop()
    table.watch.advance(5 * 24 * 60 * MINUTE)
    begin = Deadlines.start

    async def start(clock):
        async with read_only(clock._storage):
            await begin(clock)

    monkeypatch.setattr(Deadlines, "start", start)
    await table.start()

    due = int(table.watch()) + 24 * 60 * MINUTE
    await table.discord.until(lambda: f"<t:{due}:R>" in public.text)
    assert table.sql("SELECT step, due_at FROM matches") == [(0, due)]
