"""The page in Chromium: commands, buttons, menus and modals, with the showcase bot."""

import re
from datetime import timedelta

import pytest
from playwright.async_api import expect

from tests.support.page_actions import begin, control, last, option, use

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="session"),
]


async def test_a_plain_message_appears_in_both_panes_without_reloading(left, right):
    await left.locator("[data-message-box]").fill("Hello **there**")
    await left.locator("[data-message-box]").press("Enter")

    for pane in (left, right):
        await expect(last(pane).locator("strong")).to_have_text("there")
        await expect(last(pane).locator(".author")).to_have_text("Ann")


async def test_a_slash_lists_the_bots_commands_and_typing_filters_them(window, left):
    box = left.locator("[data-message-box]")
    await box.press_sequentially("/")
    await expect(option(window, "/pick")).to_contain_text("Pick things of every kind")

    await box.press_sequentially("gue")

    await expect(window.locator("[data-listbox] [role=option]")).to_have_count(1)
    await box.press("Escape")
    await expect(window.locator("[data-listbox]")).to_have_count(0)


async def test_commands_that_are_registered_after_the_slash_was_typed_are_listed(window, left, bot):
    commands = [command.to_dict(bot.tree) for command in bot.tree.get_commands()]
    await bot.http.bulk_upsert_global_commands(bot.application_id, [])
    box = left.locator("[data-message-box]")
    await box.press_sequentially("/")
    await expect(option(window, "/pick")).to_have_count(0)

    await bot.http.bulk_upsert_global_commands(bot.application_id, commands)

    await expect(option(window, "/pick")).to_be_visible()
    await box.press("Escape")


async def test_a_command_can_be_filled_in_with_the_keyboard_alone(window, left, right):
    await begin(left, "pick")
    names = await left.locator("[data-option]").evaluate_all(
        "all => all.map(e => e.dataset.option)"
    )
    assert names == ["color", "count", "friend", "loud"]

    keyboard = window.keyboard
    await expect(option(window, "Gold")).to_be_visible()
    await keyboard.type("gol")
    await expect(option(window, "Red")).to_have_count(0)
    await keyboard.press("Enter")
    await keyboard.press("Tab")
    await keyboard.type("3")
    await keyboard.press("Tab")
    await keyboard.type("Bo")
    await expect(option(window, "Bo")).to_be_visible()
    await keyboard.press("Enter")
    await keyboard.press("Tab")
    await expect(option(window, "True")).to_be_visible()
    await keyboard.press("ArrowUp")
    await keyboard.press("ArrowDown")
    await keyboard.press("Enter")
    await keyboard.press("Enter")

    await expect(last(right)).to_contain_text("3 gold with Bo, loud: True")
    await expect(last(right)).to_contain_text("Ann used /pick")
    await expect(left.locator("[data-message-box]")).to_be_focused()


async def test_missing_and_invalid_options_are_reported_before_anything_is_sent(left, console):
    await begin(left, "pick")
    before = len(console.sandbox.requests)
    await left.locator("[data-send-command]").click()
    await expect(left.get_by_role("alert")).to_contain_text("color is required.")

    await left.locator('[data-option="color"]').fill("purple")
    await left.locator("[data-send-command]").click()

    await expect(left.get_by_role("alert")).to_contain_text("Choose color from its list.")
    await left.locator("[data-cancel-command]").click()
    await expect(left.locator("[data-message-box]")).to_be_visible()
    assert len(console.sandbox.requests) == before


async def test_autocomplete_asks_the_bot_while_somebody_types(window, left):
    await begin(left, "guess")
    await left.locator('[data-option="word"]').press_sequentially("ap")
    await expect(window.locator("[data-listbox] [role=option]")).to_have_text(["Apple", "Apricot"])

    await window.keyboard.press("ArrowDown")
    await window.keyboard.press("Enter")
    await window.keyboard.press("Enter")

    await expect(last(left)).to_contain_text("You guessed apricot")


async def test_a_button_edits_its_message_in_both_panes_and_a_click_belongs_to_its_pane(
    left, right
):
    await use(left, "buttons")
    await control(right, "count").click()
    await expect(last(left).locator("[data-content]")).to_have_text("Counted 1 (edited)")

    await control(right, "secret").click()

    await expect(last(right).locator("[data-content]")).to_have_text("The secret of Bo")
    await expect(last(right)).to_contain_text("Only you can see this")
    await expect(left.get_by_text("The secret of Bo")).to_have_count(0)


async def test_link_buttons_link_and_disabled_buttons_cannot_be_clicked(left):
    await use(left, "buttons")

    link = left.get_by_role("link", name="A link")
    await expect(link).to_have_attribute("href", "https://example.org/")
    await expect(left.get_by_role("button", name="Not now")).to_be_disabled()


async def test_an_ephemeral_message_can_be_dismissed_and_does_not_come_back(window, left):
    await use(left, "buttons")
    await control(left, "secret").click()
    secret = left.locator('[data-ephemeral="true"]')
    await expect(secret).to_have_count(1)

    await secret.locator("[data-dismiss]").click()

    await expect(secret).to_have_count(0)
    await window.reload()
    await expect(left.locator("[data-message-id]")).to_have_count(1)


async def test_a_click_without_an_answer_is_shown_as_failed(left, right, console):
    await use(left, "buttons")
    await control(left, "nothing").click()
    await expect(control(left, "nothing")).to_have_class(re.compile("busy"))

    console.sandbox.clock.advance(timedelta(seconds=4))

    await expect(last(left).locator("[data-failure]")).to_have_text("This interaction failed")
    await expect(right.locator("[data-failure]")).to_have_count(0)
    await control(left, "count").click()
    await expect(left.locator("[data-failure]")).to_have_count(0)


async def test_a_command_without_an_answer_is_shown_as_not_responding(left, right, console):
    await use(left, "broken")
    await expect(left.locator("[data-sending]")).to_contain_text("Sending command")

    console.sandbox.clock.advance(timedelta(seconds=4))

    failed = left.locator("[data-failed-command]")
    await expect(failed).to_contain_text("The application did not respond")
    await expect(right.locator("[data-failed-command]")).to_have_count(0)
    await failed.locator("[data-dismiss]").click()
    await expect(failed).to_have_count(0)


async def test_a_deferred_answer_is_shown_as_thinking_until_it_is_complete(left, right, bot):
    await use(left, "slow")
    await expect(last(right).locator("[data-thinking]")).to_contain_text("is thinking")

    await bot.buttons.waiting.edit_original_response(content="Done thinking")

    await expect(last(right).locator("[data-content]")).to_have_text("Done thinking")
    await expect(right.locator("[data-thinking]")).to_have_count(0)


async def test_a_menu_with_several_choices_waits_for_enough_of_them(window, left):
    await use(left, "selects")
    await control(left, "words").click()
    done = window.locator("[data-listbox]").get_by_role("button", name="Done")
    await option(window, "Red").click()
    await expect(done).to_be_disabled()
    await expect(option(window, "Red")).to_contain_text("The color red")

    await option(window, "Gold").click()
    await done.click()

    await expect(last(left)).to_contain_text("words: red, gold")


async def test_closing_a_menu_submits_what_was_changed_in_it_if_that_is_enough(window, left):
    await use(left, "selects")
    messages = left.locator("[data-message]")
    before = await messages.count()
    await control(left, "words").click()
    await option(window, "Red").click()
    await window.keyboard.press("Escape")
    await control(left, "words").click()
    await expect(option(window, "Red")).to_have_attribute("aria-selected", "false")
    assert await messages.count() == before

    for color in ("Red", "Gold"):
        await option(window, color).click()
    await window.mouse.click(2, 2)

    await expect(last(left)).to_contain_text("words: red, gold")


@pytest.mark.parametrize(
    ("select", "choice", "told"),
    [
        ("users", "Cleo", "users: Cleo"),
        ("roles", "@Regulars", "roles: Regulars"),
        ("mentionables", "Dan", "mentionables: Dan"),
        ("channels", "#lobby", "channels: lobby"),
    ],
)
async def test_menus_offer_the_existing_people_roles_and_channels(
    window, left, select, choice, told
):
    await use(left, "selects")
    await control(left, select).focus()
    await window.keyboard.press("ArrowDown")

    await option(window, choice).click()

    await expect(last(left).locator("[data-content]")).to_have_text(told.lower(), ignore_case=True)


async def test_a_modal_covers_one_pane_and_reports_missing_values(window, left, right):
    await use(left, "buttons")
    await control(left, "form").click()
    modal = left.locator("[data-modal]")
    await modal.locator("[data-modal-submit]").click()
    await expect(modal.get_by_role("alert")).to_have_text("Name is required.")
    await modal.get_by_label("Name").fill("X")
    await modal.locator("[data-modal-submit]").click()
    await expect(modal.get_by_role("alert")).to_contain_text("at least 2 characters")
    await expect(right.locator("[data-modal]")).to_have_count(0)

    await modal.get_by_label("Name").fill("Xenia")
    await modal.locator("[data-custom-id][role=combobox]").click()
    await option(window, "blue").click()
    await modal.get_by_label("Large").check()
    await modal.get_by_label("Tea").check()
    await modal.locator("[data-modal-submit]").click()

    await expect(modal).to_have_count(0)
    await expect(last(right)).to_contain_text("You said: Xenia, blue, large, tea")


async def test_direct_messages_show_how_many_are_unread_until_they_are_read(window, left, right):
    await begin(right, "whisper")
    await window.keyboard.type("Ann")
    await expect(option(window, "Ann")).to_be_visible()
    await window.keyboard.press("Enter")
    await window.keyboard.press("Enter")
    entry = left.locator("[data-dm]")
    await expect(entry).to_have_attribute("data-unread", "1")

    await entry.click()

    await expect(last(left)).to_contain_text("A whisper from Bo")
    await expect(entry).to_have_attribute("data-unread", "0")
    await expect(right.locator("[data-dm]")).to_have_attribute("data-unread", "0")
    await expect(right.get_by_text("A whisper from Bo")).to_have_count(0)


async def test_closed_direct_messages_refuse_the_bot(window, left, right):
    await window.locator('[data-act="toggle-panel"]').click()
    await window.locator('[data-act="close-Ann"]').check()
    await expect(left.locator(".sidebar")).to_contain_text("Closed")
    await window.locator('[data-act="toggle-panel"]').click()

    await begin(right, "whisper")
    await window.keyboard.type("Ann")
    await expect(option(window, "Ann")).to_be_visible()
    await window.keyboard.press("Enter")
    await window.keyboard.press("Enter")

    await expect(last(right)).to_contain_text("Ann cannot be reached.")


async def test_a_right_click_on_a_user_or_a_message_offers_the_bots_commands(window, left, right):
    await right.locator("[data-message-box]").fill("Hello")
    await right.locator("[data-message-box]").press("Enter")
    message = left.locator("[data-message-id]").first
    await message.locator("[data-user-id]").first.click(button="right")
    await window.locator('[data-menu-item="Wave"]').click()
    await expect(last(right)).to_contain_text("Ann waves at @Bo")
    await expect(last(right)).to_have_class(re.compile("pings"))
    await expect(last(left)).not_to_have_class(re.compile("pings"))

    await message.locator("[data-content]").click(button="right")
    await window.locator('[data-menu-item="Quote"]').click()

    number = await message.get_attribute("data-message-id")
    await expect(last(left)).to_contain_text(f"Quoting message {number}")
