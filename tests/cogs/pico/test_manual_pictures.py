"""The pictures of the manual of Pico: one a page, each of its own."""

import pytest

from bot.drawing.canvas import MAX_PICTURE_HEIGHT, PICTURE_WIDTH
from cogs.pico.manual import PAGES
from cogs.pico.manual_pictures import draw_page
from tests.support.pictures import opened, unreadable


@pytest.mark.parametrize("page", range(len(PAGES)), ids=[page.title for page in PAGES])
def test_a_page_with_alt_text_has_a_wide_picture(page):
    png = draw_page(page)

    assert PAGES[page].alt
    width, height = opened(png).size
    assert width == PICTURE_WIDTH
    assert height <= MAX_PICTURE_HEIGHT
    assert len(png) <= 60_000
    assert unreadable(draw_page, page) == []
    assert png == draw_page(page)


def test_the_pages_have_different_pictures():
    assert len({draw_page(page) for page in range(len(PAGES))}) == len(PAGES)
