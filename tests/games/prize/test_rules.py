"""Prize Dominoes: the deal and the turns of a hand (R24-R26)."""

import pytest

from games import Outcome
from games.chance import Chance
from games.prize import DOMINOES, PRIZE, HandResult, Options
from tests.support.prize_states import A, B, moves, play, refused, row, table, tiles, won


class TestDeal:
    """R24."""

    def test_each_seat_is_dealt_seven_and_the_rest_is_the_stock(self):
        state = PRIZE.setup(Options(), 2, Chance("seed", 0))

        assert [len(hand) for hand in state.hands] == [7, 7]
        assert sorted((*state.hands[A], *state.hands[B], *state.stock)) == list(DOMINOES)

    def test_the_first_leader_is_random(self):
        leaders = [PRIZE.setup(Options(), 2, Chance(str(n), 0)).leader for n in range(200)]

        assert 70 < sum(leaders) < 130

    def test_the_leader_moves_first(self):
        states = [PRIZE.setup(Options(), 2, Chance(str(n), 0)) for n in range(9)]

        assert [PRIZE.awaiting(s) for s in states] == [frozenset({s.leader}) for s in states]

    @pytest.mark.parametrize("winner", [A, B])
    @pytest.mark.parametrize("by", ["out", "pips", "first pass"])
    def test_the_loser_of_a_hand_leads_the_next(self, winner, by):
        hands = {"a": "", "b": "5-3"} if winner == A else {"a": "5-3", "b": ""}

        state = play(won(winner=winner, by=by, **hands), "take 5-3")

        assert (state.number, state.leader) == (2, 1 - winner)
        assert PRIZE.awaiting(state) == {1 - winner}

    @pytest.mark.parametrize(
        ("prizes", "size", "stock"),
        [(1, 7, 13), (13, 7, 1), (14, 7, 0), (15, 6, 1), (16, 6, 0), (25, 1, 1), (26, 1, 0)],
    )
    def test_prizes_are_left_out_of_the_deal_and_hands_are_as_large_as_possible(
        self, prizes, size, stock
    ):
        """13 dominoes are left (15 prizes): six each, and the odd one is the stock."""
        *before, taken = DOMINOES[:prizes]
        state = won(b=row(1, of=[taken]), prizes=("", row(len(before), of=before)))

        state = play(state, f"take {row(1, of=[taken])}")

        assert [len(hand) for hand in state.hands] == [size, size]
        assert len(state.stock) == stock
        assert {*state.hands[A], *state.hands[B], *state.stock} == set(DOMINOES[prizes:])

    def test_tiles_played_or_held_in_one_hand_are_in_the_pool_of_the_next(self):
        state = won(b="5-3 5-4", stock="1-1", prizes=("0-0", ""))

        state = play(state, "take 5-3")

        assert {*state.hands[A], *state.hands[B], *state.stock} == {*DOMINOES} - {(0, 0), (5, 3)}

    def test_with_fewer_than_two_tiles_to_deal_the_match_ends_as_at_the_limit(self):
        """27 tiles are held as prizes, and neither row has all seven numbers."""
        mine = [tile for tile in DOMINOES if 6 not in tile]
        theirs = [tile for tile in DOMINOES if 6 in tile and 0 not in tile]
        state = won(
            winner=B,
            a="6-6",
            prizes=(row(21, of=mine), row(5, of=theirs)),
        )

        state = play(state, "take 6-6")

        assert PRIZE.awaiting(state) == frozenset()
        assert PRIZE.outcome(state) == Outcome(
            ranks=(1, 2),
            scores=(6, 6),
            reason="more prizes with equally many numbers with too few tiles left to deal, 21 to 6",
        )


class TestOpening:
    """R25 and R26."""

    def test_any_tile_of_the_hand_can_open_and_nothing_else(self):
        state = table(a="2-1 4-4 6-4", b="1-1", stock="3-3", prizes=("5-5", ""))

        assert moves(state) == ["2-1", "4-4", "6-4"]

    def test_the_opening_tile_has_its_higher_number_at_the_left_end(self):
        state = play(table(a="2-1 6-4", b="1-1"), "6-4")

        assert state.line == ((6, 4),)
        assert PRIZE.observe(state, None).ends == (6, 4)

    def test_after_the_opening_the_opponent_moves(self):
        state = play(table(a="2-1 6-4", b="1-1"), "6-4")

        assert PRIZE.awaiting(state) == {B}

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("5-4", "You don't have the 5-4. Open with one of 2-1, 6-4."),
            ("6-4 left", "You open the line: name one of your tiles and no end. You have "),
            ("draw", "You open the line: name one of your tiles and no end. You have "),
            ("pass", "You open the line: name one of your tiles and no end. You have "),
            ("prize 5-5 left", "You open the line: name one of your tiles and no end. You have "),
            ("left", "You open the line: name one of your tiles and no end. You have "),
            ("take 1-1", "You open the line: name one of your tiles and no end. You have "),
        ],
    )
    def test_another_move_is_not_an_opening(self, text, reason):
        state = table(a="2-1 6-4", b="1-1", stock="3-3", prizes=("5-5", ""))

        assert reason in refused(state, text)

    def test_a_hand_of_one_tile_is_won_by_its_opening(self):
        state = play(table(a="6-4", b="1-1"), "6-4")

        assert state.last == HandResult(number=1, winner=A, by="out", pips=(0, 2), taken=None)


class TestPlacing:
    """R25: what fits must be played, and how it is placed."""

    def test_only_tiles_of_the_hand_are_legal_while_one_fits(self):
        state = table(line="6-4", a="2-1 4-1", b="1-1", stock="3-3", prizes=("6-6", ""))

        assert moves(state) == ["4-1 right"]

    @pytest.mark.parametrize("text", ["draw", "pass", "prize 6-6 left"])
    @pytest.mark.parametrize("stock", ["3-3", ""])
    def test_nothing_else_can_be_done_while_a_tile_of_the_hand_fits(self, text, stock):
        state = table(line="6-4", a="2-1 4-1", b="1-1", stock=stock, prizes=("6-6", ""))

        assert refused(state, text) == (
            "You have a tile that fits, so you must play one, for example 4-1 right."
        )

    @pytest.mark.parametrize(
        ("line", "text", "after"),
        [
            ("5-4", "6-4 right", "5-4 4-6"),
            ("4-5", "6-4 left", "6-4 4-5"),
            ("6-5", "6-4 left", "4-6 6-5"),
            ("5-6", "6-4 right", "5-6 6-4"),
            ("4-6", "6-4 left", "6-4 4-6"),
            ("4-6", "6-4 right", "4-6 6-4"),
            ("4-5", "4-4 left", "4-4 4-5"),
            ("5-4", "4-4 right", "5-4 4-4"),
        ],
    )
    def test_a_tile_is_joined_at_the_matching_number_and_leaves_the_other_open(
        self, line, text, after
    ):
        state = play(table(line=line, a="4-4 6-4 2-1", b="1-1"), text)

        assert state.line == tiles(after)

    def test_a_tile_with_both_numbers_can_be_played_at_either_end(self):
        state = table(line="6-4", a="6-4 2-1", b="1-1")

        assert moves(state) == ["6-4 left", "6-4 right"]

    def test_only_right_is_legal_if_both_ends_show_the_same_number(self):
        state = table(line="4-6 6-4", a="4-1 4-4", b="1-1")

        assert moves(state) == ["4-1 right", "4-4 right"]
        assert refused(state, "4-1 left") == ("Both ends show 4, so play right.")

    def test_doubles_allow_no_branches(self):
        state = play(table(line="5-6 6-6", a="6-1 2-1", b="1-1"), "6-1 right")

        assert PRIZE.observe(state, A).ends == (5, 1)

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("4-3 right", "The 4-3 isn't in your hand, which has 2-1, 4-1."),
            ("2-1 left", "The 2-1 fits neither end: the line ends in 6 and 4."),
            ("4-1 left", "The 4-1 doesn't fit the end that shows 6. Play right."),
            ("4-3", "The 4-3 isn't in your hand, which has 2-1, 4-1."),
            ("2-1", "The 2-1 fits neither end: the line ends in 6 and 4."),
            ("4-1", "Name the end too: 4-1 right."),
            ("left", "Name the tile as well as the end"),
            ("take 1-1", "You can't take a prize yet: this hand isn't over."),
        ],
    )
    def test_a_tile_that_does_not_fit_there_is_refused_with_the_reason(self, text, reason):
        state = table(line="6-4", a="2-1 4-1", b="1-1")

        assert reason in refused(state, text)

    def test_a_tile_without_its_end_is_refused_with_every_end_that_it_fits(self):
        state = table(line="6-4", a="6-4", b="1-1")

        assert refused(state, "6-4") == "Name the end too: 6-4 left or 6-4 right."

    def test_a_tile_for_the_left_end_cannot_be_played_at_the_right(self):
        state = table(line="6-4", a="6-1", b="1-1")

        assert refused(state, "6-1 right") == "The 6-1 doesn't fit the end that shows 4. Play left."


class TestDrawing:
    """R25 and R26: nothing in the hand fits."""

    def test_with_a_stock_a_player_draws_or_plays_a_fitting_prize_and_cannot_pass(self):
        state = table(line="6-4", a="2-1", b="1-1", stock="3-3", prizes=("5-5 4-3 6-4", "6-6"))

        assert moves(state) == ["draw", "prize 4-3 right", "prize 6-4 left", "prize 6-4 right"]
        assert refused(state, "pass") == (
            "The stock isn't empty. Draw from it, or play one of your prizes that fits."
        )

    def test_without_a_stock_a_player_passes_or_plays_a_fitting_prize(self):
        state = table(line="6-4", a="2-1", b="1-1", prizes=("5-5 4-3", "6-6"))

        assert moves(state) == ["pass", "prize 4-3 right"]
        assert refused(state, "draw") == (
            "The stock is empty. Pass, or play one of your prizes that fits."
        )

    @pytest.mark.parametrize(("stock", "only"), [("3-3", "draw"), ("", "pass")])
    def test_a_turn_with_only_one_legal_move_is_still_a_step(self, stock, only):
        state = play(table(line="6-5", a="5-4 2-1", b="1-0 1-1", stock=stock), "5-4 right")

        assert PRIZE.awaiting(state) == {B}
        assert moves(state) == [only]

    @pytest.mark.parametrize(
        ("drawn", "after"),
        [("4-3", "6-4 4-3"), ("6-6", "6-6 6-4"), ("6-3", "3-6 6-4")],
    )
    def test_a_drawn_tile_that_fits_one_end_is_placed_in_the_same_step(self, drawn, after):
        state = play(table(line="6-4", a="2-1", b="1-1", stock=f"{drawn} 5-5"), "draw")

        assert state.line == tiles(after)
        assert state.stock == tiles("5-5")
        assert state.hands[A] == tiles("2-1")
        assert PRIZE.awaiting(state) == {B}

    def test_a_drawn_tile_goes_right_without_asking_if_both_ends_show_the_same_number(self):
        state = play(table(line="4-6 6-4", a="2-1", b="1-1", stock="4-3"), "draw")

        assert state.line == tiles("4-6 6-4 4-3")
        assert PRIZE.awaiting(state) == {B}

    def test_a_drawn_tile_that_fits_two_different_ends_asks_the_same_seat(self):
        state = play(table(line="6-4", a="2-1", b="1-1", stock="6-4 5-5"), "draw")

        assert PRIZE.awaiting(state) == {A}
        assert moves(state) == ["left", "right"]
        assert state.hands[A] == tiles("2-1")

    @pytest.mark.parametrize(("text", "after"), [("left", "4-6 6-4"), ("right", "6-4 4-6")])
    def test_the_answer_places_the_drawn_tile_and_ends_the_turn(self, text, after):
        state = play(table(line="6-4", a="2-1", b="1-1", stock="6-4 5-5"), "draw", text)

        assert state.line == tiles(after)
        assert state.asked is None
        assert PRIZE.awaiting(state) == {B}

    @pytest.mark.parametrize("text", ["6-4 left", "draw", "pass", "prize 6-6 left", "6-4"])
    def test_the_question_about_a_drawn_tile_can_be_answered_only_with_an_end(self, text):
        asked = play(
            table(line="6-4", a="2-1", b="1-1", stock="6-4 5-5", prizes=("6-6", "")), "draw"
        )

        assert refused(asked, text) == "The 6-4 you drew fits both ends. Choose left or right."

    def test_only_one_tile_is_drawn_in_a_turn_and_one_that_fits_nothing_ends_it(self):
        """No prize can be played after it either."""
        state = table(line="6-4", a="2-1", b="1-1", stock="3-3 6-6", prizes=("6-5", ""))

        state = play(state, "draw")

        assert state.hands[A] == tiles("2-1 3-3")
        assert state.stock == tiles("6-6")
        assert PRIZE.awaiting(state) == {B}

    def test_a_tile_drawn_and_kept_can_be_played_later(self):
        state = table(line="6-4", a="2-1", b="4-3 1-1", stock="3-3 6-6")

        state = play(state, "draw", "4-3 right")

        assert moves(state) == ["3-3 right"]

    def test_a_draw_does_not_win_with_the_last_tile_in_hand(self):
        state = play(table(line="6-4", a="2-1", b="1-1", stock="4-3"), "draw")

        assert state.last is None


class TestPrizes:
    """R25, R26: playing prizes."""

    def test_a_prize_is_played_with_the_word_prize_and_leaves_the_row(self):
        state = table(line="6-4", a="2-1", b="1-1", stock="3-3", prizes=("5-5 4-3", "6-6"))

        state = play(state, "prize 4-3 right")

        assert state.line == tiles("6-4 4-3")
        assert state.prizes == (tiles("5-5"), tiles("6-6"))
        assert state.hands[A] == tiles("2-1")
        assert PRIZE.awaiting(state) == {B}

    def test_a_played_prize_is_in_the_pool_of_the_next_hand(self):
        state = table(line="6-4", a="2-1 3-0", b="4-4 1-1", prizes=("5-5 4-3", ""))

        state = play(state, "prize 4-3 right", "pass", "3-0 right", "pass", "pass", "take 4-4")

        assert state.prizes == (tiles("5-5 4-4"), ())
        assert {*state.hands[A], *state.hands[B], *state.stock} == {*DOMINOES} - {(5, 5), (4, 4)}

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("prize 6-6 left", "The 6-6 isn't in your prize row, which has 5-5, 4-3."),
            ("prize 5-5 left", "The 5-5 fits neither end: the line ends in 6 and 4."),
            ("prize 4-3 left", "The 4-3 doesn't fit the end that shows 6. Play right."),
        ],
    )
    def test_only_a_players_own_prize_that_fits_there_can_be_played(self, text, reason):
        state = table(line="6-4", a="2-1", b="1-1", stock="3-3", prizes=("5-5 4-3", "6-6"))

        assert refused(state, text) == reason

    def test_no_prize_can_be_played_from_an_empty_row(self):
        state = table(line="6-4", a="2-1", b="1-1", stock="3-3")

        assert refused(state, "prize 6-6 left") == (
            "The 6-6 isn't in your prize row, which has nothing."
        )

    def test_a_prize_goes_right_if_both_ends_show_the_same_number(self):
        state = table(line="4-6 6-4", a="2-1", b="1-1", stock="3-3", prizes=("4-3", ""))

        assert moves(state) == ["draw", "prize 4-3 right"]
        assert ", so play right." in refused(state, "prize 4-3 left")


class TestForced:
    """R26."""

    @pytest.mark.parametrize(
        ("state", "plays_itself"),
        [
            (table(line="6-4", a="2-1", b="1-1", stock="3-3"), True),
            (table(line="6-4", a="2-1", b="1-1"), True),
            (table(a="2-1", b="1-1"), True),
            (won(b="6-3"), True),
            (table(line="6-4", a="6-1 2-1", b="1-1", stock="3-3"), False),
            (table(line="6-4", a="6-1", b="1-1", stock="3-3"), False),
        ],
        ids=["draw", "pass", "open", "take", "tile", "last tile"],
    )
    def test_every_forced_move_but_a_tile_of_a_hidden_hand_plays_itself(self, state, plays_itself):
        (move,) = PRIZE.legal_moves(state, A)

        assert PRIZE.plays_forced_moves
        assert PRIZE.is_openly_forced(state, A, move) is plays_itself


class TestHidden:
    """R28."""

    @pytest.mark.parametrize(
        ("state", "shown"),
        [
            (table(line="6-4", a="6-1 2-1", b="1-1", stock="3-3"), True),
            (table(line="6-4", a="2-1", b="1-1", stock="3-3"), True),
            (table(line="6-4", a="2-1", b="1-1", asked=(6, 4)), True),
            (won(b="6-3"), True),
            (table(line="6-4", a="6-1 2-1", b="1-1"), False),
            (table(line="6-4", a="2-1", b="1-1"), False),
        ],
        ids=["tile", "draw", "drawn", "take", "tile without a stock", "pass"],
    )
    def test_a_step_shows_nothing_hidden_only_if_everybody_can_infer_both_hands(self, state, shown):
        assert PRIZE.shows_hidden(state, A, PRIZE.legal_moves(state, A)[0]) is shown
