"""Snapshots of positions of Spite and Malice for the tests of its texts, buttons and pictures."""

from functools import cache
from hashlib import sha256

from hypothesis import strategies as st

from bot.matches import SeatInfo
from bot.rendering.presentation import ChoiceMenu
from bot.storage import MatchId
from cogs.spite.presentation import SpitePresentation
from games.core import Seat
from games.spite import SPITE
from tests.support.snapshots import controls_of, known_to, one_of
from tests.support.spite_states import CHANCE, match, position, side

HUGE = 2**63 - 1  # the longest id that Discord can assign
MATCH = MatchId(10**18 - 1)  # the longest id that a custom_id has room for
URL = f"https://discord.com/channels/{HUGE}/{HUGE}/{HUGE}"
NAMES = (f"<@{HUGE}>", f"<@{HUGE - 1}>")

VARIANTS = {
    "standard": {},
    "quick": {"stock": 13},
    "limited": {
        "stock": 5,
        "foundations": 3,
        "forced": "aces",
        "jokers": "with-kings",
        "strict_draw": True,
        "scoring": "points",
        "target": 100,
    },
    "jokers": {
        "stock": 3,
        "foundations": 4,
        "forced": "aces-and-twos",
        "jokers": "instead",
        "scoring": "games",
    },
    "endless": {"turn_limit": 100},
}


@cache
def played(variant, seed):
    """The states of a match for at most 400 steps, in which players mostly play all they can."""
    return tuple(match(seed, steps=400, eager=(30, 4, 2)[seed % 3], **VARIANTS[variant]))


@st.composite
def states(draw):
    """A position of any variant, in which somebody may have left."""
    variant = draw(st.sampled_from(sorted(VARIANTS)))
    found = one_of(draw, played(variant, draw(st.integers(0, 5))))
    if SPITE.awaiting(found) and draw(st.integers(0, 19)) == 0:
        found = SPITE.concede(found, Seat(draw(st.integers(0, 1))), CHANCE)
    return found


seats = st.sampled_from([None, Seat(0), Seat(1)])


def snapshot(state, seat=None):
    """The snapshot of a position for a seat, or for everybody if `seat` is None."""
    outcome = SPITE.outcome(state)
    seed = sha256(b"a seed").hexdigest()
    facts = {
        "match": MATCH,
        "game": "spite",
        "options": state.series.options,
        "status": "running" if outcome is None else "over",
        "guild": HUGE,
        "channel": HUGE,
        "wanted": 2,
        "time_control": "slow",
        "tap": False,
        "step": 10**8,
        "turn": 10**8,
        "due_at": None,
        "late": (),
        "ending": None,
        "seats": tuple(
            SeatInfo(user=HUGE - i, accepted=True, left=i == state.left) for i in range(2)
        ),
        "awaiting": SPITE.awaiting(state),
        "chosen": frozenset(),
        "outcome": outcome,
        "commitment": sha256(seed.encode()).hexdigest(),
        "seed": None if outcome is None else seed,
    }
    return known_to(seat, SPITE, state, (), facts)


_DEEP = "10 10 10 9 9 9 8 8 8 7 7 7 6 6"
_LADDER = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J"]

WORST = {
    "thirteen foundations and deep piles": position(
        side(stock="9 9 10 K", hand="2 4 10 Q K", d1=_DEEP, d2=_DEEP, d3="Q", d4="10 10 *"),
        side(stock="9 10", hand="5 5 6 6 8", d1=_DEEP, d2=_DEEP, d3="Q J * *", d4="10 10 *"),
        piles=tuple(" ".join((*_LADDER[:n], "K")) for n in (0, 1, 2, 2, 4, 5, 6, 7, 8, 9, 9, 9, 9)),
        jokers="with-kings",
        scoring="points",
        target=100,
        source=" ".join(["7"] * 30),
    ),
    "twenty foundations and a joker in every place": position(
        side(stock="9 *", hand="* * *", d1="*", d2="*", d3="*", d4="*"),
        side(stock="9 *", hand="5 5 6 6 8"),
        piles=("K",) * 8 + ("*",) * 4 + ("A",) * 8,
        jokers="with-kings",
    ),
    "five of a rank that fits in many places": position(
        side(stock="3 2", hand="2 2 2 2 2", d1="2", d2="2", d3="2", d4="2"),
        piles=("A",) * 13,
    ),
    "five different cards that all fit": position(
        side(stock="2 6", hand="A 2 3 4 5", d1="A", d2="2", d3="3", d4="4"),
        piles=("A", "A 2", "A 2 3", "A 2 3 4", "A 2 3 4 5"),
    ),
    "a draw before anything else": position(
        side(stock="2 6", hand="A 2 3 4", d1="A", d2="2", d3="3", d4="K"),
        piles=("A", "A 2", "A 2 3", "A 2 3 4", "A 2 3 4 5"),
        strict_draw=True,
    ),
    "an ace that must be played": position(
        side(stock="2 6", hand="A 9 9", d1="A"), forced="aces-and-twos"
    ),
    "an empty hand and nothing to draw": position(
        side(stock="2 6", d1="A", d2="K"), source="", strict_draw=False
    ),
    "nothing fits": position(side(stock="2 6", hand="9 9 J")),
}


SHOWN = SpitePresentation()


def choices(onlook, draft):
    """All choices that a hand offers with this draft."""
    found = []
    for control in controls_of(SHOWN, onlook, draft):
        found += control.choices if isinstance(control, ChoiceMenu) else control
    return found


def explored(onlook):
    """The choices that a hand offers, by draft, for every draft reachable from the empty one."""
    seen, waiting = {}, [""]
    while waiting:
        draft = waiting.pop()
        if draft not in seen:
            seen[draft] = choices(onlook, draft)
            waiting += [choice.move for choice in seen[draft] if choice.act == "draft"]
    return seen
