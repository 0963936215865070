"""Offers among players: to agree on a draw, to call off, to pause or to take back."""

import pytest

from bot.errors import ButtonError, MatchError, NotSeatedError, TooLateError
from bot.matches.agreements import offer_of
from bot.rendering.agreements import offer_confirmation
from bot.storage.people import PreferencesRecord
from games.prize import PRIZE
from tests.support.clock import HOUR, MINUTE
from tests.support.match_records import ask
from tests.support.matches import (
    ANN,
    BEA,
    CYD,
    DAN,
    SEED,
    WITH_COMPUTER,
    A,
    B,
    begun,
    dealt,
    refusal,
)
from tests.support.prize_states import forcing_opening


def agreed(snapshot):
    return [info.agrees for info in snapshot.seats]


async def play(matches, match, step=0, *users):
    """Let these users, or both, play their lowest card of Pico; returns the last effect."""
    for user in users or (ANN, BEA):
        snapshot = await matches.snapshot(match, user)
        effect = await matches.submit(match, step, user, str(snapshot.legal[0]))
    return effect


async def test_a_draw_needs_everybody_still_playing(matches, agreements, database):
    match = await begun(matches, BEA, CYD)

    first = await agreements.offer(match, ANN, "draw")
    second = await agreements.accept(match, CYD, "draw")
    last = await agreements.accept(match, BEA, "draw")

    assert [effect.public().status for effect in (first, second, last)] == [
        "running",
        "running",
        "over",
    ]
    assert [effect.resolved for effect in (first, second, last)] == [False, False, True]
    assert agreed(second.public()) == ["draw", None, "draw"]
    snapshot = last.public()
    assert (snapshot.ending, snapshot.outcome.ranks, snapshot.seed) == ("draw", (1, 1, 1), SEED)
    assert agreed(snapshot) == [None, None, None]
    assert ask(database, "SELECT won, drawn, lost FROM results") == [(0, 1, 0)] * 3


async def test_a_player_who_left_before_the_draw_has_lost(matches, agreements, database):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, BEA)

    await agreements.offer(match, ANN, "draw")
    effect = await agreements.accept(match, CYD, "draw")

    assert effect.public().outcome.ranks == (1, 3, 1)
    assert ask(database, "SELECT user, drawn, lost FROM results ORDER BY seat") == [
        (ANN, 1, 0),
        (BEA, 0, 1),
        (CYD, 1, 0),
    ]


async def test_a_match_that_is_called_off_has_no_result(matches, agreements, database):
    match = await begun(matches)

    await agreements.offer(match, BEA, "call_off")
    effect = await agreements.accept(match, ANN, "call_off")

    snapshot = effect.public()
    assert (snapshot.status, snapshot.ending, snapshot.outcome, snapshot.seed) == (
        "closed",
        "call_off",
        None,
        SEED,
    )
    assert ask(database, "SELECT * FROM results") == []
    assert ask(database, "SELECT due_at FROM matches") == [(None,)]


async def test_offering_what_is_already_offered_accepts_it(matches, agreements):
    match = await begun(matches)
    await agreements.offer(match, ANN, "draw")

    effect = await agreements.offer(match, BEA, "draw")

    assert (effect.resolved, effect.public().status) == (True, "over")


async def test_different_offers_are_not_an_agreement(matches, agreements):
    match = await begun(matches)
    await agreements.offer(match, ANN, "draw")

    effect = await agreements.offer(match, BEA, "call_off")

    assert effect.public().status == "running"
    assert agreed(effect.public()) == ["draw", "call_off"]
    assert not effect.replaces


async def test_a_players_next_offer_replaces_their_last_and_says_so(matches, agreements):
    match = await begun(matches)
    first = await agreements.offer(match, ANN, "draw")

    second = await agreements.offer(match, ANN, "call_off")

    assert agreed(second.public()) == ["call_off", None]
    assert (first.replaces, second.replaces) == (False, True)
    assert offer_confirmation("call_off", replaces=True) == (
        "You offered to call the match off. The offer stands until another player declines it, "
        "moves or leaves, or you agree to another offer. It replaces what you offered or agreed "
        "to before."
    )
    assert (await refusal(agreements.accept(match, BEA, "draw")))[0] is TooLateError


def test_an_offer_to_take_back_a_step_says_that_every_move_ends_it():
    assert offer_confirmation("take_back", replaces=False) == (
        "You offered to take back the last step. The offer stands until another player declines "
        "it or leaves, anyone moves, or you agree to another offer."
    )


async def test_declining_ends_the_offer_and_names_the_player_who_declined(matches, agreements):
    match = await begun(matches)
    await agreements.offer(match, ANN, "draw")

    effect = await agreements.decline(match, BEA, "draw")

    assert agreed(effect.public()) == [None, "declined"]
    assert await refusal(agreements.accept(match, BEA, "draw")) == (
        TooLateError,
        (
            "That offer has expired: it was answered or replaced, or "
            "someone moved or left. To make one yourself, press **Menu**."
        ),
    )
    assert await refusal(agreements.decline(match, ANN, "draw")) == (
        TooLateError,
        (
            "That offer has expired: it was answered or replaced, or "
            "someone moved or left. To make one yourself, press **Menu**."
        ),
    )


@pytest.mark.parametrize("user", [ANN, BEA, CYD])
async def test_the_next_offer_removes_who_declined_the_last(matches, agreements, user):
    """Otherwise the table would say that they had declined the new offer."""
    match = await begun(matches, BEA, CYD)
    await agreements.offer(match, ANN, "draw")
    await agreements.decline(match, BEA, "draw")

    effect = await agreements.offer(match, user, "call_off")

    agreeing = [info.user for info in effect.public().seats if info.agrees is not None]
    assert agreeing == [user]
    assert not effect.replaces


async def test_computers_agree_to_whatever_is_offered(matches, agreements):
    match = await begun(matches, BEA, **WITH_COMPUTER)

    effect = await agreements.offer(match, ANN, "call_off")

    assert agreed(effect.public()) == ["call_off", None, "call_off"]


async def test_an_offer_can_be_withdrawn(matches, agreements):
    match = await begun(matches)
    await agreements.offer(match, ANN, "draw")

    effect = await agreements.decline(match, ANN, "draw")

    assert agreed(effect.public()) == [None, None]


@pytest.mark.parametrize(
    ("user", "what", "left"),
    [
        (ANN, "draw", [None, "pause"]),
        (BEA, "draw", [None, "pause"]),
        (ANN, "pause", ["draw", None]),
    ],
    ids=["the own", "the first", "the second"],
)
async def test_declining_one_offer_keeps_the_other(matches, agreements, user, what, left):
    match = await begun(matches)
    await agreements.offer(match, ANN, "draw")
    await agreements.offer(match, BEA, "pause")

    effect = await agreements.decline(match, user, what)

    assert agreed(effect.public()) == left


async def test_an_offer_expires_when_the_step_is_resolved(matches, agreements):
    match = await begun(matches)
    await agreements.offer(match, ANN, "draw")
    await matches.submit(match, 0, ANN, str(dealt().hands[A][0]))
    assert agreed(await matches.public(match)) == ["draw", None]

    effect = await matches.submit(match, 0, BEA, str(dealt().hands[B][0]))

    assert agreed(effect.public()) == [None, None]


async def test_an_offer_stays_while_only_the_player_who_made_it_moves(matches, agreements):
    """In a game of turns, the opponent hasn't had a chance to answer yet."""
    match = await begun(matches, game="prize", options=PRIZE.presets["standard"])
    snapshot = await matches.public(match)
    (mover,) = (snapshot.seats[seat].user for seat in snapshot.awaiting)
    other = {ANN: BEA, BEA: ANN}[mover]
    await agreements.offer(match, mover, "draw")

    legal = (await matches.snapshot(match, mover)).legal
    played = await matches.submit(match, 0, mover, str(legal[0]))
    assert sorted(map(str, agreed(played.public()))) == ["None", "draw"]

    step = played.public().step
    legal = (await matches.snapshot(match, other)).legal
    answered = await matches.submit(match, step, other, str(legal[0]))
    assert agreed(answered.public()) == [None, None]


async def test_a_move_ends_the_offers_of_others_but_not_the_movers_own(matches, agreements):
    match = await begun(matches, game="prize", options=PRIZE.presets["standard"])
    (seat,) = (await matches.public(match)).awaiting
    mover, other = (ANN, BEA) if seat == A else (BEA, ANN)
    await agreements.offer(match, mover, "draw")
    await agreements.offer(match, other, "pause")

    legal = (await matches.snapshot(match, mover)).legal
    effect = await matches.submit(match, 0, mover, str(legal[0]))

    assert {info.user: info.agrees for info in effect.public().seats} == {
        mover: "draw",
        other: None,
    }
    assert agreed(await matches.public(match)) == agreed(effect.public())


async def test_an_offer_stays_while_forced_moves_are_played(matches, agreements, storage):
    """The opponent hasn't had a chance to answer: their only move is played automatically."""
    match = await begun(matches, game="prize", options=PRIZE.presets["standard"])
    seat, move = forcing_opening()
    mover, other = (ANN, BEA) if seat == A else (BEA, ANN)
    async with storage.transaction() as writing:
        await writing.people.put_preferences(other, PreferencesRecord(forced=True))
    await agreements.offer(match, mover, "draw")

    effect = await matches.submit(match, 0, mover, str(move))

    assert effect.public().step > 1
    assert agreed(effect.public())[seat] == "draw"
    assert (await agreements.accept(match, other, "draw")).public().ending == "draw"


async def test_an_offer_expires_when_somebody_leaves(matches, agreements):
    match = await begun(matches, BEA, CYD)
    await agreements.offer(match, ANN, "draw")

    effect = await matches.concede(match, BEA)

    assert agreed(effect.public()) == [None, None, None]
    assert effect.public().status == "running"


async def test_an_offer_ends_when_its_player_accepts_another(matches, agreements):
    match = await begun(matches, BEA, CYD)
    await agreements.offer(match, ANN, "draw")
    await agreements.offer(match, BEA, "pause")

    assert agreed((await agreements.accept(match, ANN, "pause")).public())[A] == "pause"


async def test_an_offer_can_be_repeated_after_three_steps_or_ten_minutes(
    matches, agreements, watch
):
    match = await begun(matches)
    await agreements.offer(match, ANN, "draw")
    await agreements.decline(match, BEA, "draw")
    again = "You can offer that again after"
    assert await refusal(agreements.offer(match, ANN, "draw")) == (
        MatchError,
        f"You recently offered a draw. {again} 3 more moves, or in 10 minutes.",
    )
    assert agreed((await agreements.offer(match, ANN, "call_off")).public())[0] == "call_off"

    await play(matches, match, 0)
    await play(matches, match, 1)
    watch.advance(6 * MINUTE)
    assert await refusal(agreements.offer(match, ANN, "draw")) == (
        MatchError,
        f"You recently offered a draw. {again} 1 more move, or in 4 minutes.",
    )
    await play(matches, match, 2)
    assert agreed((await agreements.offer(match, ANN, "draw")).public()) == ["draw", None]

    await play(matches, match, 3)
    watch.advance(10 * MINUTE)
    assert agreed((await agreements.offer(match, ANN, "draw")).public()) == ["draw", None]
    await agreements.decline(match, BEA, "draw")
    watch.advance(-HOUR)  # as if the machine's clock had been corrected
    assert agreed((await agreements.offer(match, ANN, "draw")).public()) == ["draw", None]


async def test_a_player_who_accepted_an_offer_can_make_their_own_at_once(matches, agreements):
    """Even if they agreed by offering the same, because the first offer wasn't theirs."""
    match = await begun(matches, BEA, CYD)
    await agreements.offer(match, ANN, "draw")
    await agreements.offer(match, BEA, "draw")
    await agreements.decline(match, CYD, "draw")

    effect = await agreements.offer(match, BEA, "draw")

    assert agreed(effect.public())[B] == "draw"


async def test_the_others_are_notified_of_an_offer_once(matches, agreements, database):
    """Agreeing sends no notice, not even to the player who offered; the table shows it."""
    match = await begun(matches, BEA, CYD)
    offers = "SELECT user, actor FROM notices WHERE event = 'offered' ORDER BY user"

    await agreements.offer(match, ANN, "draw")
    told = ask(database, offers)
    await agreements.accept(match, CYD, "draw")

    assert told == [(BEA, ANN), (CYD, ANN)]
    assert ask(database, offers) == told


@pytest.mark.parametrize("act", ["offer", "accept", "decline"])
async def test_only_players_still_in_the_match_can_offer_and_answer(matches, agreements, act):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, CYD)
    await agreements.offer(match, ANN, "draw")

    assert await refusal(getattr(agreements, act)(match, DAN, "draw")) == (
        NotSeatedError,
        "You're not playing in this match. Only its players can decide this.",
    )
    assert await refusal(getattr(agreements, act)(match, CYD, "draw")) == (
        NotSeatedError,
        "You resigned. You can follow the match at its table.",
    )


async def test_accepting_twice_or_what_was_not_offered_is_refused(matches, agreements):
    match = await begun(matches)
    assert (await refusal(agreements.accept(match, ANN, "draw")))[0] is TooLateError
    await agreements.offer(match, ANN, "draw")

    assert await refusal(agreements.offer(match, ANN, "draw")) == (
        MatchError,
        "You've already offered that. Wait for an answer.",
    )
    assert await refusal(agreements.accept(match, ANN, "draw")) == (
        MatchError,
        "You've already agreed. Wait for an answer.",
    )


async def test_nothing_is_offered_after_the_end(matches, agreements):
    match = await begun(matches)
    await matches.concede(match, ANN)

    assert await refusal(agreements.offer(match, BEA, "draw")) == (
        TooLateError,
        "That match is over.",
    )


def test_a_forged_offer_is_refused():
    assert offer_of("call_off") == "call_off"
    with pytest.raises(ButtonError, match="I don't know that offer"):
        offer_of("rematch")
