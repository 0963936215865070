"""Vacations: only the clocks of one person's slow matches in one server rest."""

from datetime import UTC, datetime

import pytest

from bot.computers.pool import SynchronousPool
from bot.errors import MatchError, NotAllowedHereError
from bot.matches.agreements import Agreements
from bot.matches.pauses import Pauses
from bot.matches.time_off import Vacations
from bot.settings.guilds import GuildSettings
from bot.storage.guilds import GuildRecord
from games.pico import PICO
from tests.support.clock import DAY, HOUR
from tests.support.match_records import ask
from tests.support.matches import (
    ANN,
    BEA,
    CYD,
    DAN,
    GUILD,
    NOW,
    RETURNS,
    A,
    B,
    begun,
    choose,
    opened,
    refusal,
)

pytestmark = pytest.mark.slow

START = int(NOW)


@pytest.fixture
def vacations(storage, watch):
    return Vacations(storage, now=watch)


async def test_only_the_clock_of_the_player_on_vacation_rests(
    matches, match, vacations, watch, timeouts
):
    watch.advance(4 * HOUR)

    vacation = await vacations.start(ANN, GUILD, 5)
    away = (await matches.public(match)).seats[A]

    until = START + 4 * HOUR + 5 * DAY
    assert (vacation.until, vacation.days_left, vacation.matches) == (until, 9, [match])
    assert (away.away_until, away.deadline) == (until, until + 20 * HOUR)
    watch.advance(20 * HOUR)
    late = (await timeouts.act(match)).public()
    assert (late.step, late.chosen, late.seats[B].strikes) == (0, {B}, 1)
    assert late.deadline == until + 20 * HOUR


async def test_a_choice_that_replaces_the_clocks_is_not_shown_as_late(
    matches, match, vacations, late
):
    """While another player is away, the step waits and the clock's choice can be changed."""
    await vacations.start(ANN, GUILD, 5)
    await late(match)
    await choose(matches, match, BEA)

    snapshot = await choose(matches, match, ANN)

    assert (snapshot.step, snapshot.late) == (1, ())


async def test_a_vacation_ends_by_itself_and_disappears_from_the_table(
    matches, match, vacations, watch, timeouts
):
    await vacations.start(ANN, GUILD, 2)
    await choose(matches, match, BEA)
    watch.advance(2 * DAY)

    back = (await timeouts.act(match)).public()

    assert (back.seats[A].away_until, back.deadline) == (None, START + 3 * DAY)
    watch.advance(DAY)
    assert (await timeouts.act(match)).public().late == (A,)


async def test_coming_back_early_keeps_the_remaining_time_and_days(
    matches, match, vacations, watch
):
    watch.advance(4 * HOUR)
    await vacations.start(ANN, GUILD, 7)
    watch.advance(2 * DAY + HOUR)

    back = await vacations.end(ANN, GUILD)

    info = (await matches.public(match)).seats[A]
    assert (back.until, back.days_left) == (None, 11)
    assert (info.away_until, info.deadline) == (None, int(watch()) + 20 * HOUR)


async def test_a_turn_that_begins_meanwhile_starts_its_time_after_the_vacation(
    matches, match, vacations, watch
):
    vacation = await vacations.start(ANN, GUILD, 3)
    watch.advance(HOUR)
    await choose(matches, match, ANN)

    after = await choose(matches, match, BEA)

    assert after.seats[A].deadline == vacation.until + DAY
    assert after.seats[B].deadline == int(watch()) + DAY


async def test_a_match_that_begins_meanwhile_rests_too(matches, vacations):
    vacation = await vacations.start(BEA, GUILD, 3)

    snapshot = await matches.public(await begun(matches))

    assert [info.away_until for info in snapshot.seats] == [None, vacation.until]
    assert snapshot.seats[B].deadline == vacation.until + DAY


async def test_a_resumed_match_rests_for_a_vacation_that_began_meanwhile(
    over, match, vacations, reopenings, watch
):
    vacation = await vacations.start(BEA, GUILD, 7)
    watch.advance(DAY)
    await reopenings.want(match, BEA)

    on = (await reopenings.want(match, ANN)).public()

    assert (over.status, vacation.matches) == ("over", [])
    assert [info.away_until for info in on.seats] == [None, vacation.until]
    assert [info.deadline for info in on.seats] == [int(watch()) + DAY, vacation.until + DAY]


async def test_a_resumed_match_notices_a_vacation_that_ended_meanwhile(
    match, forfeit, vacations, reopenings, watch
):
    await vacations.start(ANN, GUILD, 10)
    over = await forfeit(match, ANN)
    await vacations.end(ANN, GUILD)
    await reopenings.want(match, BEA)

    on = (await reopenings.want(match, ANN)).public()

    assert (over.status, over.seats[A].away_until is None) == ("over", False)
    assert [(info.away_until, info.deadline) for info in on.seats] == [
        (None, int(watch()) + DAY)
    ] * 2


async def test_a_resumed_fast_match_does_not_rest(matches, vacations, reopenings, watch, timeouts):
    match = await begun(matches, time_control="today")
    for _ in range(2):
        await choose(matches, match, ANN)
        watch.advance(HOUR)
        await timeouts.act(match)
    await vacations.start(BEA, GUILD, 3)
    await reopenings.want(match, BEA)

    on = (await reopenings.want(match, ANN)).public()

    assert (on.status, on.seats[B].away_until) == ("running", None)
    assert on.seats[B].deadline == int(watch()) + HOUR


@pytest.mark.parametrize("pace", ["live", "today", "none"])
async def test_fast_matches_and_matches_without_a_clock_do_not_rest(matches, vacations, pace):
    match = await begun(matches, time_control=pace)
    before = (await matches.public(match)).deadline

    vacation = await vacations.start(ANN, GUILD, 3)

    snapshot = await matches.public(match)
    assert (vacation.matches, snapshot.seats[A].away_until) == ([], None)
    assert snapshot.deadline == before


async def test_other_servers_and_other_people_are_not_affected(matches, vacations):
    elsewhere = await begun(matches, guild=GUILD + 1)
    others = await begun(matches, CYD, interaction=2, opener=BEA)

    assert (await vacations.start(ANN, GUILD, 1)).matches == []
    for match in (elsewhere, others):
        assert {p.away_until for p in (await matches.public(match)).seats} == {None}
    assert (await vacations.of(ANN, GUILD + 1)).days_left == 14


async def test_a_vacation_cannot_begin_with_less_than_an_hour_on_a_clock(
    matches, match, vacations, watch
):
    watch.advance(23 * HOUR + 1)

    kind, said = await refusal(vacations.start(ANN, GUILD, 1))

    assert kind is MatchError
    assert said == (
        f"You have less than an hour left for a move in Pico, match {match}. Make that move "
        "first; `/games` leads there."
    )
    await choose(matches, match, ANN)
    assert (await vacations.start(ANN, GUILD, 1)).matches == [match]


async def test_there_are_14_days_a_year(vacations, watch):
    await vacations.start(ANN, GUILD, 10)
    watch.advance(10 * DAY)

    assert await refusal(vacations.start(ANN, GUILD, 5)) == (
        MatchError,
        "You have 4 vacation days left in this server for 2027. Pick fewer days.",
    )
    assert (await vacations.start(ANN, GUILD, 4)).days_left == 0

    watch.advance(4 * DAY)
    assert await refusal(vacations.start(ANN, GUILD, 1)) == (
        MatchError,
        "You've used all 14 vacation days in this server for 2027. You get new ones in 2028.",
    )


async def test_a_day_counts_for_the_year_in_which_it_begins(vacations, watch):
    new_year = int(datetime(2028, 1, 1, tzinfo=UTC).timestamp())
    watch.now = new_year - 2 * DAY - HOUR

    first = await vacations.start(ANN, GUILD, 14)
    watch.now = new_year
    then = await vacations.of(ANN, GUILD)

    assert (first.days_left, then.days_left) == (11, 3)


async def test_a_second_vacation_or_end_of_vacation_is_refused(vacations):
    _, at_home = await refusal(vacations.end(ANN, GUILD))
    until = (await vacations.start(ANN, GUILD, 2)).until
    with pytest.raises(MatchError) as twice:
        await vacations.start(ANN, GUILD, 2)

    assert at_home == "You're not on vacation in this server. `/vacation start` begins one."
    assert str(twice.value) == (
        f"You're already on vacation in this server until <t:{until}:f>. `/vacation end` ends it "
        "early."
    )


async def test_a_vacation_that_ended_at_once_can_begin_again(vacations, database):
    await vacations.start(ANN, GUILD, 2)
    await vacations.end(ANN, GUILD)

    assert (await vacations.start(ANN, GUILD, 14)).days_left == 0
    assert ask(database, "SELECT count(*) FROM vacations") == [(1,)]


async def test_a_server_can_turn_vacations_off(vacations, storage):
    async with storage.transaction() as writing:
        barred = frozenset({"vacation"})
        await writing.guilds.put_settings(GuildRecord(guild=GUILD, time_off_barred=barred))

    assert (await refusal(vacations.start(ANN, GUILD, 1)))[0] is NotAllowedHereError


async def test_a_vacation_continues_after_its_server_turns_vacations_off(
    matches, match, vacations, storage
):
    """`/settings` says so; otherwise players who are away would lose their seats."""
    vacation = await vacations.start(BEA, GUILD, 10)

    await GuildSettings(storage).allow(GUILD, [])
    later = await begun(matches, interaction=2)

    seats = [(await matches.public(number)).seats[B] for number in (match, later)]
    assert [info.away_until for info in seats] == [vacation.until] * 2


async def test_a_vacation_during_a_pause_is_not_counted_twice(
    matches, match, vacations, storage, watch
):
    """The clock rests in the pause anyway, so only the vacation's excess is added."""
    agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
    pauses = Pauses(storage, now=watch)
    watch.advance(4 * HOUR)
    await agreements.offer(match, ANN, "pause")
    await agreements.accept(match, BEA, "pause")
    watch.advance(DAY)
    vacation = await vacations.start(ANN, GUILD, 4)
    watch.advance(DAY)

    on = (await pauses.resume_here(match, BEA)).public()

    assert on.seats[A].deadline == vacation.until + 20 * HOUR
    assert on.seats[B].deadline == int(watch()) + 20 * HOUR


@pytest.mark.parametrize("days", [1, 6], ids=["within it", "beyond its end"])
async def test_a_pause_during_a_vacation_is_not_counted_twice(
    matches, match, vacations, storage, watch, days
):
    agreements = Agreements(storage, SynchronousPool(), now=watch, returns=RETURNS)
    pauses = Pauses(storage, now=watch)
    watch.advance(4 * HOUR)
    vacation = await vacations.start(ANN, GUILD, 4)
    watch.advance(6 * HOUR)
    await agreements.offer(match, ANN, "pause")
    await agreements.accept(match, BEA, "pause")
    watch.advance(days * DAY)

    on = (await pauses.resume_here(match, BEA)).public()

    assert on.seats[A].deadline == max(vacation.until, int(watch())) + 20 * HOUR
    assert on.seats[B].deadline == int(watch()) + 14 * HOUR


async def test_a_player_on_vacation_can_still_leave_the_match(matches, vacations, storage, watch):
    match = await begun(matches, BEA, CYD, options=PICO.presets["pico1-three"])
    await vacations.start(ANN, GUILD, 4)

    snapshot = (await matches.concede(match, ANN)).public()

    assert snapshot.due_at == START + DAY


async def test_coming_back_says_in_how_many_matches_it_is_the_players_turn(matches, vacations):
    """Including matches without a clock; not those where they chose or of another server."""
    await begun(matches, BEA, interaction=11)
    await begun(matches, CYD, interaction=12, time_control="none")
    await choose(matches, await begun(matches, DAN, interaction=13), ANN)
    await begun(matches, BEA, interaction=14, guild=GUILD + 1)
    await vacations.start(ANN, GUILD, 2)

    assert (await vacations.end(ANN, GUILD)).owed == 2


# Challenges.


@pytest.mark.parametrize(
    ("time_control", "answer"), [("slow", 5 * DAY), ("relaxed", 9 * DAY), ("today", DAY // 2)]
)
async def test_a_slow_challenge_waits_for_an_invited_player_on_vacation(
    matches, vacations, time_control, answer
):
    """They get the full time to answer once they're back."""
    await vacations.start(BEA, GUILD, 2)

    match = await opened(matches, time_control=time_control)

    assert (await matches.public(match)).due_at == START + answer


async def test_a_challenge_does_not_reveal_a_vacation_that_others_cannot_see(
    matches, vacations, storage
):
    async with storage.transaction() as writing:
        await writing.people.hide(BEA, hidden=True)
    await vacations.start(BEA, GUILD, 2)
    await vacations.start(ANN, GUILD, 2)

    match = await opened(matches)

    assert (await matches.public(match)).due_at == START + 3 * DAY
    assert await vacations.public_vacations([BEA, CYD], GUILD) == {}
