"""What one picture shows: a view, and what the owner of a hand has put together of their own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cogs.conquest.battalions import own
from cogs.conquest.drafts import drafted, orders_of, supplied
from games.conquest import Battalion, Move, Order, Plan, Square, Supply, View
from games.conquest.moves import Placement
from games.core import Seat

if TYPE_CHECKING:  # a worker that draws imports this module, and has no use for matches
    from bot.matches import MatchSnapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """For the eyes of `view.seat` only; the table's holds nothing that is anybody's own."""

    view: View
    orders: tuple[tuple[Battalion, Order | None], ...] = ()
    """Orders put together, chosen or waiting; None is a pass."""

    placements: tuple[tuple[Battalion, Placement], ...] = ()
    signals: tuple[tuple[Seat, Seat], ...] = ()
    """Who publicly calls whom ahead."""

    source: Square | None = None
    """A square from which an order is being put together."""

    targets: tuple[Square, ...] = ()
    """Where the troops of that square may march."""

    @property
    def is_draft(self) -> bool:
        """Whether something is being put together, which takes the place of what was revealed.

        Orders that wait while others are executed do not: they stand beside what was.
        """
        drafted = self.view.phase == "planning" and bool(self.orders)
        return drafted or self.source is not None or bool(self.placements)


def scene_of(snapshot: "MatchSnapshot", draft: str) -> Scene:
    """The scene of a snapshot: with its owner's draft, or with what they have chosen."""
    return replace(_put_together(snapshot, draft), signals=signals_of(snapshot))


def signals_of(snapshot: "MatchSnapshot") -> tuple[tuple[Seat, Seat], ...]:
    """Who publicly calls whom ahead, among those who still play: who has left can't be ahead."""
    places = snapshot.places
    return tuple(
        (Seat(seat), place.signal)
        for seat, place in enumerate(places)
        if place.signal is not None and not place.left and not places[place.signal].left
    )


def _put_together(snapshot: "MatchSnapshot", draft: str) -> Scene:
    # Not for the worker, see above.
    from bot.matches import SeatSnapshot  # noqa: PLC0415

    view: View = snapshot.view
    if not isinstance(snapshot, SeatSnapshot) or not snapshot.legal:
        return Scene(view=view, orders=_waiting(view))
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
            return Scene(view=view, orders=_waiting(view))


def _planning(view: View, legal: Sequence[Move], choice: Move | None, draft: str) -> Scene:
    orders = orders_of(legal)
    sketches = drafted(orders, choice, draft)
    current, known = sketches.sketch, orders[sketches.current]
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


def _waiting(view: View) -> tuple[tuple[Battalion, Order | None], ...]:
    """The orders that are still to be executed; once the match is over, none is any more."""
    if not view.awaiting:
        return ()
    return tuple((item.battalion, item.order) for item in view.written)
