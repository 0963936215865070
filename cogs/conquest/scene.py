"""What one picture shows: a view, and what the owner of a desk has put together of his own."""

from dataclasses import dataclass

from games.conquest import Battalion, Order, Square, View
from games.conquest.moves import Placement
from games.core import Seat


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
