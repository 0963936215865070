"""Nudges: who is reminded, and who is left alone for a while."""

import pytest

from bot.errors import MatchError
from bot.matches.nudges import Nudges
from bot.matches.time_off import Vacations
from games.pico import PICO
from tests.support.clock import DAY, HOUR
from tests.support.match_records import ask
from tests.support.matches import ANN, BEA, CYD, GUILD, RETURNS, B, C, begun, choose


@pytest.fixture
def nudges(storage, watch):
    return Nudges(storage, now=watch, returns=RETURNS)


async def test_of_several_only_those_are_nudged_who_were_not_lately(matches, three, nudges, watch):
    """And the first of them who may be again is named where nobody may."""
    await choose(matches, three, CYD)
    again_at = int(watch()) + 6 * HOUR
    first = await nudges.nudge(three, ANN)
    await choose(matches, three, ANN, BEA)
    watch.advance(HOUR)
    second = await nudges.nudge(three, ANN)
    watch.advance(5 * HOUR - 1)
    with pytest.raises(MatchError, match=f"You can nudge again <t:{again_at}:R>"):
        await nudges.nudge(three, ANN)
    watch.advance(1)
    third = await nudges.nudge(three, ANN)

    assert [nudge.reached for nudge in (first, second, third)] == [(B,), (C,), (B,)]


async def test_who_was_nudged_while_the_clock_was_ahead_can_be_nudged_again(match, nudges, watch):
    watch.advance(DAY)
    await nudges.nudge(match, ANN)
    watch.now -= DAY

    again = await nudges.nudge(match, ANN)

    assert again.reached == (B,)
    with pytest.raises(MatchError, match="already nudged"):
        await nudges.nudge(match, ANN)


async def test_where_all_who_owe_a_move_are_away_it_is_said_who(
    match, nudges, storage, watch, database
):
    await Vacations(storage, now=watch).start(BEA, GUILD, 5)

    nudge = await nudges.nudge(match, ANN)

    assert (nudge.reached, nudge.away) == ((), (B,))
    assert ask(database, "SELECT user FROM notices WHERE event = 'nudged'") == []


async def test_a_computer_that_owes_a_move_too_is_not_nudged(matches, nudges, database):
    options = PICO.presets["pico1-three"]
    match = await begun(matches, BEA, computers=("easy",), wanted=3, options=options)

    nudge = await nudges.nudge(match, ANN)

    assert nudge.reached == (B,)
    assert ask(database, "SELECT user FROM notices WHERE event = 'nudged'") == [(BEA,)]
