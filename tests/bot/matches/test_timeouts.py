"""Timeouts: what the clock does with a match whose time is up."""

import asyncio

import pytest

from bot.errors import TooLateError
from bot.storage.people import PreferencesRecord
from games.chance import Chance
from games.pico import PICO
from games.spite import SPITE, Options
from tests.support.clock import DAY
from tests.support.deadlines import DEAL, card, strikes
from tests.support.match_records import ask
from tests.support.matches import (
    ANN,
    BEA,
    CYD,
    SEED,
    A,
    B,
    C,
    begun,
    choose,
    dealt,
    opened,
    played,
    refusal,
)

pytestmark = pytest.mark.slow


def fallback(state, seat, step=0, game=PICO):
    """Return the move that the clock plays for a seat."""
    return game.fallback(state, seat, Chance(f"{SEED}:{seat} is late", step))


# Challenges.


async def test_a_challenge_that_nobody_answers_expires(matches, timeouts, watch):
    match = await opened(matches)

    watch.advance(3 * DAY - 1)
    before = await timeouts.act(match)
    watch.advance(1)
    after = await timeouts.act(match)

    assert before is None
    snapshot = after.public()
    assert (snapshot.status, snapshot.due_at) == ("expired", None)


async def test_an_expired_challenge_cannot_be_accepted(matches, late):
    match = await opened(matches)
    await late(match, 3 * DAY)

    kind, sentence = await refusal(matches.accept(match, BEA))

    assert kind is TooLateError
    assert sentence == "This challenge has expired. Start a new one with a `play` command."


# The first missed deadline.


async def test_nothing_happens_before_the_deadline(timeouts, match, watch):
    watch.advance(DAY - 1)

    assert await timeouts.act(match) is None


async def test_the_clock_plays_the_fallback_for_a_late_player(matches, match, late):
    await matches.submit(match, 0, ANN, card(DEAL, A))

    effect = await late(match)

    snapshot = effect.public()
    moves = {A: PICO.parse(card(DEAL, A)), B: fallback(DEAL, B)}
    assert effect.resolved
    assert (snapshot.status, snapshot.step, snapshot.late) == ("running", 1, (B,))
    assert snapshot.view == PICO.observe(played(DEAL, 0, moves), None)


async def test_every_move_is_stored_with_how_it_was_made(matches, match, late, database):
    await matches.submit(match, 0, ANN, card(DEAL, A))
    await late(match)

    assert ask(database, "SELECT seat, move, how FROM moves ORDER BY seat") == [
        (A, card(DEAL, A), "chosen"),
        (B, str(fallback(DEAL, B)), "time"),
    ]


async def test_a_missed_deadline_is_a_strike_and_starts_a_new_turn(matches, match, late, watch):
    await matches.submit(match, 0, ANN, card(DEAL, A))

    snapshot = (await late(match)).public()

    assert strikes(snapshot) == [0, 1]
    assert (snapshot.turn, snapshot.due_at) == (2, int(watch()) + DAY)


async def test_the_clock_moves_for_all_late_players_at_once(three, late):
    snapshot = (await late(three)).public()

    deal = dealt(3)
    moves = {seat: fallback(deal, seat) for seat in (A, B, C)}
    assert (snapshot.late, strikes(snapshot)) == ((A, B, C), [1, 1, 1])
    assert snapshot.view == PICO.observe(played(deal, 0, moves), None)


async def test_a_choice_in_time_removes_the_strike(matches, match, late):
    await matches.submit(match, 0, ANN, card(DEAL, A))
    state = (await late(match)).snapshot_of(BEA)

    effect = await matches.submit(match, 1, BEA, str(state.legal[0]))

    assert strikes(effect.public()) == [0, 0]
    snapshot = (await late(match)).public()
    assert (snapshot.status, snapshot.late, strikes(snapshot)) == ("running", (A,), [1, 0])


async def test_late_players_are_shown_only_until_the_next_step(matches, match, late):
    await matches.submit(match, 0, ANN, card(DEAL, A))
    effect = await late(match)
    for user in (ANN, BEA):
        last = await matches.submit(match, 1, user, str(effect.snapshot_of(user).legal[0]))

    assert last.public().late == ()


async def test_late_players_are_shown_even_if_forced_moves_followed(
    matches, storage, late, pointing
):
    """Two players can only point at each other, and both have forced moves played automatically."""
    async with storage.transaction() as writing:
        for user in (ANN, BEA):
            await writing.people.put_preferences(user, PreferencesRecord(forced=True))
    match = await begun(matches, game="pointing", options=pointing.presets["long"])

    snapshot = (await late(match)).public()

    assert (snapshot.status, snapshot.step, snapshot.late) == ("over", 3, (A, B))


async def test_a_result_counts_at_once_if_a_forfeit_completed_the_last_step(
    matches, late, reopenings, pointing, database
):
    """Everybody has seen the choices of that step, so it can't be repeated."""
    options = pointing.presets["long"]
    match = await begun(matches, BEA, CYD, game="pointing", options=options)
    await choose(matches, match, ANN, BEA, CYD)
    await choose(matches, match, ANN, BEA)
    await late(match)
    await choose(matches, match, ANN, BEA)

    over = (await late(match)).public()

    assert (over.status, over.step, over.counts_at) == ("over", 3, None)
    assert [info.left_why for info in over.seats] == [None, None, "time"]
    assert ask(database, "SELECT user FROM results ORDER BY seat") == [(ANN,), (BEA,), (CYD,)]
    assert (await refusal(reopenings.want(match, CYD)))[0] is TooLateError


# The turn of one seat.


async def test_missing_the_deadline_of_a_turn_is_one_strike(matches, late):
    """Time runs out after a play that keeps the seat on turn; the clock discards for it."""
    match = await begun(matches, game="spite", options=Options())
    deal = dealt(game=SPITE)
    seat = deal.on_turn
    user = (ANN, BEA)[seat]
    play = next(m for m in SPITE.legal_moves(deal, seat) if m.kind == "play")
    effect = await matches.submit(match, 0, user, str(play))
    assert effect.turn_continues

    snapshot = (await late(match)).public()

    assert (snapshot.turn, snapshot.late) == (2, (seat,))
    assert snapshot.awaiting == {1 - seat}
    assert strikes(snapshot)[seat] == 1


async def test_the_clock_plays_until_the_turn_is_over(matches, late, monkeypatch, database):
    """After a fallback that keeps the seat on turn another follows, and it's still one strike."""
    plays = type(SPITE).fallback

    def play_first(game, state, seat, chance):
        legal = game.legal_moves(state, seat)
        playing = [m for m in legal if m.kind == "play"]
        return playing[0] if playing else plays(game, state, seat, chance)

    monkeypatch.setattr(type(SPITE), "fallback", play_first)
    match = await begun(matches, game="spite", options=Options())
    seat = dealt(game=SPITE).on_turn

    snapshot = (await late(match)).public()

    made = ask(database, "SELECT seat, how FROM moves ORDER BY step")
    assert len(made) > 1
    assert set(made) == {(seat, "time")}
    assert (snapshot.turn, snapshot.awaiting, strikes(snapshot)[seat]) == (2, {1 - seat}, 1)


# Races.


async def test_the_clock_acts_once_however_often_it_is_asked(match, timeouts, watch):
    watch.advance(DAY)

    effects = await asyncio.gather(*(timeouts.act(match) for _ in range(5)))

    acted = [effect.public() for effect in effects if effect is not None]
    assert [(snapshot.step, strikes(snapshot)) for snapshot in acted] == [(1, [1, 1])]


async def in_this_order(*acts):
    """Run all acts concurrently; each queues for the database before the next one starts."""
    tasks = []
    for act in acts:
        tasks.append(asyncio.create_task(act))
        for _ in ("the act", "its batch"):
            await asyncio.sleep(0)
    return await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize("first", ["the choice", "the clock"])
async def test_a_choice_at_the_deadline_is_played_or_refused(
    matches, match, timeouts, watch, first
):
    """The first transaction decides, and the other one sees its result."""
    await matches.submit(match, 0, ANN, card(DEAL, A))
    watch.advance(DAY)
    choice = matches.submit(match, 0, BEA, card(DEAL, B))
    acts = [choice, timeouts.act(match)]

    results = await in_this_order(*(acts if first == "the choice" else reversed(acts)))

    snapshot = await matches.public(match)
    mine = {A: PICO.parse(card(DEAL, A)), B: PICO.parse(card(DEAL, B))}
    clock_s = {**mine, B: fallback(DEAL, B)}
    made, kind, late = (
        (mine, type(None), ()) if first == "the choice" else (clock_s, TooLateError, (B,))
    )
    assert isinstance(results[1], kind)
    assert (snapshot.step, snapshot.late) == (1, late)
    assert snapshot.view == PICO.observe(played(DEAL, 0, made), None)


@pytest.mark.sqlite  # whose write lock is first come, first served
async def test_choices_race_with_the_clock_one_by_one(matches, three, timeouts, watch):
    """The clock moves for each late player whose own choice didn't come first."""
    watch.advance(DAY)

    chosen, acted, refused = await in_this_order(
        matches.submit(three, 0, ANN, card(dealt(3), A)),
        timeouts.act(three),
        matches.submit(three, 0, BEA, card(dealt(3), B)),
    )

    assert chosen.public().step == 0
    assert acted.public().late == (B, C)
    assert isinstance(refused, TooLateError)


@pytest.mark.sqlite
async def test_batched_choices_after_the_clock_are_all_refused(matches, three, timeouts, watch):
    """The statement for batched choices checks that the step is still the same."""
    await matches.snapshots(three)  # caches the position, so choices are batched
    watch.advance(DAY)

    acted, *refused = await asyncio.gather(
        timeouts.act(three),
        *(matches.submit(three, 0, user, card(dealt(3), s)) for user, s in ((ANN, A), (BEA, B))),
        return_exceptions=True,
    )

    assert acted.public().late == (A, B, C)
    assert [type(error) for error in refused] == [TooLateError, TooLateError]


async def test_a_history_shows_a_held_result_at_the_time_it_counted(
    over, match, late, watch, storage
):
    """A history is in the order in which results counted, so its times are too."""
    before = int(watch())
    await late(match, 7 * DAY)

    async with storage.reading() as reading:
        (line,) = (await reading.match_histories.page(ANN, None, None, None, 1)).lines
    assert (line.match.id, line.ended_at) == (match, before + 7 * DAY)
