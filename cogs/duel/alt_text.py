"""Alt text for the pictures of the tile duel, read aloud by screen readers."""

from bot.drawing.seats import full_seat_name, seat_name
from bot.text import counted, with_verb
from cogs.duel.text import goal_text, pair_sentence, rounds_sum
from games.core import Seat, winners
from games.duel import View


def describe(view: View) -> str:
    """All that the picture of a view shows, in at most 1024 characters (Discord's limit)."""
    first = 0 if view.seat is None else view.seat
    lines = [
        f"Divide and Conquer, {view.tiles} tiles, {_stage(view)}.",
        *([f"{goal_text(view).capitalize()}."] if view.awaiting else []),
        _last_pair(view),
        *(["The dealt hands have been swapped."] if view.exchanged else []),
        *(_seat(view, Seat((first + i) % 2)) for i in range(2)),
    ]
    return "\n".join(lines)


def _stage(view: View) -> str:
    """Which round it is, or how the match ended."""
    if view.outcome is None:
        return f"{'' if view.awaiting else 'ended in '}round {view.round} of {view.rounds}"
    won = winners(view.outcome)
    return f"final, won by {seat_name(won[0], view.seat)}" if won else "final, a tie"


def _last_pair(view: View) -> str:
    pair = view.last
    if pair is None:
        return "No pair yet: choose in secret." if view.awaiting else "No pair."
    ended = "" if pair.round == view.round else f", which ended round {pair.round}"
    tiles = ", ".join(
        f"{seat_name(Seat(i), view.seat)} played {total}" for i, total in enumerate(pair.totals)
    )
    won = with_verb(seat_name(pair.winner, view.seat), "wins", "win")
    return f"Last pair{ended}: {tiles}; {won}. {pair_sentence(pair)}"


def _seat(view: View, seat: Seat) -> str:
    """A seat's line: its mark, its points, the tiles in its hand and those played in this round."""
    left = ", out" if seat in view.left else ""
    score = counted(view.scores[seat], "point")
    who = f"{full_seat_name(seat, view.seat)}{left}: {score}{rounds_sum(view, seat)}."
    hand = ", ".join(str(total) for total in view.hands[seat]) or "none"
    played = ", ".join(
        f"{pair.totals[seat]} {'won' if pair.winner == seat else 'lost'}"
        for pair in view.played[-1]
    )
    return f"{who} Hand: {hand}. Played in this round: {played or 'none'}."
