"""Races between several processes on one PostgreSQL database, where many transactions write.

Each process has its own storage and caches its own positions; they share only the database.
"""

import asyncio

import pytest

from bot.computers.pool import SynchronousPool
from bot.errors import HurriedError, MatchError
from bot.matches.agreements import Agreements
from bot.matches.limits import MAX_OPEN_CHALLENGES, MAX_RUNNING_MATCHES
from bot.matches.rated_quota import PER_PAIR
from bot.matches.rematches import FORMER, Rematches
from bot.matches.reopenings import Reopenings
from bot.matches.time_off import Vacations
from bot.settings.blocks import MAX_BLOCKS, Blocks
from bot.storage import Storage
from bot.storage.clocks import ClockRepository
from games import Seat
from games.pico import Card
from tests.support.clock import DAY
from tests.support.deadlines import Clock
from tests.support.match_records import settle
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    DAN,
    GUILD,
    NOW,
    RETURNS,
    SEED,
    A,
    B,
    begun,
    challenge,
    choose,
    dealt,
    opened,
)
from tests.support.races import at_once, refused, somebody_waits

pytestmark = pytest.mark.slow

PEOPLE = range(5001, 5009)


async def test_two_taps_on_a_button_in_two_processes_begin_one_match(processes, ask):
    async def tap(number):
        alone = {"opponents": (), "computers": ("easy",), "wanted": 2, "guild": None}
        return await processes[number].open(
            challenge(**alone, channel=None, interaction=number, pressed=True)
        )

    one, other = await at_once(tap(0), tap(1))

    assert sorted(isinstance(turn, HurriedError) for turn in (one, other)) == [False, True]
    assert ask("SELECT count(*) FROM matches") == [(1,)]


async def test_choices_in_two_processes_at_once_resolve_their_step_once(processes, ask):
    """Each process believes that its own choice isn't the last, so one must wait for the other."""
    one, other, _ = processes
    hands = dealt().hands
    for number in range(6):
        match = await begun(one, interaction=number)
        for process in processes:  # caches the position, so choices are batched
            await process.snapshots(match)

        effects = await at_once(
            one.submit(match, 0, ANN, str(Card(hands[A][0]))),
            other.submit(match, 0, BEA, str(Card(hands[B][0]))),
        )

        assert (await other.public(match)).step == 1
        assert sum(effect.resolved for effect in effects if not isinstance(effect, MatchError)) == 1
    assert ask("SELECT count(*) FROM moves WHERE step = 0") == [(12,)]


async def test_a_choice_sees_choices_and_offers_of_another_process(processes, storages):
    """The answer is the current hand; anything missing would appear only with the next change."""
    one, other, _ = processes
    match = await begun(one, BEA, CYD)
    first, second, *_ = [str(move) for move in (await one.snapshot(match, ANN)).legal]
    await one.snapshots(match)
    await other.snapshots(match)
    card, *_ = [str(move) for move in (await other.snapshot(match, CYD)).legal]
    await other.submit(match, 0, CYD, card)

    chosen = (await one.submit(match, 0, ANN, first)).snapshot_of(ANN)
    agreements = Agreements(storages[1], SynchronousPool(), now=lambda: NOW, returns=RETURNS)
    await agreements.offer(match, BEA, "draw")
    effect = await one.submit(match, 0, ANN, second)

    assert chosen.chosen == {A, Seat(2)}
    assert effect.changes_choice
    assert effect.snapshot_of(ANN) == await other.snapshot(match, ANN)
    assert effect.snapshot_of(ANN).seats[B].agrees == "draw"


async def test_one_of_many_gets_the_last_seat(processes, ask):
    match = await opened(processes[0], opponents=(), wanted=2)

    results = await at_once(*(processes[i % 3].join(match, user) for i, user in enumerate(PEOPLE)))

    assert len(refused(results)) == len(PEOPLE) - 1
    assert ask("SELECT count(*) FROM seats") == [(2,)]


async def test_an_interaction_in_several_processes_opens_one_challenge(processes, ask):
    results = await at_once(*(opened(process, interaction=7) for process in processes))

    assert len(refused(results)) == 2
    assert ask("SELECT interaction FROM matches") == [(7,)]


async def test_the_limit_of_open_challenges_holds(processes, ask):
    results = await at_once(
        *(
            opened(processes[i % 3], opponents=(), wanted=2, interaction=i)
            for i in range(MAX_OPEN_CHALLENGES + 7)
        )
    )

    assert len(refused(results)) == 7
    assert ask("SELECT count(*) FROM matches WHERE status = 'open'") == [(MAX_OPEN_CHALLENGES,)]


async def test_two_people_who_challenge_each_other_open_one_challenge(processes, ask):
    await at_once(
        opened(processes[0], BEA, interaction=1),
        opened(processes[1], ANN, opener=BEA, interaction=2),
        opened(processes[2], BEA, interaction=3),
    )

    assert ask("SELECT count(*) FROM matches WHERE status = 'open'") == [(1,)]


async def test_the_limit_of_running_matches_holds(processes, ask):
    """Bea accepts challenges of many people at once, one from each."""
    people = range(6001, 6001 + MAX_RUNNING_MATCHES + 4)
    found = [await opened(processes[0], BEA, opener=user, interaction=user) for user in people]

    results = await at_once(*(processes[i % 3].accept(m, BEA) for i, m in enumerate(found)))

    assert len(refused(results)) == 4
    assert ask("SELECT count(*) FROM matches WHERE status = 'running'") == [(MAX_RUNNING_MATCHES,)]


async def test_the_limit_of_rated_matches_of_a_pair_holds(processes, ask):
    tables = []
    for number in range(PER_PAIR + 4):
        opener, other = (ANN, BEA) if number % 2 else (BEA, ANN)
        match = await opened(
            processes[0], opponents=(), opener=opener, wanted=2, interaction=number
        )
        tables.append((match, other))

    await at_once(*(processes[i % 3].join(m, user) for i, (m, user) in enumerate(tables)))

    rated = "SELECT count(*) FROM matches WHERE status = 'running' AND rated"
    assert ask(rated) == [(PER_PAIR,)]
    assert ask("SELECT count(*) FROM matches WHERE limited") == [(4,)]


async def test_matches_that_end_together_change_ratings_one_after_another(processes, storages, ask):
    """In any order; the stored ratings follow from that order to the last digit."""
    pairs = [(ANN, BEA), (ANN, CYD), (BEA, CYD), (CYD, DAN), (ANN, DAN), (BEA, DAN)]
    found = [
        await begun(processes[0], second, opener=first, interaction=n)
        for n, (first, second) in enumerate(pairs)
    ]

    await at_once(
        *(processes[i % 3].concede(match, pairs[i][i % 2]) for i, match in enumerate(found))
    )

    assert ask("SELECT count(DISTINCT sequence) FROM results") == [(6,)]
    async with storages[0].reading() as reading:
        audit = await reading.ratings.audit()
    assert (audit.right, audit.matches) == (True, 6)


async def test_all_kinds_of_transactions_at_once_do_not_deadlock(processes, storages):
    """Notices are sent and matches moved while people choose and resign, without a deadlock."""
    found = [await begun(processes[0], user, interaction=user) for user in PEOPLE]
    hands = dealt().hands

    async def tell(storage: Storage, match):
        async with storage.reading() as reading:
            due = await reading.notices.due_in(match, NOW + 10**6)
        for notice in due:
            async with storage.transaction() as writing:
                if await writing.notices.drop(notice):
                    await writing.notices.queue(match, "time", [notice.user], due_at=int(NOW))

    async def pause(storage):
        async with storage.transaction() as writing:
            return await writing.pauses.pause_channel(CHANNEL, int(NOW), int(NOW) + 9)

    acts = []
    for i, match in enumerate(found):
        acts += [
            processes[i % 3].submit(match, 0, ANN, str(Card(hands[A][0]))),
            tell(storages[(i + 1) % 3], match),
            processes[(i + 2) % 3].concede(match, PEOPLE[i]),
            tell(storages[(i + 2) % 3], match),
        ]
    acts.insert(len(acts) // 2, pause(storages[0]))

    async with asyncio.timeout(30):
        await at_once(*acts)


async def test_a_vacation_that_begins_during_a_resumption_stops_its_clock(
    processes, storages, ask, watch, monkeypatch
):
    """One transaction reads the vacations, and the other starts one before the first has ended."""
    match, started = await begun(processes[0]), []
    clock = Clock(storages[0], now=watch)
    for _ in range(2):
        await choose(processes[0], match, ANN)
        watch.advance(DAY)
        await clock.act(match)
    reopenings = Reopenings(storages[0], SynchronousPool(), now=watch, returns=RETURNS)
    await reopenings.want(match, BEA)
    on_vacation = ClockRepository.on_vacation

    async def looked_up(*args):
        found = await on_vacation(*args)
        vacations = Vacations(storages[1], now=watch)
        started.append(asyncio.create_task(vacations.start(BEA, GUILD, 3)))
        await somebody_waits(ask, unless=started[0].done)
        return found

    monkeypatch.setattr(ClockRepository, "on_vacation", looked_up)

    await reopenings.want(match, ANN)
    vacation = await started[0]

    assert vacation.matches == [match]
    assert (await processes[2].public(match)).seats[B].away_until == vacation.until


async def test_ending_a_vacation_does_not_deadlock_with_a_match_that_begins(
    processes, storages, ask, watch
):
    """Ending it locks the matches first too, so the two can't deadlock."""
    match = await begun(processes[0])
    await Vacations(storages[0], now=watch).start(BEA, GUILD, 3)
    held = asyncio.Event()

    async def begin():
        async with storages[0].transaction() as writing:
            await writing.clocks.hold_running(BEA, GUILD)
            held.set()
            await somebody_waits(ask)
            return await writing.clocks.vacations(BEA, GUILD)

    async def end():
        await held.wait()
        return await Vacations(storages[1], now=watch).end(BEA, GUILD)

    async with asyncio.timeout(30):
        (taken,), ended = await at_once(begin(), end())

    assert (taken.until, ended.until) == (int(NOW) + 3 * DAY, None)
    assert (await processes[2].public(match)).seats[B].away_until is None


async def test_the_limit_of_blocks_holds(storages, ask):
    class Other:
        bot = False

        def __init__(self, number):
            self.id = number

    lists = [Blocks(storage, unblock_former=RETURNS.unblock) for storage in storages]
    last = 10_000 + MAX_BLOCKS - 2
    ask(f"INSERT INTO blocks SELECT {ANN}, n FROM generate_series(10001, {last}) AS n")  # noqa: S608

    results = await at_once(*(lists[i % 3].add(ANN, Other(20_000 + i)) for i in range(6)))

    assert len(refused(results)) == 4
    assert ask("SELECT count(*) FROM blocks") == [(MAX_BLOCKS,)]


@pytest.mark.parametrize("wished", [True, False], ids=["wished", "not asked"])
@pytest.mark.parametrize(("gone", "stays"), [(ANN, BEA), (BEA, ANN)], ids=["opener", "opponent"])
async def test_no_rematch_begins_with_a_person_who_is_being_deleted(
    processes, storages, ask, gone, stays, wished
):
    """Otherwise a rematch could begin with the deleted person, or they could get a notice."""
    match = await begun(processes[0])
    await processes[0].concede(match, ANN)
    rematches = Rematches(storages[1], seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)
    if wished:
        await rematches.want(match, gone, 1)
    await settle(storages[0], match)
    ask("DELETE FROM notices")  # as if they had been sent
    held = asyncio.Event()

    async def forget():
        async with storages[0].transaction() as writing:
            await writing.erasure.seated(gone)
            held.set()
            await somebody_waits(ask)
            await writing.erasure.forget(gone)

    async def want():
        await held.wait()
        await rematches.want(match, stays, 2)

    assert list(map(str, refused(await at_once(forget(), want())))) == [FORMER]
    assert ask("SELECT id FROM matches") == [(match,)]
    assert ask("SELECT 1 FROM notices") == []
    assert (gone,) not in ask('SELECT "user" FROM seats UNION SELECT opener FROM matches')


@pytest.mark.parametrize(("first", "second"), [(ANN, BEA), (BEA, ANN)], ids=["blocked", "blocker"])
async def test_a_block_between_two_people_being_deleted_leaves_no_trace(
    storages, ask, first, second
):
    ask(f"INSERT INTO blocks VALUES ({BEA}, {ANN})")  # noqa: S608
    held = asyncio.Event()

    async def forget(storage, user):
        async with storage.transaction() as writing:
            if user == second:
                await held.wait()
            blocking = await writing.erasure.forget(user)
            await RETURNS.note_gone(writing, user, int(NOW), blocking)
            if user == first:
                held.set()
                await somebody_waits(ask)

    await at_once(forget(storages[0], first), forget(storages[1], second))

    assert ask("SELECT * FROM blocks") == []
    assert ask("SELECT * FROM former_blocks") == []
    assert len(ask("SELECT * FROM former_people")) == 2


async def test_a_match_that_changes_while_it_is_being_settled_stays_unsettled(
    processes, storages, ask
):
    """The settling transaction waits for the change and then sees it."""
    match = await begun(processes[0])
    shown = (await processes[0].concede(match, ANN)).public().revision
    held = asyncio.Event()

    async def change():
        async with storages[0].transaction() as writing:
            await writing.matches.show_again(match)
            held.set()
            await somebody_waits(ask)

    async def settled():
        await held.wait()
        async with storages[1].transaction() as writing:
            return await writing.matches.settle(match, shown)

    assert await at_once(change(), settled()) == [None, False]
    assert ask("SELECT settled FROM matches") == [(False,)]
