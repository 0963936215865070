"""Parsing drafts, which are in custom_ids and may be forged."""

import pytest

from cogs.conquest.drafts import is_signalling, kept_draft, without_signal
from games.conquest import CONQUEST
from tests.cogs.conquest.test_controls import SHOWN, SMALL, offered
from tests.support.conquest_snapshots import seen
from tests.support.conquest_states import play, position
from tests.support.snapshots import controls_of

PLANNING = position(2)
PLACING = play(position(2, {}, redeployment=True), "E5-1-D4 / pass", "pass / pass")


def legal(state):
    return CONQUEST.legal_moves(state, 0)


@pytest.mark.parametrize(
    ("state", "draft"),
    [(PLANNING, "0 E5/F6"), (PLANNING, "1 E5-9-D4/F6"), (PLACING, "supply D4>HQ/none")],
    ids=["square", "order", "supply"],
)
def test_the_menu_of_signals_keeps_the_draft(state, draft):
    assert is_signalling(f"signal {draft}")
    assert without_signal(f"signal {draft}") == without_signal(draft) == draft
    assert kept_draft(legal(state), f"signal {draft}") == kept_draft(legal(state), draft) == draft


def test_giving_a_signal_keeps_the_draft():
    planning = position(2, SMALL, signal=True)
    placing = play(planning, "pass / pass", "pass / pass")

    for state, draft in ((planning, "0 E5/F6"), (placing, "supply +E5/none")):
        snapshot = seen(state, seat=0)
        opening = offered(snapshot, draft)[-1].move
        menu, (back,) = controls_of(SHOWN, snapshot, opening)

        assert ([c.move for c in menu.choices], back.move) == ([f"1 {draft}"], draft)
        assert SHOWN.picture(snapshot, opening) == SHOWN.picture(snapshot, draft)


@pytest.mark.parametrize("state", [PLANNING, PLACING], ids=["planning", "placing"])
@pytest.mark.parametrize(
    "draft", ["", "x", "signals", "0 E5-99-D4", f"supply {'x' * 40}/none", "supply +A1/none"]
)
def test_invalid_drafts_and_drafts_of_seats_that_are_not_awaited_are_dropped(state, draft):
    assert not is_signalling(draft)
    assert kept_draft(legal(state), f"signal {draft}") == kept_draft(legal(state), draft) == ""
    assert kept_draft((), "0 E5/F6") == ""
