"""How often one person can ask others to play, whatever happens to the challenge."""

from types import MappingProxyType

import pytest

from bot.errors import ChallengeError
from bot.matches.limits import MAX_ASKS_TO_ONE, MAX_UNANSWERED_ASKS
from bot.matches.rematches import Rematches
from bot.storage import TABLE, MessageRef
from bot.time_units import HOUR_SECONDS
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


async def come_back(storage, watch, user=ANN):
    """Delete somebody's data, so that the bot recognizes them when they come back."""
    await forget_user(storage, user)
    async with storage.transaction() as writing:
        await RETURNS.note_gone(writing, user, int(watch()), ())


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


async def test_a_fourth_challenge_to_one_person_within_an_hour_is_refused(matches, storage, watch):
    for n in range(MAX_ASKS_TO_ONE):
        await withdrawn(matches, storage, interaction=n)

    said = await refused(matches)
    await opened(matches, CYD, interaction=91)
    await opened(matches, ANN, opener=DAN, interaction=92)
    watch.advance(HOUR_SECONDS)
    await opened(matches, interaction=93)

    assert said == (
        f"You've asked <@{BEA}> for 3 matches within an hour. Give them some time, then try again."
    )


async def test_asks_stored_while_the_clock_was_ahead_limit_nobody(matches, storage, watch):
    watch.advance(DAY)
    for n in range(MAX_ASKS_TO_ONE):
        await withdrawn(matches, storage, interaction=n)
    assert "within an hour" in await refused(matches)

    watch.now -= DAY

    await opened(matches, interaction=91)


@pytest.mark.parametrize("ask_without_answer", [begun_without_bea, declined_with_an_open_seat])
async def test_a_challenge_still_counts_after_the_asked_players_seat_is_gone(
    matches, storage, watch, ask_without_answer
):
    for n in range(MAX_ASKS_TO_ONE):
        await ask_without_answer(matches, storage, interaction=n)

    assert "within an hour" in await refused(matches)
    watch.advance(HOUR_SECONDS)
    await opened(matches, interaction=91)


async def test_a_player_left_out_of_a_match_that_began_counts_as_unanswered(matches, storage):
    for n in range(MAX_UNANSWERED_ASKS):
        match = await posted(matches, storage, 5000 + n, interaction=n, **OPEN_SEAT)
        await matches.seat_computer(match, ANN, "easy")
        await matches.start(match, ANN)

    said = await refused(matches)

    assert said.startswith("You've asked for 10 matches")


async def test_declining_answers_for_nobody_else_who_was_asked(matches, storage):
    """Otherwise anybody with a friend who declines at once could ask everybody."""
    three = {"options": PICO.presets["pico1-three"]}
    for n in range(MAX_UNANSWERED_ASKS):
        friend = 6000 + n
        match = await posted(matches, storage, friend, 5000 + n, interaction=n, **three)
        await matches.decline(match, friend)

    said = await refused(matches)

    assert said.startswith("You've asked for 10 matches")


async def test_a_player_who_declines_and_then_joins_has_answered(matches, storage):
    for n in range(MAX_ASKS_TO_ONE):
        match = await posted(matches, storage, interaction=n, **OPEN_SEAT)
        await matches.decline(match, BEA)
        await matches.join(match, BEA)
        await matches.start(match, ANN)
        await matches.concede(match, ANN)

    await opened(matches, interaction=90)


async def test_accepted_challenges_do_not_count(matches, storage):
    for n in range(MAX_ASKS_TO_ONE + 1):
        match = await begun(matches, interaction=n)
        await put_message(storage, match, TABLE, MessageRef(channel=5, message=n, shown=""))
        await matches.concede(match, BEA)

    await opened(matches, interaction=90)


async def test_deleting_your_data_does_not_reset_the_count(matches, storage):
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


@pytest.mark.parametrize("deletions", [1, 2])
async def test_deleting_your_data_does_not_reset_the_count_of_unanswered_asks(
    matches, storage, rematches, database, watch, deletions
):
    for n in range(MAX_UNANSWERED_ASKS):
        await withdrawn(matches, storage, 5000 + n, interaction=50 + n)
    for _ in range(deletions):
        await come_back(storage, watch)

    said = await refused(matches)
    over = await begun(matches, ANN, opener=BEA, interaction=2)
    await matches.concede(over, BEA)
    await rematches.want(over, ANN, 500)
    watch.advance(HOUR_SECONDS)
    await opened(matches, interaction=91)

    assert said.startswith("You've asked for 10 matches within an hour")
    assert ask(database, TOLD) == []


async def test_asks_of_a_deleted_person_count_for_nobody_who_did_not_delete_later(
    matches, storage, watch
):
    await come_back(storage, watch, ANN)
    watch.advance(1)
    for n in range(MAX_UNANSWERED_ASKS):
        await withdrawn(matches, storage, 5000 + n, interaction=50 + n, opener=CYD)
    await come_back(storage, watch, CYD)

    await opened(matches, interaction=90)
    await opened(matches, interaction=91, opener=DAN)


async def test_challenges_that_were_never_posted_do_not_count(matches):
    """Discord refused its message, so it was withdrawn."""
    for n in range(MAX_ASKS_TO_ONE):
        await matches.undo(await opened(matches, interaction=n))

    await opened(matches, interaction=90)


async def test_a_challenge_to_two_people_counts_once_as_unanswered(matches, storage):
    three = {"options": PICO.presets["pico1-three"]}
    for n in range(MAX_UNANSWERED_ASKS - 1):
        await withdrawn(matches, storage, 5000 + n, 6000 + n, interaction=n, **three)

    await withdrawn(matches, storage, interaction=89)

    assert (await refused(matches)).startswith("You've asked for 10 matches")


async def test_declining_is_an_answer(matches, storage):
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


async def test_a_fourth_rematch_request_within_an_hour_sends_no_notice(
    matches, storage, rematches, database, watch
):
    """Its table still shows the request."""
    old = [await ended(matches, storage, interaction=n) for n in range(MAX_ASKS_TO_ONE + 2)]
    *heard, silent, later = old

    wanted = [(await rematches.want(match, ANN, 500 + match)).old for match in (*heard, silent)]
    told = ask(database, TOLD)
    challenged = await refused(matches)
    watch.advance(HOUR_SECONDS)
    await rematches.want(later, ANN, 600)

    assert [effect.public().seats[0].agrees for effect in wanted] == ["rematch"] * 4
    assert told == [(match,) for match in heard]
    assert "3 matches within an hour" in challenged
    assert ask(database, TOLD) == [(match,) for match in (*heard, later)]


async def test_challenges_and_rematch_requests_are_counted_together(
    matches, storage, rematches, database
):
    match = await ended(matches, storage, interaction=1)
    for n in range(MAX_ASKS_TO_ONE):
        await withdrawn(matches, storage, interaction=50 + n)

    await rematches.want(match, ANN, 500)

    assert ask(database, TOLD) == []


async def test_a_player_who_already_wants_the_rematch_is_not_asked(
    matches, storage, rematches, database
):
    match = await ended(matches, storage, BEA, CYD, interaction=1)
    await rematches.want(match, BEA, 500)

    await rematches.want(match, ANN, 501)

    assert ask(database, f'SELECT "user" FROM asks WHERE actor = {ANN}') == [(CYD,)]  # noqa: S608


async def test_a_rematch_request_reaches_only_players_not_asked_too_often(
    matches, storage, rematches, database
):
    match = await ended(matches, storage, BEA, CYD, interaction=1)
    for n in range(MAX_ASKS_TO_ONE):
        await withdrawn(matches, storage, interaction=50 + n)

    await rematches.want(match, ANN, 500)

    told = "SELECT \"user\" FROM notices WHERE event = 'rematch'"
    assert ask(database, told) == [(CYD,)]


async def test_after_ten_unanswered_asks_a_rematch_request_sends_no_notice(
    matches, storage, rematches, database
):
    match = await ended(matches, storage, interaction=1)
    for n in range(MAX_UNANSWERED_ASKS):
        await withdrawn(matches, storage, 5000 + n, interaction=50 + n)

    await rematches.want(match, ANN, 500)

    assert ask(database, TOLD) == []


async def test_a_rematch_that_begins_counts_as_an_answer(matches, storage, rematches, database):
    match = await ended(matches, storage, interaction=1)
    for n in range(MAX_ASKS_TO_ONE + 1):
        await rematches.want(match, ANN, 500 + n)
        match = (await rematches.want(match, BEA, 600 + n)).new.public().match
        at = MessageRef(channel=5, message=600 + n, shown="")
        await put_message(storage, match, TABLE, at)
        await matches.concede(match, BEA)

    await rematches.want(match, ANN, 700)

    assert (match,) in ask(database, TOLD)


async def test_repeating_an_expired_rematch_request_sends_no_notice(
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

    assert (again.seats[0].agrees, silent) == ("rematch", [])
    assert ask(database, TOLD) == [(match,)]


async def test_after_resuming_a_rematch_can_be_requested_again(
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


async def test_a_request_to_somebody_who_blocked_you_counts_but_sends_no_notice(
    matches, storage, rematches, database
):
    match = await ended(matches, storage, interaction=1)
    async with storage.transaction() as writing:
        await writing.blocks.add(BEA, ANN)

    await rematches.want(match, ANN, 500)

    assert ask(database, TOLD) == []
    assert ask(database, 'SELECT actor, "user" FROM asks') == [(ANN, BEA)]
