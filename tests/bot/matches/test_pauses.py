"""Pausing and resuming, and what moderators do: acts on a running match from outside."""

import pytest

from bot.errors import MatchError, NoSuchMatchError, NotSeatedError, PausedError, TooLateError
from bot.matches.pauses import Pauses
from tests.support.match_records import ask
from tests.support.matches import ANN, BEA, CHANNEL, CYD, DAN, GUILD, NOW, begun, opened, refusal

LATER = int(NOW) + 7200
DAY, MONTH = 86_400, 30 * 86_400
ELSEWHERE = CHANNEL + 1
NOT_HERE = "No match with that number is being played in this server. Pick one from the list."
NONE_HERE = "No match is being played in this server."
NONE_PAUSED = "None of your matches in this server is paused. `/games` lists yours."


@pytest.fixture
def pauses(storage):
    """As of two hours after the matches of the tests began."""
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


async def test_a_choice_at_a_position_that_is_remembered_is_refused_too(matches, pauses):
    match = await begun(matches)
    await matches.snapshots(match)
    await pauses.pause(match, CHANNEL)

    error, _ = await refusal(matches.submit(match, 0, ANN, "9"))

    assert error is PausedError


async def test_what_was_chosen_before_the_pause_still_counts_after_it(matches, pauses):
    match = await begun(matches)
    await matches.submit(match, 0, BEA, "9")
    await pauses.pause(match, CHANNEL)
    await pauses.resume(match, GUILD, ELSEWHERE, ANN)

    turn = await matches.submit(match, 0, ANN, "8")

    assert turn.resolved


async def test_a_match_is_paused_once(matches, pauses, storage):
    match = await paused(matches, pauses)
    later = Pauses(storage, now=lambda: LATER + DAY)

    assert await later.pause(match, CHANNEL) == []
    assert (await matches.public(match)).due_at == LATER + MONTH


async def test_a_lost_channel_pauses_its_running_matches_only(matches, pauses):
    first = await begun(matches)
    second = await begun(matches, CYD, interaction=2)
    elsewhere = await begun(matches, interaction=3, channel=ELSEWHERE)
    open_ = await opened(matches, DAN, interaction=4)
    over = await begun(matches, DAN, interaction=5, opener=BEA)
    await matches.concede(over, BEA)

    assert await pauses.pause_channel(CHANNEL) == [first, second]
    states = [(await matches.public(m)).paused for m in (first, elsewhere, open_, over)]
    assert states == [True, False, False, False]


async def test_a_lost_server_pauses_all_its_matches(matches, pauses):
    here = await begun(matches)
    there = await begun(matches, interaction=2, channel=ELSEWHERE)
    other = await begun(matches, interaction=3, guild=GUILD + 1)

    assert await pauses.pause_server(GUILD) == [here, there]
    assert not (await matches.public(other)).paused


async def test_a_resumed_match_goes_on_elsewhere_with_all_the_time_of_a_turn(
    matches, pauses, storage
):
    """From then on, however long it was paused."""
    match = await paused(matches, pauses)
    before = await matches.public(match)
    back = Pauses(storage, now=lambda: LATER + 3 * DAY)

    snapshot = (await back.resume(match, GUILD, ELSEWHERE, BEA)).public()

    assert (snapshot.channel, snapshot.paused) == (ELSEWHERE, False)
    assert snapshot.due_at == snapshot.deadline == LATER + 4 * DAY
    assert snapshot.turn == before.turn + 1, "a hand that came in the turn before tells of none"


async def test_the_clock_is_woken_by_a_match_that_is_resumed(matches, pauses, storage):
    match = await paused(matches, pauses)
    woken = []
    storage.subscribe(lambda committed: woken.append(committed.due_at))

    await pauses.resume(match, GUILD, ELSEWHERE, BEA)

    assert woken == [LATER + 60]  # who owes a move is told then, long before the deadline


async def test_only_players_of_the_match_can_resume_it(matches, pauses):
    match = await paused(matches, pauses)

    assert await refusal(pauses.resume(match, GUILD, ELSEWHERE, CYD)) == (
        NotSeatedError,
        "Only its players can resume this match.",
    )


async def test_who_has_left_cannot_resume(matches, pauses):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)
    await pauses.pause(match, CHANNEL)

    assert await refusal(pauses.resume(match, GUILD, ELSEWHERE, CYD)) == (
        NotSeatedError,
        "You left this match, so only the other players can resume it.",
    )


async def test_a_match_that_is_not_paused_cannot_be_moved_by_resuming(matches, pauses):
    match = await begun(matches)

    assert await refusal(pauses.resume(match, GUILD, ELSEWHERE, ANN)) == (
        MatchError,
        "This match isn't paused. `/games` has a link to it.",
    )


async def test_a_match_is_resumed_in_its_own_server(matches, pauses):
    match = await paused(matches, pauses)
    await paused(matches, pauses, interaction=2, guild=GUILD + 1)

    assert await refusal(pauses.resume(match, GUILD + 1, ELSEWHERE, ANN)) == (
        NoSuchMatchError,
        NOT_HERE,
    )


async def test_nobody_is_led_to_a_list_of_paused_matches_that_is_empty(matches, pauses):
    await paused(matches, pauses)

    assert await refusal(pauses.resume(404, GUILD, ELSEWHERE, DAN)) == (
        NoSuchMatchError,
        NONE_PAUSED,
    )


@pytest.mark.parametrize("pausing", [False, True])
async def test_a_moderator_closes_a_match_without_a_result(matches, pauses, database, pausing):
    match = await begun(matches)
    await (pauses.pause(match, CHANNEL) if pausing else pauses.pause_channel(0))

    snapshot = (await pauses.end(match, GUILD)).public()

    assert (snapshot.status, snapshot.ending, snapshot.outcome) == ("closed", "moderator", None)
    assert ask(database, "SELECT count(*) FROM results") == [(0,)]


async def test_who_is_unseated_loses_to_the_one_who_stays(matches, pauses):
    match = await begun(matches)

    snapshot = (await pauses.unseat(match, GUILD, BEA, DAN)).public()

    assert snapshot.status == "over"
    assert snapshot.outcome.ranks == (1, 2)
    assert snapshot.places[1].left_why == "unseated"


async def test_with_three_the_others_play_on_without_who_is_unseated(matches, pauses):
    match = await begun(matches, BEA, CYD)

    snapshot = (await pauses.unseat(match, GUILD, BEA, DAN)).public()

    assert snapshot.status == "running"
    assert snapshot.awaiting == {0, 2}


TOLD = """
    SELECT "user", event FROM notices WHERE event IN ('out', 'over', 'watched') ORDER BY "user"
"""


@pytest.mark.parametrize(
    ("moderator", "told"),
    [
        (DAN, [(ANN, "over"), (BEA, "over")]),
        (ANN, [(BEA, "over"), (DAN, "watched")]),
        (BEA, [(ANN, "over"), (DAN, "watched")]),
    ],
)
async def test_of_an_end_by_unseating_all_are_told_but_the_moderator(
    matches, pauses, storage, database, moderator, told
):
    """Who follows the match too, or plays in it."""
    match = await begun(matches)
    async with storage.transaction() as writing:
        await writing.watches.add(match, DAN)

    await pauses.unseat(match, GUILD, BEA, moderator)

    assert ask(database, TOLD) == told


@pytest.mark.parametrize(("moderator", "told"), [(DAN, [(BEA, "out")]), (BEA, [])])
async def test_who_is_unseated_while_others_play_on_is_told_then_and_at_the_end(
    matches, pauses, database, moderator, told
):
    match = await begun(matches, BEA, CYD)

    await pauses.unseat(match, GUILD, BEA, moderator)
    first = ask(database, TOLD)
    await matches.concede(match, CYD)

    assert first == told
    assert ask(database, TOLD) == [(ANN, "over"), (BEA, "over")]


async def test_nobody_is_unseated_who_does_not_sit_there(matches, pauses):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)

    stranger = await refusal(pauses.unseat(match, GUILD, DAN, DAN))
    gone = await refusal(pauses.unseat(match, GUILD, CYD, DAN))

    assert stranger == (NotSeatedError, "This person isn't playing in this match.")
    assert gone == (MatchError, "This person has already left this match.")


async def test_nobody_is_unseated_while_a_match_is_paused(matches, pauses):
    match = await paused(matches, pauses)

    error, sentence = await refusal(pauses.unseat(match, GUILD, BEA, DAN))

    assert error is PausedError
    assert sentence == (
        "This match is paused, so you can't remove anyone. End it, or wait until its players "
        "resume it."
    )


@pytest.mark.parametrize(
    "act",
    [
        pytest.param(lambda acts, match: acts.end(match, GUILD + 1), id="end"),
        pytest.param(lambda acts, match: acts.unseat(match, GUILD + 1, BEA, DAN), id="unseat"),
    ],
)
async def test_moderators_reach_the_matches_of_their_own_server_only(matches, pauses, act):
    match = await begun(matches)
    assert await refusal(act(pauses, match)) == (NoSuchMatchError, NONE_HERE)
    await begun(matches, interaction=2, guild=GUILD + 1)

    assert await refusal(act(pauses, match)) == (NoSuchMatchError, NOT_HERE)
    assert (await matches.public(match)).status == "running"


async def test_a_match_that_is_over_or_open_is_not_ended_again(matches, pauses):
    """Who is asked whether to end one may confirm it late: the refusal says what became of it."""
    over = await begun(matches)
    await matches.concede(over, BEA)
    open_ = await opened(matches, CYD, interaction=2)
    await begun(matches, interaction=3)

    assert await refusal(pauses.end(over, GUILD)) == (TooLateError, "That match is over.")
    assert await refusal(pauses.end(open_, GUILD)) == (
        TooLateError,
        "This match hasn't started yet: someone still has to accept. Wait for them.",
    )
    assert await refusal(pauses.end(404, GUILD)) == (NoSuchMatchError, NOT_HERE)


async def test_lists_name_the_matches_that_can_be_picked_the_newest_first(matches, pauses):
    first = await begun(matches)
    second = await paused(matches, pauses, BEA, CYD, interaction=2)
    await begun(matches, interaction=3, guild=GUILD + 1)
    await opened(matches, DAN, interaction=4)

    running = await pauses.running(GUILD)

    assert [(m.match, m.paused) for m in running] == [(second, True), (first, False)]
    for user in (BEA, CYD):  # Bea plays in the running one too
        assert [m.match for m in await pauses.paused(GUILD, user)] == [second]
    assert await pauses.paused(GUILD + 1, CYD) == []
    assert await pauses.paused(GUILD, DAN) == []


async def test_a_match_is_not_listed_for_who_has_left_it(matches, pauses):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)
    await pauses.pause(match, CHANNEL)

    assert await pauses.paused(GUILD, CYD) == []
    assert [m.match for m in await pauses.paused(GUILD, BEA)] == [match]
