"""Held results: a match that ended on time can be resumed by all of its players for a week."""

import asyncio
import json

import pytest

from bot.computers.pool import SynchronousPool
from bot.errors import MatchError, NotAllowedHereError, NotSeatedError, TooLateError
from bot.matches.rematches import Rematches
from bot.matches.reopenings import Reopenings
from bot.matches.replays import CHANGED
from bot.matches.verification import verify
from bot.storage.guilds import GuildRecord
from games import GAMES, Seat
from games.chance import Chance
from tests.support.busy import Busy
from tests.support.clock import DAY, HOUR
from tests.support.match_records import ask, execute, forget_user, settle, unsettled
from tests.support.matches import (
    ANN,
    BEA,
    CYD,
    DAN,
    GUILD,
    RETURNS,
    SEED,
    A,
    B,
    C,
    begun,
    choose,
    dealt,
    refusal,
)
from tests.support.playouts import SHORT
from tests.support.secrets_shown import shows_nothing_new

WEEK = 7 * DAY


def results(database):
    return ask(database, "SELECT user, won, lost, sequence FROM results ORDER BY seat")


async def audited(storage):
    async with storage.reading() as reading:
        return (await reading.ratings.audit()).right


async def test_the_result_of_a_match_that_time_ended_waits_a_week(
    over, match, timeouts, watch, database, storage
):
    assert (over.status, over.counts_at) == ("over", int(watch()) + WEEK)
    assert results(database) == ask(database, "SELECT * FROM ratings") == []

    watch.advance(WEEK - 1)
    assert await timeouts.act(match) is None
    watch.advance(1)
    counted = (await timeouts.act(match)).public()

    assert (counted.counts_at, counted.due_at) == (None, None)
    assert results(database) == [(ANN, 1, 0, 1), (BEA, 0, 1, 1)]
    assert [place.change.nth for place in counted.places] == [1, 1]
    assert await audited(storage)


async def test_nothing_secret_is_told_while_it_can_be_resumed(over, match, archive, matches):
    assert (over.seed, (await matches.snapshot(match, ANN)).seed) == (None, None)
    for act in (
        archive.replays.show(match, 0, user=ANN, guild=GUILD),
        archive.exports.make(match, user=ANN, guild=GUILD, title=str),
    ):
        kind, said = await refusal(act)
        assert kind is MatchError
        assert said == (
            "This match can still be resumed, so its secrets stay secret. Press **Let it count** "
            "at the table, or wait until its result counts."
        )


async def test_it_is_played_again_once_at_a_time_however_often_somebody_asks(
    over, match, storage, watch
):
    """Everybody's replays and exports wait for the same worker process."""
    busy = Busy()
    reopenings = Reopenings(storage, busy, now=watch, returns=RETURNS)
    await reopenings.want(match, BEA)

    await asyncio.gather(*(reopenings.want(match, ANN) for _ in range(10)), return_exceptions=True)

    assert busy.most == 1


async def test_it_goes_on_where_it_was_when_everybody_agrees(
    over, match, matches, reopenings, watch
):
    watch.advance(3 * DAY)

    asked = (await reopenings.want(match, BEA)).public()
    on = (await reopenings.want(match, ANN)).public()

    assert (asked.status, asked.places[B].agrees) == ("over", "resume")
    assert (on.status, on.step, on.remark, on.counts_at) == ("running", 1, "reopened", None)
    assert [(p.left, p.left_why, p.strikes, p.agrees) for p in on.places] == [
        (False, None, 0, None)
    ] * 2
    assert (on.deadline, on.chosen, on.seed) == (int(watch()) + DAY, frozenset(), None)
    assert on.turn == over.turn + 1
    assert (await choose(matches, match, ANN, BEA)).step == 2


async def test_a_match_that_was_resumed_is_counted_once_and_found_true(
    over, matches, reopenings, archive, storage, database
):
    match = over.match
    for user in (ANN, BEA):
        await reopenings.want(match, user)
    await choose(matches, match, ANN, BEA)
    await matches.concede(match, ANN)

    files = await archive.exports.make(match, user=ANN, guild=GUILD, title=str)

    assert results(database) == [(ANN, 0, 1, 1), (BEA, 1, 0, 1)]
    assert await audited(storage)
    assert verify(files.json.encode()).is_true
    assert json.loads(files.json)["seed"] == SEED


async def test_others_matches_in_between_leave_all_ratings_exact(
    over, match, matches, timeouts, watch, storage
):
    """A held result changes the ratings as they are on the day on which it counts."""
    other = await begun(matches, interaction=2)
    await matches.concede(other, ANN)
    assert await audited(storage)
    watch.advance(WEEK)
    await timeouts.act(match)

    async with storage.reading() as reading:
        found = await reading.ratings.audit()

    assert (found.right, found.matches) == (True, 2)


async def test_a_forfeit_that_ends_nothing_holds_nothing_back(three, matches, forfeit, database):
    running = await forfeit(three, ANN, BEA)
    await matches.concede(three, ANN)

    over = await matches.public(three)

    assert (running.status, running.places[C].left_why) == ("running", "time")
    assert (over.status, over.counts_at) == ("over", None)
    assert len(results(database)) == 3


async def test_where_everybody_was_away_all_can_come_back(match, late, matches, reopenings):
    await late(match)
    closed = (await late(match)).public()
    await reopenings.want(match, ANN)
    on = (await reopenings.want(match, BEA)).public()

    assert (closed.ending, closed.seed, on.status, on.ending) == ("absence", None, "running", None)


async def test_where_everybody_was_away_the_week_ends_without_a_result(match, late, database):
    await late(match)
    closed = (await late(match)).public()

    over = (await late(match, WEEK)).public()

    assert (closed.status, closed.seed, over.status, over.seed) == ("closed", None, "closed", SEED)
    assert (over.counts_at, over.due_at, over.outcome) == (None, None, None)
    assert results(database) == []


async def test_whoever_comes_back_has_missed_no_deadline(match, late, matches, reopenings):
    """When everybody was absent, nobody forfeited, but each had missed a deadline."""
    await late(match)
    closed = (await late(match)).public()
    await reopenings.want(match, ANN)
    on = (await reopenings.want(match, BEA)).public()
    await choose(matches, match, ANN)

    missed = (await late(match)).public()

    assert [[place.strikes for place in snapshot.places] for snapshot in (closed, on, missed)] == [
        [1, 1],
        [0, 0],
        [0, 1],
    ]
    assert (missed.status, missed.step, missed.late) == ("running", on.step + 1, (B,))


async def test_anybody_who_played_can_let_it_count_at_once(over, match, reopenings, database):
    await reopenings.want(match, BEA)

    counted = (await reopenings.count(match, ANN)).public()

    assert (counted.counts_at, counted.seed) == (None, SEED)
    assert len(results(database)) == 2
    assert await refusal(reopenings.want(match, BEA)) == (
        TooLateError,
        "It's too late to resume this match: its result counts now. Play another one.",
    )


async def test_of_a_wish_to_resume_the_others_are_told_once(matches, late, reopenings, database):
    match = await begun(matches, BEA, CYD)
    await late(match)
    await late(match)
    wishes = "SELECT user, actor FROM notices WHERE event = 'offered' ORDER BY user"

    await reopenings.want(match, BEA)
    told = ask(database, wishes)
    await reopenings.want(match, CYD)

    assert told == [(ANN, BEA), (CYD, BEA)]
    assert ask(database, wishes) == told


async def test_who_decides_and_until_when(over, match, late, reopenings):
    strange, _ = await refusal(reopenings.want(match, DAN))
    await reopenings.want(match, ANN)
    _, twice = await refusal(reopenings.want(match, ANN))
    await late(match, WEEK)
    after, _ = await refusal(reopenings.want(match, BEA))

    assert (strange, after) == (NotSeatedError, TooLateError)
    assert twice == "You've already asked for that. Wait for an answer."


async def test_while_the_clock_rests_a_result_waits_whose_week_is_over(
    over, match, reopenings, watch
):
    """For example while a shard isn't connected; grace postpones the end once it's back."""
    watch.advance(WEEK + HOUR)
    await reopenings.want(match, ANN)

    on = (await reopenings.want(match, BEA)).public()

    assert (on.status, on.counts_at) == ("running", None)


async def test_while_the_clock_rests_whoever_wants_it_lets_a_result_count(
    over, match, reopenings, watch, database
):
    watch.advance(WEEK + HOUR)

    counted = (await reopenings.count(match, ANN)).public()

    assert (counted.status, counted.counts_at, len(results(database))) == ("over", None, 2)


async def test_not_after_a_rematch_has_begun(over, match, reopenings, storage, watch):
    rematches = Rematches(storage, seed=lambda: SEED, now=watch, returns=RETURNS)
    await rematches.want(match, ANN, 5)
    await rematches.want(match, BEA, 6)

    _, why = await refusal(reopenings.want(match, ANN))
    assert why == "You've started a rematch already, so this match stays over. Play that one."


async def test_a_wish_for_a_rematch_that_lapses_leaves_the_week_as_it_is(
    over, match, storage, watch, timeouts, database
):
    await Rematches(storage, now=watch, returns=RETURNS).want(match, ANN, 5)
    watch.advance(2 * DAY)
    lapsed = (await timeouts.act(match)).public()
    watch.advance(5 * DAY)
    await timeouts.act(match)

    assert (lapsed.places[A].agrees, lapsed.due_at) == (None, over.counts_at)
    assert len(results(database)) == 2


async def test_a_server_can_let_results_count_at_once(match, forfeit, storage, database):
    async with storage.transaction() as writing:
        barred = frozenset({"resume"})
        await writing.guilds.put_settings(GuildRecord(guild=GUILD, time_off_barred=barred))

    over = await forfeit(match, ANN)

    assert over.counts_at is None
    assert len(results(database)) == 2


async def test_nor_can_a_match_be_resumed_where_that_was_turned_off_since(
    over, match, reopenings, storage
):
    async with storage.transaction() as writing:
        barred = frozenset({"resume"})
        await writing.guilds.put_settings(GuildRecord(guild=GUILD, time_off_barred=barred))

    assert (await refusal(reopenings.want(match, ANN)))[0] is NotAllowedHereError


async def test_who_was_forgotten_meanwhile_cannot_come_back_and_ratings_stay_exact(
    over, reopenings, storage, timeouts, watch, matches
):
    match = over.match
    other = await begun(matches, interaction=2)
    await matches.concede(other, ANN)
    await forget_user(storage, BEA)

    assert await refusal(reopenings.want(match, ANN)) == (
        TooLateError,
        "Someone who played here is gone for good, so this match can't be resumed.",
    )
    watch.advance(WEEK)
    await timeouts.act(match)
    assert await audited(storage)


async def test_who_agrees_while_another_does_is_asked_to_try_again(over, match, storage, watch):
    """Ann's request reads before Bea has agreed, so it hasn't replayed the match."""
    reopenings = Reopenings(storage, InPlace(), now=watch, returns=RETURNS)
    look_up = reopenings._before

    async def interrupted(number, user):
        found = await look_up(number, user)
        if user == ANN:
            await reopenings.want(number, BEA)
        return found

    reopenings._before = interrupted

    assert await refusal(reopenings.want(match, ANN)) == (
        MatchError,
        "Something changed while I looked that up. Try again.",
    )
    reopenings._before = look_up
    assert (await reopenings.want(match, ANN)).public().status == "running"
    _, again = await refusal(reopenings.want(match, ANN))
    assert again == "This match has already been resumed. Play on at its table."


@pytest.mark.slow
@pytest.mark.parametrize("case", SHORT)
def test_a_forfeit_shows_nobody_what_they_could_not_see(case):
    """So a player who resumes the match knows no more than before."""
    seats, options = SHORT[case]
    game, chance = GAMES[case.split()[0]], Chance("players", 0)
    state = game.setup(options, seats, Chance(SEED, 0))
    for step in range(30):
        awaited = game.awaiting(state)
        if not awaited:
            break
        leaving = min(awaited)

        def leaves(world, number, seat=leaving, step=step):
            return game.concede(world, seat, Chance(f"{number} leaves", step))

        others = [Seat(i) for i in range(seats) if i != leaving]
        assert shows_nothing_new(game, state, leaves, others), (case, step)
        moves = {seat: chance.pick(game.legal_moves(state, seat)) for seat in awaited}
        state = game.play(state, moves, Chance(SEED, step + 1))


async def test_a_wish_to_resume_is_shown_also_if_the_bot_dies_before_it_could_be(
    over, match, reopenings, storage
):
    await settle(storage, match)

    await reopenings.want(match, BEA)

    assert await unsettled(storage) == [match]


async def test_nothing_goes_on_from_moves_that_do_not_lead_where_the_match_was(
    over, match, reopenings, storage
):
    """For example after a change of the rules."""
    await reopenings.want(match, BEA)
    another = dealt().hands[A][1]
    await execute(storage, f"UPDATE moves SET move = '{another}' WHERE step = 0 AND seat = 0")  # noqa: S608 - a card

    kind, said = await refusal(reopenings.want(match, ANN))

    assert kind is MatchError
    assert said == CHANGED
