"""Prize Dominoes: imagined states are as likely as their deals, of which all are tried."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, permutations
from typing import Any

import pytest

from games.chance import Chance
from games.prize import DOMINOES, PRIZE, Options, determinization
from games.prize.computer import hand_inference
from games.prize.computer.fast_state import tiles_of
from tests.support.prize_states import A, B, play, row, table, tiles

ANY = Chance("any", 1)


def small(a, b, stock, *, mine="", theirs="", options=None):
    """A hand about to be opened by A, with all tiles but a few locked away as prizes.

    `mine` and `theirs` are prizes that matter; the locked tiles belong to seat A.
    """
    named = {tile for text in (a, b, stock, mine, theirs) for tile in tiles(text)}
    locked = [tile for tile in DOMINOES if tile not in named]
    prizes = (f"{mine} {row(len(locked), of=locked)}", theirs)
    return table(a=a, b=b, stock=stock, prizes=prizes, options=options or Options())


def allowed(start, texts, view):
    """The hidden parts of all deals in which the moves are legal and lead to the view, with counts.

    Every order of the tiles that seat A was not dealt is replayed.
    """
    hidden = (*start.hands[B], *start.stock)
    size = len(start.hands[B])
    found = Counter()
    for order in permutations(hidden):
        hand, stock = tuple(sorted(order[:size])), order[size:]
        end = replayed(replace(start, hands=(start.hands[A], hand), stock=stock), texts, view)
        if end is not None:
            found[end] += 1
    return found


def replayed(state, texts, view):
    """What is hidden after the moves; None if one is illegal or leads to a different view."""
    for text in texts:
        (seat,) = PRIZE.awaiting(state)
        move = PRIZE.parse(text)
        if move not in PRIZE.legal_moves(state, seat):
            return None
        state = PRIZE.play(state, {seat: move}, ANY)
        if state.events != view.events[: len(state.events)]:
            return None
    return hidden(state) if PRIZE.observe(state, A) == view else None


def hidden(state):
    return state.hands[B], state.stock, state.asked


def imagined(view, times):
    return Counter(hidden(PRIZE.imagine(view, A, Chance("imagine", step))) for step in range(times))


def chi_square(found, weights):
    """The chi-square statistic of the frequencies, given these weights."""
    times, total = sum(found.values()), sum(weights.values())
    expected = {what: times * weight / total for what, weight in weights.items()}
    assert min(expected.values()) >= 5, "too few draws for a chi-square test"
    return sum((found[what] - n) ** 2 / n for what, n in expected.items())


STRICT = Options(pass_only_when_stock_is_empty=True)

SITUATIONS = {
    "nothing shown": (small("6-5 2-2 1-1", "4-0 3-3 4-4", "5-5 3-0"), ["6-5"]),
    "the opponent drew": (
        small("6-5 2-2 1-1", "4-0 3-3 4-4", "2-1 6-4 5-0"),
        ["6-5", "draw"],
    ),
    "tiles drawn later may have the numbers": (
        small("6-5 6-1 1-1 1-0", "4-4 3-3", "2-2 5-0 2-1 6-3", options=STRICT),
        ["6-5", "draw", "6-1 left", "draw"],
    ),
    "a tile was played that was dealt or drawn": (
        small("6-5 5-1 1-1 6-2", "4-4 3-3", "3-1 4-3 2-2 4-1", options=STRICT),
        ["6-5", "draw", "5-1 right", "3-1 right", "6-2 left"],
    ),
    "a tile was played that came by the second draw": (
        small("6-5 6-2 5-3 1-1", "4-4 1-0", "4-0 6-3 4-1 2-1", options=STRICT),
        ["6-5", "draw", "6-2 left", "draw", "5-3 right", "6-3 right"],
    ),
    "played tiles could have come at different times": (
        small("4-2 4-0 3-2 3-0 4-4", "3-1 2-0 6-6 1-0", "5-3 6-3", theirs="1-1"),
        [
            "4-4",
            "draw",
            "4-0 right",
            "2-0 right",
            "4-2 right",
            "draw",
            "prize 4-3 right",
            "5-3 right",
            "pass",
        ],
    ),
    "two tiles were played after two draws": (
        small("4-2 4-3 6-6 1-0", "5-2 2-0 1-1", "5-4 4-1", mine="6-3", options=STRICT),
        [
            "6-6",
            "draw",
            "prize 6-3 right",
            "draw",
            "4-3 right",
            "5-4 right",
            "pass",
            "5-2 right",
            "4-2 right",
        ],
    ),
    "later turns tell nothing of a tile played before": (
        small("6-5 5-1 1-1 6-2", "4-4 0-0", "3-1 4-3 2-2 4-1", options=STRICT),
        ["6-5", "draw", "5-1 right", "3-1 right", "6-2 left", "draw"],
    ),
    "tiles still hidden came at different times too": (
        small(
            "3-0 2-1 3-1 6-0 5-4",
            "4-2 2-2 5-1",
            "6-3 1-0 4-1 5-2",
            mine="6-5",
            theirs="3-2",
            options=STRICT,
        ),
        [
            "3-0",
            "draw",
            "6-0 right",
            "draw",
            "draw",
            "draw",
            "prize 6-5 right",
            "5-2 right",
            "2-1 right",
            "5-1 right",
        ],
    ),
    "one of two played tiles could have come earlier": (
        small(
            "4-0 5-0 3-3 6-6 5-3", "4-2 1-1", "6-3 2-0 3-0 3-2 6-4", theirs="5-5", options=STRICT
        ),
        [
            "3-3",
            "draw",
            "5-3 left",
            "draw",
            "6-6 right",
            "draw",
            "5-0 left",
            "3-0 left",
            "draw",
            "2-0 left",
        ],
    ),
    "several draws and tiles played between": (
        small("6-5 5-1 3-3 6-2 4-4", "4-0 2-0", "3-0 4-1 4-3 2-1", options=STRICT),
        ["6-5", "draw", "5-1 right", "draw", "6-2 left", "2-0 left"],
    ),
    "the opponent passed": (
        small("6-5 6-1 3-3", "4-4 1-0 2-0 5-3", "", mine="4-0"),
        ["6-5", "5-3 right", "3-3 right", "pass"],
    ),
    "the opponent played a prize": (
        small("6-5 6-1 3-3", "4-4 1-0 2-0 2-1", "3-1 5-2", theirs="5-4"),
        ["6-5", "prize 5-4 right"],
    ),
    "the opponent is asked where the left end shows the lower number": (
        small("6-5 5-3 1-1", "6-2 4-4 1-0", "3-2 4-0 3-1"),
        ["6-5", "6-2 left", "5-3 right", "draw"],
    ),
    "the opponent answered": (
        small("6-5 6-3 1-1", "5-2 4-4 1-0", "3-2 4-0 3-1"),
        ["6-5", "5-2 right", "6-3 left", "draw", "left"],
    ),
    "the onlooker is asked": (
        small("6-4 2-2 1-1", "4-3 3-0 5-0", "6-3 2-0 5-2", mine="3-3 6-0"),
        ["6-4", "4-3 right", "draw"],
    ),
    "own draws are known": (
        small("6-5 2-2 1-1", "5-4 3-3 4-4", "3-0 3-2 2-0"),
        ["6-5", "5-4 right", "draw"],
    ),
}


@pytest.mark.parametrize(("start", "texts"), SITUATIONS.values(), ids=SITUATIONS)
def test_every_deal_that_agrees_with_the_view_is_equally_likely(start, texts):
    view = PRIZE.observe(play(start, *texts), A)
    weights = allowed(start, texts, view)
    freedom = len(weights) - 1

    found = imagined(view, max(1200, 6 * sum(weights.values()) // min(weights.values())))

    assert found.keys() <= weights.keys()
    assert chi_square(found, weights) <= freedom + 4 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(("start", "texts"), SITUATIONS.values(), ids=SITUATIONS)
def test_the_computer_imagines_each_hand_as_often_as_it_would_be_dealt(monkeypatch, start, texts):
    """Without its assumptions about how people choose."""
    monkeypatch.setattr(hand_inference, "_ODDS", (1 << 31,) * 200)
    view, shares = PRIZE.observe(play(start, *texts), A), Counter()
    weights = allowed(start, texts, view)
    for (hand, _, _), weight in weights.items():
        shares[tiles_of(hand)] += weight / sum(weights.values())
    worlds = islice(hand_inference.sampled_states(view, A, ANY), 4000)

    found = Counter(world.hands[B] for world in worlds)

    assert found.keys() == shares.keys()
    assert sum(abs(found[hand] / 4000 - share) for hand, share in shares.items()) < 0.1


def test_a_tile_that_came_after_another_can_have_been_played_before_it():
    """One played tile came in the second slot, and one that was played last in any of the five.

    Four tiles are still hidden, and the last of them came in the fourth or fifth slot.
    """
    slots = determinization.Slots(
        dealt=1,
        first=dict(zip(DOMINOES, (0, 0, 0, 3), strict=False)),
        unseen=(3, 3, 3, 4, 4),
        due=((5,), (2,), (), (), ()),
        begun=(1, 2, 2, 2, 2),
    )
    all_orders: Iterator[tuple[Any, ...]] = permutations(
        ("any slot", "second slot", *slots.first), 5
    )
    possible = [
        order
        for order in all_orders
        if "any slot" in order
        and order[1] == "second slot"
        and all(slots.first.get(tile, 0) <= slot for slot, tile in enumerate(order))
    ]

    counted = determinization._Ways(slots).count(0, slots.joined(0, ()))

    assert counted == len(possible)


def test_an_open_hand_is_imagined_as_it_is():
    state = play(table(line="6-4", a="4-1", b="1-1 5-5", stock="3-3 2-2 0-0"), "4-1 right")

    imagined_state = PRIZE.imagine(PRIZE.observe(state, A), A, ANY)

    assert imagined_state.hands == state.hands
    assert (1, 1) not in imagined_state.stock


@pytest.mark.parametrize("onlooker", [B, None])
def test_a_seat_can_imagine_only_from_its_own_view(onlooker):
    view = PRIZE.observe(table(a="6-4 2-1", b="1-1 5-5"), onlooker)

    with pytest.raises(ValueError, match="from its own view only"):
        PRIZE.imagine(view, A, ANY)
