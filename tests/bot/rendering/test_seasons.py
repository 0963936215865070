"""The announcement of a season: who came first in the one before."""

from bot.rendering.seasons import started_content
from bot.stats.leaderboards import Overview, Query
from bot.storage.leaderboards import StandingRecord
from bot.storage.pages import PageRecord
from bot.storage.seasons import SeasonRecord

SPRING = SeasonRecord(id=1, name="Spring", started_at=100, ended_at=200)
SUMMER = SeasonRecord(id=2, name="Summer", started_at=200, ended_at=None)


def announced(*, complete=True):
    """The announcement of the summer; `complete` if it's known who is still in the server."""
    lines = tuple(
        StandingRecord(user=n, place=place, rating=rating, established=True, won=0, drawn=1, lost=0)
        for n, place, rating in ((7, 1, 1500), (8, 1, 1500), (9, 3, 1400))
    )
    standings = Overview(
        query=Query(period="s1"),
        lines={"prize": PageRecord(lines=lines, first=0, count=3, total=3)},
        title="Spring",
        since=None,
        seasons=(),
        complete=complete,
    )
    return started_content(SUMMER, SPRING, standings).head


def test_players_with_equal_ratings_are_all_first():
    head = announced()

    assert "🥇 **Prize Dominoes** · <@7> and <@8> · **1500**\n" in head
    assert "<@9>" not in head


def test_nobody_is_named_who_may_have_left_the_server():
    assert announced(complete=False).endswith(
        "\n**Spring** is over. To see its leaderboards, pick it as `season` in `/leaderboard`."
    )
