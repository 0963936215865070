"""The manual of Prize Dominoes."""

import re

from cogs.prize.manual import PAGES
from games.prize import Options

COMMON = {"opponent", "computer", "pace", "rated"}
"""Options of the command that aren't about the rules."""


def test_the_four_prizes_on_the_first_page_have_all_numbers():
    prizes = re.findall(r"(\d)-(\d)", PAGES[0].alt)

    assert len(prizes) == 4
    assert {number for prize in prizes for number in prize} == set("0123456")


async def test_the_last_page_explains_every_option_of_the_command(table):
    (play,) = [
        command
        for group in table.bot.tree.get_commands()
        if group.name == "prize"
        for command in group.commands
        if command.name == "play"
    ]

    told = set(re.findall(r"- `(\w+)`:", PAGES[-1].text))
    assert told == {option.name for option in play.parameters} - COMMON
    assert f"after {Options().hand_limit} hands" in PAGES[-1].text
