"""The page in Chromium: how messages look, the panes, the fault panel, and a phone."""

import re
import sys

import discord
import pytest
from playwright.async_api import expect

from sandbox.permissions import Permission
from sandbox.supervisor import Supervisor
from tests.support.page_actions import control, last, use

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
]


async def test_every_kind_of_markdown_is_rendered_and_html_is_escaped(window, left):
    await use(left, "text")
    shown = last(left).locator("[data-content]")

    await expect(shown.locator("h3")).to_have_text("Heading")
    for tag, text in [("strong", "bold"), ("em", "italic"), ("u", "under"), ("s", "gone")]:
        await expect(shown.locator(tag)).to_have_text(text)
    await expect(shown.locator(".subtext")).to_have_text("subtext")
    await expect(shown.locator("li")).to_have_text(["one", "two"])
    await expect(shown.locator("blockquote")).to_have_text("quoted <b>not bold</b>")
    await expect(shown.locator("b")).to_have_count(0)
    await expect(shown.locator("pre")).to_have_text('print("code")')
    await expect(shown.locator(".mention-me")).to_have_text("@Ann")
    await expect(shown.locator("button.mention")).to_have_text(["#games", "/pick"])
    await expect(shown.locator("img.emoji")).to_have_attribute("alt", ":card:")
    spoiler = shown.locator(".spoiler")
    await expect(spoiler).to_have_attribute("aria-expanded", "false")
    await spoiler.click()
    await expect(spoiler).to_have_class("spoiler shown")
    await shown.get_by_role("button", name="/pick").click()
    await expect(left.locator("[data-command-form=pick]")).to_be_visible()


async def test_a_channel_says_what_to_type(window, left):
    invitation = left.locator("[data-invitation]")

    await expect(invitation).to_have_text("Type / to see what the bot can do.")


async def test_relative_times_follow_the_sandboxs_clock(window, left):
    await use(left, "text")
    time = last(left).locator("time[data-style=R]")
    await expect(time).to_have_text(re.compile("^in "))
    await window.locator('[data-act="toggle-panel"]').click()

    await window.locator('[data-act="clock-3600"]').click()

    await expect(time).to_have_text(re.compile(" ago$"))


async def test_the_pictures_of_a_layout_have_alt_texts_and_can_be_enlarged(window, left):
    await use(left, "layout")
    message = last(left)
    await expect(message.locator(".container.accented")).to_have_count(1)
    await expect(message.locator("[data-file='notes.txt'] a")).to_have_attribute(
        "href", re.compile("^/attachments/")
    )
    picture = message.get_by_alt_text("A wide picture of nothing")
    await expect(picture).to_have_attribute("title", "A wide picture of nothing")
    assert await picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 520

    await picture.click()

    box = window.locator("[data-lightbox]")
    await expect(box.locator("figcaption")).to_have_text("A wide picture of nothing")
    await window.keyboard.press("Escape")
    await expect(box).to_have_count(0)


async def test_an_embed_has_all_its_parts(left):
    await use(left, "embed")

    embed = last(left).locator(".embed")
    for text in ("Somebody", "An embed", "One", "Two", "The end"):
        await expect(embed).to_contain_text(text)
    await expect(embed.locator("img")).to_have_count(1)


async def test_the_panes_are_independent_and_can_show_any_member(left, right, console):
    await left.locator("[data-member-select]").select_option(label="Cleo")
    await left.locator('[data-channel-name="lobby"]').click()
    await expect(left).to_have_attribute("data-member", "Cleo")
    await expect(left.locator("[data-place]")).to_have_text("#lobby")
    await expect(right).to_have_attribute("data-member", "Bo")
    await expect(right.locator("[data-place]")).to_have_text("#games")

    await left.locator("[data-message-box]").fill("Here")
    await left.locator("[data-message-box]").press("Enter")

    await expect(last(left)).to_contain_text("Here")
    await expect(right.locator('[data-channel-name="lobby"]')).to_have_class(re.compile("unread"))
    assert [m.author.name for m in console.sandbox.person("Dan").see("lobby")] == ["Cleo"]


@pytest.mark.parametrize("unread", ["[data-dm]", '[data-channel-name="lobby"]'])
async def test_a_click_counts_even_if_the_channels_are_redrawn_during_it(
    window, left, console, bot, unread
):
    bo, ann = console.sandbox.person("Bo"), console.sandbox.person("Ann")
    await left.locator("[data-dm]").hover()
    await window.mouse.down()

    await bo.say("lobby", "Hello")
    await (await bot.fetch_user(ann.id)).send("Hello")
    await expect(left.locator(unread)).to_have_class(re.compile("unread"))
    await window.mouse.up()

    await expect(left.locator("[data-place]")).to_have_text("@Facedown")


async def test_a_click_right_after_choosing_a_member_belongs_to_that_member(left, answers):
    answers.hold()
    await left.locator("[data-member-select]").select_option(label="Cleo")
    await left.locator("[data-dm]").click()

    answers.release()

    await expect(left.locator("[data-place]")).to_have_text("@Facedown")
    await expect(left).to_have_attribute("data-member", "Cleo")


async def test_a_button_press_right_after_choosing_a_member_belongs_to_that_member(left, answers):
    await use(left, "buttons")
    await expect(control(left, "secret")).to_be_visible()
    answers.hold()
    await left.locator("[data-member-select]").select_option(label="Cleo")
    await control(left, "secret").click()

    answers.release()

    await expect(last(left)).to_contain_text("The secret of Cleo")


async def test_choosing_a_member_right_after_a_click_keeps_the_channel(left, answers):
    answers.hold()
    await left.locator('[data-channel-name="lobby"]').click()
    await left.locator("[data-member-select]").select_option(label="Cleo")

    answers.release()

    await expect(left).to_have_attribute("data-member", "Cleo")
    await expect(left.locator("[data-place]")).to_have_text("#lobby")


async def test_the_list_keeps_scrolling_to_its_end_only_if_it_was_there(left, console):
    bo = console.sandbox.person("Bo")
    for number in range(40):
        await bo.say("games", f"Line {number}")
    scroller = left.locator(".scroller")
    await expect(left.get_by_text("Line 39", exact=True)).to_be_in_viewport()

    await scroller.hover()
    await left.page.mouse.wheel(0, -2000)
    await expect(left.get_by_text("Line 39", exact=True)).not_to_be_in_viewport()
    await bo.say("games", "One more")

    await expect(left.get_by_text("One more")).to_have_count(1)
    await expect(left.get_by_text("One more")).not_to_be_in_viewport()


async def test_threads_are_listed_below_their_channel(left, right, bot, console):
    world = console.sandbox.world
    world.set_permissions("games", allow=Permission.CREATE_PUBLIC_THREADS)
    thread = await bot.get_channel(world.channel("games").id).create_thread(
        name="a match", type=discord.ChannelType.public_thread
    )

    await left.locator('[data-thread-name="a match"]').click()
    await left.locator("[data-message-box]").fill("In here")
    await left.locator("[data-message-box]").press("Enter")

    await expect(last(left)).to_contain_text("In here")
    await expect(right.locator('[data-thread-name="a match"]')).to_have_class(re.compile("unread"))
    assert console.sandbox.person("Bo").see(thread.id)


async def test_a_crashed_bot_is_shown_with_its_last_lines_and_can_be_started_again(window, console):
    child = "print('my last words'); raise SystemExit(3)"
    command = (sys.executable, "-c", child)
    bot = Supervisor(command, {}, on_change=console.wake, on_line=lambda _: console.wake())
    console.bots = [bot]
    await bot.start()
    death = window.locator(".death")
    await expect(death).to_contain_text("The bot ended by itself (exit code 3).")
    await expect(death.locator("[data-death-log]")).to_have_text("my last words")

    await death.locator('[data-act="start-again"]').click()

    await expect(death.locator("[data-death-log]")).to_have_text("my last words\nmy last words")


async def test_a_phone_shows_one_pane_at_a_time(window, left, right):
    await window.set_viewport_size({"width": 400, "height": 800})
    await expect(left).to_be_visible()
    await expect(right).to_be_hidden()
    assert await window.evaluate("document.documentElement.scrollWidth") == 400

    await window.locator('[data-pane-tab="right"]').click()
    await expect(left).to_be_hidden()
    await right.locator("[data-sidebar-toggle]").click()
    await right.locator('[data-channel-name="lobby"]').click()

    await expect(right.locator("[data-place]")).to_have_text("#lobby")
    await expect(right.locator(".sidebar")).to_be_hidden()


async def test_a_lost_connection_to_the_sandbox_is_shown_until_it_is_back(window, console):
    await expect(window.get_by_text("The sandbox has stopped")).to_be_hidden()

    await console.close()

    await expect(window.get_by_text("The sandbox has stopped")).to_be_visible()
    await expect(window.get_by_text("The sandbox has stopped")).to_be_hidden()
