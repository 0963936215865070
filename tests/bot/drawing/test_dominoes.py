import io

import pytest
from PIL import Image, ImageChops

from bot.drawing import palette
from bot.drawing.box import Box
from bot.drawing.canvas import Canvas
from bot.drawing.cards import DIM
from bot.drawing.dominoes import domino_box, draw_domino, draw_domino_back

STANDING, LYING = Box(30, 40, 100, 200), Box(30, 40, 200, 100)
STEP = 27  # between the pips of a half that is 100 wide


def drawn(draw, box, *halves, **how):
    canvas = Canvas(300, 300)
    draw(canvas, box, *halves, **how)
    return Image.open(io.BytesIO(canvas.png())).convert("RGB")


def extent(image):
    """The smallest box around everything that differs from the ground."""
    return ImageChops.difference(image, Image.new("RGB", image.size, palette.GROUND)).getbbox()


def dark(image, x, y):
    return sum(image.getpixel((x, y))) < 200


def pips(image, half):
    """How many of the nine places of a half have a pip."""
    x, y = half.left + half.width // 2, half.top + half.height // 2
    steps = (-STEP, 0, STEP)
    return sum(dark(image, x + right, y + down) for right in steps for down in steps)


@pytest.mark.parametrize("box", [STANDING, LYING], ids=["standing", "lying"])
@pytest.mark.parametrize("count", range(10))
def test_each_half_shows_its_pips(count, box):
    image = drawn(draw_domino, box, (count, 9 - count))

    first, second = box.columns(2) if box is LYING else box.rows(2)
    assert (pips(image, first), pips(image, second)) == (count, 9 - count)


def test_a_lying_domino_is_a_standing_one_rotated():
    """Its upper half comes to the left, so pips that ran down to the right now run up."""
    standing = drawn(draw_domino, STANDING, (6, 2)).crop((30, 40, 130, 240))
    lying = drawn(draw_domino, LYING, (6, 2)).crop((30, 40, 230, 140))

    turned = standing.transpose(Image.Transpose.ROTATE_90)
    far = ImageChops.difference(turned, lying).convert("L").point(lambda value: 255 * (value > 90))

    assert far.histogram()[255] < 60


@pytest.mark.parametrize("box", [STANDING, LYING], ids=["standing", "lying"])
def test_a_domino_fills_its_box_and_a_frame_is_drawn_around_it(box):
    edges = (box.left, box.top, box.right, box.bottom)

    framed = extent(drawn(draw_domino, box, (5, 5), framed=True))

    assert extent(drawn(draw_domino, box, (5, 5))) == edges
    assert extent(drawn(draw_domino_back, box)) == edges
    assert framed == (box.left - 9, box.top - 9, box.right + 9, box.bottom + 9)


def test_the_largest_domino_of_a_box_is_in_its_middle():
    assert domino_box(Box(0, 0, 100, 150)) == Box(12, 0, 75, 150)
    assert domino_box(Box(0, 0, 60, 150)) == Box(0, 15, 60, 120)
    assert domino_box(Box(0, 0, 100, 150), lying=True) == Box(0, 50, 100, 50)
    assert domino_box(Box(0, 0, 150, 50), lying=True) == Box(25, 0, 100, 50)


def test_a_tone_is_the_background_of_a_domino():
    image = drawn(draw_domino, STANDING, (0, 0), tone=DIM)

    assert image.getpixel((80, 80)) == palette.channels(DIM.paper)
