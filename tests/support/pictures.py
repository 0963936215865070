"""Measuring pictures: colors, and the texts that nobody could read."""

import io
from itertools import combinations

from PIL import Image, ImageChops

from bot.drawing.canvas import LEGIBLE_HEIGHT, Canvas, smallest_scale
from bot.drawing.palette import luminance


def opened(png):
    """The image in these bytes, in RGB; they must be a PNG."""
    image = Image.open(io.BytesIO(png))
    assert image.format == "PNG"
    return image.convert("RGB")


def extent(image, color, box=None):
    """The bounding box of a color in an image, or in the part `box` of it; None without it."""
    part = image.crop(box) if box else image
    plain = Image.new("RGB", part.size, color)
    far = ImageChops.difference(part, plain).convert("L").point(lambda value: 255 * (value < 6))
    return far.getbbox()


def lightness(color):
    """The CIE lightness L* of a color, 0 to 100; equal differences look equal."""
    value = luminance(color)
    return 116 * value ** (1 / 3) - 16 if value > 216 / 24389 else value * 24389 / 27


def unreadable(draw, *subject):
    """One sentence for each text of a picture that is too small for a phone, cut off or covered."""
    canvas = canvas_of(draw, *subject)
    scale = smallest_scale(canvas.area.width, canvas.area.height)
    found = [
        f"{one.text!r} is {one.height * scale:.1f} px high"
        for one in canvas.writings
        if one.height * scale < LEGIBLE_HEIGHT
    ]
    found += [f"{one.text!r} has no room" for one in canvas.writings if not _has_room(one)]
    found += [
        f"{one.text!r} leaves the picture"
        for one in canvas.writings
        if not _within(one.ink, canvas.area)
    ]
    return found + [
        f"{one.text!r} lies on {other.text!r}"
        for one, other in combinations(canvas.writings, 2)
        if _overlap(one.ink, other.ink)
    ]


def canvas_of(draw, *subject):
    """The canvas of the only picture that a function draws."""
    canvases, png = [], Canvas.png

    def remember(canvas):
        canvases.append(canvas)
        return png(canvas)

    Canvas.png = remember
    try:
        draw(*subject)
    finally:
        Canvas.png = png
    (canvas,) = canvases
    return canvas


_SIDE_BEARING = 3
"""Pixels by which a glyph may extend beyond its advance width."""


def _has_room(writing):
    room = writing.room.inset(-_SIDE_BEARING, 0)
    wide = room.left <= writing.ink.left and writing.ink.right <= room.right
    return wide and writing.height <= writing.room.height


def _within(ink, area):
    inside = area.left <= ink.left and ink.right <= area.right
    return inside and area.top <= ink.top and ink.bottom <= area.bottom


def _overlap(one, other):
    beside = one.right <= other.left or other.right <= one.left
    return not beside and one.top < other.bottom and other.top < one.bottom
