"""Answers to the daily puzzle: one per day and person, counted in the server where it was given."""

from itertools import product

import pytest

from bot.puzzles.calendar import begins_at
from bot.puzzles.tallies import PuzzleTallies
from bot.storage.pages import page_of_ranking
from bot.storage.puzzles import OFFERED_HOURS, AnswerRecord
from tests.support.match_records import forget_user, hide
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD

TODAY = 20_000


def answer(user, day, *, solved=True, guild=GUILD, choice="9"):
    return AnswerRecord(
        day=day, user=user, guild=guild, choice=choice, solved=solved, answered_at=day * 86_400
    )


async def answered(storage, *answers):
    """Store answers; returns whether each one was accepted."""
    async with storage.transaction() as writing:
        return [await writing.puzzles.add(one) for one in answers]


async def listed(storage):
    return await PuzzleTallies(storage, now=lambda: begins_at(TODAY)).listed(GUILD, TODAY)


async def page(storage, **changes):
    values = {"first": 0, "count": 10, "me": ANN, **changes}
    return page_of_ranking(await listed(storage), **values)


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
    assert await streaks_of(storage, ANN, BEA) == [2, 0]


@pytest.mark.parametrize("pattern", list(product((True, False), repeat=5))[::3])
async def test_streaks_equal_a_count_day_by_day(storage, pattern):
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


async def present(storage, day, hours, *, since=0):
    """Store that the bot could be reached in this many hours of a day."""
    async with storage.transaction() as writing:
        for hour in range(since, since + hours):
            await writing.puzzles.note_presence(day * 24 + hour)


async def streaks_of(storage, *users):
    async with storage.reading() as reading:
        return [await reading.puzzles.streak(user, TODAY) for user in users]


async def test_days_when_the_bot_was_away_end_no_streak(storage):
    """It was away for two whole days and more than half of the third."""
    await present(storage, TODAY - 5, 24)
    await present(storage, TODAY - 4, 24)
    await present(storage, TODAY - 1, OFFERED_HOURS - 1, since=13)
    for user in (ANN, BEA, CYD, DAN):
        await answered(storage, answer(user, TODAY - 5), answer(user, TODAY - 4))
    await answered(storage, answer(BEA, TODAY - 1), answer(CYD, TODAY - 1, solved=False))
    await answered(storage, answer(DAN, TODAY - 1, guild=None))

    assert await streaks_of(storage, ANN, BEA, CYD, DAN) == [2, 3, 0, 3]
    assert {line.user: line.streak for line in (await page(storage)).lines} == {
        ANN: 2,
        BEA: 3,
        CYD: 0,
        DAN: 2,
    }


async def test_a_missed_day_ends_a_streak_if_the_bot_was_there_for_half_of_it(storage):
    await present(storage, TODAY - 2, 24)
    await present(storage, TODAY - 1, OFFERED_HOURS)
    await answered(storage, answer(ANN, TODAY - 3), answer(ANN, TODAY - 2))

    assert await streaks_of(storage, ANN) == [0]


async def test_days_before_presence_was_recorded_count_as_offered(storage):
    await present(storage, TODAY, 1)
    await answered(storage, answer(ANN, TODAY - 3), answer(ANN, TODAY - 2))
    await answered(storage, answer(BEA, TODAY - 3), answer(BEA, TODAY - 1))

    assert await streaks_of(storage, ANN, BEA) == [0, 1]


async def test_an_hour_counts_once_however_many_processes_record_it(storage):
    """Even if the clock of one process is behind."""
    await present(storage, TODAY - 2, 24)
    for hour in (0, 1, 1, 0, 2):
        await present(storage, TODAY - 1, 1, since=hour)
    await answered(storage, answer(ANN, TODAY - 2))
    assert await streaks_of(storage, ANN) == [1]

    await present(storage, TODAY - 1, OFFERED_HOURS - 3, since=3)
    assert await streaks_of(storage, ANN) == [0]


RESTS = ("     ", "  x  ", "x x x", " xx x", "xxxxx")


@pytest.mark.slow
@pytest.mark.parametrize("rests", RESTS)
async def test_streaks_across_days_that_rest_equal_a_count_day_by_day(storage, rests):
    """For everybody who answered right, wrong or not at all on each of five days."""
    first = TODAY - len(rests)
    await present(storage, first - 1, 24)
    for day, mark in enumerate(rests, first):
        await present(storage, day, OFFERED_HOURS - (mark == "x"))
    people = dict(enumerate(product((True, False, None), repeat=len(rests)), 1))
    await answered(
        storage,
        *(
            answer(user, first + i, solved=solved)
            for user, days in people.items()
            for i, solved in enumerate(days)
            if solved is not None
        ),
    )

    found = await page(storage, count=len(people))

    told = {line.user: (line.solved, line.streak, line.best) for line in found.lines}
    assert told == {
        user: counted_by_day(days, rests) for user, days in people.items() if True in days
    }


def counted_by_day(days, rests):
    streak = best = 0
    for solved, mark in zip(days, rests, strict=True):
        if solved:
            streak += 1
        elif solved is False or mark != "x":
            streak = 0
        best = max(best, streak)
    return days.count(True), streak, best


async def test_hidden_departed_and_deleted_people_are_not_listed(storage, database):
    await answered(storage, *(answer(user, TODAY - 1) for user in (ANN, BEA, CYD, DAN)))
    hide(database, BEA)
    await forget_user(storage, CYD)

    found = await page(storage, gone=frozenset({DAN}))

    assert [line.user for line in found.lines] == [ANN]
    async with storage.reading() as reading:
        assert await reading.puzzles.answer(TODAY - 1, CYD) is None


async def test_equal_lines_share_a_place_and_a_page_beyond_the_end_is_the_last(storage):
    await answered(storage, *(answer(user, TODAY - 1) for user in (ANN, BEA, CYD)))

    found = await page(storage, first=10, count=2, me=BEA)

    assert (found.first, found.total, len(found.lines)) == (2, 3, 1)
    assert {line.place for line in (*found.lines, found.own)} == {1}


@pytest.mark.parametrize("chunk", [1, 2, 3, 7])
async def test_answers_read_in_chunks_count_once_each(storage, monkeypatch, chunk):
    people, days = (ANN, BEA, CYD), range(TODAY - 4, TODAY)
    await answered(storage, *(answer(user, day) for user in people for day in days))
    monkeypatch.setattr("bot.storage.puzzles._CHUNK", chunk)

    assert {line.user: line.solved for line in await listed(storage)} == dict.fromkeys(people, 4)
