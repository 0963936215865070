"""Shared results: the coach's turning point, and the streak of wins."""

from dataclasses import replace

import pytest

from bot.computers.coach import ChoiceReview, Study
from bot.computers.pool import SynchronousPool
from bot.errors import MatchError
from bot.matches.agreements import Agreements
from bot.sharing.results import LEAST_COST, NO_RESULT, Results, turning_point
from tests.support.clock import DAY, HOUR
from tests.support.matches import ANN, BEA, RETURNS, begun, choose, refusal

MILD = ChoiceReview(step=2, when="", move="3", better="4", cost=LEAST_COST)
WORST = ChoiceReview(step=5, when="", move="9", better="4", cost=0.3)
BEST = ChoiceReview(step=1, when="", move="4", better=None, cost=0.0)


def study(*said, total=None, **changes):
    total = len(said) if total is None else total
    values = {"checked": total, "complete": True, **changes}
    return Study(snapshot=None, total=total, said=said, **values)


def test_the_choice_that_cost_most_is_the_turning_point():
    assert turning_point(study(BEST, MILD, WORST), unseen=()) == WORST
    assert turning_point(study(MILD), unseen=()) == MILD


def test_a_move_that_stays_secret_is_not_the_turning_point():
    assert turning_point(study(BEST, MILD, WORST), unseen={WORST.step - 1}) == MILD


@pytest.mark.parametrize(
    "found",
    [
        study(),
        study(BEST),
        study(ChoiceReview(step=1, when="", move="3", better="4", cost=LEAST_COST - 0.001)),
        study(WORST, total=2, checked=1),
        study(WORST, failed=1),
        study(WORST, complete=False),
    ],
    ids=["no choice", "no better one", "too little", "not all", "one failed", "not done"],
)
def test_without_a_certain_choice_there_is_no_turning_point(found):
    assert turning_point(found, unseen=()) is None


class SilentCoach:
    """A coach without a study."""

    async def studies(self, asked):
        for said in ():
            yield said


class FixedCoach:
    """A coach that returns this study at once."""

    def __init__(self, *said):
        self._study = study(*said)

    async def studies(self, asked):
        del asked
        yield self._study


async def test_a_match_that_was_called_off_cannot_be_shared(matches, match, storage, watch):
    agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
    await agreements.offer(match, ANN, "call_off")
    await agreements.accept(match, BEA, "call_off")
    results = Results(storage, archive=None, coach=SilentCoach())

    assert await refusal(results.load(match, ANN)) == (MatchError, NO_RESULT)


async def test_a_choice_that_stays_secret_is_not_shared_however_much_it_cost(
    matches, match, storage
):
    await matches.concede(match, BEA)
    results = Results(storage, archive=None, coach=FixedCoach(BEST, MILD, WORST))
    steps = {"steps": frozenset({0, 1, 4}), "unseen": frozenset({WORST.step - 1})}
    asked = replace(await results.load(match, ANN), **steps)

    [told] = [told async for told in results.compute(asked, None)]

    assert told.turning == MILD


async def streak(storage, match, user):
    results = Results(storage, archive=None, coach=SilentCoach())
    [told] = [told async for told in results.compute(await results.load(match, user), None)]
    return told.streak


async def won(matches, watch, *interactions):
    """Play a match of Ann and Bea per interaction, which Bea resigns; returns the last one."""
    for number in interactions:
        match = await begun(matches, interaction=number)
        await matches.concede(match, BEA)
        watch.advance(HOUR)
    return match


@pytest.fixture
def lost_on_time(matches, late, timeouts, watch):
    """Makes one of two players lose on time, and lets the result count a week later."""

    async def lost(match, other):
        for _ in range(2):
            await choose(matches, match, other)
            await late(match)
        watch.advance(7 * DAY)
        await timeouts.act(match)

    return lost


async def test_the_streak_counts_wins_up_to_the_shared_match(matches, storage, watch):
    match = await won(matches, watch, 11, 12)
    await won(matches, watch, 13)

    assert await streak(storage, match, ANN) == 2
    assert await streak(storage, match, BEA) == 0


async def test_a_match_whose_result_counted_later_is_part_of_its_own_streak(
    matches, match, storage, watch, lost_on_time
):
    await won(matches, watch, 11, 12)
    await lost_on_time(match, ANN)

    assert await streak(storage, match, ANN) == 3


async def test_a_match_lost_on_time_has_no_streak_of_wins(
    matches, match, storage, watch, lost_on_time
):
    await won(matches, watch, 11, 12)
    await lost_on_time(match, BEA)

    assert await streak(storage, match, ANN) == 0


async def test_of_results_within_one_second_only_earlier_ones_count(matches, storage):
    found = [await begun(matches, interaction=number) for number in (11, 12, 13)]
    for match in found:
        await matches.concede(match, BEA)

    assert [await streak(storage, match, ANN) for match in found] == [0, 2, 3]
