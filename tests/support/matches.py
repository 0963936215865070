"""The people, challenges and matches that tests start from."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import pytest

from bot.errors import MatchError
from bot.matches import Challenge, Matches
from bot.matches.returns import Returns
from games import IllegalMoveError, Seat
from games.chance import Chance
from games.pico import PICO
from tests.support.random_play import sentence

ANN, BEA, CYD, DAN = 1001, 1002, 1003, 1004
GUILD, CHANNEL, INTERACTION = 77, 88, 99
NOW = 1_800_000_000.9
SEED = hashlib.sha256(b"a seed of the tests").hexdigest()
RETURNS = Returns(b"a key of the tests")
A, B, C = Seat(0), Seat(1), Seat(2)

PLAYERS = (ANN, BEA, CYD)
# By the number of opponents.
VARIANTS: Mapping[int, str] = MappingProxyType({1: "standard", 2: "pico1-three"})

# Changes to the challenge to Bea that add a computer as the third player.
WITH_COMPUTER = MappingProxyType(
    {"computers": ("easy",), "wanted": 3, "options": PICO.presets["pico1-three"]}
)


@dataclass(frozen=True)
class Somebody:
    """What checks of people see of a Discord user."""

    id: int
    bot: bool = False


def challenge(*opponents, **changes):
    """Ann's challenge to a match of Pico, by default to Bea; `changes` replace its fields."""
    opponents = changes.get("opponents", opponents or (BEA,))
    values = {
        "interaction": INTERACTION,
        "game": "pico",
        "options": PICO.presets[VARIANTS.get(len(opponents), "standard")],
        "guild": GUILD,
        "channel": CHANNEL,
        "opener": ANN,
        "opponents": opponents,
        "wanted": 1 + len(opponents),
        "time_control": "slow",
    }
    return Challenge(**{**values, **changes})


async def opened(matches: Matches, *opponents, **changes):
    """Open a challenge; its id."""
    effect = await matches.open(challenge(*opponents, **changes))
    return effect.public().match


async def begun(matches: Matches, *opponents, **changes):
    """Open a challenge that everybody accepts; the id of the match."""
    match = await opened(matches, *opponents, **changes)
    for user in opponents or (BEA,):
        await matches.accept(match, user)
    return match


async def choose(matches: Matches, match, *users):
    """Let each of these users choose their first legal move; the public snapshot afterwards."""
    for user in users:
        hand = await matches.snapshot(match, user)
        effect = await matches.submit(match, hand.step, user, str(hand.legal[0]))
    return effect.public()


def dealt(seats=2, *, game=PICO):
    """The state that a match with the tests' `SEED` begins with."""
    options = game.presets[VARIANTS[seats - 1] if game is PICO else "standard"]
    return game.setup(options, seats, Chance(SEED, 0))


def played(state, step, moves, *, game=PICO):
    """The state after these moves in this step, with the chance of the tests' `SEED`."""
    return game.play(state, moves, Chance(SEED, step + 1))


async def refusal(act):
    """The type and the sentence of the error that refuses an act."""
    with pytest.raises((MatchError, IllegalMoveError)) as refused:
        await act
    return refused.type, sentence(refused.value)


def everything(channel):
    """A filter of channels for somebody who can view all channels of a server."""
    return bool(channel)
