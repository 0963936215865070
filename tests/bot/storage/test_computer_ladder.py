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


async def played_computers(storage, interaction, seats, *, at=2000, **changes):
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


async def ladder_page(storage, board=BOARD, **changes):
    values = {"first": 0, "count": 10, "me": ANN, **changes}
    async with storage.reading() as reading:
        return page_of_ranking(await reading.computer_ladders.ranking(board), **values)


async def test_each_level_has_its_own_wins_draws_and_losses(storage):
    await played_computers(storage, 1, [(ANN, 1), ("easy", 2)])
    await played_computers(storage, 2, [("easy", 1), (ANN, 1)])
    await played_computers(storage, 3, [(ANN, 2), ("strong", 1)])

    found = await ladder_page(storage)

    assert found.own.against == {"strong": Tally(0, 0, 1), "easy": Tally(1, 1, 0)}


async def test_against_several_computers_of_one_level_only_the_best_counts(storage):
    await played_computers(storage, 1, [(ANN, 2), ("easy", 3), ("easy", 1), ("strong", 4)])

    found = await ladder_page(storage)

    assert found.own.against == {"strong": Tally(1, 0, 0), "easy": Tally(0, 0, 1)}


async def test_wins_against_the_strongest_level_decide_the_place(storage):
    await played_computers(storage, 1, [(ANN, 1), ("easy", 2)])
    await played_computers(storage, 2, [(ANN, 1), ("easy", 2)])
    await played_computers(storage, 3, [(BEA, 1), ("strong", 2)])
    await played_computers(storage, 4, [(CYD, 1), ("strong", 2)])
    await played_computers(storage, 5, [(CYD, 1), ("steady", 2)])

    found = await ladder_page(storage)

    assert [(line.user, line.place) for line in found.lines] == [(CYD, 1), (BEA, 2), (ANN, 3)]


async def test_equal_lines_share_a_place_and_pages_have_a_size(storage):
    for i, user in enumerate((ANN, BEA, CYD)):
        await played_computers(storage, i, [(user, 1), ("easy", 2)])

    found = await ladder_page(storage, first=2, count=2)

    assert [line.place for line in found.lines] == [1]
    assert (found.first, found.total, found.own.user) == (2, 3, ANN)


async def test_only_results_since_the_given_time_count(storage):
    await played_computers(storage, 1, [(ANN, 1), ("easy", 2)], at=100)
    await played_computers(storage, 2, [(ANN, 2), ("easy", 1)], at=300)

    found = await ladder_page(storage, BoardRecord(guild=GUILD, game="pico", since=200))

    assert found.own.against == {"easy": Tally(0, 0, 1)}


async def test_every_result_written_during_a_season_counts(storage):
    """Even if it ended shortly before the season: its transaction may have waited for a lock."""
    await played_computers(storage, 1, [(ANN, 1), ("easy", 2)], at=8_000)
    async with storage.transaction() as writing:
        season = await writing.seasons.start(GUILD, "Autumn", 20_000)
    await played_computers(storage, 2, [(ANN, 2), ("easy", 1)], at=19_990)
    await played_computers(storage, 3, [(ANN, 1), ("strong", 2)], at=30_000)

    found = await ladder_page(storage, BoardRecord(guild=GUILD, game="pico", season=season))

    assert found.own.against == {"strong": Tally(1, 0, 0), "easy": Tally(0, 0, 1)}


async def test_results_from_long_before_a_season_are_not_read(storage, database):
    """Proven with an old result that is marked as part of the season."""
    old = await played_computers(storage, 1, [(ANN, 1), ("easy", 2)], at=8_000)
    async with storage.transaction() as writing:
        season = await writing.seasons.start(GUILD, "Autumn", 20_000)
    change(database, f"UPDATE results SET season = {season} WHERE match = {old}")  # noqa: S608

    found = await ladder_page(storage, BoardRecord(guild=GUILD, game="pico", season=season))

    assert found.total == 0


async def test_results_from_long_after_a_finished_season_are_not_read(storage, database):
    """Proven with results marked as part of it; one from shortly after its end does count."""
    async with storage.transaction() as writing:
        season = await writing.seasons.start(GUILD, "Autumn", 20_000)
        await writing.seasons.start(GUILD, "Winter", 40_000)
        await writing.seasons.start(GUILD, "Spring", 60_000)
        await writing.seasons.start(GUILD + 1, "Elsewhere", 1)
    for number, at in enumerate((39_000, 40_005, 50_000)):
        await played_computers(storage, number, [(ANN, 1), ("easy", 2)], at=at)
    change(database, f"UPDATE results SET season = {season}")  # noqa: S608

    found = await ladder_page(storage, BoardRecord(guild=GUILD, game="pico", season=season))

    assert found.own.against == {"easy": Tally(2, 0, 0)}
    assert (await ladder_page(storage)).own.against == {"easy": Tally(3, 0, 0)}


async def test_hidden_departed_and_former_players_are_not_listed(storage, database):
    for i, user in enumerate((ANN, BEA, CYD)):
        await played_computers(storage, i, [(user, 1), ("easy", 2)])
    hide(database, ANN)
    await forget_user(storage, BEA)

    found = await ladder_page(storage, gone=[CYD])

    assert (found.lines, found.total, found.own) == ((), 0, None)


async def test_matches_between_people_do_not_count(storage):
    await finished(storage, 1, (ANN, BEA), (1, 2))

    assert (await ladder_page(storage)).total == 0


@pytest.mark.parametrize("rated", [True, False])
async def test_matches_against_computers_affect_neither_ratings_nor_leaderboards(storage, rated):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.reading() as reading:
        before = await reading.leaderboards.page(BOARD, first=0, count=9, me=ANN)

    await played_computers(storage, 2, [(ANN, 2), ("strong", 1)], rated=rated)

    async with storage.reading() as reading:
        assert await reading.leaderboards.page(BOARD, first=0, count=9, me=ANN) == before
        found = await reading.ratings.audit()
    assert (found.right, found.matches) == (True, 1)


@pytest.mark.parametrize("text", ["pico week c", "- all c", "pico s3"])
def test_a_ladder_query_survives_its_text_form(text):
    query = Query.parse(text)

    assert str(query) == text
    assert query.computers is text.endswith(" c")
