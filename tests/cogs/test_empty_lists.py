"""Where there is nothing to show yet, the way to the first match is a command to be tapped."""

import re

import pytest

LISTS = {
    "leaderboards": ("leaderboard", {}, {"help"}),
    "leaderboard of a game": ("leaderboard", {"game": "duel"}, {"duel play"}),
    "computer ladders": ("leaderboard", {"ladder": "computers"}, {"help"}),
    "puzzles": ("leaderboard", {"game": "puzzle"}, {"puzzle"}),
    "stats": ("stats", {}, {"help", "history"}),
    "stats of a game": ("stats", {"game": "duel"}, {"duel play", "history"}),
    "history": ("history", {}, {"help", "games"}),
    "games": ("games", {}, {"help"}),
}


@pytest.mark.parametrize(("command", "options", "leads_to"), LISTS.values(), ids=LISTS)
async def test_an_empty_list_leads_to_commands_by_a_tap(table, command, options, leads_to):
    ann = table.person("Ann")
    ids = {c["name"]: c["id"] for c in ann.commands("games")}

    shown = (await (await ann.slash(command, channel="games", **options)).settled()).message

    assert set(re.findall(r"</[^>]*>", shown.text)) == {
        f"</{name}:{ids[name.split()[0]]}>" for name in leads_to
    }
    assert "`/" not in shown.text


async def test_two_who_have_never_met_are_led_there_too(table):
    ann = table.person("Ann")

    shown = await (await ann.slash("stats", channel="games", versus=table.person("Bo"))).settled()

    assert "use the `play` command of any game in </help:" in shown.text
