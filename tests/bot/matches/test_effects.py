"""The computed effect of every act equals what a read after its commit returns."""

import random
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import product

import pytest

from bot.computers.pool import SynchronousPool
from bot.errors import MatchError
from bot.matches.agreements import OFFERS, Agreements
from bot.matches.effect import Effect, loaded_match_of
from bot.matches.loaded import load_match
from bot.matches.moderation import Moderation
from bot.matches.pauses import Pauses
from bot.matches.signals import Signals
from bot.matches.time_off import Vacations
from bot.matches.timeouts import act_on
from bot.storage.matches import MatchRepository
from bot.storage.people import PreferencesRecord
from games import IllegalMoveError
from games.pico import Card
from tests.support.clock import HOUR
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    GUILD,
    NOW,
    RETURNS,
    A,
    B,
    begun,
    dealt,
    opened,
)
from tests.support.playouts import PEOPLE, SHORT
from tests.support.races import at_once

pytestmark = pytest.mark.slow

MODERATOR = 1099


class Walk:
    """A match in which people do everything that's possible, in random order."""

    def __init__(self, storage, matches, watch, seed):
        self.storage, self.matches, self.watch = storage, matches, watch
        self.random = random.Random(seed)
        self.agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
        self.pauses, self.vacations = Pauses(storage, now=watch), Vacations(storage, now=watch)
        self.moderation = Moderation(storage, now=watch)
        self.signals = Signals(storage)
        self.acts = [
            *[self.choose] * 20,
            *[self.play_the_computer] * 10,
            *[self.choose_again, self.offer, self.accept, self.decline, self.point] * 2,
            *[self.let_time_run_out, self.let_time_pass],
            *[self.begin_vacation, self.end_vacation, self.lose_the_place],
            *[self.go_on] * 4,
        ]

    async def begin(self, case, *, levels=(), **changes):
        """Begin a match of a case, with computers of these levels in its last seats."""
        seats, options = SHORT[case]
        self.people = PEOPLE[: seats - len(levels)]
        async with self.storage.transaction() as writing:
            await writing.people.put_preferences(self.people[0], PreferencesRecord(forced=True))
        others = self.people[1:]
        self.match = await opened(
            self.matches,
            game=case.split()[0],
            options=options,
            opponents=others,
            computers=levels,
            wanted=seats,
            **changes,
        )
        for user in others:
            await self.matches.accept(self.match, user)

    async def go(self):
        """Do a random act; returns its name, and its effect or None if it had none."""
        self.public, *self.hands = await self.matches.snapshots(self.match)
        self.user = self.random.choice(self.people)
        act = self.leave if self.random.random() < 0.01 else self.random.choice(self.acts)
        effect = None
        with suppress(MatchError, IllegalMoveError):
            effect = await act()
        return act.__name__, effect

    @property
    def is_over(self):
        return self.public.status != "running"

    async def choose(self):
        return await self._choose([hand for hand in self.hands if hand.choice is None])

    async def choose_again(self):
        return await self._choose([hand for hand in self.hands if hand.choice is not None])

    async def _choose(self, hands):
        hands = [hand for hand in hands if hand.legal]
        if not hands:
            return None
        hand = self.random.choice(hands)
        move = str(self.random.choice(hand.legal))
        block = self.random.choice((None, None, str(hand.seat)))  # sometimes at the table
        user = hand.seats[hand.seat].user
        return await self.matches.submit(self.match, hand.step, user, move, block=block)

    async def play_the_computer(self):
        public = self.public
        owing = public.awaiting - public.chosen
        seats = [seat for seat in owing if public.seats[seat].computer is not None]
        if not seats:
            return None
        return await self.matches.submit_for(
            self.match, public.step, min(seats), None, turn=public.turn
        )

    async def let_time_run_out(self):
        self.watch.now = max(self.watch.now, self.public.due_at or 0)
        await act_on(self.storage, [self.match], int(self.watch()))

    async def let_time_pass(self):
        self.watch.advance(self.random.choice((HOUR, 20 * HOUR, 26 * HOUR)))

    async def offer(self):
        return await self.agreements.offer(self.match, self.user, self.random.choice(OFFERS))

    async def accept(self):
        return await self.agreements.accept(self.match, self.user, self.random.choice(OFFERS))

    async def decline(self):
        return await self.agreements.decline(self.match, self.user, self.random.choice(OFFERS))

    async def point(self):
        seat = self.random.randrange(len(self.public.seats))
        return await self.signals.point(self.match, self.user, str(seat))

    async def begin_vacation(self):
        await self.vacations.start(self.user, GUILD, 1)

    async def end_vacation(self):
        await self.vacations.end(self.user, GUILD)

    async def lose_the_place(self):
        await self.pauses.pause(self.match, CHANNEL)

    async def go_on(self):
        if self.public.paused_why == "agreed":
            return await self.pauses.resume_here(self.match, self.user)
        return await self.pauses.resume(self.match, GUILD, CHANNEL, self.user)

    async def leave(self):
        if self.random.random() < 0.5:
            return await self.matches.concede(self.match, self.user)
        return await self.moderation.unseat(self.match, GUILD, self.user, MODERATOR)


LOWEST = [Card(min(hand)) for hand in dealt().hands]
ACTS = 200


async def read(storage, match):
    async with storage.reading() as reading:
        return load_match(await reading.matches.load(match))


async def must_equal_what_is_read(storage, effect):
    """Check that the state and all snapshots of an effect equal those that are read now."""
    now, found = await read(storage, effect.public().match), loaded_match_of(effect)
    # No snapshot has these texts, and what they decode to is compared below.
    texts = {"state": now.record.state, "choices": now.record.choices}
    assert replace(found.record, **texts) == now.record
    assert (found.state, found.choices) == (now.state, now.choices)
    assert effect.public() == now.public()
    for user in now.record.people:
        assert effect.snapshot_of(user) == now.snapshot_of(user)


WALKS = [
    *[(case, {"time_control": "slow"}) for case in SHORT],
    *[(case, {"time_control": "slow_reserve"}) for case in SHORT],
    *[(case, {"time_control": "none", "levels": ("easy",)}) for case in SHORT],
    *[(case, {"time_control": "live", "tap": True}) for case in ("pico", "duel", "conquest")],
]


@pytest.mark.parametrize(("case", "how"), WALKS)
async def test_every_effect_equals_what_is_read(storage, matches, watch, case, how):
    walk, resolved = Walk(storage, matches, watch, f"{case} {how}"), Counter()
    for number in range(ACTS):
        if not number or walk.is_over:
            await walk.begin(case, interaction=number, **how)
        act, effect = await walk.go()
        if effect is not None:
            await must_equal_what_is_read(storage, effect)
            resolved[act, effect.public().status] += effect.resolved

    assert resolved.total() > 10


async def test_effects_of_concurrent_last_choices_equal_what_is_committed(processes, storages):
    people = (ANN, BEA, CYD)
    matches = [await begun(processes[0], BEA, CYD, interaction=number) for number in range(5)]
    for _ in range(6):
        clicks = []
        for match, (process, user) in product(matches, zip(processes, people, strict=True)):
            _, *hands = await process.snapshots(match)
            hand = hands[people.index(user)]
            clicks.append(process.submit(match, hand.step, user, str(hand.legal[-1])))
        nudges = [nudged(storage, match) for storage, match in product(storages, matches)]

        done = await at_once(*clicks, *nudges)

        last = [effect for effect in done if isinstance(effect, Effect) and effect.resolved]
        assert {effect.public().match for effect in last} == set(matches)
        for effect in last:
            now = await read(storages[0], effect.public().match)
            assert effect.public() == now.public()
            assert [effect.snapshot_of(user) for user in people] == [
                now.snapshot_of(user) for user in people
            ]


async def nudged(storage, match):
    """Lock the match in another transaction that changes nothing visible."""
    async with storage.transaction() as writing:
        await writing.seats.note_nudged(match, [A], int(NOW))


@pytest.fixture
def loads(monkeypatch):
    """A list of the matches that were read, with repetitions."""
    read, one, several = [], MatchRepository.load, MatchRepository.load_all

    async def load(repository, match):
        read.append(match)
        return await one(repository, match)

    async def load_all(repository, matches):
        read.extend(matches)
        return await several(repository, matches)

    monkeypatch.setattr(MatchRepository, "load", load)
    monkeypatch.setattr(MatchRepository, "load_all", load_all)
    return read


async def test_a_last_choice_loads_the_match_only_once(matches, match, loads):
    await matches.submit(match, 0, ANN, str(LOWEST[A]))
    del loads[:]

    effect = await matches.submit(match, 0, BEA, str(LOWEST[B]))

    assert (effect.resolved, loads) == (True, [match])


ENDS = {
    "called off": lambda walk, match: walk.agreements.accept(match, BEA, "call_off"),
    "a draw": lambda walk, match: walk.agreements.accept(match, BEA, "draw"),
    "by a moderator": lambda walk, match: walk.moderation.end(match, GUILD),
    "resigned": lambda walk, match: walk.matches.concede(match, ANN),
    "withdrawn": lambda walk, match: walk.matches.withdraw(match, ANN),
    "given up": lambda walk, match: walk.matches.vacate(match, ANN),
    "declined": lambda walk, match: walk.matches.decline(match, BEA),
}


@pytest.mark.parametrize("how", ENDS)
async def test_an_act_that_ends_a_match_loads_it_before_and_after(
    storage, matches, watch, loads, how
):
    walk = Walk(storage, matches, watch, how)
    is_open = how in {"withdrawn", "given up", "declined"}
    match = await (opened if is_open else begun)(matches)
    if how in {"called off", "a draw"}:
        await walk.agreements.offer(match, ANN, "call_off" if how == "called off" else "draw")
    del loads[:]

    effect = await ENDS[how](walk, match)

    assert loads == [match] * 2
    await must_equal_what_is_read(storage, effect)
    assert effect.public().status not in {"open", "running"}
