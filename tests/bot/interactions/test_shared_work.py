"""What a process starts for its shards, and that it starts nothing once it is closed."""

import asyncio
import warnings
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from bot.errors import StorageUnavailableError
from bot.interactions import shared_work as module
from bot.interactions.shared_work import SharedWork
from tests.support.waiting import until

GUILD = 100
"""A server whose shard is held."""


class Everything:
    """Stands in for all services that depend on shards: records calls, and waits for `free`."""

    count = 2
    awake = frozenset({1})

    def __init__(self):
        self.unreadable = 0
        self.done = []
        self.free = asyncio.Event()
        self.free.set()

    async def forget_servers(self, those):
        del those
        self.done.append("forget")
        await self.free.wait()

    async def take_over(self, numbers):
        self.done.append(f"take over {sorted(numbers)}")

    def forget_in_memory(self, user):
        self.done.append(f"forget person {user}")

    def forget_all(self):
        self.done.append("forget all")

    def look_again(self, match=None):
        self.done.append(f"look at {match or 'all'}")

    def owns(self, guild):
        return guild == GUILD

    def schedule(self, match):
        self.done.append(f"computers of {match}")

    async def note_changed_elsewhere(self, match, late):
        assert late is None
        self.done.append(f"show {match}")

    def take(self):
        self.done.append("take")

    def hold(self, numbers):
        self.done.append(f"connect {sorted(numbers)}")

    def begin(self, owned):
        del owned
        self.done.append("repair")

    async def take_up(self, shards):
        self.done.append(f"computers {sorted(shards.numbers)}")
        if self.unreadable:
            self.unreadable -= 1
            raise StorageUnavailableError("the database server can't be reached")

    async def close(self):
        """Nothing is handed over."""


@pytest.fixture
def everything():
    return Everything()


@pytest.fixture
def shared_work(everything):
    unused = SimpleNamespace()
    return SharedWork(
        everything,
        unused,
        everything,
        everything,
        live=everything,
        repairs=everything,
        deadlines=everything,
        computer_moves=everything,
        preferences=everything,
        erasure=everything,
        access=everything,
        coach=everything,
        puzzles=everything,
    )


async def test_the_servers_of_a_claimed_shard_are_forgotten_connected_and_taken_up(
    shared_work, everything
):
    await shared_work.claimed({1: 0.0})
    await asyncio.gather(*shared_work._tasks)

    assert everything.done == ["forget", "take over [1]", "connect [1]", "repair", "computers [1]"]


async def test_pending_computer_moves_are_read_until_that_succeeds(
    shared_work, everything, monkeypatch
):
    """Nothing else would ask for them before the next choice in each match."""
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.0)
    everything.unreadable = 2

    await shared_work.claimed({1: 0.0})
    await asyncio.gather(*shared_work._tasks)

    assert everything.done[4:] == ["computers [1]"] * 3


async def test_a_failed_look_is_not_the_last(shared_work, everything, monkeypatch):
    """Even during database trouble, as nothing else finds what was missed."""
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.0)
    looks = []

    async def look(owned):
        del owned
        looks.append("look")
        raise StorageUnavailableError("away") if len(looks) == 1 else RuntimeError("strange")

    async def forget():
        everything.done.append("forget what was left")

    everything.look, everything.forget = look, forget
    shared_work._deadlines = SimpleNamespace(look=lambda: None)
    with capture_logs() as logs:
        shared_work.start()
        await until(lambda: len(looks) > 2, pause=0)
    await shared_work.close()

    assert "forget what was left" in everything.done

    assert {line["event"] for line in logs} == {"shared work"}


async def test_other_processes_are_told_the_shards_whose_clock_runs(shared_work, everything):
    assert shared_work.connected == everything.awake


async def test_a_person_deleted_by_another_process_is_forgotten_here_too(shared_work, everything):
    shared_work.heard("forget", "7")

    assert everything.done == ["forget person 7"]


async def test_nothing_remembered_about_people_is_trusted_after_a_hint_was_missed(
    shared_work, everything
):
    """Matches are compared every few seconds, but what is remembered about people isn't."""
    shared_work.heard("")

    assert everything.done == ["forget all"] * 4 + ["look at all", "take"]


async def test_a_match_changed_by_another_process_is_shown_played_and_announced(
    shared_work, everything
):
    """Its notices may no longer hold either."""
    shared_work.heard("match", "5", str(GUILD))
    shared_work.heard("match", "6", str(GUILD + 1))
    await asyncio.gather(*shared_work._tasks)

    assert everything.done == ["show 5", "computers of 5", "look at 5"]


async def test_shards_claimed_after_closing_are_left_alone(shared_work, everything):
    await shared_work.close()

    await shared_work.claimed({1: 0.0})

    assert everything.done == []
    assert not shared_work._tasks


async def test_shards_being_claimed_during_closing_are_not_connected(shared_work, everything):
    everything.free.clear()
    claiming = asyncio.create_task(shared_work.claimed({1: 0.0}))
    await until(lambda: everything.done, pause=0)
    await shared_work.close()

    everything.free.set()
    await claiming

    assert not {"connect [1]", "repair"}.intersection(everything.done)
    assert not shared_work._tasks


async def test_tasks_that_have_not_started_at_closing_are_dropped_silently(shared_work, everything):
    await shared_work.claimed({1: 0.0})

    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        await shared_work.close()

    assert [str(warning.message) for warning in warned] == []
    assert everything.done[-1] == "connect [1]"
