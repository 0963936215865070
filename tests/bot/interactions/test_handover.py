"""What a process does with an interaction that has waited, or that another process owns."""

import asyncio
import time
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from bot.errors import MaybeSavedError, StorageUnavailableError
from bot.interactions import handover as module
from bot.interactions.handover import Handover
from tests.support.waiting import until

SECONDS = 1_700_000_000


def clicked(at):
    """A click in a server on a button that names no match, at this Unix time."""
    number = int((at - 1_420_070_400) * 1000) << 22
    return {"id": str(number), "type": 3, "guild_id": None, "data": {"custom_id": "elsewhere"}}


class Leases:
    """The leases of one of two processes, current for this many seconds."""

    processes = 2
    name = "this"
    is_current = True

    def __init__(self, current_for=3600.0, *, has_lapsed=False):
        self.current_for = current_for
        self._has_lapsed = has_lapsed

    def has_lapsed(self, guild):
        del guild
        return self._has_lapsed

    def holder_of(self, guild):
        """Nobody holds any shard."""

    async def become_current(self):
        """Return at once: they are current."""


async def nobody(*about):
    """Refuse nothing."""
    del about


@pytest.mark.parametrize(
    ("age", "current_for", "is_handled"),
    [
        (20, 0.0, False),
        (4, 0.0, False),
        (1, 0.0, True),
        (20, 0.1, False),
        (1, 0.1, True),
        (20, 60.0, True),
        (-60, 0.0, True),
    ],
)
def test_a_click_that_waited_while_the_process_was_suspended_is_dropped(
    age, current_for, is_handled
):
    handled = []
    handover = Handover(
        None, Leases(current_for), handled.append, refuse=nobody, now=lambda: SECONDS
    )
    click = clicked(SECONDS - age)

    handover.arrived(click)

    assert handled == ([click] if is_handled else [])


@pytest.mark.parametrize(
    ("age", "has_lapsed", "done"),
    [(0.2, False, ["handled"]), (0.2, True, ["refused"]), (4, True, [])],
)
async def test_a_click_on_a_shard_that_another_process_may_hold_is_left_to_that_process(
    age, has_lapsed, done, monkeypatch
):
    """However recent it is: Discord sends it to both, and doing it twice could undo a newer click.

    If nobody has answered until it is almost too late, its author is told that it may not have
    worked.
    """
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.01)
    seen = {"handled": [], "refused": []}

    async def refuse(payload, why):
        del why
        seen["refused"].append(payload)

    handover = Handover(
        None,
        Leases(0.0, has_lapsed=has_lapsed),
        seen["handled"].append,
        refuse=refuse,
        now=lambda: SECONDS,
    )
    click = clicked(SECONDS - age)

    handover.from_gateway(click)
    await handover.close()

    assert [what for what, clicks in seen.items() if clicks] == done


async def test_a_click_taken_before_the_process_was_suspended_is_dropped(cluster, handled):
    cluster.waiting = [clicked(SECONDS - 20), clicked(SECONDS - 1)]
    in_time = cluster.waiting[1]
    handover = Handover(cluster, Leases(0.1), handled.append, refuse=nobody, now=lambda: SECONDS)

    handover.take()
    await handover.close()

    assert handled == [in_time]


async def test_an_unreadable_click_does_not_block_others_that_were_handed_over(cluster, handled):
    strange, known = clicked(SECONDS - 2), clicked(SECONDS - 1)
    cluster.waiting = [strange, known]

    def handle(payload):
        if payload is strange:
            raise KeyError("version")
        handled.append(payload)

    handover = Handover(cluster, Leases(), handle, refuse=nobody, now=lambda: SECONDS)

    handover.take()
    await handover.close()

    assert handled == [known]


GUILD = 9


class Cluster:
    """The rows that processes leave for each other; waits for `open`, and `storing` to leave."""

    def __init__(self):
        self.bundles, self.taken_by_others, self.transactions = [], set(), 0
        self.open, self.storing = asyncio.Event(), asyncio.Event()
        self.open.set()
        self.storing.set()
        self.broken = False
        self.closes_after = None
        """The number of transactions after which `open` is cleared."""

        self.waiting = []
        """What other processes have left for this one."""

    @asynccontextmanager
    async def coordinating(self):
        self.transactions += 1
        await self.open.wait()
        if self.broken:
            raise StorageUnavailableError("away")
        yield SimpleNamespace(cluster=self)
        if self.transactions == self.closes_after:
            self.open.clear()

    async def hand_over(self, left):
        self.bundles.append([one.identity for one in left])
        await self.storing.wait()

    async def take_back(self, identities):
        return frozenset(identities) - self.taken_by_others

    async def take(self, process, seconds):
        del process, seconds
        taken, self.waiting = self.waiting, []
        return taken


class Another(Leases):
    """Leases according to which another process holds all shards."""

    def holder_of(self, guild):
        del guild
        return "another"


def of_server(number):
    return {"id": str(number), "type": 2, "guild_id": str(GUILD), "data": {"name": "games"}}


@pytest.fixture
def cluster(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.01)
    return Cluster()


@pytest.fixture
def handled():
    return []


@pytest.fixture
def handing(cluster, handled):
    return Handover(
        cluster,
        Another(),
        lambda payload: handled.append(int(payload["id"])),
        refuse=nobody,
        now=time.time,
    )


@pytest.mark.parametrize(
    ("gate", "bundles"), [("open", [[1, 2, 3, 4, 5]]), ("storing", [[1, 2], [3, 4, 5]])]
)
async def test_clicks_that_arrive_meanwhile_are_left_together(
    cluster, handing, handled, gate, bundles
):
    """Those that arrive while the transaction opens are left in it, later ones in the next."""
    cluster.taken_by_others = {1, 3, 4}
    getattr(cluster, gate).clear()
    for number in (1, 2):
        handing.arrived(of_server(number))
    await until(lambda: cluster.transactions if gate == "open" else cluster.bundles)
    for number in (3, 4, 5):
        handing.arrived(of_server(number))
    await asyncio.sleep(0)
    getattr(cluster, gate).set()
    while handing._under_way:
        await handing.close()

    assert cluster.bundles == bundles
    assert handled == [2, 5]
    assert cluster.transactions == 2 * len(bundles)


async def test_clicks_that_cannot_be_stored_are_handled_here(cluster, handing, handled):
    cluster.broken = True
    for number in (1, 2):
        handing.arrived(of_server(number))
    while handing._under_way:
        await handing.close()
    cluster.broken = False
    handing.arrived(of_server(3))
    while handing._under_way:
        await handing.close()

    assert handled == [1, 2, 3]
    assert cluster.bundles == [[3]]


async def test_hints_that_arrive_during_a_take_lead_to_one_more(cluster, handing, handled):
    cluster.waiting = [of_server(1)]
    cluster.open.clear()
    handing.take()
    await asyncio.sleep(0)
    for _ in range(5):
        handing.take()
    cluster.open.set()
    cluster.waiting.append(of_server(2))
    while handing._under_way:
        await handing.close()
    cluster.waiting = [of_server(3)]
    handing.take()
    await handing.close()

    assert handled == [1, 2, 3]
    assert cluster.transactions == 3


IN_SERVER = {"guild_id": str(GUILD), "context": 0}


@pytest.mark.parametrize(
    ("came", "asked"),
    [
        (IN_SERVER | {"authorizing_integration_owners": {"0": "9", "1": "5"}}, [GUILD]),
        (IN_SERVER | {"authorizing_integration_owners": {"1": "5"}}, [0]),
        ({"context": 2, "authorizing_integration_owners": {"1": "5"}}, [0]),
        ({"context": 1, "authorizing_integration_owners": {"0": "0", "1": "5"}}, []),
    ],
    ids=["a server", "a server without the bot", "a group", "direct messages"],
)
async def test_what_a_guest_starts_belongs_to_the_process_that_shows_solo_matches(
    cluster, handled, came, asked
):
    """No other process can edit its only message."""
    sought = []

    class Asked(Leases):
        def holder_of(self, guild):
            sought.append(guild)

    handover = Handover(cluster, Asked(), handled.append, refuse=nobody, now=time.time)
    command = {"id": "1", "type": 2, "data": {"name": "pico"}} | came

    handover.arrived(command)

    assert sought == asked
    assert handled == [command]


class Refused(list):
    async def note(self, payload, why):
        self.append((int(payload["id"]), type(why)))


@pytest.fixture
def refused():
    return Refused()


@pytest.fixture
def slow(cluster, handled, refused, monkeypatch):
    """A process whose database doesn't respond for longer than Discord waits."""
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.05)
    cluster.open.clear()
    return Handover(
        cluster,
        Another(),
        lambda payload: handled.append(int(payload["id"])),
        refuse=refused.note,
        now=time.time,
    )


async def test_a_click_that_was_never_stored_is_reported_as_not_done_in_time(
    cluster, slow, handled, refused
):
    slow.arrived(of_server(1))
    await until(lambda: refused)
    cluster.open.set()
    while slow._under_way:
        await slow.close()

    assert refused == [(1, StorageUnavailableError)]
    assert handled == []  # even if nobody took it


async def test_a_click_that_another_process_may_have_done_is_not_reported_as_failed(
    cluster, slow, handled, refused
):
    """It was stored, and then the database doesn't respond: it may or may not have been taken."""
    cluster.closes_after = 1
    cluster.open.set()

    slow.arrived(of_server(1))
    await until(lambda: refused)
    cluster.open.set()
    while slow._under_way:
        await slow.close()

    assert refused == [(1, MaybeSavedError)]
    assert handled == []


async def test_a_click_on_a_lapsed_shard_is_reported_as_maybe_done(refused, monkeypatch):
    monkeypatch.setattr(module, "ANSWER_SECONDS", 0.01)
    lapsed = Leases(0.0, has_lapsed=True)
    handover = Handover(None, lapsed, None, refuse=refused.note, now=lambda: SECONDS)

    handover.from_gateway(clicked(SECONDS))
    await handover.close()

    assert [why for _, why in refused] == [MaybeSavedError]


async def test_a_click_that_was_not_stored_in_time_is_done_by_nobody_else(
    cluster, handing, handled, monkeypatch
):
    """Another process would otherwise do it after its author was told that it failed."""
    monkeypatch.setattr(module, "FRESH_SECONDS", 0.0)
    cluster.taken_by_others = {1}

    handing.arrived(of_server(1))
    while handing._under_way:
        await handing.close()

    assert handled == [1]


async def test_a_click_waits_briefly_for_leases_that_have_lapsed(cluster, handled, refused):
    """After the machine was suspended, for example, they are renewed at once."""
    leases = Leases()
    leases.is_current, renewed = False, asyncio.Event()
    leases.become_current = renewed.wait
    handover = Handover(cluster, leases, handled.append, refuse=refused.note, now=lambda: SECONDS)
    click = clicked(SECONDS)

    handover.arrived(click)
    for _ in range(10):
        await asyncio.sleep(0)
    before = list(handled)
    renewed.set()
    await handover.close()

    assert (before, handled, refused) == ([], [click], [])
