"""Forced moves owed when their player turns on that they're played automatically."""

from functools import partial

import pytest

from bot.cluster.share import EVERYTHING
from bot.computers.pool import SynchronousPool
from bot.matches.agreements import Agreements
from bot.matches.forced_moves import ForcedMoves
from bot.matches.reopenings import Reopenings
from bot.settings.preferences import Preferences
from games.prize import PRIZE
from tests.support.clock import DAY, HOUR
from tests.support.deadlines import strikes
from tests.support.match_records import ask, change
from tests.support.matches import ANN, BEA, CHANNEL, GUILD, RETURNS, A, begun
from tests.support.pointing_game import POINTING
from tests.support.prize_states import forcing_opening

pytestmark = pytest.mark.slow


@pytest.fixture
def changed():
    return []


@pytest.fixture
def prefer(storage, changed, watch):
    """Changes a preference as the panel of preferences does."""
    preferences = Preferences(storage, share=EVERYTHING, now=watch)
    forced_moves = ForcedMoves(storage, changed.append, now=watch)

    async def prefers(user, what):
        await preferences.change(user, what)
        await forced_moves.play_owed(user)

    return prefers


@pytest.fixture
async def owed(matches, prefer):
    """Two matches with a forced move owed by a player who prefers to make it; and both players."""
    seat, move = forcing_opening()
    mover, other = (ANN, BEA) if seat == A else (BEA, ANN)
    await prefer(other, "forced never")
    options = PRIZE.presets["standard"]
    found = [await begun(matches, game="prize", options=options, interaction=i) for i in (1, 2)]
    for match in found:
        await matches.submit(match, 0, mover, str(move))
    return found, mover, other


async def test_owed_forced_moves_are_played_in_all_matches_without_a_strike(
    matches, prefer, changed, owed, late, database
):
    found, _, other = owed
    (only,) = (await matches.snapshot(found[0], other)).legal

    await prefer(other, "forced always")

    query = "SELECT move, how FROM moves WHERE step = 1"
    assert ask(database, query) == [(str(only), "forced")] * 2
    assert changed == found
    after = await matches.snapshot(found[0], other)
    assert not after.owes
    assert strikes((await late(found[0])).public())[after.seat] == 0


async def test_an_offer_to_the_player_stays(storage, watch, matches, prefer, owed):
    (match, _), mover, other = owed
    agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
    await agreements.offer(match, mover, "draw")

    await prefer(other, "forced always")

    assert (await matches.public(match)).step > 1
    assert (await agreements.accept(match, other, "draw")).public().ending == "draw"


@pytest.mark.usefixtures("pointing")
async def test_an_offer_lapses_if_somebody_else_has_chosen_in_that_step(
    storage, watch, matches, prefer
):
    """With two players, both have only one move: to point at the other."""
    await prefer(BEA, "forced never")
    match = await begun(matches, game="pointing", options=POINTING.presets["long"])
    agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
    await agreements.offer(match, BEA, "draw")
    await matches.submit(match, 0, ANN, "at 1")

    await prefer(BEA, "forced always")

    found = await matches.public(match)
    assert (found.step, [info.agrees for info in found.seats]) == (1, [None, None])


async def test_a_late_forced_move_uses_up_the_reserve(matches, prefer, watch):
    seat, move = forcing_opening()
    mover, other = (ANN, BEA) if seat == A else (BEA, ANN)
    await prefer(other, "forced never")
    options = PRIZE.presets["standard"]
    match = await begun(matches, game="prize", options=options, time_control="slow_reserve")
    await matches.submit(match, 0, mover, str(move))
    watch.advance(DAY + 5 * HOUR)

    await prefer(other, "forced always")

    reserves = {info.user: info.reserve for info in (await matches.public(match)).seats}
    assert reserves == {mover: 3 * DAY, other: 3 * DAY - 5 * HOUR}


@pytest.mark.parametrize("case", ["unwanted", "the other's", "paused"])
async def test_no_other_moves_are_played(pauses, matches, prefer, changed, owed, case):
    found, mover, other = owed
    if case == "paused":
        await pauses.pause_channel(CHANNEL)
        for match in found:
            await pauses.pause(match, CHANNEL)
    wanted = "forced never" if case == "unwanted" else "forced always"

    await prefer(mover if case == "the other's" else other, wanted)

    assert [(await matches.public(match)).step for match in found] == [1, 1]
    assert changed == []


@pytest.fixture
def rest(storage, watch, pauses, matches, late, database):
    """Makes a match rest for a reason; returns a function that resumes it."""
    agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
    reopenings = Reopenings(storage, SynchronousPool(), now=watch, returns=RETURNS)

    async def rests(match, why, mover, other):
        match why:
            case "agreed" | "over":
                await agreements.offer(match, mover, "pause")
                await agreements.accept(match, other, "pause")
                resume = partial(pauses.resume_here, match, mover)
                return resume if why == "agreed" else partial(late, match, 14 * DAY)
            case "lost":
                await pauses.pause(match, CHANNEL)
                return lambda: pauses.resume(match, GUILD, CHANNEL + 1, mover)
            case _:
                change(database, "UPDATE seats SET strikes = 1")
                assert (await late(match)).public().status == "over"
                await reopenings.want(match, mover)
                return lambda: reopenings.want(match, other)

    return rests


@pytest.mark.parametrize("why", ["agreed", "over", "lost", "time"])
async def test_a_forced_move_of_a_resting_match_is_played_on_resuming(
    matches, prefer, owed, rest, database, why
):
    (match, _), mover, other = owed
    go_on = await rest(match, why, mover, other)
    await prefer(other, "forced always")

    effect = await go_on()

    query = f"SELECT how FROM moves WHERE match = {match} AND step = 1"  # noqa: S608 - a number
    assert ask(database, query) == [("forced",)]
    found = await matches.public(match)
    assert effect.resolved
    assert effect.public() == found
    assert (found.paused, found.step) == (False, 2)
    told = f"SELECT turn, user FROM notices WHERE match = {match} AND event = 'turn'"  # noqa: S608
    owing = {found.seats[seat].user for seat in found.awaiting}
    assert {user for turn, user in ask(database, told) if turn == found.turn} == owing


async def test_by_default_a_forced_move_from_a_hidden_hand_is_not_played(matches):
    """Playing it would tell others something; a computer's forced move isn't automatic either."""
    seat, move = forcing_opening()
    mover, other = (ANN, BEA) if seat == A else (BEA, ANN)
    match = await begun(matches, game="prize", options=PRIZE.presets["standard"])

    await matches.submit(match, 0, mover, str(move))

    assert (await matches.public(match)).step == 1
    assert len((await matches.snapshot(match, other)).legal) == 1
