"""Queries of leaderboards: current members, periods, and seasons."""

import asyncio
from datetime import UTC, datetime

import pytest

from bot.errors import MatchError
from bot.messaging.membership import ASKED
from bot.stats.leaderboards import Leaderboards, Query, begin_of
from bot.stats.seasons import MEANWHILE, Seasons
from tests.support.match_records import finished
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD, NOW, refusal
from tests.support.races import somebody_waits


class Membership:
    """Stands in for membership: these people have left; `asked` has everybody asked about."""

    def __init__(self, *gone):
        self._gone = frozenset(gone)
        self.asked = []

    async def gone(self, guild, users, *, asker=None):
        assert guild == GUILD
        assert asker in {None, *users}
        self.asked.append(set(users))
        return self._gone & set(users)


class Unknown(Membership):
    async def gone(self, guild, users, *, asker=None):
        del guild, users, asker


async def crowd(storage, size):
    """Let Ann beat this many others, once each, so that all others share a place."""
    for n in range(size):
        await finished(storage, n, (ANN, 5000 + n), (1, 2))


def boards_of(storage, members):
    return Leaderboards(storage, Seasons(storage, now=lambda: NOW), members, now=lambda: NOW)


async def asked(storage, members, *, query=None, number=0, me=ANN):
    boards = boards_of(storage, members)
    return await boards.board(GUILD, query or Query(game="pico"), number, me)


def users(board):
    return [line.user for line in board.page.lines]


async def test_people_who_left_are_not_shown_and_the_page_is_filled_up(storage):
    await crowd(storage, 12)

    board = await asked(storage, Membership(ANN, 5003))

    assert len(users(board)) == 10
    assert not {ANN, 5003} & set(users(board))
    assert (board.page.total, board.page.own, board.complete) == (11, None, True)


async def test_if_membership_is_unknown_everybody_is_shown_and_marked_incomplete(storage):
    await crowd(storage, 1)

    board = await asked(storage, Unknown(), me=DAN)

    assert users(board) == [ANN, 5000]
    assert not board.complete


async def test_membership_is_checked_for_a_page_far_down(storage, monkeypatch):
    monkeypatch.setattr("bot.stats.leaderboards.ASKED", 5)
    await crowd(storage, 12)
    last = 5000  # these ties are ordered by id, highest first

    board = await asked(storage, members := Membership(last), number=1)

    assert last not in users(board)
    assert board.page.total == 12
    assert len(members.asked[0]) == 5
    assert ASKED > 5


async def test_the_overview_has_only_games_that_were_played(storage):
    await finished(storage, 1, (ANN, BEA), (1, 2))
    await finished(storage, 2, (CYD, DAN), (1, 2), game="spite")
    boards = boards_of(storage, Membership(CYD))

    overview = await boards.overview(GUILD, Query(), ANN)

    shown = {game: [s.user for s in page.lines] for game, page in overview.lines.items()}
    assert shown == {"pico": [ANN, BEA], "spite": [DAN]}


def timestamp(year, month, day, hour=0):
    return datetime(year, month, day, hour, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("period", "now", "begin"),
    [
        ("week", (2026, 11, 21, 13), (2026, 11, 16)),
        ("week", (2026, 11, 16, 0), (2026, 11, 16)),
        ("week", (2027, 1, 3, 23), (2026, 12, 28)),
        ("month", (2026, 11, 21, 13), (2026, 11, 1)),
        ("month", (2026, 12, 1, 0), (2026, 12, 1)),
    ],
)
def test_weeks_begin_on_monday_and_months_on_the_first_day(period, now, begin):
    assert begin_of(period, timestamp(*now)) == timestamp(*begin)


# Seasons.


@pytest.fixture
def seasons(storage):
    return Seasons(storage, now=lambda: NOW)


async def test_a_season_ends_when_the_next_one_begins(seasons):
    first = (await seasons.start(GUILD, "Spring")).season
    second = (await seasons.start(GUILD, "Summer")).season

    assert [(s.id, s.name, s.ended_at) for s in await seasons.of(GUILD)] == [
        (second.id, "Summer", None),
        (first.id, "Spring", int(NOW)),
    ]


async def test_starting_a_season_ends_only_the_expected_one(seasons):
    spring = (await seasons.start(GUILD, "Spring", ending=0)).season
    summer = await seasons.start(GUILD, "Summer", ending=spring.id)
    refused = [
        await refusal(seasons.start(GUILD, "Autumn", ending=ending)) for ending in (0, spring.id)
    ]
    autumn = await seasons.start(GUILD, "Autumn")

    assert summer.before.id == spring.id
    assert autumn.before.id == summer.season.id
    assert refused == [(MatchError, MEANWHILE)] * 2
    assert [season.name for season in await seasons.of(GUILD)] == ["Autumn", "Summer", "Spring"]


async def test_starting_a_season_waits_for_another_process_that_does_so(storages, ask):
    seasons = Seasons(storages[0], now=lambda: NOW)
    spring = (await seasons.start(GUILD, "Spring")).season

    async with storages[1].transaction() as writing:
        await writing.seasons.start(GUILD, "Summer", int(NOW))
        late = asyncio.create_task(seasons.start(GUILD, "Autumn", ending=spring.id))
        await somebody_waits(ask, unless=late.done)

    assert await refusal(late) == (MatchError, MEANWHILE)


async def test_each_server_has_its_own_seasons(seasons):
    await seasons.start(GUILD, "Spring")
    await seasons.start(GUILD + 1, "Spring")

    assert [season.name for season in await seasons.of(GUILD)] == ["Spring"]


@pytest.mark.parametrize("name", ["Spring 1", "  SPRING   1 ", "\uff33pring 1"])
async def test_a_name_typed_differently_is_still_taken(seasons, name):
    await seasons.start(GUILD, "Spring 1")

    error, sentence = await refusal(seasons.start(GUILD, name))

    assert error is MatchError
    assert sentence.startswith("This server already has a season with this name")
    assert len(await seasons.of(GUILD)) == 1


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467 1", "\U0001f468\U0001f469\U0001f467 1"),
        ("\U0001f3f3\ufe0f\u200d\U0001f308 Cup", "\U0001f3f3\ufe0f\U0001f308 Cup"),
        ("\u0628\u0627\u0632\u06cc\u200c\u0647\u0627", "\u0628\u0627\u0632\u06cc\u0647\u0627"),
        (
            "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f A",
            "\U0001f3f4 A",
        ),
    ],
    ids=["a family", "a rainbow flag", "Persian", "England"],
)
async def test_a_name_can_contain_joiners_but_must_differ_by_more_than_those(seasons, name, plain):
    await seasons.start(GUILD, name)

    _, sentence = await refusal(seasons.start(GUILD, plain))

    assert [season.name for season in await seasons.of(GUILD)] == [name]
    assert sentence.startswith("This server already has a season with this name")


@pytest.mark.parametrize("mark", [*"\u034f\ufe00\ufe0f\U000e0100\u17b4\u180b\u180f\u2065"])
async def test_invisible_characters_do_not_make_a_name_different(seasons, mark):
    await seasons.start(GUILD, "Spring 2027")

    _, sentence = await refusal(seasons.start(GUILD, f"Spring{mark} 2027"))

    assert sentence.startswith("This server already has a season with this name")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("   ", "A season name needs a letter or a digit, like Spring 2027"),
        ("***", "A season name needs a letter or a digit, like Spring 2027"),
        ("a\u202eb", "This name has invisible characters"),
        ("\u3164", "This name has invisible characters"),
        ("a\u2800", "This name has invisible characters"),
        ("a\u200db", "This name has invisible characters"),
        ("\u0645\u200c", "This name has invisible characters"),
        ("\u0645\u200c\u200c\u0645", "This name has invisible characters"),
        ("Cup \U000e0067\U000e007f", "This name has invisible characters"),
        ("a" * 41, "A season name can have at most 40 characters"),
    ],
)
async def test_an_unreadable_name_is_refused(seasons, name, why):
    _, sentence = await refusal(seasons.start(GUILD, name))

    assert sentence.startswith(why)
    assert await seasons.of(GUILD) == []


async def test_spaces_around_and_between_words_are_normalized(seasons):
    assert (await seasons.start(GUILD, "  Spring \n 2027 ")).season.name == "Spring 2027"


async def test_a_season_is_found_by_name_and_old_ones_stay_readable(storage, seasons):
    spring = (await seasons.start(GUILD, "Spring")).season
    await finished(storage, 1, (ANN, BEA), (1, 2))
    await seasons.start(GUILD, "Summer")
    await finished(storage, 2, (CYD, DAN), (1, 2))

    found = await seasons.by_name(GUILD, "SPRING")
    old = await asked(storage, Membership(), query=Query(game="pico", period=f"s{found.id}"))
    now = await asked(storage, Membership(), query=Query(game="pico", period="season"))

    assert found.id == spring.id
    assert (old.title, users(old)) == ("Spring", [ANN, BEA])
    assert (now.title, users(now)) == ("Summer", [CYD, DAN])


async def test_an_unknown_season_is_refused_in_a_sentence(storage, seasons):
    elsewhere = (await seasons.start(GUILD + 1, "Spring")).season
    _, none_yet = await refusal(
        asked(storage, Membership(), query=Query(game="pico", period="season"))
    )
    await seasons.start(GUILD, "Autumn")

    _, unknown = await refusal(seasons.by_name(GUILD, "Winter"))
    _, other = await refusal(
        asked(storage, Membership(), query=Query(game="pico", period=f"s{elsewhere.id}"))
    )

    assert none_yet.startswith("This server has no season yet.")
    assert unknown.startswith("This server has no season with this name.")
    assert other.startswith("This server never had that season")
