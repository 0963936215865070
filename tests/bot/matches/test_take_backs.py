"""Take-backs: undoing the last step if everybody agrees and it revealed nothing hidden."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest

from bot.errors import MatchError, NotAllowedHereError, TooLateError
from bot.matches.agreements import Agreements
from bot.matches.loaded import load_match
from bot.matches.rematches import Rematches
from bot.matches.replays import CHANGED
from bot.matches.take_backs import Previous, take_back
from bot.matches.verification import verify
from bot.storage.guilds import GuildRecord
from games.chance import Chance
from games.spite import SPITE
from tests.support.busy import Busy
from tests.support.clock import DAY, HOUR
from tests.support.match_records import ask, execute
from tests.support.matches import (
    ANN,
    BEA,
    CYD,
    GUILD,
    NOW,
    RETURNS,
    SEED,
    A,
    B,
    begun,
    choose,
    dealt,
    refusal,
)

pytestmark = pytest.mark.slow  # plays Spite and Malice until a step reveals nothing

BOTH = (ANN, BEA)
SHOWN = "The last step showed something that was hidden, so it can't be taken back. Play on."


@pytest.fixture
async def spite(matches):
    """A new match of Spite and Malice between Ann and Bea."""
    return await begun(matches, game="spite", options=SPITE.presets["quick"])


async def step(matches, match, chance):
    """Play a random move for the awaited seat; returns that seat."""
    public = await matches.public(match)
    (seat,) = public.awaiting
    hand = await matches.snapshot(match, BOTH[seat])
    await matches.submit(match, public.step, BOTH[seat], str(chance.pick(hand.legal)))
    return seat


async def play_until_offer(matches, agreements, match):
    """Play random moves until one can be taken back, and offer that.

    Returns the public snapshot before that move, the user who offers and the one who is asked.
    """
    chance = Chance("players", 1)
    for _ in range(400):
        before = await matches.public(match)
        seat = await step(matches, match, chance)
        if not (await matches.public(match)).awaiting:
            break
        with suppress(MatchError):
            await agreements.offer(match, BOTH[seat], "take_back")
            return before, BOTH[seat], BOTH[1 - seat]
    raise AssertionError("no step of this match can be taken back")


async def test_reserve_used_before_a_take_back_stays_used(matches, agreements, watch):
    match = await begun(
        matches, game="spite", options=SPITE.presets["quick"], time_control="slow_reserve"
    )
    _, _, asked = await play_until_offer(matches, agreements, match)
    (owing,) = (await matches.public(match)).awaiting
    watch.advance(DAY + 5 * HOUR)

    back = (await agreements.accept(match, asked, "take_back")).public()

    assert [info.reserve for info in back.seats] == [
        3 * DAY - (5 * HOUR if seat == owing else 0) for seat in (A, B)
    ]


async def test_a_match_is_replayed_only_for_its_players_and_one_at_a_time(
    matches, spite, storage, watch
):
    """Everybody's replays and exports wait for the same worker process."""
    busy = Busy()
    agreements = Agreements(storage, busy, now=watch, returns=RETURNS)
    await step(matches, spite, Chance("players", 1))
    stranger = await refusal(agreements.offer(spite, CYD, "take_back"))
    asked_for_strangers = busy.most

    await asyncio.gather(
        *(agreements.offer(spite, ANN, "take_back") for _ in range(10)), return_exceptions=True
    )

    assert stranger[1] == "You're not playing in this match. Only its players can decide this."
    assert (asked_for_strangers, busy.most) == (0, 1)


async def test_the_match_returns_to_the_earlier_position_and_keeps_its_rated_flag(
    matches, spite, agreements, watch, database
):
    before, _, asked = await play_until_offer(matches, agreements, spite)
    watch.advance(HOUR)

    back = (await agreements.accept(spite, asked, "take_back")).public()

    assert (back.step, back.view, back.awaiting) == (before.step, before.view, before.awaiting)
    assert (back.rated, back.taken_back, back.remark) == (True, True, "taken_back")
    assert (back.deadline, back.chosen) == (int(watch()) + DAY, frozenset())
    assert [info.agrees for info in back.seats] == [None, None]
    assert ask(database, "SELECT max(step) FROM moves") == [(before.step - 1,)]


async def test_after_a_take_back_another_move_can_be_made_and_the_export_is_genuine(
    matches, spite, agreements, archive, database
):
    _, _, asked = await play_until_offer(matches, agreements, spite)
    await agreements.accept(spite, asked, "take_back")
    chance = Chance("players", 2)
    for _ in range(10):
        await step(matches, spite, chance)
    await matches.concede(spite, ANN)

    files = await archive.export(spite, user=ANN, guild=GUILD, title=str)

    assert verify(files.json.encode()).is_true
    assert ask(database, "SELECT rated, after FROM results") == [(0, None)] * 2


async def test_a_rematch_is_rated_as_before_the_take_back(
    matches, spite, agreements, storage, watch
):
    _, _, asked = await play_until_offer(matches, agreements, spite)
    await agreements.accept(spite, asked, "take_back")
    await matches.concede(spite, ANN)
    rematches = Rematches(storage, seed=lambda: SEED, now=watch, returns=RETURNS)

    await rematches.want(spite, ANN, 501)
    rematch = (await rematches.want(spite, BEA, 502)).new.public()

    assert (rematch.rated, rematch.taken_back) == (True, False)


async def test_a_choice_after_a_take_back_is_checked_against_the_new_position(
    matches, spite, agreements
):
    """The remembered match has the same step number but another state."""
    before, _, asked = await play_until_offer(matches, agreements, spite)
    await matches.snapshots(spite)
    await agreements.accept(spite, asked, "take_back")

    assert (await refusal(matches.submit(spite, before.step + 1, asked, "x")))[0] is TooLateError
    await step(matches, spite, Chance("players", 3))
    assert (await matches.public(spite)).step == before.step + 1


def without_offers(snapshot):
    """Return the snapshot without any offers."""
    return replace(snapshot, seats=tuple(replace(p, agrees=None) for p in snapshot.seats))


async def test_a_table_that_missed_a_take_back_is_recognized_as_outdated(matches, agreements):
    """Without a clock nothing else tells them apart, because the step number is the same."""
    options = SPITE.presets["quick"]
    match = await begun(matches, game="spite", options=options, time_control="none")
    before, _, asked = await play_until_offer(matches, agreements, match)
    shown = [without_offers(found) for found in await matches.snapshots(match)]
    await agreements.accept(match, asked, "take_back")

    (seat,) = before.awaiting
    hand = await matches.snapshot(match, BOTH[seat])
    await matches.submit(match, before.step, BOTH[seat], str(hand.legal[-1]))
    now = await matches.snapshots(match)

    assert now[0].step == shown[0].step
    assert not {found.key for found in now} & {found.key for found in shown}


async def test_a_step_of_secret_choices_cannot_be_taken_back(matches, match, agreements):
    for user in BOTH:
        hand = await matches.snapshot(match, user)
        await matches.submit(match, 0, user, str(hand.legal[0]))

    assert await refusal(agreements.offer(match, ANN, "take_back")) == (MatchError, SHOWN)


async def test_a_match_whose_moves_no_longer_reproduce_it_has_no_take_back(
    matches, match, agreements, storage
):
    """For example after a change of the rules."""
    await choose(matches, match, *BOTH)
    another = dealt().hands[0][1]
    await execute(storage, f"UPDATE moves SET move = '{another}' WHERE seat = 0")  # noqa: S608 - a card

    assert await refusal(agreements.offer(match, ANN, "take_back")) == (MatchError, CHANGED)


async def test_there_is_no_take_back_before_the_first_step(match, agreements):
    assert await refusal(agreements.offer(match, ANN, "take_back")) == (
        MatchError,
        "Nothing has been played yet, so there is nothing to take back. Make your move.",
    )


async def test_there_is_no_take_back_after_somebody_left(matches, agreements):
    three = await begun(matches, BEA, CYD)
    for user in (ANN, BEA, CYD):
        hand = await matches.snapshot(three, user)
        await matches.submit(three, 0, user, str(hand.legal[0]))
    await matches.concede(three, CYD)

    assert await refusal(agreements.offer(three, ANN, "take_back")) == (
        MatchError,
        "Someone left the match after the last step, so it can't be taken back. Play on.",
    )


@pytest.mark.parametrize("meanwhile", ["leaves", "plays on"])
async def test_a_take_back_is_refused_if_the_match_changed_meanwhile(matches, storage, meanwhile):
    three = await begun(matches, BEA, CYD)
    await choose(matches, three, ANN, BEA, CYD)
    before = Previous(step=0, left=0, state=dealt(3))
    if meanwhile == "leaves":
        await matches.concede(three, CYD)
    else:
        await choose(matches, three, ANN, BEA, CYD)
    changed = await matches.public(three)

    async def taken_back():
        async with storage.transaction() as writing:
            found = load_match(await writing.matches.load(three))
            await take_back(writing, found, before, int(NOW))

    assert await refusal(taken_back()) == (
        MatchError,
        "The match went on while I looked that up. Try again.",
    )
    assert await matches.public(three) == changed


async def test_an_offer_to_take_back_ends_with_the_next_step(matches, spite, agreements):
    _, offering, asked = await play_until_offer(matches, agreements, spite)
    await step(matches, spite, Chance("players", 4))

    snapshot = await matches.public(spite)

    assert [info.agrees for info in snapshot.seats] == [None, None]
    assert offering != asked


async def test_a_server_can_turn_take_backs_off(matches, spite, agreements, storage):
    _, _, asked = await play_until_offer(matches, agreements, spite)
    async with storage.transaction() as writing:
        barred = frozenset({"take_back"})
        await writing.guilds.put_settings(GuildRecord(guild=GUILD, time_off_barred=barred))
        await writing.seats.clear_agreements(spite)

    assert (await refusal(agreements.offer(spite, asked, "take_back")))[0] is NotAllowedHereError
