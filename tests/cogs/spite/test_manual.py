from cogs.spite.commands import SpiteAndMalice
from cogs.spite.manual import PAGES
from cogs.spite.options import SCORING
from tests.support.spite_states import play, position, side

COMMON = {"opponent", "computer", "pace", "rated"}
"""Options of the command that aren't about the rules."""


def test_the_manual_names_every_option_of_the_command():
    options = {p.name for p in SpiteAndMalice.play.parameters} - COMMON

    assert [name for name in options if f"`{name}`" not in PAGES[-1].text] == []


def test_the_manual_and_the_command_say_how_an_unfinished_game_counts():
    theirs = side(stock="9 9 9 9 9", hand="3")
    state = position(side(stock="9 9", hand="4 8"), theirs, turn=9, turn_limit=9, scoring="points")

    after = play(state, "4>d1")

    assert after.series.scores == (3, 0)
    assert "difference between the stocks" in SCORING["points"]
    assert "scores the difference between the stocks" in PAGES[-2].text
    assert "loser's stock" not in PAGES[-2].text
