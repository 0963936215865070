"""Every game is played to its end on the page, by people who use whatever their hands offer."""

import asyncio
import contextlib
import random
import re

import pytest
import pytest_asyncio
from playwright.async_api import TimeoutError as PageTimeoutError
from playwright.async_api import expect

from games import GAMES
from tests.support.browser import chromium, opened, served

pytestmark = [
    pytest.mark.long,
    pytest.mark.browser,
    pytest.mark.timeout(1500),
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.xdist_group("page of games"),
]

CONTROLS = '[data-custom-id*=":pick:"], [data-custom-id*=":draft:"]'
HAND = re.compile("your (hand|orders)")
WIDE, PHONE = {"width": 1400, "height": 900}, {"width": 400, "height": 800}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def page(tmp_path_factory):
    """One page for all games, as the sandbox, the bot and Chromium take seconds to start."""
    folder = tmp_path_factory.mktemp("page")
    async with served(folder, MOST_CLICKS="1000000") as address, chromium() as browser:
        yield await opened(browser, address, WIDE)


class Player:
    """Somebody who uses a pane of the page, alone or in turn with others."""

    def __init__(self, page, side, name):
        self.page = page
        self.side = side
        self.name = name
        self.pane = page.locator(f'[data-pane="{side}"]')
        # Not an ephemeral message, such as a refusal of a click just after a reveal.
        self.newest = self.pane.locator("[data-message-id]:not([data-ephemeral])").last

    async def sit_down(self):
        """Switch the pane to this person, in their direct messages with the bot."""
        chooser = self.page.locator(f'[data-member-select="{self.side}"]')
        await chooser.select_option(label=self.name)
        await self.pane.locator("[data-dm]").click()

    async def open_channel(self):
        await self.pane.locator('[data-channel-name="games"]').click()
        await expect(self.pane.locator("[data-place]")).to_have_text("#games")

    async def accept(self):
        chooser = self.page.locator(f'[data-member-select="{self.side}"]')
        await chooser.select_option(label=self.name)
        await self.open_channel()
        await self.newest.get_by_role("button", name="Accept").click()

    async def command(self, name, **options):
        await self.open_channel()
        box = self.pane.get_by_placeholder("Message #games")  # not that of the previous channel
        offered = self.page.locator("[data-listbox] [role=option]")
        await box.fill(f"/{name}")
        await expect(offered.filter(has_text=f"/{name}").first).to_be_visible()
        await box.press("Enter")
        for option, value in options.items():
            field = self.pane.locator(f'[data-option="{option}"]')
            await field.fill(value)
            if not value.isdecimal():
                await offered.first.click()
        await self.pane.locator("[data-send-command]").click()

    async def act(self, chance):
        """Use one of the controls that the hand offers; False if it offers none."""
        asked = {"side": self.side, "controls": CONTROLS, "at": chance.random()}
        before = await self.page.evaluate(USE, asked)
        if before is None:
            return False
        options = self.page.locator("[data-listbox] [role=option]")
        if count := await options.count():
            await options.nth(chance.randrange(count)).click()
        with contextlib.suppress(PageTimeoutError):  # a draft may look like the one before
            arg = {"side": self.side, "before": before}
            await self.page.wait_for_function(CHANGED, arg=arg, timeout=3000)
        return True


# In one script: the hand may be re-rendered between finding the control and clicking it.
USE = """({side, controls, at}) => {
    const desk = [...document.querySelectorAll(
        `[data-pane="${side}"] [data-message-id]:not([data-ephemeral])`)].pop();
    if (!desk || desk.innerText.includes("You chose")) return null;
    const offered = [...desk.querySelectorAll(controls)].filter((control) => !control.disabled);
    if (!offered.length) return null;
    const before = desk.innerHTML;
    const control = offered[Math.floor(at * offered.length)];
    control.scrollIntoView({block: "center"});
    control.click();
    return before;
}"""
CHANGED = """({side, before}) => {
    const desk = [...document.querySelectorAll(
        `[data-pane="${side}"] [data-message-id]:not([data-ephemeral])`)].pop();
    return desk && desk.innerHTML !== before;
}"""


async def play(page, players, chance):
    """Let players who owe a move use their hands until the table says that the match is over."""
    async with asyncio.timeout(600):
        while not await is_over(players[0]):
            for player in players:
                if len(players) > 2:
                    await player.sit_down()
                while await player.act(chance):
                    pass


async def is_over(player):
    """Whether the table says that the match is over; afterwards their hand is open again."""
    await player.open_channel()
    await expect(player.newest.locator("img").first).to_be_visible()
    over = "seed was" in await player.newest.inner_text()
    await player.sit_down()
    await expect(player.newest).to_contain_text(HAND)
    return over


async def shown(page, players, folder, name):
    """Take screenshots of table and hand, wide and as wide as a phone."""
    await players[0].open_channel()
    await players[1].sit_down()
    await page.screenshot(path=folder / f"{name}.png")
    await page.set_viewport_size(PHONE)
    await page.screenshot(path=folder / f"{name}-phone.png")
    await page.set_viewport_size(WIDE)
    await players[0].sit_down()


SHORTER = {
    "duel": {"hand": "In private"},
    "prize": {"hands": "1"},
    "spite": {"stock": "2", "turn_limit": "12"},
    "conquest": {"turn_limit": "4"},
}
"""Options that make a match of a game shorter."""


# test_page.py plays Pico.
@pytest.mark.parametrize("game", [key for key in GAMES if key != "pico"])
async def test_two_people_play_each_game_to_its_end_on_the_page(page, artifacts, game):
    ann, bo = players = [Player(page, "left", "Ann"), Player(page, "right", "Bo")]
    await ann.open_channel()
    options = {"pace": "No clock", **SHORTER.get(game, {})}
    await ann.command(f"{game} play", opponent="Bo", **options)
    await bo.accept()
    await expect(ann.newest.locator("img").first).to_be_visible()
    for player in players:
        await player.sit_down()
        await expect(player.newest).to_contain_text(HAND)
    chance = random.Random(game)
    for player in players:
        await player.act(chance)
    await shown(page, players, artifacts, f"{game}-begun")

    await play(page, players, chance)

    await ann.open_channel()
    await expect(ann.newest).to_contain_text("seed was")
    await shown(page, players, artifacts, f"{game}-over")


async def test_four_people_play_conquest_to_its_end_on_the_page(page, artifacts):
    sides = ("left", "right", "left", "right")
    players = [
        Player(page, side, name)
        for side, name in zip(sides, ("Ann", "Bo", "Cleo", "Dan"), strict=True)
    ]
    others = {"opponent": "Bo", "second_opponent": "Cleo", "third_opponent": "Dan"}
    await players[0].command("conquest play", **others, turn_limit="3", pace="No clock")
    for player in players[1:]:
        await player.accept()
    for player in players:
        await player.sit_down()
        await expect(player.newest).to_contain_text(HAND)

    await play(page, players, random.Random("four"))

    await players[0].sit_down()
    await players[0].open_channel()
    await expect(players[0].newest).to_contain_text("seed was")
    await shown(page, players, artifacts, "four-over")
