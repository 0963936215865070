"""What the tests of missed deadlines share: the clock, the cards dealt, the strikes."""

from bot.matches.effect import Effect
from bot.matches.loaded import load_match
from bot.matches.timeouts import Timeouts
from tests.support.matches import dealt

DEAL = dealt()


class Clock(Timeouts):
    """What the clock does to matches that are due; it can also be asked for one match alone."""

    def __init__(self, storage, *, now):
        super().__init__(storage, now=now)
        self.storage = storage

    async def act(self, match):
        """Do what is due in this match; the effect, or None if nothing was due."""
        if match not in (await self.act_on([match])).done:
            return None
        async with self.storage.reading() as reading:
            return Effect(load_match(await reading.matches.load(match)), resolved=True)


def card(state, seat, which=0):
    return str(state.hands[seat][which])


def strikes(snapshot):
    return [place.strikes for place in snapshot.places]
