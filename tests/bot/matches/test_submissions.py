"""Choices that complete their step: waiting ones share a transaction without side effects."""

import asyncio
from typing import Any

import pytest

from bot.errors import MatchError, StorageUnavailableError, TooLateError
from bot.matches import Matches
from games import IllegalMoveError
from games.pico import PICO
from tests.support.match_records import change
from tests.support.matches import ANN, BEA, CYD, NOW, RETURNS, SEED, A, begun

pytestmark = pytest.mark.slow


@pytest.fixture
def matches(counted):
    return Matches(counted, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)


async def card(matches, match, user):
    return str((await matches.snapshot(match, user)).legal[0])


async def waiting(matches, number):
    """Begin matches in which only Bea still has to choose; maps each to a card of hers."""
    found = {}
    for i in range(number):
        match = await begun(matches, interaction=i)
        await matches.submit(match, 0, ANN, await card(matches, match, ANN))
        found[match] = await card(matches, match, BEA)
    return found


async def submit(matches, choices, user=BEA, step=0):
    """Submit all choices at once; returns the effect or the error of each."""
    return await asyncio.gather(
        *(matches.submit(match, step, user, text) for match, text in choices.items()),
        return_exceptions=True,
    )


async def steps(matches, choices):
    return [(await matches.public(match)).step for match in choices]


async def test_waiting_choices_share_a_transaction(matches, counted):
    choices = await waiting(matches, 3)
    counted.transactions = 0

    effects = await submit(matches, choices)

    assert counted.transactions == 1
    assert [effect.resolved for effect in effects] == [True] * 3
    assert [effect.public().match for effect in effects] == list(choices)
    read = [(await matches.public(match)) for match in choices]
    assert [effect.public() for effect in effects] == read  # as committed, with the new revision


@pytest.mark.sqlite  # where only one transaction writes at a time
async def test_choices_that_arrive_during_a_transaction_share_the_next_one(matches, counted):
    choices = await waiting(matches, 3)
    counted.transactions = 0

    async with counted.storage.transaction():
        clicks = []
        for match, text in choices.items():
            clicks.append(asyncio.create_task(matches.submit(match, 0, BEA, text)))
            for _ in range(5):
                await asyncio.sleep(0)  # so that each arrives separately
    effects = await asyncio.gather(*clicks)

    assert [effect.resolved for effect in effects] == [True] * 3
    assert counted.transactions == 1


async def test_the_number_of_choices_per_transaction_is_limited(matches, counted, monkeypatch):
    monkeypatch.setattr(matches._submissions, "_most", 2)
    choices = await waiting(matches, 5)
    counted.transactions = 0

    await submit(matches, choices)

    assert counted.transactions == 3
    assert await steps(matches, choices) == [1] * 5


async def test_two_choices_of_one_match_are_handled_one_after_the_other(matches):
    (match, text) = next(iter((await waiting(matches, 1)).items()))

    results = await asyncio.gather(
        matches.submit(match, 0, BEA, text),
        matches.submit(match, 0, BEA, text),
        return_exceptions=True,
    )

    # Which one comes first depends on the order of their reads.
    (late,) = [result for result in results if isinstance(result, TooLateError)]
    (effect,) = [result for result in results if result is not late]
    assert effect.resolved
    assert (await matches.public(match)).step == 1


@pytest.mark.parametrize(
    ("user", "step", "text", "error"),
    [(BEA, 0, "99", IllegalMoveError), (CYD, 0, None, MatchError), (BEA, 7, None, TooLateError)],
    ids=["illegal", "stranger", "late"],
)
async def test_a_refused_choice_does_not_affect_the_others(
    matches, counted, user, step, text, error
):
    choices = await waiting(matches, 3)
    refused, *others = choices
    counted.transactions = 0

    results = await asyncio.gather(
        matches.submit(refused, step, user, text or choices[refused]),
        *(matches.submit(match, 0, BEA, choices[match]) for match in others),
        return_exceptions=True,
    )

    assert isinstance(results[0], error)
    assert [effect.resolved for effect in results[1:]] == [True, True]
    assert await steps(matches, choices) == [0, 1, 1]
    assert counted.transactions == 1


async def test_a_choice_that_raises_an_error_does_not_affect_the_others(matches, monkeypatch):
    choices = await waiting(matches, 3)
    broken = list(choices)[1]
    states = [(await matches.snapshots(match))[0].commitment for match in choices]
    assert len(set(states)) == 1  # the same deal in all, so only the order tells them apart
    play, played = PICO.play, []

    def breaks(state, moves, chance):
        played.append(chance)
        if len(played) in {2, 4}:  # in the batch, then by itself
            raise RuntimeError("a mistake in the game")
        return play(state, moves, chance)

    monkeypatch.setattr(type(PICO), "play", lambda _, *args: breaks(*args))
    results = await submit(matches, choices)

    assert [type(result).__name__ for result in results] == ["Effect", "RuntimeError", "Effect"]
    assert await steps(matches, choices) == [int(match != broken) for match in choices]


async def test_an_unavailable_database_is_tried_once_for_the_whole_batch(matches, counted):
    choices = await waiting(matches, 3)
    counted.transactions = 0
    counted.breaks = [StorageUnavailableError("The disk is full.")]

    results = await submit(matches, choices)

    assert [type(result) for result in results] == [StorageUnavailableError] * 3
    assert counted.transactions == 1
    assert await steps(matches, choices) == [0] * 3


async def test_a_choice_canceled_in_the_queue_is_not_made(matches):
    choices = await waiting(matches, 2)
    gone, stays = choices

    first = asyncio.create_task(matches.submit(gone, 0, BEA, choices[gone]))
    await asyncio.sleep(0)  # let it enter the queue
    first.cancel()
    effect = await matches.submit(stays, 0, BEA, choices[stays])

    assert effect.resolved
    with pytest.raises(asyncio.CancelledError):
        await first
    assert await steps(matches, choices) == [0, 1]


async def test_concurrent_snapshots_are_read_together(matches, counted):
    choices = await waiting(matches, 3)
    counted.readings = 0

    found = await asyncio.gather(*(matches.snapshots(match) for match in choices))

    assert [public.match for public, *_ in found] == list(choices)
    assert [public.chosen for public, *_ in found] == [{A}] * 3
    assert counted.readings == 1


async def test_an_unreadable_match_does_not_prevent_reading_the_others(matches, counted, database):
    broken, *others = await waiting(matches, 3)
    change(database, f"UPDATE matches SET late = 'nobody' WHERE id = {broken}")  # noqa: S608 - ours

    answers: list[Any] = await asyncio.gather(
        *(matches.snapshots(match) for match in (broken, *others)), return_exceptions=True
    )
    failed, *found = answers

    assert isinstance(failed, ValueError)
    assert [public.match for public, *_ in found] == others


async def test_an_unreadable_match_does_not_prevent_playing_the_others(matches, counted, database):
    choices = await waiting(matches, 3)
    broken = next(iter(choices))
    change(database, f"UPDATE matches SET late = 'nobody' WHERE id = {broken}")  # noqa: S608 - ours

    failed, *effects = await submit(matches, choices)

    assert isinstance(failed, ValueError)
    assert [effect.resolved for effect in effects] == [True, True]
