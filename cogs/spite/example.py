"""A position for the pages of the rules that show a whole desk."""

from typing import Final

from games.core import Seat
from games.spite import Face, Options, SideView, View

Cards = tuple[Face, ...]


def side(stock: int, top: Face | None, hand: int, *discards: Cards) -> SideView:
    """What lies before a seat, as far as a picture shows it."""
    piles = (*discards, (), (), (), ())[:4]
    return SideView(stock=stock, top=top, turned=(), hand=hand, discards=piles, trail=())


EXAMPLE: Final = View(
    seat=Seat(0),
    options=Options(),
    game=1,
    dealer=Seat(1),
    turn=13,
    on_turn=Seat(0),
    draw="closed",
    sides=(
        side(19, "7", 5, ("9", "8"), ("Q",), ("J", "J", "5"), ()),
        side(21, "4", 3, ("10", "9", "9", "8", "3"), ("Q", "Q"), ("6",), ("K",)),
    ),
    hand=("2", "6", "10", "10", "K"),
    carried=None,
    source=24,
    aside=0,
    foundations=(("A", "2", "3", "4", "5", "6"), ("A", "K", "3", "4"), ("A",)),
    removed=("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q"),
    events=(),
    turn_start=0,
    scores=(0, 0),
    last=None,
    left=None,
    is_over=False,
    awaiting=(Seat(0),),
    outcome=None,
)
"""A desk in the middle of a game. Not every card of both packs is accounted for."""
