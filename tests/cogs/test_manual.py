"""The rules of Pico in the sandbox: every page, in both directions, as a private message."""

from functools import partial

import pytest

from bot.errors import ButtonError
from bot.messaging.content import Layout
from bot.rendering.presentation import Presentations
from bot.rendering.rules_pages import rules_page_content
from cogs.pico.manual import PAGES
from cogs.pico.presentation import PicoPresentation
from tests.support.tables import labels


async def opened(table, name="Ann"):
    answer = await table.person(name).slash("pico rules", channel="games")
    return (await answer.settled()).message


def shows(message, number):
    """Whether the message shows this page: its text, its picture and its number."""
    page = PAGES[number]
    return (
        f"### {page.title}\n{page.text}" in message.text
        and [image.description for image in message.images] == [page.alt]
        and f"page {number + 1} of {len(PAGES)}" in message.text
    )


async def test_the_rules_open_at_the_first_page_in_a_private_message(table):
    message = await opened(table)

    assert message.ephemeral_to == table.person("Ann").id
    assert shows(message, 0)
    assert labels(message) == [f"{PAGES[1].title} ▶"]


async def test_all_pages_can_be_turned_forward_and_back(table):
    message = await opened(table)

    for number in range(1, len(PAGES)):
        await table.person("Ann").click(message, f"{PAGES[number].title} ▶")
        await table.discord.until(partial(shows, message, number))
    last = labels(message)
    for number in reversed(range(len(PAGES) - 1)):
        await table.person("Ann").click(message, f"◀ {PAGES[number].title}")
        await table.discord.until(partial(shows, message, number))

    assert last == [f"◀ {PAGES[-2].title}"]


async def test_the_rules_can_be_opened_from_table_and_hand(table):
    public = await table.match()

    at_table = await (await table.person("Bo").click(public, "Rules")).settled()
    at_desk = await (await table.person("Bo").click(table.desk("Bo"), "Rules")).settled()

    for answer in (at_table, at_desk):
        assert answer.ephemeral
        assert shows(answer.message, 0)
    assert "your hand" in table.desk("Bo").text


async def test_the_rules_of_a_custom_match_list_all_its_options(table):
    wished = {"stock": 9, "jokers": "with-kings", "forced": "aces", "foundations": 3}
    public = await table.for_two("spite", "Turn 1", strict_draw=True, **wished)

    opened = (await (await table.person("Cleo").click(public, "Rules")).settled()).message

    assert "### Spite and Malice · stocks of 9 (+4 more)" in public.text
    assert (
        "-# This match: stocks of 9, jokers and kings wild, at most 3 foundations, forced aces, "
        "strict draw."
    ) in opened.text


async def test_a_challenge_lists_all_options_of_a_custom_match(table):
    wished = {"stock": 9, "jokers": "with-kings", "forced": "aces", "foundations": 3}
    custom = (
        await table.person("Ann").slash(
            "spite play", channel="games", opponent=table.person("Bo"), **wished
        )
    ).message
    usual = await table.challenge("Ann", "Cleo")

    assert (
        "-# In full: stocks of 9, jokers and kings wild, at most 3 foundations, forced aces."
    ) in custom.text
    assert "In full" not in usual.text


async def test_the_rules_can_still_be_read_after_the_match_was_deleted(table):
    public = await table.match()
    await table.change(f"DELETE FROM matches WHERE id = {table.match_of(public)}")  # noqa: S608

    opened = await (await table.person("Cleo").click(public, "Rules")).settled()

    assert shows(opened.message, 0)


@pytest.fixture
def presentations():
    shown = Presentations()
    shown["pico"] = PicoPresentation()
    return shown


@pytest.mark.parametrize("number", range(len(PAGES)), ids=[page.title for page in PAGES])
def test_every_page_fits_a_message(presentations, number):
    content = rules_page_content(presentations, "pico", number)
    layout = Layout(content, "attachment://x.png")

    assert layout.content_length() <= 4000
    assert layout.total_children_count <= 40
    assert content.picture is not None
    assert 1 <= len(content.picture.alt) <= 1024
    for button in content.rows[0]:
        assert len(button.label) <= 80


@pytest.mark.parametrize(("game", "number"), [("pico", -1), ("pico", len(PAGES)), ("chess", 0)])
def test_a_page_that_does_not_exist_is_refused(presentations, game, number):
    with pytest.raises(ButtonError, match=r"no such page\. Use `/pico rules`|`/help` has those"):
        rules_page_content(presentations, game, number)
