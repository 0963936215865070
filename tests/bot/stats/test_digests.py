"""Digests of a server: which days they cover, and who is named."""

import time

import pytest

from bot.puzzles.calendar import begins_at
from bot.stats.digests import LEAST_MEETINGS, LEAST_UPSET, SHORTEST_STREAK, Digests
from bot.storage.digests import CountRecord
from bot.storage.puzzles import AnswerRecord
from tests.support.match_records import change, finished
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD

pytestmark = pytest.mark.slow

MONDAY = 20_003


class Membership:
    """Stands in for membership: these people have left."""

    def __init__(self, *gone):
        self._gone = frozenset(gone)

    async def gone(self, guild, users):
        assert guild == GUILD
        return self._gone & users


class Unknown:
    """Stands in for membership that Discord doesn't reveal."""

    async def gone(self, guild, users):
        del guild, users


@pytest.fixture
def week(storage):
    """Returns the digest of the week before `MONDAY`, given who has left."""

    async def told(*gone):
        return (await Digests(storage, Membership(*gone), now=time.time).of(GUILD, MONDAY)).found

    return told


async def solved(storage, user, *days):
    async with storage.transaction() as writing:
        for day in days:
            answer = AnswerRecord(
                day=day, user=user, guild=GUILD, choice="9", solved=True, answered_at=1
            )
            await writing.puzzles.add(answer)


async def upset(storage, database, interaction, winner, loser):
    """Store a match of that week that the lower rated player won."""
    match = await finished(storage, interaction, (winner, loser), (1, 2), at=begins_at(MONDAY) - 9)
    for seat, rating in ((0, 1500), (1, 1500 + LEAST_UPSET)):
        change(
            database,
            f"UPDATE results SET before = {rating}, nth = 9 "  # noqa: S608 - numbers
            f"WHERE match = {match} AND seat = {seat}",
        )


async def test_a_week_is_the_seven_days_before_its_monday(storage, week):
    """Monday's own puzzle is still open, so its solvers must stay secret."""
    for number, moment in enumerate((MONDAY - 8, MONDAY - 7, MONDAY - 1, MONDAY)):
        await finished(storage, number, (ANN, BEA), (1, 2), at=begins_at(moment))
    await solved(storage, CYD, MONDAY - 8, MONDAY - 7, MONDAY - 1, MONDAY)
    await solved(storage, DAN, MONDAY)

    found = await week()

    assert found.matches == {"pico": 2}
    assert (found.answers, found.solved) == (2, 2)
    assert found.solvers == [CountRecord(user=CYD, number=2)]


async def test_an_upset_is_named_only_if_both_are_still_members(storage, database, week):
    await upset(storage, database, 1, ANN, BEA)
    await upset(storage, database, 2, ANN, CYD)
    await upset(storage, database, 3, DAN, ANN)

    found = await week(BEA, DAN)

    assert [(one.winner, one.loser) for one in found.upsets] == [(ANN, CYD)]


async def test_people_who_left_are_not_named_for_streaks_or_puzzles(storage, week):
    for number in range(SHORTEST_STREAK):
        await finished(storage, number, (ANN, BEA), (1, 2), at=begins_at(MONDAY - 1) + number)
        await finished(storage, 50 + number, (CYD, BEA), (1, 2), at=begins_at(MONDAY - 2) + number)
    await solved(storage, ANN, MONDAY - 1)
    await solved(storage, CYD, MONDAY - 1)

    found = await week(ANN)

    assert [line.user for line in found.streaks] == [CYD]
    assert [line.user for line in found.solvers] == [CYD]


async def test_one_rivalry_is_named_the_first_whose_players_are_both_members(storage, week):
    for number, pair in enumerate(((ANN, BEA), (ANN, BEA), (CYD, DAN), (BEA, DAN))):
        for meeting in range(LEAST_MEETINGS):
            await finished(
                storage, 10 * number + meeting, pair, (1, 2), at=begins_at(MONDAY - 1) + meeting
            )

    assert [pair.users for pair in (await week()).pairs] == [(ANN, BEA)]
    assert [pair.users for pair in (await week(ANN)).pairs] == [(BEA, DAN)]
    assert [pair.users for pair in (await week(BEA)).pairs] == [(CYD, DAN)]
    assert (await week(BEA, CYD)).pairs == []


async def test_nobody_is_named_while_membership_is_unknown(storage, database):
    await upset(storage, database, 99, BEA, ANN)
    for number in range(SHORTEST_STREAK):
        await finished(storage, number, (ANN, BEA), (1, 2), at=begins_at(MONDAY - 1) + number)
    await solved(storage, CYD, MONDAY - 1)

    digest = await Digests(storage, Unknown(), now=time.time).of(GUILD, MONDAY)

    found = digest.found
    assert not digest.complete
    assert (found.upsets, found.streaks, found.pairs, found.solvers) == ([], [], [], [])
    assert (found.matches, found.answers) == ({"pico": SHORTEST_STREAK + 1}, 1)


async def test_a_digest_that_names_nobody_needs_no_membership(storage):
    await finished(storage, 1, (ANN, BEA), (1, 2), at=begins_at(MONDAY - 1))

    assert (await Digests(storage, Unknown(), now=time.time).of(GUILD, MONDAY)).complete
