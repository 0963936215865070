"""Limits of open challenges and running matches, and blocks."""

import asyncio

import pytest

from bot.errors import ChallengeError, MatchError
from bot.matches.limits import MAX_OPEN_CHALLENGES, MAX_RUNNING_MATCHES, NOT_CHALLENGED
from bot.matches.rematches import Rematches
from bot.settings.blocks import MAX_BLOCKS, Blocks
from bot.storage import TABLE, MessageRef
from bot.storage.people import PreferencesRecord
from games.duel import DUEL
from games.pico import PICO
from tests.support.match_records import ask, change, put_message
from tests.support.matches import (
    ANN,
    BEA,
    CYD,
    DAN,
    RETURNS,
    Somebody,
    begun,
    challenge,
    opened,
    refusal,
)

pytestmark = pytest.mark.slow


async def refused(act, error=ChallengeError):
    """Return the message of a refused act."""
    with pytest.raises(MatchError) as raised:
        await act
    assert raised.type is error
    return str(raised.value)


@pytest.fixture
def blocks(storage):
    return Blocks(storage, unblock_former=RETURNS.unblock)


async def playing(matches, user, times=MAX_RUNNING_MATCHES, *, others=5000):
    """Begin this many matches of a user, each with a different opponent."""
    for i in range(times):
        await begun(matches, others + i, opener=user, interaction=others + i)


# One open challenge per pair.


async def test_an_unposted_challenge_does_not_prevent_another(matches, database):
    """The bot died between storing it and posting it, over a minute ago."""
    first = await opened(matches)
    change(database, "UPDATE matches SET opened_at = opened_at - 61")

    second = await opened(matches, interaction=2)

    assert ask(database, "SELECT id, status FROM matches ORDER BY id") == [
        (first, "withdrawn"),
        (second, "open"),
    ]


async def test_an_unposted_challenge_does_not_hide_a_posted_one(matches, storage, database):
    """The unposted challenge, which nobody can answer, is to Bea; the posted one is to Cyd."""
    await opened(matches)
    change(database, "UPDATE matches SET opened_at = opened_at - 61")
    stands = await opened(matches, CYD, interaction=2)
    await put_message(storage, stands, TABLE, MessageRef(channel=5, message=6, shown=""))
    trio = challenge(BEA, CYD, interaction=3, options=PICO.presets["pico1-three"])

    said = await refused(matches.open(trio))

    assert said.endswith(
        f"between you and <@{CYD}>. Answer or withdraw it first; `/games` lists it."
    )


async def test_a_challenge_that_is_being_posted_prevents_another_of_its_pair(matches):
    await opened(matches)

    assert (await refused(matches.open(challenge(interaction=2)))).startswith(
        "There's already an open"
    )


@pytest.mark.parametrize(("opener", "opponent"), [(ANN, BEA), (BEA, ANN)])
async def test_two_people_have_one_open_challenge_in_either_direction(
    matches, storage, opener, opponent
):
    first = await opened(matches)
    at = MessageRef(channel=5, message=6, shown="")
    await put_message(storage, first, TABLE, at)

    said = await refused(
        matches.open(
            challenge(
                opponent, opener=opener, interaction=2, game="duel", options=DUEL.presets["large"]
            )
        )
    )

    assert said == (
        "There's already [an open challenge](https://discord.com/channels/77/5/6) between you "
        f"and <@{opponent}>. Answer or withdraw it first; `/games` lists it."
    )


async def test_a_challenge_that_is_not_posted_yet_is_named_without_a_link(matches):
    await opened(matches)

    said = await refused(matches.open(challenge(interaction=2)))

    assert said.startswith(f"There's already an open challenge between you and <@{BEA}>.")


async def leave_alone(storage, user):
    async with storage.transaction() as writing:
        await writing.people.put_preferences(user, PreferencesRecord(left_alone=True))


@pytest.mark.parametrize("others", [(BEA,), (CYD, BEA)])
async def test_people_who_want_no_challenges_cannot_be_challenged_by_name(matches, storage, others):
    await leave_alone(storage, BEA)

    assert await refused(matches.open(challenge(*others))) == NOT_CHALLENGED.format(BEA)


async def test_people_who_want_no_challenges_can_challenge_join_and_rematch(
    matches, storage, watch
):
    await leave_alone(storage, BEA)
    match = await opened(matches, opponents=(), wanted=2)
    await matches.join(match, BEA)
    await matches.concede(match, BEA)
    rematches = Rematches(storage, now=watch, returns=RETURNS)

    wanted = await rematches.want(match, ANN, 50)
    begun_again = await rematches.want(match, BEA, 51)

    assert (wanted.new, begun_again.new is None) == (None, False)
    assert await opened(matches, opener=BEA, opponents=(ANN,), interaction=52)


async def test_an_answered_challenge_allows_the_next(matches):
    await matches.decline(await opened(matches), BEA)
    await begun(matches, interaction=2)

    assert await opened(matches, interaction=3)


async def test_a_player_who_joined_an_open_seat_can_be_challenged(matches):
    table = await opened(
        matches, interaction=1, options=PICO.presets["pico1-three"], opponents=(), wanted=3
    )
    await matches.join(table, BEA)

    assert await opened(matches, interaction=2)


async def test_two_invited_to_the_same_challenge_can_challenge_each_other(matches):
    await opened(matches, BEA, CYD)

    assert await opened(matches, CYD, opener=BEA, interaction=2)


async def test_of_two_concurrent_challenges_between_two_people_one_is_opened(matches, database):
    results = await asyncio.gather(
        matches.open(challenge(BEA, interaction=1)),
        matches.open(challenge(ANN, opener=BEA, interaction=2)),
        return_exceptions=True,
    )

    assert [type(r) for r in results].count(ChallengeError) == 1
    assert ask(database, "SELECT count(*) FROM matches") == [(1,)]


# Open challenges of one person.


async def test_one_person_has_at_most_five_open_challenges(matches, database):
    for i in range(MAX_OPEN_CHALLENGES):
        await opened(matches, 2000 + i, interaction=i)

    assert await refusal(matches.open(challenge(interaction=9))) == (
        ChallengeError,
        (
            "You have 5 open challenges, the most you can have. Withdraw one or wait for an "
            "answer; `/games` lists them."
        ),
    )
    assert ask(database, "SELECT count(*) FROM matches") == [(MAX_OPEN_CHALLENGES,)]
    assert ask(database, "SELECT count(*) FROM seats") == [(2 * MAX_OPEN_CHALLENGES,)]


async def test_of_many_concurrent_challenges_five_are_opened(matches):
    results = await asyncio.gather(
        *(matches.open(challenge(2000 + i, interaction=i)) for i in range(MAX_OPEN_CHALLENGES + 3)),
        return_exceptions=True,
    )

    assert [type(r) for r in results].count(ChallengeError) == 3


async def test_challenges_received_do_not_count(matches):
    for i in range(MAX_OPEN_CHALLENGES + 1):
        await opened(matches, opener=2000 + i, interaction=i)

    assert await opened(matches, CYD, opener=BEA, interaction=9)


# Running matches of one person.

TOO_MANY = (
    "You're in 20 matches, the most you can play at once. Finish one first; `/games` lists them."
)


async def test_a_player_of_twenty_matches_cannot_open_a_challenge(matches):
    await playing(matches, ANN)

    assert await refusal(matches.open(challenge())) == (MatchError, TOO_MANY)


async def test_a_player_of_twenty_matches_cannot_accept_a_challenge(matches):
    match = await opened(matches)
    await playing(matches, BEA)

    assert await refusal(matches.accept(match, BEA)) == (MatchError, TOO_MANY)
    assert (await matches.public(match)).status == "open"


async def test_a_player_of_twenty_matches_cannot_join_a_table(matches):
    match = await opened(matches, opponents=(), wanted=2)
    await playing(matches, BEA)

    assert await refusal(matches.join(match, BEA)) == (MatchError, TOO_MANY)


async def test_no_match_begins_with_a_player_who_now_plays_twenty(matches):
    match = await opened(matches)
    await playing(matches, ANN)

    said = await refused(matches.accept(match, BEA), MatchError)

    assert said == (
        f"<@{ANN}> is in 20 matches, the most one person can play at once. This one can start "
        "when one of those is over."
    )
    assert (await matches.public(match)).seats[1].accepted is False


async def test_finished_matches_do_not_count(matches, database):
    await playing(matches, ANN)
    change(database, "UPDATE matches SET status = 'over' WHERE id = 1")

    assert await begun(matches, interaction=1)


# Blocks.


async def test_a_blocked_person_cannot_challenge_who_blocked_them(matches, blocks, database):
    await blocks.add(BEA, Somebody(ANN))

    assert await refused(matches.open(challenge())) == (
        f"You can't challenge <@{BEA}> at the moment. Ask someone else, or leave the seat open."
    )
    assert ask(database, "SELECT count(*) FROM matches") == [(0,)]


async def test_a_person_cannot_challenge_somebody_they_blocked(matches, blocks):
    await blocks.add(ANN, Somebody(BEA))

    assert await refused(matches.open(challenge())) == (
        f"You've blocked <@{BEA}>, so you can't challenge them. To undo that, use `/unblock`."
    )


@pytest.mark.parametrize("blocker", [ANN, CYD], ids=["the challenger", "another at the table"])
async def test_a_blocked_person_cannot_join(matches, blocks, blocker):
    match = await opened(matches, options=PICO.presets["pico1-three"], opponents=(), wanted=3)
    await matches.join(match, CYD)
    await blocks.add(blocker, Somebody(DAN))

    assert await refusal(matches.join(match, DAN)) == (
        MatchError,
        "You can't join this table. Start your own with a `play` command.",
    )


async def test_a_person_blocked_after_a_challenge_cannot_accept_it(matches, blocks, database):
    match = await opened(matches)
    await blocks.add(ANN, Somebody(BEA))

    assert await refusal(matches.accept(match, BEA)) == (
        MatchError,
        "You can't join this table. Start your own with a `play` command.",
    )
    assert ask(database, "SELECT status FROM matches") == [("open",)]


async def test_a_block_by_somebody_who_has_not_accepted_does_not_prevent_accepting(matches, blocks):
    match = await opened(matches, options=PICO.presets["pico1-three"], opponents=(BEA, CYD))
    await blocks.add(CYD, Somebody(BEA))

    await matches.accept(match, BEA)
    await blocks.add(BEA, Somebody(CYD))

    assert (await refusal(matches.accept(match, CYD)))[0] is MatchError


async def test_a_block_can_be_removed(matches, blocks):
    await blocks.add(BEA, Somebody(ANN))
    await blocks.remove(BEA, Somebody(ANN))

    assert await opened(matches)


async def test_the_list_names_the_people_somebody_has_blocked(blocks):
    assert not await blocks.of(ANN)
    for other in (CYD, BEA):
        await blocks.add(ANN, Somebody(other))
    await blocks.add(BEA, Somebody(DAN))

    assert await blocks.of(ANN) == [BEA, CYD]


async def test_the_number_of_blocks_is_limited(blocks):
    for i in range(MAX_BLOCKS):
        await blocks.add(ANN, Somebody(10**18 + i))

    said = await refused(blocks.add(ANN, Somebody(1)), MatchError)

    assert said.startswith("You've blocked 100 people, the most you can.")
    assert len(await blocks.of(ANN)) == MAX_BLOCKS


async def test_a_block_is_made_once(blocks):
    assert await blocks.add(ANN, Somebody(BEA))
    assert not await blocks.add(ANN, Somebody(BEA))


async def test_blocks_that_make_no_sense_are_refused(blocks):
    oneself = await refused(blocks.add(ANN, Somebody(ANN)), MatchError)
    a_bot = await refused(blocks.add(ANN, Somebody(BEA, bot=True)), MatchError)
    nobody = await refused(blocks.remove(ANN, Somebody(BEA)), MatchError)

    assert oneself.startswith("That's you.")
    assert a_bot == "Bots don't send challenges, so there's nothing to block."
    assert nobody == f"You haven't blocked <@{BEA}>. `/block` shows your list."
