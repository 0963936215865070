"""Agreed pauses: the clock rests, and continues with the time that was left."""

import asyncio

import pytest

from bot.errors import MatchError, NotSeatedError, PausedError, TooLateError
from bot.matches.leave_all import leave_for_good
from bot.matches.time_off import Vacations
from bot.settings.guilds import GuildSettings
from tests.support.clock import DAY, HOUR
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    DAN,
    GUILD,
    NOW,
    A,
    B,
    C,
    begun,
    challenge,
    refusal,
)

pytestmark = pytest.mark.slow

START = int(NOW)
FORTNIGHT = 14 * DAY


@pytest.fixture
def pause_match(agreements):
    """Lets Ann offer a pause and the others agree; returns the public snapshot."""

    async def agreed(match, *others):
        effect = await agreements.offer(match, ANN, "pause")
        for user in others or (BEA,):
            effect = await agreements.accept(match, user, "pause")
        return effect.public()

    return agreed


async def test_a_pause_begins_when_everybody_still_playing_agrees(matches, agreements, watch):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)
    watch.advance(HOUR)

    offered = (await agreements.offer(match, BEA, "pause")).public()
    paused = (await agreements.accept(match, ANN, "pause")).public()

    assert (offered.rests, offered.deadline) == (False, START + DAY)
    assert (paused.rests, paused.paused, paused.deadline) == (True, True, None)
    assert paused.due_at == START + HOUR + FORTNIGHT
    assert [info.agrees for info in paused.seats] == [None, None, None]


async def test_a_pause_offered_before_the_server_turned_pauses_off_is_refused(
    matches, agreements, storage
):
    match = await begun(matches)
    await agreements.offer(match, ANN, "pause")
    await GuildSettings(storage).allow(GUILD, [])

    with pytest.raises(MatchError, match="Pauses are turned off"):
        await agreements.accept(match, BEA, "pause")

    assert not (await matches.public(match)).paused


async def test_resuming_gives_each_seat_the_time_it_had_left(matches, pauses, pause_match, watch):
    match = await begun(matches)
    watch.advance(15 * HOUR)
    await pause_match(match)
    watch.advance(3 * DAY)

    on = (await pauses.resume_here(match, BEA)).public()

    assert (on.paused, on.remark, on.turn) == (False, "resumed", 2)
    assert on.due_at == on.deadline == START + 3 * DAY + DAY


async def test_a_seat_with_little_time_left_gets_a_quarter_of_a_move_on_resuming(
    matches, pauses, pause_match, watch
):
    match = await begun(matches)
    watch.advance(DAY - 60)
    await pause_match(match)
    watch.advance(DAY)

    on = (await pauses.resume_here(match, ANN)).public()

    assert on.deadline == int(watch()) + 6 * HOUR


async def test_after_14_days_the_clock_continues_by_itself(
    matches, match, pause_match, watch, timeouts
):
    watch.advance(10 * HOUR)
    await pause_match(match)

    watch.advance(FORTNIGHT - 1)
    assert await timeouts.act(match) is None
    watch.advance(1)
    on = (await timeouts.act(match)).public()

    assert (on.paused, on.remark) == (False, "pause_over")
    assert on.due_at == on.deadline == int(watch()) + 14 * HOUR
    watch.advance(14 * HOUR)
    assert (await timeouts.act(match)).public().late == (A, B)


async def test_the_remark_about_a_pause_disappears_with_the_next_step(
    matches, match, pauses, pause_match
):
    await pause_match(match)
    await pauses.resume_here(match, ANN)
    for user in (ANN, BEA):
        hand = await matches.snapshot(match, user)
        last = await matches.submit(match, 0, user, str(hand.legal[0]))

    assert last.public().remark is None


async def test_choosing_and_offering_are_refused_during_a_pause(
    matches, match, pause_match, agreements
):
    await pause_match(match)
    said = (
        "This match is paused, and its clock is stopped. Any of its players can press **Resume** "
        "at the table."
    )

    for act in (matches.submit(match, 0, ANN, "9"), agreements.offer(match, BEA, "draw")):
        assert await refusal(act) == (PausedError, said)


async def test_during_a_pause_a_player_can_see_their_hand_and_resign(matches, pause_match):
    match = await begun(matches, BEA, CYD)
    await pause_match(match, BEA, CYD)

    hand = await matches.sit(match, CYD, may_rest=True)
    left = (await matches.concede(match, CYD)).public()
    won = (await matches.concede(match, BEA)).public()

    assert (hand.rests, hand.seat, bool(hand.legal)) == (True, C, True)
    assert (left.rests, left.seats[C].left_why) == (True, "resigned")
    assert (won.status, won.rests, won.outcome.ranks) == ("over", False, (1, 2, 3))


async def test_a_choice_made_before_the_pause_counts_after_it(matches, match, pauses, pause_match):
    hand = await matches.snapshot(match, BEA)
    await matches.submit(match, 0, BEA, str(hand.legal[0]))
    await pause_match(match)
    await pauses.resume_here(match, BEA)

    hand = await matches.snapshot(match, ANN)
    assert (await matches.submit(match, 0, ANN, str(hand.legal[0]))).resolved


async def test_only_players_can_resume_and_only_once(matches, pauses, pause_match):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)
    await pause_match(match)

    strange, _ = await refusal(pauses.resume_here(match, DAN))
    _, gone = await refusal(pauses.resume_here(match, CYD))
    await pauses.resume_here(match, BEA)
    again = await refusal(pauses.resume_here(match, ANN))

    assert strange is NotSeatedError
    assert gone == "You left this match, so only the other players can resume it."
    assert again == (TooLateError, "This match isn't paused anymore. Go ahead and play.")


async def test_a_match_without_a_clock_cannot_be_paused(matches, agreements):
    match = await begun(matches, time_control="none")

    assert await refusal(agreements.offer(match, ANN, "pause")) == (
        MatchError,
        "This match has no clock, so there is nothing to pause. Take your time.",
    )


async def test_agreeing_to_a_pause_after_the_end_is_refused(matches, agreements, match):
    await agreements.offer(match, ANN, "pause")
    await matches.concede(match, ANN)

    assert await refusal(agreements.accept(match, BEA, "pause")) == (
        TooLateError,
        "That match is over.",
    )


async def test_either_of_two_current_offers_can_be_accepted(matches, agreements, match):
    await agreements.offer(match, ANN, "pause")
    await agreements.offer(match, BEA, "draw")

    paused = (await agreements.accept(match, BEA, "pause")).public()

    assert (paused.rests, [info.agrees for info in paused.seats]) == (True, [None, None])


async def test_losing_the_channel_replaces_an_agreed_pause(matches, match, pause_match, pauses):
    """Nobody could press **Resume** there, and no clock may start where nobody can play."""
    await pause_match(match)

    assert await pauses.pause(match, CHANNEL) == [match]
    lost = await matches.public(match)
    on = (await pauses.resume(match, GUILD, 5, ANN)).public()

    assert (lost.rests, lost.paused) == (False, True)
    assert (on.paused, on.channel, on.deadline) == (False, 5, START + DAY)


async def test_a_pause_accepted_after_the_clock_acted_is_refused(
    matches, match, agreements, timeouts, watch
):
    """Whichever transaction comes first counts; the other one sees its result."""
    await agreements.offer(match, ANN, "pause")
    watch.advance(DAY)

    first = (await timeouts.act(match)).public()
    second = await refusal(agreements.accept(match, BEA, "pause"))

    assert (first.late, first.paused) == ((A, B), False)
    assert second[0] is TooLateError


async def test_a_pause_accepted_before_the_clock_acts_stops_it(
    matches, match, pause_match, timeouts, watch
):
    watch.advance(DAY)
    await pause_match(match)

    assert await timeouts.act(match) is None
    assert (await matches.public(match)).step == 0


async def test_a_pause_and_the_clock_at_once_happen_one_after_the_other(
    matches, storage, agreements, timeouts, watch
):
    """In either order, the match is paused or the step is resolved, never a mix of both."""
    seen = set()
    for number in range(1, 13):
        match = await begun(matches, interaction=number)
        await agreements.offer(match, ANN, "pause")
        watch.advance(DAY)
        acts = [agreements.accept(match, BEA, "pause"), timeouts.act(match)]
        await asyncio.gather(*acts[:: 1 if number % 2 else -1], return_exceptions=True)

        snapshot = await matches.public(match)
        seen.add((snapshot.rests, snapshot.step))

    assert seen <= {(True, 0), (False, 1)}
    assert seen


async def test_a_match_stays_paused_when_a_player_deletes_their_data(
    matches, three, pause_match, storage, watch, pauses
):
    watch.advance(4 * HOUR)
    paused = await pause_match(three, BEA, CYD)
    watch.advance(2 * DAY)
    async with storage.transaction() as writing:
        await leave_for_good(writing, three, C, int(watch()))

    left = await matches.public(three)
    on = (await pauses.resume_here(three, ANN)).public()

    assert (left.rests, left.due_at) == (True, paused.due_at)
    assert on.deadline == int(watch()) + 20 * HOUR


async def test_a_turn_that_begins_in_a_pause_starts_its_time_at_the_end_of_it(
    matches, pointing, pause_match, storage, watch, pauses
):
    """For example if a choice that names a leaving player is dropped; Bea is on vacation too."""
    options = pointing.presets["long"]
    match = await begun(matches, BEA, CYD, game="pointing", options=options)
    await matches.submit(match, 0, ANN, "at 2")
    watch.advance(4 * HOUR)
    paused = await pause_match(match, BEA, CYD)
    vacation = await Vacations(storage, now=watch).start(BEA, GUILD, 5)
    watch.advance(2 * DAY)
    async with storage.transaction() as writing:
        await leave_for_good(writing, match, C, int(watch()))
    left = await matches.public(match)
    watch.advance(DAY)

    on = (await pauses.resume_here(match, ANN)).public()

    assert (left.chosen, left.turn, left.due_at) == (frozenset(), paused.turn + 1, paused.due_at)
    assert [on.seats[seat].deadline for seat in (A, B)] == [
        int(watch()) + DAY,
        vacation.until + DAY,
    ]


async def test_a_match_alone_with_computers_can_be_paused_again_at_once(
    matches, agreements, pauses
):
    """Nobody has to be asked, so there's no limit."""
    effect = await matches.open(challenge(opponents=(), computers=("easy",), wanted=2))
    match = effect.public().match

    for _ in range(2):
        assert (await agreements.offer(match, ANN, "pause")).public().paused
        await pauses.resume_here(match, ANN)
