"""How the computer plays Pico with three: it solves the round backward and estimates later rounds.

If one player has left, the match of the other two is solved.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from games.chance import Chance
from games.computer import Assessment
from games.core import Seat
from games.equilibrium import regret_matching, solve
from games.pico import DECKS, PICO, Card, Options
from games.pico.computer import leads, tricks
from games.pico.computer.heuristics import dots_ahead
from games.pico.computer.leads import later_leads
from games.pico.computer.matching import mixes_by_regret
from games.pico.computer.player import STEADY, STRONG, PicoComputer
from games.pico.computer.solution import advice
from games.pico.computer.three import RoundOfThree
from games.pico.computer.tricks import ends_of_round, next_trick

pytestmark = pytest.mark.slow

COMPUTER = PicoComputer()
SEATS = tuple(Seat(i) for i in range(3))
NEVER = Chance("not to be drawn from", 0)
TURNS = 12
HANDS = ((5, 9, 16), (4, 6, 9), (7, 8))
"""The rest of a round: equal cards in two hands, one too high, and hands of unequal size."""

PAIRS = ((5, 9, 9), (4, 6, 16), (8, 8))
"""The same with equal cards in one hand."""


def last_round(hands=HANDS, dots=(3, 2, 4)):
    whole = PICO.setup(Options(deck="pico1-three"), 3, Chance("a deal", 0))
    return replace(whole, round=3, hands=hands, won=((),) * 3, totals=(dots, (0, 0, 0)))


def first_round(deck="pico2-three", cards=4):
    """A round before its first trick, with fewer cards than are dealt."""
    whole = PICO.setup(Options(deck=deck), 3, Chance("a deal", 0))
    return replace(whole, hands=tuple(hand[:cards] for hand in whole.hands))


def shares(state):
    ranks = np.array(PICO.outcome(state).ranks)
    return (ranks == 1) / (ranks == 1).sum()


def ends(state, whole):
    return ends_of_round(PICO.observe(state, None), whole)


def solved(state, greed=0.0):
    whole = RoundOfThree(state.hands, DECKS[state.options.deck].dots)
    return whole, whole.solve(ends(state, whole), TURNS, greed)


def greedy_mix(state, seat):
    ahead = dots_ahead(PICO.observe(state, None), seat)
    best = ahead >= ahead.max() - 1e-9
    return best / best.sum()


def in_proportion(weights):
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))


def against(table, met, seat):
    """What each card of a seat is worth against the mixes of the others."""
    first, second = (met[other] for other in SEATS if other != seat)
    return np.einsum("abc,b,c->a", np.moveaxis(table[seat], seat, 0), first, second)


class ByTheRules:
    """The same mixes and worths, found position by position by playing by the rules."""

    def __init__(self, greed):
        self.greed = greed
        self._found = cache(self._find)

    def worth(self, state):
        if not PICO.awaiting(state):
            return shares(state)
        won = tuple(tuple(sorted(cards)) for cards in state.won)
        return self._found(replace(state, last=None, won=won))[0]

    def mixes(self, state):
        return self._found(state)[1]

    def table(self, state):
        """What each trick is worth to each seat."""
        table = np.zeros((3, *map(len, state.hands)))
        for at in np.ndindex(table.shape[1:]):
            moves = {seat: Card(state.hands[seat][at[seat]]) for seat in SEATS}
            table[(slice(None), *at)] = self.worth(PICO.play(state, moves, NEVER))
        return table

    def _find(self, state):
        table = self.table(state)
        greedy = [greedy_mix(state, seat) for seat in SEATS]
        mixes = self._matched(table, greedy)
        cards = [self._cards(table, mixes, greedy, seat) for seat in SEATS]
        return [float(cards[seat] @ mixes[seat]) for seat in SEATS], mixes

    def _matched(self, table, greedy):
        regrets = [np.zeros(length) for length in table.shape[1:]]
        sums = [np.zeros(length) for length in table.shape[1:]]
        for turn in range(1, TURNS + 1):
            for seat in SEATS:
                mixes = [in_proportion(regret) for regret in regrets]
                worth = self._cards(table, mixes, greedy, seat)
                regrets[seat] = np.maximum(regrets[seat] + worth - worth @ mixes[seat], 0)
                sums[seat] += turn * in_proportion(regrets[seat])
        return [in_proportion(total) for total in sums]

    def _cards(self, table, mixes, greedy, seat):
        usual, sometimes = (against(table, met, seat) for met in (mixes, greedy))
        return (1 - self.greed) * usual + self.greed * sometimes


@pytest.mark.parametrize("hands", [HANDS, PAIRS], ids=["all different", "equal cards"])
@pytest.mark.parametrize("greed", [0.0, 0.3], ids=["even", "greedy"])
def test_a_round_solved_backward_has_the_same_result_as_playing_by_the_rules(hands, greed):
    state, by_rules = last_round(hands), ByTheRules(greed)

    _, found = solved(state, greed)

    assert_allclose(found.worths[:, -1], by_rules.worth(state), atol=1e-4)
    for mixed, expected in zip(found.mixes[-1], by_rules.mixes(state), strict=True):
        assert_allclose(mixed[:, 0], expected, atol=1e-3)


def test_many_games_matched_at_once_have_the_results_of_each_alone():
    payoffs = np.random.default_rng(1).random((5, 3, 2, 3, 4))
    tables = [
        np.moveaxis(payoffs[:, seat], (seat + 1, 0), (0, -1)).reshape(length, -1, 5)
        for seat, length in enumerate((2, 3, 4))
    ]
    nobody = [np.zeros((length, 5)) for length in (2, 3, 4)]

    together = mixes_by_regret([table.astype(np.float32) for table in tables], 40, nobody, 0)

    for number, game in enumerate(payoffs):
        alone, _ = regret_matching(game, 40)
        for seat in SEATS:
            assert_allclose(together[seat][:, number], alone[seat], atol=1e-3)


def test_in_every_position_the_seats_share_exactly_one_win():
    _, found = solved(first_round())

    assert_allclose(found.worths.sum(axis=0), 1, atol=1e-4)


def test_the_mix_of_every_position_is_a_probability_distribution():
    state = last_round(hands=((5, 5, 9), (4, 6, 6), (7, 8, 8)))
    whole, found = solved(state, greed=0.2)

    assert sum(len(size.numbers) for size in whole.sizes) == 3**3  # a pair counts once
    for mixes in found.mixes:
        for mixed in mixes:
            assert (mixed >= 0).all()
            assert_allclose(mixed.sum(axis=0), 1, atol=1e-5)


def test_a_round_solved_from_any_position_agrees_with_the_whole_round():
    """So an opponent who knows the mixes of the whole round knows what is played later."""
    state = last_round()
    whole, found = solved(state)
    moves = {seat: Card(face) for seat, face in zip(SEATS, (9, 9, 8), strict=True)}
    later = PICO.play(state, moves, NEVER)
    assert later.hands == ((5, 16), (4, 6), (7, 8))

    _, alone = solved(later)

    after = int(whole.after(whole.sizes[-1])[1, 2, 1, 0])
    (size,) = (i for i, each in enumerate(whole.sizes) if after in each.numbers)
    place = whole.sizes[size].numbers.tolist().index(after)
    assert_allclose(alone.worths[:, -1], found.worths[:, after], atol=1e-5)
    for seat in SEATS:
        assert_allclose(alone.mixes[-1][seat][:, 0], found.mixes[size][seat][:, place], atol=1e-5)


def test_greedy_cards_are_those_of_the_steady_level():
    state = first_round(cards=6)
    whole = RoundOfThree(state.hands, DECKS[state.options.deck].dots)

    found = whole.greedy(whole.sizes[-1])

    for seat in SEATS:
        steady = COMPUTER.mix(PICO.observe(state, None), seat, STEADY)
        assert_allclose(found[seat][:, 0], steady, atol=1e-6)


def test_the_worth_of_a_round_is_the_mean_over_its_possible_ends():
    state = first_round()
    whole, found = solved(state)

    won, likely = whole.ends(found.mixes)

    worth = ends(state, whole)
    by_won = {tuple(dots): worth[:, i] for i, dots in enumerate(whole.won)}
    assert likely.sum() == pytest.approx(1)
    mean = sum(share * by_won[tuple(dots)] for dots, share in zip(won, likely, strict=True))
    assert_allclose(mean, found.worths[:, -1], atol=1e-4)


@pytest.mark.parametrize(
    ("totals", "expected"),
    [((9, 4, 8), (1, 0, 0)), ((9, 9, 8), (1 / 2, 1 / 2, 0)), ((7, 7, 7), (1 / 3, 1 / 3, 1 / 3))],
)
def test_after_the_last_round_the_most_dots_win_and_equal_ones_share(totals, expected):
    nothing = later_leads("pico1-three", ((4, 5), (6, 7), (8, 9)), 0)

    assert_allclose(nothing.shares(np.array([totals])), [expected])


def test_the_next_round_is_estimated_as_if_it_were_the_whole_match():
    """The sets are passed to the right: what seat 1 holds now, seat 0 will hold then."""
    hands = ((4, 8, 16), (5, 9, 10), (6, 7, 13))
    whole = RoundOfThree(hands, DECKS["pico1-three"].dots)
    best = whole.won == whole.won.max(axis=1, keepdims=True)
    alone = whole.solve((best / best.sum(axis=1, keepdims=True)).T, leads.TURNS, 0)
    won, likely = whole.ends(alone.mixes)

    next_round = later_leads("pico1-three", (hands[2], hands[0], hands[1]), 1)

    assert_allclose(
        average_lead(next_round.dots, next_round.likely), average_lead(won, likely), atol=1e-6
    )
    assert np.ptp(average_lead(won, likely)) > 0.1
    assert next_round.likely.sum() == pytest.approx(1)


def test_the_round_after_next_is_estimated_with_the_sets_passed_on_again():
    sets = ((6, 7, 13), (4, 8, 16), (5, 9, 10))

    one, two = (later_leads("pico1-three", sets, rounds) for rounds in (1, 2))

    next_round = average_lead(one.dots, one.likely)
    both = [next_round[seat] + next_round[(seat + 1) % 3] for seat in SEATS]
    assert_allclose(average_lead(two.dots, two.likely), both, atol=1e-6)


def average_lead(dots, likely):
    return likely @ (dots - dots.mean(axis=1, keepdims=True))


def test_a_match_that_is_won_stays_won_whatever_is_played():
    state = last_round(dots=(30, 2, 4))

    trick = next_trick(PICO.observe(state, Seat(0)), TURNS)

    assert_allclose(trick.worths[0], 1, atol=1e-5)


@pytest.mark.parametrize(
    ("seat", "hands"),
    [
        (Seat(0), ((3, 10, 16), (6, 8, 10), (4, 6, 13))),
        (Seat(1), ((9, 10, 10), (5, 9, 13), (3, 4, 16))),
    ],
)
def test_where_it_costs_little_the_strong_level_plays_against_greed(seat, hands, monkeypatch):
    """Both plays are equally good if the opponents foresee it, but not if they are greedy."""
    state = last_round(hands=hands, dots=(0, 0, 0))
    met, by_rules = [greedy_mix(state, other) for other in SEATS], ByTheRules(greed=0.0)
    worths = against(by_rules.table(state), met, seat)
    view = PICO.observe(state, seat)

    expecting = COMPUTER.mix(view, seat, STRONG) @ worths
    monkeypatch.setattr(tricks, "GREED", 0.0)
    tricks._solved_trick.cache_clear()
    even = COMPUTER.mix(view, seat, STRONG) @ worths
    tricks._solved_trick.cache_clear()

    assert expecting > even + 0.5


def test_cached_results_change_no_choice():
    view = PICO.observe(first_round(), Seat(1))

    before = COMPUTER.mix(view, Seat(1), STRONG)
    tricks._solved_trick.cache_clear()

    assert_allclose(COMPUTER.mix(view, Seat(1), STRONG), before, atol=0)


def of_two(hands, left, **changes):
    """A match of three that one player has left."""
    whole = PICO.setup(Options(deck="pico1-three"), 3, Chance("a deal", 0))
    return PICO.concede(
        replace(whole, **{"hands": hands, "won": ((),) * 3, **changes}), left, NEVER
    )


@cache
def worth_by_the_rules(state, first, second):
    """P(win) - P(loss) of the first of two players, found by playing by the rules."""
    over = PICO.outcome(state)
    if over is not None:
        return float(np.sign(over.scores[first] - over.scores[second]))

    def worth_after(mine, theirs):
        end = PICO.play(state, {first: mine, second: theirs}, NEVER)
        return worth_by_the_rules(replace(end, last=None), first, second)

    table = [
        [worth_after(mine, theirs) for theirs in PICO.legal_moves(state, second)]
        for mine in PICO.legal_moves(state, first)
    ]
    return solve(table).value


@pytest.mark.parametrize(
    ("hands", "changes"),
    [
        (((3, 5), (4, 9), (7, 8, 13)), {}),
        (((4, 10, 16), (3, 7), (4, 5, 16)), {"round": 2, "totals": ((3, 0, 1),)}),
        (
            ((3, 5, 8), (4, 10, 16, 16), (5, 7)),
            {"round": 3, "totals": ((3, 1, 0), (0, 0, 0)), "won": ((6,), (9,), ())},
        ),
    ],
    ids=["from the first round on", "from the second on", "in the third"],
)
def test_a_match_that_two_of_three_continue_is_solved_to_its_end(hands, changes):
    state = of_two(hands, Seat(changes.get("round", 1) - 1), **changes)
    view = PICO.observe(state, None)
    first, second = view.awaiting

    expected = worth_by_the_rules(state, first, second)

    assert 0 < abs(expected) < 1
    assert advice(view, first).worth == pytest.approx(expected, abs=1e-9)
    assert advice(view, second).worth == pytest.approx(-expected, abs=1e-9)


def test_the_remaining_two_of_three_do_not_risk_a_certain_win():
    """The 13 wins every trick that matters. The 4 loses to the 8, and then all may be lost."""
    hands = ((4, 13), (5, 5, 6, 7, 8, 9), (3, 10))
    state = of_two(hands, Seat(2), round=3, totals=((30, 25, 0), (0, 0, 0)))
    view = PICO.observe(state, Seat(0))

    bad, good = (COMPUTER.assess(view, Seat(0), Card(face), NEVER) for face in hands[0])

    assert (bad, good) == (None, Assessment(better=None, cost=0.0))
    assert_allclose(COMPUTER.mix(view, Seat(0), STRONG), [0, 1], atol=1e-9)


@pytest.mark.parametrize("left", SEATS)
def test_if_one_of_three_has_left_the_others_play_by_the_rule_for_two(left):
    state = PICO.concede(first_round(cards=6), left, NEVER)
    seats = PICO.awaiting(state)

    mixes = {seat: COMPUTER.mix(PICO.observe(state, seat), seat, STRONG) for seat in seats}
    moves = {
        seat: COMPUTER.choose(PICO.observe(state, seat), seat, STRONG, Chance("left", 1))
        for seat in seats
    }

    assert [len(mixed) for mixed in mixes.values()] == [6, 6]
    assert PICO.play(state, moves, NEVER).last is not None


def test_if_one_of_three_has_left_the_coach_considers_two():
    """The 9 wins whatever the opponent plays."""
    state = PICO.concede(last_round(((5, 9), (4, 6), (7, 8))), Seat(1), NEVER)
    view = PICO.observe(state, Seat(0))

    good, bad = (COMPUTER.assess(view, Seat(0), Card(face), NEVER) for face in (9, 5))

    assert (good.better, bad.better) == (None, Card(9))
    assert bad.cost > 1
    assert COMPUTER.mixing(view, Seat(0), Card(9)) is None
