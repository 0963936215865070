"""The digest of a week, read from the rows of a server."""

import pytest

from bot.storage import ResultRecord
from bot.storage.digests import CountRecord, PairRecord, Week
from bot.storage.puzzles import AnswerRecord
from tests.support.match_records import change, dealt, end, finished, forget_user, hide
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD
from tests.support.plans import plans

pytestmark = pytest.mark.slow

MONDAY = 20_003
DAY = 86_400
SINCE, UNTIL = (MONDAY - 7) * DAY, MONDAY * DAY
WEEK = Week(guild=GUILD, since=SINCE, until=UNTIL, first_day=MONDAY - 7, end_day=MONDAY)


async def alone(storage, number, user, *, won):
    """Store a match against a computer early in the week."""
    match = await dealt(storage, number, (user, 0), computers=(None, "easy"))
    ranks = [(user, 2 - won, None), (0, 1 + won, "easy")]
    lines = [
        ResultRecord(
            seat=i, user=who, rank=n, score=0, won=n == 1, drawn=0, lost=n == 2, computer=level
        )
        for i, (who, n, level) in enumerate(ranks)
    ]
    async with storage.transaction() as writing:
        await end(writing, match, "over", SINCE + 5, lines)


@pytest.fixture
def play(storage):
    """Store finished matches that end one second apart, from the start of the week on."""
    count = iter(range(1, 100))

    async def played(*users, ranks=None, **changes):
        number = next(count)
        changes.setdefault("at", SINCE + number)
        ranks = ranks or tuple(range(1, len(users) + 1))
        return await finished(storage, number, users, ranks, **changes)

    return played


async def week(storage, **changes):
    async with storage.reading() as reading:
        return await reading.digests.week(WEEK, **{"upset": 75, "streak": 3, "met": 3, **changes})


async def test_matches_of_the_week_are_counted_by_game(storage, play):
    await play(ANN, BEA)
    await play(BEA, CYD, game="duel")
    await play(BEA, ANN)
    await play(ANN, BEA, at=SINCE - 1)
    await play(ANN, BEA, at=UNTIL)
    await play(DAN, BEA, guild=GUILD + 1)

    found = await week(storage)

    assert found.matches == {"pico": 2, "duel": 1}
    assert list(found.matches) == ["pico", "duel"]
    assert (found.players, found.with_computers) == (3, 0)


async def test_people_who_played_only_computers_are_not_counted_as_players(storage, play):
    await play(ANN, BEA)
    await alone(storage, 90, CYD, won=True)

    found = await week(storage)

    assert (found.matches, found.players, found.with_computers) == ({"pico": 1}, 2, 1)


async def test_the_digest_of_a_quiet_week_is_empty(storage, play):
    await play(ANN, BEA, at=UNTIL + 5)

    found = await week(storage)

    assert (found.matches, found.players, found.answers) == ({}, 0, 0)
    assert [*found.upsets, *found.streaks, *found.solvers] == []


async def test_an_upset_is_a_win_against_an_established_and_much_higher_rating(
    storage, database, play
):
    """Against several higher rated players, the highest rated one is named."""
    small, large, new, level = [await play(ANN, BEA, CYD) for _ in range(4)]
    for match, low, high, nth in (
        (small, 1500, 1575, 6),
        (large, 1400, 1700, 6),
        (new, 1400, 1900, 5),
        (level, 1500, 1574, 9),
    ):
        ratings = {0: (low, 3), 1: (high, nth), 2: (high - 20, nth)}
        for seat, (before, count) in ratings.items():
            change(
                database,
                f"UPDATE results SET before = {before}, after = 0, nth = {count}"  # noqa: S608
                f" WHERE match = {match} AND seat = {seat}",
            )

    found = await week(storage)

    assert [(upset.winner, upset.loser) for upset in found.upsets] == [(ANN, BEA)] * 2
    rated = [(upset.winner_rating, upset.loser_rating) for upset in found.upsets]
    assert rated == [(1400, 1700), (1500, 1575)]
    assert not found.upsets[0].winner_settled
    hide(database, BEA)
    assert [upset.loser for upset in (await week(storage)).upsets] == [CYD]


async def test_a_streak_spans_weeks_and_games_and_ends_with_a_draw(storage, play):
    await play(ANN, BEA, at=SINCE - 50)
    await play(ANN, BEA, game="duel")
    await play(ANN, CYD)
    for _ in range(4):
        await play(CYD, BEA)
    await play(CYD, BEA, ranks=(1, 1))
    for _ in range(3):
        await play(DAN, BEA, at=SINCE - 20)  # in the week before
    await play(BEA, ANN, at=UNTIL)  # in the week after

    found = await week(storage)

    assert found.streaks == [CountRecord(user=ANN, number=3)]


@pytest.mark.parametrize("won", [True, False], ids=["won", "lost"])
async def test_a_match_against_a_computer_neither_ends_nor_extends_a_streak(storage, play, won):
    for _ in range(2):
        await play(ANN, BEA)
        await play(CYD, DAN)
    for number, user in ((90, ANN), (91, CYD)):
        await alone(storage, number, user, won=won)
    await play(ANN, BEA)

    found = await week(storage)

    assert found.streaks == [CountRecord(user=ANN, number=3)]


async def test_pairs_are_ordered_by_matches_and_then_by_how_close_they_are(storage, play):
    """The better rank is ahead; matches with more players count, those of other weeks don't."""
    for ranks in ((1, 2), (2, 1), (1, 1), (2, 1)):
        await play(ANN, BEA, ranks=ranks)
    await play(DAN, CYD, at=SINCE - 1)
    await play(ANN, BEA, at=UNTIL)
    for of_three in ((1, 2, 3), (3, 2, 1)):
        await play(DAN, CYD, BEA, ranks=of_three)
    for _ in range(2):
        await play(BEA, CYD)

    found = await week(storage, met=2)

    assert found.pairs[:3] == [
        PairRecord(users=(ANN, BEA), ahead=(1, 2), matches=4),
        PairRecord(users=(BEA, CYD), ahead=(3, 1), matches=4),
        PairRecord(users=(BEA, DAN), ahead=(1, 1), matches=2),
    ]
    assert [pair.matches for pair in (await week(storage)).pairs] == [4, 4]


async def test_computers_and_hidden_or_deleted_people_form_no_pair(storage, database, play):
    for other in (BEA, CYD):
        for _ in range(3):
            await play(ANN, other)
    for number in range(3):
        alone = await dealt(storage, 90 + number, (ANN, DAN, 0), computers=(None, None, "easy"))
        lines = [
            ResultRecord(seat=i, user=who, rank=i, score=0, won=0, drawn=0, lost=0, computer=level)
            for i, (who, level) in enumerate([(ANN, None), (DAN, None), (0, "easy")])
        ]
        async with storage.transaction() as writing:
            await end(writing, alone, "over", SINCE + 5, lines)
    hide(database, BEA)
    await forget_user(storage, CYD)

    assert (await week(storage)).pairs == []


async def test_hidden_and_deleted_people_are_not_named(storage, database, play):
    for winner in (ANN, CYD, DAN):
        for _ in range(3):
            await play(winner, BEA)
    hide(database, ANN)
    await forget_user(storage, CYD)

    found = await week(storage)

    assert [line.user for line in found.streaks] == [DAN]
    assert found.matches == {"pico": 9}
    assert found.players == 4


async def test_puzzles_of_the_week_are_counted(storage, database):
    given = [
        (ANN, MONDAY - 7, True),
        (ANN, MONDAY - 1, True),
        (BEA, MONDAY - 1, False),
        (CYD, MONDAY - 2, True),
        (ANN, MONDAY, True),
        (ANN, MONDAY - 8, True),
    ]
    async with storage.transaction() as writing:
        for user, day, solved in given:
            await writing.puzzles.add(
                AnswerRecord(
                    day=day, user=user, guild=GUILD, choice="9", solved=solved, answered_at=1
                )
            )
    hide(database, CYD)

    found = await week(storage)

    assert (found.answers, found.solved) == (4, 3)
    assert found.solvers == [CountRecord(user=ANN, number=2)]


@pytest.mark.sqlite
async def test_a_digest_reads_only_results_of_the_week_and_of_current_streaks(storage, database):
    """It reads nothing from other servers and nothing older, however much there is."""
    with plans(storage, database) as found:
        await week(storage)

    steps = [step for plan in found for step in plan]
    of_results = [step for step in steps if "results" in step]
    assert len(of_results) >= 10
    assert {step.partition(" INDEX ")[2] for step in of_results} == {
        "ix_results_week (guild=? AND ended_at>? AND ended_at<?)",
        "ix_results_history (user=? AND guild=?)",  # only the last result without a win
        "ix_results_history (user=? AND guild=? AND sequence>?)",
        "ix_results_met (match=? AND user>?)",
    }
    assert not [step for step in steps if step.startswith(("SCAN people", "SCAN puzzle"))]
