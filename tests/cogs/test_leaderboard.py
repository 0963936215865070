"""The leaderboard: places, ties, pages, and only this server's matches."""

import pytest

from bot.buttons import Press
from bot.storage import StandingRecord
from cogs.leaderboard import PER_PAGE, PLAYED, board_sheet
from games import GAMES
from tests.e2e.tables import labels


def standing(n, place=None, won=0, drawn=0, lost=0):
    return StandingRecord(user=n, place=place or n, won=won, drawn=drawn, lost=lost)


def many(count):
    return [standing(n, won=count - n) for n in range(1, count + 1)]


def lines(sheet):
    return sheet.head.splitlines()[1:]


def turns(sheet):
    return [(button.label, button.press) for row in sheet.rows for button in row]


def test_a_line_names_the_place_the_person_and_the_record():
    sheet = board_sheet("pico", [standing(7, place=1, won=3, drawn=1, lost=0)], 0)

    assert sheet.head == "### Leaderboard · Pico\n🥇 <@7> · 3 wins, 1 draw, 0 losses"


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ((1, 0, 2), "1 win, 0 draws, 2 losses"),
        ((2, 1, 1), "2 wins, 1 draw, 1 loss"),
        ((0, 2, 0), "0 wins, 2 draws, 0 losses"),
    ],
)
def test_one_is_singular(counts, words):
    won, drawn, lost = counts

    sheet = board_sheet("pico", [standing(1, won=won, drawn=drawn, lost=lost)], 0)

    assert lines(sheet) == [f"🥇 <@1> · {words}"]


def test_medals_go_to_places_so_that_ties_share_them():
    board = [standing(5, 1), standing(6, 1), standing(7, 3), standing(8, 4), standing(9, 4)]

    sheet = board_sheet("pico", board, 0)

    assert [line.split()[0] for line in lines(sheet)] == ["🥇", "🥇", "🥉", "**4.**", "**4.**"]


def test_an_empty_board_says_how_to_begin():
    sheet = board_sheet("pico", [], 0)

    assert "Nobody has finished a match of Pico here yet." in sheet.head
    assert "`/pico play`" in sheet.head
    assert sheet.rows == ()


def test_a_board_of_one_page_has_no_buttons():
    sheet = board_sheet("pico", many(PER_PAGE), 0)

    assert len(lines(sheet)) == PER_PAGE
    assert turns(sheet) == []
    assert "page" not in sheet.foot


def test_pages_lead_to_their_neighbors():
    board = many(2 * PER_PAGE + 1)

    first, middle, last = (board_sheet("pico", board, page) for page in range(3))

    assert turns(first) == [("Further ▶", Press(0, 1, "board", "pico"))]
    assert turns(middle) == [
        ("◀ Better", Press(0, 0, "board", "pico")),
        ("Further ▶", Press(0, 2, "board", "pico")),
    ]
    assert turns(last) == [("◀ Better", Press(0, 1, "board", "pico"))]
    assert lines(last) == ["**21.** <@21> · 0 wins, 0 draws, 0 losses"]
    assert "page 3 of 3" in last.foot


def test_a_page_beyond_the_end_is_the_last_one():
    board = many(PER_PAGE + 1)

    assert board_sheet("pico", board, 99) == board_sheet("pico", board, 1)


def test_only_games_that_exist_are_offered():
    assert set(PLAYED) <= set(GAMES)


# At the wire.


async def win(table, winner, loser):
    public = await table.match(winner, loser)
    number = table.match_of(public)
    await table.person(loser).forge(public, custom_id=f"f1:{number}:0:leave:")
    await table.over(public, winner, loser)


async def board(table, name="Ann", **where):
    return (await table.person(name).slash("leaderboard", game="pico", **where)).message


async def test_before_the_first_match_the_board_is_empty(table):
    message = await board(table, channel="games")

    assert "Nobody has finished a match of Pico here yet." in message.text
    assert message.ephemeral_to is None


async def test_wins_and_losses_are_counted(table):
    await win(table, "Ann", "Bo")
    await win(table, "Bo", "Ann")
    await win(table, "Ann", "Cleo")

    message = await board(table, channel="lobby")

    ann, bo, cleo = (table.person(name).mention for name in ("Ann", "Bo", "Cleo"))
    assert [line for line in message.text.splitlines() if "<@" in line] == [
        f"🥇 {ann} · 2 wins, 0 draws, 1 loss",
        f"🥈 {bo} · 1 win, 0 draws, 1 loss",
        f"🥉 {cleo} · 0 wins, 0 draws, 1 loss",
    ]
    assert message.pinged == frozenset()


async def test_each_server_has_its_own_board(table):
    await win(table, "Ann", "Bo")
    elsewhere = table.discord.world.add_guild("Elsewhere", channels=("quiet",))
    (channel,) = elsewhere.channels.values()

    message = await board(table, channel=channel)

    assert "Nobody has finished a match of Pico here yet." in message.text


async def test_pages_are_turned_in_place_both_ways(table):
    await table.change(f"""
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 23)
        INSERT INTO matches (id, interaction, game, options, status, guild, channel, opener,
                             step, opened_at, settled)
        SELECT i, i, 'pico', '{{}}', 'over', {table.discord.world.guild.id}, 1, 1, 0, 0, 1 FROM n
    """)  # noqa: S608 - a number of the test's own
    await table.change("""
        INSERT INTO results
              (match, seat, guild, game, user, rank, score, won, drawn, lost, ended_at)
        SELECT id, 0, guild, game, id, 1, 5, 30 - id, 0, 0, 0 FROM matches
    """)
    first = await board(table, channel="games")
    start = first.text

    await table.person("Bo").click(first, "Further ▶")
    second = first.text
    await table.person("Bo").click(first, "Further ▶")
    third, ends = first.text, labels(first)
    await table.person("Ann").click(first, "◀ Better")
    back = first.text
    await table.person("Ann").click(first, "◀ Better")

    assert "**11.** <@11>" in second
    assert "**23.** <@23> · 7 wins" in third
    assert ends == ["◀ Better"]
    assert (back, first.text) == (second, start)


async def test_a_board_that_has_become_shorter_shows_its_last_page(table):
    await win(table, "Ann", "Bo")
    message = await board(table, channel="games")

    answer = await table.person("Ann").forge(message, custom_id="f1:0:3:board:pico")

    assert answer.text == "This message has no such button; open a new one with the command."
