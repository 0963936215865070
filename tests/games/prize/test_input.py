"""Prize Dominoes: the notation, and what is refused."""

import pytest

from games import IllegalMoveError
from games.chance import Chance
from games.pico import Card
from games.prize import PRIZE, Choose, Draw, Open, Options, Pass, Place, Prize, Take
from tests.support.prize_states import A, B, play, table, won


class TestNotation:
    @pytest.mark.parametrize(
        ("move", "text"),
        [
            (Open((6, 4)), "6-4"),
            (Place((6, 4), "left"), "6-4 left"),
            (Place((5, 5), "right"), "5-5 right"),
            (Draw(), "draw"),
            (Choose("left"), "left"),
            (Choose("right"), "right"),
            (Prize((6, 4), "left"), "prize 6-4 left"),
            (Pass(), "pass"),
            (Take((6, 4)), "take 6-4"),
        ],
    )
    def test_a_move_is_written_with_the_higher_number_first_and_parsed_back(self, move, text):
        assert str(move) == text
        assert PRIZE.parse(text) == move

    @pytest.mark.parametrize(
        ("text", "move"),
        [
            ("4-6", Open((6, 4))),
            ("4-6 LEFT", Place((6, 4), "left")),
            ("  Prize 0 - 6   Right ", Prize((6, 0), "right")),
            ("TAKE 1-5", Take((5, 1))),
            (" Draw\n", Draw()),
            ("PASS", Pass()),
            (" Left", Choose("left")),
        ],
    )
    def test_a_move_is_parsed_in_either_order_and_leniently_in_case_and_spaces(self, text, move):
        assert PRIZE.parse(text) == move

    @pytest.mark.parametrize(
        "text",
        ["", "7-4", "6-4 up", "prize 6-4", "take 6-4 left", "6", "64", "draw 6-4", "9", "E5-9-D4",
         "left 6-4", "6-4-left", "-6-4", "6-4 left right", "prize", "٦-4"],
    )  # fmt: skip
    def test_any_other_text_is_refused_with_examples(self, text):
        with pytest.raises(
            ValueError,
            match=("isn't a move"),
        ):
            PRIZE.parse(text)


class TestBadInput:
    @pytest.mark.parametrize("limit", [0, -1, 2.5, "50", True, None])
    def test_the_hand_limit_is_a_whole_number_of_at_least_1(self, limit):
        with pytest.raises(
            ValueError, match="The hand limit is a whole number of hands, at least 1"
        ):
            Options(hand_limit=limit)

    @pytest.mark.parametrize("value", [1, None, "yes"])
    def test_the_pass_option_is_true_or_false(self, value):
        with pytest.raises(ValueError, match="is either True or False"):
            Options(pass_only_when_stock_is_empty=value)

    @pytest.mark.parametrize("seats", [0, 1, 3, 4])
    def test_the_game_is_for_two_players(self, seats):
        assert not PRIZE.fits(Options(), seats)
        with pytest.raises(ValueError, match="Prize Dominoes is for 2 players, not "):
            PRIZE.setup(Options(), seats, Chance("seed", 0))

    def test_a_move_of_another_game_is_refused(self):
        with pytest.raises(
            IllegalMoveError,
            match=("isn't a move"),
        ):
            PRIZE.check(table(a="6-4", b="1-1"), A, Card(9))

    def test_a_seat_that_is_not_awaited_is_refused(self):
        state = table(a="6-4", b="1-1")

        assert PRIZE.legal_moves(state, B) == ()
        with pytest.raises(IllegalMoveError, match="It's not your turn"):
            PRIZE.check(state, B, Open((1, 1)))

    def test_no_move_can_be_made_after_the_end(self):
        state = play(won(b="6-0", prizes=("1-0 3-2 5-4", "")), "take 6-0")

        assert PRIZE.legal_moves(state, A) == ()
        with pytest.raises(IllegalMoveError, match="This match is over"):
            PRIZE.check(state, A, Draw())

    @pytest.mark.parametrize("tile", [(4, 6), (9, 9)])
    def test_a_move_with_a_tile_outside_the_hand_is_refused(self, tile):
        with pytest.raises(IllegalMoveError, match="You don't have the "):
            PRIZE.check(table(a="6-4", b="1-1"), A, Open(tile))
