"""Pages of a manual, as wide as the pictures of a match."""

from collections.abc import Callable

from bot.drawing.box import Box
from bot.drawing.canvas import PICTURE_WIDTH, Canvas

DrawnPage = tuple[Callable[[Canvas, Box], None], int]
"""What draws a page within its margin, and how high its picture is."""


def page_picture(page: DrawnPage, margin: int) -> bytes:
    draw_content, height = page
    canvas = Canvas(PICTURE_WIDTH, height)
    draw_content(canvas, canvas.area.inset(margin))
    return canvas.png()
