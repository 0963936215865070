"""A canvas for boxes, discs, outlines and text with smooth edges, which becomes a PNG.

Every shape is a color pasted through a mask. A mask is drawn at four times its size, reduced and
cached, so edges are smooth, and cost a worker little from its second picture on. (Drawing the whole
picture at twice its size and reducing that took twice as long.)
"""

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from math import ceil, isqrt
from typing import Final, Literal, cast

from PIL import Image, ImageDraw

from bot.drawing.box import Box
from bot.drawing.fonts import font
from bot.drawing.outlines import Outline
from bot.drawing.palette import GROUND, TEXT

PHONE_PICTURE_WIDTH: Final = 300
"""The width of a picture on a phone of 400 pixels, beside the avatar and inside a container."""

SHOWN_HEIGHT: Final = 350
"""The greatest height, in pixels, at which Discord shows a picture; a higher one is scaled down."""

LEGIBLE_HEIGHT: Final = 10
"""The least height, in pixels, of capitals and digits where a picture is shown smallest."""

PICTURE_WIDTH: Final = 3 * PHONE_PICTURE_WIDTH
"""The width pictures are drawn at: sharp on phones with 3 device pixels a pixel, and enlarged."""

MAX_PICTURE_HEIGHT: Final = 3 * SHOWN_HEIGHT
"""Up to this height, a picture of that width is shown as wide as the phone allows."""

HALO_PART: Final = 12
"""The width of a halo is the font size divided by this."""

_SMOOTH: Final = 4
_MAX_COLORS: Final = 192
_SAMPLE: Final = 90_000  # roughly how many pixels are counted for a palette

_MAX_EXACT_COLORS: Final = 12  # the most frequent colors, which blends of edges must not replace

_LEAST_CAPITALS: Final = 0.72
"""The height of capitals and digits as a share of the font size, rounded down."""

_Color = tuple[int, int, int]
_Counted = tuple[int, _Color]
Align = Literal["left", "center", "right"]


@dataclass(frozen=True, slots=True)
class Writing:
    """A text in a picture, for tests of whether it can be read."""

    text: str
    room: Box
    """The box it had to fit into."""

    ink: Box
    """The box that its letters take up."""

    height: int
    """Of its capitals and digits, in pixels."""


class Canvas:
    def __init__(self, width: int, height: int, ground: str = GROUND) -> None:
        self.area = Box(0, 0, width, height)
        self.least_size = smallest_font_size(width, height)
        self.writings: list[Writing] = []
        self._image = Image.new("RGB", (width, height), ground)
        self._draw = ImageDraw.Draw(self._image)

    def box(
        self, box: Box, fill: str, *, radius: int = 0, edge: str | None = None, width: int = 0
    ) -> None:
        """A rectangle with rounded corners; its edge, if any, is inside the box."""
        if edge is not None:
            self._rounded(box, edge, radius)
            box, radius = box.inset(width), max(0, radius - width)
        self._rounded(box, fill, radius)

    def disc(self, box: Box, fill: str, *, edge: str | None = None, width: int = 0) -> None:
        """The disc that fills a square box; its edge, if any, is inside the box."""
        if edge is not None:
            self._paste(box, edge, _disc(box.width))
            box = box.inset(width)
        self._paste(box, fill, _disc(box.width))

    def outline(self, box: Box, outline: Outline, fill: str) -> None:
        """A filled outline, stretched to a box."""
        self._paste(box, fill, _filled(box.width, box.height, outline))

    def text(  # noqa: PLR0913 - what a line can look like
        self,
        box: Box,
        text: str,
        *,
        size: int,
        fill: str = TEXT,
        align: Align = "center",
        bold: bool = True,
        halo: str | None = None,
    ) -> None:
        """One line of text in the middle of a box, made smaller if it's too wide.

        `size` is the font size in pixels. `halo` is the color of a rim around letters that reach
        beyond the shape they're on. Capitals and digits are centered exactly.

        Text never becomes too small to read on a phone; if bold letters don't fit at the smallest
        size, regular ones are used.
        """
        if not text:
            return
        bold = bold and font(self.least_size).getlength(text) <= box.width
        size = max(self.least_size, size)
        size = fitting_size(text, box.width, size, self.least_size, bold=bold)
        face = font(size, bold=bold)
        rise = -face.getbbox("H", anchor="ls")[1]
        baseline = box.top + (box.height + rise) / 2
        x = {"left": box.left, "center": box.left + box.width / 2, "right": box.right}[align]
        anchor = {"left": "ls", "center": "ms", "right": "rs"}[align]
        spot = (round(x), round(baseline))
        rim = size // HALO_PART if halo else 0
        self._draw.text(
            spot, text, fill=fill, font=face, anchor=anchor, stroke_width=rim, stroke_fill=halo
        )
        left, top, right, bottom = map(round, face.getbbox(text, anchor=anchor))
        ink = Box(spot[0] + left, spot[1] + top, right - left, bottom - top)
        self.writings.append(Writing(text, box, ink, round(rise)))

    def png(self) -> bytes:
        """The picture as PNG, with a palette: fewer bytes than full color, and quicker to write."""
        flat = self._image.quantize(palette=self._palette(), dither=Image.Dither.NONE)
        file = BytesIO()
        flat.save(file, "PNG", compress_level=5)
        return file.getvalue()

    def _palette(self) -> Image.Image:
        """The most frequent colors: every plain color exactly, and enough blends for the edges.

        In a large picture, one pixel of nine is counted; counting all takes four times as long.
        """
        step = max(1, isqrt(self.area.width * self.area.height // _SAMPLE))
        size = (self.area.width // step, self.area.height // step)
        sample = self._image.resize(size, Image.Resampling.NEAREST)
        colors = sample.getcolors(size[0] * size[1])
        counted = cast("list[_Counted]", colors)  # None only if there were more colors than pixels
        ordered = sorted(counted, key=lambda item: (-item[0], item[1]))
        # Pillow looks colors up in cells of 4 x 4 x 4, so each cell gets one color only. It goes by
        # the corner of the cell, to which a blend in the next cell may be nearer than the color.
        cells: dict[_Color, _Color] = {}
        reach: list[tuple[_Color, int]] = []
        for _, color in ordered:
            if len(cells) == _MAX_COLORS:
                break
            corner = _corner(color)
            if corner in cells or any(_distance(color, at) < far for at, far in reach):
                continue
            cells[corner] = color
            if len(reach) < _MAX_EXACT_COLORS:
                reach.append((corner, _distance(color, corner)))
        palette = Image.new("P", (1, 1))
        palette.putpalette([value for color in cells.values() for value in color])
        return palette

    def _rounded(self, box: Box, fill: str, radius: int) -> None:
        """Two plain rectangles and four quarters of a disc: only these need a mask."""
        right, bottom = box.right - radius, box.bottom - radius
        self._draw.rectangle((box.left + radius, box.top, right - 1, box.bottom - 1), fill)
        self._draw.rectangle((box.left, box.top + radius, box.right - 1, bottom - 1), fill)
        if radius == 0:
            return
        corners = ((box.left, box.top), (right, box.top), (box.left, bottom), (right, bottom))
        for corner, mask in zip(corners, _quarters(radius), strict=True):
            self._image.paste(fill, corner, mask)

    def _paste(self, box: Box, fill: str, mask: Image.Image) -> None:
        self._image.paste(fill, (box.left, box.top), mask)


def _corner(color: _Color) -> _Color:
    """The darkest color of the cell, in Pillow's palettes, that a color is in."""
    red, green, blue = (value // 4 * 4 for value in color)
    return red, green, blue


def _distance(one: _Color, other: _Color) -> int:
    # Without a loop, a picture takes a tenth less time: this is called for thousands of colors.
    (red, green, blue), (to_red, to_green, to_blue) = one, other
    return (red - to_red) ** 2 + (green - to_green) ** 2 + (blue - to_blue) ** 2


def smallest_scale(width: int, height: int) -> float:
    """The scale (1 is full size) of a picture of this size where it's shown smallest."""
    return min(PHONE_PICTURE_WIDTH / width, SHOWN_HEIGHT / height)


def smallest_font_size(width: int, height: int) -> int:
    """The smallest font size, in pixels, that can be read where the picture is shown smallest."""
    return ceil(LEGIBLE_HEIGHT / smallest_scale(width, height) / _LEAST_CAPITALS)


def fitting_size(text: str, width: int, size: int, least: int = 8, *, bold: bool = True) -> int:
    """The largest font size, at most `size`, at which a line is no wider than `width` pixels.

    It's at least `least`, even if the line is wider then.
    """
    while size > least and font(size, bold=bold).getlength(text) > width:
        size -= 1
    return size


@lru_cache(maxsize=128)
def _disc(size: int) -> Image.Image:
    large = Image.new("L", (size * _SMOOTH, size * _SMOOTH), 0)
    ImageDraw.Draw(large).ellipse((0, 0, size * _SMOOTH - 1, size * _SMOOTH - 1), fill=255)
    return large.reduce(_SMOOTH)


@lru_cache(maxsize=128)
def _quarters(radius: int) -> tuple[Image.Image, ...]:
    """The upper left, upper right, lower left and lower right quarter of a disc."""
    disc = _disc(2 * radius)
    starts = ((0, 0), (radius, 0), (0, radius), (radius, radius))
    return tuple(disc.crop((x, y, x + radius, y + radius)) for x, y in starts)


@lru_cache(maxsize=128)
def _filled(width: int, height: int, outline: Outline) -> Image.Image:
    large = Image.new("L", (width * _SMOOTH, height * _SMOOTH), 0)
    points = [(x * (width * _SMOOTH - 1), y * (height * _SMOOTH - 1)) for x, y in outline]
    ImageDraw.Draw(large).polygon(points, fill=255)
    return large.reduce(_SMOOTH)
