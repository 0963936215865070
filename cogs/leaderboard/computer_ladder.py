"""The computer ladder as a message."""

from typing import Final

from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.rendering.colors import GOLD
from bot.rendering.phrases import NO_MATCH, page_turns, play_command
from bot.stats.leaderboards import Ladder
from bot.storage.computer_ladder import RungRecord, Tally
from bot.storage.pages import PageRecord
from bot.text import counted, escaped
from cogs.leaderboard.content import UNKNOWN, nobody, placed, rows_of, so_far
from games import GAMES

ORDER: Final = (
    "-# Ranked from the strongest level down: most wins, then draws, then fewest losses. "
    "If you play several computers of a level at once, the best one counts."
)

MAX_LEVELS_OF_SEVERAL_GAMES: Final = 2
"""Levels in a person's line on the ladder of all games: with more, it wouldn't fit a message."""


def ladder_content(ladder: Ladder) -> MessageContent:
    """A page of one game's ladder, or the top of every game's."""
    game = ladder.query.game
    what = "all games" if game is None else GAMES[game].title
    head = f"### Against computers · {what} · {escaped(ladder.title)}"
    rows = rows_of(ladder.query, ladder.seasons)
    if not ladder.pages:
        return MessageContent(
            head=f"{head}\n{nobody(ladder.query, 'finished a match against a computer here')} To "
            f"start one, use {play_command(game)} with its option `computer`.",
            foot="" if game is None else _own(ladder, None),
            rows=rows,
            color=GOLD,
        )
    foot = ORDER + ("" if ladder.complete else UNKNOWN)
    if game is None:
        parts = [head]
        for key, page in ladder.pages.items():
            parts.append(f"**{GAMES[key].title}** · {counted(page.total, 'player')}")
            lines = [*page.lines]
            if page.own is not None and page.own not in lines:
                lines.append(page.own)
            parts += [rung_line(line, MAX_LEVELS_OF_SEVERAL_GAMES) for line in lines]
        return MessageContent(head="\n".join(parts), foot=foot, rows=rows, color=GOLD)
    page = ladder.pages[game]
    turns = page_turns(Press(NO_MATCH, page.number, "board", str(ladder.query)), page.last)
    return MessageContent(
        head="\n".join([head, *map(rung_line, page.lines)]),
        foot=f"{_own(ladder, page)}\n{foot}",
        rows=(turns, *rows),
        color=GOLD,
    )


def rung_line(line: RungRecord, most: int | None = None) -> str:
    """A person's line: place, name and record against each level, or the `most` strongest."""
    records = [f"{level}: {_record(tally)}" for level, tally in line.against.items()]
    parts = records if most is None or len(records) <= most else [*records[:most], "…"]
    return f"{placed(line.place, line.user)} · {' · '.join(parts)}"


def _record(tally: Tally) -> str:
    """For example `5 wins, 1 draw`, without zeros, as several levels share a line."""
    ends = (
        (tally.won, "win", "wins"),
        (tally.drawn, "draw", "draws"),
        (tally.lost, "loss", "losses"),
    )
    return ", ".join(counted(*end) for end in ends if end[0])


def _own(ladder: Ladder, page: PageRecord[RungRecord] | None) -> str:
    """The reader's place on a page, or why they aren't on the list; an empty one has no page."""
    if page is None or page.own is None:
        return (
            f"📍 <@{ladder.me}> isn't on this list: no finished match against a computer "
            f"{so_far(ladder.query)}, or hidden (`/privacy visibility`)."
        )
    return f"📍 <@{ladder.me}>: place {page.own.place} of {page.total}"
