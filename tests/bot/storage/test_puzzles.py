"""Answers to the daily puzzle: one a day and person, counted in the server where it was given."""

from itertools import product

import pytest

from bot.storage.puzzles import AnswerRecord
from tests.support.match_records import forget_user, hide
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD

TODAY = 20_000


def answer(user, day, *, solved=True, guild=GUILD, choice="9"):
    return AnswerRecord(
        day=day, user=user, guild=guild, choice=choice, solved=solved, answered_at=day * 86_400
    )


async def answered(storage, *answers):
    """Note answers; which of them were noted."""
    async with storage.transaction() as writing:
        return [await writing.puzzles.add(one) for one in answers]


async def page(storage, **changes):
    values = {"first": 0, "count": 10, "me": ANN, **changes}
    async with storage.reading() as reading:
        return await reading.puzzles.solvers(GUILD, TODAY, **values)


def told(line):
    return line.user, line.place, line.solved, line.streak, line.best


async def test_the_first_answer_of_a_day_is_the_only_one(storage):
    first, other = answer(ANN, 1), answer(ANN, 1, solved=False, guild=None, choice="4")

    assert await answered(storage, first, other, answer(ANN, 2)) == [True, False, True]
    async with storage.reading() as reading:
        assert await reading.puzzles.answer(1, ANN) == first
        assert await reading.puzzles.answer(3, ANN) is None


async def test_choices_are_counted_by_server_and_day(storage):
    await answered(
        storage,
        answer(ANN, 1),
        answer(BEA, 1),
        answer(CYD, 1, choice="4", solved=False),
        answer(DAN, 1, guild=None),
        answer(ANN, 2),
    )

    async with storage.reading() as reading:
        assert await reading.puzzles.counts(GUILD, 1) == {"9": 2, "4": 1}
        assert await reading.puzzles.counts(GUILD + 1, 1) == {}


async def test_streaks_end_yesterday_and_today_does_not_count(storage):
    days = {
        ANN: [TODAY - 9, TODAY - 8, TODAY - 7, TODAY - 2, TODAY - 1, TODAY],
        BEA: [TODAY - 5, TODAY - 4, TODAY - 3],
        CYD: [TODAY],
    }
    await answered(storage, *(answer(user, day) for user in days for day in days[user]))
    await answered(storage, answer(BEA, TODAY - 1, solved=False))

    found = await page(storage)

    assert list(map(told, found.lines)) == [(ANN, 1, 5, 2, 3), (BEA, 2, 3, 0, 3)]
    assert (found.total, told(found.own)) == (2, (ANN, 1, 5, 2, 3))
    async with storage.reading() as reading:
        streaks = await reading.puzzles.streaks(GUILD, TODAY, 2)
        assert [(line.user, line.streak) for line in streaks] == [(ANN, 2)]
        assert list(await reading.puzzles.solved_days(ANN)) == sorted(days[ANN], reverse=True)


@pytest.mark.parametrize("pattern", list(product((True, False), repeat=5))[::3])
async def test_streaks_are_what_counting_day_by_day_gives(storage, pattern):
    first = TODAY - len(pattern)
    await answered(
        storage, *(answer(ANN, first + i, solved=solved) for i, solved in enumerate(pattern))
    )
    runs = "".join("x" if solved else " " for solved in pattern)

    found = await page(storage)

    if not any(pattern):
        assert (found.lines, found.total, found.own) == ((), 0, None)
        return
    streak = len(runs) - len(runs.rstrip("x"))
    assert told(found.own) == (ANN, 1, sum(pattern), streak, max(map(len, runs.split())))


async def test_nobody_hidden_gone_or_forgotten_has_a_place(storage, database):
    await answered(storage, *(answer(user, TODAY - 1) for user in (ANN, BEA, CYD, DAN)))
    hide(database, BEA)
    await forget_user(storage, CYD)

    found = await page(storage, gone=frozenset({DAN}))

    assert [line.user for line in found.lines] == [ANN]
    async with storage.reading() as reading:
        assert await reading.puzzles.answer(TODAY - 1, CYD) is None
        assert BEA not in {line.user for line in await reading.puzzles.streaks(GUILD, TODAY, 1)}


async def test_equal_lines_share_a_place_and_a_page_beyond_the_end_is_the_last(storage):
    await answered(storage, *(answer(user, TODAY - 1) for user in (ANN, BEA, CYD)))

    found = await page(storage, first=10, count=2, me=BEA)

    assert (found.first, found.total, len(found.lines)) == (2, 3, 1)
    assert {line.place for line in (*found.lines, found.own)} == {1}
