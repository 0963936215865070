"""Nudges: who gets one, and who can't be nudged again yet."""

import pytest

from bot.errors import MatchError
from bot.matches.nudges import Nudges
from bot.matches.time_off import Vacations
from games.pico import PICO
from tests.support.clock import HOUR
from tests.support.match_records import ask
from tests.support.matches import ANN, BEA, CYD, GUILD, RETURNS, B, C, begun, choose


@pytest.fixture
def nudges(storage, watch):
    return Nudges(storage, now=watch, returns=RETURNS)


async def test_only_players_not_nudged_recently_are_nudged(matches, three, nudges, watch):
    """If nobody can be nudged, the refusal says when the next one can."""
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


async def test_a_nudge_in_vain_counts_for_its_sender_even_in_another_process(
    three, matches, nudges, storage, watch, database
):
    """Bea has blocked Ann, who must not notice; Cyd can nudge Bea as usual."""
    async with storage.transaction() as writing:
        await writing.blocks.add(BEA, ANN)
    await choose(matches, three, ANN, CYD)
    first = await nudges.nudge(three, ANN)
    again_at = int(watch()) + 6 * HOUR

    another = Nudges(storage, now=watch, returns=RETURNS)
    with pytest.raises(MatchError, match=f"You can nudge again <t:{again_at}:R>"):
        await another.nudge(three, ANN)
    of_others = await another.nudge(three, CYD)

    assert first.reached == of_others.reached == (B,)
    assert ask(database, "SELECT user, actor FROM notices WHERE event = 'nudged'") == [(BEA, CYD)]


async def test_a_nudge_in_vain_does_not_prevent_nudging_others(three, matches, nudges, storage):
    async with storage.transaction() as writing:
        await writing.blocks.add(BEA, ANN)
    await choose(matches, three, CYD)
    await nudges.nudge(three, ANN)
    await choose(matches, three, ANN, BEA)

    assert (await nudges.nudge(three, ANN)).reached == (C,)


@pytest.mark.parametrize("blocks", [False, True])
async def test_a_nudge_stored_in_the_future_does_not_prevent_another(
    match, nudges, storage, watch, blocks
):
    """The machine's clock has been set back since."""
    if blocks:
        async with storage.transaction() as writing:
            await writing.blocks.add(BEA, ANN)
    await nudges.nudge(match, ANN)
    watch.advance(-30 * HOUR)

    assert (await nudges.nudge(match, ANN)).reached == (B,)


async def test_if_everybody_who_owes_a_move_is_on_vacation_they_are_named(
    match, nudges, storage, watch, database
):
    await Vacations(storage, now=watch).start(BEA, GUILD, 5)

    nudge = await nudges.nudge(match, ANN)

    assert (nudge.reached, nudge.away) == ((), (B,))
    assert ask(database, "SELECT user FROM notices WHERE event = 'nudged'") == []


async def test_a_computer_that_also_owes_a_move_is_not_nudged(matches, nudges, database):
    options = PICO.presets["pico1-three"]
    match = await begun(matches, BEA, computers=("easy",), wanted=3, options=options)

    nudge = await nudges.nudge(match, ANN)

    assert nudge.reached == (B,)
    assert ask(database, "SELECT user FROM notices WHERE event = 'nudged'") == [(BEA,)]
