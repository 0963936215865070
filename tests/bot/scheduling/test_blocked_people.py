"""Notices by which somebody asks for something don't reach players who have blocked them."""

import pytest

from bot.computers.pool import SynchronousPool
from bot.errors import MatchError
from bot.matches.agreements import Agreements
from bot.matches.nudges import AGAIN_AFTER, Nudges
from bot.matches.rematches import UNWANTED, Rematches
from bot.scheduling.notices import ASKING
from bot.settings.notices import EVENTS
from games.conquest import CONQUEST
from tests.support.clock import HOUR
from tests.support.match_records import ask
from tests.support.matches import ANN, BEA, CYD, DAN, RETURNS, C, begun, choose

LONG = 2 * HOUR
"""After this long, notices that wait until a player is no longer active have been sent."""


@pytest.fixture(params=["now", "before a deletion"])
async def match(world, request):
    """Ann, Bea and Cyd play; Bea has blocked Cyd, who may have been deleted since then."""
    match = await world.begun(BEA, CYD)
    async with world.storage.transaction() as writing:
        if request.param == "now":
            await writing.blocks.add(BEA, CYD)
        else:
            await RETURNS.note_gone(writing, CYD, int(world.watch()), [BEA])
    return match


def agreements(world):
    return Agreements(world.storage, SynchronousPool(), now=world.watch, returns=RETURNS)


def asked(world):
    """Return the queued notices that ask for something, as sorted `(user, event, actor)`."""
    waiting = ask(world.storage_file, "SELECT user, event, actor FROM notices")
    return sorted(row for row in waiting if row[1] in {"offered", "nudged", "rematch"})


async def test_an_offer_by_a_blocked_player_replaces_no_other_offer(world, match):
    world.activity.note(match, BEA)  # delays her notices
    await agreements(world).offer(match, ANN, "pause")
    await agreements(world).offer(match, CYD, "draw")

    assert asked(world) == [
        (ANN, "offered", CYD),
        (BEA, "offered", ANN),
        (CYD, "offered", ANN),
    ]
    await world.later(LONG)
    await world.later(LONG)
    assert (BEA, "dm") in world.told()
    assert f"<@{ANN}> offers a pause" in world.said(BEA)


async def test_agreeing_with_a_blocked_player_notifies_of_the_offer(world, match):
    await agreements(world).offer(match, CYD, "draw")
    await agreements(world).accept(match, ANN, "draw")

    assert asked(world) == [(ANN, "offered", CYD), (BEA, "offered", ANN)]


async def test_an_offer_that_everybody_knows_is_not_announced_again(world):
    match = await world.begun(BEA, CYD)
    await agreements(world).offer(match, ANN, "draw")
    before = asked(world)

    await agreements(world).accept(match, BEA, "draw")

    assert asked(world) == before
    assert [user for user, *_ in before] == [BEA, CYD]


@pytest.mark.parametrize(("blocked", "heard"), [(ANN, CYD), (CYD, ANN)])
async def test_of_two_who_offer_the_notice_comes_from_the_one_not_blocked(world, blocked, heard):
    options = CONQUEST.presets["standard"]
    match = await begun(world.matches, BEA, CYD, DAN, game="conquest", options=options)
    async with world.storage.transaction() as writing:
        await writing.blocks.add(DAN, blocked)
    await agreements(world).offer(match, ANN, "draw")
    await agreements(world).accept(match, CYD, "draw")
    before = asked(world)

    await agreements(world).accept(match, BEA, "draw")

    assert before == [(BEA, "offered", ANN), (CYD, "offered", ANN), (DAN, "offered", heard)]
    assert asked(world) == before


async def test_a_rematch_request_of_a_blocked_player_hides_no_other(world, match):
    for user in (BEA, CYD):
        await world.matches.concede(match, user)
    rematches = Rematches(world.storage, now=world.watch, returns=RETURNS)

    await rematches.want(match, CYD, 55)
    first = asked(world)
    await rematches.want(match, ANN, 56)

    assert first == [(ANN, "rematch", CYD)]
    assert asked(world) == [(ANN, "rematch", CYD), (BEA, "rematch", ANN)]


async def test_a_rematch_with_a_player_who_blocked_you_is_refused(world, match):
    for user in (BEA, CYD):
        await world.matches.concede(match, user)
    rematches = Rematches(world.storage, now=world.watch, returns=RETURNS)
    await rematches.want(match, BEA, 55)

    with pytest.raises(MatchError) as refused:
        await rematches.want(match, CYD, 56)

    assert str(refused.value) == UNWANTED


async def test_a_nudge_from_before_the_block_is_not_sent_after_it(world, match):
    async with world.storage.transaction() as writing:
        now, turn = int(world.watch()), (await world.matches.public(match)).turn
        await writing.notices.queue(match, "nudged", [BEA], due_at=now, turn=turn, actor=CYD)
    assert asked(world) == [(BEA, "nudged", CYD)]

    await world.later(LONG)

    assert asked(world) == []
    assert (BEA, "dm") not in world.told()


async def test_a_nudge_by_a_blocked_player_does_not_prevent_another(world, match):
    await choose(world.matches, match, ANN, CYD)
    nudges = Nudges(world.storage, now=world.watch, returns=RETURNS)

    unheard = await nudges.nudge(match, CYD)
    before = asked(world)
    await nudges.nudge(match, ANN)

    assert unheard.reached == (1,)
    assert before == []
    assert asked(world) == [(BEA, "nudged", ANN)]


async def test_a_nudge_in_vain_looks_like_any_other_to_its_sender(world, match):
    await choose(world.matches, match, ANN, CYD)
    nudges = Nudges(world.storage, now=world.watch, returns=RETURNS)
    await nudges.nudge(match, CYD)

    with pytest.raises(MatchError, match="They were already nudged in the last 6 hours"):
        await nudges.nudge(match, CYD)
    world.watch.advance(AGAIN_AFTER.total_seconds())

    assert (await nudges.nudge(match, CYD)).reached == (1,)
    assert C not in (await nudges.nudge(match, ANN)).reached


def test_every_event_is_classified_as_asking_or_informing():
    """Notices that ask for something are withheld after a block; all others are about the match."""
    telling = {"turn", "time", "back", "accepted", "declined", "expired", "lost", "out"}
    telling |= {"last", "over", "watched"}

    assert not telling & ASKING
    assert telling | ASKING == set(EVENTS)
