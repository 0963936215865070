"""Prize Dominoes: passes, winning a hand, the end of a match, and leaving (R26-R28, R37, R38)."""

import pytest

from games import IllegalMoveError, Outcome, Seat
from games.chance import Chance
from games.prize import DOMINOES, PRIZE, HandResult, Options
from tests.support.prize_states import A, B, moves, play, refused, row, table, tiles, won


class TestPasses:
    """R27."""

    def test_two_passes_in_a_row_end_the_hand_and_fewer_pips_in_hand_win_it(self):
        state = play(table(line="6-4", a="2-1", b="1-1"), "pass", "pass")

        assert state.last == HandResult(number=1, winner=B, by="pips", pips=(3, 2), taken=None)
        assert PRIZE.awaiting(state) == {B}

    def test_fewer_pips_also_win_for_the_seat_that_passed_first(self):
        state = play(table(line="6-4", a="1-0", b="1-1"), "pass", "pass")

        assert state.last.winner == A
        assert state.last.by == "pips"

    @pytest.mark.parametrize("first", [A, B])
    def test_equal_pips_win_for_the_seat_that_passed_first(self, first):
        state = table(line="6-4", a="2-0", b="1-1", turn=first)

        state = play(state, "pass", "pass")

        assert (state.last.winner, state.last.by) == (first, "first pass")

    def test_equal_pips_win_for_the_seat_that_first_drew_a_tile_that_fits_nothing(self):
        state = table(line="6-4", a="2-1", b="5-0", stock="3-3 2-2")

        state = play(state, "draw", "draw")

        assert state.last.pips == (9, 9)
        assert (state.last.winner, state.last.by) == (A, "first pass")

    def test_prizes_do_not_count_as_pips(self):
        state = table(line="6-4", a="1-0", b="1-1", prizes=("5-5 3-3", ""))

        assert play(state, "pass", "pass").last.winner == A

    def test_draws_that_fit_nothing_are_passes_and_end_the_hand_even_with_a_stock(self):
        state = table(line="6-4", a="2-1", b="1-1", stock="3-3 5-5 6-6")

        state = play(state, "draw", "draw")

        assert state.last == HandResult(number=1, winner=A, by="pips", pips=(9, 12), taken=None)
        assert state.stock == tiles("6-6")

    def test_a_draw_that_fits_nothing_and_a_pass_are_two_passes(self):
        state = play(table(line="6-4", a="2-1", b="1-1", stock="3-3"), "draw", "pass")

        assert state.last.winner == B

    @pytest.mark.parametrize(
        ("texts", "fields"),
        [
            (["6-5 left"], {"b": "6-5 1-1"}),
            (["draw"], {"b": "1-1", "stock": "4-3"}),
            (["draw", "left"], {"b": "1-1", "stock": "6-4"}),
            (["prize 4-3 right"], {"b": "1-1", "prizes": ("", "4-3")}),
        ],
        ids=["from the hand", "from a draw", "from a draw that asked", "from the prizes"],
    )
    def test_any_tile_placed_resets_the_count_of_passes(self, texts, fields):
        state = table(line="6-4", a="2-1", turn=B, passes=1, **fields)

        state = play(state, *texts)

        assert state.passes == 0
        assert play(state, "pass").last is None

    def test_a_draw_that_asks_is_not_a_pass_yet(self):
        state = table(line="6-4", a="2-1", b="1-1", stock="6-4", turn=B, passes=1)

        asked = play(state, "draw")

        assert (asked.passes, asked.last) == (1, None)

    def test_with_the_option_a_draw_that_fits_nothing_is_not_a_pass(self):
        options = Options(pass_only_when_stock_is_empty=True)
        state = table(line="6-4", a="2-1", b="1-1", stock="3-3 5-5 6-6", options=options)

        state = play(state, "draw", "draw")

        assert (state.last, state.passes) == (None, 0)
        assert state.hands == (tiles("2-1 3-3"), tiles("1-1 5-5"))
        assert moves(state) == ["draw"]

    def test_with_the_option_two_passes_with_an_empty_stock_end_the_hand(self):
        options = Options(pass_only_when_stock_is_empty=True)
        state = table(line="6-4", a="2-1", b="1-1", stock="3-3", options=options)

        state = play(state, "draw", "pass")

        assert (state.last, state.passes) == (None, 1)
        assert play(state, "pass").last.winner == B


class TestWinning:
    """R26-R28: going out, the prize and the end of a match."""

    def test_a_seat_that_plays_its_last_tile_has_won_the_hand(self):
        state = play(table(line="6-4", a="4-1", b="1-1 5-5", stock="3-3"), "4-1 right")

        assert state.last == HandResult(number=1, winner=A, by="out", pips=(0, 12), taken=None)

    def test_the_winner_must_take_any_one_tile_of_the_losers_hand(self):
        state = won(b="1-1 5-5", stock="3-3", prizes=("4-3", ""))

        assert PRIZE.awaiting(state) == {A}
        assert moves(state) == ["take 1-1", "take 5-5"]

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("take 6-5", "6-5 isn't in your opponent's hand. Take one of 1-1, 5-5."),
            ("pass", "You won the hand. Write take and one of your opponent's tiles: 1-1, 5-5."),
            ("1-1", "You won the hand. Write take and one of your opponent's tiles: 1-1, 5-5."),
        ],
    )
    def test_the_winner_can_do_nothing_else(self, text, reason):
        assert refused(won(b="1-1 5-5"), text) == reason

    def test_the_tile_taken_joins_the_prizes_and_the_same_step_deals_the_next_hand(self):
        state = play(won(b="1-1 5-5", prizes=("4-3", "0-0"), passes=2), "take 5-5")

        assert state.prizes == (tiles("4-3 5-5"), tiles("0-0"))
        assert (state.number, state.line, state.passes) == (2, (), 0)
        assert [len(hand) for hand in state.hands] == [7, 7]
        assert state.last.taken == (5, 5)

    def test_the_next_hand_begins_with_no_events(self):
        state = play(table(line="6-4", a="4-1", b="1-1 5-5"), "4-1 right", "take 5-5")

        assert PRIZE.observe(state, None).events == ()

    def test_the_next_deal_is_drawn_with_the_chance_of_its_step(self):
        state = won(b="1-1 5-5")
        deals = {play(state, "take 5-5", seed=seed).hands for seed in "abc"}

        assert len(deals) == 3

    def test_all_numbers_from_0_to_6_in_prizes_win_the_match(self):
        state = won(b="6-0 1-1", prizes=("1-0 3-2 5-4", "6-6 0-0"))

        state = play(state, "take 6-0")

        assert PRIZE.awaiting(state) == frozenset()
        assert PRIZE.outcome(state) == Outcome(
            ranks=(1, 2), scores=(7, 2), reason="all numbers from 0 to 6 in prizes"
        )

    def test_both_rows_together_do_not_win(self):
        state = play(won(b="6-1 1-1", prizes=("3-2 5-4", "0-0")), "take 6-1")

        assert PRIZE.outcome(state) is None

    def test_a_win_takes_precedence_over_the_limit(self):
        """The winner would rank first at the limit as well; the reason shows the precedence."""
        options = Options(hand_limit=1)
        state = won(b="6-0", prizes=("1-0 3-2 5-4", "6-6"), options=options)

        assert PRIZE.outcome(play(state, "take 6-0")).reason == "all numbers from 0 to 6 in prizes"

    def test_the_limit_takes_precedence_over_the_pool(self):
        options = Options(hand_limit=1)
        mine = [tile for tile in DOMINOES if 6 not in tile]
        theirs = [tile for tile in DOMINOES if 6 in tile and 0 not in tile]
        prizes = (row(21, of=mine), row(5, of=theirs))

        state = play(won(winner=B, a="6-6", prizes=prizes, options=options), "take 6-6")

        assert "at the limit of 1 hand," in PRIZE.outcome(state).reason

    @pytest.mark.parametrize(
        ("prizes", "ranks", "scores", "reason"),
        [
            (("2-1", "3-3"), (1, 2), (3, 1), "more different numbers in prizes {}, 3 to 1"),
            (("", "4-3 2-2"), (2, 1), (2, 3), "more different numbers in prizes {}, 3 to 2"),
            (("1-1", "6-5"), (1, 2), (2, 2), "more prizes with equally many numbers {}, 2 to 1"),
            (("", "6-6 5-5"), (2, 1), (2, 2), "more prizes with equally many numbers {}, 2 to 1"),
            (("", "6-5"), (1, 1), (2, 2), "equally many numbers and prizes {}"),
        ],
    )
    def test_at_the_limit_more_numbers_win_then_more_prizes_and_otherwise_it_is_a_draw(
        self, prizes, ranks, scores, reason
    ):
        """Two is the lowest limit that is written in the plural."""
        state = won(b="1-0 4-4", prizes=prizes, number=2, options=Options(hand_limit=2))

        assert PRIZE.outcome(play(state, "take 1-0")) == Outcome(
            ranks=ranks, scores=scores, reason=reason.format("at the limit of 2 hands")
        )

    def test_before_the_limit_another_hand_is_dealt(self):
        state = won(b="1-0", number=2, options=Options(hand_limit=3))

        assert play(state, "take 1-0").number == 3

    def test_the_limit_applies_after_the_prize_of_the_last_hand_is_taken(self):
        state = won(b="1-0", number=3, options=Options(hand_limit=3))

        assert PRIZE.outcome(state) is None


class TestLeaving:
    """R37 and R38."""

    @pytest.mark.parametrize(("seat", "ranks"), [(A, (2, 1)), (B, (1, 2))])
    def test_a_player_who_leaves_ranks_last_and_scores_stay_as_they_are(self, seat, ranks):
        state = table(line="6-4", a="4-1", b="1-1", prizes=("2-1 3-3", "5-5"))

        state = PRIZE.concede(state, seat, Chance("seed", 1))

        assert PRIZE.awaiting(state) == frozenset()
        assert PRIZE.outcome(state) == Outcome(
            ranks=ranks, scores=(3, 1), reason="the other player has left"
        )

    def test_nobody_can_leave_twice_or_after_the_end(self):
        state = PRIZE.concede(table(a="4-1", b="1-1"), A, Chance("seed", 1))

        with pytest.raises(IllegalMoveError, match="This match is over"):
            PRIZE.concede(state, B, Chance("seed", 1))

    def test_a_seat_that_is_not_at_the_table_cannot_leave(self):
        with pytest.raises(IllegalMoveError, match="This seat isn't in the match"):
            PRIZE.concede(table(a="4-1", b="1-1"), Seat(2), Chance("seed", 1))

    def test_leaving_during_a_hand_opens_no_hand(self):
        state = PRIZE.concede(table(line="6-4", a="4-1", b="1-1"), A, Chance("seed", 1))

        assert PRIZE.observe(state, B).hands == (None, tiles("1-1"))

    @pytest.mark.parametrize(
        ("state", "first"),
        [
            (table(a="2-1 4-1", b="1-1"), "2-1"),
            (table(line="6-4", a="4-1 6-4", b="1-1"), "4-1 right"),
            (table(line="6-4", a="2-1", b="1-1", stock="3-3", prizes=("4-4", "")), "draw"),
            (table(line="6-4", a="2-1", b="1-1", prizes=("4-4", "")), "pass"),
            (table(line="6-4", a="2-1", b="1-1", asked=(6, 4)), "left"),
            (won(b="1-1 2-2"), "take 1-1"),
        ],
    )
    def test_a_seat_out_of_time_makes_the_first_legal_move(self, state, first):
        assert str(PRIZE.fallback(state, A, Chance("seed", 1))) == first == moves(state)[0]
