"""The pictures of the manual of Spite and Malice: one a page, each of its own."""

import pytest

from bot.drawing.canvas import MAX_PICTURE_HEIGHT, PICTURE_WIDTH
from cogs.spite.manual import PAGES
from cogs.spite.manual_pictures import draw_page
from tests.support.pictures import opened, unreadable


@pytest.mark.parametrize("number", range(len(PAGES)), ids=[page.title for page in PAGES])
def test_a_page_of_the_rules_has_a_wide_picture(number):
    png = draw_page(number)

    width, height = opened(png).size
    assert width == PICTURE_WIDTH
    assert height <= MAX_PICTURE_HEIGHT
    assert len(png) <= 60_000
    assert unreadable(draw_page, number) == []
    assert png == draw_page(number)


def test_the_pages_have_different_pictures():
    assert len({draw_page(number) for number in range(len(PAGES))}) == len(PAGES)
