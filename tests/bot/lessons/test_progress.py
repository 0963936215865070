"""Progress in a lesson is a row that only advances and that survives changes to the lesson."""

import asyncio

import pytest

from bot.lessons.progress import Bookmark, Progress
from bot.storage.lessons import LessonRepository
from games import GAMES
from tests.support.match_records import finished
from tests.support.presentations import PRESENTATIONS
from tests.support.races import somebody_waits

ANN, BO = 1001, 1002
LESSON = PRESENTATIONS["pico"].lesson


@pytest.fixture
def progress(storage):
    return Progress(storage)


async def at(progress, user=ANN, lesson=LESSON):
    return await progress.bookmark(user, "pico", lesson)


async def test_a_lesson_starts_at_its_first_exercise(progress):
    assert await at(progress) == Bookmark(0)


async def test_solving_an_exercise_advances_to_the_next_even_after_a_restart(progress, storage):
    await progress.solved(ANN, "pico", LESSON, 0)
    await progress.solved(ANN, "pico", LESSON, 1)

    assert await at(Progress(storage)) == Bookmark(2)
    assert await at(progress, BO) == Bookmark(0)


async def test_solving_an_earlier_exercise_again_loses_no_progress(progress):
    for number in (0, 1, 2, 0):
        await progress.solved(ANN, "pico", LESSON, number)

    assert await at(progress) == Bookmark(3)


async def test_after_the_last_exercise_the_lesson_is_done_and_starts_over(progress):
    for number in range(len(LESSON)):
        await progress.solved(ANN, "pico", LESSON, number)
    assert await at(progress) == Bookmark(0, done=True)

    await progress.solved(ANN, "pico", LESSON, 0)

    assert await at(progress) == Bookmark(1, done=True)


@pytest.mark.parametrize("second", [0, 1])
async def test_of_two_right_answers_at_once_the_later_exercise_counts(progress, second):
    await asyncio.gather(
        progress.solved(ANN, "pico", LESSON, 1), progress.solved(ANN, "pico", LESSON, second)
    )

    assert await at(progress) == Bookmark(2)


async def test_a_right_answer_in_another_process_is_not_lost(storages, ask, monkeypatch):
    """It arrives after the first process has read the row and before it writes it."""
    load, others = LessonRepository.load, []

    async def loaded(*args, **options):
        found = await load(*args, **options)
        if not others:
            later = Progress(storages[1]).solved(ANN, "pico", LESSON, 1)
            others.append(asyncio.create_task(later))
            await somebody_waits(ask, unless=others[0].done)
        return found

    monkeypatch.setattr(LessonRepository, "load", loaded)
    await Progress(storages[0]).solved(ANN, "pico", LESSON, 0)
    await others[0]

    assert ask("SELECT number FROM lessons") == [(2,)]


async def test_an_exercise_that_moved_is_found_by_its_key(progress):
    await progress.solved(ANN, "pico", LESSON, 1)
    moved = (LESSON[2], *LESSON[:2], *LESSON[3:])

    assert await at(progress, lesson=moved) == Bookmark(0)


async def test_a_removed_exercise_is_replaced_by_the_one_now_at_its_position(progress):
    await progress.solved(ANN, "pico", LESSON, 3)
    without = (*LESSON[:4], *LESSON[5:])

    assert await at(progress, lesson=without) == Bookmark(4, is_moved=True)


async def test_a_lesson_that_became_shorter_continues_with_its_last_exercise(progress):
    await progress.solved(ANN, "pico", LESSON, 4)

    assert await at(progress, lesson=LESSON[:3]) == Bookmark(2, is_moved=True)


async def test_somebody_is_new_to_a_game_until_they_finish_a_match_or_its_lesson(progress, storage):
    await progress.solved(ANN, "pico", LESSON, 0)
    assert await progress.unknown_games(ANN) == frozenset(GAMES)

    await progress.solved(ANN, "pico", LESSON, len(LESSON) - 1)
    await finished(storage, 1, (ANN, BO), (1, 2), game="duel")

    assert await progress.unknown_games(ANN) == frozenset(GAMES) - {"pico", "duel"}
    assert await progress.unknown_games(BO) == frozenset(GAMES) - {"duel"}


async def test_the_bookmarks_of_all_lessons_are_read_at_once(progress):
    lessons = {game: shown.lesson for game, shown in PRESENTATIONS.items()}
    await progress.solved(ANN, "duel", lessons["duel"], 0)
    await progress.solved(BO, "pico", LESSON, 0)

    found = await progress.bookmarks(ANN, lessons)

    assert found == {game: Bookmark(game == "duel") for game in lessons}
