"""The habits of the player in playouts, which is the level `steady` of Spite and Malice."""

import pytest

from games.chance import Chance
from games.spite import SPITE
from games.spite.computer.player import STEADY, SpiteComputer
from tests.support.spite_states import position, side


def chosen(state):
    seat = state.on_turn
    return str(SpiteComputer().choose(SPITE.observe(state, seat), seat, STEADY, Chance("habit", 1)))


@pytest.mark.parametrize(
    ("mine", "piles", "move"),
    [
        (side(stock="2 K", hand="2 3 4 5 6"), ("A 2", "A 2 3 4 5 6"), "stock>f2"),
        (side(stock="2 K", hand="2 3 4 5 6"), ("A 2 3 4 5 6", "A 2"), "stock>f1"),
        (side(stock="2 K", hand="2 3 4 5 6"), (), "stock>new"),
        (side(stock="9 2", hand="J J Q 6 6", d1="A 9"), (), "Jx2>d2"),
        (side(stock="2 9", hand="K 7 7 7 7"), ("A 2 3 4 5 6",), "7>f1"),
        (side(stock="2 9", hand="K J J J J"), ("A 2 3 4 5 6 7",), "K>f1"),
        (side(stock="2 9", hand="K J J J J"), ("A 2 3 4 5",), "Jx4>d1"),
        (side(stock="2 9", hand="K J J J J"), ("A 2 3 4 5 6",), "K>f1"),
        (side(stock="9 4", hand="K J J J J", d1="7"), ("A 2 3 4 5 6",), "d1>f1"),
        (side(stock="9 4", hand="K J J 7 J", d1="7"), ("A 2 3 4 5 6",), "7>f1"),
        (side(stock="2 9", hand="4 4 J J J"), ("A 2 3",), "Jx3>d1"),
        (side(stock="2 9", hand="3 J J J J"), ("A 2",), "3>f1"),
        (side(stock="9 2", hand="J Q 6 10", d1="7", d2="5", d3="3", d4="3"), (), "6>d1"),
        (side(stock="2 9", hand="8 J", d1="8", d2="Q", d3="3", d4="3"), (), "J>d2"),
        (side(stock="9 2", hand="8 J", d1="8", d2="Q", d3="3", d4="3"), (), "8>d1"),
        (side(stock="2 9", hand="8 9", d1="8", d2="Q", d3="3", d4="3"), (), "8>d1"),
        (side(stock="2 9", hand="3 3", d1="8", d2="J", d3="Q", d4="Q"), (), "3x2>d2"),
        (side(stock="9 2", hand="3 3", d1="8", d2="J", d3="Q", d4="Q"), (), "3x2>d1"),
        (side(stock="9 2", hand="10 10", d1="Q J", d2="J", d3="3", d4="3"), (), "10x2>d2"),
        (side(stock="2 9", hand="J J Q 6 2", d1="6", d2="7", d3="J", d4="5"), (), "Jx2>d3"),
    ],
    ids=[
        "bars",
        "first",
        "starts",
        "buried",
        "tame",
        "wild",
        "too far",
        "barred",
        "barred by pile",
        "barred by hand",
        "feared",
        "far",
        "order",
        "wanted",
        "free",
        "alike",
        "uncovered",
        "covered",
        "low",
        "like",
    ],
)
def test_the_habits_are_as_described(mine, piles, move):
    """The opponent's stock card is a seven, which no foundation should get close to."""
    state = position(mine, side(stock="2 7", hand="5 5 6 6 8"), piles=piles)

    assert chosen(state) == move


def test_no_wild_card_is_spent_while_the_opponents_ace_fits_elsewhere():
    state = position(side(stock="2 9", hand="K J"), side(stock="2 A", hand="5"))

    assert chosen(state) == "J>d1"
