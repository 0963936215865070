"""Random walks through matches, in which people do all that they can do in one."""

import random
from contextlib import suppress

from bot.computers.pool import InPlace
from bot.errors import MatchError
from bot.matches.agreements import OFFERS, Agreements
from bot.matches.moderation import Moderation
from bot.matches.pauses import Pauses
from bot.matches.signals import Signals
from bot.matches.time_off import Vacations
from bot.matches.timeouts import Timeouts
from bot.storage.people import PreferencesRecord
from games import IllegalMoveError
from tests.support.clock import HOUR
from tests.support.matches import CHANNEL, GUILD, RETURNS, opened
from tests.support.playouts import PEOPLE, SHORT

MODERATOR = 1099


class Walk:
    """A match, and one act in it after another; what the next one is, chance decides."""

    def __init__(self, storage, matches, watch, seed):
        self.storage, self.matches, self.watch = storage, matches, watch
        self.random = random.Random(seed)
        self.agreements = Agreements(storage, InPlace(), now=watch, returns=RETURNS)
        self.pauses, self.vacations = Pauses(storage, now=watch), Vacations(storage, now=watch)
        self.moderation = Moderation(storage, now=watch)
        self.signals, self.timeouts = Signals(storage), Timeouts(storage, now=watch)
        self.acts = [
            *[self.choose] * 20,
            *[self.play_the_computer] * 10,
            *[self.choose_again, self.offer, self.accept, self.decline, self.point] * 2,
            *[self.let_time_run_out, self.let_time_pass],
            *[self.begin_vacation, self.end_vacation, self.lose_the_place],
            *[self.go_on] * 4,
        ]

    async def begin(self, case, *, levels=(), **changes):
        """Let a match of a case begin, with computers of these levels in its last seats."""
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
        """The name of the next act and the effect it had; None for what leads to none."""
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
        block = self.random.choice((None, None, str(hand.seat)))  # now and then at the table
        user = hand.places[hand.seat].user
        return await self.matches.submit(self.match, hand.step, user, move, block=block)

    async def play_the_computer(self):
        public = self.public
        owing = public.awaiting - public.chosen
        seats = [seat for seat in owing if public.places[seat].computer is not None]
        if not seats:
            return None
        return await self.matches.submit_for(
            self.match, public.step, min(seats), None, turn=public.turn
        )

    async def let_time_run_out(self):
        self.watch.now = max(self.watch.now, self.public.due_at or 0)
        await self.timeouts.act_on([self.match])

    async def let_time_pass(self):
        self.watch.advance(self.random.choice((HOUR, 20 * HOUR, 26 * HOUR)))

    async def offer(self):
        return await self.agreements.offer(self.match, self.user, self.random.choice(OFFERS))

    async def accept(self):
        return await self.agreements.accept(self.match, self.user, self.random.choice(OFFERS))

    async def decline(self):
        return await self.agreements.decline(self.match, self.user, self.random.choice(OFFERS))

    async def point(self):
        seat = self.random.randrange(len(self.public.places))
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
