"""Challenges: opening, accepting, declining and withdrawing them."""

import time

import pytest

from bot.errors import ChallengeError, MatchError, NoSuchMatchError, NotSeatedError, TooLateError
from bot.matches import Matches, SeatInfo
from bot.matches.challenge import must_be_able_to_answer
from games.pico import PICO
from tests.support.match_records import NOBODY, ask, record_of, unsettled
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    DAN,
    GUILD,
    NOW,
    RETURNS,
    SEED,
    Somebody,
    begun,
    challenge,
    dealt,
    opened,
    refusal,
)
from tests.support.random_play import sentence


async def test_a_challenge_waits_for_everybody_it_names(matches):
    effect = await matches.open(challenge(BEA, CYD))

    snapshot = effect.public()
    assert (snapshot.status, snapshot.game, snapshot.options) == (
        "open",
        "pico",
        PICO.presets["pico1-three"],
    )
    assert (snapshot.guild, snapshot.channel, snapshot.step) == (GUILD, CHANNEL, 0)
    assert snapshot.seats == (
        SeatInfo(user=ANN, accepted=True, left=False),
        SeatInfo(user=BEA, accepted=False, left=False, invited=True),
        SeatInfo(user=CYD, accepted=False, left=False, invited=True),
    )
    assert (snapshot.view, snapshot.commitment, snapshot.seed, snapshot.outcome) == (
        None,
        None,
        None,
        None,
    )
    assert (snapshot.awaiting, snapshot.chosen) == (frozenset(), frozenset())
    assert not effect.resolved


@pytest.mark.parametrize("computers", [(), ("easy",)], ids=["people", "a computer too"])
async def test_challenged_people_get_a_notice(matches, database, computers):
    changes = {"wanted": 3, "computers": computers, "options": PICO.presets["pico1-three"]}

    await matches.open(challenge(BEA, **changes))

    told = ask(database, "SELECT user, event, actor FROM notices")
    assert told == [(BEA, "challenged", ANN)]


async def test_a_challenge_delivered_twice_makes_one_match(matches, storage):
    match = await opened(matches)

    assert await refusal(matches.open(challenge(CYD))) == (
        ChallengeError,
        "This challenge has already been posted. `/games` lists it.",
    )
    assert await unsettled(storage) == [match]


async def test_the_times_of_a_challenge_are_stored_in_whole_seconds(matches, database):
    await opened(matches)

    assert ask(database, "SELECT opened_at FROM matches") == [(int(NOW),)]


@pytest.mark.parametrize(
    ("opponent", "said"),
    [
        (
            Somebody(ANN),
            "You can't challenge yourself. Pick someone else in this server.",
        ),
        (
            Somebody(BEA, bot=True),
            "Bots can't answer a challenge. Pick a person, or set `computer` to play a computer.",
        ),
    ],
)
def test_nobody_who_could_never_answer_can_be_challenged(opponent, said):
    with pytest.raises(ChallengeError) as refused:
        must_be_able_to_answer(opponent, ANN)

    assert sentence(refused.value) == said


def test_a_challenge_that_names_somebody_twice_is_refused():
    with pytest.raises(ChallengeError) as refused:
        challenge(BEA, BEA)

    assert sentence(refused.value) == (
        "You named the same person twice. Every seat needs its own player."
    )


@pytest.mark.parametrize(
    ("deck", "opponents", "said"),
    [
        ("standard", (BEA, CYD), "2 players. With you, that's 3. {} name fewer opponents."),
        ("pico1-three", (BEA,), "3 players. With you, that's 2. {} name more opponents."),
        ("pico2", (BEA, CYD, DAN), "2 players. With you, that's 4. {} name fewer opponents."),
    ],
)
async def test_a_variant_for_another_number_of_players_is_refused(
    matches, storage, deck, opponents, said
):
    asked = challenge(options=PICO.presets[deck], opponents=opponents)

    error, text = await refusal(matches.open(asked))

    assert error is ChallengeError
    assert text == f"This variant of Pico is for {said.format('Choose another variant, or')}"
    assert await unsettled(storage) == []


async def test_the_refusal_names_every_number_of_players_of_the_variant(matches, pointing):
    asked = challenge(game="pointing", options=pointing.presets["standard"], opponents=())

    error, text = await refusal(matches.open(asked))

    assert error is ChallengeError
    assert "is for 2, 3 or 4 players. With you, that's 1." in text


async def test_the_last_one_to_accept_starts_the_match(matches):
    match = await opened(matches)

    effect = await matches.accept(match, BEA)

    snapshot = effect.public()
    assert effect.resolved
    assert (snapshot.status, snapshot.step) == ("running", 0)
    assert snapshot.view == PICO.observe(dealt(), None)
    assert snapshot.awaiting == {0, 1}


async def test_with_three_players_the_first_to_accept_waits(matches):
    match = await opened(matches, BEA, CYD)

    effect = await matches.accept(match, CYD)

    snapshot = effect.public()
    assert effect.resolved
    assert (snapshot.status, snapshot.view) == ("open", None)
    assert [info.accepted for info in snapshot.seats] == [True, False, True]
    assert (await matches.accept(match, BEA)).public().status == "running"


async def test_every_match_has_its_own_seed_of_64_hexadecimal_digits(storage, database):
    real = Matches(storage, returns=RETURNS, now=time.time)
    for interaction in (1, 2):
        match = await opened(real, interaction=interaction)
        await real.accept(match, BEA)

    (first,), (second,) = ask(database, "SELECT seed FROM matches")
    assert first != second
    assert all(len(seed) == 64 and int(seed, 16) for seed in (first, second))


async def test_the_deal_is_drawn_from_the_seed(matches, storage):
    match = await begun(matches)

    record = await record_of(storage, match)
    assert (record.seed, record.schema) == (SEED, 1)


async def test_declining_ends_a_challenge(matches, database):
    match = await opened(matches, BEA, CYD)
    await matches.accept(match, BEA)

    effect = await matches.decline(match, CYD)

    assert effect.resolved
    assert effect.public().status == "declined"
    assert ask(database, "SELECT ended_at, seed, state FROM matches") == [(int(NOW), None, None)]
    assert ask(database, "SELECT * FROM results") == []


async def test_the_challenger_can_withdraw_a_challenge(matches, database):
    match = await opened(matches)

    effect = await matches.withdraw(match, ANN)

    assert effect.resolved
    assert effect.public().status == "withdrawn"
    assert ask(database, "SELECT ended_at FROM matches") == [(int(NOW),)]


@pytest.mark.parametrize(
    ("act", "user", "error", "said"),
    [
        (
            "accept",
            DAN,
            NotSeatedError,
            "This challenge isn't for you. Start your own with a `play` command.",
        ),
        (
            "accept",
            ANN,
            MatchError,
            "You've already accepted. Wait for the others.",
        ),
        (
            "accept",
            CYD,
            MatchError,
            "You've already accepted. Wait for the others.",
        ),
        (
            "decline",
            DAN,
            NotSeatedError,
            "This challenge isn't for you. Start your own with a `play` command.",
        ),
        (
            "vacate",
            DAN,
            NotSeatedError,
            "You don't have a seat here, so there's nothing to leave.",
        ),
        (
            "decline",
            ANN,
            MatchError,
            ("This is your own challenge. To take it back, press **Withdraw**."),
        ),
        (
            "decline",
            CYD,
            MatchError,
            "You've already accepted. To give up your seat, press **Leave**.",
        ),
        (
            "withdraw",
            DAN,
            NotSeatedError,
            (
                "Only the challenger can withdraw this challenge. If you're invited, **Decline** "
                "turns it down."
            ),
        ),
        (
            "withdraw",
            BEA,
            NotSeatedError,
            (
                "Only the challenger can withdraw this challenge. If you're invited, **Decline** "
                "turns it down."
            ),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isalpha() else None,
)
async def test_people_who_cannot_answer_a_challenge_are_told_why(matches, act, user, error, said):
    match = await opened(matches, BEA, CYD)
    await matches.accept(match, CYD)
    before = await matches.public(match)

    assert await refusal(getattr(matches, act)(match, user)) == (error, said)
    assert await matches.public(match) == before


@pytest.mark.parametrize("act", ["accept", "decline", "withdraw"])
@pytest.mark.parametrize(
    ("end", "user", "said"),
    [
        (
            "accept",
            BEA,
            "This challenge was accepted, and the match has started. `/watch` leads there.",
        ),
        ("decline", BEA, "This challenge was declined. Start a new one with a `play` command."),
        ("withdraw", ANN, "This challenge was withdrawn. Start a new one with a `play` command."),
    ],
)
async def test_an_answered_challenge_takes_no_second_answer(matches, act, end, user, said):
    match = await opened(matches)
    await getattr(matches, end)(match, user)

    assert await refusal(getattr(matches, act)(match, user)) == (TooLateError, said)


async def test_accepting_a_challenge_whose_match_is_over_is_refused(matches):
    match = await begun(matches)
    await matches.concede(match, ANN)

    assert await refusal(matches.accept(match, BEA)) == (
        TooLateError,
        "This challenge was accepted, and its match is over. Start your own with a `play` command.",
    )


@pytest.mark.parametrize("act", ["accept", "decline", "withdraw", "concede", "sit", "snapshot"])
async def test_acts_on_a_deleted_match_are_refused(matches, act):
    assert await refusal(getattr(matches, act)(NOBODY, ANN)) == (
        NoSuchMatchError,
        (
            "This match no longer exists, so its buttons don't work. "
            "Start a new one with a `play` command."
        ),
    )


async def test_choices_and_snapshots_of_a_deleted_match_are_refused(matches):
    gone = (
        NoSuchMatchError,
        (
            "This match no longer exists, so its buttons don't work. "
            "Start a new one with a `play` command."
        ),
    )

    assert await refusal(matches.submit(NOBODY, 0, ANN, "9")) == gone
    assert await refusal(matches.snapshots(NOBODY)) == gone
