"""The layout of a line of tiles: within its area, touching each other, and never overlapping."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.drawing.box import Box
from cogs.prize.line_layout import lay_out
from tests.support.prize_snapshots import (
    longest_line,
)

many = settings(max_examples=200, deadline=None, derandomize=True)


AREA = Box(160, 300, 1008, 276)


lines = st.integers(1, 27).flatmap(
    lambda count: st.integers(0, 27 - count).map(lambda at: longest_line()[at : at + count])
)


areas = st.tuples(st.integers(900, 1100), st.integers(180, 460)).map(
    lambda size: Box(100, 100, *size)
)


def side_of(shape):
    """The side of a square, which is half a tile, in pixels."""
    return shape.left.height


def squares(shape):
    """The two squares of each tile, in the order of the line, with their numbers."""
    side = side_of(shape)
    for laid in shape.tiles:
        box = laid.box
        halves = (
            (Box(box.left, box.top, side, side), laid.halves[0]),
            (Box(box.right - side, box.bottom - side, side, side), laid.halves[1]),
        )
        yield halves


@many
@given(lines, areas)
def test_a_line_of_any_length_is_within_its_area(line, area):
    shape = lay_out(line, area, 96)

    for box in (shape.left, shape.right, *(laid.box for laid in shape.tiles)):
        assert area.left <= box.left
        assert box.right <= area.right
        assert area.top <= box.top
        assert box.bottom <= area.bottom
    assert side_of(shape) >= 30


@many
@given(lines, areas)
def test_no_two_tiles_overlap(line, area):
    shape = lay_out(line, area, 96)

    places = [(box.left, box.top) for both in squares(shape) for box, _ in both]
    places += [
        (shape.left.right - side_of(shape), shape.left.top),
        (shape.right.left, shape.right.top),
    ]
    assert len(set(places)) == len(places)


@many
@given(lines, areas)
def test_neighbors_touch_with_the_numbers_that_join_them(line, area):
    shape = lay_out(line, area, 96)

    for one, two in pairwise(squares(shape)):
        touching = [
            (number, other)
            for box, number in one
            for place, other in two
            if abs(box.left - place.left) + abs(box.top - place.top) == side_of(shape)
            and number == other
        ]
        assert touching


@many
@given(lines, areas)
def test_the_open_ends_are_where_their_signs_are(line, area):
    shape = lay_out(line, area, 96)

    first = {(box.left, box.top): number for box, number in next(iter(squares(shape)))}
    last = {(box.right, box.top): number for box, number in list(squares(shape))[-1]}
    assert first[shape.left.right, shape.left.top] == line[0][0]
    assert last[shape.right.left, shape.right.top] == line[-1][1]
    assert shape.left.right <= shape.right.left or len(line) > 5


@many
@given(lines, areas)
def test_every_tile_keeps_its_numbers(line, area):
    shape = lay_out(line, area, 96)

    assert [sorted(laid.halves) for laid in shape.tiles] == [sorted(tile) for tile in line]


def test_a_short_line_is_in_one_row():
    shape = lay_out(longest_line()[:5], AREA, 96)

    assert len({laid.box.top for laid in shape.tiles}) == 1
    assert [laid.halves for laid in shape.tiles] == list(longest_line()[:5])


def test_a_long_line_is_folded_and_its_tiles_stay_large():
    shape = lay_out(longest_line(), AREA, 96)

    assert len({laid.box.top for laid in shape.tiles}) > 3
    assert side_of(shape) >= 44  # pixels; in one row, it would be 15


def test_a_growing_line_keeps_its_ends_at_both_sides():
    middles = [
        (shape.left.right, shape.right.left)
        for count in range(1, 28)
        for shape in [lay_out(longest_line()[:count], AREA, 96)]
    ]

    assert all(left < AREA.left + AREA.width / 2 < right for left, right in middles)
