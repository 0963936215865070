"""The pictures of the manual of the board war: one a page, each of its own."""

import pytest

from bot.drawing.canvas import MAX_PICTURE_HEIGHT, PICTURE_WIDTH
from cogs.conquest import manual_pictures
from cogs.conquest.manual import PAGES
from tests.support.pictures import opened, unreadable


@pytest.mark.parametrize("page", range(len(PAGES)), ids=[page.title for page in PAGES])
def test_every_page_of_the_manual_has_a_wide_picture(page):
    png = manual_pictures.draw_page(page)

    width, height = opened(png).size
    assert width == PICTURE_WIDTH
    assert height <= MAX_PICTURE_HEIGHT
    assert len(png) <= 60_000
    assert unreadable(manual_pictures.draw_page, page) == []
    assert png == manual_pictures.draw_page(page)


def test_the_pages_have_different_pictures():
    assert len({manual_pictures.draw_page(page) for page in range(len(PAGES))}) == len(PAGES)
