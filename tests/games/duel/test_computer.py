from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from games.chance import Chance
from games.computer import Lesson, Level
from games.core import Seat
from games.duel import DUEL, Options, Tile
from games.duel.computer.matchings import choices, position
from games.duel.computer.opponent_model import OpponentModel, greedy, uniform
from games.duel.computer.player import (
    BEGINNER,
    EASY,
    PERFECT,
    RISK,
    STEADY,
    STRONG,
    DuelComputer,
    _reading,
)
from games.duel.computer.response import given_up, response
from games.equilibrium import draw

COMPUTER = DuelComputer()
PRESETS = sorted(DUEL.presets)
A, B = Seat(0), Seat(1)
NEVER = Chance("not to be drawn from", 0)


def deal(preset="standard", seed="a deal"):
    return DUEL.setup(DUEL.presets[preset], 2, Chance(seed, 0))


def see(state, seat):
    return DUEL.observe(state, seat)


def mix(state, seat, level, lessons=()):
    return COMPUTER.mix(see(state, seat), seat, level, lessons)


def step(state, mine, theirs):
    return DUEL.play(state, {A: Tile(mine), B: Tile(theirs)}, NEVER)


def against(other, pairs, preset="standard", seed="a deal", level=STRONG):
    """The state after this many pairs of a level in seat 0 against `other`'s choices in seat 1."""
    state, chance = deal(preset, seed), Chance(seed, 1)
    for _ in range(pairs):
        mine = COMPUTER.choose(see(state, A), A, level, chance)
        foreseen = other(position(see(state, B), B))
        theirs = state.hands[B][int(foreseen.argmax())]
        state = step(state, mine.total, theirs)
    return state


def worth_by_the_rules(state):
    """P(win) - P(loss) of seat 0 if all matchings of the remaining tiles are equally likely."""
    over = DUEL.outcome(state)
    if over is not None:
        return float(np.sign(over.scores[A] - over.scores[B]))
    first = state.hands[A][0]
    return float(np.mean([worth_by_the_rules(step(state, first, tile)) for tile in state.hands[B]]))


def adversarys_best(state):
    """What the strong level in seat 0 keeps against the best answers of someone who knows it."""
    over = DUEL.outcome(state)
    if over is not None:
        return float(np.sign(over.scores[A] - over.scores[B]))
    mixed = mix(state, A, STRONG)
    return min(
        sum(
            share * adversarys_best(step(state, mine, theirs))
            for mine, share in zip(state.hands[A], mixed, strict=True)
            if share > 0
        )
        for theirs in state.hands[B]
    )


@pytest.mark.parametrize("pairs", [3, 5, 6, 8])
def test_the_worth_of_a_position_is_that_of_random_matchings(pairs):
    state = against(uniform, pairs, level=PERFECT)

    worth = position(see(state, A), A).worth

    assert worth == pytest.approx(worth_by_the_rules(state), abs=1e-12)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_every_deal_is_worth_zero(preset, seed):
    state = deal(preset, seed)

    assert [COMPUTER.luck(see(state, seat), seat) for seat in (A, B)] == [0, 0]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("pairs", [0, 2, 4, 6, 9])
def test_nothing_can_be_gained_against_the_perfect_level_whatever_is_played(preset, pairs):
    state = against(greedy, pairs, preset, level=PERFECT)
    now = position(see(state, A), A)

    assert_allclose(given_up(now, mix(state, A, PERFECT)), 0, atol=1e-12)
    assert_allclose(now.payoffs, -now.turned().payoffs.T)


def test_the_choices_of_a_match_have_the_positions_as_they_were_seen():
    states = [against(greedy, pairs) for pairs in range(9)]

    gone = list(choices(see(states[-1], A), A))

    assert [choice.position for choice in gone] == [
        position(see(state, A), A) for state in states[:-1]
    ]
    assert [(choice.mine, choice.theirs) for choice in gone] == [
        pair.totals for pair in states[-1].pairs
    ]


def test_the_choices_of_a_match_can_be_seen_from_the_other_side():
    view = see(against(greedy, 7), A)

    turned = [choice.position.turned() for choice in choices(view, A)]

    assert turned == [choice.position for choice in choices(view, B)]


@pytest.mark.parametrize("seed", ["a", "b"])
def test_an_adversary_who_knows_the_strong_level_gains_no_more_than_its_account(seed):
    state = against(greedy, 6, seed=seed)
    view = see(state, A)
    account = _reading(view, A, (), RISK)[1]

    assert adversarys_best(state) >= position(view, A).worth - account - 1e-9


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
def test_the_strong_level_never_gives_up_more_than_its_risk(preset, seed):
    """Against an opponent who answers each mix with the tile that it gives up most to."""
    state, chance = deal(preset, seed), Chance(seed, 1)
    spent = 0.0

    while DUEL.awaiting(state):
        mixed = mix(state, A, STRONG)
        lost = given_up(position(see(state, A), A), mixed)
        spent += lost.max()
        mine = COMPUTER.choose(see(state, A), A, STRONG, chance)
        state = step(state, mine.total, state.hands[B][int(lost.argmax())])

    assert 0.1 < spent <= RISK + 1e-9


def test_the_account_grows_if_the_opponent_errs():
    assert _reading(see(against(greedy, 8), A), A, (), RISK)[1] > RISK


def test_without_risk_nothing_is_given_up():
    state = against(greedy, 4)
    view = see(state, A)

    mixed = COMPUTER.mix(view, A, STRONG, risk=0.0)

    assert given_up(position(view, A), mixed).max() <= 1e-12


def test_a_response_gives_up_as_much_as_allowed_and_no_more():
    now = position(see(deal(), A), A)
    foreseen = greedy(now.turned())
    allowed = [0.0, 0.02, 0.05, 0.1]

    mixes = [response(now, foreseen, most) for most in allowed]

    assert_allclose([given_up(now, mixed).max() for mixed in mixes], allowed, atol=1e-9)
    gains = [mixed @ now.payoffs @ foreseen for mixed in mixes]
    assert gains == sorted(gains)


def test_with_everything_allowed_the_best_tile_is_played():
    now = position(see(deal(), A), A)
    foreseen = greedy(now.turned())

    mixed = response(now, foreseen, 2.0)

    assert mixed @ now.payoffs @ foreseen == pytest.approx((now.payoffs @ foreseen).max())


def test_if_rounding_leaves_no_allowed_mix_all_tiles_are_equally_likely():
    now = position(see(deal(), A), A)

    assert_allclose(response(now, greedy(now.turned()), -1e-9), [0.2] * 5)


def test_an_opponent_model_learns_to_foresee_a_greedy_player():
    model, state = OpponentModel(), against(greedy, 7, seed="e", level=PERFECT)
    before = model.predict(position(see(state, B), B))

    for choice in choices(see(state, B), B):
        model.learn(choice.position, choice.mine)

    after = model.predict(position(see(state, B), B))
    tile = int(greedy(position(see(state, B), B)).argmax())
    assert after[tile] > 0.8 > before[tile]


def greedy_lessons(*seeds):
    """All choices that a greedy player in seat 1 made in the matches with these deals."""
    pasts = [against(greedy, pairs, seed=seed) for seed in seeds for pairs in range(10)]
    tiles = [past.hands[B][int(greedy(position(see(past, B), B)).argmax())] for past in pasts]
    return [Lesson(B, see(past, B), Tile(tile)) for past, tile in zip(pasts, tiles, strict=True)]


def test_finished_matches_teach_the_strong_level_about_its_opponent():
    state, lessons = deal(seed="today"), greedy_lessons("then")
    now = position(see(state, A), A)

    hopes = [
        mix(state, A, STRONG, taught) @ now.payoffs @ greedy(now.turned())
        for taught in ([], lessons)
    ]

    assert hopes[1] > hopes[0] > 0


def test_if_there_are_many_lessons_the_latest_count(monkeypatch):
    state, lessons = deal(seed="today"), greedy_lessons("then")
    first, last = (mix(state, A, STRONG, some) for some in (lessons[:4], lessons[-4:]))

    monkeypatch.setattr("games.duel.computer.player._MAX_LESSONS", 4)

    assert_allclose(mix(state, A, STRONG, lessons), last)
    assert abs(first - last).max() > 0.01


def given_up_to_adversary(deal_seed, lessons):
    """What the strong level loses in a match in which each tile it meets costs it most.

    The second value has these tiles as lessons.
    """
    state, lost, met = deal(seed=deal_seed), 0.0, []
    for step in range(1, 11):
        mixed = mix(state, A, STRONG, lessons)
        losses = given_up(position(see(state, A), A), mixed)
        worst = int(losses.argmax())
        lost += losses[worst]
        met.append(Lesson(B, see(state, B), Tile(state.hands[B][worst])))
        ours = Tile(state.hands[A][draw(mixed, Chance(deal_seed, step))])
        state = DUEL.play(state, {A: ours, B: met[-1].move}, NEVER)
    return lost, met


def test_the_strong_level_risks_less_once_an_opponent_has_changed():
    """They were greedy in four matches and then know each mix, so all of the risk was lost."""
    lessons = greedy_lessons(*"0123")
    first, met = given_up_to_adversary("changed", lessons)
    second, _ = given_up_to_adversary("and again", [*lessons, *met])

    assert 0.05 < first < 0.18
    assert second < 0.06


def test_the_beginner_plays_its_biggest_tile_even_if_another_divides_it():
    state = replace(deal(), hands=((3, 5, 12), (4, 6, 9)))

    assert_allclose(mix(state, A, BEGINNER), [0, 0, 1])


def test_the_easy_level_plays_the_tile_that_beats_most():
    state = replace(deal(), hands=((3, 5, 12), (4, 7, 9)))

    # 3 beats 4 and 9; 5 beats 4; 12 beats 7 and 9, but 4 divides it.
    assert_allclose(mix(state, A, EASY), [0.5, 0, 0.5])


def test_the_steady_level_answers_the_greedy_tile_with_the_weakest_that_beats_it():
    state = replace(deal(), hands=((2, 3, 5, 9), (4, 6, 10, 12)))

    # The 12 beats 5 and 9, every other tile only one; 2 and 3 beat the 12, and 2 beats all others
    # too.
    assert_allclose(mix(state, B, EASY), [0, 0, 0, 1])
    assert_allclose(mix(state, A, STEADY), [0, 1, 0, 0])


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("level", COMPUTER.levels, ids=lambda level: level.key)
def test_every_level_chooses_legal_tiles_reproducibly(preset, level):
    state, chance = deal(preset), Chance("a match", 1)

    while DUEL.awaiting(state):
        views = {seat: see(state, seat) for seat in (A, B)}
        again = [COMPUTER.choose(views[A], A, level, Chance("twice", 7)) for _ in range(2)]
        assert again[0] == again[1]
        state = DUEL.play(
            state,
            {seat: COMPUTER.choose(views[seat], seat, level, chance) for seat in views},
            NEVER,
        )

    assert DUEL.outcome(state) is not None


def test_all_levels_play_both_sets_and_only_the_strong_one_reads_people():
    levels = [COMPUTER.levels_for(Options(tiles=tiles), 2) for tiles in (10, 14)]

    assert [level.key for level in levels[0]] == [
        "beginner",
        "easy",
        "steady",
        "strong",
        "perfect",
    ]
    assert levels[0] == levels[1]
    assert [level.key for level in levels[0] if level.reads_people] == ["strong"]


def test_an_unknown_level_is_refused():
    with pytest.raises(ValueError, match="no level 'godlike'"):
        mix(deal(), A, Level("godlike", 0, "No."))


def test_the_coach_says_nothing_before_anything_can_be_foreseen():
    state = replace(deal(), hands=((2,), (3,)))

    assert COMPUTER.assess(see(state, A), A, Tile(2), NEVER) is None


def test_the_tile_that_beats_most_can_be_foreseen_but_the_last_one_cannot():
    whole, last = see(deal(), A), see(replace(deal(), hands=((2,), (3,))), A)
    obvious = np.flatnonzero(mix(deal(), A, EASY))

    mixings = [COMPUTER.mixing(whole, A, Tile(tile)) for tile in whole.hands[A]]

    assert [i for i, each in enumerate(mixings) if each.was_obvious] == obvious.tolist()
    assert {each.share for each in mixings} == {len(obvious) / len(mixings)}
    assert COMPUTER.mixing(last, A, Tile(2)) is None


def test_among_the_best_mixes_the_coach_assumes_the_most_obvious_one():
    """Playing all tiles equally often is best, and so is playing the 9 two times out of three."""
    view = see(replace(deal(), hands=((3, 4, 9), (2, 6, 10))), A)

    mixing = COMPUTER.mixing(view, A, Tile(9))

    assert mixing.was_obvious
    assert mixing.share == pytest.approx(2 / 3)


def test_the_coach_hardly_ever_objects_against_a_random_opponent():
    """Against them no choice costs anything, even if they seemed to have a habit."""
    spoken = 0
    for number in range(20):
        state, step = DUEL.setup(DUEL.presets["standard"], 2, Chance(f"lots {number}", 0)), 0
        while awaited := DUEL.awaiting(state):
            step += 1
            moves = {
                seat: COMPUTER.choose(
                    see(state, seat), seat, PERFECT, Chance(f"{number} {seat}", step)
                )
                for seat in awaited
            }
            assessment = COMPUTER.assess(see(state, A), A, moves[A], NEVER)
            spoken += assessment is not None and assessment.better is not None
            state = DUEL.play(state, moves, Chance(f"{number}", step))

    assert spoken <= 4  # of 200 choices; it was 45


def test_the_coach_says_what_would_have_been_better_against_a_predictable_opponent():
    state = against(greedy, 7, seed="e", level=PERFECT)
    view = see(state, A)

    assessments = [COMPUTER.assess(view, A, tile, NEVER) for tile in DUEL.legal_moves(state, A)]

    best = [assessment for assessment in assessments if assessment.better is None]
    assert [assessment.cost for assessment in best] == [0]
    assert min(assessment.cost for assessment in assessments if assessment.better is not None) > 0
    assert max(assessment.cost for assessment in assessments) <= 2


def test_the_coach_says_what_it_compares_with():
    assert (
        "Against best play, no tile costs you anything. This compares your choices with what "
        "your opponent's play so far suggested."
    ) in COMPUTER.basis(2)
