"""The texts of the computer ladder."""

from dataclasses import replace

import pytest

from bot.messaging.content import MAX_TEXT_LENGTH, Layout
from bot.stats.leaderboards import OVERVIEW_LINES, PER_PAGE, Ladder, Query
from bot.storage.computer_ladder import LEVELS, RungRecord, Tally
from bot.storage.pages import PageRecord
from cogs.leaderboard.computer_ladder import ladder_content, rung_line
from games import GAMES
from games.computers import COMPUTERS
from games.pico import PICO
from tests.cogs.leaderboard.test_content import menus, turns
from tests.support.thinking import Lowest


def rung(user=7, place=1):
    return RungRecord(
        user=user, place=place, against={"strong": Tally(1, 0, 2), "easy": Tally(5, 1, 0)}
    )


def shown(*lines, game="pico", first=0, total=None, own=None, period="all", complete=True):
    record = PageRecord(
        lines=lines, first=first, count=PER_PAGE, total=total or len(lines), own=own
    )
    return ladder_content(
        Ladder(
            query=Query(game=game, period=period, computers=True),
            title="All time",
            pages={"pico": record} if lines else {},
            me=7,
            seasons=(),
            complete=complete,
        ),
    )


def test_a_line_has_the_wins_draws_and_losses_against_each_level_played():
    assert rung_line(rung()) == "🥇 <@7> · strong: 1 win, 2 losses · easy: 5 wins, 1 draw"


def test_a_page_names_the_readers_place_and_what_decides_places():
    content = shown(rung(8, 4), own=rung(7, 12), total=12, complete=False)

    assert "📍 <@7>: place 12 of 12" in content.foot
    assert (
        "-# Ranked from the strongest level down: most wins, then draws, then fewest losses. "
        "If you play several computers of a level at once, the best one counts."
    ) in content.foot
    assert (
        "-# Discord didn't tell me who's still in this server, so people who left may be listed."
    ) in content.foot


def test_a_reader_who_is_not_on_the_ladder_is_told_so():
    of_all_time, of_the_week = shown(rung(8)), shown(rung(8), period="week")

    told = "📍 <@7> isn't on this list: no finished match against a computer"
    assert of_all_time.foot.startswith(f"{told} yet, or hidden")
    assert of_the_week.foot.startswith(f"{told} in this period, or hidden")


def test_buttons_and_menus_stay_on_the_ladder():
    content = shown(rung(8), first=PER_PAGE, total=2 * PER_PAGE + 1)

    assert [(label, press.arg) for label, press in turns(content)] == [
        ("◀ Previous", "pico all c"),
        ("Next ▶", "pico all c"),
    ]
    chosen = [o.value for menu in menus(content) for o in menu.options if o.chosen]
    assert chosen == ["pico all c"] * 3


def test_the_overview_shows_the_first_of_each_game_and_the_readers_line():
    content = shown(rung(8), own=rung(7, 9), game=None, total=9)

    assert content.head.splitlines()[1:] == [
        "**Pico** · 9 players",
        rung_line(rung(8)),
        rung_line(rung(7, 9)),
    ]


@pytest.mark.parametrize("game", ["pico", None])
def test_the_largest_ladders_fit_a_message(game):
    most = Tally(33_333, 33_333, 33_333)
    lines = tuple(
        RungRecord(user=2**63 - 1 - i, place=99_999, against=dict.fromkeys(LEVELS, most))
        for i in range(PER_PAGE if game else OVERVIEW_LINES + 1)
    )
    *top, own = lines
    page = PageRecord(lines=tuple(top), first=10, count=PER_PAGE, total=100_000, own=own)
    content = ladder_content(
        Ladder(
            query=Query(game=game, computers=True),
            title="*" * 50,
            pages=dict.fromkeys([game] if game else GAMES, page),
            me=own.user,
            seasons=(),
            complete=False,
        ),
    )

    assert Layout(content, None).content_length() < MAX_TEXT_LENGTH


def test_in_the_overview_a_line_has_the_two_strongest_levels_and_says_if_there_are_more():
    against = dict.fromkeys(LEVELS[:2], Tally(1, 0, 0))
    two = replace(rung(8), against=against)
    three = replace(rung(9), against={**against, "easy": Tally(2, 0, 0)})
    head = shown(two, three, game=None).head

    assert head.splitlines()[2:] == [
        "🥇 <@8> · perfect: 1 win · strong: 1 win",
        "🥇 <@9> · perfect: 1 win · strong: 1 win · …",
    ]


def test_an_empty_ladder_says_how_to_start_a_match():
    content = shown(period="week")

    assert content.head.endswith(
        "\nNo member who shows their results has finished a match against a computer here in this "
        "period. To start one, use `/pico play` with its option `computer`."
    )
    assert content.foot.startswith("📍 <@7> isn't on this list: ")
    assert shown(game=None).foot == ""


async def test_the_command_shows_the_ladder(table, monkeypatch):
    monkeypatch.setitem(COMPUTERS, "pico", Lowest(PICO))
    ann = table.person("Ann")
    options = {"pace": "live", "hand": "desk", "computer": "easy"}
    public = (await ann.slash("pico play", channel="games", **options)).message
    await table.discord.until(lambda: table.desk("Ann", public) is not None)
    asked = await table.asked_to_resign("Ann")
    await ann.click(asked.message, "Resign")

    answer = await ann.slash("leaderboard", channel="games", ladder="computers")

    assert "easy: 1 loss" in answer.message.text
