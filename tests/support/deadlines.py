"""What the tests of missed deadlines share: the clock, the cards dealt, the strikes."""

from bot.matches.effect import Effect
from bot.matches.loaded import load_match
from bot.matches.timeouts import act_on
from tests.support.matches import dealt

DEAL = dealt()


class Clock:
    """What the clock does to a match that is due."""

    def __init__(self, storage, *, now):
        self.storage = storage
        self.now = now

    async def act(self, match):
        """Do what is due in this match; the effect, or None if nothing was due."""
        acted = await act_on(self.storage, [match], int(self.now()))
        if match not in acted.done:
            return None
        async with self.storage.reading() as reading:
            return Effect(load_match(await reading.matches.load(match)), resolved=True)


def card(state, seat, which=0):
    return str(state.hands[seat][which])


def strikes(snapshot):
    return [info.strikes for info in snapshot.seats]
