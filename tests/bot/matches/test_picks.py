"""The hot path: choices that don't complete their step are written in batches."""

import asyncio

import pytest

from bot.errors import MatchError, TooLateError
from bot.matches import Matches, picks
from bot.matches.time_off import Vacations
from bot.storage.move_batch import Pick
from games import IllegalMoveError
from tests.support.clock import DAY
from tests.support.deadlines import strikes
from tests.support.match_records import ask, change
from tests.support.matches import (
    ANN,
    BEA,
    CYD,
    GUILD,
    NOW,
    RETURNS,
    SEED,
    A,
    B,
    begun,
    choose,
    refusal,
)


@pytest.fixture
def matches(counted):
    return Matches(counted, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)


async def begun_and_remembered(matches, *opponents, **changes):
    """Begin a match and read its snapshots, so that it is remembered."""
    match = await begun(matches, *opponents, **changes)
    await matches.snapshots(match)
    return match


async def cards(matches, match, user):
    return [str(move) for move in (await matches.snapshot(match, user)).legal]


async def test_a_choice_that_is_not_the_last_is_written_in_one_statement(matches, counted):
    match = await begun_and_remembered(matches)
    card, *_ = await cards(matches, match, ANN)

    effect = await matches.submit(match, 0, ANN, card)

    assert counted.batches == [[(match, A, card)]]
    assert str(effect.snapshot_of(ANN).choice) == card
    assert effect.snapshot_of(BEA).choice is None
    assert (effect.resolved, effect.changes_choice) == (False, False)
    assert (await matches.public(match)).chosen == {A}


async def test_choices_of_one_batch_are_all_in_the_remembered_match(matches, counted):
    match = await begun_and_remembered(matches, BEA, CYD)
    shown = [(await cards(matches, match, user))[:2] for user in (ANN, BEA)]
    await asyncio.gather(
        *(matches.submit(match, 0, u, own[0]) for u, own in zip((ANN, BEA), shown, strict=True))
    )

    effect = await matches.submit(match, 0, ANN, shown[0][1])

    assert effect.public().chosen == {A, B}
    assert effect.snapshot_of(ANN) == await matches.snapshot(match, ANN)


async def test_changing_a_choice_is_marked_as_invisible_to_others(matches):
    match = await begun_and_remembered(matches)
    first, second, *_ = await cards(matches, match, ANN)
    await matches.submit(match, 0, ANN, first)

    effect = await matches.submit(match, 0, ANN, second)

    assert effect.changes_choice
    assert str((await matches.snapshot(match, ANN)).choice) == second


async def test_the_last_choice_resolves_the_step(matches, counted):
    match = await begun_and_remembered(matches)
    mine, *_ = await cards(matches, match, ANN)
    other, *_ = await cards(matches, match, BEA)
    await matches.submit(match, 0, ANN, mine)
    counted.transactions = 0

    effect = await matches.submit(match, 0, BEA, other)

    assert effect.resolved
    assert effect.public().step == 1
    assert len(counted.batches) == 1  # the first choice
    assert counted.transactions == 1  # the last one, which resolves the step


async def test_a_batch_has_one_choice_per_match(matches, counted):
    found = [await begun_and_remembered(matches, interaction=i) for i in range(3)]
    shown = [await cards(matches, match, ANN) for match in found]
    wanted = [(m, card) for m, own in zip(found, shown, strict=True) for card in own[:2]]

    await asyncio.gather(*(matches.submit(m, 0, ANN, card) for m, card in wanted))

    firsts = [(m, A, own[0]) for m, own in zip(found, shown, strict=True)]
    seconds = [(m, A, own[1]) for m, own in zip(found, shown, strict=True)]
    assert counted.batches == [firsts, seconds]
    chosen = [str((await matches.snapshot(m, ANN)).choice) for m in found]
    assert chosen == [own[1] for own in shown]


async def test_choices_that_arrive_during_a_batch_share_the_next_one(matches, counted):
    found = [await begun_and_remembered(matches, interaction=i) for i in range(4)]
    card, *_ = await cards(matches, found[0], ANN)
    begun_, goes_on = counted.hold_next_batch()
    clicks = [asyncio.create_task(matches.submit(found[0], 0, ANN, card))]
    await begun_.wait()
    for match in found[1:]:
        clicks.append(asyncio.create_task(matches.submit(match, 0, ANN, card)))
        for _ in range(5):
            await asyncio.sleep(0)  # so that each arrives separately
    goes_on.set()
    await asyncio.gather(*clicks)

    assert [[match for match, *_ in batch] for batch in counted.batches] == [found[:1], found[1:]]


async def test_two_concurrent_choices_resolve_the_step_once(matches):
    match = await begun_and_remembered(matches)
    mine, *_ = await cards(matches, match, ANN)
    other, *_ = await cards(matches, match, BEA)

    effects = await asyncio.gather(
        matches.submit(match, 0, ANN, mine), matches.submit(match, 0, BEA, other)
    )

    assert [effect.resolved for effect in effects] == [False, True]
    assert (await matches.public(match)).step == 1


async def test_a_choice_for_a_step_resolved_meanwhile_is_refused(matches, counted, database):
    match = await begun_and_remembered(matches)
    mine, *_ = await cards(matches, match, ANN)
    stranger = Matches(counted.storage, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)

    async def resolve():
        for user in (ANN, BEA):
            card, *_ = await cards(stranger, match, user)
            await stranger.submit(match, 0, user, card)

    counted.before = [resolve]
    with pytest.raises(TooLateError):
        await matches.submit(match, 0, ANN, mine)

    assert ask_moves(database, match, 1) == []


async def test_an_outdated_match_is_dropped_after_the_first_refusal(matches, counted):
    match = await begun_and_remembered(matches)
    mine, *_ = await cards(matches, match, ANN)
    elsewhere = Matches(counted.storage, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)
    await choose(elsewhere, match, ANN, BEA)

    for _ in range(2):
        assert (await refusal(matches.submit(match, 0, ANN, mine)))[0] is TooLateError

    assert counted.batches == [[(match, A, mine)]]


async def test_a_choice_is_checked_again_if_somebody_left_meanwhile(matches, counted):
    match = await begun_and_remembered(matches, BEA, CYD)
    mine, *_ = await cards(matches, match, ANN)

    async def leave():
        await matches.concede(match, CYD)

    counted.before = [leave]
    effect = await matches.submit(match, 0, ANN, mine)

    assert effect.public().seats[2].left
    assert str(effect.snapshot_of(ANN).choice) == mine


@pytest.mark.parametrize(
    "meanwhile",
    ["paused_at = 1", "step = 1", "status = 'closed'", "turn = 2"],
    ids=["paused", "on", "closed", "taken back"],
)
async def test_a_pick_is_written_only_in_the_step_it_was_made_for(
    matches, storage, database, meanwhile
):
    match = await begun_and_remembered(matches)
    pick = Pick(match=match, step=0, turn=1, seat=A, move="9", made_at=1, gone=0, others=(B,))
    change(database, f"UPDATE matches SET {meanwhile}")  # noqa: S608 - our own words

    assert await storage.pick([pick]) == {}
    assert ask(database, "SELECT * FROM moves") == []


@pytest.mark.parametrize("text", ["99", "nonsense"])
async def test_an_illegal_choice_is_refused_as_usual(matches, counted, text):
    match = await begun_and_remembered(matches)

    with pytest.raises(IllegalMoveError):
        await matches.submit(match, 0, ANN, text)

    assert counted.batches == []


async def test_a_stranger_is_refused_as_usual(matches, counted):
    match = await begun_and_remembered(matches)

    with pytest.raises(MatchError, match="You're not playing in this match"):
        await matches.submit(match, 0, CYD, "9")

    assert counted.batches == []


async def test_a_failed_batch_fails_for_everybody_in_it_and_nobody_else(matches, counted):
    found = [await begun_and_remembered(matches, interaction=i) for i in range(2)]
    card, *_ = await cards(matches, found[0], ANN)

    async def fail():
        raise OSError("the disk is gone")

    counted.before = [fail]
    ends = await asyncio.gather(
        *(matches.submit(m, 0, ANN, card) for m in found), return_exceptions=True
    )
    after = await matches.submit(found[0], 0, ANN, card)

    assert [type(end) for end in ends] == [OSError, OSError]
    assert not after.changes_choice


async def test_a_canceled_click_does_not_cancel_the_others(matches, counted):
    found = [await begun_and_remembered(matches, interaction=i) for i in range(2)]
    card, *_ = await cards(matches, found[0], ANN)
    begun_, goes_on = counted.hold_next_batch()
    first, second = (asyncio.create_task(matches.submit(m, 0, ANN, card)) for m in found)
    await begun_.wait()
    first.cancel()
    goes_on.set()

    assert not (await second).resolved
    with pytest.raises(asyncio.CancelledError):
        await first


async def test_choosing_in_the_step_after_a_missed_deadline_removes_the_strike(
    matches, three, late, monkeypatch
):
    """Removing the strike takes more than one statement, so the choice isn't batched."""
    await late(three)
    await matches.snapshots(three)
    mine, *_ = await cards(matches, three, ANN)
    monkeypatch.setattr(matches._picks, "_write", None)  # no batch can be written

    effect = await matches.submit(three, 1, ANN, mine)

    assert (effect.resolved, strikes(effect.public())) == (False, [0, 1, 1])


async def test_choosing_right_after_the_clock_acted_removes_the_strike(
    counted, storage, watch, timeouts
):
    """The remembered match doesn't have the strike yet."""
    matches = Matches(counted, seed=lambda: SEED, now=watch, returns=RETURNS)
    match = await begun_and_remembered(matches)
    await Vacations(storage, now=watch).start(BEA, GUILD, 5)  # so the step isn't resolved
    await matches.snapshots(match)
    card, *_ = await cards(matches, match, ANN)

    async def time_is_up():
        watch.advance(DAY)
        await timeouts.act(match)

    counted.before = [time_is_up]
    await matches.submit(match, 0, ANN, card)

    assert strikes(await matches.public(match)) == [0, 0]


async def test_only_the_latest_matches_are_remembered(matches, storage):
    matches._picks = picks.Picks(storage.pick, matches._record, remembered=2)
    found = [await begun_and_remembered(matches, interaction=i) for i in range(3)]

    assert list(matches._picks._loaded) == found[1:]


def ask_moves(database, match, step):
    return ask(database, f"SELECT * FROM moves WHERE match = {match} AND step = {step}")  # noqa: S608
