"""Frequent queries use an index, so their cost doesn't grow with the number of old matches.

The query plans are those of the statements as they're sent, with bound values.
"""

import re

import pytest

from bot.matches.grace import grace_for
from bot.storage.puzzles import AnswerRecord
from bot.storage.shards import Servers
from tests.support.clock import EVERY_SHARD
from tests.support.matches import ANN, BEA, CYD, GUILD
from tests.support.plans import plans

pytestmark = pytest.mark.sqlite


async def test_unanswered_challenges_have_their_own_index(storage, database):
    with plans(storage, database) as found:
        async with storage.reading() as reading:
            await reading.challenges.unanswered_before(1000, 50)

    (steps,) = found
    assert steps == ["SEARCH matches USING INDEX ix_matches_unanswered (ended_at<?)"]


async def test_cleaning_up_notices_reads_only_stored_notices_and_their_matches(storage, database):
    """It holds the write lock meanwhile, so it must look at no other matches."""
    with plans(storage, database) as found:
        async with storage.transaction() as writing:
            await writing.notices.forget_sent_before(1000)

    steps = [step for plan in found for step in plan if step.startswith(("SCAN", "SEARCH"))]
    assert steps == [
        "SCAN sent_notices",
        "SEARCH matches USING INTEGER PRIMARY KEY (rowid=?)",
        "SEARCH notices USING INDEX sqlite_autoindex_notices_1 (match=?)",
    ]


async def test_the_next_due_notice_is_found_by_the_index_of_due_times(storage, database):
    with plans(storage, database) as found:
        async with storage.reading() as reading:
            await reading.notices.next_due(1000, EVERY_SHARD)

    assert found == [
        [
            "SEARCH notices USING INDEX ix_notices_due_at (due_at>?)",
            "SEARCH matches USING INTEGER PRIMARY KEY (rowid=?)",
        ]
    ]


async def test_seasons_to_announce_have_their_own_index(storage, database):
    """This runs each time that anything is due."""
    with plans(storage, database) as found:
        async with storage.reading() as reading:
            await reading.seasons.unannounced()

    assert found == [["SEARCH seasons USING INDEX ix_seasons_announce_in (announce_in>?)"]]


async def test_asks_are_counted_by_the_indexes_of_people_and_times(storage, database):
    with plans(storage, database) as found:
        async with storage.reading() as reading:
            await reading.asks.unanswered(ANN, [BEA, CYD], 1000, 2000, deleted_at=1500)
            await reading.asks.any_outside(1000, 2000)

    of_asks = [step for plan in found for step in plan if " asks " in step]
    assert of_asks == [
        "SEARCH asks USING INDEX ix_asks_user (user=?)",
        "SEARCH asks USING INDEX ix_asks_actor (actor=?)",
        "SEARCH asks USING INDEX ix_asks_asked_at (asked_at>? AND asked_at<?)",
        "SEARCH asks USING COVERING INDEX ix_asks_asked_at (asked_at<?)",
        "SEARCH asks USING COVERING INDEX ix_asks_asked_at (asked_at>?)",
    ]


LOOKUPS_IN_A_SERVER = {
    "to choose from": lambda tx: tx.match_lists.running_in(GUILD),
    "to moderate": lambda tx: tx.match_lists.unfinished_in(GUILD),
    "that have lost their place": lambda tx: tx.pauses.lost(GUILD),
    "to be paused": lambda tx: tx.pauses.pause_guild(GUILD, 1, 2),
    "whose channels may be gone": lambda tx: tx.pauses.channels([GUILD, GUILD + 1]),
    "to watch": lambda tx: tx.match_lists.of_guild(GUILD),
    "to watch of one person": lambda tx: tx.match_lists.with_player(GUILD, ANN),
    "before it is forgotten": lambda tx: tx.guilds.left_before(2, 1),
}


@pytest.mark.parametrize("look", LOOKUPS_IN_A_SERVER.values(), ids=LOOKUPS_IN_A_SERVER)
async def test_matches_in_play_of_a_server_are_found_by_their_own_index(storage, database, look):
    """Not in the index of all matches that it ever had."""
    with plans(storage, database) as found:
        async with storage.transaction() as writing:
            await look(writing)

    assert _read(found, "matches") == [
        "SEARCH matches USING INDEX ix_matches_live (guild=? AND settled=?)"
    ]


async def test_matches_that_somebody_follows_are_found_by_their_own_index(storage, database):
    """Not in the index of all matches that the server ever had."""
    with plans(storage, database) as found:
        async with storage.reading() as reading:
            await reading.match_lists.followed(GUILD, ANN)

    assert _read(found, "watches") == [
        "SEARCH watches USING COVERING INDEX ix_watches_user (user=?)"
    ]
    assert _read(found, "matches") == ["SEARCH matches USING INTEGER PRIMARY KEY (rowid=?)"]


async def test_answers_to_puzzles_of_a_server_are_read_by_index_and_only_once(
    storage, database, monkeypatch
):
    """Without reading other servers' answers, sorting, or reading earlier chunks again."""
    async with storage.transaction() as writing:
        for user in (ANN, BEA, CYD):
            given = {"choice": "9", "solved": True, "answered_at": 0}
            await writing.puzzles.add(AnswerRecord(day=400, user=user, guild=GUILD, **given))
    monkeypatch.setattr("bot.storage.puzzles._CHUNK", 2)
    with plans(storage, database) as found:
        async with storage.reading() as reading:
            assert len(await reading.puzzles.tallies(GUILD, 500)) == 3

    way = "SEARCH puzzle_answers USING COVERING INDEX ix_puzzle_answers_guild"
    first, *others = _read(found, "puzzle_answers")
    assert first == f"{way} (guild=? AND day<?)"
    assert set(others) == {f"{way} (guild=? AND day>? AND day<?)"}
    assert _read(found, "puzzle_days") == [DAYS]
    assert not [step for plan in found for step in plan if "B-TREE" in step]


async def test_a_streak_is_read_by_the_index_of_the_persons_answers(storage, database):
    with plans(storage, database) as found:
        async with storage.reading() as reading:
            await reading.puzzles.streak(1, 500)

    assert _read(found, "puzzle_answers") == [
        "SEARCH puzzle_answers USING INDEX ix_puzzle_answers_user (user=? AND day<?)"
    ]
    assert _read(found, "puzzle_days") == [DAYS]


DAYS = "SEARCH puzzle_days USING PRIMARY KEY (day<?)"


def _read(found, table):
    """Return the steps of the plans that read this table."""
    return [step for plan in found for step in plan if f" {table} " in step]


OPENED = "SEARCH matches USING INDEX ix_matches_opener (opener=? AND rowid>?)"
SEATED = "SEARCH seats USING INDEX ix_seats_user_match (user=? AND match>?)"
SEATED_ALONE = SEATED.replace("INDEX", "COVERING INDEX")
BY_MATCH = {
    "SEARCH live USING COVERING INDEX ix_matches_unsettled (settled=?)",
    "SEARCH matches USING INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH seats USING INDEX sqlite_autoindex_seats_1 (match=?)",
    "SEARCH places USING PRIMARY KEY (match=? AND place=?) LEFT-JOIN",
}

LOOKUPS_UNDER_WAY = {
    "open challenges": (lambda tx: tx.challenges.opened_by(1), OPENED),
    "a match that has just begun": (
        lambda tx: tx.challenges.has_begun(1, "pico", 1000, within=3, besides=9),
        OPENED,
    ),
    "running matches of several": (lambda tx: tx.challenges.running([1, 2]), SEATED),
    "invitations between them and others": (
        lambda tx: tx.challenges.between(1, [2, 3], besides=9),
        SEATED,
    ),
    "running matches of a game": (
        lambda tx: tx.match_lists.running(1, game="pico", guild=None),
        SEATED,
    ),
    "running matches of a game in a server": (
        lambda tx: tx.match_lists.running(1, game="pico", guild=GUILD),
        SEATED,
    ),
    "running matches in a server": (lambda tx: tx.clocks.running_of(1, GUILD), SEATED),
    "matches whose hands show what they prefer": (
        lambda tx: tx.people.matches_in_play(1),
        SEATED_ALONE,
    ),
}


@pytest.mark.parametrize(("look", "way"), LOOKUPS_UNDER_WAY.values(), ids=LOOKUPS_UNDER_WAY)
async def test_matches_in_play_of_a_person_are_read_from_their_oldest_one_on(
    storage, database, look, way
):
    """Not in the index of all matches that they ever had."""
    with plans(storage, database) as found:
        async with storage.transaction() as writing:
            await look(writing)

    first, *others = [
        re.sub(r"^(SEARCH \w+)_\d ", r"\1 ", step)
        for plan in found
        for step in plan
        if step.startswith(("SCAN", "SEARCH"))
    ]
    assert first == way
    assert set(others) <= BY_MATCH


async def test_the_list_of_matches_reads_nothing_older_than_the_oldest_undecided(storage, database):
    """Undecided matches are those in play and those with a held result."""
    with plans(storage, database) as found:
        async with storage.reading() as reading:
            await reading.match_lists.of_player(1)

    (steps,) = found
    ways = [step for step in steps if step.startswith(("SCAN", "SEARCH"))]
    assert ways[:4] == [
        SEATED.replace("seats", "seats_1", 1),
        "SEARCH live USING COVERING INDEX ix_matches_unsettled (settled=?)",
        "SEARCH held USING INDEX ix_matches_held",
        "SEARCH first",
    ]
    assert _read(found, "matches") == ["SEARCH matches USING INTEGER PRIMARY KEY (rowid=?)"]


async def test_finished_matches_of_a_person_are_read_from_the_newest_backward(storage, database):
    """Without reading the rows of all matches that they ever had."""
    with plans(storage, database) as found:
        async with storage.reading() as reading:
            await reading.match_lists.finished_before(9, 1, 20)

    (way,) = _read(found, "results")
    assert way == "SEARCH results USING COVERING INDEX ix_results_history (user=? AND guild=?)"
    assert not [step for plan in found for step in plan if "B-TREE" in step]


async def test_hands_are_found_without_reading_finished_matches(storage, database):
    with plans(storage, database) as found:
        async with storage.transaction() as writing:
            await writing.people.forget_plays_here(1)

    assert _read(found, "matches") == ["SEARCH matches USING INTEGER PRIMARY KEY (rowid=?)"]


async def test_grace_for_some_servers_reads_only_matches_that_are_due_soon(storage, database):
    """Not in the index of all matches that they ever had."""
    grace = grace_for(3600)
    with plans(storage, database) as found:
        async with storage.transaction() as writing:
            await writing.deadlines.give_grace(9000, grace, Servers(frozenset({GUILD})))

    assert _read(found, "matches") == ["SEARCH matches USING INDEX ix_matches_due_at (due_at<?)"]


LOOKUPS_OF_TODAY = {
    "each other": lambda tx: tx.challenges.rated_together(GUILD, [ANN, BEA], 1000),
    "somebody deleted": lambda tx: tx.challenges.rated_with_former(GUILD, [ANN, BEA], 1000),
}


@pytest.mark.parametrize("look", LOOKUPS_OF_TODAY.values(), ids=LOOKUPS_OF_TODAY)
async def test_rated_matches_of_a_day_are_found_by_their_own_index(storage, database, look):
    """Not in the index of all that these people ever had, because others wait meanwhile."""
    with plans(storage, database) as found:
        async with storage.transaction() as writing:
            await look(writing)

    assert _read(found, "matches") == [
        "SEARCH matches USING INDEX ix_matches_rated (guild=? AND begun_at>?)"
    ]
