"""The board of Divide & Conquer as data (R10, R11)."""

from importlib.resources import files

import pytest

from games.conquest import LAYOUT, Battalion
from games.conquest.layout import NEIGHBORS, POSITIONS, closed_to, open_neighbors, read_layout
from tests.support.conquest_states import BLUE, GREEN, RED, YELLOW

TEXT = files("games.conquest").joinpath("layout.toml").read_text("utf-8")


def place(square):
    """Row and column of a square, from 0."""
    return LAYOUT.rows.index(square[0]), int(square[1:]) - 1


def steps(square, other):
    (a, b), (c, d) = place(square), place(other)
    return max(abs(a - c), abs(b - d))


def test_the_board_has_rows_a_to_j_and_columns_1_to_10():
    assert list(POSITIONS)[:11] == [*(f"A{i}" for i in range(1, 11)), "B1"]
    assert len(POSITIONS) == 100
    assert list(POSITIONS)[-1] == "J10"


def test_headquarters_and_objectives_are_where_the_ruling_puts_them():
    assert LAYOUT.headquarters == ("E5", "E6", "F6", "F5")
    assert LAYOUT.objectives == (
        ("A9", "G10", "J7", "I1"),
        ("I10", "J4", "G1", "A2"),
        ("J2", "D1", "A4", "B10"),
        ("B1", "A7", "D10", "J9"),
    )


@pytest.mark.parametrize("battalion", Battalion, ids=lambda b: b.color)
def test_objectives_are_4_4_5_and_5_steps_from_the_headquarters(battalion):
    headquarters = LAYOUT.headquarters[battalion]

    assert sorted(steps(headquarters, s) for s in LAYOUT.objectives[battalion]) == [4, 4, 5, 5]


@pytest.mark.parametrize(
    "turned",
    [
        pytest.param(lambda row, column: (column, 9 - row), id="a quarter turn"),
        pytest.param(lambda row, column: (row, 9 - column), id="left and right"),
        pytest.param(lambda row, column: (9 - row, column), id="top and bottom"),
        pytest.param(lambda row, column: (column, row), id="along the diagonal"),
    ],
)
def test_the_layout_has_all_symmetries_of_the_square(turned):
    def marks(battalion, change):
        headquarters = change(*place(LAYOUT.headquarters[battalion]))
        return headquarters, frozenset(change(*place(s)) for s in LAYOUT.objectives[battalion])

    assert {marks(b, turned) for b in Battalion} == {marks(b, lambda *at: at) for b in Battalion}


def test_all_eight_surrounding_squares_are_adjacent():
    assert NEIGHBORS["E5"] == ("D4", "D5", "D6", "E4", "E6", "F4", "F5", "F6")
    assert NEIGHBORS["C10"] == ("B9", "B10", "C9", "D9", "D10")
    assert NEIGHBORS["A1"] == ("A2", "B1", "B2")
    assert NEIGHBORS["J10"] == ("I9", "I10", "J9")


def test_marks_of_the_opponents_are_closed_and_those_of_the_partner_open():
    closed = dict(closed_to(4, RED))
    assert closed["E6"] == closed["A2"] == GREEN
    assert closed["F5"] == closed["B1"] == YELLOW
    assert len(closed) == 15
    assert BLUE not in closed_to(2, RED).values()
    assert YELLOW not in closed_to(3, RED).values()


def test_open_neighbors_are_the_neighbors_that_are_not_closed():
    assert open_neighbors(4, RED)["E5"] == ("D4", "D5", "D6", "E4", "F4")
    assert open_neighbors(3, RED)["E5"] == ("D4", "D5", "D6", "E4", "F4", "F5")
    assert open_neighbors(2, RED)["E5"] == ("D4", "D5", "D6", "E4", "F4", "F6")


def test_another_layout_can_be_read():
    larger = TEXT.replace('"ABCDEFGHIJ" # from the top', '"ABCDEFGHIJK"').replace("= 10", "= 99")

    layout = read_layout(larger)

    assert layout.squares()[-1] == "K99"
    assert layout.neighbors("K99") == ("J98", "J99", "K98")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('rows = "ABCDEFGHIJ"', "", "keys of a layout"),
        ("columns = 10", "columns = 10\ndepth = 2", "keys of a layout"),
        ('"ABCDEFGHIJ"', '"ABCDEFGHIA"', "different capital letters"),
        ('"ABCDEFGHIJ"', '"abcdefghij"', "different capital letters"),
        ('"ABCDEFGHIJ"', '""', "different capital letters"),
        ('"ABCDEFGHIJ"', '"ABCDEFGHIÄ"', "different capital letters"),
        ('"ABCDEFGHIJ"', '"ABCDEFGHI1"', "different capital letters"),
        ('"ABCDEFGHIJ"', "10", "different capital letters"),
        ("columns = 10", "columns = 0", "from 1 to 99"),
        ("columns = 10", "columns = 100", "from 1 to 99"),
        ("columns = 10", "columns = true", "from 1 to 99"),
        ("[north]", "[north]\ncolor = 'red'", r"keys of \[north\]"),
        ('headquarters = "E5"', "headquarters = 5", "which is no square"),
        ('headquarters = "E5"', 'headquarters = "K5"', "which is no square"),
        ('headquarters = "E5"', 'headquarters = "E6"', "marked twice"),
        ('"A9", ', '"G10", ', "marked twice"),
        ('"A9", ', "", "4 objectives"),
        ('["A9", "G10", "J7", "I1"]', '"A9"', "4 objectives"),
    ],
)
def test_a_nonsensical_layout_is_refused_with_a_sentence(old, new, sentence):
    assert old in TEXT

    with pytest.raises(ValueError, match=sentence):
        read_layout(TEXT.replace(old, new, 1))


def test_a_battalion_that_is_no_table_is_refused():
    west = TEXT.index("[west]")
    text = TEXT[:west].replace("columns = 10", "columns = 10\nwest = 1")

    with pytest.raises(ValueError, match=r"\[west\] must be a table"):
        read_layout(text)
