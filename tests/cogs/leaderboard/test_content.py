"""The leaderboard: lines, pages, menus of games and times, and only members of the server."""

import pytest

from bot.errors import ButtonError
from bot.messaging.components import Press, Select
from bot.messaging.membership import BELIEVED_FOR
from bot.stats.leaderboards import PER_PAGE, Board, Overview, Query
from bot.storage.leaderboards import StandingRecord
from bot.storage.pages import PageRecord
from bot.storage.seasons import SeasonRecord
from cogs.leaderboard.content import board_content, overview_content, standing_line
from games import GAMES
from tests.support.drawing import Threads
from tests.support.tables import labels, seated, win

SPRING = SeasonRecord(id=3, name="Spring", started_at=100, ended_at=200)
SUMMER = SeasonRecord(id=4, name="Summer", started_at=200, ended_at=None)


def standing(n, place=None, rating=1500, *, established=True, won=0, drawn=0, lost=0):
    return StandingRecord(
        user=n,
        place=place or n,
        rating=rating,
        established=established,
        won=won,
        drawn=drawn,
        lost=lost,
    )


def shown(
    *lines, first=0, total=None, own=None, period="all", since=None, seasons=(), complete=True
):
    page = PageRecord(lines=lines, first=first, count=PER_PAGE, total=total or len(lines), own=own)
    return board_content(
        Board(
            query=Query(game="pico", period=period),
            title="All time",
            since=since,
            page=page,
            me=7,
            seasons=seasons,
            complete=complete,
        ),
    )


def overviewed(lines, **changes):
    values = {"query": Query(), "title": "All time", "since": None, "seasons": ()}
    return overview_content(Overview(lines=lines, complete=True, **{**values, **changes}))


def lines(content):
    return content.head.splitlines()[1:]


def turns(content):
    rows = [row for row in content.rows if not isinstance(row, Select)]
    return [(button.label, button.press) for row in rows for button in row]


def menus(content):
    return [row for row in content.rows if isinstance(row, Select)]


def test_a_line_has_the_place_the_person_the_rating_and_the_record():
    line = standing(7, place=1, rating=1580, won=3, drawn=1)

    assert standing_line(line) == "🥇 <@7> · **1580** · 3 wins, 1 draw, 0 losses"
    said = "with more than two players, a shared win counts as a draw"
    assert [said in shown(one).foot for one in (line, standing(7, won=3))] == [True, False]


def test_a_provisional_rating_is_marked_and_the_mark_is_explained():
    content = shown(standing(7, place=4, rating=1480, established=False, lost=1))

    assert lines(content) == ["**4.** <@7> · **1480?** · 0 wins, 1 loss"]
    assert "? means provisional (fewer than 5 rated matches)" in content.foot


def test_medals_belong_to_places_so_ties_share_them():
    content = shown(standing(5, 1), standing(6, 1), standing(7, 3), standing(8, 4), standing(9, 4))

    assert [line.split()[0] for line in lines(content)] == ["🥇", "🥇", "🥉", "**4.**", "**4.**"]


def test_the_readers_place_is_always_named():
    own = standing(7, place=31, rating=1410)

    content = shown(standing(1), total=57, own=own)

    assert content.foot.splitlines()[0] == "📍 <@7>: place 31 of 57, 1410"


def test_a_reader_without_rated_matches_is_told_so():
    of_all_time, of_the_week = shown(standing(1)), shown(standing(1), period="week")

    told = "📍 <@7> isn't on this list: no rated match of Pico"
    assert of_all_time.foot.startswith(f"{told} yet, or hidden")
    assert of_the_week.foot.startswith(f"{told} in this period, or hidden")


def test_a_board_by_wins_has_no_ratings():
    content = shown(standing(7, place=1, rating=None, won=2), own=standing(7, 1, None, won=2))

    assert lines(content) == ["🥇 <@7> · 2 wins, 0 losses"]
    assert content.foot.startswith("📍 <@7>: place 1 of 1\n")


def test_the_start_of_a_period_is_named_with_its_hour():
    """West of UTC, the date alone would be that of the day before."""
    november = 1793491200
    top = PageRecord(lines=(standing(7),), first=0, count=2, total=1, own=None)

    contents = shown(standing(7), since=november), overviewed({"pico": top}, since=november)

    told = f"-# Rated matches since <t:{november}:f>, ordered by wins"
    assert [told in content.foot for content in contents] == [True, True]


def test_an_empty_board_says_how_to_start_a_match_and_still_has_its_menus():
    content = shown()

    assert content.head.endswith(
        "\nNo member who shows their results has finished a rated match of Pico here yet. To "
        "start one, use `/pico play`."
    )
    assert content.foot.startswith("📍 <@7> isn't on this list: no rated match of Pico yet, or ")
    assert content.picture is None
    assert len(menus(content)) == 3


def test_a_board_says_so_if_it_is_unknown_who_is_in_the_server():
    assert (
        "-# Discord didn't tell me who's still in this server, so people who left may be listed."
    ) in shown(standing(1), complete=False).foot
    assert "left" not in shown(standing(1)).foot


def test_a_board_of_one_page_has_no_buttons():
    assert turns(shown(standing(1))) == []


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, [("Next ▶", 1)]),
        (1, [("◀ Previous", 0), ("Next ▶", 2)]),
        (2, [("◀ Previous", 1)]),
    ],
)
def test_pages_lead_to_their_neighbors(number, expected):
    content = shown(standing(1), first=number * PER_PAGE, total=2 * PER_PAGE + 1)

    assert turns(content) == [
        (label, Press(0, page, "board", "pico all")) for label, page in expected
    ]
    assert f"page {number + 1} of 3" in content.foot


def test_the_menus_offer_every_game_and_every_period():
    games, times, ladders = menus(shown(standing(1), period="week"))

    assert [option.value for option in games.options] == [
        "- week",
        *(f"{game} week" for game in GAMES),
    ]
    assert [(o.label, o.value) for o in times.options] == [
        ("All time", "pico all"),
        ("This month", "pico month"),
        ("This week", "pico week"),
    ]
    assert [o.value for o in (*games.options, *times.options) if o.chosen] == [
        "pico week",
        "pico week",
    ]
    assert [(o.label, o.value, o.chosen) for o in ladders.options] == [
        ("Between people", "pico week", True),
        ("Against computers", "pico week c", False),
    ]


def test_the_menu_offers_a_servers_seasons_with_the_newest_as_this_season():
    _, times, _ = menus(shown(standing(1), seasons=(SUMMER, SPRING), period="s4"))

    assert [(o.label, o.value, o.chosen) for o in times.options] == [
        ("All time", "pico all", False),
        ("This season: Summer", "pico season", True),
        ("This month", "pico month", False),
        ("This week", "pico week", False),
        ("Spring", "pico s3", False),
    ]


def test_the_picture_names_nobody_and_its_alt_text_has_everything():
    content = shown(standing(9, 1, 1580, won=3), standing(7, 2, 1490, established=False, lost=3))

    assert content.picture.alt == (
        "Place 1: rating 1580, 3 won, 0 drawn, 0 lost. Place 2 (the person who asked): rating "
        "1490?, 0 won, 0 drawn, 3 lost."
    )
    assert "user" not in repr(content.picture.subject)


def test_the_overview_shows_the_first_of_each_game_and_the_readers_line():
    first = (standing(1), standing(2))
    top = PageRecord(lines=first, first=0, count=2, total=9, own=standing(7, 8))

    content = overviewed({"pico": top})

    assert lines(content) == [
        "**Pico** · 9 players",
        standing_line(standing(1)),
        standing_line(standing(2)),
        standing_line(standing(7, 8)),
    ]


def test_the_overview_shows_the_readers_line_once():
    first = (standing(1), standing(7, 2))
    top = PageRecord(lines=first, first=0, count=2, total=9, own=standing(7, 2))

    content = overviewed({"pico": top})

    assert lines(content) == ["**Pico** · 9 players", *map(standing_line, first)]


@pytest.mark.parametrize(("period", "words"), [("all", "yet"), ("week", "in this period")])
def test_an_overview_without_results_says_how_to_start_a_match(period, words):
    content = overviewed({}, query=Query(period=period))

    assert f"has finished a rated match here {words}." in content.head
    assert "use the `play` command of any game in `/help`" in content.head


@pytest.mark.parametrize("query", [Query(game="duel"), Query(period="s12"), Query(words=True)])
def test_a_query_can_be_read_back_from_a_custom_id(query):
    assert Query.parse(str(query)) == query


@pytest.mark.parametrize("text", ["", "pico", "chess all", "pico decade", "pico s", "pico s1x"])
def test_any_other_text_is_not_a_query(text):
    with pytest.raises(
        ButtonError, match=(r"That leaderboard doesn't exist\. Use `/leaderboard` again\.")
    ):
        Query.parse(text)


# In the sandbox.


async def board(table, name="Ann", channel="games", **options):
    answer = await table.person(name).slash("leaderboard", channel=channel, **options)
    return (await answer.settled()).message


def listed(message):
    return [line for line in message.text.splitlines() if "> · " in line]


async def turned(table, name, message, label, expected):
    await table.person(name).click(message, label)
    await table.discord.until(lambda: expected in message.text)


async def test_before_the_first_match_the_board_is_empty(table):
    message = await board(table, game="pico")

    assert "No member who shows their results has finished" in message.text
    assert message.ephemeral_to is None


async def test_the_table_shows_the_changes_of_ratings_and_the_board_the_new_ratings(table):
    public = await win(table, "Ann", "Bo")

    message = await board(table, game="pico", channel="lobby")

    ann, bo = (table.person(name).mention for name in ("Ann", "Bo"))
    assert f"📈 Ratings: 🔵 {ann} 1500? → **1563?** · 🔶 {bo} 1500? → **1437?**" in public.text
    assert listed(message) == [
        f"🥇 {ann} · **1563?** · 1 win, 0 losses",
        f"🥈 {bo} · **1437?** · 0 wins, 1 loss",
    ]
    assert message.pinged == frozenset()
    assert len(message.images) == 1


async def test_the_picture_is_drawn_and_has_an_alt_text(discord, tmp_path):
    async with seated(discord, tmp_path, Threads()) as table:
        await win(table, "Ann", "Bo")

        message = await board(table, "Bo", game="pico", period="week")

        (image,) = message.images
        assert message.read(image.url).startswith(b"\x89PNG")
        assert image.description == (
            "Place 1: 1 won, 0 drawn, 0 lost. Place 2 (the person who asked): 0 won, 0 drawn, "
            "1 lost."
        )
        assert ":f>, ordered by wins, then draws, then fewer losses" in message.text


async def test_a_casual_match_changes_no_rating_and_says_so(table):
    challenge = await table.challenge(rated=False)
    public = await win(table, "Cleo", "Dan", rated=False)

    message = await board(table, game="pico")

    assert "Casual, unrated" in challenge.text
    assert "Casual, unrated" in public.text
    assert "Ratings:" not in public.text
    assert "No member who shows their results has finished" in message.text


async def test_people_who_want_words_get_no_picture_after_a_click_either(table):
    await win(table, "Ann", "Bo")
    prefer = (await table.person("Cleo").slash("preferences", channel="games")).message
    await table.person("Cleo").select(prefer, "Pictures or words", "pictures off")

    message = await board(table, "Cleo", game="pico")
    await table.person("Cleo").select(message, "Time", "pico week w")
    await table.discord.until(lambda: "Rated matches since" in message.text)

    assert message.images == []
    assert len(listed(message)) == 2


async def test_without_a_game_the_overview_is_shown_and_a_menu_leads_to_each_game(table):
    await win(table, "Ann", "Bo")
    message = await board(table)
    overview = message.text

    await table.person("Bo").select(message, "Game", "pico all")
    await table.discord.until(lambda: "Leaderboards" not in message.text)

    assert "**Pico** · 2 players" in overview
    assert "### Leaderboard · Pico · All time" in message.text


async def test_each_server_has_its_own_board(table):
    await win(table, "Ann", "Bo")
    elsewhere = table.discord.world.add_guild("Elsewhere", channels=("quiet",))
    (channel,) = elsewhere.channels.values()

    message = await board(table, channel=channel, game="pico")

    assert "No member who shows their results has finished" in message.text


async def test_a_person_who_has_left_the_server_is_not_listed_and_has_no_place(table):
    await win(table, "Ann", "Bo")
    table.watch.advance(BELIEVED_FOR.total_seconds() + 1)  # when the match began, both were members
    table.discord.world.guild.members.pop(table.person("Ann").id)

    message = await board(table, "Bo", game="pico")

    assert listed(message) == [f"🥇 {table.person('Bo').mention} · **1437?** · 0 wins, 1 loss"]


async def test_pages_turn_in_place_in_both_directions(table):
    world = table.discord.world
    people = [world.add_person(f"P{n}").id for n in range(1, 24)]
    rows = [
        (world.guild.id, "pico", 0, user, 25.0, 1.0, 1600 - n, 1, 9, 30 - n, 0, 0)
        for n, user in enumerate(people, 1)
    ]
    values = ", ".join(map(str, rows))
    await table.change(f"INSERT INTO ratings VALUES {values}")  # noqa: S608 - our own numbers
    first = await board(table, game="pico")
    start = first.text

    await turned(table, "Bo", first, "Next ▶", "page 2")
    second = first.text
    await turned(table, "Bo", first, "Next ▶", "page 3")
    third, ends = first.text, labels(first)
    await turned(table, "Ann", first, "◀ Previous", "page 2")
    await turned(table, "Ann", first, "◀ Previous", "page 1")

    assert f"**11.** <@{people[10]}>" in second
    assert f"**23.** <@{people[22]}> · **1577** · 7 wins" in third
    assert ends == ["◀ Previous"]
    assert first.text == start


async def test_a_forged_page_changes_nothing(table):
    await win(table, "Ann", "Bo")
    message = await board(table, game="pico")

    answer = await table.person("Ann").forge(message, custom_id="f1:0:3:board:pico all")

    assert answer.text == "This button is out of date. Use the command again."
