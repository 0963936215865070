"""Rematches, including those of matches that ended on time and whose result is held."""

import pytest

from bot.errors import MatchError, NotSeatedError, TooLateError
from bot.matches import limits
from bot.matches.rematches import Rematches
from bot.rendering.agreements import is_rematched
from bot.storage.guilds import GuildRecord
from tests.support.clock import DAY, MINUTE
from tests.support.match_records import ask, forget_user
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    DAN,
    GUILD,
    RETURNS,
    SEED,
    WITH_COMPUTER,
    begun,
    opened,
    refusal,
)

pytestmark = pytest.mark.slow

WEEK = 7 * DAY


@pytest.fixture
def rematches(storage, watch):
    return Rematches(storage, seed=lambda: SEED, now=watch, returns=RETURNS)


def agreed(snapshot):
    return [info.agrees for info in snapshot.seats]


async def test_the_last_to_agree_starts_the_rematch_with_rotated_seats(
    matches, rematches, database
):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)
    await matches.concede(match, BEA)

    first = await rematches.want(match, CYD, 501)
    second = await rematches.want(match, ANN, 502)
    last = await rematches.want(match, BEA, 503)

    assert (first.new, second.new) == (None, None)
    assert agreed(second.old.public()) == ["rematch", None, "rematch"]
    snapshot = last.new.public()
    assert [info.user for info in snapshot.seats] == [BEA, CYD, ANN]
    assert (snapshot.status, snapshot.step, snapshot.predecessor) == ("running", 0, match)
    old = last.old.public()
    assert (
        snapshot.options,
        snapshot.time_control,
        snapshot.tap,
        snapshot.guild,
        snapshot.channel,
    ) == (
        old.options,
        old.time_control,
        old.tap,
        old.guild,
        CHANNEL,
    )
    assert ask(database, "SELECT accepted FROM seats WHERE match = 2") == [(1,)] * 3
    assert ask(database, "SELECT due_at, settled FROM matches WHERE id = 1") == [(None, 0)]


async def test_a_computer_always_agrees_to_a_rematch(matches, rematches):
    match = await begun(matches, BEA, **WITH_COMPUTER)
    await matches.concede(match, ANN)
    await matches.concede(match, BEA)

    first = await rematches.want(match, BEA, 501)

    assert first.new is None
    assert agreed(first.old.public()) == [None, "rematch", "rematch"]


async def test_a_match_has_only_one_rematch(matches, rematches):
    match = await begun(matches)
    await matches.concede(match, ANN)
    await rematches.want(match, ANN, 501)
    await rematches.want(match, BEA, 502)

    assert await refusal(rematches.want(match, ANN, 503)) == (
        TooLateError,
        "The rematch has already started. The table has a link to it.",
    )


async def test_a_rematch_can_have_a_rematch(matches, rematches):
    match = await begun(matches)
    await matches.concede(match, ANN)
    await rematches.want(match, ANN, 501)
    second = (await rematches.want(match, BEA, 502)).new.public().match
    await matches.concede(second, ANN)
    await rematches.want(second, ANN, 503)

    third = (await rematches.want(second, BEA, 504)).new

    assert [info.user for info in third.public().seats] == [ANN, BEA]


async def test_strangers_repeated_and_early_requests_are_refused(matches, rematches):
    match = await begun(matches)
    assert await refusal(rematches.want(match, ANN, 501)) == (
        MatchError,
        "This match is still being played. You can have a rematch when it ends.",
    )
    await matches.concede(match, ANN)
    await rematches.want(match, ANN, 501)

    assert await refusal(rematches.want(match, ANN, 502)) == (
        MatchError,
        "You've already asked for a rematch. Wait for an answer.",
    )
    assert await refusal(rematches.want(match, DAN, 503)) == (
        NotSeatedError,
        "You didn't play in this match. Start your own with a `play` command.",
    )


async def test_a_rematch_does_not_begin_with_a_player_at_the_limit_of_matches(
    matches, rematches, monkeypatch, database
):
    match = await begun(matches)
    await matches.concede(match, ANN)
    await rematches.want(match, BEA, 501)
    other = await opened(matches, DAN, opener=BEA, interaction=502)
    await matches.accept(other, DAN)
    monkeypatch.setattr(limits, "MAX_RUNNING_MATCHES", 1)

    with pytest.raises(
        MatchError,
        match=(f"^<@{BEA}> is in 1 matches, the most one person can play at once"),
    ):
        await rematches.want(match, ANN, 503)

    wishes = ask(database, "SELECT agrees FROM seats WHERE match = 1 ORDER BY seat")
    assert wishes == [(None,), ("rematch",)]


async def test_a_player_at_the_limit_of_matches_cannot_request_a_rematch(
    matches, rematches, monkeypatch, database
):
    """Otherwise the others would be notified of a rematch that can't begin."""
    match = await begun(matches)
    await matches.concede(match, ANN)
    await begun(matches, DAN, opener=BEA, interaction=2)
    monkeypatch.setattr(limits, "MAX_RUNNING_MATCHES", 1)

    kind, said = await refusal(rematches.want(match, BEA, 501))

    assert kind is MatchError
    assert said.startswith("You're in 1 matches, the most you can play at once")
    assert ask(database, "SELECT agrees FROM seats WHERE match = 1") == [(None,)] * 2
    assert ask(database, "SELECT user FROM notices WHERE event = 'rematch'") == []


async def test_a_match_that_never_began_has_no_rematch(matches, rematches):
    match = await opened(matches)
    await matches.withdraw(match, ANN)

    assert (await refusal(rematches.want(match, ANN, 501)))[0] is TooLateError


async def test_a_rematch_with_a_deleted_player_cannot_be_requested(
    matches, rematches, storage, database
):
    """They can never answer, so the request would only expire."""
    match = await begun(matches)
    await matches.concede(match, ANN)
    await forget_user(storage, BEA)

    kind, said = await refusal(rematches.want(match, ANN, 501))

    assert kind is MatchError
    assert said == (
        "Someone who played here deleted their data and can't agree to a rematch. Start a new "
        "match with a `play` command."
    )
    assert ask(database, "SELECT agrees FROM seats ORDER BY seat") == [(None,)] * 2


async def test_the_others_are_notified_of_a_rematch_request_once(matches, rematches, database):
    """Agreeing sends no notice, because the table shows it and then the rematch begins."""
    match = await begun(matches, BEA, CYD)
    for user in (CYD, BEA):
        await matches.concede(match, user)
    wishes = "SELECT user, actor FROM notices WHERE event = 'rematch' ORDER BY user"

    await rematches.want(match, BEA, 501)
    told = ask(database, wishes)
    await rematches.want(match, CYD, 502)

    assert told == [(ANN, BEA), (CYD, BEA)]
    assert ask(database, wishes) == told


@pytest.mark.parametrize(("barred", "pace"), [(False, "slow_reserve"), (True, "slow")])
async def test_a_rematch_has_a_reserve_unless_the_server_turned_reserves_off(
    matches, rematches, storage, barred, pace
):
    match = await begun(matches, time_control="slow_reserve")
    await matches.concede(match, ANN)
    time_off = frozenset({"reserve"} if barred else {"pause"})
    async with storage.transaction() as writing:
        await writing.guilds.put_settings(GuildRecord(guild=GUILD, time_off_barred=time_off))
    await rematches.want(match, ANN, 501)

    again = (await rematches.want(match, BEA, 502)).new.public()

    assert again.time_control == pace
    assert [info.reserve is None for info in again.seats] == [barred] * 2


@pytest.mark.parametrize(("time_control", "stands"), [("live", 10 * MINUTE), ("slow", 2 * DAY)])
async def test_a_rematch_request_expires(matches, rematches, timeouts, watch, time_control, stands):
    match = await begun(matches, time_control=time_control)
    await matches.concede(match, ANN)
    await rematches.want(match, BEA, 501)

    watch.advance(stands - 1)
    assert await timeouts.act(match) is None
    watch.advance(1)
    effect = await timeouts.act(match)

    assert agreed(effect.public()) == [None, None]
    assert effect.public().status == "over"
    again = await rematches.want(match, BEA, 502)
    assert agreed(again.old.public()) == [None, "rematch"]


# Rematches of a match that ended on time.


async def test_a_table_links_to_its_rematch_even_after_the_result_counts(
    over, match, rematches, timeouts, watch
):
    await rematches.want(match, BEA, 5)
    await rematches.want(match, ANN, 6)
    watch.advance(WEEK)

    counted = (await timeouts.act(match)).public()

    assert (counted.counts_at, counted.due_at) == (None, None)
    assert is_rematched(counted)


async def test_a_table_links_to_its_rematch_after_a_player_lets_the_result_count(
    over, match, rematches, reopenings
):
    await rematches.want(match, BEA, 5)
    await rematches.want(match, ANN, 6)

    assert is_rematched((await reopenings.count_result(match, ANN)).public())


async def test_a_request_to_resume_stays_when_a_rematch_request_expires(
    over, match, rematches, reopenings, timeouts, watch
):
    await reopenings.want(match, BEA)
    await rematches.want(match, ANN, 5)
    watch.advance(2 * DAY)

    lapsed = (await timeouts.act(match)).public()

    assert (agreed(lapsed), lapsed.due_at) == ([None, "resume"], over.counts_at)
    assert (await reopenings.want(match, ANN)).public().status == "running"


async def test_a_rematch_request_ends_when_a_player_lets_the_result_count(
    over, match, rematches, reopenings
):
    """From then on nothing would make it expire."""
    await rematches.want(match, ANN, 5)

    counted = (await reopenings.count_result(match, BEA)).public()

    assert (agreed(counted), counted.due_at) == ([None, None], None)
    assert (await rematches.want(match, BEA, 6)).new is None


async def test_all_requests_end_when_the_result_counts_by_itself(
    over, match, rematches, reopenings, timeouts, watch
):
    await reopenings.want(match, BEA)
    watch.advance(WEEK - DAY)
    await rematches.want(match, ANN, 5)
    watch.advance(DAY)

    counted = (await timeouts.act(match)).public()

    assert (counted.counts_at, counted.due_at) == (None, None)
    assert agreed(counted) == [None, None]


async def test_a_player_blocked_by_the_one_who_requested_a_rematch_cannot_accept(
    over, match, rematches, storage
):
    await rematches.want(match, ANN, 5)
    async with storage.transaction() as writing:
        await writing.blocks.add(ANN, BEA)

    refused = await refusal(rematches.want(match, BEA, 6))

    assert refused == (
        MatchError,
        "You can't ask for a rematch here. Start a new match with a `play` command.",
    )
