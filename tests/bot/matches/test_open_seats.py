"""Open seats: joining, leaving, starting, and answers of invited players next to them."""

import asyncio
from random import Random

import pytest

from bot.errors import ChallengeError, MatchError, NotSeatedError, TooLateError
from bot.matches import Matches
from tests.support.match_records import ask, record_of
from tests.support.matches import ANN, BEA, CYD, DAN, NOW, RETURNS, SEED, opened, refusal
from tests.support.memory_store import Memory

pytestmark = pytest.mark.slow

EVE = 1005
INTERLEAVINGS = 100


@pytest.fixture
def table(matches, pointing):
    """Opens a challenge by Ann for two to four players: invited opponents and open seats."""

    async def make(*opponents, wanted=4, **changes):
        return await opened(
            matches,
            game="pointing",
            options=pointing.presets["standard"],
            opponents=opponents,
            wanted=wanted,
            **changes,
        )

    return make


def seated(snapshot):
    return [(info.user, info.accepted) for info in snapshot.seats]


async def test_a_table_without_invited_players_waits_for_anybody(matches, table):
    snapshot = await matches.public(await table())

    assert (snapshot.status, snapshot.wanted) == ("open", 4)
    assert seated(snapshot) == [(ANN, True)]


async def test_taking_the_last_open_seat_starts_the_match(matches, table):
    match = await table(wanted=3)

    first = (await matches.join(match, CYD)).public()
    last = (await matches.join(match, BEA)).public()

    assert (first.status, last.status) == ("open", "running")
    assert seated(last) == [(ANN, True), (CYD, True), (BEA, True)]
    assert last.awaiting == {0, 1, 2}


async def test_a_match_waits_for_open_seats_and_invited_players(matches, table):
    match = await table(BEA, wanted=3)

    joined = (await matches.join(match, CYD)).public()
    accepted = (await matches.accept(match, BEA)).public()

    assert seated(joined) == [(ANN, True), (BEA, False), (CYD, True)]
    assert accepted.status == "running"


async def test_an_invited_player_can_also_press_join(matches, table):
    match = await table(BEA, wanted=3)

    snapshot = (await matches.join(match, BEA)).public()

    assert seated(snapshot) == [(ANN, True), (BEA, True)]


async def test_leaving_an_open_seat_frees_it_and_the_others_move_up(matches, table):
    match = await table()
    for user in (BEA, CYD):
        await matches.join(match, user)

    snapshot = (await matches.vacate(match, BEA)).public()

    assert (snapshot.status, seated(snapshot)) == ("open", [(ANN, True), (CYD, True)])
    assert seated((await matches.join(match, BEA)).public())[2] == (BEA, True)


async def test_invited_players_stay_invited_when_seats_move_up(matches, table):
    match = await table(BEA, CYD, wanted=4)
    await matches.decline(match, BEA)

    snapshot = await matches.public(match)

    assert [(info.user, info.invited) for info in snapshot.seats] == [(ANN, False), (CYD, True)]


async def test_the_table_is_withdrawn_when_the_challenger_leaves(matches, table):
    match = await table()
    await matches.join(match, BEA)

    assert (await matches.vacate(match, ANN)).public().status == "withdrawn"


@pytest.mark.parametrize("accepted", [False, True], ids=["decline", "leave after accepting"])
async def test_a_declined_or_left_seat_becomes_open_next_to_open_ones(matches, table, accepted):
    match = await table(BEA, wanted=3)
    if accepted:
        await matches.accept(match, BEA)

    effect = await (matches.vacate if accepted else matches.decline)(match, BEA)

    assert (effect.public().status, seated(effect.public())) == ("open", [(ANN, True)])


async def test_a_declined_seat_becomes_open_even_if_the_open_ones_are_taken(matches, table):
    match = await table(BEA, wanted=3)
    await matches.join(match, CYD)

    snapshot = (await matches.decline(match, BEA)).public()

    assert (snapshot.status, seated(snapshot)) == ("open", [(ANN, True), (CYD, True)])


async def test_without_open_seats_a_player_who_leaves_ends_the_challenge(matches, table):
    match = await table(BEA, CYD, wanted=3)
    await matches.accept(match, BEA)

    assert (await matches.vacate(match, BEA)).public().status == "declined"


async def test_starting_leaves_out_everybody_who_has_not_answered(matches, table):
    match = await table(BEA, CYD, DAN)
    await matches.accept(match, DAN)

    snapshot = (await matches.start(match, ANN)).public()

    assert (snapshot.status, seated(snapshot)) == ("running", [(ANN, True), (DAN, True)])


async def test_enough_players_can_start_without_the_others(matches, table):
    match = await table(BEA, wanted=4)
    await matches.join(match, CYD)

    snapshot = (await matches.start(match, CYD)).public()

    assert (snapshot.status, snapshot.wanted) == ("running", 2)
    assert seated(snapshot) == [(ANN, True), (CYD, True)]
    assert snapshot.awaiting == {0, 1}


@pytest.mark.parametrize(
    ("act", "user", "error", "said"),
    [
        ("join", ANN, MatchError, "You already have a seat. Wait for the others."),
        ("join", CYD, MatchError, "You already have a seat. Wait for the others."),
        (
            "accept",
            DAN,
            NotSeatedError,
            "You're not invited by name, but there are open seats. Press **Join** to take one.",
        ),
        (
            "vacate",
            DAN,
            NotSeatedError,
            "You don't have a seat here. Press **Join** to take one.",
        ),
        (
            "start",
            DAN,
            NotSeatedError,
            "Only players who have taken a seat can start this match. Take one first.",
        ),
        (
            "start",
            BEA,
            NotSeatedError,
            "Only players who have taken a seat can start this match. Take one first.",
        ),
    ],
)
async def test_people_who_cannot_do_that_are_told_why(matches, table, act, user, error, said):
    match = await table(BEA, wanted=4)
    await matches.join(match, CYD)
    before = await matches.public(match)

    assert await refusal(getattr(matches, act)(match, user)) == (error, said)
    assert await matches.public(match) == before


async def test_a_match_cannot_start_with_too_few_players(matches, table):
    match = await table()

    assert await refusal(matches.start(match, ANN)) == (
        MatchError,
        (
            "This variant of Pointing is for 2, 3 or 4 players, and only 1 player has taken a "
            "seat. Wait for another one."
        ),
    )


async def test_nobody_can_join_a_table_without_open_seats(matches, table):
    match = await table(BEA, CYD, wanted=3)

    assert await refusal(matches.join(match, DAN)) == (
        TooLateError,
        "Someone just took the last seat. Start your own with a `play` command.",
    )


@pytest.mark.parametrize("act", ["join", "start", "vacate"])
@pytest.mark.parametrize(
    ("end", "user", "said"),
    [
        ("withdraw", ANN, "This challenge was withdrawn. Start a new one with a `play` command."),
        ("decline", BEA, "This challenge was declined. Start a new one with a `play` command."),
    ],
)
async def test_acts_at_a_table_that_was_withdrawn_or_declined_are_refused(
    matches, table, act, end, user, said
):
    match = await table(BEA, CYD, wanted=3)
    await getattr(matches, end)(match, user)

    assert await refusal(getattr(matches, act)(match, DAN)) == (TooLateError, said)


async def test_joining_a_running_match_is_refused_because_the_seats_are_taken(matches, table):
    match = await table(wanted=2)
    await matches.join(match, BEA)

    _, said = await refusal(matches.join(match, CYD))

    assert said.startswith("Someone just took the last seat.")


@pytest.mark.parametrize(
    ("opponents", "wanted", "said"),
    [
        (
            (BEA, CYD),
            2,
            "With you, that's 3 players for 2 seats. Name fewer people, or choose more players.",
        ),
        (
            (),
            5,
            (
                "This variant of Pointing is for 2, 3 or 4 players, not 5. Choose another "
                "variant or another number of players."
            ),
        ),
    ],
)
async def test_a_table_with_a_wrong_number_of_seats_is_refused(
    table, database, opponents, wanted, said
):
    assert await refusal(table(*opponents, wanted=wanted)) == (ChallengeError, said)
    assert ask(database, "SELECT count(*) FROM matches") == [(0,)]


async def test_the_tables_key_depends_on_its_players_without_containing_ids(matches, table):
    """One player leaves and another joins, so the number of taken seats is the same."""
    match = await table()
    with_bea = (await matches.join(match, BEA)).public().key
    await matches.vacate(match, BEA)
    with_cyd = (await matches.join(match, CYD)).public().key

    assert with_bea != with_cyd
    assert str(CYD) not in with_cyd


async def in_any_order(random, *acts):
    """Run all acts concurrently, started in a random order; returns results in the given order."""
    order = list(range(len(acts)))
    random.shuffle(order)
    results = dict(
        zip(
            order,
            await asyncio.gather(*(acts[i] for i in order), return_exceptions=True),
            strict=True,
        )
    )
    return [results[i] for i in range(len(acts))]


def kinds(results):
    return [r if not isinstance(r, Exception) else type(r) for r in results]


@pytest.mark.parametrize("last", [2, 3])
async def test_exactly_one_of_two_players_gets_the_last_seat(pointing, last):
    winners = set()
    for number in range(INTERLEAVINGS):
        memory, random = Memory(number), Random(number)
        matches = Matches(memory, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)
        match = await opened(
            matches,
            game="pointing",
            options=pointing.presets["standard"],
            opponents=(),
            wanted=last,
        )
        others = [CYD] if last == 3 else []
        for user in others:
            await matches.join(match, user)

        results = await in_any_order(random, matches.join(match, DAN), matches.join(match, EVE))

        record = memory.rows.matches[match]
        assert kinds(results).count(TooLateError) == 1
        winner = (DAN, EVE)[1 - kinds(results).index(TooLateError)]
        assert record.status == "running"
        assert [seat.user for seat in record.seats] == [ANN, *others, winner]
        winners.add(winner)
    assert winners == {DAN, EVE}


async def test_one_player_leaves_while_another_takes_the_last_seat(pointing):
    """Either the match has already begun, or it waits for one more player; never a gap."""
    statuses = set()
    for number in range(INTERLEAVINGS):
        memory, random = Memory(number), Random(number)
        matches = Matches(memory, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)
        match = await opened(
            matches, game="pointing", options=pointing.presets["standard"], opponents=(), wanted=3
        )
        await matches.join(match, BEA)

        left, joined = await in_any_order(
            random, matches.vacate(match, BEA), matches.join(match, CYD)
        )

        record = memory.rows.matches[match]
        users = [seat.user for seat in record.seats]
        expected = {"running": [ANN, BEA, CYD], "open": [ANN, CYD]}
        assert users == expected[record.status]
        assert isinstance(left, TooLateError) == (record.status == "running")
        assert not isinstance(joined, Exception)
        statuses.add(record.status)
    assert statuses == {"running", "open"}


async def test_on_a_real_database_one_of_three_gets_the_last_seat(matches, table, storage):
    match = await table(wanted=2)

    results = await asyncio.gather(
        *(matches.join(match, user) for user in (BEA, CYD, DAN)), return_exceptions=True
    )

    assert kinds(results).count(TooLateError) == 2
    record = await record_of(storage, match)
    assert (record.status, len(record.seats)) == ("running", 2)
