"""Prize Dominoes: what everybody sees, and what stays secret (R28)."""

from dataclasses import replace

import pytest

from games.chance import Chance
from games.prize import PRIZE, HandResult, Options
from tests.support.prize_states import A, B, play, table, tiles, won


class TestView:
    """R28: what is public, and what is secret."""

    RUNNING = table(line="6-4", a="2-1 4-1", b="1-1 5-5", stock="3-3 6-6 5-4", prizes=("0-0", ""))
    ASKED = table(line="6-4", a="2-1", b="1-1 5-5", stock="3-3 6-6", asked=(6, 4), leader=B)

    @pytest.mark.parametrize("seat", [A, None])
    def test_only_seat_b_sees_its_hand(self, seat):
        other = replace(self.RUNNING, hands=(self.RUNNING.hands[A], tiles("5-2 5-3")))

        assert PRIZE.observe(self.RUNNING, seat) == PRIZE.observe(other, seat)
        assert PRIZE.observe(self.RUNNING, B).hands == (None, tiles("1-1 5-5"))

    @pytest.mark.parametrize("seat", [B, None])
    def test_only_seat_a_sees_its_hand(self, seat):
        other = replace(self.RUNNING, hands=(tiles("5-2 5-3"), self.RUNNING.hands[B]))

        assert PRIZE.observe(self.RUNNING, seat) == PRIZE.observe(other, seat)
        assert PRIZE.observe(self.RUNNING, A).hands == (tiles("2-1 4-1"), None)

    @pytest.mark.parametrize("seat", [A, B, None])
    @pytest.mark.parametrize("state", [RUNNING, ASKED, won(b="1-1", stock="3-3 6-6 5-4")])
    def test_nobody_sees_the_stock(self, state, seat):
        other = replace(state, stock=tiles("5-1 5-2 5-3")[: len(state.stock)])

        assert PRIZE.observe(state, seat) == PRIZE.observe(other, seat)

    @pytest.mark.parametrize("seat", [B, None])
    def test_only_its_drawer_sees_a_tile_that_is_asked_about(self, seat):
        other = replace(self.ASKED, asked=(5, 3))

        assert PRIZE.observe(self.ASKED, seat) == PRIZE.observe(other, seat)
        assert PRIZE.observe(self.ASKED, A).asked == (6, 4)

    @pytest.mark.parametrize("leaver", [A, B])
    @pytest.mark.parametrize("seat", [B, None])
    def test_a_tile_that_is_asked_about_stays_secret_if_a_seat_leaves(self, seat, leaver):
        left = PRIZE.concede(self.ASKED, leaver, Chance("seed", 1))
        other = replace(left, asked=(5, 3))

        assert PRIZE.observe(left, seat) == PRIZE.observe(other, seat)

    def test_a_tile_that_is_asked_about_counts_for_neither_stock_nor_hand(self):
        state = play(table(line="6-4", a="2-1", b="1-1 5-5", stock="6-4 3-3 6-6"), "draw")
        view = PRIZE.observe(state, None)

        assert view.asks
        assert (view.stock, view.held) == (2, (1, 2))

    @pytest.mark.parametrize("seat", [A, B, None])
    def test_everybody_knows_that_a_drawn_tile_is_asked_about(self, seat):
        assert PRIZE.observe(self.ASKED, seat).asks
        assert not PRIZE.observe(self.RUNNING, seat).asks

    @pytest.mark.parametrize("seat", [B, None])
    def test_a_tile_that_was_drawn_and_kept_is_not_shown(self, seat):
        state = table(line="6-4", a="2-1", b="1-1", stock="3-3 6-6")
        other = replace(state, stock=tiles("5-5 6-6"))

        views = [PRIZE.observe(play(s, "draw"), seat) for s in (state, other)]

        assert views[0] == views[1]
        assert views[0].held == (2, 1)

    def test_a_tile_that_was_just_kept_is_last_in_the_hand_that_its_owner_sees(self):
        state = play(table(line="6-4", a="2-1 5-5", b="1-1", stock="3-3 6-6"), "draw")

        assert PRIZE.observe(state, A).hands[A] == tiles("2-1 5-5 3-3")

    @pytest.mark.parametrize("seat", [A, B, None])
    def test_after_the_end_of_a_hand_both_hands_are_public(self, seat):
        state = play(table(line="6-4", a="4-1", b="1-1 5-5", stock="3-3"), "4-1 right")

        assert PRIZE.observe(state, seat).hands == ((), tiles("1-1 5-5"))

    @pytest.mark.parametrize("seat", [A, B, None])
    def test_open_hands_do_not_reveal_which_tile_was_drawn(self, seat):
        state = play(table(line="6-4", a="3-3", b="2-2", stock="2-1 1-1"), "draw", "draw")

        assert PRIZE.observe(state, seat).hands == (tiles("2-1 3-3"), tiles("1-1 2-2"))

    @pytest.mark.parametrize("seat", [A, B, None])
    def test_the_losers_hand_does_not_reveal_a_drawn_tile_if_the_winner_goes_out(self, seat):
        state = table(line="6-4", a="4-1", b="5-5", stock="2-2", turn=B)

        state = play(state, "draw", "4-1 right")

        assert PRIZE.observe(state, seat).hands == ((), tiles("2-2 5-5"))

    @pytest.mark.parametrize("seat", [A, B, None])
    def test_hands_stay_public_after_the_match(self, seat):
        state = play(won(b="6-0 1-1", prizes=("1-0 3-2 5-4", "")), "take 6-0")

        assert PRIZE.observe(state, seat).hands == ((), tiles("1-1"))

    def test_the_next_deal_hides_both_hands_again(self):
        state = play(won(b="6-0 1-1"), "take 6-0")

        assert PRIZE.observe(state, None).hands == (None, None)

    def test_the_view_has_the_events_of_the_hand_and_the_ends_they_met(self):
        state = table(a="6-4 2-1 2-2", b="1-1 5-5 4-3", stock="3-0 6-6 6-0 3-1", prizes=("6-5", ""))
        first = ("6-4", "4-3 right", "draw", "draw", "draw", "right")

        state = play(state, *first, "draw", "prize 6-5 right", "5-5 right", "pass")

        told = [(e.seat, e.deed, e.ends, e.tile, e.end) for e in PRIZE.observe(state, None).events]
        assert told == [
            (A, "open", None, (6, 4), None),
            (B, "hand", (6, 4), (4, 3), "right"),
            (A, "drawn", (6, 3), (3, 0), "right"),
            (B, "drawn", (6, 0), (6, 6), "left"),
            (A, "asks", (6, 0), None, None),
            (A, "drawn", (6, 0), (6, 0), "right"),
            (B, "kept", (6, 6), None, None),
            (A, "prize", (6, 6), (6, 5), "right"),
            (B, "hand", (6, 5), (5, 5), "right"),
            (A, "pass", (6, 5), None, None),
        ]

    def test_the_view_has_counts_ends_and_what_the_prizes_lack(self):
        view = PRIZE.observe(play(replace(self.RUNNING, leader=A), "4-1 right"), None)

        assert (view.held, view.stock, view.passes) == ((1, 2), 3, 0)
        assert (view.line, view.ends) == (tiles("6-4 4-1"), (6, 1))
        assert view.prizes == (((0, 0),), ())
        assert view.missing == ((1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5, 6))
        assert (view.number, view.leader, view.turn, view.awaiting) == (1, A, B, (B,))
        assert (view.options, view.last, view.outcome) == (Options(), None, None)

    def test_the_view_counts_the_passes_in_a_row(self):
        state = play(table(line="6-4", a="2-1", b="1-1"), "pass")

        assert PRIZE.observe(state, None).passes == 1

    def test_after_the_next_deal_the_view_still_says_how_the_last_hand_ended(self):
        state = play(table(line="6-4", a="4-1", b="1-1 5-5"), "4-1 right", "take 5-5")

        assert PRIZE.observe(state, None).last == HandResult(
            number=1, winner=A, by="out", pips=(0, 12), taken=(5, 5)
        )
