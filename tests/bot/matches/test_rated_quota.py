"""Rated or casual: as chosen, but only a few matches a day between the same two are rated."""

import pytest

from bot.matches import Matches
from bot.matches.rated_quota import PER_PAIR
from bot.matches.rematches import Rematches
from bot.matches.returns import UNRATED, Returns
from bot.storage import ChangeRecord
from bot.time_units import DAY_SECONDS
from tests.support.match_records import ask, end
from tests.support.matches import ANN, BEA, CYD, DAN, GUILD, NOW, RETURNS, SEED, begun, opened

pytestmark = pytest.mark.slow

EVENING = NOW - NOW % DAY_SECONDS + DAY_SECONDS - 60


class Clock:
    def __init__(self):
        self.time = EVENING

    def __call__(self):
        return self.time


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def matches(storage, clock):
    return Matches(storage, seed=lambda: SEED, now=clock, returns=RETURNS)


async def stakes(matches, match):
    snapshot = await matches.public(match)
    return snapshot.rated, snapshot.limited


async def often(matches, *opponents, times=PER_PAIR, **changes):
    """Begin this many matches."""
    return [await begun(matches, *opponents, interaction=n, **changes) for n in range(1, times + 1)]


async def over(matches, match, *users):
    for user in users:
        await matches.concede(match, user)


RATED, CASUAL, LIMITED = (True, False), (False, False), (False, True)


async def test_a_match_is_rated_or_casual_as_chosen(matches):
    rated = await opened(matches, BEA, interaction=1)
    casual = await opened(matches, CYD, interaction=2, rated=False)

    assert await stakes(matches, rated) == RATED
    assert await stakes(matches, casual) == CASUAL


async def test_the_sixth_match_of_a_pair_on_one_day_is_casual(matches):
    first = await often(matches)

    sixth = await begun(matches, interaction=99)

    assert [await stakes(matches, match) for match in first] == [RATED] * PER_PAIR
    assert await stakes(matches, sixth) == LIMITED


async def test_on_the_next_day_they_can_play_rated_again(matches, clock):
    await often(matches)
    clock.time += 60

    assert await stakes(matches, await begun(matches, interaction=99)) == RATED


@pytest.mark.parametrize(("later", "expected"), [(0, LIMITED), (60, RATED)])
async def test_the_day_on_which_a_challenge_is_accepted_decides(matches, clock, later, expected):
    await often(matches)
    challenge = await opened(matches, interaction=99)
    clock.time += later

    await matches.accept(challenge, BEA)

    assert await stakes(matches, challenge) == expected


async def test_a_challenge_does_not_tell_who_has_returned(storage, matches, clock):
    await often(matches)
    await delete_person(storage, BEA, int(clock()))

    returned = await opened(matches, BEA, interaction=98)
    another = await opened(matches, CYD, interaction=99)

    would_be_limited = (True, True)
    assert await stakes(matches, returned) == would_be_limited
    assert await stakes(matches, another) == would_be_limited


async def test_another_opponent_another_server_and_casual_matches_are_not_counted(matches):
    await often(matches, times=PER_PAIR - 1)
    await begun(matches, interaction=90, rated=False)
    await begun(matches, interaction=91, guild=GUILD + 1)
    await begun(matches, CYD, interaction=92)

    assert await stakes(matches, await begun(matches, interaction=99)) == RATED


async def test_matches_that_were_called_off_are_not_counted(matches, storage):
    first, *_ = await often(matches)
    async with storage.transaction() as writing:
        await end(writing, first, "closed", int(NOW), ending="call_off")

    assert await stakes(matches, await begun(matches, interaction=99)) == RATED


async def test_two_of_three_players_are_a_pair_too(matches):
    await often(matches)

    three = await begun(matches, BEA, CYD, interaction=99)

    assert await stakes(matches, three) == LIMITED


async def test_a_limited_match_changes_no_rating_and_a_rated_one_does(matches):
    first, *_ = await often(matches)
    sixth = await begun(matches, interaction=99)

    await over(matches, first, BEA)
    await over(matches, sixth, BEA)

    of_first, of_sixth = await matches.public(first), await matches.public(sixth)
    assert [info.change for info in of_first.seats] == [
        ChangeRecord(before=1500, after=1563, nth=1),
        ChangeRecord(before=1500, after=1437, nth=1),
    ]
    assert [info.change for info in of_sixth.seats] == [None, None]


@pytest.mark.parametrize(
    ("rated", "later", "expected"),
    [(True, 0, LIMITED), (True, 60, RATED), (False, 60, CASUAL)],
)
async def test_a_rematch_is_rated_like_its_match_within_the_daily_limit(
    matches, storage, clock, rated, later, expected
):
    await often(matches)
    sixth = await begun(matches, interaction=99, rated=rated)
    await over(matches, sixth, BEA)
    clock.time += later
    rematches = Rematches(storage, seed=lambda: SEED, now=clock, returns=RETURNS)

    await rematches.want(sixth, ANN, 200)
    wanted = await rematches.want(sixth, BEA, 201)

    assert await stakes(matches, wanted.new.public().match) == expected


async def delete_person(storage, user, now, returns=RETURNS):
    """Delete all data about somebody, as `/privacy delete` does."""
    async with storage.transaction() as writing:
        await writing.erasure.forget(user)
        await returns.note_gone(writing, user, now, ())


@pytest.mark.parametrize(("played", "other"), [(ANN, CYD), (CYD, ANN)])
async def test_matches_with_a_deleted_person_count_for_every_pair(
    storage, matches, clock, played, other
):
    """Whichever of the two has the lower id; pairs are stored with that first."""
    for match in await often(matches, opener=played):
        await over(matches, match, BEA)
    await delete_person(storage, BEA, int(clock()))

    with_another = await begun(matches, other, opener=played, interaction=91)
    of_others = await begun(matches, DAN, opener=other, interaction=92)

    assert await stakes(matches, with_another) == LIMITED
    assert await stakes(matches, of_others) == RATED


async def test_a_returning_deleted_person_plays_unrated_for_thirty_days(storage, matches, clock):
    await delete_person(storage, BEA, int(clock()))

    at_once = await begun(matches, interaction=91)
    clock.time += UNRATED.total_seconds() - 1
    in_a_month = await begun(matches, interaction=92)
    clock.time += 1
    later = await begun(matches, interaction=93)

    found = [await stakes(matches, match) for match in (at_once, in_a_month, later)]
    assert found == [CASUAL, CASUAL, RATED]


async def test_a_rematch_with_a_returning_person_is_unrated_too(storage, matches, clock):
    await delete_person(storage, BEA, int(clock()))
    match = await begun(matches, interaction=91)
    await over(matches, match, BEA)
    rematches = Rematches(storage, seed=lambda: SEED, now=clock, returns=RETURNS)

    await rematches.want(match, ANN, 92)
    wanted = await rematches.want(match, BEA, 93)

    assert not wanted.new.public().rated


async def test_a_mark_identifies_nobody_without_the_key(storage, database, clock):
    returns = Returns(b"a key")
    matches = Matches(storage, seed=lambda: SEED, now=clock, returns=returns)
    await delete_person(storage, BEA, int(clock()), returns)

    assert await stakes(matches, await begun(matches, interaction=91)) == CASUAL
    others = Matches(storage, seed=lambda: SEED, now=clock, returns=Returns(b"another"))
    assert await stakes(others, await begun(others, CYD, interaction=92, opener=BEA)) == RATED
    (mark,) = [mark for (mark,) in ask(database, "SELECT mark FROM former_people")]
    assert str(BEA) not in mark
