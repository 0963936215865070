"""Pages of finished matches, by cursors, so that none is missed or shown twice."""

import pytest

from bot.errors import ButtonError, MatchError, NotSeatedError
from bot.stats.match_history import PER_PAGE, MatchHistories, Query, query_of
from bot.storage.match_history import PageCursor, beyond, lines_of
from tests.support.match_records import dealt, finished
from tests.support.matches import ANN, BEA, CYD, GUILD
from tests.support.plans import plan_of

pytestmark = pytest.mark.slow

OLDER, NEWER = "<", ">"


@pytest.fixture
async def seven(storage):
    """Seven finished matches of Ann's."""
    for n in range(1, 8):
        await finished(storage, n, (ANN, BEA), (1, 2))


def cursor(way, sequence):
    return PageCursor(sequence=sequence, newer=way == NEWER)


async def page(storage, at=None, *, user=ANN, guild=GUILD, game=None, count=3):
    async with storage.reading() as reading:
        found = await reading.match_histories.page(user, guild, game, at, count)
    return [line.match.id for line in found.lines], found.first, found.total


@pytest.mark.parametrize(
    ("at", "expected", "first"),
    [
        (None, [7, 6, 5], 0),
        (cursor(OLDER, 5), [4, 3, 2], 3),
        (cursor(OLDER, 2), [1], 6),
        (cursor(NEWER, 4), [7, 6, 5], 0),
        (cursor(NEWER, 1), [4, 3, 2], 3),
        (cursor(NEWER, 5), [7, 6], 0),
    ],
)
async def test_a_page_starts_at_its_cursor(storage, seven, at, expected, first):
    assert await page(storage, at) == (expected, first, 7)


async def test_a_cursor_beyond_an_end_gives_the_last_page_on_that_side(storage, seven):
    assert await page(storage, cursor(OLDER, 1)) == ([3, 2, 1], 4, 7)
    assert await page(storage, cursor(NEWER, 7)) == ([7, 6, 5], 0, 7)


async def test_a_match_that_ends_meanwhile_does_not_shift_the_next_page(storage, seven):
    await finished(storage, 8, (ANN, BEA), (1, 2))

    assert await page(storage, cursor(OLDER, 5)) == ([4, 3, 2], 4, 8)


async def test_a_person_without_finished_matches_has_an_empty_page(storage, seven):
    await dealt(storage, 9, (CYD, BEA))

    assert await page(storage, user=CYD) == ([], 0, 0)
    assert await page(storage, cursor(OLDER, 5), user=CYD) == ([], 0, 0)


async def test_a_server_sees_its_own_matches_and_the_person_alone_sees_all(storage, seven):
    await finished(storage, 8, (BEA, ANN), (1, 1), guild=GUILD + 1)

    assert await page(storage, guild=GUILD + 1) == ([8], 0, 1)
    assert await page(storage, guild=None) == ([8, 7, 6], 0, 8)


async def test_a_history_of_one_game_has_only_that_game(storage, seven):
    for n in (8, 9, 10):
        await finished(storage, n, (ANN, BEA), (1, 2), game="duel")
    await finished(storage, 11, (ANN, BEA), (1, 2))

    assert await page(storage, game="duel", count=2) == ([10, 9], 0, 3)
    assert await page(storage, cursor(OLDER, 9), game="duel") == ([8], 2, 3)
    assert await page(storage, cursor(NEWER, 0), game="duel", count=2) == ([9, 8], 1, 3)
    assert await page(storage, game="spite") == ([], 0, 0)


async def test_pages_link_to_their_neighbors(storage):
    for n in range(1, 2 * PER_PAGE + 2):
        await finished(storage, n, (ANN, BEA), (1, 2))
    histories = MatchHistories(storage)

    first = await histories.page(Query(user=ANN), GUILD)
    second = await histories.page(first.older, GUILD)
    third = await histories.page(second.older, GUILD)

    assert [len(p.entries) for p in (first, second, third)] == [PER_PAGE, PER_PAGE, 1]
    assert (first.newer, third.older) == (None, None)
    assert [e.record for e in (await histories.page(third.newer, GUILD)).entries] == [
        e.record for e in second.entries
    ]


async def test_every_page_links_to_both_ends(storage):
    """A link to an end is omitted if the next page is that end."""
    for n in range(1, 4 * PER_PAGE + 1):
        await finished(storage, n, (ANN, BEA), (1, 2))
    histories = MatchHistories(storage)
    begin = await histories.page(Query(user=ANN), GUILD)

    end = await histories.page(begin.oldest, GUILD)
    third = await histories.page(end.newer, GUILD)
    second = await histories.page(third.newer, GUILD)
    back = await histories.page(third.newest, GUILD)

    assert [page.first for page in (end, third, second, back)] == [
        3 * PER_PAGE,
        2 * PER_PAGE,
        PER_PAGE,
        0,
    ]
    assert [page.newest for page in (begin, second)] == [None, None]
    assert [page.oldest for page in (end, third)] == [None, None]
    assert end.newest == third.newest == Query(user=ANN)
    assert begin.oldest == second.oldest


async def test_a_match_that_cannot_be_decoded_is_still_listed(storage, seven):
    found = await MatchHistories(storage).page(Query(user=ANN), GUILD)

    assert [entry.snapshot for entry in found.entries] == [None] * 7


async def test_only_its_players_and_its_server_can_look_at_a_match_again(storage):
    match = await dealt(storage)

    with pytest.raises(NotSeatedError, match="another server"):
        await MatchHistories(storage).ended_match(match, user=CYD, guild=GUILD + 1)


@pytest.mark.parametrize(
    "query",
    [
        Query(user=7),
        Query(user=7, game="pico"),
        Query(user=2**63 - 1, cursor=cursor(NEWER, 0)),
        Query(user=2**63 - 1, game="conquest", cursor=cursor(OLDER, 10**18 - 1)),
    ],
)
def test_a_query_survives_in_the_arg_of_a_button_and_fits(query):
    assert Query.parse(str(query)) == query
    assert len(str(query)) <= 55


@pytest.mark.parametrize("text", ["", "x", "7 5", "7 <x", "7 <", "7 chess", "7 pico 5"])
def test_any_other_text_is_not_a_query(text):
    with pytest.raises(ButtonError, match="Use `/history` again"):
        Query.parse(text)


def test_a_history_of_a_bot_is_refused():
    class Robot:
        id, bot = 7, True

    with pytest.raises(MatchError, match=r"<@7> is a bot\. Pick a person\."):
        query_of(ANN, Robot(), None)


@pytest.mark.sqlite
@pytest.mark.parametrize("guild", [GUILD, None])
@pytest.mark.parametrize("game", ["pico", None])
@pytest.mark.parametrize("at", [None, cursor(OLDER, 5), cursor(NEWER, 5)])
def test_no_history_reads_a_whole_table(database, guild, game, at):
    query = beyond(lines_of(ANN, guild, game), at, 9)

    plan = plan_of(database, query)

    assert plan[0].startswith("SEARCH results USING COVERING INDEX ix_results_history (user=?")
