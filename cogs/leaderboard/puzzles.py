"""The leaderboard of the daily puzzle as a message."""

from typing import Final

from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.puzzles.answers import Solvers
from bot.rendering.colors import GOLD
from bot.rendering.phrases import NO_MATCH, page_turns
from bot.stats.leaderboards import Query
from bot.storage.puzzles import SolverRecord
from bot.text import counted
from cogs.leaderboard.content import UNKNOWN, nobody, placed

PUZZLE: Final = "puzzle"
"""What the command takes instead of a game for the daily puzzle."""

_ORDER: Final = (
    "-# By puzzles solved in this server, then by current streak (days in a row). A day when I was "
    "offline for more than half of it doesn't end a streak. Today's puzzle counts once its answer "
    "is out."
)


def solvers_content(solvers: Solvers) -> MessageContent:
    """A page of the people who solved puzzles in a server."""
    page = solvers.page
    head = "### Daily puzzle"
    if not page.lines:
        nothing = (
            f"{nobody(Query(), 'solved one here')} Try today's with `/puzzle`: it counts once its "
            "answer is out."
        )
        return MessageContent(head=f"{head}\n{nothing}", foot=_own(solvers), color=GOLD)
    foot = _ORDER + ("" if solvers.complete else UNKNOWN)
    turns = page_turns(Press(NO_MATCH, page.number, "solvers"), page.last)
    return MessageContent(
        head="\n".join([head, *map(_line, page.lines)]),
        foot=f"{_own(solvers)}\n{foot}",
        rows=(turns,),
        color=GOLD,
    )


def _line(line: SolverRecord) -> str:
    streaks = [f"🔥 {counted(line.streak, 'day')}"] if line.streak else []
    streaks += [f"best streak {counted(line.best, 'day')}"] if line.best > line.streak else []
    return " · ".join([placed(line.place, line.user), f"**{line.solved}** solved", *streaks])


def _own(solvers: Solvers) -> str:
    own, me = solvers.page.own, solvers.me
    if own is None:
        return (
            f"📍 <@{me}> isn't on this list: no puzzle solved in this server, or hidden "
            "(`/privacy visibility`)."
        )
    return f"📍 <@{me}>: place {own.place} of {solvers.page.total}"
