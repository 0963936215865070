"""What a newcomer does: a whole match on the page, with a restart of the bot in between."""

import re
import sys

import pytest
from playwright.async_api import expect

from tests.support.browser import chromium, opened, served

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1500)]


@pytest.fixture
async def page(tmp_path):
    async with served(tmp_path) as address, chromium() as browser:
        page = await opened(browser, address, {"width": 1400, "height": 900})
        yield page
        for pane in await page.locator("[data-pane]").all_inner_texts():
            sys.stdout.write(f"{pane}\n")  # pytest shows it if the test failed


class Member:
    """One pane of the page, used as its member would use it."""

    def __init__(self, page, side):
        self.page = page
        self.pane = page.locator(f'[data-pane="{side}"]')

    async def challenge(self, opponent):
        box = self.pane.locator("[data-message-box]")
        offered = self.page.locator("[data-listbox] [role=option]").filter(has_text="/pico play")
        await box.fill("/pico play")
        await expect(offered).to_be_visible()
        await box.press("Enter")
        options = {"opponent": opponent, "pace": "Live", "hand": "In private"}
        for option, value in options.items():
            await self.pane.locator(f'[data-option="{option}"]').fill(value)
            await self.page.locator("[data-listbox] [role=option]").first.click()
        await self.pane.locator("[data-send-command]").click()

    async def open_desk(self):
        await self.pane.locator("[data-dm]").click()
        await expect(self.cards.first).to_be_visible()

    async def open_channel(self):
        await self.pane.locator('[data-channel-name="games"]').click()

    @property
    def cards(self):
        return self.pane.locator('[data-custom-id*=":pick:"]')

    @property
    def newest(self):
        return self.pane.locator("[data-message-id]").last

    async def step(self):
        """The step that the hand asks for; None once the match is over."""
        if await self.cards.count() == 0:
            return None
        return (await self.cards.first.get_attribute("data-custom-id")).split(":")[2]

    async def pick(self, which=0):
        """Choose a card; returns its number once the hand has said so or moved on."""
        card = self.cards.nth(which)
        await expect(card).to_be_visible()  # the hand may be re-rendered meanwhile
        _, _, step, _, face, *_ = (await card.get_attribute("data-custom-id")).split(":")
        await card.click()
        said = self.newest.filter(has_text=f"You chose {face}")
        gone = self.page.locator(f'[data-custom-id*=":{step}:pick:"]')  # searched for in the pane
        await expect(said.or_(self.pane.filter(has_not=gone)).first).to_be_visible()
        return face


async def both_moved_on(ann, bo, step):
    for member in (ann, bo):
        old = member.pane.locator(f'[data-custom-id*=":{step}:pick:"]')
        await expect(old).to_have_count(0)


async def test_two_people_play_a_match_on_the_page_with_a_restart_of_the_bot_in_between(
    page, artifacts
):
    ann, bo = Member(page, "left"), Member(page, "right")
    await ann.challenge("Bo")
    await bo.pane.get_by_role("button", name="Accept").click()
    await expect(ann.newest).to_contain_text("Round 1 of 2")
    await expect(bo.pane.locator('[data-dm][data-unread="1"]')).to_be_visible()
    await ann.open_desk()
    await bo.open_desk()

    # Ann's choice is shown in her hand and nowhere on Bo's side.
    face = await ann.pick(1)
    await expect(bo.pane).not_to_contain_text("You chose")
    await expect(bo.pane.get_by_role("button", name=re.compile(f"✓ {face}"))).to_have_count(0)
    await bo.open_channel()
    await expect(bo.newest).to_contain_text("has chosen")
    await page.screenshot(path=artifacts / "one-has-chosen.png")
    await bo.open_desk()
    await bo.pick(1)
    await both_moved_on(ann, bo, "0")

    # The bot stops after a choice and starts again, and the choice is still there.
    face = await ann.pick(0)
    await page.locator('[data-act="restart-bot"]').click()
    await expect(page.locator("[data-bot-log]")).to_contain_text(
        re.compile("clock started.*clock started", re.DOTALL)
    )
    await expect(ann.newest).to_contain_text(f"You chose {face}")
    await expect(page.get_by_text("online")).to_be_visible()
    await bo.pick(0)
    await both_moved_on(ann, bo, "1")

    while (step := await ann.step()) is not None:
        await ann.pick(0)
        if step == "3":
            await bo.open_channel()
            await expect(bo.newest).to_contain_text("has chosen")
            await page.screenshot(path=artifacts / "match.png")
            await bo.open_desk()
        await bo.pick(0)
        await both_moved_on(ann, bo, step)

    await expect(ann.newest).to_contain_text(re.compile("wins|A draw"))
    await ann.open_channel()
    await expect(ann.newest).to_contain_text("its seed was secret until now")
    await page.screenshot(path=artifacts / "over.png")
    await page.set_viewport_size({"width": 400, "height": 800})
    await page.screenshot(path=artifacts / "over-phone.png")
