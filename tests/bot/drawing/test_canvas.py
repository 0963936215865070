import io
import subprocess
import sys
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.drawing import fonts, palette
from bot.drawing.box import Box
from bot.drawing.canvas import (
    LEGIBLE_HEIGHT,
    PHONE_PICTURE_WIDTH,
    SHOWN_HEIGHT,
    Canvas,
    fitting_size,
)
from bot.drawing.cards import draw_back, draw_card, draw_pips
from bot.drawing.outlines import CROWN
from bot.drawing.seats import MARKS, draw_badge
from tests.support.pictures import lightness, unreadable

boxes = st.builds(
    Box,
    st.integers(-50, 50),
    st.integers(-50, 50),
    st.integers(40, 900),
    st.integers(40, 900),
)


def pixels(canvas):
    return Image.open(io.BytesIO(canvas.png())).convert("RGB")


def changed(canvas, ground=palette.GROUND):
    """The smallest box around everything that differs from the ground."""
    image = pixels(canvas)
    return ImageChops.difference(image, Image.new("RGB", image.size, ground)).getbbox()


def runs(image, y, color):
    """How many separate stretches of a color a row of pixels has."""
    line = [near(image.getpixel((x, y)), palette.channels(color)) for x in range(image.width)]
    return sum(now and not before for before, now in zip([False, *line], line, strict=False))


def near(a, b):
    return all(abs(x - y) < 40 for x, y in zip(a, b, strict=True))


@given(boxes, st.integers(1, 6), st.integers(0, 6))
def test_columns_are_side_by_side_within_their_box(box, count, gap):
    columns = box.columns(count, gap)

    assert columns[0].left == box.left
    assert box.right - count < columns[-1].right <= box.right
    assert all(b.left - a.right == gap for a, b in pairwise(columns))
    assert {(column.top, column.height) for column in columns} == {(box.top, box.height)}


@given(boxes, st.integers(1, 6), st.integers(0, 6))
def test_rows_are_one_below_the_other_within_their_box(box, count, gap):
    rows = box.rows(count, gap)

    assert rows[0].top == box.top
    assert box.bottom - count < rows[-1].bottom <= box.bottom
    assert all(b.top - a.bottom == gap for a, b in pairwise(rows))
    assert {(row.left, row.width) for row in rows} == {(box.left, box.width)}


@pytest.mark.parametrize(
    ("cut", "part", "rest"),
    [
        ("cut_left", Box(10, 20, 30, 80), Box(45, 20, 65, 80)),
        ("cut_right", Box(80, 20, 30, 80), Box(10, 20, 65, 80)),
        ("cut_top", Box(10, 20, 100, 30), Box(10, 55, 100, 45)),
        ("cut_bottom", Box(10, 70, 100, 30), Box(10, 20, 100, 45)),
    ],
)
def test_a_cut_returns_the_part_and_the_rest_beyond_the_gap(cut, part, rest):
    assert getattr(Box(10, 20, 100, 80), cut)(30, 5) == (part, rest)


def test_a_plain_color_stays_exact_beside_a_blend_that_is_nearer_to_its_cell():
    """Pillow finds a color of a palette by the corner of a cell, here (20, 24, 32)."""
    canvas = Canvas(200, 100, ground=palette.GROUND)
    canvas.box(Box(0, 0, 20, 20), "#12161f")

    assert pixels(canvas).getpixel((150, 50)) == palette.channels(palette.GROUND)


def test_a_box_is_inset_moved_and_centered():
    box = Box(10, 20, 100, 80)

    assert box.inset(5) == Box(15, 25, 90, 70)
    assert box.inset(5, 0) == Box(15, 20, 90, 80)
    assert box.moved(1, -2) == Box(11, 18, 100, 80)
    assert box.centered(50, 40) == Box(35, 40, 50, 40)


@pytest.mark.parametrize(("a", "b"), list(combinations(range(4), 2)))
def test_seats_differ_in_lightness_shape_and_color_name(a, b):
    one, other = MARKS[a], MARKS[b]

    assert abs(lightness(one.color) - lightness(other.color)) >= 10
    assert one.outline != other.outline
    assert one.name != other.name
    assert one.emoji != other.emoji


@pytest.mark.parametrize("mark", MARKS, ids=[mark.name for mark in MARKS])
@pytest.mark.parametrize("ground", [palette.GROUND, palette.PANEL, palette.TRAY])
def test_a_seat_stands_out_from_every_ground(mark, ground):
    assert palette.contrast(mark.color, ground) >= 3
    assert palette.contrast(palette.ink_on(mark.color), mark.color) >= 3


@pytest.mark.parametrize(
    ("text", "ground"),
    [
        (palette.TEXT, palette.PANEL_OWN),
        (palette.MUTED, palette.PANEL_OWN),
        (palette.MUTED, palette.TRAY),
        (palette.GOLD, palette.PANEL),
        (palette.RED, palette.PAPER),
        (palette.INK, palette.PAPER),
    ],
)
def test_text_can_be_read_on_its_ground(text, ground):
    assert palette.contrast(text, ground) >= 4.5


@pytest.mark.parametrize("ground", [palette.PANEL, palette.PANEL_OWN])
def test_a_dot_stands_out_on_a_dark_ground(ground):
    assert palette.contrast(palette.RED_ON_DARK, ground) >= 3


def test_lightness_and_contrast_range_from_black_to_white():
    assert lightness("#000000") == 0
    assert lightness("#ffffff") == pytest.approx(100)
    assert lightness("#777777") == pytest.approx(50, abs=0.6)
    assert palette.contrast("#000000", "#ffffff") == pytest.approx(21)


def test_a_mix_is_between_its_two_colors():
    assert palette.mix("#000000", "#ff8040", 0) == "#000000"
    assert palette.mix("#000000", "#ff8040", 0.5) == "#804020"
    assert palette.mix("#000000", "#ff8040", 1) == "#ff8040"


def test_the_fonts_are_found_in_matplotlib_without_importing_it():
    code = "import sys; from bot.drawing.fonts import font; font(20); print(*sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)  # noqa: S603 - our own interpreter

    assert "bot.drawing.fonts" in done.stdout.split()
    assert "matplotlib" not in done.stdout.split()


def test_the_error_names_missing_fonts(monkeypatch):
    monkeypatch.setattr(fonts, "find_spec", lambda name: None)

    with pytest.raises(RuntimeError, match="need the fonts of matplotlib"):
        fonts.folder.__wrapped__()


@given(st.text("0123456789 +Wi", min_size=1, max_size=12), st.integers(60, 400))
def test_text_is_made_as_small_as_its_box_requires_and_no_smaller(text, width):
    size = fitting_size(text, width, 60)

    assert fonts.font(size).getlength(text) <= width or size == 8
    assert size == 60 or fonts.font(size + 1).getlength(text) > width


@pytest.mark.parametrize(
    ("height", "scale"),
    [(600, PHONE_PICTURE_WIDTH / 900), (1400, SHOWN_HEIGHT / 1400)],
    ids=["as wide as a phone", "as high as is shown"],
)
def test_no_text_is_too_small_to_be_read_on_a_phone(height, scale):
    canvas = Canvas(900, height)

    canvas.text(Box(0, 0, 900, 100), "H8", size=12)

    (writing,) = canvas.writings
    assert writing.height * scale >= LEGIBLE_HEIGHT
    assert changed(canvas)[3] - changed(canvas)[1] >= writing.height


def test_bold_type_is_replaced_by_regular_where_it_has_no_room():
    canvas = Canvas(1200, 600)
    bold = fonts.font(canvas.least_size).getlength("used")
    room = Box(0, 0, round(bold) - 2, 100)

    canvas.text(room, "used", size=60)

    assert canvas.writings[0].ink.right <= room.right


def written(*texts):
    """A picture with these texts, each in its box."""
    canvas = Canvas(1200, 600)
    for text, box in texts:
        canvas.text(box, text, size=50)
    return canvas.png()


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        ([("one", Box(0, 0, 200, 60)), ("two", Box(0, 60, 200, 60))], []),
        ([("a long sentence", Box(400, 0, 200, 60))], ["has no room"]),
        ([("flat", Box(0, 100, 200, 20))], ["has no room"]),
        ([("one", Box(0, 0, 200, 60)), ("two", Box(20, 10, 200, 60))], ["lies on"]),
        ([("out", Box(1120, 0, 200, 60))], ["leaves the picture"]),
    ],
    ids=["fine", "too long", "too high", "overlapping", "outside"],
)
def test_unreadable_text_is_found(texts, found):
    complaints = unreadable(written, *texts)

    assert len(complaints) == len(found)
    assert all(what in complaint for what, complaint in zip(found, complaints, strict=True))


@pytest.mark.parametrize(("align", "x"), [("left", 0.0), ("center", 0.5), ("right", 1.0)])
def test_text_is_placed_where_it_is_aligned(align, x):
    canvas, box = Canvas(300, 100), Box(40, 20, 220, 60)

    canvas.text(box, "H88H", size=40, align=align)

    left, top, right, bottom = changed(canvas)
    assert left + x * (right - left) == pytest.approx(box.left + x * box.width, abs=5)
    assert (top + bottom) / 2 == pytest.approx(50, abs=1.5)


def test_a_box_fills_its_bounds_except_for_round_corners():
    canvas = Canvas(60, 60)

    canvas.box(Box(10, 10, 40, 40), "#ffffff", radius=10, edge="#ff0000", width=4)

    image = pixels(canvas)
    assert changed(canvas) == (10, 10, 50, 50)
    assert image.getpixel((10, 10)) == palette.channels(palette.GROUND)
    assert image.getpixel((49, 49)) == palette.channels(palette.GROUND)
    assert near(image.getpixel((30, 11)), (255, 0, 0))
    assert near(image.getpixel((30, 30)), (255, 255, 255))


def test_a_box_without_radius_has_corners():
    canvas = Canvas(60, 60)

    canvas.box(Box(10, 10, 40, 40), "#ffffff")

    assert [pixels(canvas).getpixel(corner) for corner in ((10, 10), (49, 49))] == [(255,) * 3] * 2


@pytest.mark.parametrize(
    "shape",
    [
        lambda canvas, box: canvas.disc(box, "#ffffff"),
        lambda canvas, box: canvas.outline(box, CROWN, "#ffffff"),
        lambda canvas, box: canvas.box(box, "#ffffff", radius=15),
    ],
    ids=["disc", "outline", "box"],
)
def test_edges_are_smooth(shape):
    canvas = Canvas(60, 60, "#000000")

    shape(canvas, Box(10, 10, 40, 40))

    values = {red for _, (red, _, _) in pixels(canvas).getcolors()}
    assert min(values) == 0
    assert max(values) == 255
    assert len(values) > 6


def test_a_picture_is_a_png_of_its_size_and_always_the_same():
    def picture():
        canvas = Canvas(120, 80)
        canvas.disc(Box(10, 10, 50, 50), "#ffffff", edge="#123456", width=3)
        canvas.text(Box(60, 10, 50, 50), "8", size=40)
        return canvas

    assert picture().png().startswith(b"\x89PNG")
    assert pixels(picture()).size == (120, 80)
    assert picture().png() == picture().png()


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_card_has_as_many_pips_above_as_below(count):
    canvas = Canvas(140, 190)

    draw_card(canvas, Box(5, 5, 126, 180), "16", pips=count)

    image = pixels(canvas)
    assert runs(image, 5 + 180 // 12 + 9, palette.RED) == count
    assert runs(image, 185 - 180 // 12 - 9, palette.RED) == count


def test_pips_in_the_middle_are_apart():
    canvas = Canvas(200, 40)

    draw_pips(canvas, Box(0, 10, 200, 20), 3)

    x0, y0, x1, y1 = changed(canvas)
    assert (y0, y1) == (10, 30)
    assert x0 == 200 - x1
    assert runs(pixels(canvas), 20, palette.RED) == 3


def test_a_frame_is_drawn_around_its_card():
    plain, framed = Canvas(160, 200), Canvas(160, 200)

    draw_card(plain, Box(20, 20, 112, 160), "9")
    draw_card(framed, Box(20, 20, 112, 160), "9", framed=True)

    assert changed(plain) == (20, 20, 132, 180)
    assert changed(framed) == (12, 12, 140, 188)


def test_a_card_face_down_shows_no_face():
    one, other = Canvas(160, 200), Canvas(160, 200)

    draw_back(one, Box(20, 20, 112, 160))
    draw_card(other, Box(20, 20, 112, 160), "9")

    assert one.png() != other.png()


def test_badges_can_be_told_apart_without_color():
    gray = set()
    for seat in range(len(MARKS)):
        canvas = Canvas(80, 80)
        draw_badge(canvas, Box(5, 5, 70, 70), seat)
        gray.add(pixels(canvas).convert("L").tobytes())

    assert len(gray) == len(MARKS)
