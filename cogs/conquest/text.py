"""Divide & Conquer in words: where a match stands, the score, the result, and what a desk asks.

Pure text from views. `names` is the display text of each seat, in the order of the seats.
"""

from collections.abc import Sequence
from typing import Final

from cogs.conquest.battalions import MARKS
from cogs.conquest.sides import battalions, champions, commander
from games.conquest import LAYOUT, Battalion, View
from games.conquest.board import troops_of
from games.conquest.state import Phase

STAGES: Final[dict[Phase, str]] = {
    "planning": "secret orders",
    "movement": "Commander's Choice",
    "reinforcement": "reinforcement",
    "over": "the end",
}


def headline(view: View) -> str:
    return f"{turn_of(view)}: {STAGES[view.phase]}"


def turn_of(view: View) -> str:
    return f"Turn {view.turn} of {view.options.turn_limit}"


def called(match: int, view: View) -> str:
    """A match among others, without anybody's name."""
    return f"Match {match}, {len(view.teams)} players, {headline(view).lower()}"


def score_line(view: View, names: Sequence[str]) -> str:
    """Of every battalion: its objectives, its troops on the board and in the bank."""
    return " · ".join(_score(view, battalion, names) for battalion in battalions(view))


def _score(view: View, battalion: Battalion, names: Sequence[str]) -> str:
    seat = commander(view, battalion)
    bank = f" (+{view.banks[battalion]} in the bank)" if view.banks[battalion] else ""
    return (
        f"{MARKS[battalion].emoji} {names[seat]} **{view.objectives[battalion]}** of "
        f"{len(LAYOUT.objectives[battalion])}, {troops_text(troops_of(view.board, battalion))}"
        f"{bank}{', has left' if seat in view.left else ''}"
    )


def result_line(view: View, names: Sequence[str]) -> str:
    """The final result and what decided it; only for a match that is over."""
    if view.outcome is None:
        raise ValueError("A match that goes on has no result yet.")
    winners = [names[seat] for seat in champions(view)]
    if not winners:
        result = "**A draw**"
    elif len(winners) == 1:
        result = f"**{winners[0]} wins**"
    else:
        result = f"**{joined(winners)} share the win**"
    deserted = len(view.left) == len(view.teams) - 1  # then the reason says so
    left = [names[seat] for seat in view.left]
    gone = f" {joined(left)} left the match." if left and not deserted else ""
    return f"{result}: {view.outcome.reason}.{gone}"


def troops_text(count: int) -> str:
    return "1 troop" if count == 1 else f"{count} troops"


def joined(items: Sequence[str]) -> str:
    """The items as a list in a sentence: `a, b and c`."""
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last
