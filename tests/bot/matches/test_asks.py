"""How often one person may ask others to play, whatever becomes of it."""

from types import MappingProxyType

import pytest

from bot.errors import ChallengeError
from bot.matches.limits import HOUR, MAX_CHALLENGES_TO_ONE, MAX_UNANSWERED_CHALLENGES
from bot.storage import TABLE, MessageRef
from games.conquest import CONQUEST
from games.pico import PICO
from tests.support.match_records import forget_user, put_message
from tests.support.matches import ANN, BEA, CYD, DAN, begun, challenge, opened

pytestmark = pytest.mark.slow


async def refused(matches):
    """What is said to Ann, who may not ask Bea once more."""
    with pytest.raises(ChallengeError) as raised:
        await matches.open(challenge(interaction=90))
    return str(raised.value)


async def posted(matches, storage, *opponents, interaction, **changes):
    """A challenge that stands at a table."""
    match = await opened(matches, *opponents, interaction=interaction, **changes)
    await put_message(storage, match, TABLE, MessageRef(channel=5, message=interaction, shown=""))
    return match


async def withdrawn(matches, storage, *opponents, interaction, **changes):
    """A challenge that stood at a table and was taken back."""
    match = await posted(matches, storage, *opponents, interaction=interaction, **changes)
    await matches.withdraw(match, changes.get("opener", ANN))
    return match


OPEN_SEAT = MappingProxyType(
    {"game": "conquest", "options": CONQUEST.presets["standard"], "wanted": 3}
)
"""What a challenge is with a seat that anybody may take; two may begin it."""


async def begun_without_bea(matches, storage, *, interaction):
    """The challenger begins with a computer at the open seat, and Bea is left out."""
    match = await posted(matches, storage, interaction=interaction, **OPEN_SEAT)
    await matches.seat_computer(match, ANN, "easy")
    await matches.start(match, ANN)
    await matches.concede(match, ANN)


async def declined_with_an_open_seat(matches, storage, *, interaction):
    """Bea's seat becomes open too, and the challenge is taken back."""
    match = await posted(matches, storage, interaction=interaction, **OPEN_SEAT)
    await matches.decline(match, BEA)
    await matches.withdraw(match, ANN)


async def test_a_fourth_challenge_of_one_person_within_an_hour_is_refused_withdrawn_or_not(
    matches, storage, watch
):
    for n in range(MAX_CHALLENGES_TO_ONE):
        await withdrawn(matches, storage, interaction=n)

    said = await refused(matches)
    await opened(matches, CYD, interaction=91)
    await opened(matches, ANN, opener=DAN, interaction=92)
    watch.advance(HOUR)
    await opened(matches, interaction=93)

    assert said == (
        f"<@{BEA}> got 3 challenges from you within an hour. Give them some time, then try again."
    )


@pytest.mark.parametrize("ask_in_vain", [begun_without_bea, declined_with_an_open_seat])
async def test_a_challenge_that_gave_up_the_seat_of_who_was_asked_has_reached_them(
    matches, storage, watch, ask_in_vain
):
    for n in range(MAX_CHALLENGES_TO_ONE):
        await ask_in_vain(matches, storage, interaction=n)

    assert "within an hour" in await refused(matches)
    watch.advance(HOUR)
    await opened(matches, interaction=91)


async def test_who_was_left_out_of_a_match_that_began_has_not_answered(matches, storage):
    for n in range(MAX_UNANSWERED_CHALLENGES):
        match = await posted(matches, storage, 5000 + n, interaction=n, **OPEN_SEAT)
        await matches.seat_computer(match, ANN, "easy")
        await matches.start(match, ANN)

    said = await refused(matches)

    assert said.startswith("Nobody has answered your last 10 challenges")


async def test_a_refusal_answers_for_nobody_else_who_was_asked(matches, storage):
    """Else whoever has friends that decline at once could ask everybody."""
    three = {"options": PICO.presets["pico1-three"]}
    for n in range(MAX_UNANSWERED_CHALLENGES):
        friend = 6000 + n
        match = await posted(matches, storage, friend, 5000 + n, interaction=n, **three)
        await matches.decline(match, friend)

    said = await refused(matches)

    assert said.startswith("Nobody has answered your last 10 challenges")


async def test_who_declines_and_then_plays_was_not_asked_in_vain(matches, storage):
    for n in range(MAX_CHALLENGES_TO_ONE):
        match = await posted(matches, storage, interaction=n, **OPEN_SEAT)
        await matches.decline(match, BEA)
        await matches.join(match, BEA)
        await matches.start(match, ANN)
        await matches.concede(match, ANN)

    await opened(matches, interaction=90)


async def test_challenges_that_were_accepted_are_no_pings(matches, storage):
    for n in range(MAX_CHALLENGES_TO_ONE + 1):
        match = await begun(matches, interaction=n)
        await put_message(storage, match, TABLE, MessageRef(channel=5, message=n, shown=""))
        await matches.concede(match, BEA)

    await opened(matches, interaction=90)


async def test_who_deletes_themselves_does_not_begin_to_count_anew(matches, storage):
    for n in range(MAX_CHALLENGES_TO_ONE):
        await withdrawn(matches, storage, interaction=n)
    await forget_user(storage, ANN)

    assert "within an hour" in await refused(matches)


async def test_an_eleventh_challenge_that_nobody_answers_is_refused(matches, storage):
    for n in range(MAX_UNANSWERED_CHALLENGES):
        await withdrawn(matches, storage, 5000 + n, interaction=n)

    said = await refused(matches)
    to_anybody = challenge(interaction=91, opponents=(), wanted=2)
    await matches.open(to_anybody)

    assert said == (
        "Nobody has answered your last 10 challenges yet. Try again in an hour, or leave the seats "
        "open."
    )


async def test_a_refusal_is_an_answer_to_a_challenge(matches, storage):
    for n in range(MAX_UNANSWERED_CHALLENGES):
        match = await opened(matches, 5000 + n, interaction=n)
        await put_message(storage, match, TABLE, MessageRef(channel=5, message=n, shown=""))
        await matches.decline(match, 5000 + n)

    await opened(matches, interaction=90)
