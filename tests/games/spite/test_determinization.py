"""Spite and Malice: what a seat imagines is as likely as the shuffled cards make it."""

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from math import comb
from typing import Any

import pytest

from games.chance import Chance
from games.spite import SPITE
from games.spite.belief import Gave, Took, cards_of, held, likelihoods
from games.spite.cards import arranged
from tests.support.spite_states import A, B, cards, match, play, position, side

# --- The hands that a trail allows, compared with all orders of a small source ---------------


def by_enumeration(carried, trail, source):
    """How often each hand results if every order of the source is dealt and checked."""
    found = Counter()
    for order in permutations(source):
        hand = after_trail(carried, trail, order)
        if hand is not None:
            found[hand] += 1
    return shares(found)


def after_trail(carried, trail, order):
    """The hand after a trail if the cards come in this order; None if that is impossible."""
    hand, drawn = list(carried), 0
    for step in trail:
        if isinstance(step, Took):
            hand += order[drawn : drawn + step.count]
            drawn += step.count
        elif hand.count(step.face) < step.count or set(step.lacked) & set(hand):
            return None
        else:
            for _ in range(step.count):
                hand.remove(step.face)
    return arranged(hand)


def by_likelihood(carried, trail, source):
    given = Counter(
        step.face for step in trail if isinstance(step, Gave) for _ in range(step.count)
    )
    unseen = arranged(tuple((Counter(carried) + Counter(source) - given).elements()))
    known, fresh = held(trail)
    hands, totals = likelihoods(carried, known, unseen)
    weights = [after - before for before, after in pairwise((0, *totals))]
    found: dict[Any, Fraction] = defaultdict(Fraction)
    for hand, weight in zip(hands, weights, strict=True):
        rest = tuple((Counter(unseen) - Counter(cards_of(hand))).elements())
        ways = list(combinations(range(len(rest)), fresh))
        for chosen in ways:
            more = tuple(rest[i] for i in chosen)
            found[arranged(cards_of(hand) + more)] += Fraction(weight, len(ways))
    return shares(found)


def given_away(trail):
    steps = [step for step in trail if isinstance(step, Gave)]
    return Counter(step.face for step in steps for _ in range(step.count))


def shares(found):
    total = sum(found.values())
    return {hand: Fraction(number) / total for hand, number in found.items()}


@pytest.mark.parametrize(
    ("carried", "trail", "source"),
    [
        ("", (Took(3),), "A A 2 3 3 3"),
        ("", (Took(3), Gave("3", 1, ())), "A A 2 3 3 3 3"),
        ("", (Took(3), Gave("3", 1, ()), Took(1), Gave("3", 1, ())), "A A 2 3 3 3 3"),
        ("", (Took(3), Gave("3", 2, ()), Took(2), Gave("A", 1, ()), Took(1)), "A A 2 2 3 3 3 3"),
        ("", (Took(3), Gave("3", 1, ("A",)), Took(1)), "A A 2 3 3 3"),
        ("", (Took(2), Took(1), Gave("2", 1, ("A", "3"))), "A A 2 2 2 3"),
        ("3 5", (Took(2), Gave("3", 1, ())), "A 2 3 3 3"),
        ("3 5", (Gave("5", 1, ()), Took(2), Gave("3", 2, ()), Took(1)), "A 2 3 3 3 5"),
        ("A", (Gave("A", 1, ()), Took(4), Gave("2", 1, ()), Gave("3", 1, ())), "A 2 2 3 3 3 K"),
        ("2", (Took(1), Gave("2", 1, ()), Took(1), Gave("2", 1, ()), Took(1)), "2 2 2 3 3 4"),
        ("K K", (), "A 2"),
        ("", (Took(4), Gave("*", 1, ()), Took(1), Gave("*", 2, ("A",))), "* * * * A A 3"),
        # An ace that was given before is lacked afterwards, but was not lacked before.
        ("", (Took(3), Gave("A", 1, ()), Gave("3", 1, ("A",))), "A A 2 3 3 3"),
        ("", (Took(4), Gave("A", 1, ()), Gave("3", 1, ("A",)), Gave("2", 1, ())), "A A 2 2 3 3"),
    ],
    ids=range(14),
)
def test_a_hand_is_as_likely_as_the_orders_that_agree_with_what_was_seen(carried, trail, source):
    expected = by_enumeration(cards(carried), trail, cards(source))

    assert by_likelihood(cards(carried), trail, cards(source)) == expected
    assert expected


# --- Whole states ----------------------------------------------------------------------------


def imagined(state, seat, number):
    view = SPITE.observe(state, seat)
    return [SPITE.imagine(view, seat, Chance(f"{n:064x}", 1)) for n in range(number)]


def chi_square(seen, expected):
    """The chi-square statistic of the counts; its mean is the number of shares less 1."""
    total = sum(seen.values())
    return sum(
        (seen[key] - total * share) ** 2 / (total * share) for key, share in expected.items()
    )


def first_turn(seed=5, **options):
    """The deal, with seat A on turn."""
    return next(
        states[0]
        for states in (match(n, steps=0, **options) for n in range(seed, seed + 20))
        if states[0].on_turn == A
    )


def test_at_the_deal_every_unseen_card_is_equally_likely_in_the_opponents_hand():
    state = first_turn()
    unseen = Counter(state.sides[B].hand + state.source)

    seen = Counter(face for one in imagined(state, A, 1500) for face in one.sides[B].hand)

    shares = {face: number / 47 for face, number in unseen.items()}
    assert chi_square(seen, shares) < 28  # 12 degrees of freedom: 1 in 200 is above


@pytest.mark.parametrize("place", ["own stock", "other stock", "aside"])
def test_the_hidden_cards_of_the_first_pack_are_equally_likely_everywhere(place):
    state = first_turn(stock=13)
    hidden = Counter(state.sides[A].stock[:-1] + state.sides[B].stock[:-1] + state.series.aside)

    seen = Counter(
        {
            "own stock": one.sides[A].stock[-2],
            "other stock": one.sides[B].stock[0],
            "aside": one.series.aside[7],
        }[place]
        for one in imagined(state, A, 1500)
    )

    shares = {face: number / 50 for face, number in hidden.items()}
    assert chi_square(seen, shares) < 28


def test_every_order_of_the_source_is_equally_likely():
    state = first_turn()
    unseen = Counter(state.sides[B].hand + state.source)

    seen = Counter(one.source[-1] for one in imagined(state, A, 1500))

    assert chi_square(seen, {face: number / 47 for face, number in unseen.items()}) < 28


def test_a_card_shown_by_a_hand_makes_more_of_its_rank_likelier():
    """The evidence is that five cards held a seven at all, not which seven it was.

    So the number of sevens j in the five has the weight C(n, j) C(47 - n, 5 - j), for j of at least
    1.
    """
    theirs = first_turn(strict_draw=True)
    theirs = play(theirs, next(str(m) for m in SPITE.legal_moves(theirs, A) if m.kind == "discard"))
    face = theirs.sides[B].hand[0]
    view = SPITE.observe(theirs, A)
    n = Counter(theirs.sides[B].hand + theirs.source)[face]

    after = play(theirs, f"{face}>d1")
    seen = Counter(one.sides[B].hand.count(face) for one in imagined(after, A, 3000))

    weights = {j - 1: comb(n, j) * comb(47 - n, 5 - j) for j in range(1, n + 1)}
    total = sum(weights.values())
    assert view.sides[B].hand == 5
    assert chi_square(seen, {j: weight / total for j, weight in weights.items()}) < 15


def test_an_unseen_card_of_an_older_source_is_in_the_opponents_hand():
    states = [
        (state, seat)
        for seed in range(4)
        for state in match(seed, steps=400)[::17]
        for seat in (A, B)
        if any(one.carried for one in state.sides)
    ]
    checked = 0
    for state, seat in states:
        other = state.sides[1 - seat]
        older = Counter(other.carried) - given_away(other.trail)
        for one in imagined(state, seat, 3):
            assert not older - Counter(one.sides[1 - seat].hand)
            checked += bool(older)

    assert checked > 50


@pytest.mark.parametrize(
    ("options", "piles", "lacked"),
    [
        ({}, ("A",), ""),
        ({"forced": "aces"}, (), "A"),
        ({"forced": "aces"}, ("A",), "A"),
        ({"forced": "aces-and-twos"}, ("A 2",), "A"),
        ({"forced": "aces-and-twos"}, ("A 2", "K"), "A 2"),
        ({"forced": "aces", "foundations": 3}, ("A", "A", "A"), ""),
        ({"forced": "aces-and-twos", "foundations": 3}, ("A", "A", "A"), "2"),
    ],
)
def test_a_discard_shows_which_forced_cards_the_hand_lacked(options, piles, lacked):
    state = play(position(side(hand="5 8"), piles=piles, **options), "5>d1")

    assert state.sides[A].trail == (Gave("5", 1, cards(lacked)),)


def after_discards(**options):
    """Positions just after a discard, each with the seat that made it."""
    return [
        (after, before.on_turn)
        for seed in range(3)
        for before, after in pairwise(match(seed, steps=150, **options))
        if after.on_turn != before.on_turn and after.sides[before.on_turn].hand
    ]


def test_no_hand_is_imagined_with_a_card_that_would_have_been_forced():
    positions = after_discards(forced="aces-and-twos")

    assert len(positions) > 50
    for state, seat in positions:
        step = state.sides[seat].trail[-1] if state.sides[seat].trail else None
        lacked = step.lacked if isinstance(step, Gave) else ()
        for one in imagined(state, 1 - seat, 5):
            assert not set(one.sides[seat].hand) & set(lacked)


def test_if_nothing_is_forced_such_cards_are_imagined():
    faces = {
        face
        for state, seat in after_discards()
        for one in imagined(state, 1 - seat, 5)
        for face in one.sides[seat].hand
    }

    assert {"A", "2"} <= faces


@pytest.mark.parametrize("seat", [A, B])
def test_an_imagined_state_looks_the_same_to_the_seat(seat):
    for state in match(7, steps=300, stock=20)[::10]:
        view = SPITE.observe(state, seat)
        for one in imagined(state, seat, 2):
            assert SPITE.observe(one, seat) == view


def test_imagining_still_works_after_the_last_card():
    end = match(2, steps=3000, stock=3)[-1]

    assert not SPITE.awaiting(end)
    for seat in (A, B):
        (one,) = imagined(end, seat, 1)
        assert SPITE.outcome(one) == SPITE.outcome(end)


@pytest.mark.parametrize("seat", [B, None])
def test_nothing_can_be_imagined_from_another_seats_view(seat):
    state = first_turn()

    with pytest.raises(ValueError, match="not the view of seat 0"):
        SPITE.imagine(SPITE.observe(state, seat), A, Chance("1", 1))
