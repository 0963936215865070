"""Which scene a look at a match shows, with what its owner has put together."""

from collections.abc import Sequence
from dataclasses import replace

from bot.matches import MatchSnapshot, SeatSnapshot
from cogs.conquest.controls import drafted, supplied
from cogs.conquest.drafts import orders_of
from cogs.conquest.scenes import Scene
from cogs.conquest.sides import own
from games.conquest import Battalion, Move, Order, Pending, Plan, Supply, View
from games.core import Seat


def staged(snapshot: MatchSnapshot, draft: str) -> Scene:
    """The scene of a look: with its owner's draft, or with what he has chosen."""
    signals = tuple(
        (Seat(seat), place.signal)
        for seat, place in enumerate(snapshot.places)
        if place.signal is not None and not place.left
    )
    return replace(_put_together(snapshot, draft), signals=signals)


def _put_together(snapshot: MatchSnapshot, draft: str) -> Scene:
    view: View = snapshot.view
    if not isinstance(snapshot, SeatSnapshot) or not snapshot.legal:
        return Scene(view=view, orders=_waiting(view.written))
    legal: Sequence[Move] = snapshot.legal
    match legal[0]:
        case Plan():
            return _planning(view, legal, snapshot.choice, draft)
        case Supply():
            supply = supplied(legal, snapshot.choice, draft)
            placed = zip(own(view), supply.placements, strict=True)
            return Scene(
                view=view,
                placements=tuple((battalion, part) for battalion, part in placed if part),
            )
        case _:
            return Scene(view=view, orders=_waiting(view.written))


def _planning(view: View, legal: Sequence[Move], choice: Move | None, draft: str) -> Scene:
    sketches = drafted(legal, choice, draft)
    current, known = sketches.sketch, orders_of(legal)[sketches.current]
    asked = current.source if current.order is None else None
    return Scene(
        view=view,
        orders=tuple(
            (battalion, sketch.order)
            for battalion, sketch in zip(own(view), sketches.sketches, strict=True)
            if sketch.is_done
        ),
        source=asked,
        targets=() if asked is None else known.targets(asked),
    )


def _waiting(written: Sequence[Pending]) -> tuple[tuple[Battalion, Order | None], ...]:
    return tuple((item.battalion, item.order) for item in written)
