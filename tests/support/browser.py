"""The sandbox's page with the real bot behind it, and Chromium to open it with."""

import asyncio
import os
import shutil
import signal
import sys
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import async_playwright, expect

PATIENCE = 60_000  # milliseconds; no test shall fail because the machine is slow
CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

expect.set_options(timeout=PATIENCE)


@asynccontextmanager
async def served(folder, **settings):
    """Run `python -m sandbox` with the real bot as its child; the address that it prints."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "sandbox", "--patience", "60", "--bot", f"{sys.executable} -m bot"),
        env={
            # Measuring coverage would slow the bot down, and the page waits for it.
            **{k: v for k, v in os.environ.items() if not k.startswith("COVERAGE")},
            "DATABASE": str(folder / "facedown.sqlite3"),
            "METRICS_PORT": "0",
            **settings,
        },
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    line = ""
    while not line.startswith("Open "):
        line = (await process.stdout.readline()).decode()
        assert line, "the sandbox ended before it printed its address"
    drain = asyncio.create_task(process.stdout.read())
    yield line.removeprefix("Open ").strip()
    process.send_signal(signal.SIGTERM)
    assert await process.wait() == 0
    sys.stdout.write((await drain).decode())  # pytest shows it if the test failed


@asynccontextmanager
async def chromium():
    """A Chromium browser; the test fails if none is installed."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.fail("There is no Chromium: install it, on Debian with `apt-get install chromium`.")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        await browser.close()


async def opened(browser, address, viewport):
    """A page at this address, once it shows the bot as online."""
    page = await browser.new_page(viewport=viewport, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    await page.goto(address)
    await expect(page.get_by_text("online")).to_be_visible()
    return page
