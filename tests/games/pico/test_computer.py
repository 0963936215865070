from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose

from games.chance import Chance
from games.computer import Assessment, Level
from games.core import Seat
from games.pico import DECKS, PICO, Card, Options
from games.pico.computer import player
from games.pico.computer.heuristics import chances
from games.pico.computer.player import BEGINNER, EASY, PERFECT, STEADY, STRONG, PicoComputer

COMPUTER = PicoComputer()
TWO = [name for name, deck in DECKS.items() if deck.seats == 2]
THREE = [name for name, deck in DECKS.items() if deck.seats == 3]
A, B, C = Seat(0), Seat(1), Seat(2)
NEVER = Chance("not to be drawn from", 0)


def deal(deck="standard", seed="a deal"):
    return PICO.setup(Options(deck=deck), DECKS[deck].seats, Chance(seed, 0))


def after_random_play(deck, tricks, seed="a deal"):
    state, chance = deal(deck, seed), Chance(seed, 1)
    for _ in range(tricks):
        state = PICO.play(
            state, {seat: PICO.fallback(state, seat, chance) for seat in (A, B)}, NEVER
        )
    return state


def near_the_end(mine, theirs, lead=0):
    """Seat 0 holds `mine` in the last round and is ahead by `lead` dots."""
    return replace(
        deal(),
        round=2,
        spare=16,
        hands=(mine, theirs),
        won=((), ()),
        totals=((max(lead, 0), max(-lead, 0)),),
    )


def last_of_three(hands):
    """The last round of three players with these hands, each seat having four dots."""
    totals = ((2, 2, 2), (2, 2, 2))
    return replace(deal("pico1-three"), round=3, hands=hands, totals=totals)


def won_by(level, others, matches):
    """The share of three-player matches that a level wins; a shared first place counts in part."""
    won = 0.0
    for number in range(matches):
        state = PICO.setup(Options(deck="pico2-three"), 3, Chance(f"match {number}", 0))
        step = 0
        while awaited := sorted(PICO.awaiting(state)):
            step += 1
            moves = {
                seat: COMPUTER.choose(
                    PICO.observe(state, seat),
                    seat,
                    level if seat == number % 3 else others,
                    Chance(f"{number} {seat}", step),
                )
                for seat in awaited
            }
            state = PICO.play(state, moves, Chance(f"match {number}", step))
        ranks = PICO.outcome(state).ranks
        won += (ranks[number % 3] == 1) / ranks.count(1)
    return won / matches


def mix(state, seat, level=PERFECT):
    return COMPUTER.mix(PICO.observe(state, seat), seat, level)


class Adversary:
    """The best answers of seat 1 to the perfect level in seat 0, knowing its mixes.

    It plays by the rules to the end. Positions that differ only in the order in which cards were
    won are evaluated once.
    """

    def __init__(self):
        self._worst = cache(self._worst_of)

    def worth(self, state):
        """P(win) - P(loss) of the perfect level against this adversary."""
        over = PICO.outcome(state)
        if over is not None:
            return float(np.sign(over.scores[A] - over.scores[B]))
        won = tuple(tuple(sorted(cards)) for cards in state.won)
        return self._worst(replace(state, last=None, won=won))

    def _worst_of(self, state):
        mixed = mix(state, A)
        return min(
            sum(
                share * self.worth(PICO.play(state, {A: Card(face), B: answer}, NEVER))
                for face, share in zip(state.hands[A], mixed, strict=True)
            )
            for answer in PICO.legal_moves(state, B)
        )


@pytest.mark.parametrize(
    ("deck", "tricks", "seed"),
    [("pico1", 7, "a"), ("pico2", 7, "b"), ("standard", 10, "h"), ("standard", 12, "c")],
)
def test_nobody_gains_against_the_perfect_level_even_if_they_know_it(deck, tricks, seed):
    state = after_random_play(deck, tricks, seed)

    worst = Adversary().worth(state)

    assert worst == pytest.approx(COMPUTER.luck(PICO.observe(state, A), A), abs=1e-9)


@pytest.mark.parametrize("deck", TWO)
def test_a_deal_is_worth_to_one_seat_what_it_costs_the_other(deck):
    state = deal(deck)

    luck = [COMPUTER.luck(PICO.observe(state, seat), seat) for seat in (A, B)]

    assert luck[A] == pytest.approx(-luck[B], abs=1e-12)
    assert luck[A] != 0


def test_the_lead_and_the_exchange_of_sets_are_foreseen():
    """The second round begins with the dots of the first and the opponent's cards."""
    whole = deal()
    state = replace(
        whole,
        hands=tuple(hand[:2] for hand in whole.hands),
        won=tuple(hand[2:] for hand in whole.hands),
    )
    choices = [(a, b) for a in PICO.legal_moves(state, A) for b in PICO.legal_moves(state, B)]
    view = PICO.observe(state, A)
    ends = [PICO.play(state, {A: a, B: b}, NEVER) for a, b in choices]
    assert {end.round for end in ends} == {2}

    worths = [COMPUTER.luck(PICO.observe(end, A), A) for end in ends]

    matrix = np.array(worths).reshape(len(state.hands[A]), -1)
    mixes = mix(state, A), mix(state, B)
    assert mixes[A] @ matrix @ mixes[B] == pytest.approx(COMPUTER.luck(view, A), abs=1e-12)


def test_a_match_that_can_be_won_for_certain_is_won():
    state = near_the_end(mine=(7, 9), theirs=(5, 8))  # the 9 beats both

    assert COMPUTER.luck(PICO.observe(state, A), A) == pytest.approx(1)
    assert_allclose(mix(state, A), [0, 1], atol=1e-9)


def test_among_equal_cards_the_perfect_level_plays_what_beats_opponents_who_err():
    """It is slightly behind, which loses against best play but not against an opponent who errs."""
    state = near_the_end(mine=(2, 7), theirs=(8, 16), lead=-2)
    view = PICO.observe(state, A)
    assert COMPUTER.luck(view, A) == pytest.approx(-1)

    assert_allclose(mix(state, A), [0, 1], atol=1e-9)


def test_the_perfect_level_expects_opponents_who_err_to_like_big_cards():
    """With best play it has lost. The 16 loses to the 5, and gets furthest ahead on average."""
    state = near_the_end(mine=(5, 10, 11), theirs=(3, 6, 16), lead=1)
    assert COMPUTER.luck(PICO.observe(state, A), A) == pytest.approx(-1)
    assert_allclose(mix(state, B, STEADY), [0, 0, 1])

    assert_allclose(mix(state, A), [1, 0, 0], atol=1e-9)


@pytest.mark.parametrize("lead", [30, -30], ids=["won", "lost"])
def test_when_the_match_is_decided_the_perfect_level_plays_for_dots(lead):
    state = near_the_end(mine=(3, 7, 9), theirs=(5, 8, 10), lead=lead)

    assert_allclose(mix(state, A), mix(state, A, STEADY))


def test_the_steady_level_plays_the_card_that_gets_furthest_ahead_on_average():
    """Not the one that wins most dots: the 8 and the 12 win more than the 2, but also lose more."""
    near = near_the_end(mine=(7, 9), theirs=(5, 8))
    far = near_the_end(mine=(2, 3, 7, 8, 12, 13), theirs=(4, 5, 6, 10, 11, 16))

    assert_allclose(mix(near, A, STEADY), [0, 1])
    assert_allclose(mix(far, A, STEADY), [1, 0, 0, 0, 0, 0])
    assert "furthest ahead in dots, on average" in STEADY.says


def test_the_beginner_plays_one_of_its_two_highest_cards():
    assert_allclose(mix(deal(), A, BEGINNER), [0, 0, 0, 0, 0.5, 0.5])
    assert_allclose(mix(near_the_end(mine=(7, 9), theirs=(5, 8)), A, BEGINNER), [0.5, 0.5])


def test_with_three_the_beginner_plays_one_of_its_two_lowest_cards_and_is_weaker_than_easy():
    state = PICO.setup(Options(deck="pico1-three"), 3, Chance("a deal", 0))
    left = PICO.concede(state, Seat(2), Chance("a deal", 1))

    assert_allclose(mix(state, A, BEGINNER)[:3], [0.5, 0.5, 0])
    assert_allclose(mix(left, A, BEGINNER)[-3:], [0, 0.5, 0.5])
    assert won_by(BEGINNER, EASY, 60) < 1 / 3 < won_by(EASY, BEGINNER, 60)


def test_the_easy_level_plays_any_card():
    assert_allclose(mix(deal(), A, EASY), [1 / 6] * 6)


def test_the_strong_level_does_not_lose_a_match_that_one_card_wins():
    state = near_the_end(mine=(7, 9), theirs=(5, 8))

    assert mix(state, A, STRONG)[1] == pytest.approx(1)
    assert mix(state, B, STRONG).sum() == pytest.approx(1)


def test_the_strong_level_does_not_risk_a_certain_win():
    """Only the 4 wins for certain; the 6 and the 12 are as good against most cards."""
    state = near_the_end(mine=(4, 6, 12), theirs=(2, 8, 16), lead=3)
    assert COMPUTER.luck(PICO.observe(state, A), A) == pytest.approx(1)

    assert_allclose(mix(state, A, STRONG), [1, 0, 0], atol=1e-9)


@pytest.mark.parametrize("seat", [A, B])
def test_the_strong_level_expects_some_greed(seat, monkeypatch):
    state, other = deal(seed="i"), Seat(1 - seat)
    guess = chances(PICO.observe(state, None))[seat]
    worths = (guess if seat == A else guess.T) @ mix(state, other, STEADY)

    expecting = mix(state, seat, STRONG) @ worths
    monkeypatch.setattr(player, "_GREED_PROBABILITY", 0.0)
    even = mix(state, seat, STRONG) @ worths

    assert expecting > even + 0.01


@pytest.mark.parametrize("seat", [A, B, C])
def test_with_three_the_strong_level_plays_the_card_that_wins_the_match(seat):
    hands = ((5, 9), (4, 6), (7, 8))  # the 9 wins whatever the others play
    passed_on = tuple(hands[(i - seat) % 3] for i in range(3))

    assert mix(last_of_three(passed_on), seat, STRONG)[1] > 0.95


@pytest.mark.parametrize("deck", THREE)
def test_with_three_every_level_plays_a_match_to_its_end_with_legal_cards(deck):
    whole, chance = deal(deck), Chance("a match", 1)
    state = replace(whole, hands=tuple(hand[::2] for hand in whole.hands))
    levels = {A: EASY, B: STEADY, C: STRONG}

    while PICO.awaiting(state):
        views = {seat: PICO.observe(state, seat) for seat in levels}
        state = PICO.play(
            state,
            {seat: COMPUTER.choose(views[seat], seat, levels[seat], chance) for seat in levels},
            NEVER,
        )

    assert len(state.totals) == 3


@pytest.mark.parametrize("deck", TWO)
@pytest.mark.parametrize("level", COMPUTER.levels, ids=lambda level: level.key)
def test_every_level_chooses_legal_cards_reproducibly(deck, level):
    state, chance = deal(deck), Chance("a match", 1)

    while PICO.awaiting(state):
        views = {seat: PICO.observe(state, seat) for seat in (A, B)}
        again = [COMPUTER.choose(views[A], A, level, Chance("twice", 7)) for _ in range(2)]
        assert again[0] == again[1]
        state = PICO.play(
            state,
            {seat: COMPUTER.choose(views[seat], seat, level, chance) for seat in views},
            NEVER,
        )

    assert PICO.outcome(state) is not None


def test_the_perfect_level_exists_only_for_two_players():
    keys = [
        [level.key for level in COMPUTER.levels_for(Options(deck=deck), seats)]
        for deck, seats in (("standard", 2), ("pico1-three", 3))
    ]

    assert keys == [
        ["beginner", "easy", "steady", "strong", "perfect"],
        ["beginner", "easy", "steady", "strong"],
    ]


def test_an_unknown_level_is_refused():
    with pytest.raises(ValueError, match="no level 'godlike'"):
        mix(deal(), A, Level("godlike", 0, "No."))


def test_the_coach_says_what_a_card_gave_up_and_which_was_better():
    state = near_the_end(mine=(7, 9), theirs=(5, 8))
    view = PICO.observe(state, A)

    good, bad = (COMPUTER.assess(view, A, Card(face), NEVER) for face in (9, 7))

    assert (good.better, good.cost) == (None, 0)
    assert bad.better == Card(9)
    assert bad.cost == pytest.approx(2)  # 8 takes the 7, which loses a match that was won


def test_the_coach_says_nothing_about_a_card_that_only_one_of_the_best_plays_punishes():
    """The 5 beats the 11 and the 6 doesn't; the opponent draws with either, and may play either."""
    state = near_the_end(mine=(9, 11), theirs=(5, 6), lead=-3)
    view = PICO.observe(state, A)

    assessments = [COMPUTER.assess(view, A, Card(face), NEVER) for face in (9, 11)]

    assert COMPUTER.luck(view, A) == pytest.approx(0)
    assert assessments == [Assessment(better=None, cost=0.0), None]


def test_the_coach_recommends_a_card_of_best_play():
    """The 9 is as good as the 12 if they play 7 twice as often as 10; but they can play less of it,
    as perfectly, and then the 9 is worse."""
    state = near_the_end(mine=(4, 5, 9, 12), theirs=(7, 10), lead=-1)

    assessment = COMPUTER.assess(PICO.observe(state, A), A, Card(5), NEVER)

    assert assessment == Assessment(better=Card(12), cost=pytest.approx(4 / 3))


def test_the_coach_never_calls_a_card_free_that_gives_up_a_certain_win():
    """The 12 beats the 10; an opponent who has lost with best play may play anything."""
    view = PICO.observe(near_the_end(mine=(10, 16), theirs=(6, 12, 13), lead=2), A)

    assessments = [COMPUTER.assess(view, A, Card(face), NEVER) for face in (10, 16)]

    assert assessments == [None, Assessment(better=None, cost=0.0)]


@pytest.mark.parametrize("face", [7, 9])
def test_no_card_should_be_hidden_if_one_is_best_against_all(face):
    view = PICO.observe(near_the_end(mine=(7, 9), theirs=(5, 8)), A)

    assert COMPUTER.mixing(view, A, Card(face)) is None


def test_with_three_no_card_is_said_to_be_worth_hiding():
    """Against two opponents, there is no exact solution that shows whether mixing pays."""
    view = PICO.observe(last_of_three(((5, 9), (4, 6), (7, 8))), A)

    assert {COMPUTER.mixing(view, A, Card(face)) for face in (5, 9)} == {None}


def test_the_card_that_wins_most_dots_can_be_foreseen():
    view = PICO.observe(deal(), A)
    shares = dict(zip(view.hands[A], mix(deal(), A), strict=True))
    greedy = [f for f, share in zip(view.hands[A], mix(deal(), A, STEADY), strict=True) if share]

    mixings = {face: COMPUTER.mixing(view, A, Card(face)) for face in view.hands[A]}

    assert {face for face, each in mixings.items() if each.was_obvious} == set(greedy)
    assert mixings[greedy[0]].share == pytest.approx(sum(shares[face] for face in greedy))


def test_among_the_best_mixes_the_coach_assumes_the_most_obvious_one():
    """The perfect level plays two other cards; playing the 16 half of the time would be as good."""
    state = near_the_end(mine=(10, 13, 16), theirs=(2, 6, 11), lead=2)
    assert_allclose(mix(state, A), [0.5, 0.5, 0], atol=1e-9)

    mixing = COMPUTER.mixing(PICO.observe(state, A), A, Card(16))

    assert mixing.was_obvious
    assert mixing.share == pytest.approx(0.5)


def test_the_coach_finds_no_fault_with_what_the_perfect_level_plays():
    state = deal()
    view = PICO.observe(state, A)
    played = [face for face, share in zip(view.hands[A], mix(state, A), strict=True) if share > 0]

    costs = [COMPUTER.assess(view, A, Card(face), NEVER).cost for face in view.hands[A]]

    assert [face for face, cost in zip(view.hands[A], costs, strict=True) if cost == 0] == played


def test_with_three_the_coach_judges_like_the_strong_level_and_rates_no_luck():
    view = PICO.observe(last_of_three(((5, 9), (4, 6), (7, 8))), A)

    good, bad = (COMPUTER.assess(view, A, Card(face), NEVER) for face in (9, 5))

    assert (good.better, bad.better) == (None, Card(9))
    assert 0 < bad.cost <= 2
    assert COMPUTER.luck(view, A) is None


@pytest.mark.parametrize(("seats", "word"), [(2, "exact"), (3, "two are left, it's from")])
def test_the_coach_says_what_it_compares_with(seats, word):
    assert word in COMPUTER.basis(seats)
