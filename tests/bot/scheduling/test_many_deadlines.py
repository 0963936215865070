"""Many deadlines at once: each match ends up as if it were alone, and clicks aren't held up."""

import asyncio
import time

import pytest
from sqlalchemy import event

from bot.computers.pool import SynchronousPool
from bot.matches import timeouts
from bot.matches.agreements import Agreements
from bot.matches.time_controls import SILENCE
from bot.scheduling import due_matches
from bot.storage.guilds import GuildRecord
from tests.support.clock import DAY, pass_time
from tests.support.deadlines import Clock
from tests.support.match_records import ask
from tests.support.matches import RETURNS, begun, opened

pytestmark = pytest.mark.slow  # many matches each

FIRST_GUILD, FIRST_USER = 5_000, 10_000
DUE = 3
"""How many matches of each server are due after a day."""

AGES = 40 * DAY
"""Seconds that are longer than anything the clock waits for."""


class Town:
    """Makes servers that have one match of each kind."""

    def __init__(self, matches, storage, watch):
        self.matches, self.storage = matches, storage
        self.agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
        self.found = []

    async def begin(self, number):
        """Create one match of each kind in a new server with this number."""
        kinds = (self.challenge, self.missed, self.half, self.three, self.silent, self.paused)
        for i, kind in enumerate(kinds):
            self.guild = FIRST_GUILD + number
            self.first = FIRST_USER + 100 * number + 10 * i
            self.number = len(self.found) + 1
            self.found.append(await kind())

    async def bar(self, number):
        async with self.storage.transaction() as writing:
            await writing.guilds.put_settings(
                GuildRecord(guild=FIRST_GUILD + number, time_off_barred=frozenset({"resume"}))
            )

    async def _begun(self, *others, begin=begun, **changes):
        return await begin(
            self.matches,
            *(self.first + i for i in others),
            opener=self.first,
            guild=self.guild,
            interaction=self.number,
            **changes,
        )

    async def challenge(self):
        return await self._begun(1, begin=opened)

    async def missed(self):
        return await self._begun(1)

    async def half(self):
        match = await self._begun(1)
        await self._choose(match, self.first)
        return match

    async def three(self):
        match = await self._begun(1, 2)
        await self._choose(match, self.first + 1)
        return match

    async def silent(self):
        """Begin a match whose players were warned that silence will end it."""
        match = await self._begun(1, time_control="none")
        async with self.storage.transaction() as writing:
            silence = await writing.deadlines.silence(match)
            closes_at = silence.since + int(SILENCE.total_seconds())
            await writing.deadlines.announce_end(match, closes_at)
        return match

    async def paused(self):
        match = await self._begun(1)
        await self.agreements.offer(match, self.first, "pause")
        await self.agreements.accept(match, self.first + 1, "pause")
        return match

    async def _choose(self, match, user):
        hand = await self.matches.snapshot(match, user)
        await self.matches.submit(match, hand.step, user, str(hand.legal[0]))


@pytest.fixture
def town(matches, storage, watch):
    return Town(matches, storage, watch)


TOLD = {
    "matches": "status, state, step, turn, late, due_at, deadline, paused_at, ended_at, ending, "
    "counts_at, remark, revision",
    "seats": 'seat, "user", "left", left_step, left_why, strikes, agrees, rested',
    "moves": "step, seat, move, how, made_at",
    "results": 'seat, "user", rank, score, won, drawn, lost, before, after',
    "notices": 'event, "user", actor, turn, due_at',
}


def rows(database, number, match):
    """Return all rows of a match by table, with its people numbered from their server's first."""
    first, kept = FIRST_USER + 100 * number, {}
    for table, columns in TOLD.items():
        key = "id" if table == "matches" else "match"
        found = ask(database, f"SELECT {columns} FROM {table} WHERE {key} = {match}")  # noqa: S608
        names = [name.strip('" ,') for name in columns.split()]
        kept[table] = sorted(
            [
                tuple(
                    value - first if name in {"user", "actor"} and value else value
                    for name, value in zip(names, row, strict=True)
                )
                for row in found
            ],
            key=repr,
        )
    return kept


def ratings(database, number):
    first = FIRST_USER + 100 * number
    columns = 'game, season, "user", mu, sigma, matches, won, drawn, lost'
    found = ask(
        database,
        f"SELECT {columns} FROM ratings WHERE guild = {FIRST_GUILD + number}",  # noqa: S608
    )
    return sorted((*row[:2], row[2] - first, *row[3:]) for row in found)


@pytest.mark.parametrize("barred", [False, True], ids=["resumed", "counts at once"])
async def test_acting_on_many_matches_has_the_same_results_as_one_by_one(
    town, storage, watch, database, barred
):
    clock = Clock(storage, now=watch)
    for number in (0, 1):
        await town.begin(number)
        if barred:
            await town.bar(number)
    half = len(town.found) // 2
    alone, together = town.found[:half], town.found[half:]
    rated = 0

    for _ in range(4):
        watch.advance(AGES)
        acted = [match for match in alone if await clock.act(match)]
        done = await timeouts.act_on(storage, together, int(watch()))

        assert len(done.done) == len(acted)
        assert not done.left
        for one, other in zip(alone, together, strict=True):
            kept = rows(database, 1, other)
            assert kept == rows(database, 0, one)
        assert ratings(database, 1) == ratings(database, 0)
        rated = max(rated, len(ratings(database, 1)))
    assert rated > 0


async def test_many_due_matches_take_few_transactions(town, clocks, watch, seen, storage):
    for number in range(6):
        await town.begin(number)
    keeping, committed = await clocks(), []
    storage.subscribe(lambda told: committed.append(told.changed))

    pass_time(watch, keeping, DAY)
    expected = 6 * DUE
    for _ in range(expected):
        await seen.next()

    changed = [matches for matches in committed if matches]
    assert sum(map(len, changed)) == expected
    assert len(changed) < expected
    assert max(map(len, changed)) <= due_matches.MAX_BATCH_SIZE


async def test_matches_left_over_by_a_batch_come_first_in_the_next_one(storage, monkeypatch):
    """The batches end early, because clicks wait to be written."""
    monkeypatch.setattr(due_matches, "MIN_BATCH_SIZE", 4)
    tried = []

    async def act_on_one(storage, batch, now, *, is_wanted):
        del storage, now, is_wanted
        tried.extend(batch[:1])
        return timeouts.Acted(dict.fromkeys(batch[:1], "running"), batch[1:])

    class NoLive:
        def note_changed(self, match):
            """Does nothing."""

    monkeypatch.setattr(due_matches, "act_on", act_on_one)
    due = due_matches.DueMatches(storage, NoLive(), now=time.time)

    await due.act_on(range(1, 10), lambda: True)

    assert tried == [*range(1, 10)]


@pytest.fixture
def small_batches(monkeypatch):
    monkeypatch.setattr(due_matches, "MAX_BATCH_SIZE", 8)
    monkeypatch.setattr(due_matches, "MIN_BATCH_SIZE", 8)


@pytest.mark.usefixtures("small_batches")
async def test_a_click_is_written_between_two_batches(town, matches, clocks, watch, seen, storage):
    for number in range(8):
        await town.begin(number)
    town.guild, town.first, town.number = 77, 900, 999
    clicked = await town._begun(1, time_control="relaxed")
    hand = await matches.snapshot(clicked, 900)
    keeping, order, clicks = await clocks(), [], []

    def note(told):
        if told.changed:
            order.append(told.changed)
        if len(order) == 1 and not clicks:  # the first batch is written, and others follow
            move = matches.submit(clicked, hand.step, 900, str(hand.legal[0]))
            clicks.append(asyncio.create_task(move))

    storage.subscribe(note)
    pass_time(watch, keeping, DAY)
    for _ in range(8 * DUE):
        await seen.next()
    await clicks[0]

    assert {clicked} in order[1:-1]


async def test_a_batch_ends_when_somebody_waits_to_write(
    town, storage, watch, database, monkeypatch
):
    monkeypatch.setattr(timeouts, "MIN_BATCH_SIZE", 1)
    await town.begin(0)
    watch.advance(AGES)
    wanted = iter([False, True])

    now = int(watch())
    done = await timeouts.act_on(storage, town.found, now, is_wanted=lambda: next(wanted))
    again = await timeouts.act_on(storage, done.left, now)

    assert len(done.done) == 2
    assert not done.done.keys() & set(done.left)
    assert not again.left
    assert again.done.keys() <= set(done.left)
    assert len(again.done) == len(town.found) - 2
    assert ask(database, f"SELECT id FROM matches WHERE due_at <= {now}") == []  # noqa: S608


async def test_waiting_writers_are_counted(storage):
    async with storage.transaction():
        others = [asyncio.create_task(_write(storage)) for _ in range(3)]
        await asyncio.sleep(0)
        free = storage.writes_at_once - 1
        assert storage.writes_waiting == max(0, len(others) - free)
    await asyncio.gather(*others)
    assert storage.writes_waiting == 0


async def _write(storage):
    async with storage.transaction():
        pass


async def test_a_match_that_fails_in_a_batch_is_isolated_and_the_rest_is_done_once(
    town, clocks, watch, seen, matches, monkeypatch
):
    act, tried = timeouts._act, []

    async def fragile(writing, record, now):
        tried.append(record.id)
        acted = await act(writing, record, now)
        if record.id == broken:
            raise RuntimeError("this match is broken")
        return acted

    monkeypatch.setattr(timeouts, "_act", fragile)
    for number in range(4):
        await town.begin(number)
    broken = town.found[8]
    keeping = await clocks()

    pass_time(watch, keeping, DAY)
    done = [await seen.next() for _ in range(4 * DUE - 1)]

    assert len(set(done)) == len(done)
    assert broken not in done
    assert tried.count(broken) >= 1
    for match in done:
        snapshot = await matches.public(match)
        assert (snapshot.status, snapshot.step) == ("running", 1)
    assert (await matches.public(broken)).step == 0


@pytest.fixture
def statements(storage):
    """The statements that writing connections execute from now on, `executemany` as one."""
    found = []
    engine = storage._writer.engine.sync_engine

    def note(*of_statement):
        found.append(of_statement[2])

    event.listen(engine, "before_cursor_execute", note)
    yield found
    event.remove(engine, "before_cursor_execute", note)


async def test_a_large_batch_takes_hardly_more_statements_than_a_small_one(
    town, storage, watch, statements
):
    needed = []
    for number in range(4):
        await town.begin(number)
    watch.advance(DAY)
    due = [match for i, match in enumerate(town.found) if 1 <= i % 6 <= DUE]

    for batch in (due[:DUE], due[DUE:]):
        del statements[:]
        assert len((await timeouts.act_on(storage, batch, int(watch()))).done) == len(batch)
        needed.append(len(statements))

    guards = 0 if storage._writer.engine.dialect.supports_sane_multi_rowcount else len(due)
    assert needed[1] <= needed[0] + guards


async def test_a_crash_during_a_batch_loses_nothing(town, storage, watch, database, monkeypatch):
    act, tried = timeouts._act, []
    await town.begin(0)
    await town.begin(1)
    watch.advance(DAY)
    before = [rows(database, i // 6, match) for i, match in enumerate(town.found)]

    async def dying(writing, record, known):
        tried.append(record.id)
        if len(tried) == len(town.found) // 2:
            raise asyncio.CancelledError
        return await act(writing, record, known)

    monkeypatch.setattr(timeouts, "_act", dying)
    with pytest.raises(asyncio.CancelledError):
        await timeouts.act_on(storage, town.found, int(watch()))
    assert [rows(database, i // 6, match) for i, match in enumerate(town.found)] == before

    monkeypatch.setattr(timeouts, "_act", act)
    assert len((await timeouts.act_on(storage, town.found, int(watch()))).done) == 2 * DUE
