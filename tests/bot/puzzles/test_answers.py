"""What people and their servers are told about answers to the daily puzzle."""

import pytest

from bot.puzzles.answers import MAX_STREAKS_ASKED, PER_PAGE, Puzzles
from bot.puzzles.calendar import begins_at, puzzle_of
from bot.storage.puzzles import AnswerRecord
from tests.support.matches import ANN, BEA, CYD, GUILD

TODAY = 21_000


class Members:
    """Stands in for membership: everybody but these people is in the server."""

    def __init__(self, *gone):
        self._gone = gone

    async def gone(self, guild, users, *, asker=None):
        del guild, asker
        return frozenset(users).intersection(self._gone)


class Unknown:
    """Stands in for membership that Discord doesn't reveal."""

    async def gone(self, guild, users):
        del guild, users


def puzzles(storage, *gone, members=None):
    return Puzzles(storage, members or Members(*gone), now=lambda: begins_at(TODAY) + 1)


async def solved(storage, user, *days):
    async with storage.transaction() as writing:
        for day in days:
            await writing.puzzles.add(
                AnswerRecord(
                    day=day, user=user, guild=GUILD, choice="9", solved=True, answered_at=day
                )
            )


@pytest.mark.parametrize("is_right", [True, False])
async def test_the_streak_does_not_reveal_whether_todays_answer_is_right(storage, is_right):
    """Whether it's right stays hidden until the day is over."""
    await solved(storage, ANN, TODAY - 4, TODAY - 2, TODAY - 1)
    puzzle = puzzle_of(TODAY).puzzle
    choice = next(c.move for c in puzzle.choices if (c.move in puzzle.best) is is_right)

    await puzzles(storage).answer(ANN, GUILD, TODAY, choice)

    assert (await puzzles(storage).day_for(ANN)).streak == 2


async def test_people_who_left_the_server_are_not_listed_and_take_no_place(storage):
    await solved(storage, ANN, TODAY - 1)
    await solved(storage, BEA, TODAY - 2, TODAY - 1)
    await solved(storage, CYD, TODAY - 3, TODAY - 2, TODAY - 1)

    found = await puzzles(storage, CYD).solvers(GUILD, 0, ANN)

    assert [(line.user, line.place) for line in found.page.lines] == [(BEA, 1), (ANN, 2)]
    assert found.page.total == 2
    assert (found.page.number, found.page.last, found.complete) == (0, 0, True)


async def test_membership_is_checked_for_people_who_move_up_too(storage):
    """Of 13 people with 10 per page, the first and the eleventh have left."""
    people = range(101, 114)
    for user in people:
        await solved(storage, user, *range(TODAY - (120 - user), TODAY))

    found = await puzzles(storage, 101, 111).solvers(GUILD, 0, ANN)

    assert [line.user for line in found.page.lines] == [*range(102, 111), 112]
    assert found.complete


async def test_people_who_left_take_no_place_on_later_pages_either(storage):
    """Of 13 people with 10 per page, the second has left; nobody is on both pages."""
    for user in range(101, 114):
        await solved(storage, user, *range(TODAY - (120 - user), TODAY))

    found = await puzzles(storage, 102).solvers(GUILD, 1, 113)

    assert [(line.user, line.place) for line in found.page.lines] == [(112, 11), (113, 12)]
    assert (found.page.own.place, found.page.total) == (12, 12)


async def test_membership_is_checked_for_a_page_far_down(storage, monkeypatch):
    monkeypatch.setattr("bot.puzzles.answers.ASKED", 1)
    for user in range(101, 113):
        await solved(storage, user, *range(TODAY - (120 - user), TODAY))

    found = await puzzles(storage, 102, 112).solvers(GUILD, 1, 101)

    assert [line.user for line in found.page.lines] == [111]


async def test_if_people_who_left_emptied_the_page_the_last_one_is_shown(storage):
    people = range(1, PER_PAGE + 1)
    await solved(storage, CYD, TODAY - 1)
    for user in people:
        await solved(storage, user, TODAY - 2, TODAY - 1)

    found = await puzzles(storage, CYD).solvers(GUILD, 1, ANN)

    assert (found.page.number, found.page.last) == (0, 0)
    assert {line.user for line in found.page.lines} == set(people)


async def test_a_reveal_names_no_streaks_of_people_who_left(storage):
    await solved(storage, ANN, TODAY - 2, TODAY - 1)
    await solved(storage, BEA, TODAY - 3, TODAY - 2, TODAY - 1)
    await solved(storage, CYD, TODAY - 1)  # one day isn't a streak

    found = await puzzles(storage, BEA).reveal(GUILD, TODAY)

    assert [(line.user, line.streak) for line in found.streaks] == [(ANN, 2)]
    assert (found.others, found.complete) == (0, True)


async def test_a_reveal_names_nobody_while_membership_is_unknown(storage):
    await solved(storage, ANN, TODAY - 2, TODAY - 1)
    await solved(storage, BEA, TODAY - 3, TODAY - 2, TODAY - 1)

    found = await puzzles(storage, members=Unknown()).reveal(GUILD, TODAY)

    assert (list(found.streaks), found.others, found.complete) == ([], 2, False)


async def test_only_the_longest_streaks_are_named_and_all_are_counted(storage):
    for user in range(1, MAX_STREAKS_ASKED + 4):
        await solved(storage, user, TODAY - 2, TODAY - 1)

    found = await puzzles(storage).reveal(GUILD, TODAY)

    assert (len(found.streaks), found.others) == (MAX_STREAKS_ASKED, 3)


async def test_the_last_posted_puzzle_is_revealed_after_an_absence(storage):
    async with storage.transaction() as writing:
        await writing.puzzle_posts.claim(TODAY - 3, {GUILD: 5}, 0)
        (post,) = await writing.puzzle_posts.due(TODAY - 3, 0)
        await writing.puzzle_posts.note_posted(post.id, 9)
    await solved(storage, ANN, TODAY - 3)

    found = await puzzles(storage).reveal(GUILD, TODAY)

    assert (found.day, found.puzzle, found.counts) == (TODAY - 3, puzzle_of(TODAY - 3), {"9": 1})
    assert await puzzles(storage).reveal(GUILD, TODAY - 3) is None
    assert await puzzles(storage).reveal(GUILD, TODAY + 9) is None


async def test_yesterdays_puzzle_is_revealed_even_where_nothing_was_posted(storage):
    await solved(storage, ANN, TODAY - 1)

    assert (await puzzles(storage).reveal(GUILD, TODAY)).day == TODAY - 1


@pytest.mark.parametrize(
    ("wished", "shown"),
    [(None, -1), (-1, -1), (-3, -3), (-7, -7), (-8, -7), (0, -1), (1, -1), (-364, -7)],
)
async def test_no_answer_is_shown_before_its_day_is_over_whatever_day_is_asked_for(
    storage, wished, shown
):
    """Nor that of the same day last year, because puzzles repeat every year."""
    await solved(storage, ANN, TODAY - 3)

    found = await puzzles(storage).past(ANN, None if wished is None else TODAY + wished)

    assert (found.day, found.puzzle) == (TODAY + shown, puzzle_of(TODAY + shown))
    assert (found.answer is not None) == (shown == -3)


@pytest.mark.parametrize(("ago", "is_told"), [(1, True), (7, True), (8, False)])
async def test_the_result_of_the_last_answer_is_shown_for_a_week(storage, ago, is_told):
    await solved(storage, ANN, TODAY - ago)
    await solved(storage, ANN, TODAY)

    last = (await puzzles(storage).day_for(ANN)).last

    assert (None if last is None else last.day) == (TODAY - ago if is_told else None)
