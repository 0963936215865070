"""Transactions that need the same rows lock them in one order, so there are no deadlocks.

Each test stops one transaction where another must run, so a wrong order deadlocks every time.
"""

import asyncio

import pytest

from bot.cluster.share import EVERYTHING
from bot.matches import Matches
from bot.matches.grace import grace_for
from bot.matches.limits import POSTED_WITHIN
from bot.matches.pauses import Pauses
from bot.matches.time_off import Vacations
from bot.matches.timeouts import act_on
from bot.privacy.erasure import Erasure
from bot.settings.notices import NoticeSettings
from bot.settings.preferences import Preferences
from bot.storage import TABLE, MessageRef, Shown, TokenRecord
from bot.storage.erasure import ErasureRepository
from bot.storage.locks import Locks
from bot.storage.matches import MatchRepository
from games.spite import SPITE
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    DAN,
    GUILD,
    NOW,
    RETURNS,
    begun,
    opened,
)
from tests.support.nowhere import Nowhere
from tests.support.races import WAITING, at_once, somebody_waits

pytestmark = pytest.mark.slow


HIDDEN = MessageRef(channel=7, message=70, shown="")


@pytest.fixture
def erasures(storages):
    return [
        Erasure(
            storage=storage,
            live=Nowhere(),
            delivery=None,
            memories=(),
            returns=RETURNS,
            now=lambda: NOW,
            share=EVERYTHING,
        )
        for storage in storages
    ]


@pytest.fixture
def stop(monkeypatch):
    """Runs something before or after the first call of a method."""

    def patch(owner, name, *, before=None, after=None):
        method, calls = getattr(owner, name), []

        async def call(*args, **options):
            is_first = not calls
            calls.append(args)
            if is_first and before is not None:
                await before()
            outcomes = await method(*args, **options)
            if is_first and after is not None:
                await after()
            return outcomes

        monkeypatch.setattr(owner, name, call)

    return patch


@pytest.fixture
async def meanwhile(ask):
    """Starts work that then waits for another transaction's lock."""
    tasks = []

    class Background:
        async def begin(self, work):
            tasks.append(asyncio.create_task(work))
            await somebody_waits(ask)

        async def outcomes(self):
            return await at_once(*tasks)

    return Background()


async def test_an_erasure_does_not_deadlock_with_a_match_that_begins(
    processes, erasures, ask, stop, meanwhile
):
    """It's opened before their matches are locked; Cyd accepts before the person is locked."""
    found = []

    async def opens():
        found.append(await opened(processes[1], BEA, CYD))

    async def accepts():
        await meanwhile.begin(processes[2].accept(found[0], CYD))

    stop(Locks, "_lock_ids", before=opens, after=accepts)

    await erasures[0].delete(BEA)
    await meanwhile.outcomes()

    assert ask("SELECT status FROM matches") == [("declined",)]
    assert (BEA,) not in ask("SELECT user FROM seats")


async def test_two_erasures_at_once_do_not_deadlock(processes, erasures, ask, stop, meanwhile):
    """Cyd leaves a match of Pico, then one of Spite and Malice; Ann the other way around."""
    spite = {"game": "spite", "options": SPITE.presets["standard"]}
    await begun(processes[0], DAN, opener=CYD, interaction=1)
    await begun(processes[0], DAN, opener=CYD, interaction=2, **spite)
    await begun(processes[0], interaction=3, **spite)
    await begun(processes[0], interaction=4)

    async def leaves_too():
        await meanwhile.begin(erasures[1].delete(ANN))

    stop(MatchRepository, "_write_result", after=leaves_too)

    await erasures[0].delete(CYD)
    await meanwhile.outcomes()

    assert ask("SELECT count(*) FROM matches WHERE status = 'over'") == [(4,)]
    assert ask("SELECT count(DISTINCT sequence) FROM results") == [(4,)]


async def test_an_erasure_does_not_deadlock_with_a_vacation_that_begins(
    processes, storages, erasures, ask, stop, meanwhile
):
    """A match begins after theirs were listed; the erasure has already locked it."""

    async def begins():
        await begun(processes[1])

    async def forgets():
        await meanwhile.begin(erasures[2].delete(BEA))

    stop(Locks, "_lock_ids", before=begins, after=forgets)

    await Vacations(storages[0], now=lambda: NOW).start(BEA, GUILD, 3)
    await meanwhile.outcomes()

    assert ask("SELECT status FROM matches") == [("over",)]


async def test_a_changed_preference_does_not_deadlock_with_a_vacation_that_begins(
    processes, storages, ask, stop, meanwhile
):
    match = await begun(processes[0])

    async def goes_away():
        await meanwhile.begin(Vacations(storages[1], now=lambda: NOW).start(BEA, GUILD, 3))

    stop(Locks, "_lock_ids", after=goes_away)

    await Preferences(storages[0], share=EVERYTHING, now=lambda: NOW).change(BEA, "desk here")
    [vacation] = await meanwhile.outcomes()

    assert vacation.matches == [match]
    assert ask("SELECT desk FROM people") == [("here",)]


async def drop_reminder(writing, match):
    told = await writing.notices.due_in(match, NOW + 60)
    (reminder,) = [notice for notice in told if notice.event == "time"]
    await writing.notices.drop(reminder)


async def test_earlier_reminders_do_not_deadlock_with_an_act_on_several_matches(
    processes, storages, ask, meanwhile
):
    """A plain UPDATE would reach the second match's reminder first."""
    first, second = [await begun(processes[0], interaction=n) for n in range(2)]
    for match in (second, first):
        async with storages[0].transaction() as writing:
            await writing.notices.queue(match, "time", [BEA], due_at=int(NOW) + 60)

    async with storages[0].transaction() as writing:
        await drop_reminder(writing, first)
        await meanwhile.begin(NoticeSettings(storages[1], now=lambda: NOW).remind_before(BEA, 600))
        await drop_reminder(writing, second)
    await meanwhile.outcomes()

    assert ask("SELECT remind_before FROM people") == [(600,)]


async def test_replacing_an_unposted_challenge_does_not_deadlock_with_an_erasure(
    processes, storages, erasures, ask, stop, meanwhile
):
    await opened(processes[0], interaction=1)
    later = Matches(storages[0], now=lambda: NOW + POSTED_WITHIN + 1, returns=RETURNS)

    async def forgets():
        await meanwhile.begin(erasures[1].delete(ANN))

    stop(Locks, "_lock_ids", after=forgets)

    await opened(later, ANN, opener=BEA, interaction=2)
    await meanwhile.outcomes()

    assert ask("SELECT status FROM matches ORDER BY id") == [("withdrawn",), ("declined",)]


async def test_a_match_that_ends_does_not_deadlock_with_deleting_its_server(
    processes, storages, ask, stop, meanwhile
):
    """It changes ratings that are just being deleted."""
    await processes[0].concede(await begun(processes[0], interaction=1), ANN)
    match = await begun(processes[0], interaction=2)

    async def forget():
        async with storages[1].transaction() as writing:
            await writing.guilds.forget(GUILD)

    async def is_forgotten():
        await meanwhile.begin(forget())

    stop(MatchRepository, "load", after=is_forgotten)

    await processes[0].concede(match, BEA)
    await meanwhile.outcomes()

    assert ask("SELECT 1 FROM matches") == ask("SELECT 1 FROM ratings") == []


@pytest.mark.parametrize("what", ["pause", "grace"])
async def test_changing_many_matches_does_not_deadlock_with_one_that_begins(
    processes, storages, ask, stop, meanwhile, what
):
    """The clock acts on it and on one of the others, and waits for that one's lock."""
    first = await begun(processes[0], interaction=1)
    between = await opened(processes[0], CYD, interaction=2)
    last = await begun(processes[0], DAN, interaction=3)

    async def begins():
        await processes[1].accept(between, CYD)
        await meanwhile.begin(act_on(storages[2], [between, last], int(NOW)))

    stop(Locks, "_lock", after=begins)

    if what == "pause":
        changed = await Pauses(storages[0], now=lambda: NOW).pause_channel(CHANNEL)
    else:
        async with storages[0].transaction() as writing:
            graced = await writing.deadlines.give_grace(int(NOW) + 86_400, grace_for(86_400), None)
            changed = graced.given
    await meanwhile.outcomes()

    assert sorted(changed) == [first, last]


async def test_deleting_old_challenges_does_not_deadlock_with_an_act_on_several(
    processes, storages, ask, meanwhile
):
    """A plain DELETE would reach the second one first, because it was withdrawn first."""
    first = await opened(processes[0], interaction=1)
    second = await opened(processes[0], CYD, opener=DAN, interaction=2)
    await processes[0].withdraw(second, DAN)
    await processes[0].withdraw(first, ANN)

    async def forget():
        async with storages[1].transaction() as writing:
            await writing.challenges.forget_unanswered([first, second])

    async with storages[0].transaction() as writing:
        await writing.matches.load(first)
        await meanwhile.begin(forget())
        await writing.matches.load(second)
    await meanwhile.outcomes()

    assert ask("SELECT 1 FROM matches") == []


async def test_expiring_tokens_do_not_deadlock_with_updated_messages(
    processes, storages, ask, meanwhile
):
    """The first of three is updated and the second is locked when the tokens of two expire."""
    first, second, third = [await begun(processes[0], interaction=n) for n in range(3)]
    at = MessageRef(channel=7, message=70, shown="")
    expired = TokenRecord(value="token", until=int(NOW), message=None)
    for match in (third, first, second):  # the order of a plain UPDATE
        async with storages[0].transaction() as writing:
            token = None if match == second else expired
            await writing.messages.put(match, TABLE, at, token)

    async def note():
        async with storages[1].transaction() as writing:
            shown = {(match, TABLE): Shown("now", 1, None) for match in (first, second, third)}
            await writing.messages.put_shown(shown)

    async def forget_tokens():
        async with storages[2].transaction() as writing:
            await writing.messages.forget_tokens_until(int(NOW))

    async with storages[0].transaction() as writing:
        await writing.messages.put(second, TABLE, at)
        await meanwhile.begin(note())
        forgetting = asyncio.create_task(forget_tokens())
        await somebody_waits(lambda _: ask(WAITING)[1:], unless=forgetting.done)
    await at_once(forgetting)
    await meanwhile.outcomes()

    assert ask("SELECT shown, token FROM places") == [("now", None)] * 3


@pytest.fixture
async def meet(storages, ask):
    """Update messages and run something else, both as soon as the first row is unlocked."""

    async def note(place, numbers):
        async with storages[1].transaction() as writing:
            await writing.messages.put_shown({(n, place): Shown("now", 1, None) for n in numbers})

    async def run_both(numbers, work, *, place=TABLE):
        async with storages[0].transaction() as writing:
            await writing.messages.put(numbers[0], place, HIDDEN)
            tasks = [asyncio.create_task(note(place, numbers))]
            await somebody_waits(ask)
            tasks.append(asyncio.create_task(work))
            await somebody_waits(lambda _: ask(WAITING)[1:])
        await at_once(*tasks)

    return run_both


async def test_updated_messages_do_not_deadlock_with_deleting_their_matches(
    processes, storages, ask, meet
):
    """The second challenge was withdrawn first, so a plain DELETE would start with it."""
    first = await opened(processes[0], interaction=1)
    second = await opened(processes[0], CYD, opener=DAN, interaction=2)
    for match, user in ((second, DAN), (first, ANN)):
        async with storages[0].transaction() as writing:
            await writing.messages.put(match, TABLE, HIDDEN)
        await processes[0].withdraw(match, user)

    async def forget():
        async with storages[2].transaction() as writing:
            await writing.challenges.forget_unanswered([first, second])

    await meet((first, second), forget())

    assert ask("SELECT 1 FROM matches") == []


async def test_updated_messages_do_not_deadlock_with_an_erasure(
    processes, storages, erasures, ask, meet
):
    """A plain DELETE would reach the second of Bea's two hands first."""
    first, second = [await begun(processes[0], interaction=n) for n in range(2)]
    for match in (second, first):
        async with storages[0].transaction() as writing:
            await writing.messages.put(match, 1, HIDDEN)
    for old, new in ((BEA, CYD), (CYD, BEA)):  # now her first seat is the last row
        where = f'match = {first} AND "user" = {old}'
        ask(f'UPDATE seats SET "user" = {new} WHERE {where}')  # noqa: S608 - numbers

    await meet((first, second), erasures[2].delete(BEA), place=1)

    assert ask("SELECT 1 FROM places") == []


async def test_a_followed_match_that_ends_does_not_deadlock_with_an_erasure(
    processes, storages, erasures, ask, stop, meanwhile
):
    """Cyd follows one match and plays another of that game, which their erasure ends."""
    followed = await begun(processes[0], interaction=1)
    await begun(processes[0], DAN, opener=CYD, interaction=2)
    async with storages[0].transaction() as writing:
        await writing.watches.add(followed, CYD)
        await writing.notices.queue(followed, "watched", [CYD], due_at=int(NOW) + 60)

    async def ends():
        await meanwhile.begin(processes[1].concede(followed, ANN))

    stop(ErasureRepository, "forget", before=ends)

    await erasures[0].delete(CYD)
    await meanwhile.outcomes()

    assert ask('SELECT 1 FROM notices WHERE "user" = 1003') == []
