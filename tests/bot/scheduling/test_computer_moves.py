"""Matches with computers: how they begin, and everything but the computers' choices."""

import pytest

from bot.computers.pool import SynchronousPool
from bot.errors import MatchError, StorageUnavailableError
from bot.matches import Matches
from bot.matches.agreements import Agreements
from bot.matches.nudges import Nudges
from bot.matches.pauses import Pauses
from bot.matches.rematches import Rematches
from games import Seat
from games.conquest import CONQUEST
from games.pico import PICO
from tests.support.broken_files import lost_answers
from tests.support.deadlines import Clock
from tests.support.match_records import ask, record_of
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    GUILD,
    NOW,
    RETURNS,
    SEED,
    A,
    B,
    C,
    opened,
    refusal,
)
from tests.support.opponents import against, play_out, playing, quiet

pytestmark = pytest.mark.usefixtures("lowest")


# Beginning.


async def test_a_match_against_computers_only_begins_at_once_and_is_casual(matches):
    effect = await matches.open(against("strong"))

    snapshot = effect.snapshot_of(ANN)
    assert (snapshot.status, snapshot.seat, snapshot.rated) == ("running", A, False)
    assert [info.computer for info in snapshot.seats] == [None, "strong"]


async def test_a_match_with_a_computer_waits_only_for_invited_people(matches):
    match = await playing(
        matches, "easy", opponents=(BEA,), wanted=3, options=PICO.presets["pico1-three"]
    )
    assert (await matches.public(match)).status == "open"

    effect = await matches.accept(match, BEA)

    assert [info.computer for info in effect.public().seats] == [None, None, "easy"]
    assert effect.public().status == "running"


async def test_the_limit_of_open_challenges_does_not_prevent_playing_a_computer(matches):
    for interaction in range(5):
        await opened(matches, interaction=interaction, opponents=(), wanted=2)

    match = await playing(matches, "easy", interaction=9)

    assert (await matches.public(match)).status == "running"


async def test_an_unknown_level_is_refused_with_a_list_of_the_levels(matches):
    refused = await refusal(matches.open(against("perfect")))

    assert refused[1] == "There's no such computer for Pico. Choose easy, steady or strong."


async def test_more_players_than_seats_are_refused():
    with pytest.raises(MatchError, match=r"that's 3 players for 2 seats\."):
        against("easy", opponents=(BEA,))


async def test_the_challenger_gives_an_open_seat_to_a_computer_and_the_match_begins(matches):
    match = await opened(matches, wanted=2, opponents=(), rated=True)

    effect = await matches.seat_computer(match, ANN, "easy")

    assert effect.public().status == "running"
    assert not effect.public().rated


async def test_only_the_challenger_can_give_a_seat_to_a_computer(matches):
    match = await opened(matches, wanted=2, opponents=())

    _, sentence = await refusal(matches.seat_computer(match, BEA, "easy"))

    assert sentence == "Only the challenger can give an open seat to a computer. Ask them to."


async def test_a_computer_can_be_removed_again(matches):
    match = await opened(matches, wanted=3, opponents=(), options=PICO.presets["pico1-three"])
    await matches.seat_computer(match, ANN, "easy")

    effect = await matches.unseat_computer(match, ANN)

    assert [info.user for info in effect.public().seats] == [ANN]
    assert (await refusal(matches.unseat_computer(match, ANN)))[1] == (
        "There's no computer at this table to remove; its seat is open."
    )


@pytest.mark.parametrize("rated", [True, False])
async def test_a_challenge_whose_computer_was_removed_is_rated_as_requested(matches, rated):
    match = await opened(
        matches, wanted=3, opponents=(), options=PICO.presets["pico1-three"], rated=rated
    )
    for _ in range(2):
        await matches.seat_computer(match, ANN, "easy")
        await matches.unseat_computer(match, ANN)

    for user in (BEA, CYD):
        effect = await matches.join(match, user)

    assert (effect.public().status, effect.public().rated) == ("running", rated)


async def test_a_match_that_begins_with_a_computer_is_casual(matches):
    options = CONQUEST.presets["standard"]
    match = await opened(matches, wanted=4, opponents=(), game="conquest", options=options)
    for level in ("easy", "easy"):
        await matches.seat_computer(match, ANN, level)
    await matches.unseat_computer(match, ANN)
    await matches.join(match, BEA)

    effect = await matches.join(match, CYD)

    assert (effect.public().status, effect.public().rated) == ("running", False)


async def test_an_invitation_whose_computer_was_removed_is_rated(matches):
    match = await playing(
        matches, "easy", opponents=(BEA,), wanted=3, options=PICO.presets["pico1-three"]
    )
    await matches.unseat_computer(match, ANN)
    await matches.accept(match, BEA)

    effect = await matches.join(match, CYD)

    assert (effect.public().status, effect.public().rated) == ("running", True)


# What else happens to a match.


async def test_a_result_with_a_computer_is_marked_and_changes_no_rating(
    matches, computers, storage, database
):
    match = await playing(matches, "easy")

    await play_out(matches, computers, match)

    rows = ask(database, "SELECT user, computer, levels, rated, after FROM results ORDER BY seat")
    assert rows == [(ANN, None, "easy", 0, None), (0, "easy", "easy", 0, None)]
    assert ask(database, "SELECT * FROM ratings") == []


async def test_a_computer_agrees_to_calling_off_but_not_to_a_draw(matches, storage):
    match = await playing(matches)
    agreements = Agreements(storage, SynchronousPool(), now=lambda: NOW, returns=RETURNS)

    refused = await refusal(agreements.offer(match, ANN, "draw"))
    effect = await agreements.offer(match, ANN, "call_off")

    assert refused[1].startswith("Computers don't accept draws")
    assert (effect.public().status, effect.public().ending) == ("closed", "call_off")


async def test_calling_off_still_needs_the_agreement_of_all_people(matches, storage):
    match = await playing(
        matches, "easy", opponents=(BEA,), wanted=3, options=PICO.presets["pico1-three"]
    )
    await matches.accept(match, BEA)
    agreements = Agreements(storage, SynchronousPool(), now=lambda: NOW, returns=RETURNS)

    offered = await agreements.offer(match, ANN, "call_off")
    agreed = await agreements.accept(match, BEA, "call_off")

    assert (offered.public().status, agreed.public().status) == ("running", "closed")


async def test_a_rematch_with_a_computer_begins_at_the_persons_request(matches, computers, storage):
    match = await playing(matches)
    await play_out(matches, computers, match)
    rematches = Rematches(storage, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)

    wanted = await rematches.want(match, ANN, 555)

    snapshot = wanted.new.public()
    assert [(info.user, info.computer) for info in snapshot.seats] == [(0, "easy"), (ANN, None)]
    assert not snapshot.rated


async def test_a_computer_cannot_be_nudged(matches, storage):
    match = await playing(matches)
    await matches.submit(match, 0, ANN, "2")

    refused = await refusal(Nudges(storage, now=lambda: NOW, returns=RETURNS).nudge(match, ANN))

    assert refused[1] == ("The computer is thinking. It will move in a few seconds.")


async def test_a_computer_gets_no_notices(matches, database):
    await playing(matches, time_control="slow")

    assert ask(database, "SELECT user FROM notices") == [(ANN,)]


async def test_a_computer_has_no_hand_message(matches):
    match = await playing(matches)

    _, *hands = await matches.snapshots(match)

    assert [hand.seat for hand in hands] == [A]


async def test_the_clock_moves_for_a_computer_and_never_forfeits_its_seat(matches, storage):
    match = await playing(matches)
    for step in range(2):
        await matches.submit(match, step, ANN, str((await matches.snapshot(match, ANN)).legal[0]))
        due = (await record_of(storage, match)).due_at
        await Clock(storage, now=lambda due=due: due).act(match)

    record = await record_of(storage, match)
    assert (record.status, record.step, record.seats[B].strikes) == ("running", 2, 0)


async def test_the_match_ends_when_the_last_person_leaves(matches):
    match = await playing(matches, "easy", "easy")

    effect = await matches.concede(match, ANN)

    snapshot = effect.public()
    assert (snapshot.status, snapshot.outcome.ranks) == ("over", (3, 1, 1))


async def test_a_computer_waits_during_a_pause_and_chooses_after_it(matches, computers, storage):
    pauses = Pauses(storage, now=lambda: NOW)
    match = await playing(matches)
    await pauses.pause(match, CHANNEL)
    await quiet(computers)
    assert (await record_of(storage, match)).choices == {}

    await pauses.resume(match, GUILD, 5, ANN)
    await quiet(computers)

    assert list((await record_of(storage, match)).choices) == [B]


async def test_a_computer_can_submit_only_its_own_moves_of_the_current_step(matches):
    match = await playing(matches)

    refused = await refusal(matches.submit_for(match, 0, A, "1", turn=1))

    assert refused[1] == "You don't have a choice to make right now. Wait for the others."
    for step, turn in ((7, 1), (0, 2)):  # a step that was resolved, and one that was taken back
        late = await refusal(matches.submit_for(match, step, B, "1", turn=turn))
        assert late[0].__name__ == "TooLateError"
    assert Seat(2) == C
    assert isinstance(matches, Matches)


async def test_a_computer_chooses_even_if_the_answer_to_a_commit_is_lost(
    matches, computers, storage
):
    """The person was told that it didn't work, and no other commit would wake the computer."""
    match = await playing(matches)
    await quiet(computers)

    async with lost_answers(storage):
        with pytest.raises(StorageUnavailableError):
            await matches.submit(match, 0, ANN, "2")
    await quiet(computers)

    record = await record_of(storage, match)
    assert (record.step, set(record.choices)) == (1, {B})
