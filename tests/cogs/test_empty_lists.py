"""Lists with nothing to show yet link to the commands that start a first match."""

import re

import pytest

from tests.support.tables import labels

LISTS = {
    "leaderboards": ("leaderboard", {}, {"help"}),
    "leaderboard of a game": ("leaderboard", {"game": "duel"}, {"duel play", "privacy visibility"}),
    "computer ladders": ("leaderboard", {"ladder": "computers"}, {"help"}),
    "puzzles": ("leaderboard", {"game": "puzzle"}, {"puzzle", "privacy visibility"}),
    "stats": ("stats", {}, {"help", "history"}),
    "stats of a game": ("stats", {"game": "duel"}, {"duel play", "history"}),
    "history": ("history", {}, {"help", "games"}),
    "history of a game": ("history", {"game": "duel"}, {"duel play", "games"}),
    "games": ("games", {}, {"help"}),
}


@pytest.mark.parametrize(("command", "options", "leads_to"), LISTS.values(), ids=LISTS)
async def test_an_empty_list_links_to_commands(table, command, options, leads_to):
    ann = table.person("Ann")
    ids = {c["name"]: c["id"] for c in ann.commands("games")}

    shown = (await (await ann.slash(command, channel="games", **options)).settled()).message

    assert set(re.findall(r"</[^>]*>", shown.text)) == {
        f"</{name}:{ids[name.split()[0]]}>" for name in leads_to
    }
    assert "`/" not in shown.text


async def test_a_comparison_of_two_people_who_have_never_played_links_to_commands_too(table):
    ann = table.person("Ann")

    shown = await (await ann.slash("stats", channel="games", versus=table.person("Bo"))).settled()

    assert "use the `play` command of any game in </help:" in shown.text


@pytest.mark.parametrize("command", ["games", "watch"])
async def test_an_empty_list_leads_to_a_first_match_in_a_few_taps(table, command):
    ann = table.person("Ann")
    shown = (await ann.slash(command, channel="games")).message

    await (await ann.click(shown, "Start a match")).settled()
    await (await ann.click(shown, "Pico")).settled()

    assert "### Play the computer" in shown.text
    assert "Play" in labels(shown)
