"""Spite and Malice: the notation, and why a move is refused."""

import pytest

from games.core import IllegalMoveError
from games.spite import SPITE, Discard, Draw, Play
from tests.support.spite_states import CHANCE, A, B, play, position, side


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("stock>f1", Play("stock", "f1")),
        ("d1>new", Play("d1", "new")),
        ("10>f12", Play("10", "f12")),
        ("A>new", Play("A", "new")),
        ("*>f3", Play("*", "f3")),
        ("7>d2", Discard("7", 1, "d2")),
        ("7x3>d2", Discard("7", 3, "d2")),
        ("10x2>d4", Discard("10", 2, "d4")),
        ("*x4>d1", Discard("*", 4, "d1")),
        ("draw", Draw()),
    ],
)
def test_a_move_is_written_as_source_and_target_and_parsed_back(text, move):
    assert str(move) == text
    assert SPITE.parse(text) == move


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (" STOCK > F1 ", "stock>f1"),
        ("k>NEW", "K>new"),
        ("7X3>D2", "7x3>d2"),
        ("7 x 3 > d2", "7x3>d2"),
        ("q\t>\nf 2", "Q>f2"),
        ("7 > d 2", "7>d2"),
        ("D\t1 > f1", "d1>f1"),
        ("10 x2 > d 1", "10x2>d1"),
        (" Draw ", "draw"),
        ("7\N{NO-BREAK SPACE}>\N{NARROW NO-BREAK SPACE}d2\N{IDEOGRAPHIC SPACE}", "7>d2"),
        ("7x1>d2", "7>d2"),
        ("D4>New", "d4>new"),
    ],
)
def test_case_and_spaces_do_not_matter(text, written):
    assert str(SPITE.parse(text)) == written


@pytest.mark.parametrize(
    "text",
    [
        "", " ", ">", "7", "7>", ">d1", "7>d5", "7>d0", "1>d1", "11>d1", "0>f1", "7>f0", "7>f01",
        "7>f100", "7x0>d1", "7x10>d1", "7x>d1", "x3>d1", "joker>f1", "stock", "draw>d1", "7>d1>d2",
        "7>f\u0661", "\uff17>d1", "K>neu", "pass", "d5>f1", "f1>d1", "7" * 5000, "7>d1\x00",
    ],
)  # fmt: skip
def test_any_other_text_is_refused_with_a_sentence(text):
    with pytest.raises(ValueError, match=r"isn't a move\. .*\.$"):
        SPITE.parse(text)


def test_only_one_card_goes_onto_a_foundation_at_a_time():
    with pytest.raises(
        ValueError,
        match=(r"Cards go onto a foundation one at a time\. Only discards take a number\.$"),
    ):
        SPITE.parse("7x3>f1")


@pytest.mark.parametrize("text", ["stock>d1", "d1>d2"])
def test_only_cards_in_hand_can_be_discarded(text):
    with pytest.raises(
        ValueError, match=("You can only discard cards from your hand, for example 7>d2")
    ):
        SPITE.parse(text)


def refusal(move, **options):
    mine = side(stock="9 6", hand="2 2 8 J", d1="4 3")
    state = position(mine, piles=("A", "A 2 3 4 5 6 7"), **options)
    with pytest.raises(IllegalMoveError) as refused:
        SPITE.check(state, A, move)
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("7>f1", "You don't have a 7; your hand is 2, 2, 8, J."),
        ("K>new", "You don't have a king; your hand is 2, 2, 8, J."),
        ("A>new", "You don't have an ace; your hand is 2, 2, 8, J."),
        ("*>new", "You don't have a joker; your hand is 2, 2, 8, J."),
        ("d2>f1", "Your discard pile d2 is empty."),
        ("8>new", "A new foundation starts with an ace or a wild card, not with an 8."),
        ("J>f1", "The foundation f1 needs a 2 or a wild card, not a jack."),
        ("stock>f2", "The foundation f2 needs an 8 or a wild card, not a 6."),
        ("8>f3", "You can't play there: only f1 to f2 are on the table."),
        ("2x3>d1", "You only have 2 of the rank 2, not 3."),
        ("7>d1", "You don't have a 7; your hand is 2, 2, 8, J."),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_would_be_right(text, sentence):
    assert refusal(SPITE.parse(text)) == sentence


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (
            Play("hand", "f1"),
            (
                "Play from stock, from a discard pile (d1 to d4), or a card from your hand by its "
                "rank."
            ),
        ),
        (Play("2", "d1"), "only f1 to f2 are"),
        (Play("2", "f0"), "only f1 to f2 are"),
        (Play("2", "f01"), "only f1 to f2 are"),
        (Play("2", "f\u0661"), "only f1 to f2 are"),
        (Play("2", "fx"), "only f1 to f2 are"),
        (Play("2", "f" + "9" * 5000), "only f1 to f2 are"),
        (Play("2", ""), "only f1 to f2 are"),
        (Discard("2", 1, "d5"), "onto d1, d2, d3 or d4"),
        (Discard("2", 0, "d1"), "Discard one or more cards"),
        (Discard("2", -1, "d1"), "Discard one or more cards"),
        ("2>f1", "a source and a target"),
        (None, "a source and a target"),
    ],
    ids=repr,
)
def test_a_move_that_no_text_can_mean_is_refused_too(move, words):
    text = refusal(move)

    assert words in text
    assert text.endswith(".")


@pytest.mark.parametrize(
    ("piles", "words"), [((), ("there are no foundations")), (("A",), "only f1 is")]
)
def test_the_refusal_says_which_foundations_there_are(piles, words):
    with pytest.raises(IllegalMoveError, match=words):
        play(position(side(hand="9 8"), piles=piles), "9>f4")


def test_the_refusal_says_that_the_hand_is_empty():
    with pytest.raises(IllegalMoveError, match=r"You don't have a 9; your hand is empty\."):
        play(position(side(hand="", stock="9 A"), source=""), "9>d1")


def test_a_seat_that_is_not_on_turn_cannot_move():
    state = position(side(hand="9 8"))

    assert SPITE.legal_moves(state, B) == ()
    with pytest.raises(IllegalMoveError, match="It's your opponent's turn"):
        SPITE.check(state, B, SPITE.parse("5>d1"))


def test_no_move_can_be_made_after_the_end():
    state = SPITE.concede(position(side(hand="9 8")), A, CHANCE)

    assert SPITE.legal_moves(state, A) == ()
    with pytest.raises(IllegalMoveError, match="This match is over"):
        SPITE.check(state, A, SPITE.parse("9>d1"))
