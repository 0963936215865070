from cogs.spite.commands import SpiteAndMalice
from cogs.spite.manual import PAGES

COMMON = {"opponent", "computer", "pace", "rated"}
"""Options of the command that are no rules of the game."""


def test_the_manual_names_every_option_of_the_command():
    options = {p.name for p in SpiteAndMalice.play.parameters} - COMMON

    assert [name for name in options if f"`{name}`" not in PAGES[-1].text] == []
