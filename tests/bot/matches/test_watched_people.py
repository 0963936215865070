"""What `/watch` lists of one person, and of the matches that the reader follows."""

import pytest

from bot.errors import ButtonError
from bot.matches.watching import EVERYTHING, PER_PAGE, WatchQuery
from bot.messaging.components import LARGEST_ID, Section
from bot.rendering.watch_list import parse_query, query_argument, watch_list_content
from bot.storage import TABLE, MessageRef
from games import GAMES
from games.conquest import CONQUEST
from tests.support.match_records import put_message
from tests.support.matches import (
    ANN,
    BEA,
    CHANNEL,
    CYD,
    DAN,
    GUILD,
    begun,
    everything,
    opened,
    refusal,
)
from tests.support.presentations import presentations

SHOWN = presentations()
FOLLOWED = WatchQuery(followed=True)
WAR = {"game": "conquest", "options": CONQUEST.presets["standard"]}


@pytest.mark.parametrize(
    "query",
    [
        EVERYTHING,
        FOLLOWED,
        WatchQuery(user=LARGEST_ID),
        *(WatchQuery(game=key) for key in GAMES),
        *(WatchQuery(game=key, user=LARGEST_ID) for key in GAMES),
    ],
    ids=repr,
)
def test_a_query_survives_in_the_arg_of_a_button(query):
    assert parse_query(query_argument(query)) == query


@pytest.mark.parametrize("argument", ["", "chess", "chess 1", "pico x", "pico 0", "pico 1 2"])
def test_a_malformed_arg_is_refused(argument):
    with pytest.raises(ButtonError, match=r"[uU]se `/watch` again"):
        parse_query(argument)


# Matches of one person.


async def test_the_list_of_a_person_has_matches_they_play_or_are_invited_to(matches, listed):
    own = await begun(matches, interaction=1)
    await begun(matches, DAN, opener=CYD, interaction=2)
    war = await begun(matches, BEA, CYD, interaction=3, **WAR)
    asked = await opened(matches, ANN, opener=CYD, interaction=4)
    seat = await opened(matches, interaction=5, opponents=(), wanted=2)

    assert await listed(user=ANN) == [seat, asked, own, war]
    assert await listed(user=ANN, game="pico") == [seat, asked, own]
    assert await listed(user=BEA) == [war, own]
    assert await listed(user=BEA, game="duel") == []


async def test_a_player_who_resigned_no_longer_counts_as_playing(matches, listed):
    match = await begun(matches, BEA, CYD)
    await matches.concede(match, BEA)

    assert await listed(user=BEA) == []
    assert await listed(user=CYD) == [match]


async def test_matches_in_unreadable_channels_are_neither_listed_nor_counted(
    matches, storage, watching
):
    await begun(matches, interaction=1)
    moved = await begun(matches, CYD, interaction=2)
    await put_message(storage, moved, TABLE, MessageRef(channel=5, message=6, shown=""))

    query = WatchQuery(user=ANN)
    page = await watching.page(GUILD, DAN, lambda channel: channel == 5, query=query)

    assert [entry.snapshot.match for entry in page.entries] == [moved]
    assert page.by_game == {"pico": 1}


async def test_pages_and_games_of_the_list_stay_with_the_person(matches, watching):
    for i in range(PER_PAGE):
        await begun(matches, CYD + i, interaction=i)
    await opened(matches, interaction=PER_PAGE, opponents=(), wanted=2)

    query = WatchQuery(user=ANN)
    content = watch_list_content(await watching.page(GUILD, DAN, everything, query=query), SHOWN)

    *lines, count, turns, menu = content.rows
    assert content.head.startswith(f"### <@{ANN}>'s matches in this server\n")
    assert str(lines[1].accessory.press) == f"f1:{PER_PAGE + 1}:0:takeseat:all {ANN}"
    assert count == "-# 7 matches · 1 with open seats · page 1 of 2"
    assert [str(turn.press) for turn in turns] == [f"f1:0:1:watch:all {ANN}"]
    assert [(option.label, option.value) for option in menu.options] == [
        ("All games", f"all {ANN}"),
        *((game.title, f"{key} {ANN}") for key, game in GAMES.items()),
        ("Everyone's matches", "all"),
        ("Matches you follow", "followed"),
    ]
    assert [option.label for option in menu.options if option.chosen] == ["All games"]


async def test_an_empty_list_of_a_person_points_to_everybodys_matches(matches, watching):
    await begun(matches)

    query = WatchQuery(user=CYD, game="pico")
    content = watch_list_content(await watching.page(GUILD, DAN, everything, query=query), SHOWN)

    assert content.head == (
        f"### <@{CYD}>'s matches in this server: Pico\n"
        f"No matches of Pico with <@{CYD}> are on here right now. "
        "Pick **Everyone's matches** below."
    )
    assert "Everyone's matches" in [option.label for option in content.rows[-1].options]


# Followed matches.


async def test_followed_matches_of_this_server_are_listed_and_can_be_unfollowed(
    matches, watching, listed
):
    await begun(matches, interaction=1)
    war = await begun(matches, BEA, CYD, interaction=2, **WAR)
    pico = await begun(matches, CYD, interaction=3)
    there = await begun(matches, interaction=4, guild=GUILD + 1)
    for match, guild in ((war, GUILD), (pico, GUILD), (there, GUILD + 1)):
        await watching.follow(match, DAN, guild, everything)

    page = await watching.page(GUILD, DAN, everything, query=FOLLOWED)
    content = watch_list_content(page, SHOWN)

    assert [entry.snapshot.match for entry in page.entries] == [pico, war]
    assert content.head == "### Matches you follow in this server\nI'll tell you how they end."
    presses = [str(row.accessory.press) for row in content.rows if isinstance(row, Section)]
    assert presses == [f"f1:{match}:0:unfollow:followed" for match in (pico, war)]
    notes = {option.label: option.note for option in content.rows[-1].options}
    assert notes["All games"] == "3 matches"
    assert notes["Matches you follow"] == "2 matches"
    assert "-# 2 matches" in content.rows

    await watching.stop(pico, DAN)
    assert await listed(followed=True) == [war]


async def test_a_followed_match_with_an_open_seat_can_be_unfollowed(matches, watching):
    """Or one that was followed before it had an open seat; the list of all has **Join** instead."""
    match = await opened(matches, opponents=(), wanted=2)
    await watching.follow(match, DAN, GUILD, everything)

    page = await watching.page(GUILD, DAN, everything, query=FOLLOWED)
    (line,) = [row for row in watch_list_content(page, SHOWN).rows if isinstance(row, Section)]

    assert line.accessory.label == "Stop following"


async def test_a_followed_match_with_a_held_result_can_be_unfollowed(
    match, forfeit, watching, listed
):
    """It's in no other list anymore, but still counts toward the limit of followed matches."""
    await watching.follow(match, DAN, GUILD, everything)
    await forfeit(match, ANN)

    page = await watching.page(GUILD, DAN, everything, query=FOLLOWED)
    line = watch_list_content(page, SHOWN).rows[1]

    (entry,) = page.entries
    counts_at = entry.snapshot.counts_at
    assert await listed() == []
    assert line.text.splitlines()[1:] == [
        f"<@{ANN}> against <@{BEA}>",
        f"-# out of time · result counts <t:{counts_at}:R>",
    ]
    assert str(line.accessory.press) == f"f1:{match}:0:unfollow:followed"


async def test_finished_and_unreadable_matches_are_not_in_the_followed_list(
    matches, watching, listed
):
    for i, opponent in enumerate((BEA, CYD)):
        match = await begun(matches, opponent, interaction=i)
        await watching.follow(match, DAN, GUILD, everything)
    await matches.concede(match, ANN)

    assert await listed(followed=True) == [1]
    assert await listed(sees=lambda _: False, followed=True) == []


async def test_an_empty_followed_list_says_where_to_find_matches(matches, watching):
    await begun(matches)

    page = await watching.page(GUILD, DAN, everything, query=FOLLOWED)
    content = watch_list_content(page, SHOWN)

    assert content.head.endswith(
        "\nYou don't follow any matches here. To find one, pick **All games** below."
    )
    assert [option.label for option in content.rows[-1].options if option.chosen] == [
        "Matches you follow"
    ]


async def test_the_refusal_at_the_limit_says_where_followed_matches_are_listed(
    matches, watching, listed, monkeypatch
):
    """And why fewer may be listed there."""
    monkeypatch.setattr("bot.matches.watching.MAX_FOLLOWED_MATCHES", 1)
    hidden = await begun(matches, interaction=1)
    await watching.follow(hidden, DAN, GUILD, everything)
    match = await begun(matches, CYD, interaction=2, channel=CHANNEL + 1)

    _, said = await refusal(watching.follow(match, DAN, GUILD, lambda channel: channel != CHANNEL))

    assert await listed(sees=lambda channel: channel != CHANNEL, followed=True) == []
    assert said.endswith(
        "Stop following one first: in each server, the menu of `/watch` has **Matches you follow**."
        " Those in channels you can't see now aren't listed, but count until they end."
    )
