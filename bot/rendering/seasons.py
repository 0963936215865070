"""The announcement of a new season, with the first places of the one before."""

from collections.abc import Sequence
from typing import Final

from bot.messaging.components import Button, Press
from bot.messaging.content import MessageContent
from bot.ratings import rating_text
from bot.rendering.colors import GOLD
from bot.rendering.phrases import NO_MATCH, mention
from bot.stats.leaderboards import Overview, Query
from bot.storage.leaderboards import StandingRecord
from bot.storage.seasons import SeasonRecord
from bot.text import escaped, listed
from games import GAMES

MAX_FIRSTS: Final = 20
"""People named as first in a game: at the end of a short season, many can be tied."""


def started_content(
    season: SeasonRecord, before: SeasonRecord | None, standings: Overview | None
) -> MessageContent:
    """The announcement that a season begins, with the first places of the one before, if any.

    `standings` are those of the season before; None if there was none, or they couldn't be read.
    """
    ended = "" if before is None else _ended(before, standings)
    return MessageContent(
        head=f"### A new season: {escaped(season.name)}\nIts leaderboards start empty; to "
        "see them, choose **This season** below `/leaderboard`. Rated matches that end from "
        "now on count, including those in progress; so do wins on time that don't count yet. "
        f"All-time leaderboards and ratings stay as they are.{ended}",
        rows=(_buttons(before),),
        color=GOLD,
    )


def _buttons(before: SeasonRecord | None) -> tuple[Button, ...]:
    """Buttons to the season's final leaderboards and to a first match; both answer privately."""
    start = Button(label="Start a match", press=Press(NO_MATCH, 0, "openhelp", "play"))
    if before is None:
        return (start,)
    ended = Press(NO_MATCH, 0, "openboard", str(Query(period=f"s{before.id}")))
    return Button(label="Final leaderboards", press=ended), start


def _ended(season: SeasonRecord, standings: Overview | None) -> str:
    """That a season is over, who came first in each game, and where to see the rest.

    Nobody is named if it's unknown who has left the server, as the announcement stays.
    """
    over = f"**{escaped(season.name)}** is over."
    rest = "To see its leaderboards, pick it as `season` in `/leaderboard`."
    if standings is None or not standings.lines or not standings.complete:
        return f"\n{over} {rest}"
    firsts = "\n".join(_firsts(game, page.lines) for game, page in standings.lines.items())
    return f"\n{over} In first place:\n{firsts}\n{rest}"


def _firsts(game: str, lines: Sequence[StandingRecord]) -> str:
    """Who came first in a game; people who are tied have the same rating."""
    level = [line for line in lines if line.place == 1]
    who = [mention(line.user) for line in level]
    if len(who) == MAX_FIRSTS:
        who.append("others")
    rating = rating_text(level[0].rating or 0, established=level[0].established)
    return f"🥇 **{GAMES[game].title}** · {listed(who)} · **{rating}**"
