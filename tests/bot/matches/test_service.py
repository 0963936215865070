"""Running matches: choosing, changing a choice, resolving a step, and the result."""

import pytest

from bot.errors import NotSeatedError, TooLateError
from games import IllegalMoveError
from games.chance import Chance
from games.pico import PICO, Card
from tests.support.match_records import ask, record_of
from tests.support.matches import (
    ANN,
    BEA,
    CYD,
    DAN,
    NOW,
    SEED,
    A,
    B,
    C,
    begun,
    dealt,
    opened,
    played,
    refusal,
)

FIRST = dealt()
LOW, HIGH = FIRST.hands[A][0], FIRST.hands[A][-1]
OTHER = FIRST.hands[B][2]


@pytest.fixture
async def match(matches):
    """A match of Pico between Ann and Bea that has just been dealt."""
    return await begun(matches)


async def test_a_choice_stays_hidden_until_the_others_have_chosen(matches, match):
    effect = await matches.submit(match, 0, ANN, str(LOW))

    assert not effect.resolved
    assert effect.public().step == 0
    assert effect.public().chosen == {A}
    assert effect.public().view == PICO.observe(FIRST, None)
    assert effect.snapshot_of(ANN).choice == Card(LOW)
    assert effect.snapshot_of(ANN) == await matches.snapshot(match, ANN)
    assert effect.public() == await matches.snapshot(match, DAN)


async def test_a_choice_is_stored_in_the_notation_of_the_game(matches, match, storage):
    await matches.submit(match, 0, ANN, f"  {LOW} ")

    assert (await record_of(storage, match)).choices == {A: str(LOW)}


async def test_a_choice_can_be_changed_until_the_last_has_chosen(matches, match):
    await matches.submit(match, 0, ANN, str(LOW))

    changed = await matches.submit(match, 0, ANN, str(HIGH))
    assert not changed.resolved
    assert changed.snapshot_of(ANN).choice == Card(HIGH)

    last = await matches.submit(match, 0, BEA, str(OTHER))
    assert last.public().view.last.faces == (HIGH, OTHER)


async def test_the_same_choice_twice_is_one_choice(matches, match):
    first = await matches.submit(match, 0, ANN, str(LOW))
    again = await matches.submit(match, 0, ANN, str(LOW))

    assert again.snapshot_of(ANN) == first.snapshot_of(ANN)
    assert not again.resolved


async def test_the_last_one_to_choose_resolves_the_step(matches, match, storage):
    await matches.submit(match, 0, ANN, str(LOW))

    effect = await matches.submit(match, 0, BEA, str(OTHER))

    after = played(FIRST, 0, {A: Card(LOW), B: Card(OTHER)})
    snapshot = effect.snapshot_of(ANN)
    assert effect.resolved
    assert (snapshot.step, snapshot.view) == (1, PICO.observe(after, A))
    assert (snapshot.chosen, snapshot.choice) == (frozenset(), None)
    assert snapshot.legal == tuple(PICO.legal_moves(after, A))
    assert snapshot == await matches.snapshot(match, ANN)
    assert (await record_of(storage, match)).schema == 1


async def test_each_step_uses_its_own_randomness(matches, pointing):
    match = await begun(matches, game="pointing", options=pointing.presets["long"])

    drawn = []
    for step in range(3):
        await matches.submit(match, step, ANN, "at 1")
        effect = await matches.submit(match, step, BEA, "at 0")
        drawn.append(effect.public().view.drawn)

    assert drawn == [Chance(SEED, step).below(1000) for step in (1, 2, 3)]


@pytest.mark.parametrize(
    ("user", "step", "text", "error", "said"),
    [
        pytest.param(
            DAN,
            0,
            "9",
            NotSeatedError,
            "You're not playing in this match. Start your own with a `play` command.",
            id="a stranger",
        ),
        pytest.param(
            ANN,
            1,
            str(LOW),
            TooLateError,
            "That round is over. What you see now is the current one.",
            id="another step",
        ),
        pytest.param(
            ANN,
            0,
            "nonsense",
            IllegalMoveError,
            "That isn't a card. Write its number, for example 9.",
            id="no move",
        ),
        pytest.param(
            ANN,
            0,
            str(OTHER),
            IllegalMoveError,
            f"You don't have the {OTHER}. Your cards are "
            f"{', '.join(str(face) for face in FIRST.hands[A])}.",
            id="a card not held",
        ),
    ],
)
async def test_a_choice_that_cannot_be_made_is_refused(  # noqa: PLR0917 - a table and fixtures
    matches, match, user, step, text, error, said
):
    await matches.submit(match, 0, ANN, str(HIGH))
    before = await matches.snapshots(match)

    assert await refusal(matches.submit(match, step, user, text)) == (error, said)
    assert await matches.snapshots(match) == before


async def test_a_late_click_is_never_played_in_the_next_round(matches, match):
    await matches.submit(match, 0, ANN, str(LOW))
    await matches.submit(match, 0, BEA, str(OTHER))

    assert await refusal(matches.submit(match, 0, ANN, str(HIGH))) == (
        TooLateError,
        "That round is over. What you see now is the current one.",
    )
    assert (await matches.public(match)).chosen == frozenset()


@pytest.mark.parametrize(
    ("end", "user", "said"),
    [
        pytest.param(
            None,
            ANN,
            "This match hasn't started yet: someone still has to accept. Wait for them.",
            id="open",
        ),
        pytest.param(
            "decline",
            BEA,
            "This match never started: its challenge was declined or withdrawn, or expired.",
            id="declined",
        ),
        pytest.param(
            "withdraw",
            ANN,
            "This match never started: its challenge was declined or withdrawn, or expired.",
            id="withdrawn",
        ),
    ],
)
async def test_acts_on_a_match_that_is_not_running_are_refused(matches, end, user, said):
    match = await opened(matches)
    if end is not None:
        await getattr(matches, end)(match, user)

    for act in (matches.submit(match, 0, ANN, "9"), matches.concede(match, ANN)):
        assert await refusal(act) == (TooLateError, said)
    assert await refusal(matches.sit(match, ANN)) == (TooLateError, said)


async def test_acts_on_a_finished_match_are_refused(matches, match):
    await matches.concede(match, ANN)

    for act in (
        matches.submit(match, 0, BEA, "9"),
        matches.concede(match, BEA),
        matches.sit(match, BEA),
    ):
        assert await refusal(act) == (TooLateError, "That match is over.")


async def test_only_players_can_open_a_hand(matches, match):
    assert (await matches.sit(match, BEA)).seat == B
    assert await refusal(matches.sit(match, DAN)) == (
        NotSeatedError,
        "You're not playing in this match. The table shows everything that's public.",
    )


async def test_a_whole_match_ends_as_its_rules_say(matches, match, database):
    """The lowest card against the highest in every step, compared with the rules themselves."""
    state, step = FIRST, 0
    while PICO.awaiting(state):
        moves = {A: PICO.legal_moves(state, A)[0], B: PICO.legal_moves(state, B)[-1]}
        await matches.submit(match, step, ANN, str(moves[A]))
        effect = await matches.submit(match, step, BEA, str(moves[B]))
        state, step = played(state, step, moves), step + 1
        assert effect.public().view == PICO.observe(state, None)

    snapshot, outcome = effect.public(), PICO.outcome(state)
    assert effect.resolved
    assert (snapshot.status, snapshot.step, snapshot.outcome) == ("over", step, outcome)
    assert (snapshot.awaiting, snapshot.chosen) == (frozenset(), frozenset())
    assert ask(database, "SELECT ended_at FROM matches") == [(int(NOW),)]
    assert ask(database, "SELECT rank FROM results ORDER BY seat") == [
        (rank,) for rank in outcome.ranks
    ]
    assert ask(database, "SELECT count(*) FROM moves") == [(2 * step,)]


WON, DRAWN, LOST = (1, 0, 0), (0, 1, 0), (0, 0, 1)


@pytest.mark.parametrize(
    ("pointed", "ranks", "results"),
    [
        pytest.param((1, 0), (1, 1), (DRAWN, DRAWN), id="two are equal"),
        pytest.param((1, 0, 0), (1, 2, 3), (WON, LOST, LOST), id="one of three is first"),
        pytest.param((1, 2, 0), (1, 1, 1), (DRAWN, DRAWN, DRAWN), id="three are equal"),
        pytest.param(
            (1, 0, 0, 1), (1, 1, 3, 3), (DRAWN, DRAWN, LOST, LOST), id="two of four are first"
        ),
        pytest.param(
            (1, 0, 0, 0), (1, 2, 3, 3), (WON, LOST, LOST, LOST), id="a later place is shared"
        ),
    ],
)
async def test_sole_first_place_wins_shared_first_draws_and_the_rest_lose(
    matches, pointing, database, pointed, ranks, results
):
    users = (ANN, BEA, CYD, DAN)[: len(pointed)]
    match = await begun(matches, *users[1:], game="pointing", options=pointing.presets["standard"])
    for user, at in zip(users, pointed, strict=True):
        effect = await matches.submit(match, 0, user, f"at {at}")

    scores = tuple(pointed.count(i) for i in range(len(pointed)))
    assert effect.public().outcome.ranks == ranks
    assert ask(database, "SELECT user, rank, score FROM results ORDER BY seat") == list(
        zip(users, ranks, scores, strict=True)
    )
    assert ask(database, "SELECT won, drawn, lost FROM results ORDER BY seat") == list(results)


async def test_a_step_of_three_seats_resolves_with_the_last_choice(matches):
    match = await begun(matches, BEA, CYD)
    first = dealt(3)
    moves = {seat: PICO.legal_moves(first, seat)[-1] for seat in (A, B, C)}

    effects = [
        await matches.submit(match, 0, user, str(moves[seat]))
        for user, seat in ((CYD, C), (ANN, A), (BEA, B))
    ]

    assert [effect.resolved for effect in effects] == [False, False, True]
    assert [effect.public().chosen for effect in effects] == [{C}, {A, C}, frozenset()]
    assert effects[-1].public().view == PICO.observe(played(first, 0, moves), None)


async def test_there_is_a_snapshot_for_the_table_and_for_every_seat(matches, match):
    snapshots = await matches.snapshots(match)

    assert [hand.seat for hand in snapshots[1:]] == [A, B]
    assert snapshots[1:] == (await matches.snapshot(match, ANN), await matches.snapshot(match, BEA))
    assert snapshots[0] == await matches.public(match)


async def test_concurrent_matches_do_not_affect_each_other(matches, match):
    other = await begun(matches, CYD, interaction=100)
    await matches.submit(match, 0, ANN, str(LOW))

    assert (await matches.public(other)).chosen == frozenset()
    assert (await matches.submit(other, 0, CYD, str(OTHER))).snapshot_of(CYD).choice == Card(OTHER)
