"""A running match with a clock always has a due time, whatever rests and in whatever order."""

from contextlib import suppress
from random import Random

import pytest

from bot.computers.pool import SynchronousPool
from bot.errors import MatchError
from bot.matches import Matches
from bot.matches.agreements import Agreements
from bot.matches.pauses import Pauses
from bot.matches.time_off import Vacations
from games import IllegalMoveError
from tests.support.clock import DAY, HOUR, Watch
from tests.support.deadlines import Clock
from tests.support.matches import ANN, BEA, CHANNEL, CYD, GUILD, RETURNS, SEED, begun

PEOPLE = (ANN, BEA, CYD)
STEPS = 60
LONGEST = 15 * DAY + 4 * DAY
"""Seconds until the latest due time: the longest pause or vacation, then a move with reserve."""


class World:
    """One match in which people act at random, with a clock that looks in time or late."""

    def __init__(self, storage, random, watch):
        self.random, self.watch = random, watch
        self.matches = Matches(storage, seed=lambda: SEED, now=watch, returns=RETURNS)
        self.agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
        self.pauses = Pauses(storage, now=watch)
        self.vacations = Vacations(storage, now=watch)
        self.timeouts = Clock(storage, now=watch)
        self.match = None

    async def begin(self, pace):
        self.match = await begun(self.matches, *PEOPLE[1:], time_control=pace)

    async def choose(self):
        user = self.random.choice(PEOPLE)
        hand = await self.matches.sit(self.match, user)
        if hand.legal:
            await self.matches.submit(self.match, hand.step, user, str(hand.legal[0]))

    async def resign(self):
        if self.random.random() < 0.05:
            await self.matches.concede(self.match, self.random.choice(PEOPLE))

    async def pause(self):
        for user in PEOPLE[: self.random.randrange(4)]:
            with suppress(MatchError):
                await self.agreements.offer(self.match, user, "pause")

    async def resume(self):
        await self.pauses.resume_here(self.match, self.random.choice(PEOPLE))

    async def lose(self):
        if self.random.random() < 0.1:
            await self.pauses.pause(self.match, CHANNEL)

    async def find(self):
        await self.pauses.resume(self.match, GUILD, 5, self.random.choice(PEOPLE))

    async def go_away(self):
        user, days = self.random.choice(PEOPLE), self.random.randrange(1, 6)
        await self.vacations.start(user, GUILD, days)

    async def come_back(self):
        await self.vacations.end(self.random.choice(PEOPLE), GUILD)

    async def wait(self):
        self.watch.advance(self.random.choice([60, HOUR, 7 * HOUR, DAY, 3 * DAY]))

    async def look(self):
        """Let the clock look when the match is due, or some time later."""
        snapshot = await self.matches.public(self.match)
        if snapshot.due_at is not None:
            self.watch.now = max(self.watch.now, snapshot.due_at)
            await self.timeouts.act(self.match)

    async def something(self):
        acts = [self.choose, self.choose, self.look, self.wait, self.pause, self.resume]
        acts += [self.lose, self.find, self.go_away, self.come_back, self.resign]
        act = self.random.choice(acts)
        with suppress(MatchError, IllegalMoveError):
            await act()


async def is_running(world):
    """Return whether the match is still running, after checking that its due time is in bounds."""
    snapshot = await world.matches.public(world.match)
    if snapshot.status != "running":
        return False
    deadlines = [info.deadline for info in snapshot.seats if info.deadline is not None]
    assert snapshot.due_at is not None
    lost = snapshot.paused and not snapshot.rests
    assert snapshot.due_at <= world.watch() + (30 * DAY if lost else LONGEST)
    if not snapshot.paused:
        assert deadlines, "nobody's time runs"
        assert snapshot.due_at <= min(deadlines), "the clock would look too late"
        assert max(deadlines) <= world.watch() + LONGEST
    return True


@pytest.mark.slow
@pytest.mark.parametrize("pace", ["slow", "slow_reserve", "relaxed", "today_reserve"])
@pytest.mark.parametrize("seed", range(6))
async def test_no_order_of_rests_leaves_a_running_match_without_a_due_time(storage, pace, seed):
    world = World(storage, Random(f"{pace} {seed}"), Watch())
    await world.begin(pace)
    for _ in range(STEPS):
        await world.something()
        if not await is_running(world):
            return
    for _ in range(200):  # nobody acts anymore, so the clock alone ends it
        await world.look()
        if not await is_running(world):
            return
    raise AssertionError("the clock alone did not end the match")
