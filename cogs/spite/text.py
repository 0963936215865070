"""Spite and Malice in words: the score, the result, what a desk asks.

Pure text from views. `names` is the display text of each seat, in the order of the seats.
"""

from collections.abc import Sequence

from bot.drawing.seats import MARKS
from cogs.spite.card_names import cards
from cogs.spite.options import goal
from games.core import Seat
from games.spite import View
from games.spite.moves import PILES


def headline(view: View) -> str:
    """Which turn it is, and of which game in a series."""
    if view.options.target is None:
        return f"Turn {view.turn}"
    return f"Game {view.game} ({goal(view.options)}), turn {view.turn}"


def score_line(view: View, names: Sequence[str]) -> str:
    """The stocks, which decide the game, and what the seats have won so far in a series."""
    return " · ".join(
        f"{MARKS[seat].emoji} {name} **{view.sides[seat].stock}** in the stock"
        f"{_won(view, Seat(seat))}"
        for seat, name in enumerate(names)
    )


def result_line(view: View, names: Sequence[str]) -> str:
    """The final result and what decided it; only for a match that is over."""
    if view.outcome is None:
        raise ValueError("A match that goes on has no result yet.")
    winner = champion(view)
    result = "**A draw**" if winner is None else f"**{names[winner]} wins**"
    return f"{result}: {view.outcome.reason}."


def champion(view: View) -> Seat | None:
    """The seat that has won; None while the match goes on or where it is a draw."""
    if view.outcome is None or view.outcome.ranks.count(1) != 1:
        return None
    return Seat(view.outcome.ranks.index(1))


def question(view: View, *, may_play: bool, may_discard: bool, may_draw: bool) -> str:
    """What the desk asks its owner before anything is chosen."""
    if view.seat != view.on_turn:
        return f"{MARKS[view.on_turn].emoji} is on turn. Your desk follows."
    if may_draw:
        return (
            "**Draw first?** A play or a discard before it gives up the draw of this turn, and a "
            "play also the five new cards for an emptied hand."
        )
    if not may_discard:
        return _compelled(view)
    if not may_play:
        return "**Discard to end your turn:** no card of yours fits onto a foundation."
    return "**Your turn.** Play as many cards as you like; a discard ends your turn."


def _compelled(view: View) -> str:
    if not view.hand:
        return "**Play on:** your hand is empty and there is nothing to draw."
    which = "an ace" if view.options.forced == "aces" else "an ace or a two"
    return f"**Play on:** you may not discard while {which} can be played."


def where_to(source: str, face: str, *, wild: bool) -> str:
    """What the desk asks when a card with several targets has been taken up."""
    place = {"stock": " from your stock"}.get(source, f" from {source}" if source in PILES else "")
    counts = " It counts as what the foundation needs." if wild else ""
    return f"**Where does the {face}{place} go?**{counts}"


def onto_which(group: str) -> str:
    """What the desk asks when cards to be discarded have been taken up."""
    return f"**Onto which pile do you discard {group}?** That ends your turn."


def _won(view: View, seat: Seat) -> str:
    match view.options.scoring:
        case "game":
            return ""
        case "games":
            number = view.scores[seat]
            return f", {number} {'game' if number == 1 else 'games'} won"
        case "points":
            number = view.scores[seat]
            return f", {number} {'point' if number == 1 else 'points'}"


def drawn(view: View) -> str:
    """How many cards a draw would bring now."""
    assert view.hand is not None
    return cards(min(5 - len(view.hand), view.source + len(view.removed)))
