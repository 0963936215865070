"""Texts of statistics: rare cases, and that the largest fit a message."""

import pytest

from bot.messaging.content import Layout
from bot.rendering.presentation import Presentations
from bot.stats.profiles import PER_PAGE, Profile, Query, Rivalry, Tally
from bot.stats.rating_history import Point, RatingHistory
from bot.stats.streaks import streaks
from bot.storage.pages import PageRecord
from bot.storage.profiles import MeetingRecord, OpponentRecord, RatingRecord
from cogs.stats.profile_content import MAX_LISTED_SERVERS, percent, profile_content, told_streaks
from cogs.stats.rivalry_content import rivalry_content
from games import GAMES

HUGE = 2**63 - 1
FULL = 4000
"""Discord's limit for all text of a message, in characters."""


def tally(won=0, drawn=0, lost=0):
    return Tally(matches=won + drawn + lost, won=won, drawn=drawn, lost=lost)


def history(game="pico", guild=77, *ratings, nth=1000):
    ratings = ratings or (1500, 2400, 2300)
    points = tuple(Point(1_700_000_000 + 90_000 * i, r, nth + i) for i, r in enumerate(ratings))
    return RatingHistory(guild=guild, game=game, points=points, change=-100)


USUAL = {
    "query": Query(user=HUGE),
    "guild": 77,
    "total": tally(33_333, 33_333, 33_333),
    "games": dict.fromkeys(GAMES, tally(33_333, 33_333, 33_333)),
    "servers": {},
    "streaks": streaks(["won", "drawn", "drawn"]),
    "favorite": None,
    "ratings": [history(game) for game in GAMES],
    "opponents": PageRecord(
        lines=(
            OpponentRecord(user=HUGE, matches=99_999, ahead=33_333, level=33_333, behind=33_333),
        )
        * PER_PAGE,
        first=10,
        count=PER_PAGE,
        total=100_000,
    ),
}


def profile(**changes):
    return profile_content(Profile(**{**USUAL, **changes}), Presentations(), name)


def rivalry(**changes):
    values = {
        "query": Query(user=7, rival=8),
        "guild": 77,
        "total": tally(1, 1, 0),
        "games": {"pico": tally(1, 0, 0), "duel": tally(0, 1, 0)},
        "servers": {},
        "streaks": streaks(["won", "drawn"]),
        "latest": [(MeetingRecord(match=5, guild=77, game="duel", end="drawn", ended_at=9), None)],
        "ratings": [],
    }
    return rivalry_content(Rivalry(**{**values, **changes}), name)


def name(guild):
    del guild
    return "*" * 50


@pytest.mark.parametrize(
    ("won", "of", "share"),
    [(0, 400, 0), (1, 400, 1), (2, 3, 67), (399, 400, 99), (400, 400, 100)],
)
def test_shares_are_rounded_to_all_or_none_only_if_they_are(won, of, share):
    assert percent(won, of) == share


def test_a_streak_of_one_is_not_called_a_row():
    assert told_streaks(streaks(["won", "lost"])) == (
        "Streaks: now **1 loss** · longest 1 win, 1 loss"
    )
    # Lines without a value are left out.
    assert told_streaks(streaks(["drawn", "drawn"])) == (
        "Streaks: now **2 draws in a row** · longest 2 matches unbeaten"
    )
    assert told_streaks(streaks(["won", "drawn", "lost"])) == (
        "Streaks: now **1 loss** · longest 1 win, 2 matches unbeaten, 1 loss"
    )


def test_the_largest_statistics_of_a_server_fit_a_message_with_the_plot_in_words():
    content = profile()

    assert Layout(content.in_words(), None).content_length() < FULL
    assert len(content.picture.alt) <= 1024
    assert "Favorite" not in content.head


def test_the_largest_statistics_of_many_servers_fit_a_message():
    guilds = range(40)
    content = profile(
        guild=None,
        ratings=[history(game, guild) for guild in guilds for game in GAMES],
        servers=dict.fromkeys(guilds, 99999),
    )

    assert Layout(content, None).content_length() < FULL
    assert f"-# and {40 - MAX_LISTED_SERVERS} more servers" in content.head
    assert "- **Pico** · 99999 matches: 33333 won, 33333 drawn, 33333 lost\n" in content.head
    assert len(content.rows[2].options) == 25
    assert content.picture is None


def test_without_a_rated_match_there_is_neither_rating_nor_plot():
    everything = profile(ratings=[], games={"duel": tally(1)}, total=tally(1))
    one = profile(ratings=[], query=Query(user=7, game="duel"))

    assert "- **Divide and Conquer (tiles)** · 1 match: 1 won, 0 lost · no rated matches" in (
        everything.head
    )
    assert one.head.endswith("\nNo rated matches")
    assert (everything.picture, one.picture) == (None, None)


def test_a_single_rated_match_has_a_text_instead_of_a_plot():
    content = profile(ratings=[history("pico", 77, 1460, nth=1)], games={"pico": tally(lost=1)})

    assert content.picture is None
    assert "rating **1460?** (-100)" in content.head


def test_the_plot_uses_the_titles_of_the_games():
    plot = profile(ratings=[history("duel"), history("conquest")]).picture.subject

    assert [line.name for line in plot.lines] == [
        "Divide and Conquer (tiles)",
        "Divide & Conquer (board)",
    ]


def test_a_current_rating_that_is_the_best_is_not_repeated():
    content = profile(query=Query(user=7, game="duel"), ratings=[history("duel", 77, 1500, 1600)])

    assert content.head.endswith(
        "\nRating **1600** (-100)\n-# in parentheses: change in the last rated match"
    )


def test_a_provisional_rating_is_explained_next_to_it():
    content = profile(ratings=[history("pico", 77, 1460, nth=1)], games={"pico": tally(lost=1)})

    assert content.head.endswith(
        "\n-# in parentheses: change in the last rated match · ? means provisional: fewer than 5 "
        "rated matches"
    )


@pytest.mark.parametrize(
    ("game", "total", "is_said"),
    [("pico", tally(1, 1), True), ("pico", tally(1, 0, 1), False), ("duel", tally(1, 1), False)],
)
def test_counts_of_draws_say_that_shared_wins_are_included(game, total, is_said):
    said = "\n-# With more than two players, a shared win counts as a draw"
    content = profile(games={game: total}, total=total, solo={"pico": tally(0, 1)})
    alone = profile(games={}, total=tally(), solo={game: total})

    assert (said in content.head) is is_said
    assert (said in content.foot) is not is_said  # never twice
    assert (said in alone.head) is is_said


@pytest.mark.parametrize(
    ("game", "ahead"), [("duel", ""), ("pico", "with more than two players, the one ahead wins · ")]
)
def test_a_note_below_the_opponents_says_how_matches_with_them_count(game, ahead):
    shown = profile_content(Profile(**{**USUAL, "games": {game: tally(1)}}), Presentations(), name)

    assert shown.foot.endswith(
        f"\n-# Only matches without computers · {ahead}`/stats` `versus` compares you with one of "
        "them"
    )


def test_a_comparison_counts_by_game_and_a_drawn_match_has_no_winner():
    content = rivalry()

    assert content.head.splitlines()[1:] == [
        "**2 matches**: <@7> leads 1 to 0, 1 drawn",
        "- **Pico** · 1 match: <@7> leads 1 to 0",
        "- **Divide and Conquer (tiles)** · 1 match: 1 drawn",
    ]
    assert "- Divide and Conquer (tiles) · drawn · <t:9:R>" in content.foot
    assert "provisional" not in content.foot


@pytest.mark.parametrize(
    ("total", "said"),
    [
        (tally(2, 0, 5), "<@8> leads 5 to 2"),
        (tally(3, 1, 3), "tied at 3 each, 1 drawn"),
        (tally(3, 0, 3), "tied at 3 each"),
    ],
)
def test_a_comparison_says_who_leads(total, said):
    content = rivalry(total=total)

    assert f"\n**{total.matches} matches**: {said}\n" in content.head


def test_a_comparison_tells_draws_in_a_row_and_explains_provisional_ratings():
    rated = RatingRecord(user=8, game="duel", rating=1512, established=False)
    content = rivalry(
        query=Query(user=7, rival=8, game="duel"),
        streaks=streaks(["drawn", "drawn"]),
        games={"duel": tally(0, 2, 0)},
        ratings=[rated],
    )

    assert "\nThe last 2 were drawn.\n" in content.head
    assert content.head.endswith("Rating of <@8>: Divide and Conquer (tiles) **1512?**")
    assert content.foot.endswith("? means provisional: fewer than 5 rated matches")
    assert "more than two" not in content.foot


def test_in_direct_messages_the_title_names_the_server():
    everywhere = rivalry(guild=None, total=tally(), games={}, latest=[])
    there = rivalry(query=Query(user=7, rival=8, server=77), total=tally(), games={}, latest=[])

    assert everywhere.head.splitlines()[0].endswith("all games · all servers")
    assert r"all games · \*\*\*" in there.head
    assert "together there yet. To start one in a server, use the `play` command" in there.head
