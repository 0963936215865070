"""Reads and writes of matches, on a real database."""

import pytest
from sqlalchemy.exc import DBAPIError

from bot.errors import TooLateError
from bot.storage import MatchRecord, ResultRecord, SeatRecord
from tests.support.match_records import (
    NOBODY,
    ask,
    change,
    chosen,
    deal,
    dealt,
    end,
    finished,
    opened,
    record_of,
)
from tests.support.matches import ANN, BEA, CHANNEL, CYD, DAN, GUILD, A, B, C


async def test_a_challenge_is_written_with_its_seats(storage):
    match = await opened(storage, users=(ANN, BEA, CYD))

    record = await record_of(storage, match)
    assert record == MatchRecord(
        id=match,
        game="pico",
        options='{"deck":"standard"}',
        status="open",
        guild=GUILD,
        channel=CHANNEL,
        opener=ANN,
        wanted=3,
        time_control="slow",
        tap=False,
        rated=True,
        limited=False,
        predecessor=None,
        seed=None,
        schema=None,
        state=None,
        step=0,
        turn=0,
        late=(),
        due_at=5000,
        opened_at=1000,
        begun_at=None,
        ending=None,
        revision=1,
        seats=(
            SeatRecord(user=ANN, accepted=True, left=None),
            SeatRecord(user=BEA, accepted=False, left=None, invited=True),
            SeatRecord(user=CYD, accepted=False, left=None, invited=True),
        ),
        choices={},
    )


async def test_a_challenge_delivered_twice_is_written_once(storage, database):
    first = await opened(storage, 7)
    again = await opened(storage, 7, users=(CYD, DAN))

    assert again is None
    assert ask(database, "SELECT id, interaction, opened_at FROM matches") == [(first, 7, 1000)]
    assert ask(database, "SELECT user FROM seats ORDER BY seat") == [(ANN,), (BEA,)]


async def test_the_number_of_a_deleted_match_is_never_reused(storage, database):
    match = await opened(storage, 1)
    change(database, "DELETE FROM seats")
    change(database, "DELETE FROM matches")

    assert await opened(storage, 2) == match + 1
    assert ask(database, "SELECT DISTINCT match FROM seats") == [(match + 1,)]


async def test_loading_an_unknown_match_returns_none(storage):
    assert await record_of(storage, NOBODY) is None
    async with storage.transaction() as writing:
        assert await writing.matches.load(NOBODY) is None


async def test_a_seat_accepts(storage):
    match = await opened(storage)
    async with storage.transaction() as writing:
        await writing.challenges.accept(match, B)

    assert [seat.accepted for seat in (await record_of(storage, match)).seats] == [True, True]


async def test_a_deal_starts_an_open_match(storage):
    match = await dealt(storage)

    record = await record_of(storage, match)
    assert (record.status, record.seed, record.schema, record.state, record.step) == (
        "running",
        "ab",
        1,
        "first",
        0,
    )


async def test_a_match_is_dealt_once(storage):
    match = await dealt(storage)
    async with storage.transaction() as writing:
        await writing.matches.deal(match, deal("second", schema=2), seed="cd", now=1500)

    record = await record_of(storage, match)
    assert (record.seed, record.schema, record.state) == ("ab", 1, "first")


async def test_a_choice_replaces_the_previous_one(storage, database):
    match = await dealt(storage)
    async with storage.transaction() as writing:
        await writing.moves.choose(match, 0, A, chosen("9"))
        await writing.moves.choose(match, 0, B, chosen("4"))
        await writing.moves.choose(match, 0, A, chosen("13"))

    assert (await record_of(storage, match)).choices == {A: "13", B: "4"}
    assert ask(database, "SELECT seat, move FROM moves ORDER BY seat") == [(0, "13"), (1, "4")]


async def test_only_choices_of_the_current_step_are_read(storage, database):
    match = await dealt(storage)
    async with storage.transaction() as writing:
        await writing.moves.choose(match, 0, A, chosen("9"))
        await writing.matches.advance(match, 0, deal("next", schema=1))
        await writing.moves.choose(match, 1, B, chosen("4"))

    record = await record_of(storage, match)
    assert (record.step, record.state, record.choices) == (1, "next", {B: "4"})
    assert ask(database, "SELECT step, seat, move FROM moves ORDER BY step") == [
        (0, 0, "9"),
        (1, 1, "4"),
    ]


async def test_one_choice_can_be_dropped(storage):
    match = await dealt(storage)
    async with storage.transaction() as writing:
        await writing.moves.choose(match, 0, A, chosen("9"))
        await writing.moves.choose(match, 0, B, chosen("4"))
        await writing.moves.drop(match, 0, A)

    assert (await record_of(storage, match)).choices == {B: "4"}


async def test_only_a_seat_of_the_match_can_choose(storage):
    match = await dealt(storage)

    with pytest.raises(DBAPIError, match=r"(?i)foreign.?key"):
        async with storage.transaction() as writing:
            await writing.moves.choose(match, 0, C, chosen("9"))


async def test_a_step_is_resolved_once(storage):
    match = await dealt(storage)
    async with storage.transaction() as writing:
        await writing.matches.advance(match, 0, deal("one", schema=2))
    for wrong in (0, 2):
        with pytest.raises(TooLateError):
            async with storage.transaction() as writing:
                await writing.matches.advance(match, wrong, deal("two", schema=2))

    record = await record_of(storage, match)
    assert (record.step, record.schema, record.state) == (1, 2, "one")


@pytest.mark.parametrize("status", ["over", "declined", "withdrawn"])
async def test_a_finished_match_cannot_advance(storage, status):
    match = await dealt(storage)
    async with storage.transaction() as writing:
        await end(writing, match, status, 2000)
    with pytest.raises(TooLateError):
        async with storage.transaction() as writing:
            await writing.matches.advance(match, 0, deal("next", schema=1))

    record = await record_of(storage, match)
    assert (record.status, record.step, record.state) == (status, 0, "first")


async def leave(writing, match, seat, state):
    before = await writing.matches.load(match)
    await writing.matches.leave(before, seat, state, why="resigned")


async def test_the_order_in_which_seats_leave_is_stored(storage, database):
    match = await dealt(storage, users=(ANN, BEA, CYD))
    other = await dealt(storage, 2, users=(ANN, BEA, CYD))
    async with storage.transaction() as writing:
        await leave(writing, other, A, deal("other without A", schema=1))
        await leave(writing, match, C, deal("without C", schema=1))
        await leave(writing, match, A, deal("without A and C", schema=2))

    record = await record_of(storage, match)
    assert [seat.left for seat in record.seats] == [2, None, 1]
    assert (record.schema, record.state, record.step) == (2, "without A and C", 0)
    assert (await record_of(storage, other)).state == "other without A"
    assert ask(database, "SELECT DISTINCT left_step FROM seats WHERE left IS NOT NULL") == [(0,)]


async def test_leaving_at_an_old_step_does_not_restore_the_old_state(storage):
    match = await dealt(storage)
    before = await record_of(storage, match)
    async with storage.transaction() as writing:
        await writing.matches.advance(match, 0, deal("next", schema=1))
    with pytest.raises(TooLateError):
        async with storage.transaction() as writing:
            await writing.matches.leave(before, A, deal("stale", schema=1), why="resigned")

    assert (await record_of(storage, match)).state == "next"


async def test_a_finished_match_keeps_the_result_of_every_seat(storage, database):
    match = await finished(storage, 1, (ANN, BEA, CYD), (1, 3, 2))

    assert (await record_of(storage, match)).status == "over"
    assert ask(database, "SELECT ended_at FROM matches") == [(2000,)]
    kept = "SELECT match, seat, guild, game, user, rank, score, won, drawn, lost, ended_at"
    assert ask(database, f"{kept} FROM results ORDER BY seat") == [
        (match, 0, GUILD, "pico", ANN, 1, 9, 1, 0, 0, 2000),
        (match, 1, GUILD, "pico", BEA, 3, 7, 0, 0, 1, 2000),
        (match, 2, GUILD, "pico", CYD, 2, 8, 0, 0, 1, 2000),
    ]


async def test_a_result_is_written_once(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    line = ResultRecord(seat=A, user=ANN, rank=1, score=9, won=1, drawn=0, lost=0)

    with pytest.raises(DBAPIError, match=r"(?i)unique"):
        async with storage.transaction() as writing:
            await end(writing, match, "over", 3000, [line])


async def test_a_challenge_that_was_declined_has_no_result(storage, database):
    match = await opened(storage)
    async with storage.transaction() as writing:
        await end(writing, match, "declined", 2000)

    assert ask(database, "SELECT status, ended_at FROM matches") == [("declined", 2000)]
    assert ask(database, "SELECT * FROM results") == []
