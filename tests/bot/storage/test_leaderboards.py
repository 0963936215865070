"""Leaderboards: places, ties and pages, and who isn't listed."""

import pytest

from bot.storage.leaderboards import BoardRecord, board_query
from tests.support.match_records import finished, forget_user, hide
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD
from tests.support.plans import plan_of

pytestmark = pytest.mark.slow

PICO = BoardRecord(guild=GUILD, game="pico")
LATELY = BoardRecord(guild=GUILD, game="pico", since=2000)


async def board(storage, which=PICO, *, first=0, count=10, me=0, gone=()):
    async with storage.reading() as reading:
        return await reading.leaderboards.page(which, first=first, count=count, me=me, gone=gone)


async def places(storage, which=PICO, **wanted):
    return [(line.user, line.place) for line in (await board(storage, which, **wanted)).lines]


async def crowd(storage, size=7):
    """Let Ann beat this many other people, once each."""
    for n in range(size):
        await finished(storage, n, (ANN, 2000 + n), (1, 2))


async def test_lines_are_ordered_by_rating_and_show_the_record(storage):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    await finished(storage, 2, (ANN, CYD), (1, 1))

    lines = (await board(storage)).lines

    assert [(s.user, s.place, s.won, s.drawn, s.lost) for s in lines] == [
        (ANN, 1, 1, 1, 0),
        (CYD, 2, 0, 1, 0),
        (BEA, 3, 0, 0, 1),
    ]
    assert lines[0].rating > lines[1].rating > 1500 > lines[2].rating


async def test_provisional_ratings_come_after_established_ones(storage):
    """One win says little about somebody's strength."""
    for n in range(5):
        await finished(storage, n, (ANN, BEA), (1 + n % 2, 2 - n % 2))
    await finished(storage, 9, (CYD, DAN), (1, 2))

    lines = (await board(storage)).lines

    assert [(line.user, line.established) for line in lines] == [
        (ANN, True),
        (BEA, True),
        (CYD, False),
        (DAN, False),
    ]
    assert lines[2].rating > lines[1].rating


async def test_equal_ratings_share_a_place_and_the_next_place_is_skipped(storage):
    await finished(storage, 1, (ANN, CYD), (1, 2))
    await finished(storage, 2, (BEA, DAN), (1, 2))

    assert await places(storage) == [(BEA, 1), (ANN, 1), (DAN, 3), (CYD, 3)]


@pytest.mark.parametrize("which", [PICO, LATELY])
async def test_a_leaderboard_is_of_one_server_and_one_game(storage, which):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    await finished(storage, 2, (CYD, DAN), (1, 2), guild=GUILD + 1)
    await finished(storage, 3, (CYD, DAN), (1, 2), game="duel")

    assert await places(storage, which) == [(ANN, 1), (BEA, 2)]


@pytest.mark.parametrize("which", [PICO, LATELY])
async def test_casual_matches_do_not_count(storage, which):
    await finished(storage, 1, (ANN, BEA), (1, 2), rated=False)

    found = await board(storage, which, me=ANN)

    assert (found.lines, found.total, found.own) == ((), 0, None)


async def test_recent_results_are_ordered_by_wins_then_draws_then_fewer_losses(storage):
    results = [
        ((ANN, BEA), (1, 2)),
        ((ANN, BEA), (2, 1)),
        ((ANN, CYD), (1, 1)),
        ((CYD, DAN), (1, 2)),
        ((CYD, DAN), (1, 2)),
    ]
    for n, (users, ranks) in enumerate(results):
        await finished(storage, n, users, ranks)

    lines = (await board(storage, LATELY)).lines

    assert [(s.user, s.place, s.won, s.drawn, s.lost) for s in lines] == [
        (CYD, 1, 2, 1, 0),
        (ANN, 2, 1, 1, 1),
        (BEA, 3, 1, 0, 1),
        (DAN, 4, 0, 0, 2),
    ]
    assert {line.rating for line in lines} == {None}


async def test_recent_results_count_from_the_given_time_on(storage):
    await finished(storage, 1, (ANN, BEA), (1, 2), at=1999)
    await finished(storage, 2, (CYD, DAN), (1, 2), at=2000)

    assert await places(storage, LATELY) == [(CYD, 1), (DAN, 2)]


async def test_every_season_has_its_own_ratings_that_start_over(storage):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.transaction() as writing:
        season = await writing.seasons.start(GUILD, "Spring", 2000)
    await finished(storage, 2, (BEA, ANN), (1, 2))

    of_season = await board(storage, BoardRecord(guild=GUILD, game="pico", season=season))

    assert [(s.user, s.rating, s.won) for s in of_season.lines] == [(BEA, 1563, 1), (ANN, 1437, 0)]
    assert [line.won for line in (await board(storage)).lines] == [1, 1]


@pytest.mark.parametrize("which", [PICO, LATELY])
async def test_a_page_has_its_position_and_the_line_of_the_person_who_asks(storage, which):
    await crowd(storage)

    second = await board(storage, which, first=3, count=3, me=ANN)

    assert (second.first, second.total, len(second.lines)) == (3, 8, 3)
    assert (second.own.user, second.own.place) == (ANN, 1)


@pytest.mark.parametrize("which", [PICO, LATELY])
async def test_a_page_beyond_the_end_is_the_last_one(storage, which):
    await crowd(storage)

    beyond = await board(storage, which, first=990, count=3)

    assert (beyond.first, len(beyond.lines)) == (6, 2)
    assert beyond == await board(storage, which, first=6, count=3)


@pytest.mark.parametrize("which", [PICO, LATELY])
async def test_members_who_left_are_not_listed_and_those_behind_move_up(storage, which):
    await finished(storage, 1, (ANN, BEA), (1, 2))

    assert await places(storage, which, gone=[ANN], me=ANN) == [(BEA, 1)]


@pytest.mark.parametrize("which", [PICO, LATELY])
async def test_hidden_people_are_not_listed(storage, database, which):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    hide(database, ANN)

    found = await board(storage, which, me=ANN)

    assert [line.user for line in found.lines] == [BEA]
    assert found.own is None


@pytest.mark.parametrize("which", [PICO, LATELY])
async def test_former_players_are_not_listed(storage, which):
    await finished(storage, 1, (ANN, BEA), (1, 2))

    await forget_user(storage, ANN)

    assert await places(storage, which) == [(BEA, 1)]


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("which", "index"),
    [
        (PICO, "PRIMARY KEY (guild=? AND game=? AND season=?)"),
        (LATELY, "INDEX ix_results_board (guild=? AND game=? AND ended_at>?)"),
    ],
)
def test_no_leaderboard_reads_a_whole_table(database, which, index):
    statement, values = board_query(which)
    values |= {"first": 0, "count": 10, "me": ANN, "gone": [BEA]}

    plan = plan_of(database, statement.texts["sqlite"].bindparams(**values))

    assert not [line for line in plan if line.startswith(("SCAN lines", "SCAN people"))]
    assert [line for line in plan if f"SEARCH lines USING {index}" == line]
