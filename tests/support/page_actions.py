"""Actions that the browser tests share."""

import re

from playwright.async_api import expect


async def begin(pane, command):
    """Type a slash and the command's name, and choose it from the list."""
    box = pane.locator("[data-message-box]")
    await box.fill(f"/{command}")
    await expect(box).to_have_attribute("aria-expanded", "true")
    await box.press("Enter")


async def use(pane, command):
    """Send a command without options."""
    await begin(pane, command)
    await pane.locator("[data-send-command]").press("Enter")


def last(pane):
    return pane.locator("[data-message-id]").last


def option(window, label):
    named = window.get_by_text(re.compile(rf"^{re.escape(label)}$"))
    return window.locator("[data-listbox] [role=option]").filter(has=named)


def control(pane, custom_id):
    return pane.locator(f'[data-custom-id="{custom_id}"]').last
