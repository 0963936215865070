"""Randomness that can be replayed."""

from collections import Counter
from itertools import permutations

import pytest

from games.chance import Chance

SEED = "58a1e0e8bb6ceb1c3b0d0e6c4cf3c9d0f2a0c7d1b5e9f8a7c6d5e4f3a2b1c0d9"


@pytest.mark.parametrize(
    ("step", "numbers"),
    [
        (0, [32, 20, 4, 86, 84, 6, 34, 75]),
        (1, [21, 81, 22, 50, 24, 21, 97, 83]),
    ],
)
def test_the_numbers_of_a_seed_and_step_never_change(step, numbers):
    """Every stored match is replayed with them, so a change here would lose them all."""
    chance = Chance(SEED, step)

    assert [chance.below(100) for _ in range(8)] == numbers


def test_the_shuffle_of_a_seed_never_changes():
    assert Chance(SEED, 7).shuffled(range(2, 17)) == (
        16,
        5,
        6,
        7,
        12,
        8,
        2,
        4,
        11,
        13,
        10,
        14,
        15,
        9,
        3,
    )


def test_the_pick_of_a_seed_never_changes():
    chance = Chance(SEED, 7)

    assert "".join(chance.pick("abcdefgh") for _ in range(8)) == "aeefgfgc"


def test_a_chance_created_again_repeats_its_draws():
    assert Chance(SEED, 3).shuffled(range(50)) == Chance(SEED, 3).shuffled(range(50))


@pytest.mark.parametrize("other", [Chance(SEED, 4), Chance(SEED[::-1], 3)], ids=["step", "seed"])
def test_another_step_or_seed_draws_different_numbers(other):
    assert other.shuffled(range(50)) != Chance(SEED, 3).shuffled(range(50))


def test_different_pairs_of_seed_and_step_are_never_confused():
    """Steps are written after the seed: 1 and 23 must not read like 12 and 3."""
    assert Chance("1", 23).shuffled(range(50)) != Chance("12", 3).shuffled(range(50))


def test_two_chances_draw_independently():
    one, other = Chance(SEED, 3), Chance(SEED, 3)
    first = [one.below(100) for _ in range(8)]

    assert [other.below(100) for _ in range(8)] == first


def test_below_draws_each_number_about_equally_often():
    """20,000 draws of 10: each is expected 2,000 times, with a standard deviation of 42."""
    chance = Chance(SEED, 5)

    counts = Counter(chance.below(10) for _ in range(20_000))

    assert sorted(counts) == list(range(10))
    assert all(abs(count - 2000) < 4 * 42 for count in counts.values())


def test_below_one_is_always_zero():
    chance = Chance(SEED, 5)

    assert {chance.below(1) for _ in range(100)} == {0}


def test_all_orders_of_a_shuffle_are_about_equally_frequent():
    """24,000 shuffles of 4: each order is expected 1,000 times, with a standard deviation of 31."""
    chance = Chance(SEED, 6)

    counts = Counter(chance.shuffled("ABCD") for _ in range(24_000))

    assert set(counts) == set(permutations("ABCD"))
    assert all(abs(count - 1000) < 4.5 * 31 for count in counts.values())


def test_a_pick_can_be_any_of_the_items_and_nothing_else():
    chance = Chance(SEED, 8)

    assert {chance.pick("ABC") for _ in range(100)} == set("ABC")


def test_a_shuffle_changes_no_items_and_loses_none():
    items = [3, 1, 2, 2]

    assert sorted(Chance(SEED, 9).shuffled(items)) == [1, 2, 2, 3]
    assert items == [3, 1, 2, 2]


def test_a_shuffle_of_nothing_is_empty():
    assert Chance(SEED, 9).shuffled(()) == ()


@pytest.mark.parametrize("n", [0, -1])
def test_nothing_can_be_drawn_below_zero(n):
    with pytest.raises(ValueError, match=f"below 1 or more, not below {n}\\.$"):
        Chance(SEED, 0).below(n)


def test_nothing_can_be_picked_from_nothing():
    with pytest.raises(ValueError, match="below 1 or more"):
        Chance(SEED, 0).pick(())
