"""A server's puzzle board is counted once a day; anything that may still change isn't cached."""

import asyncio

import pytest

from bot.puzzles.calendar import begins_at
from bot.puzzles.tallies import LATE_ANSWER_SECONDS, PuzzleTallies
from bot.storage.puzzles import AnswerRecord, PuzzleRepository
from bot.time_units import DAY_SECONDS
from tests.support.match_records import forget_user, hide
from tests.support.matches import ANN, BEA, CYD, GUILD

TODAY = 21_000


async def solved(storage, user, *days, guild=GUILD):
    async with storage.transaction() as writing:
        for day in days:
            given = {"choice": "9", "solved": True, "answered_at": day}
            await writing.puzzles.add(AnswerRecord(day=day, user=user, guild=guild, **given))


@pytest.fixture
def counts(monkeypatch):
    """A list of the servers whose answers were counted, with repetitions."""
    counted, tallies = [], PuzzleRepository.tallies

    async def count(repository, guild, until):
        counted.append(guild)
        return await tallies(repository, guild, until)

    monkeypatch.setattr(PuzzleRepository, "tallies", count)
    return counted


@pytest.fixture
async def boards(storage):
    """Boards some time after midnight of a day for which the bot's presence is stored."""
    async with storage.transaction() as writing:
        await writing.puzzles.note_presence(TODAY * 24)
    return PuzzleTallies(storage, now=lambda: begins_at(TODAY) + LATE_ANSWER_SECONDS)


async def users(boards, guild=GUILD, until=TODAY):
    return [line.user for line in await boards.listed(guild, until)]


async def test_answers_are_counted_once_per_server_and_day(storage, boards, counts):
    await solved(storage, ANN, TODAY - 1)
    await solved(storage, BEA, TODAY - 2, TODAY - 1, guild=GUILD + 1)

    both = await asyncio.gather(users(boards), users(boards))

    assert [*both, await users(boards)] == [[ANN]] * 3
    assert await users(boards, GUILD + 1) == [BEA]
    assert counts == [GUILD, GUILD + 1]


async def test_the_next_day_is_counted_again(storage, boards, counts):
    await solved(storage, ANN, TODAY - 1)
    await solved(storage, BEA, TODAY)

    assert await users(boards) == [ANN]
    assert await users(boards, until=TODAY + 1) == [BEA, ANN]
    assert counts == [GUILD, GUILD]


async def test_no_board_is_cached_for_more_than_a_day(storage):
    """The server may be deleted, and then nothing would evict its board."""
    moment = begins_at(TODAY) + LATE_ANSWER_SECONDS
    boards = PuzzleTallies(storage, now=lambda: moment)
    async with storage.transaction() as writing:
        await writing.puzzles.note_presence(TODAY * 24)
    await solved(storage, ANN, TODAY - 1)
    await users(boards)
    assert list(boards._known) == [GUILD]

    moment += DAY_SECONDS + 1
    await users(boards, GUILD + 1, TODAY + 1)

    assert list(boards._known) == [GUILD + 1]


async def test_an_answer_stored_just_after_midnight_counts(storage, boards):
    """It was given before midnight."""
    early = PuzzleTallies(storage, now=lambda: begins_at(TODAY) + 1)
    assert await users(early) == []

    await solved(storage, ANN, TODAY - 1)

    assert await users(early) == [ANN]


async def test_days_that_rest_count_even_if_presence_is_stored_after_a_look(storage):
    """It was away for two days, and somebody looks before today's presence is stored."""
    boards = PuzzleTallies(storage, now=lambda: begins_at(TODAY) + LATE_ANSWER_SECONDS)
    async with storage.transaction() as writing:
        for hour in range(24):
            await writing.puzzles.note_presence((TODAY - 3) * 24 + hour)
    await solved(storage, ANN, TODAY - 3)
    before = await boards.listed(GUILD, TODAY)

    async with storage.transaction() as writing:
        await writing.puzzles.note_presence(TODAY * 24)
    after = await boards.listed(GUILD, TODAY)

    assert [line.streak for line in (*before, *after)] == [0, 1]


async def test_hiding_or_showing_oneself_takes_effect_at_once(storage, database, boards):
    await solved(storage, ANN, TODAY - 1)
    await solved(storage, BEA, TODAY - 1)
    assert await users(boards) == [BEA, ANN]

    hide(database, BEA)
    assert await users(boards) == [ANN]

    async with storage.transaction() as writing:
        await writing.people.hide(BEA, hidden=False)
    assert await users(boards) == [BEA, ANN]


async def test_a_deleted_person_is_removed_from_cached_boards(storage, boards, counts):
    await solved(storage, ANN, TODAY - 1)
    await solved(storage, BEA, TODAY - 1)
    await users(boards)

    await forget_user(storage, BEA)
    boards.forget(BEA)

    assert await users(boards) == [ANN]
    assert counts == [GUILD]


async def test_a_person_deleted_during_a_count_is_not_cached(storage, boards, monkeypatch):
    await solved(storage, ANN, TODAY - 1)
    await solved(storage, BEA, TODAY - 1)
    tallies = PuzzleRepository.tallies

    async def count(repository, guild, until):
        found = await tallies(repository, guild, until)
        boards.forget(BEA)
        return found

    monkeypatch.setattr(PuzzleRepository, "tallies", count)

    assert await users(boards) == [ANN]
    assert await users(boards) == [ANN]
    assert not boards._forgotten


async def test_forgetting_everybody_drops_all_cached_boards(storage, boards, monkeypatch):
    """This includes a count that is under way at that moment."""
    await solved(storage, ANN, TODAY - 1)
    await solved(storage, CYD, TODAY - 1)
    tallies = PuzzleRepository.tallies

    async def count(repository, guild, until):
        found = await tallies(repository, guild, until)
        boards.forget_all()
        return found

    await users(boards)
    await forget_user(storage, CYD)
    boards.forget_all()
    assert await users(boards) == [ANN]

    boards.forget_all()
    monkeypatch.setattr(PuzzleRepository, "tallies", count)
    await users(boards)
    await forget_user(storage, ANN)
    assert await users(boards) == []
