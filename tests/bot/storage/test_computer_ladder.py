"""The computer ladder: results of people against each level, apart from ratings."""

import pytest

from bot.stats.leaderboards import Query
from bot.storage import ResultRecord
from bot.storage.computer_ladder import Tally
from bot.storage.leaderboards import BoardRecord
from bot.storage.pages import page_of_ranking
from tests.support.match_records import change, dealt, end, finished, forget_user, hide
from tests.support.matches import ANN, BEA, CYD, GUILD

BOARD = BoardRecord(guild=GUILD, game="pico")


async def practiced(storage, interaction, seats, *, at=2000, **changes):
    """Store a finished match; `seats` are pairs of a user id or a level, and the rank."""
    users = tuple(who if isinstance(who, int) else 0 for who, _ in seats)
    levels = tuple(None if isinstance(who, int) else who for who, _ in seats)
    match = await dealt(storage, interaction, users, computers=levels, **changes)
    lines = [
        ResultRecord(
            seat=i, user=users[i], rank=rank, score=0, won=0, drawn=0, lost=0, computer=levels[i]
        )
        for i, (_, rank) in enumerate(seats)
    ]
    async with storage.transaction() as writing:
        await end(writing, match, "over", at, lines)
    return match


async def climbed(storage, board=BOARD, **changes):
    values = {"first": 0, "count": 10, "me": ANN, **changes}
    async with storage.reading() as reading:
        return page_of_ranking(await reading.computer_ladders.ranking(board), **values)


async def test_each_level_has_its_own_wins_draws_and_losses(storage):
    await practiced(storage, 1, [(ANN, 1), ("easy", 2)])
    await practiced(storage, 2, [("easy", 1), (ANN, 1)])
    await practiced(storage, 3, [(ANN, 2), ("strong", 1)])

    found = await climbed(storage)

    assert found.own.against == {"strong": Tally(0, 0, 1), "easy": Tally(1, 1, 0)}


async def test_of_several_computers_of_a_level_the_best_counts(storage):
    await practiced(storage, 1, [(ANN, 2), ("easy", 3), ("easy", 1), ("strong", 4)])

    found = await climbed(storage)

    assert found.own.against == {"strong": Tally(1, 0, 0), "easy": Tally(0, 0, 1)}


async def test_wins_against_the_strongest_decide_the_place(storage):
    await practiced(storage, 1, [(ANN, 1), ("easy", 2)])
    await practiced(storage, 2, [(ANN, 1), ("easy", 2)])
    await practiced(storage, 3, [(BEA, 1), ("strong", 2)])
    await practiced(storage, 4, [(CYD, 1), ("strong", 2)])
    await practiced(storage, 5, [(CYD, 1), ("steady", 2)])

    found = await climbed(storage)

    assert [(line.user, line.place) for line in found.lines] == [(CYD, 1), (BEA, 2), (ANN, 3)]


async def test_equal_lines_share_a_place_and_pages_hold_so_many(storage):
    for i, user in enumerate((ANN, BEA, CYD)):
        await practiced(storage, i, [(user, 1), ("easy", 2)])

    found = await climbed(storage, first=2, count=2)

    assert [line.place for line in found.lines] == [1]
    assert (found.first, found.total, found.own.user) == (2, 3, ANN)


async def test_only_this_time_counts_where_one_is_asked_for(storage):
    await practiced(storage, 1, [(ANN, 1), ("easy", 2)], at=100)
    await practiced(storage, 2, [(ANN, 2), ("easy", 1)], at=300)

    found = await climbed(storage, BoardRecord(guild=GUILD, game="pico", since=200))

    assert found.own.against == {"easy": Tally(0, 0, 1)}


async def test_of_a_season_all_counts_that_was_written_in_it(storage):
    """Even if it ended shortly before the season: its transaction may have waited for a lock."""
    await practiced(storage, 1, [(ANN, 1), ("easy", 2)], at=8_000)
    async with storage.transaction() as writing:
        season = await writing.seasons.start(GUILD, "Autumn", 20_000)
    await practiced(storage, 2, [(ANN, 2), ("easy", 1)], at=19_990)
    await practiced(storage, 3, [(ANN, 1), ("strong", 2)], at=30_000)

    found = await climbed(storage, BoardRecord(guild=GUILD, game="pico", season=season))

    assert found.own.against == {"strong": Tally(1, 0, 0), "easy": Tally(0, 0, 1)}


async def test_of_a_season_nothing_is_read_that_ended_long_before_it(storage, database):
    """Proven with an old result that is marked as part of the season."""
    old = await practiced(storage, 1, [(ANN, 1), ("easy", 2)], at=8_000)
    async with storage.transaction() as writing:
        season = await writing.seasons.start(GUILD, "Autumn", 20_000)
    change(database, f"UPDATE results SET season = {season} WHERE match = {old}")  # noqa: S608

    found = await climbed(storage, BoardRecord(guild=GUILD, game="pico", season=season))

    assert found.total == 0


async def test_of_a_season_that_is_over_nothing_is_read_that_ended_long_after_it(storage, database):
    """Proven with results marked as part of it; one from shortly after its end does count."""
    async with storage.transaction() as writing:
        season = await writing.seasons.start(GUILD, "Autumn", 20_000)
        await writing.seasons.start(GUILD, "Winter", 40_000)
        await writing.seasons.start(GUILD, "Spring", 60_000)
        await writing.seasons.start(GUILD + 1, "Elsewhere", 1)
    for number, at in enumerate((39_000, 40_005, 50_000)):
        await practiced(storage, number, [(ANN, 1), ("easy", 2)], at=at)
    change(database, f"UPDATE results SET season = {season}")  # noqa: S608

    found = await climbed(storage, BoardRecord(guild=GUILD, game="pico", season=season))

    assert found.own.against == {"easy": Tally(2, 0, 0)}
    assert (await climbed(storage)).own.against == {"easy": Tally(3, 0, 0)}


async def test_hidden_gone_and_former_players_have_no_place(storage, database):
    for i, user in enumerate((ANN, BEA, CYD)):
        await practiced(storage, i, [(user, 1), ("easy", 2)])
    hide(database, ANN)
    await forget_user(storage, BEA)

    found = await climbed(storage, gone=[CYD])

    assert (found.lines, found.total, found.own) == ((), 0, None)


async def test_matches_among_people_are_not_on_it(storage):
    await finished(storage, 1, (ANN, BEA), (1, 2))

    assert (await climbed(storage)).total == 0


@pytest.mark.parametrize("rated", [True, False])
async def test_it_touches_neither_ratings_nor_the_leaderboard_of_people(storage, rated):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.reading() as reading:
        before = await reading.leaderboards.page(BOARD, first=0, count=9, me=ANN)

    await practiced(storage, 2, [(ANN, 2), ("strong", 1)], rated=rated)

    async with storage.reading() as reading:
        assert await reading.leaderboards.page(BOARD, first=0, count=9, me=ANN) == before
        found = await reading.ratings.audit()
    assert (found.right, found.matches) == (True, 1)


@pytest.mark.parametrize("text", ["pico week c", "- all c", "pico s3"])
def test_a_button_says_which_ladder_it_is_about(text):
    query = Query.parse(text)

    assert str(query) == text
    assert query.computers is text.endswith(" c")
