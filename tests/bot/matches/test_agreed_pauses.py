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
def rest(agreements):
    """Lets Ann offer a pause and the others agree; returns the public snapshot."""

    async def agreed(match, *others):
        effect = await agreements.offer(match, ANN, "pause")
        for user in others or (BEA,):
            effect = await agreements.accept(match, user, "pause")
        return effect.public()

    return agreed


async def test_a_pause_begins_when_all_who_still_play_agree(matches, agreements, watch):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)
    watch.advance(HOUR)

    offered = (await agreements.offer(match, BEA, "pause")).public()
    paused = (await agreements.accept(match, ANN, "pause")).public()

    assert (offered.rests, offered.deadline) == (False, START + DAY)
    assert (paused.rests, paused.paused, paused.deadline) == (True, True, None)
    assert paused.due_at == START + HOUR + FORTNIGHT
    assert [place.agrees for place in paused.places] == [None, None, None]


async def test_a_pause_that_was_offered_before_its_server_allowed_none_is_refused(
    matches, agreements, storage
):
    match = await begun(matches)
    await agreements.offer(match, ANN, "pause")
    await GuildSettings(storage).allow(GUILD, [])

    with pytest.raises(MatchError, match="Pauses are turned off"):
        await agreements.accept(match, BEA, "pause")

    assert not (await matches.public(match)).paused


async def test_whoever_resumes_gives_each_seat_what_it_had_left(matches, pauses, rest, watch):
    match = await begun(matches)
    watch.advance(15 * HOUR)
    await rest(match)
    watch.advance(3 * DAY)

    on = (await pauses.resume_here(match, BEA)).public()

    assert (on.paused, on.remark, on.turn) == (False, "resumed", 2)
    assert on.due_at == on.deadline == START + 3 * DAY + DAY


async def test_who_had_little_left_has_a_quarter_of_a_move_when_the_others_resume(
    matches, pauses, rest, watch
):
    match = await begun(matches)
    watch.advance(DAY - 60)
    await rest(match)
    watch.advance(DAY)

    on = (await pauses.resume_here(match, ANN)).public()

    assert on.deadline == int(watch()) + 6 * HOUR


async def test_after_14_days_the_clock_goes_on_by_itself(matches, match, rest, watch, timeouts):
    watch.advance(10 * HOUR)
    await rest(match)

    watch.advance(FORTNIGHT - 1)
    assert await timeouts.act(match) is None
    watch.advance(1)
    on = (await timeouts.act(match)).public()

    assert (on.paused, on.remark) == (False, "pause_over")
    assert on.due_at == on.deadline == int(watch()) + 14 * HOUR
    watch.advance(14 * HOUR)
    assert (await timeouts.act(match)).public().late == (A, B)


async def test_what_was_said_of_the_pause_goes_with_the_next_step(matches, match, pauses, rest):
    await rest(match)
    await pauses.resume_here(match, ANN)
    for user in (ANN, BEA):
        hand = await matches.snapshot(match, user)
        last = await matches.submit(match, 0, user, str(hand.legal[0]))

    assert last.public().remark is None


async def test_choosing_and_offering_wait_for_the_pause_to_end(matches, match, rest, agreements):
    await rest(match)
    said = (
        "This match is paused, and its clock is stopped. Any of its players can press **Resume** "
        "at the table."
    )

    for act in (matches.submit(match, 0, ANN, "9"), agreements.offer(match, BEA, "draw")):
        assert await refusal(act) == (PausedError, said)


async def test_in_a_pause_a_player_sees_their_hand_and_may_resign(matches, rest):
    match = await begun(matches, BEA, CYD)
    await rest(match, BEA, CYD)

    hand = await matches.sit(match, CYD, may_rest=True)
    left = (await matches.concede(match, CYD)).public()
    won = (await matches.concede(match, BEA)).public()

    assert (hand.rests, hand.seat, bool(hand.legal)) == (True, C, True)
    assert (left.rests, left.places[C].left_why) == (True, "resigned")
    assert (won.status, won.rests, won.outcome.ranks) == ("over", False, (1, 2, 3))


async def test_a_choice_made_before_the_pause_counts_after_it(matches, match, pauses, rest):
    hand = await matches.snapshot(match, BEA)
    await matches.submit(match, 0, BEA, str(hand.legal[0]))
    await rest(match)
    await pauses.resume_here(match, BEA)

    hand = await matches.snapshot(match, ANN)
    assert (await matches.submit(match, 0, ANN, str(hand.legal[0]))).resolved


async def test_only_its_players_resume_and_only_once(matches, pauses, rest):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)
    await rest(match)

    strange, _ = await refusal(pauses.resume_here(match, DAN))
    _, gone = await refusal(pauses.resume_here(match, CYD))
    await pauses.resume_here(match, BEA)
    again = await refusal(pauses.resume_here(match, ANN))

    assert strange is NotSeatedError
    assert gone == "You left this match, so only the other players can resume it."
    assert again == (TooLateError, "This match isn't paused anymore. Go ahead and play.")


async def test_nothing_is_paused_that_has_no_clock(matches, agreements):
    match = await begun(matches, time_control="none")

    assert await refusal(agreements.offer(match, ANN, "pause")) == (
        MatchError,
        "This match has no clock, so there is nothing to pause. Take your time.",
    )


async def test_a_pause_agreed_to_after_the_end_is_told_that_it_is_over(matches, agreements, match):
    await agreements.offer(match, ANN, "pause")
    await matches.concede(match, ANN)

    assert await refusal(agreements.accept(match, BEA, "pause")) == (
        TooLateError,
        "That match is over.",
    )


async def test_of_two_offers_at_once_either_can_be_agreed_to(matches, agreements, match):
    await agreements.offer(match, ANN, "pause")
    await agreements.offer(match, BEA, "draw")

    paused = (await agreements.accept(match, BEA, "pause")).public()

    assert (paused.rests, [place.agrees for place in paused.places]) == (True, [None, None])


async def test_a_lost_channel_takes_the_place_of_an_agreed_pause(matches, match, rest, pauses):
    """Nobody could press **Resume** there, and no clock may start where nobody can play."""
    await rest(match)

    assert await pauses.pause(match, CHANNEL) == [match]
    lost = await matches.public(match)
    on = (await pauses.resume(match, GUILD, 5, ANN)).public()

    assert (lost.rests, lost.paused) == (False, True)
    assert (on.paused, on.channel, on.deadline) == (False, 5, START + DAY)


async def test_a_pause_and_a_missed_deadline_in_one_instant_are_one_of_both(
    matches, match, agreements, timeouts, watch
):
    """Whichever transaction comes first counts; the other one sees its result."""
    await agreements.offer(match, ANN, "pause")
    watch.advance(DAY)

    first = (await timeouts.act(match)).public()
    second = await refusal(agreements.accept(match, BEA, "pause"))

    assert (first.late, first.paused) == ((A, B), False)
    assert second[0] is TooLateError


async def test_a_pause_that_comes_before_the_clock_keeps_it_from_acting(
    matches, match, rest, timeouts, watch
):
    watch.advance(DAY)
    await rest(match)

    assert await timeouts.act(match) is None
    assert (await matches.public(match)).step == 0


async def test_of_a_pause_and_the_clock_at_once_one_comes_first(
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


async def test_who_deletes_their_data_leaves_a_paused_match_and_the_others_stay_paused(
    matches, three, rest, storage, watch, pauses
):
    watch.advance(4 * HOUR)
    paused = await rest(three, BEA, CYD)
    watch.advance(2 * DAY)
    async with storage.transaction() as writing:
        await leave_for_good(writing, three, C, int(watch()))

    left = await matches.public(three)
    on = (await pauses.resume_here(three, ANN)).public()

    assert (left.rests, left.due_at) == (True, paused.due_at)
    assert on.deadline == int(watch()) + 20 * HOUR


async def test_a_turn_that_begins_in_a_pause_lasts_from_its_end_and_no_longer(
    matches, pointing, rest, storage, watch, pauses
):
    """For example if a choice that names a leaving player is dropped; Bea is on vacation too."""
    options = pointing.presets["long"]
    match = await begun(matches, BEA, CYD, game="pointing", options=options)
    await matches.submit(match, 0, ANN, "at 2")
    watch.advance(4 * HOUR)
    paused = await rest(match, BEA, CYD)
    vacation = await Vacations(storage, now=watch).start(BEA, GUILD, 5)
    watch.advance(2 * DAY)
    async with storage.transaction() as writing:
        await leave_for_good(writing, match, C, int(watch()))
    left = await matches.public(match)
    watch.advance(DAY)

    on = (await pauses.resume_here(match, ANN)).public()

    assert (left.chosen, left.turn, left.due_at) == (frozenset(), paused.turn + 1, paused.due_at)
    assert [on.places[seat].deadline for seat in (A, B)] == [
        int(watch()) + DAY,
        vacation.until + DAY,
    ]


async def test_alone_with_computers_it_can_be_paused_again_at_once(matches, agreements, pauses):
    """Nobody has to be asked, so there's no limit."""
    effect = await matches.open(challenge(opponents=(), computers=("easy",), wanted=2))
    match = effect.public().match

    for _ in range(2):
        assert (await agreements.offer(match, ANN, "pause")).public().paused
        await pauses.resume_here(match, ANN)
