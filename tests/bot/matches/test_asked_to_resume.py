"""Resuming a match that ended on time: who is asked, and who comes back."""

import pytest

from bot.errors import NotSeatedError
from bot.matches.rematches import Rematches
from tests.support.match_records import ask, change, execute
from tests.support.matches import ANN, BEA, CYD, RETURNS, A, B, C, choose, refusal


@pytest.mark.parametrize("why", ["resigned", "time"], ids=["resigned then", "forfeited before"])
async def test_only_players_who_forfeited_at_the_end_come_back(
    three, matches, late, forfeit, reopenings, *, database, why
):
    if why == "time":
        await forfeit(three, ANN, BEA)
        await choose(matches, three, ANN)
        await late(three)
    else:
        await choose(matches, three, ANN, CYD)
        await late(three)
        await matches.concede(three, CYD)
    await choose(matches, three, ANN)
    over = (await late(three)).public()

    gone, _ = await refusal(reopenings.want(three, CYD))
    await reopenings.want(three, ANN)
    asked = ask(database, "SELECT user FROM notices WHERE event = 'offered'")
    on = (await reopenings.want(three, BEA)).public()

    assert (over.status, over.seats[C].left_why, gone) == ("over", why, NotSeatedError)
    assert asked == [(BEA,)]
    assert [info.left for info in on.seats] == [False, False, True]
    assert on.awaiting == {A, B}


async def test_a_request_to_resume_and_the_turns_after_it_are_announced(
    over, match, reopenings, database
):
    await reopenings.want(match, BEA)
    asked = ask(database, "SELECT user, event, actor FROM notices WHERE event = 'offered'")
    await reopenings.want(match, ANN)

    assert asked == [(ANN, "offered", BEA)]
    assert ask(database, "SELECT user FROM notices WHERE event = 'turn' ORDER BY user") == [
        (ANN,),
        (BEA,),
    ]


async def test_all_three_players_must_agree_and_nobody_is_asked_twice(
    three, matches, forfeit, reopenings, storage, database
):
    await choose(matches, three, ANN, BEA, CYD)
    await forfeit(three, CYD)
    asked = "SELECT user FROM notices WHERE event = 'offered' ORDER BY user"

    await reopenings.want(three, BEA)
    first = ask(database, asked)
    await execute(storage, "DELETE FROM notices")
    second = (await reopenings.want(three, CYD)).public()
    then = ask(database, asked)
    on = (await reopenings.want(three, ANN)).public()

    assert (first, then) == ([(ANN,), (CYD,)], [])
    assert (second.status, on.status, on.awaiting) == ("over", "running", {A, B, C})


async def test_a_player_who_forfeited_earlier_in_the_same_step_does_not_come_back(
    three, matches, late, reopenings, database
):
    """Bea's clock rests for a day, in which Cyd forfeits; then Bea does too."""
    for _ in range(2):
        await choose(matches, three, ANN)
        change(database, "UPDATE seats SET rested = 86400 WHERE seat = 1 AND strikes = 1")
        effect = await late(three)
    between = effect.public()
    over = (await late(three)).public()

    gone, _ = await refusal(reopenings.want(three, CYD))
    await reopenings.want(three, ANN)
    on = (await reopenings.want(three, BEA)).public()

    assert [info.left_why for info in between.seats] == [None, None, "time"]
    assert (over.status, over.step, gone) == ("over", between.step, NotSeatedError)
    assert [info.left for info in on.seats] == [False, False, True]
    assert on.awaiting == {A, B}


async def test_a_player_who_wants_a_rematch_is_asked_to_resume_too(
    over, match, reopenings, storage, watch, database
):
    await Rematches(storage, now=watch, returns=RETURNS).want(match, ANN, 55)

    await reopenings.want(match, BEA)

    told = ask(database, "SELECT user, actor FROM notices WHERE event = 'offered'")
    assert told == [(ANN, BEA)]


async def test_a_request_of_a_blocked_player_hides_no_other(
    three, matches, forfeit, reopenings, storage, database
):
    await choose(matches, three, ANN, BEA, CYD)
    await forfeit(three, CYD)
    async with storage.transaction() as writing:
        await writing.blocks.add(BEA, CYD)

    await reopenings.want(three, ANN)
    await reopenings.want(three, CYD)

    told = ask(database, "SELECT user, actor FROM notices WHERE event = 'offered' ORDER BY user")
    assert told == [(BEA, ANN), (CYD, ANN)]
