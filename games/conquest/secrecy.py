"""Hides the orders that nobody has seen executed.

An order is pending while a Commander's Choice is awaited, and void once its seat has left.
"""

from collections.abc import Collection, Sequence

from games.conquest.battalions import Battalion
from games.conquest.moves import Plan
from games.conquest.notation import parse
from games.conquest.view import View
from games.core import HIDDEN, Event, Seat


def without_unseen_orders(view: View, course: Sequence[Event]) -> tuple[Event, ...]:
    """The events of a match, with `HIDDEN` for every order that wasn't executed; see `redact`."""
    shown, left = list(course), set[Seat]()
    waiting = frozenset(view.pending)  # all of earlier plans have been executed
    for i in reversed(range(len(shown))):
        event = shown[i]
        if isinstance(event, int):
            left.add(event)
        elif not (waiting or left):
            continue  # nothing of older steps is secret, and parsing all takes long
        elif any(isinstance(parse(text), Plan) for text in event.values()):
            shown[i] = {
                seat: _with_hidden(view, seat, text, view.teams[seat] if seat in left else waiting)
                for seat, text in event.items()
            }
            waiting, left = frozenset(), set()
    return tuple(shown)


def _with_hidden(view: View, seat: Seat, text: str, secret: Collection[Battalion]) -> str:
    orders = zip(view.teams[seat], str(parse(text)).split(" / "), strict=True)
    return " / ".join(HIDDEN if battalion in secret else order for battalion, order in orders)
