"""How the board is turned for each seat: its own side is at the bottom."""

import pytest

from bot.drawing.canvas import Canvas
from cogs.conquest.alt_text import describe
from cogs.conquest.orientation import arrow_of, place_of, turns_of
from cogs.conquest.pictures import draw_board
from cogs.conquest.scene import Scene
from games import Seat
from games.conquest import CONQUEST, LAYOUT, Battalion, Square
from tests.support.conquest_states import position

BY_SEAT = (Battalion.NORTH, Battalion.EAST, Battalion.SOUTH, Battalion.WEST)


def view(seats, seat):
    return CONQUEST.observe(position(seats), None if seat is None else Seat(seat))


def field_of(seats, seat):
    canvas = Canvas(750, 750)
    return draw_board(canvas, canvas.area, Scene(view=view(seats, seat)))


@pytest.mark.parametrize("seat", range(4))
def test_a_players_own_side_is_at_the_bottom(seat):
    field = field_of(4, seat)

    heights = {b: field.square(LAYOUT.headquarters[b]).top for b in BY_SEAT}
    assert heights[BY_SEAT[seat]] == max(heights.values())


@pytest.mark.parametrize("seat", [0, 1])
def test_a_team_has_one_of_its_sides_at_the_bottom(seat):
    field = field_of(2, seat)

    heights = {b: field.square(LAYOUT.headquarters[b]).top for b in BY_SEAT}
    own = view(2, seat).teams[seat]
    assert max(heights[b] for b in own) == max(heights.values())


def test_everybody_else_sees_the_board_as_printed():
    assert turns_of(view(4, None)) == 0
    assert place_of(Square("A1"), 0) == (0, 0)
    assert describe(Scene(view=view(4, None))).startswith(
        "Board 10 by 10, rows A to J from the top"
    )


@pytest.mark.parametrize("turns", range(4))
def test_each_square_has_its_own_place_and_neighbors_stay_neighbors(turns):
    places = {place_of(square, turns) for square in LAYOUT.squares()}

    assert places == {(row, column) for row in range(10) for column in range(10)}
    around = [f"{row}{column}" for row in "BCD" for column in (3, 4, 5)]
    around.remove("C4")
    assert len({arrow_of(Square("C4"), Square(name), turns) for name in around}) == 8


@pytest.mark.parametrize(
    ("seat", "letters", "numbers", "said"),
    [
        (0, "up", "left", "turned: rows J to A down, columns 10 to 1 across"),
        (1, "left", "down", "turned: columns 1 to 10 down, rows J to A across"),
        (2, "down", "right", "rows A to J from the top"),
        (3, "right", "up", "turned: columns 10 to 1 down, rows A to J across"),
    ],
)
def test_the_text_says_how_the_board_is_turned(seat, letters, numbers, said):
    field = field_of(4, seat)
    a1, j1, a10 = (field.square(Square(name)) for name in ("A1", "J1", "A10"))

    assert (direction(a1, j1), direction(a1, a10)) == (letters, numbers)
    assert f"10 by 10, {said}." in describe(Scene(view=view(4, seat)))


def direction(one, other):
    if one.left == other.left:
        return "down" if one.top < other.top else "up"
    return "right" if one.left < other.left else "left"
