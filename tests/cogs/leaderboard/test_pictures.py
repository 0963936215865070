"""The picture of a leaderboard: a row for each line, bars, and the reader's row framed."""

import io

import pytest
from PIL import Image

from bot.drawing.canvas import PICTURE_WIDTH
from bot.drawing.palette import GOLD, channels, contrast, ink_on
from cogs.leaderboard.pictures import _BAR, _GUESS, _MEDALS, Chart, Line, _share, draw
from tests.support.pictures import canvas_of, unreadable


def line(place=4, rating=1500, *, established=True, won=0, own=False):
    return Line(
        place=place, rating=rating, established=established, won=won, drawn=0, lost=0, own=own
    )


def picture(*lines):
    return Image.open(io.BytesIO(draw(Chart(lines)))).convert("RGB")


def points(image, color):
    """The number of pixels with exactly this color."""
    counted = {c: n for n, c in image.getcolors(image.width * image.height)}
    return counted.get(channels(color), 0)


def test_each_line_is_a_row_and_the_picture_is_wide():
    one, ten = picture(line()), picture(*(line(n) for n in range(1, 11)))

    assert one.width == ten.width == PICTURE_WIDTH
    assert one.height < ten.height < PICTURE_WIDTH


def test_the_readers_row_has_a_frame():
    assert points(picture(line()), GOLD) == 0
    assert points(picture(line(own=True)), GOLD) > 1000


def test_the_first_three_places_have_medals_that_differ_in_number_too():
    pictures = [picture(line(place)) for place in (1, 2, 3, 4)]

    for place, medal in _MEDALS.items():
        assert points(pictures[place - 1], medal) > 500
        assert points(pictures[3], medal) < 100


def test_a_provisional_rating_has_a_paler_bar():
    assert points(picture(line()), _BAR) > 10_000
    assert points(picture(line(established=False)), _BAR) == 0
    assert points(picture(line(established=False)), _GUESS) > 10_000


@pytest.mark.parametrize("color", [_BAR, _GUESS, *_MEDALS.values()])
def test_numbers_have_enough_contrast_on_their_background(color):
    assert contrast(color, ink_on(color)) >= 4.5


def test_a_better_rating_has_a_longer_bar_and_the_best_the_full_width():
    lines = tuple(line(rating=rating) for rating in (1800, 1600, 1400))

    shares = [_share(Chart(lines), each) for each in lines]

    assert shares == [1.0, 0.75, 0.5]


def test_bars_of_wins_are_measured_from_zero():
    lines = tuple(line(rating=None, won=won) for won in (8, 4))

    assert [_share(Chart(lines), each) for each in lines] == [1.0, 0.75]


@pytest.mark.parametrize(("won", "share"), [(0, 0.5), (3, 1.0)])
def test_without_any_wins_no_bar_is_full(won, share):
    lines = (line(rating=None, won=won), line(rating=None, won=won))

    assert [_share(Chart(lines), each) for each in lines] == [share, share]


def test_equal_lines_have_equal_bars():
    lines = (line(), line())

    assert [_share(Chart(lines), each) for each in lines] == [1.0, 1.0]
    assert picture(*lines).width == PICTURE_WIDTH


@pytest.mark.parametrize("rating", [None, 1899], ids=["wins", "ratings"])
@pytest.mark.parametrize("established", [False, True])
def test_every_number_can_be_read_on_a_phone(rating, established):
    lines = tuple(
        Line(
            place=100 * (n > 3) + n,
            rating=rating and rating - 90 * n,
            established=established,
            won=1200 - n,
            drawn=1000,
            lost=1400,
            own=n == 9,
        )
        for n in range(1, 11)
    )

    assert unreadable(draw, Chart(lines)) == []


@pytest.mark.parametrize("rating", [None, 1899], ids=["wins", "ratings"])
@pytest.mark.parametrize("place", [9999, 99_990])
def test_numbers_of_five_digits_are_as_large_as_all_others(place, rating):
    lines = tuple(
        Line(
            place=place + n,
            rating=rating and rating - 90 * n,
            established=n < 2,
            won=12_345 - n,
            drawn=10_000,
            lost=9_999,
            own=n == 1,
        )
        for n in range(3)
    )

    written = canvas_of(draw, Chart(lines)).writings
    assert unreadable(draw, Chart(lines)) == []
    assert len({one.height for one in written if one.text.strip("?").isdigit()}) == 1
