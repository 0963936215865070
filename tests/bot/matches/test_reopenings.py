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


async def test_the_result_of_a_match_that_ended_on_time_is_held_for_a_week(
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
    assert [info.change.nth for info in counted.seats] == [1, 1]
    assert await audited(storage)


async def test_no_secrets_are_revealed_while_a_match_can_be_resumed(over, match, archive, matches):
    assert (over.seed, (await matches.snapshot(match, ANN)).seed) == (None, None)
    for act in (
        archive.replay(match, 0, user=ANN, guild=GUILD),
        archive.export(match, user=ANN, guild=GUILD, title=str),
    ):
        kind, said = await refusal(act)
        assert kind is MatchError
        assert said == (
            "This match can still be resumed, so its secrets stay secret. Press **Let it count** "
            "at the table, or wait until its result counts."
        )


async def test_repeated_requests_to_resume_replay_the_match_one_at_a_time(
    over, match, storage, watch
):
    """Everybody's replays and exports wait for the same worker process."""
    busy = Busy()
    reopenings = Reopenings(storage, busy, now=watch, returns=RETURNS)
    await reopenings.want(match, BEA)

    await asyncio.gather(*(reopenings.want(match, ANN) for _ in range(10)), return_exceptions=True)

    assert busy.most == 1


async def test_a_match_continues_where_it_was_when_everybody_agrees(
    over, match, matches, reopenings, watch
):
    watch.advance(3 * DAY)

    asked = (await reopenings.want(match, BEA)).public()
    on = (await reopenings.want(match, ANN)).public()

    assert (asked.status, asked.seats[B].agrees) == ("over", "resume")
    assert (on.status, on.step, on.remark, on.counts_at) == ("running", 1, "reopened", None)
    assert [(p.left, p.left_why, p.strikes, p.agrees) for p in on.seats] == [
        (False, None, 0, None)
    ] * 2
    assert (on.deadline, on.chosen, on.seed) == (int(watch()) + DAY, frozenset(), None)
    assert on.turn == over.turn + 1
    assert (await choose(matches, match, ANN, BEA)).step == 2


async def test_a_resumed_match_counts_once_and_its_export_is_genuine(
    over, matches, reopenings, archive, storage, database
):
    match = over.match
    for user in (ANN, BEA):
        await reopenings.want(match, user)
    await choose(matches, match, ANN, BEA)
    await matches.concede(match, ANN)

    files = await archive.export(match, user=ANN, guild=GUILD, title=str)

    assert results(database) == [(ANN, 0, 1, 1), (BEA, 1, 0, 1)]
    assert await audited(storage)
    assert verify(files.json.encode()).is_true
    assert json.loads(files.json)["seed"] == SEED


async def test_matches_played_in_between_keep_all_ratings_exact(
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


async def test_a_forfeit_that_does_not_end_the_match_holds_no_result(
    three, matches, forfeit, database
):
    running = await forfeit(three, ANN, BEA)
    await matches.concede(three, ANN)

    over = await matches.public(three)

    assert (running.status, running.seats[C].left_why) == ("running", "time")
    assert (over.status, over.counts_at) == ("over", None)
    assert len(results(database)) == 3


async def test_a_match_where_everybody_was_absent_can_be_resumed(match, late, matches, reopenings):
    await late(match)
    closed = (await late(match)).public()
    await reopenings.want(match, ANN)
    on = (await reopenings.want(match, BEA)).public()

    assert (closed.ending, closed.seed, on.status, on.ending) == ("absence", None, "running", None)


async def test_a_match_where_everybody_was_absent_ends_without_a_result(match, late, database):
    await late(match)
    closed = (await late(match)).public()

    over = (await late(match, WEEK)).public()

    assert (closed.status, closed.seed, over.status, over.seed) == ("closed", None, "closed", SEED)
    assert (over.counts_at, over.due_at, over.outcome) == (None, None, None)
    assert results(database) == []


async def test_players_who_come_back_have_no_strikes(match, late, matches, reopenings):
    """When everybody was absent, nobody forfeited, but each had missed a deadline."""
    await late(match)
    closed = (await late(match)).public()
    await reopenings.want(match, ANN)
    on = (await reopenings.want(match, BEA)).public()
    await choose(matches, match, ANN)

    missed = (await late(match)).public()

    assert [[info.strikes for info in snapshot.seats] for snapshot in (closed, on, missed)] == [
        [1, 1],
        [0, 0],
        [0, 1],
    ]
    assert (missed.status, missed.step, missed.late) == ("running", on.step + 1, (B,))


async def test_any_player_can_let_the_result_count_at_once(over, match, reopenings, database):
    await reopenings.want(match, BEA)

    counted = (await reopenings.count_result(match, ANN)).public()

    assert (counted.counts_at, counted.seed) == (None, SEED)
    assert len(results(database)) == 2
    assert await refusal(reopenings.want(match, BEA)) == (
        TooLateError,
        "It's too late to resume this match: its result counts now. Play another one.",
    )


async def test_the_others_are_notified_of_a_request_to_resume_once(
    matches, late, reopenings, database
):
    match = await begun(matches, BEA, CYD)
    await late(match)
    await late(match)
    wishes = "SELECT user, actor FROM notices WHERE event = 'offered' ORDER BY user"

    await reopenings.want(match, BEA)
    told = ask(database, wishes)
    await reopenings.want(match, CYD)

    assert told == [(ANN, BEA), (CYD, BEA)]
    assert ask(database, wishes) == told


async def test_only_players_can_resume_once_each_and_within_the_week(over, match, late, reopenings):
    strange, _ = await refusal(reopenings.want(match, DAN))
    await reopenings.want(match, ANN)
    _, twice = await refusal(reopenings.want(match, ANN))
    await late(match, WEEK)
    after, _ = await refusal(reopenings.want(match, BEA))

    assert (strange, after) == (NotSeatedError, TooLateError)
    assert twice == "You've already asked for that. Wait for an answer."


async def test_a_result_past_its_week_can_be_resumed_while_the_clock_rests(
    over, match, reopenings, watch
):
    """For example while a shard isn't connected; grace postpones the end once it's back."""
    watch.advance(WEEK + HOUR)
    await reopenings.want(match, ANN)

    on = (await reopenings.want(match, BEA)).public()

    assert (on.status, on.counts_at) == ("running", None)


async def test_a_player_can_let_a_result_count_while_the_clock_rests(
    over, match, reopenings, watch, database
):
    watch.advance(WEEK + HOUR)

    counted = (await reopenings.count_result(match, ANN)).public()

    assert (counted.status, counted.counts_at, len(results(database))) == ("over", None, 2)


async def test_a_match_whose_rematch_has_begun_cannot_be_resumed(
    over, match, reopenings, storage, watch
):
    rematches = Rematches(storage, seed=lambda: SEED, now=watch, returns=RETURNS)
    await rematches.want(match, ANN, 5)
    await rematches.want(match, BEA, 6)

    _, why = await refusal(reopenings.want(match, ANN))
    assert why == "You've started a rematch already, so this match stays over. Play that one."


async def test_an_expired_rematch_request_does_not_change_the_week(
    over, match, storage, watch, timeouts, database
):
    await Rematches(storage, now=watch, returns=RETURNS).want(match, ANN, 5)
    watch.advance(2 * DAY)
    lapsed = (await timeouts.act(match)).public()
    watch.advance(5 * DAY)
    await timeouts.act(match)

    assert (lapsed.seats[A].agrees, lapsed.due_at) == (None, over.counts_at)
    assert len(results(database)) == 2


async def test_a_server_can_let_results_count_at_once(match, forfeit, storage, database):
    async with storage.transaction() as writing:
        barred = frozenset({"resume"})
        await writing.guilds.put_settings(GuildRecord(guild=GUILD, time_off_barred=barred))

    over = await forfeit(match, ANN)

    assert over.counts_at is None
    assert len(results(database)) == 2


async def test_a_match_cannot_be_resumed_after_the_server_turned_that_off(
    over, match, reopenings, storage
):
    async with storage.transaction() as writing:
        barred = frozenset({"resume"})
        await writing.guilds.put_settings(GuildRecord(guild=GUILD, time_off_barred=barred))

    assert (await refusal(reopenings.want(match, ANN)))[0] is NotAllowedHereError


async def test_a_player_deleted_meanwhile_cannot_come_back_and_ratings_stay_exact(
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


async def test_agreeing_while_another_player_does_asks_to_try_again(over, match, storage, watch):
    """Ann's request reads before Bea has agreed, so it hasn't replayed the match."""
    reopenings = Reopenings(storage, SynchronousPool(), now=watch, returns=RETURNS)
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
def test_a_forfeit_reveals_nothing_hidden_to_the_others(case):
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


async def test_a_request_to_resume_is_shown_even_after_a_crash(over, match, reopenings, storage):
    await settle(storage, match)

    await reopenings.want(match, BEA)

    assert await unsettled(storage) == [match]


async def test_a_match_whose_moves_no_longer_reproduce_it_cannot_be_resumed(
    over, match, reopenings, storage
):
    """For example after a change of the rules."""
    await reopenings.want(match, BEA)
    another = dealt().hands[A][1]
    await execute(storage, f"UPDATE moves SET move = '{another}' WHERE step = 0 AND seat = 0")  # noqa: S608 - a card

    kind, said = await refusal(reopenings.want(match, ANN))

    assert kind is MatchError
    assert said == CHANGED
