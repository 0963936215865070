"""Every page of every game's rules fits a message, its picture fits a phone, and pages can turn."""

import re

import pytest

from bot.drawing.canvas import MAX_PICTURE_HEIGHT, PICTURE_WIDTH, Canvas
from bot.messaging.content import Layout
from bot.rendering.rules_pages import rules_page_content
from tests.support.pictures import opened, unreadable
from tests.support.presentations import PRESENTATIONS, presentations
from tests.support.tables import labels
from tests.support.typed_commands import typed

pytestmark = pytest.mark.slow

MANUALS = {game: presentation.manual for game, presentation in PRESENTATIONS.items()}

each_game = pytest.mark.parametrize("game", MANUALS)
each_page = pytest.mark.parametrize(
    ("game", "number"),
    [
        pytest.param(game, number, id=f"{game}-{page.title}")
        for game, pages in MANUALS.items()
        for number, page in enumerate(pages)
    ],
)


@each_page
def test_every_page_fits_a_message(game, number):
    content = rules_page_content(presentations(), game, number)
    layout = Layout(content, "attachment://x.png")

    assert layout.content_length() <= 1200
    assert layout.total_children_count <= 40
    assert 1 <= len(content.picture.alt) <= 1024
    assert all(len(button.label) <= 80 for button in content.rows[0])


@each_page
def test_every_page_has_a_wide_picture_that_can_be_read(game, number):
    picture = MANUALS[game][number].picture
    png = picture.draw(picture.subject)

    width, height = opened(png).size
    assert width == PICTURE_WIDTH
    assert height <= MAX_PICTURE_HEIGHT
    assert len(png) <= 60_000
    assert unreadable(picture.draw, picture.subject) == []
    assert png == picture.draw(picture.subject)


@each_page
def test_the_alt_text_of_a_picture_includes_the_words_in_it(game, number, monkeypatch):
    """Except short ones, which label squares, piles and cards: those are described in words."""
    written, draw_text = [], Canvas.text

    def text(canvas, box, words, **how):
        written.append(words)
        draw_text(canvas, box, words, **how)

    monkeypatch.setattr(Canvas, "text", text)
    picture = MANUALS[game][number].picture
    picture.draw(picture.subject)

    drawn = set(re.findall(r"[a-z]{5,}", " ".join(written).lower()))
    assert drawn - set(re.findall(r"[a-z]+", picture.alt.lower())) == set()


@each_game
def test_no_two_pages_share_a_title(game):
    pages = MANUALS[game]

    assert len({page.title for page in pages}) == len(pages)


@each_game
def test_no_two_pages_share_a_picture(game):
    pictures = [page.picture for page in MANUALS[game]]

    assert len({picture.draw(picture.subject) for picture in pictures}) == len(pictures)


@each_game
async def test_the_pages_of_the_rules_turn_in_a_private_message(table, game):
    first, second, third, *_ = MANUALS[game]
    answer = await table.person("Ann").slash(f"{game} rules", channel="games")
    message = (await answer.settled()).message
    before = message.text

    await table.person("Ann").click(message, f"{second.title} ▶")
    await table.discord.until(lambda: f"### {second.title}" in message.text)

    assert message.ephemeral_to == table.person("Ann").id
    assert f"### {first.title}\n{typed(first.text)}" in typed(before)
    assert [image.description for image in message.images] == [second.picture.alt]
    assert labels(message) == [f"◀ {first.title}", f"{third.title} ▶"]
