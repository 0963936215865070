"""Positions of Prize Dominoes for the tests of its texts, buttons and pictures."""

from dataclasses import replace
from functools import cache

from hypothesis import strategies as st

from games.chance import Chance
from games.prize import DOMINOES, PRIZE, Event, HandResult, Options
from games.prize.tiles import extended
from tests.support.prize_states import A, B, table, tiles
from tests.support.snapshots import one_of

TWO = ("<@1>", "<@2>")
CHANCE = Chance("words", 1)
VARIANTS = {
    "standard": Options(),
    "short": Options(hand_limit=1),
    "mild": Options(pass_only_when_stock_is_empty=True, hand_limit=9),
}


@cache
def match(variant, seed):
    """Every state of a match of random moves."""
    chance = Chance(str(seed), 0)
    states = [PRIZE.setup(VARIANTS[variant], 2, chance)]
    while awaited := sorted(PRIZE.awaiting(states[-1])):
        chance = Chance(str(seed), len(states))
        moves = {seat: chance.pick(PRIZE.legal_moves(states[-1], seat)) for seat in awaited}
        states.append(PRIZE.play(states[-1], moves, chance))
    return tuple(states)


@st.composite
def positions(draw):
    """A position reached by play, in which somebody may have left."""
    variant = draw(st.sampled_from(sorted(VARIANTS)))
    found = one_of(draw, match(variant, draw(st.integers(0, 5))))
    if PRIZE.awaiting(found) and draw(st.integers(0, 9)) == 0:
        found = left(found, draw(st.sampled_from((A, B))))
    return found


onlookers = st.sampled_from((None, A, B))


def left(state, seat):
    return PRIZE.concede(state, seat, CHANCE)


def seen(state, seat=None):
    return PRIZE.observe(state, seat)


def event(seat, deed, tile=None, end=None):
    return Event(seat=seat, deed=deed, ends=(6, 6), tile=tile and tiles(tile)[0], end=end)


def result(winner=A, *, number=1, by="out", pips=(0, 9), taken=None):
    return HandResult(
        number=number, winner=winner, by=by, pips=pips, taken=taken and tiles(taken)[0]
    )


def running(*events, line="4-6 6-6", a="5-4 5-5", b="1-0", stock="2-1", **fields):
    """A hand in progress; without events, B has just played 6-6 at the right end."""
    told = events or (event(B, "hand", "6-6", "right"),)
    return table(line=line, a=a, b=b, stock=stock, events=told, **fields)


def won(*, a="", b="6-3 1-0", line="4-6 6-6", **fields):
    """A hand that A has won by going out, before A takes the prize."""
    fields = {"last": result(), "events": (event(A, "hand", "6-6", "right"),)} | fields
    return table(line=line, a=a, b=b, **fields)


@cache
def longest_line():
    """A line of twenty-seven tiles: all but one, which the loser still holds."""
    return _trail(((6, 5),), frozenset({(6, 5), (6, 6)}))


def _trail(line, used):
    if len(line) == len(DOMINOES) - 1:
        return line
    for tile in DOMINOES:
        if tile not in used and line[-1][1] in tile:
            found = _trail(extended(line, tile, "right"), used | {tile})
            if found:
                return found
    return None


def longest():
    """A match that is over, with all tiles but one in the line."""
    line = longest_line()
    end = Event(seat=B, deed="hand", ends=(6, line[-1][0]), tile=max(line[-1], line[-1][::-1]),
                end="right")  # fmt: skip
    last = result(B, number=50, pips=(12, 0))
    return replace(won(a="6-6", b="", turn=B, number=50, last=last, events=(end,)), line=line)


def fullest(turn=A):
    """The most tiles in one hand (21): the others are in a short line, or in the other hand."""
    line = tiles("6-0 0-0 0-1 1-1 1-2 2-0")
    others = [tile for tile in DOMINOES if tile not in {(max(t), min(t)) for t in line}]
    told = (event(B, "hand", "2-0", "right"), event(A, "kept"), event(B, "pass"))
    state = table(turn=turn, events=told, number=12)
    return replace(state, line=line, hands=(tuple(others[:21]), tuple(others[21:])))


def fullest_open():
    """The same hand, blocked and won on pips: the winner takes one of twenty-one tiles."""
    return replace(fullest(B), last=result(B, number=12, by="pips", pips=(149, 12)))


def most_prizes():
    """Twenty-seven prizes: each row lacks one number, and there are no tiles left to deal."""
    one = tuple(tile for tile in DOMINOES if 0 not in tile)
    other = tuple(tile for tile in DOMINOES if 0 in tile and 6 not in tile)
    last = result(number=37, taken="6-6")
    state = won(b="", line="6-0", number=37, last=last, events=(event(A, "open", "6-0"),))
    return replace(state, prizes=(one, other))


def most_moves():
    """No tile in the hand fits, there is a stock, and twelve prizes fit."""
    prizes = "6-1 6-2 6-3 6-4 6-5 6-6 0-0 1-0 2-0 3-0 4-0 5-0"
    return running(
        event(B, "open", "6-0"), line="6-0", a="5-4", b="3-2", stock="4-3 2-1", prizes=(prizes, "")
    )


WORST = {
    "line": longest,
    "hand": fullest,
    "opened hand": fullest_open,
    "prizes": most_prizes,
    "moves": most_moves,
}
worst = st.sampled_from(sorted(WORST)).map(lambda name: WORST[name]())


@st.composite
def alike(draw):
    """A seat or None, a position, and one that differs only in what they can't see."""
    seat = draw(onlookers)
    state = draw(positions())
    view = seen(state, seat)
    hidden = [i for i in (A, B) if view.hands[i] is None]
    pool = [tile for i in hidden for tile in state.hands[i]] + list(state.stock)
    pool = draw(st.permutations(pool))
    hands = list(state.hands)
    for i in hidden:
        size = len(hands[i])
        hands[i], pool = tuple(pool[:size]), pool[size:]
    other = replace(state, hands=tuple(hands), stock=tuple(pool))
    return seat, state, other
