"""Somebody leaves a running match for good."""

import pytest

from bot.errors import NotSeatedError
from games.chance import Chance
from games.pico import PICO, Card
from tests.support.clock import HOUR
from tests.support.match_records import ask, change, record_of
from tests.support.matches import ANN, BEA, CYD, DAN, SEED, A, B, C, begun, dealt, played, refusal

THREE = dealt(3)
CARDS = tuple(hand[0] for hand in THREE.hands)


@pytest.fixture
async def three(matches):
    """A match of Pico between Ann, Bea and Cyd that has just been dealt."""
    return await begun(matches, BEA, CYD)


@pytest.fixture
def begin(matches, pointing):
    """Begins a match of the tests' own game with Ann, Bea and others."""

    async def with_others(*others):
        return await begun(
            matches, BEA, *others, game="pointing", options=pointing.presets["standard"]
        )

    return with_others


async def test_when_one_of_two_leaves_the_other_wins(matches, database):
    match = await begun(matches)
    await matches.submit(match, 0, BEA, str(dealt().hands[B][0]))

    effect = await matches.concede(match, ANN)

    snapshot = effect.public()
    assert effect.resolved
    assert (snapshot.status, snapshot.step, snapshot.outcome.ranks) == ("over", 0, (2, 1))
    assert [info.left for info in snapshot.seats] == [True, False]
    assert (snapshot.awaiting, snapshot.chosen) == (frozenset(), frozenset())
    assert ask(database, "SELECT user, won, drawn, lost FROM results ORDER BY seat") == [
        (ANN, 0, 0, 1),
        (BEA, 1, 0, 0),
    ]


async def test_the_choices_of_the_others_are_kept(matches, three):
    await matches.submit(three, 0, ANN, str(CARDS[A]))

    effect = await matches.concede(three, CYD)

    snapshot = effect.snapshot_of(ANN)
    assert effect.resolved
    assert (snapshot.status, snapshot.step, snapshot.choice) == ("running", 0, Card(CARDS[A]))
    assert (snapshot.awaiting, snapshot.chosen) == ({A, B}, {A})
    assert [info.left for info in snapshot.seats] == [False, False, True]
    assert snapshot == await matches.snapshot(three, ANN)


async def test_the_others_get_no_more_time_when_somebody_leaves(matches, three, watch):
    before = await matches.public(three)
    watch.advance(HOUR)

    after = (await matches.concede(three, CYD)).public()

    assert (after.turn, after.deadline) == (before.turn, before.deadline)


async def test_the_choice_of_the_player_who_leaves_is_deleted(matches, three, database):
    await matches.submit(three, 0, CYD, str(CARDS[C]))

    effect = await matches.concede(three, CYD)

    assert effect.public().chosen == frozenset()
    assert ask(database, "SELECT * FROM moves") == []


async def test_the_step_resolves_when_nobody_else_owes_a_move(matches, three):
    await matches.submit(three, 0, ANN, str(CARDS[A]))
    await matches.submit(three, 0, BEA, str(CARDS[B]))

    effect = await matches.concede(three, CYD)

    without = PICO.concede(THREE, C, Chance(SEED, 0))
    after = played(without, 0, {A: Card(CARDS[A]), B: Card(CARDS[B])})
    assert (effect.public().step, effect.public().chosen) == (1, frozenset())
    assert effect.public().view == PICO.observe(after, None)


async def test_a_player_who_left_owes_nothing_and_their_acts_are_refused(matches, three):
    effect = await matches.concede(three, CYD)

    assert effect.snapshot_of(CYD).legal == ()
    card = str(CARDS[C])
    acts = [
        matches.submit(three, 0, CYD, card),
        matches.submit(three, 0, CYD, card, block="2"),  # their own buttons at the table
        matches.submit(three, 0, CYD, card, block="0"),  # another player's buttons at the table
        matches.concede(three, CYD),
        matches.sit(three, CYD),
    ]
    said = "You resigned. You can follow the match at its table."
    assert [await refusal(act) for act in acts] == [(NotSeatedError, said)] * len(acts)


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (
            "UPDATE seats SET left_why = 'time' WHERE seat = 2",
            "You ran out of time and lost your seat. You can watch the match at its table.",
        ),
        (
            "UPDATE seats SET left_why = 'unseated' WHERE seat = 2",
            "A moderator removed you from this match. You can watch it at its table.",
        ),
    ],
)
async def test_a_player_who_did_not_resign_is_told_how_they_left(
    matches, three, database, left, said
):
    await matches.concede(three, CYD)
    change(database, left)

    refused = await refusal(matches.submit(three, 0, CYD, str(CARDS[C]), block="2"))

    assert refused == (NotSeatedError, said)


async def test_a_stranger_cannot_leave(matches, three):
    assert await refusal(matches.concede(three, DAN)) == (
        NotSeatedError,
        "You're not playing in this match, so you can't resign.",
    )
    assert not any(info.left for info in (await matches.public(three)).seats)


async def test_two_of_three_leave_one_by_one_and_the_third_wins(matches, three, storage, database):
    await matches.submit(three, 0, ANN, str(CARDS[A]))
    await matches.concede(three, CYD)

    effect = await matches.concede(three, ANN)

    assert (effect.public().status, effect.public().outcome.ranks) == ("over", (2, 1, 3))
    assert [seat.left for seat in (await record_of(storage, three)).seats] == [2, None, 1]
    assert ask(database, "SELECT seat, left_step FROM seats ORDER BY seat") == [
        (0, 0),
        (1, None),
        (2, 0),
    ]


async def test_a_choice_that_is_no_longer_legal_is_dropped(matches, begin):
    match = await begin(CYD)
    await matches.submit(match, 0, ANN, "at 2")
    before = await matches.public(match)

    effect = await matches.concede(match, CYD)

    assert effect.public().turn == before.turn + 1, "what came in the turn before tells of none"
    assert (effect.public().step, effect.public().chosen) == (0, frozenset())
    assert effect.snapshot_of(ANN).choice is None
    assert await matches.snapshot(match, ANN) == effect.snapshot_of(ANN)


async def test_some_choices_are_dropped_while_others_are_kept(matches, begin):
    match = await begin(CYD, DAN)
    await matches.submit(match, 0, ANN, "at 3")
    await matches.submit(match, 0, BEA, "at 0")
    await matches.submit(match, 0, CYD, "at 3")

    effect = await matches.concede(match, DAN)

    assert effect.public().chosen == {B}
    assert (await matches.submit(match, 0, ANN, "at 1")).resolved is False
    assert (await matches.submit(match, 0, CYD, "at 1")).public().view.pointed == (1, 2, 0, 0)


async def test_a_step_does_not_resolve_with_a_choice_that_was_dropped(matches, begin):
    match = await begin(CYD)
    await matches.submit(match, 0, ANN, "at 2")
    await matches.submit(match, 0, BEA, "at 0")

    effect = await matches.concede(match, CYD)
    assert (effect.public().status, effect.public().chosen) == ("running", {B})

    last = await matches.submit(match, 0, ANN, "at 1")
    assert (last.public().status, last.public().view.pointed) == ("over", (1, 1, 0))


async def test_leaving_uses_none_of_the_randomness_of_the_next_step(matches, begin):
    match = await begin(CYD)
    await matches.submit(match, 0, ANN, "at 1")

    left = await matches.concede(match, CYD)
    last = await matches.submit(match, 0, BEA, "at 0")

    assert left.public().view.drawn == Chance(f"{SEED}:2 leaves", 0).below(1000)
    assert last.public().view.drawn == Chance(SEED, 1).below(1000)
