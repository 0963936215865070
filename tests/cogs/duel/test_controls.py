"""The buttons of a hand of Divide and Conquer (tiles): every legal move, and nothing else."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cogs.duel.presentation import DuelPresentation
from games.duel import DUEL
from tests.support.duel_snapshots import A, B, dealt, left, match, positions, snapshots
from tests.support.snapshots import controls_of, is_hand, question_of, snapshot

SHOWN = DuelPresentation()


many = settings(max_examples=150, deadline=None, derandomize=True)


@many
@given(snapshots().filter(is_hand))
def test_a_hand_offers_exactly_the_tiles_in_hand_while_one_is_owed(onlook):
    rows = controls_of(SHOWN, onlook, "")

    offered = [choice for row in rows for choice in row]
    assert [choice.move for choice in offered] == [str(move) for move in onlook.legal]
    assert [choice.label for choice in offered] == [choice.move for choice in offered]
    assert all(choice.act == "pick" for choice in offered)
    assert len(rows) <= 2


@many
@given(snapshots(), st.text(max_size=55))
def test_drafts_are_ignored(onlook, draft):
    assert controls_of(SHOWN, onlook, draft) == controls_of(SHOWN, onlook, "")
    assert question_of(SHOWN, onlook, draft) == question_of(SHOWN, onlook, "")
    assert SHOWN.picture(onlook, draft) == SHOWN.picture(onlook, "")


@many
@given(positions(), st.sampled_from((None, A, B)))
def test_taps_offer_each_seat_exactly_its_legal_moves(state, seat):
    taps = SHOWN.taps(snapshot("duel", state, seat=seat))

    assert [[choice.move for choice in block] for block in taps] == [
        [str(move) for move in DUEL.legal_moves(state, each)] for each in (A, B)
    ]


def test_no_taps_are_offered_after_the_end():
    assert list(SHOWN.taps(snapshot("duel", match(10)[-1]))) == [(), ()]
    assert list(SHOWN.taps(snapshot("duel", left(dealt(), A)))) == [(), ()]


def test_seven_tiles_are_in_two_rows_as_even_as_possible():
    rows = controls_of(SHOWN, snapshot("duel", dealt(14), seat=A), "")

    assert [len(row) for row in rows] == [4, 3]
