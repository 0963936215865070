"""How often one person can ask others to play, whatever happens to the challenge."""

from types import MappingProxyType

import pytest

from bot.errors import ChallengeError
from bot.matches.limits import HOUR, MAX_ASKS_TO_ONE, MAX_UNANSWERED_ASKS
from bot.matches.rematches import Rematches
from bot.storage import TABLE, MessageRef
from games.conquest import CONQUEST
from games.pico import PICO
from tests.support.clock import DAY
from tests.support.match_records import ask, change, forget_user, put_message
from tests.support.matches import ANN, BEA, CYD, DAN, RETURNS, SEED, begun, challenge, opened

pytestmark = pytest.mark.slow


async def refused(matches):
    """Challenge Bea as Ann, which must be refused; returns the message."""
    with pytest.raises(ChallengeError) as raised:
        await matches.open(challenge(interaction=90))
    return str(raised.value)


async def posted(matches, storage, *opponents, interaction, **changes):
    """Open a challenge that has been posted."""
    match = await opened(matches, *opponents, interaction=interaction, **changes)
    await put_message(storage, match, TABLE, MessageRef(channel=5, message=interaction, shown=""))
    return match


async def withdrawn(matches, storage, *opponents, interaction, **changes):
    """Open a challenge that has been posted, and withdraw it."""
    match = await posted(matches, storage, *opponents, interaction=interaction, **changes)
    await matches.withdraw(match, changes.get("opener", ANN))
    return match


OPEN_SEAT = MappingProxyType(
    {"game": "conquest", "options": CONQUEST.presets["standard"], "wanted": 3}
)
"""Changes that give a challenge an open seat, in a game that two players can start."""


async def begun_without_bea(matches, storage, *, interaction):
    """Start with a computer at the open seat, without Bea, who hasn't answered."""
    match = await posted(matches, storage, interaction=interaction, **OPEN_SEAT)
    await matches.seat_computer(match, ANN, "easy")
    await matches.start(match, ANN)
    await matches.concede(match, ANN)


async def declined_with_an_open_seat(matches, storage, *, interaction):
    """Decline as Bea, whose seat becomes open, and withdraw the challenge."""
    match = await posted(matches, storage, interaction=interaction, **OPEN_SEAT)
    await matches.decline(match, BEA)
    await matches.withdraw(match, ANN)


async def test_a_fourth_challenge_of_one_person_within_an_hour_is_refused_withdrawn_or_not(
    matches, storage, watch
):
    for n in range(MAX_ASKS_TO_ONE):
        await withdrawn(matches, storage, interaction=n)

    said = await refused(matches)
    await opened(matches, CYD, interaction=91)
    await opened(matches, ANN, opener=DAN, interaction=92)
    watch.advance(HOUR)
    await opened(matches, interaction=93)

    assert said == (
        f"You've asked <@{BEA}> for 3 matches within an hour. Give them some time, then try again."
    )


async def test_what_was_asked_while_the_clock_was_ahead_limits_nobody(matches, storage, watch):
    watch.advance(DAY)
    for n in range(MAX_ASKS_TO_ONE):
        await withdrawn(matches, storage, interaction=n)
    assert "within an hour" in await refused(matches)

    watch.now -= DAY

    await opened(matches, interaction=91)


@pytest.mark.parametrize("ask_in_vain", [begun_without_bea, declined_with_an_open_seat])
async def test_a_challenge_that_gave_up_the_seat_of_who_was_asked_has_reached_them(
    matches, storage, watch, ask_in_vain
):
    for n in range(MAX_ASKS_TO_ONE):
        await ask_in_vain(matches, storage, interaction=n)

    assert "within an hour" in await refused(matches)
    watch.advance(HOUR)
    await opened(matches, interaction=91)


async def test_who_was_left_out_of_a_match_that_began_has_not_answered(matches, storage):
    for n in range(MAX_UNANSWERED_ASKS):
        match = await posted(matches, storage, 5000 + n, interaction=n, **OPEN_SEAT)
        await matches.seat_computer(match, ANN, "easy")
        await matches.start(match, ANN)

    said = await refused(matches)

    assert said.startswith("You've asked for 10 matches")


async def test_a_refusal_answers_for_nobody_else_who_was_asked(matches, storage):
    """Otherwise anybody with a friend who declines at once could ask everybody."""
    three = {"options": PICO.presets["pico1-three"]}
    for n in range(MAX_UNANSWERED_ASKS):
        friend = 6000 + n
        match = await posted(matches, storage, friend, 5000 + n, interaction=n, **three)
        await matches.decline(match, friend)

    said = await refused(matches)

    assert said.startswith("You've asked for 10 matches")


async def test_who_declines_and_then_plays_was_not_asked_in_vain(matches, storage):
    for n in range(MAX_ASKS_TO_ONE):
        match = await posted(matches, storage, interaction=n, **OPEN_SEAT)
        await matches.decline(match, BEA)
        await matches.join(match, BEA)
        await matches.start(match, ANN)
        await matches.concede(match, ANN)

    await opened(matches, interaction=90)


async def test_challenges_that_were_accepted_are_no_pings(matches, storage):
    for n in range(MAX_ASKS_TO_ONE + 1):
        match = await begun(matches, interaction=n)
        await put_message(storage, match, TABLE, MessageRef(channel=5, message=n, shown=""))
        await matches.concede(match, BEA)

    await opened(matches, interaction=90)


async def test_who_deletes_themselves_does_not_begin_to_count_anew(matches, storage):
    for n in range(MAX_ASKS_TO_ONE):
        await withdrawn(matches, storage, interaction=n)
    await forget_user(storage, ANN)

    assert "within an hour" in await refused(matches)


async def test_an_eleventh_challenge_that_nobody_answers_is_refused(matches, storage):
    for n in range(MAX_UNANSWERED_ASKS):
        await withdrawn(matches, storage, 5000 + n, interaction=n)

    said = await refused(matches)
    to_anybody = challenge(interaction=91, opponents=(), wanted=2)
    await matches.open(to_anybody)

    assert said == (
        "You've asked for 10 matches within an hour and are still without an answer. Try again "
        "later, or leave the seats open."
    )


async def test_what_never_stood_at_a_table_limits_nobody(matches):
    """Discord refused its message, so it was withdrawn."""
    for n in range(MAX_ASKS_TO_ONE):
        await matches.undo(await opened(matches, interaction=n))

    await opened(matches, interaction=90)


async def test_a_challenge_to_two_people_is_one_without_an_answer(matches, storage):
    three = {"options": PICO.presets["pico1-three"]}
    for n in range(MAX_UNANSWERED_ASKS - 1):
        await withdrawn(matches, storage, 5000 + n, 6000 + n, interaction=n, **three)

    await withdrawn(matches, storage, interaction=89)

    assert (await refused(matches)).startswith("You've asked for 10 matches")


async def test_a_refusal_is_an_answer_to_a_challenge(matches, storage):
    for n in range(MAX_UNANSWERED_ASKS):
        match = await opened(matches, 5000 + n, interaction=n)
        await put_message(storage, match, TABLE, MessageRef(channel=5, message=n, shown=""))
        await matches.decline(match, 5000 + n)

    await opened(matches, interaction=90)


# Rematch requests.

TOLD = "SELECT \"match\" FROM notices WHERE event = 'rematch' ORDER BY id"


@pytest.fixture
def rematches(storage, watch):
    return Rematches(storage, seed=lambda: SEED, now=watch, returns=RETURNS)


async def ended(matches, storage, *others, interaction):
    """Play a match of Ann and others to its end."""
    match = await begun(matches, *others, interaction=interaction)
    await put_message(storage, match, TABLE, MessageRef(channel=5, message=interaction, shown=""))
    for user in others or (BEA,):
        await matches.concede(match, user)
    return match


async def test_of_a_fourth_wish_for_a_rematch_within_an_hour_nobody_is_told(
    matches, storage, rematches, database, watch
):
    """Its table still shows the request."""
    old = [await ended(matches, storage, interaction=n) for n in range(MAX_ASKS_TO_ONE + 2)]
    *heard, silent, later = old

    wanted = [(await rematches.want(match, ANN, 500 + match)).old for match in (*heard, silent)]
    told = ask(database, TOLD)
    challenged = await refused(matches)
    watch.advance(HOUR)
    await rematches.want(later, ANN, 600)

    assert [effect.public().places[0].agrees for effect in wanted] == ["rematch"] * 4
    assert told == [(match,) for match in heard]
    assert "3 matches within an hour" in challenged
    assert ask(database, TOLD) == [(match,) for match in (*heard, later)]


async def test_challenges_count_with_wishes_for_a_rematch(matches, storage, rematches, database):
    match = await ended(matches, storage, interaction=1)
    for n in range(MAX_ASKS_TO_ONE):
        await withdrawn(matches, storage, interaction=50 + n)

    await rematches.want(match, ANN, 500)

    assert ask(database, TOLD) == []


async def test_whoever_wants_a_rematch_already_is_not_asked_for_it(
    matches, storage, rematches, database
):
    match = await ended(matches, storage, BEA, CYD, interaction=1)
    await rematches.want(match, BEA, 500)

    await rematches.want(match, ANN, 501)

    assert ask(database, f'SELECT "user" FROM asks WHERE actor = {ANN}') == [(CYD,)]  # noqa: S608


async def test_a_wish_for_a_rematch_of_three_reaches_who_was_not_asked_too_often(
    matches, storage, rematches, database
):
    match = await ended(matches, storage, BEA, CYD, interaction=1)
    for n in range(MAX_ASKS_TO_ONE):
        await withdrawn(matches, storage, interaction=50 + n)

    await rematches.want(match, ANN, 500)

    told = "SELECT \"user\" FROM notices WHERE event = 'rematch'"
    assert ask(database, told) == [(CYD,)]


async def test_of_an_eleventh_question_that_nobody_answers_nobody_is_told(
    matches, storage, rematches, database
):
    match = await ended(matches, storage, interaction=1)
    for n in range(MAX_UNANSWERED_ASKS):
        await withdrawn(matches, storage, 5000 + n, interaction=50 + n)

    await rematches.want(match, ANN, 500)

    assert ask(database, TOLD) == []


async def test_a_rematch_that_begins_frees_who_asked_for_it(matches, storage, rematches, database):
    match = await ended(matches, storage, interaction=1)
    for n in range(MAX_ASKS_TO_ONE + 1):
        await rematches.want(match, ANN, 500 + n)
        match = (await rematches.want(match, BEA, 600 + n)).new.public().match
        at = MessageRef(channel=5, message=600 + n, shown="")
        await put_message(storage, match, TABLE, at)
        await matches.concede(match, BEA)

    await rematches.want(match, ANN, 700)

    assert (match,) in ask(database, TOLD)


async def test_a_wish_that_lapsed_tells_nobody_when_it_is_made_again(
    matches, storage, rematches, timeouts, database, watch
):
    match = await ended(matches, storage, interaction=1)
    await rematches.want(match, ANN, 500)
    watch.advance(2 * DAY)
    await timeouts.act(match)
    change(database, "DELETE FROM notices")

    again = (await rematches.want(match, ANN, 501)).old.public()
    silent = ask(database, TOLD)
    watch.advance(2 * DAY)
    await timeouts.act(match)
    await rematches.want(match, BEA, 502)

    assert (again.places[0].agrees, silent) == ("rematch", [])
    assert ask(database, TOLD) == [(match,)]


async def test_a_match_that_was_resumed_can_be_wanted_again(
    over, rematches, reopenings, forfeit, database, watch
):
    """The ask then counts from that time on."""
    match = over.match
    await rematches.want(match, ANN, 500)
    await reopenings.want(match, ANN)
    await reopenings.want(match, BEA)
    await forfeit(match, ANN)

    await rematches.want(match, ANN, 501)

    assert ask(database, TOLD) == [(match,)]
    assert ask(database, "SELECT asked_at FROM asks") == [(int(watch()),)]


async def test_what_is_noted_of_a_wish_tells_nobody_who_has_blocked_them(
    matches, storage, rematches, database
):
    match = await ended(matches, storage, interaction=1)
    async with storage.transaction() as writing:
        await writing.blocks.add(BEA, ANN)

    await rematches.want(match, ANN, 500)

    assert ask(database, TOLD) == []
    assert ask(database, 'SELECT actor, "user" FROM asks') == [(ANN, BEA)]
