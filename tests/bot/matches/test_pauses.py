"""Pauses of matches that have lost their channel or server, and resuming elsewhere."""

import pytest

from bot.errors import MatchError, NoSuchMatchError, NotSeatedError, PausedError
from bot.matches.pauses import Pauses
from tests.support.match_records import ask
from tests.support.matches import ANN, BEA, CHANNEL, CYD, DAN, GUILD, NOW, begun, opened, refusal

LATER = int(NOW) + 7200
DAY, MONTH = 86_400, 30 * 86_400
ELSEWHERE = CHANNEL + 1
NOT_HERE = "No match with that number is being played in this server. Pick one from the list."
NONE_PAUSED = "None of your matches in this server is paused. `/games` lists yours."


@pytest.fixture
def pauses(storage):
    """`Pauses` two hours after the tests' matches began."""
    return Pauses(storage, now=lambda: LATER)


async def paused(matches, pauses, *opponents, **changes):
    match = await begun(matches, *opponents, **changes)
    assert await pauses.pause(match, CHANNEL) == [match]
    return match


async def test_a_paused_match_has_no_deadline_but_closes_after_30_days(matches, pauses):
    match = await paused(matches, pauses)

    snapshot = await matches.snapshot(match, ANN)

    assert snapshot.paused
    assert snapshot.due_at == LATER + MONTH
    assert snapshot.deadline is None


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda matches, match: matches.submit(match, 0, ANN, "9"), id="choosing"),
        pytest.param(lambda matches, match: matches.concede(match, ANN), id="resigning"),
        pytest.param(lambda matches, match: matches.sit(match, ANN), id="sitting down"),
    ],
)
async def test_nobody_can_act_in_a_paused_match(matches, pauses, act):
    match = await paused(matches, pauses)

    error, sentence = await refusal(act(matches, match))

    assert error is PausedError
    assert sentence == (
        "This match is paused: I lost access to its channel. Any player can resume it with "
        "`/resume` in a channel of its server that I can use."
    )


async def test_a_choice_at_a_cached_position_is_refused_too(matches, pauses):
    match = await begun(matches)
    await matches.snapshots(match)
    await pauses.pause(match, CHANNEL)

    error, _ = await refusal(matches.submit(match, 0, ANN, "9"))

    assert error is PausedError


async def test_choices_made_before_a_pause_still_count_after_it(matches, pauses):
    match = await begun(matches)
    await matches.submit(match, 0, BEA, "9")
    await pauses.pause(match, CHANNEL)
    await pauses.resume(match, GUILD, ELSEWHERE, ANN)

    effect = await matches.submit(match, 0, ANN, "8")

    assert effect.resolved


async def test_a_match_is_paused_once(matches, pauses, storage):
    match = await paused(matches, pauses)
    later = Pauses(storage, now=lambda: LATER + DAY)

    assert await later.pause(match, CHANNEL) == []
    assert (await matches.public(match)).due_at == LATER + MONTH


async def test_losing_a_channel_pauses_only_its_running_matches(matches, pauses):
    first = await begun(matches)
    second = await begun(matches, CYD, interaction=2)
    elsewhere = await begun(matches, interaction=3, channel=ELSEWHERE)
    open_ = await opened(matches, DAN, interaction=4)
    over = await begun(matches, DAN, interaction=5, opener=BEA)
    await matches.concede(over, BEA)

    assert await pauses.pause_channel(CHANNEL) == [first, second]
    states = [(await matches.public(m)).paused for m in (first, elsewhere, open_, over)]
    assert states == [True, False, False, False]


async def test_losing_a_server_pauses_all_of_its_matches(matches, pauses):
    here = await begun(matches)
    there = await begun(matches, interaction=2, channel=ELSEWHERE)
    other = await begun(matches, interaction=3, guild=GUILD + 1)

    assert await pauses.pause_server(GUILD) == [here, there]
    assert not (await matches.public(other)).paused


async def test_a_match_resumed_elsewhere_gets_the_full_time_of_a_turn(matches, pauses, storage):
    """It gets the full time from then on, however long it was paused."""
    match = await paused(matches, pauses)
    before = await matches.public(match)
    back = Pauses(storage, now=lambda: LATER + 3 * DAY)

    snapshot = (await back.resume(match, GUILD, ELSEWHERE, BEA)).public()

    assert (snapshot.channel, snapshot.paused) == (ELSEWHERE, False)
    assert snapshot.due_at == snapshot.deadline == LATER + 4 * DAY
    assert snapshot.turn == before.turn + 1, "a hand that came in the turn before tells of none"


async def test_resuming_a_match_wakes_the_clock(matches, pauses, storage):
    match = await paused(matches, pauses)
    woken = []
    storage.subscribe(lambda committed: woken.append(committed.due_at))

    await pauses.resume(match, GUILD, ELSEWHERE, BEA)

    assert woken == [LATER + 60]  # the turn notices are due then


async def test_losing_a_channel_wakes_the_clock_for_the_notices(matches, pauses, storage):
    match = await begun(matches)
    woken = []
    storage.subscribe(lambda committed: woken.append(committed.due_at))

    await pauses.pause(match, CHANNEL)

    assert woken == [LATER]


async def test_a_second_channel_can_be_lost_before_the_first_loss_was_announced(
    matches, pauses, database
):
    match = await paused(matches, pauses)
    await pauses.resume(match, GUILD, ELSEWHERE, ANN)

    assert await pauses.pause(match, ELSEWHERE) == [match]

    told = 'SELECT "user" FROM notices WHERE event = \'lost\' ORDER BY "user"'
    assert ask(database, told) == [(ANN,), (BEA,)]


async def test_a_match_resumed_elsewhere_is_not_paused_with_its_former_channel(matches, pauses):
    match = await paused(matches, pauses)
    await pauses.resume(match, GUILD, ELSEWHERE, ANN)

    assert await pauses.pause(match, CHANNEL) == []
    assert not (await matches.public(match)).paused


async def test_only_players_of_a_match_can_resume_it(matches, pauses):
    match = await paused(matches, pauses)

    assert await refusal(pauses.resume(match, GUILD, ELSEWHERE, CYD)) == (
        NotSeatedError,
        "Only its players can resume this match.",
    )


async def test_a_player_who_has_left_cannot_resume(matches, pauses):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)
    await pauses.pause(match, CHANNEL)

    assert await refusal(pauses.resume(match, GUILD, ELSEWHERE, CYD)) == (
        NotSeatedError,
        "You left this match, so only the other players can resume it.",
    )


async def test_resuming_does_not_move_a_match_that_is_not_paused(matches, pauses):
    match = await begun(matches)

    assert await refusal(pauses.resume(match, GUILD, ELSEWHERE, ANN)) == (
        MatchError,
        "This match isn't paused. `/games` has a link to it.",
    )


async def test_a_match_can_be_resumed_only_in_its_own_server(matches, pauses):
    match = await paused(matches, pauses)
    await paused(matches, pauses, interaction=2, guild=GUILD + 1)

    assert await refusal(pauses.resume(match, GUILD + 1, ELSEWHERE, ANN)) == (
        NoSuchMatchError,
        NOT_HERE,
    )


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda pauses: pauses.snapshot(404, GUILD, DAN), id="shown"),
        pytest.param(lambda pauses: pauses.resume(404, GUILD, ELSEWHERE, DAN), id="resumed"),
    ],
)
async def test_a_refusal_does_not_point_to_an_empty_list_of_paused_matches(matches, pauses, act):
    await paused(matches, pauses)

    assert await refusal(act(pauses)) == (NoSuchMatchError, NONE_PAUSED)


async def test_the_list_has_the_paused_matches_of_a_player(matches, pauses):
    await begun(matches)
    second = await paused(matches, pauses, BEA, CYD, interaction=2)
    await begun(matches, interaction=3, guild=GUILD + 1)

    for user in (BEA, CYD):  # Bea also plays in the running one
        assert [m.match for m in await pauses.paused(GUILD, user)] == [second]
    assert await pauses.paused(GUILD + 1, CYD) == []
    assert await pauses.paused(GUILD, DAN) == []


async def test_a_paused_match_is_not_listed_for_a_player_who_has_left(matches, pauses):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)
    await pauses.pause(match, CHANNEL)

    assert await pauses.paused(GUILD, CYD) == []
    assert [m.match for m in await pauses.paused(GUILD, BEA)] == [match]
