"""The picture of a view of the tile duel told to those who hear it, in at most 1024 characters."""

from bot.drawing.seats import MARKS
from bot.text import counted
from cogs.duel.text import aim, pair_sentence, rounds_sum
from games.core import Seat, winners
from games.duel import View


def describe(view: View) -> str:
    """All that the picture of a view says, for those who hear it: at most 1024 characters."""
    first = 0 if view.seat is None else view.seat
    told = [
        f"Divide and Conquer, {view.tiles} tiles, {_stage(view)}.",
        *([f"{aim(view).capitalize()}."] if view.outcome is None else []),
        _last_pair(view),
        *(["The dealt hands have been swapped."] if view.exchanged else []),
        *(_seat(view, Seat((first + i) % 2)) for i in range(2)),
    ]
    return "\n".join(told)


def _stage(view: View) -> str:
    """How far the match has come, for a picture told in words."""
    if view.outcome is None:
        return f"round {view.round} of {view.rounds}"
    won = winners(view.outcome)
    return f"final, winner seat {won[0] + 1}" if won else "final, a tie"


def _last_pair(view: View) -> str:
    pair = view.last
    if pair is None:
        return "No pair." if view.outcome else "No pair yet: choose in secret."
    ended = "" if pair.round == view.round else f", which ended round {pair.round}"
    tiles = ", ".join(f"seat {seat + 1} played {total}" for seat, total in enumerate(pair.totals))
    return f"Last pair{ended}: {tiles}; seat {pair.winner + 1} wins. {pair_sentence(pair)}"


def _seat(view: View, seat: Seat) -> str:
    """A row of the picture: whose it is, the points, the tiles in hand and those exposed."""
    you = ", you" if seat == view.seat else ""
    left = ", has left" if seat in view.left else ""
    score = counted(view.scores[seat], "point")
    who = f"Seat {seat + 1}, {MARKS[seat].name}{you}{left}: {score}{rounds_sum(view, seat)}."
    hand = ", ".join(str(total) for total in view.hands[seat]) or "none"
    played = ", ".join(
        f"{pair.totals[seat]} {'won' if pair.winner == seat else 'lost'}"
        for pair in view.played[-1]
    )
    return f"{who} Hand: {hand}. Played in this round: {played or 'none'}."
