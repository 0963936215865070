"""Whether a seat's turn continues after a step, so that only its hand is updated at once."""

import pytest

from games.spite import SPITE, Options
from tests.support.matches import ANN, BEA, A, begun, dealt, played

DEAL = dealt(game=SPITE)
WHO = {A: ANN}.get(DEAL.on_turn, BEA)
LEGAL = SPITE.legal_moves(DEAL, DEAL.on_turn)
DISCARD = next(move for move in LEGAL if move.kind == "discard")
PLAY = next(move for move in LEGAL if move.kind == "play")


@pytest.fixture
async def match(matches):
    """A match of Spite and Malice in which the first seat on turn can play a card."""
    return await begun(matches, game="spite", options=Options())


async def test_a_turn_continues_after_a_play(matches, match):
    effect = await matches.submit(match, 0, WHO, str(PLAY))

    assert effect.resolved
    assert effect.turn_continues
    assert effect.public().awaiting == {DEAL.on_turn}
    assert effect.public().view == SPITE.observe(
        played(DEAL, 0, {DEAL.on_turn: PLAY}, game=SPITE), None
    )


async def test_a_turn_that_continues_keeps_its_number_even_without_a_clock(matches):
    match = await begun(matches, game="spite", options=Options(), time_control="none")
    before = (await matches.public(match)).turn

    played_on = (await matches.submit(match, 0, WHO, str(PLAY))).public().turn

    assert played_on == before


async def test_a_turn_ends_with_a_discard(matches, match):
    effect = await matches.submit(match, 0, WHO, str(DISCARD))

    assert effect.resolved
    assert not effect.turn_continues


async def test_no_turn_continues_when_the_match_is_over(matches, match):
    effect = await matches.concede(match, WHO)

    assert effect.resolved
    assert not effect.turn_continues


async def test_no_turn_continues_in_a_game_where_all_choose_at_once(matches):
    match = await begun(matches)
    state = dealt()

    waiting = await matches.submit(match, 0, ANN, str(state.hands[0][0]))
    revealed = await matches.submit(match, 0, BEA, str(state.hands[1][0]))

    assert not waiting.turn_continues
    assert revealed.resolved
    assert not revealed.turn_continues
