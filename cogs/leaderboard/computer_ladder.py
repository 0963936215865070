"""The ladder of those who have played against computers, in words."""

from typing import Final

from discord.utils import escape_markdown

from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.rendering.colors import GOLD
from bot.rendering.phrases import NO_MATCH, page_turns, play_command
from bot.stats.computer_ladder import Ladder
from bot.storage.computer_ladder import RungRecord
from bot.storage.pages import PageRecord
from bot.text import counted
from cogs.leaderboard.content import MEDALS, UNKNOWN, rows_of
from games import GAMES

ORDER: Final = (
    "-# Wins, draws and losses against each level, strongest first. Wins against the strongest "
    "level decide the order, then draws, then fewer losses; then the next level. Against several "
    "computers of a level, the best one counts. Ratings don't change."
)


def ladder_content(ladder: Ladder) -> MessageContent:
    """A page of one game's ladder, or the first of every game."""
    game = ladder.query.game
    what = "all games" if game is None else GAMES[game].title
    head = f"### Against computers · {what} · {escape_markdown(ladder.title)}"
    rows = rows_of(ladder.query, ladder.seasons)
    if not ladder.pages:
        return MessageContent(
            head=f"{head}\nNobody has finished a match against a computer "
            f"here{' yet' if ladder.query.period == 'all' else ' in this period'}. To start "
            f"one, use {play_command(game)} with its option `computer`.",
            rows=rows,
            color=GOLD,
        )
    foot = ORDER + ("" if ladder.complete else UNKNOWN)
    if game is None:
        parts = [head]
        for key, page in ladder.pages.items():
            parts.append(f"**{GAMES[key].title}** · {counted(page.total, 'player')}")
            parts += _lines(page, with_own=True)
        return MessageContent(head="\n".join(parts), foot=foot, rows=rows, color=GOLD)
    page = ladder.pages[game]
    turns = page_turns(Press(NO_MATCH, page.number, "board", str(ladder.query)), page.last)
    return MessageContent(
        head="\n".join([head, *_lines(page)]),
        foot=f"{_own(page, ladder.me)}\n{foot}",
        rows=(turns, *rows),
        color=GOLD,
    )


def rung_line(line: RungRecord) -> str:
    """The line of a person: place, name and record against each level."""
    place = MEDALS.get(line.place, f"**{line.place}.**")
    records = " · ".join(
        f"{level} **{tally.won}**-{tally.drawn}-{tally.lost}"
        for level, tally in line.against.items()
    )
    return f"{place} <@{line.user}> · {records}"


def _lines(page: PageRecord[RungRecord], *, with_own: bool = False) -> list[str]:
    lines = [rung_line(line) for line in page.lines]
    if with_own and page.own is not None and page.own not in page.lines:
        lines.append(rung_line(page.own))
    return lines


def _own(page: PageRecord[RungRecord], me: int) -> str:
    if page.own is None:
        return (
            f"📍 <@{me}> isn't on this list: no finished match against a computer in this period, "
            "or hidden (`/privacy visibility`)."
        )
    return f"📍 <@{me}>: place {page.own.place} of {page.total}"
