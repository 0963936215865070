"""Plots of ratings over time: wide, distinguishable without colors, the same each time."""

import io
from itertools import combinations, pairwise

import pytest
from matplotlib.text import Text
from PIL import Image

from bot.drawing import fonts
from bot.drawing.canvas import LEGIBLE_HEIGHT, smallest_scale
from bot.drawing.palette import GROUND, PANEL, TEXT, channels, contrast
from bot.drawing.plots import (
    HEIGHT,
    STYLES,
    WIDTH,
    Line,
    Plot,
    _days,
    draw,
    figure_of,
    spread_apart,
)
from games import GAMES
from tests.support.pictures import lightness

pytestmark = pytest.mark.slow

DAY = 86_400


def line(style=0, *ratings, begin=0, provisional=0, best=0):
    points = tuple((begin + n * DAY, rating) for n, rating in enumerate(ratings))
    return Line(name="pico", style=style, points=points, provisional=provisional, best=best)


def picture(*lines):
    return Image.open(io.BytesIO(draw(Plot(lines)))).convert("RGB")


def points(image, color):
    """How many pixels have nearly this color, as edges and palettes blend."""
    wanted = channels(color)
    counted = image.getcolors(image.width * image.height)
    return sum(n for n, c in counted if max(abs(a - b) for a, b in zip(c, wanted, strict=True)) < 9)


def test_a_plot_is_wide_and_its_line_can_be_seen():
    image = picture(line(0, 1500, 1520, 1490))

    assert image.size == (WIDTH, HEIGHT)
    assert points(image, STYLES[0].color) > 3000


def test_the_same_ratings_give_the_same_bytes():
    plot = Plot((line(0, 1500, 1520, 1490),))

    assert draw(plot) == draw(plot)


def test_the_lines_of_several_games_are_all_drawn():
    image = picture(*(line(n, 1500 + 40 * n, 1510 + 40 * n) for n in range(len(STYLES))))

    assert all(points(image, style.color) > 500 for style in STYLES)


def test_every_game_has_a_style_and_no_two_share_a_mark_or_dashes():
    assert len(STYLES) == len(GAMES)
    assert len({style.mark for style in STYLES}) == len(STYLES)
    assert len({style.sign for style in STYLES}) == len(STYLES)
    assert len({style.dashes for style in STYLES}) == len(STYLES)


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.mark)
def test_every_line_stands_out_from_its_ground(style):
    assert contrast(style.color, PANEL) >= 4
    assert contrast(style.color, GROUND) >= 4.5
    assert lightness(style.color) > 55


def test_a_provisional_part_is_dashed():
    ratings = (1500, 1500, 1500, 1500, 1500, 1500)

    whole = points(picture(line(0, *ratings)), STYLES[0].color)
    dashed = points(picture(line(0, *ratings, provisional=6)), STYLES[0].color)

    assert dashed < 0.9 * whole


def test_the_best_rating_has_a_star_unless_it_is_the_last():
    before = points(picture(line(0, 1500, 1560, 1520, best=1)), TEXT)
    now = points(picture(line(0, 1500, 1520, 1560, best=2)), TEXT)

    assert before > 300
    assert now < 50


@pytest.mark.parametrize(("provisional", "told"), [(3, "best 1560?"), (1, "best 1560")])
def test_the_best_rating_has_a_mark_if_it_is_provisional(provisional, told):
    figure = figure_of(Plot((line(0, 1500, 1560, 1520, provisional=provisional, best=1),)))

    assert told in [text.get_text() for text in figure.findobj(Text)]


def test_matches_at_the_same_moment_can_be_drawn():
    moment = Line(name="pico", style=0, points=((5, 1500), (5, 1520)), provisional=2, best=1)

    assert points(picture(moment), STYLES[0].color) > 500


def test_each_date_below_the_plot_is_named_once():
    assert [label for _, label in _days(0, 0)] == ["1 Jan\n00:00"]
    assert [label for _, label in _days(0, 60 * 60)] == [
        "1 Jan\n00:00",
        "1 Jan\n00:30",
        "1 Jan\n01:00",
    ]
    assert [label for _, label in _days(0, 364 * DAY)] == [
        "1 Jan\n1970",
        "2 Jul\n1970",
        "31 Dec\n1970",
    ]


@pytest.mark.parametrize(
    "heights",
    [[0.5], [0.5, 0.5], [0.9, 0.98, 1.0], [0.0, 0.02, 0.01, 0.9], [0.5] * 5, [1.0] * 5],
)
def test_labels_never_touch_and_keep_their_order(heights):
    moved = spread_apart(heights, 0.1)

    order = sorted(range(len(heights)), key=lambda i: heights[i])
    assert all(moved[b] - moved[a] >= 0.1 - 1e-9 for a, b in pairwise(order))
    assert all(-1e-9 <= height <= 1 + 1e-9 for height in moved)


def test_labels_that_do_not_touch_stay_where_they_are():
    assert spread_apart([0.8, 0.1, 0.4], 0.1) == [0.8, 0.1, 0.4]


@pytest.mark.parametrize("count", range(1, len(STYLES) + 1))
def test_every_text_can_be_read_on_a_phone_and_none_touches_another(count):
    """Only a single line shows its best rating, which has a mark if it is provisional."""
    lines = [
        Line(
            name=game.title,
            style=n,
            points=tuple(
                (1_700_000_000 + 9 * i * DAY, 1500 + 90 * (i == 2) - 3 * n * i) for i in range(5)
            ),
            provisional=5 * n,
            best=2,
        )
        for n, game in enumerate(list(GAMES.values())[:count])
    ]
    figure = figure_of(Plot(tuple(lines)))
    figure.canvas.draw()

    (axes,) = figure.axes
    low, high = axes.get_ylim()
    beyond = [
        label for label in axes.get_yticklabels() if not low <= label.get_position()[1] <= high
    ]
    shown = [text for text in figure.findobj(Text) if text.get_text() and text.get_visible()]
    texts = [text for text in shown if text not in beyond]
    boxes = [text.get_window_extent() for text in texts]
    height = round(figure.get_figheight() * 100)
    least = LEGIBLE_HEIGHT / smallest_scale(WIDTH, height)
    sizes = [text.get_fontproperties().get_size_in_points() for text in texts]
    capitals = [-fonts.font(round(size * 100 / 72)).getbbox("H", anchor="ls")[1] for size in sizes]
    assert len(texts) >= count + 4
    assert min(capitals) >= least
    assert all(box.x0 >= 0 and box.x1 <= WIDTH for box in boxes)
    assert all(box.y0 >= 0 and box.y1 <= height for box in boxes)
    assert not [(a, b) for a, b in combinations(boxes, 2) if overlap(a, b)]


def overlap(one, other):
    """Whether two boxes overlap; those of text reach slightly above and below the letters."""
    return (one.x0 < other.x1 and other.x0 < one.x1) and (
        min(one.y1, other.y1) - max(one.y0, other.y0) > 6
    )
