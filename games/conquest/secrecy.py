"""What stays secret of the orders that were written: those that nobody has seen executed.

An order waits while a Commander's Choice is asked, and is void when its writer leaves.
"""

from collections.abc import Collection, Sequence

from games.conquest.battalions import Battalion
from games.conquest.moves import Plan
from games.conquest.notation import parse
from games.conquest.view import View
from games.core import HIDDEN, Event, Seat


def without_unseen_orders(view: View, course: Sequence[Event]) -> tuple[Event, ...]:
    """The course of a match in which every order that was not executed is blotted out."""
    shown, left = list(course), set[Seat]()
    waiting = frozenset(view.pending)  # of the last plans; those before have all been executed
    for i in reversed(range(len(shown))):
        event = shown[i]
        if isinstance(event, int):
            left.add(event)
        elif not (waiting or left):
            continue  # of a step long ago nothing is secret: to read all of them takes long
        elif any(isinstance(parse(text), Plan) for text in event.values()):
            shown[i] = {
                seat: _told(view, seat, text, view.teams[seat] if seat in left else waiting)
                for seat, text in event.items()
            }
            waiting, left = frozenset(), set()
    return tuple(shown)


def _told(view: View, seat: Seat, text: str, secret: Collection[Battalion]) -> str:
    orders = zip(view.teams[seat], str(parse(text)).split(" / "), strict=True)
    return " / ".join(HIDDEN if battalion in secret else order for battalion, order in orders)
