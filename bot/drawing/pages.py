"""Pictures of a manual's pages, as wide as the pictures of a match."""

from collections.abc import Callable

from bot.drawing.box import Box
from bot.drawing.canvas import PICTURE_WIDTH, Canvas

DrawnPage = tuple[Callable[[Canvas, Box], None], int]
"""The function that draws a page inside its margin, and the height of its picture in pixels."""


def page_picture(page: DrawnPage, margin: int) -> bytes:
    draw_content, height = page
    canvas = Canvas(PICTURE_WIDTH, height)
    draw_content(canvas, canvas.area.inset(margin))
    return canvas.png()
