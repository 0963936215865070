"""Signals: whom each player publicly calls ahead, which may be a bluff (R22)."""

from collections.abc import Sequence
from typing import Final

from bot.matches import MatchSnapshot, SeatSnapshot
from bot.rendering.presentation import Choice, ChoiceMenu, Control
from cogs.conquest.marks import MARKS
from games.conquest import View

SIGNAL: Final = "signal"
"""The draft that shows the menu, and the act that takes what is chosen from it."""

NOBODY: Final = "nobody"
OPEN_SIGNAL: Final = Choice(
    label="Signal \N{HORIZONTAL ELLIPSIS}", move=SIGNAL, draft=True, quiet=True
)


def signal_rows(snapshot: SeatSnapshot) -> Sequence[Control]:
    """The others as a menu, and the way back to the orders."""
    pointed = snapshot.places[snapshot.seat].signal
    others = [
        Choice(label=f"Player {seat + 1} {emblem(snapshot.view, seat)}", move=str(seat), act=SIGNAL)
        for seat, place in enumerate(snapshot.places)
        if seat != snapshot.seat and not place.left
    ]
    if pointed is not None:
        others.append(Choice(label="Nobody any more", move=NOBODY, act=SIGNAL))
    menu = ChoiceMenu(placeholder="Who is ahead?", choices=tuple(others))
    return [menu, (Choice(label="Back", move="", draft=True, quiet=True),)]


def signal_line(snapshot: MatchSnapshot) -> str:
    """Who points at whom, in the signs of the pictures; nothing where nobody does."""
    pointed = [
        f"{emblem(snapshot.view, seat)} \N{RIGHTWARDS ARROW} {emblem(snapshot.view, place.signal)}"
        for seat, place in enumerate(snapshot.places)
        if place.signal is not None and not place.left
    ]
    return f"\nThey call ahead: {' · '.join(pointed)}" if pointed else ""


def emblem(view: View, seat: int) -> str:
    """The signs of a seat's battalions."""
    return "".join(MARKS[battalion].emoji for battalion in view.teams[seat])
