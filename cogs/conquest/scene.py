"""What a picture shows: a view, and in a hand also its owner's draft or choice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cogs.conquest.battalions import own_team
from cogs.conquest.drafts import drafted, orders_of, supplied
from games.conquest import Battalion, Move, Order, Plan, Square, Supply, View
from games.conquest.moves import Placement
from games.core import Seat

if TYPE_CHECKING:  # drawing workers import this module and don't need matches
    from bot.matches import MatchSnapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What only `view.seat` may see; the table's scene has nobody's draft or choice."""

    view: View
    orders: tuple[tuple[Battalion, Order | None], ...] = ()
    """The viewer's orders that are drafted, chosen or waiting; None is a pass."""

    placements: tuple[tuple[Battalion, Placement], ...] = ()
    signals: tuple[tuple[Seat, Seat], ...] = ()
    """Pairs of a seat and the seat that it publicly says is ahead."""

    source: Square | None = None
    """The source of an order that is being drafted, until it has a target."""

    targets: tuple[Square, ...] = ()
    """The squares that troops can march to from there."""

    @property
    def is_draft(self) -> bool:
        """Whether the viewer has a draft or choice, which is shown instead of what was revealed.

        Orders that wait while others are executed don't count: they're shown along with it.
        """
        drafted = self.view.phase == "planning" and bool(self.orders)
        return drafted or self.source is not None or bool(self.placements)


def scene_of(snapshot: "MatchSnapshot", draft: str) -> Scene:
    """The scene of a snapshot, with its viewer's draft or, without one, their choice."""
    return replace(_scene_with_draft(snapshot, draft), signals=signals_of(snapshot))


def signals_of(snapshot: "MatchSnapshot") -> tuple[tuple[Seat, Seat], ...]:
    """The signals, without those of or about players who have left, who can't be ahead."""
    seats = snapshot.seats
    return tuple(
        (Seat(seat), info.signal)
        for seat, info in enumerate(seats)
        if info.signal is not None and not info.left and not seats[info.signal].left
    )


def _scene_with_draft(snapshot: "MatchSnapshot", draft: str) -> Scene:
    # Not at the top, see TYPE_CHECKING above.
    from bot.matches import SeatSnapshot  # noqa: PLC0415

    view: View = snapshot.view
    if not isinstance(snapshot, SeatSnapshot) or not snapshot.legal:
        return Scene(view=view, orders=_waiting_orders(view))
    legal: Sequence[Move] = snapshot.legal
    match legal[0]:
        case Plan():
            return _planning_scene(view, legal, snapshot.choice, draft)
        case Supply():
            supply = supplied(legal, snapshot.choice, draft)
            placed = zip(own_team(view), supply.placements, strict=True)
            return Scene(
                view=view,
                placements=tuple((battalion, part) for battalion, part in placed if part),
            )
        case _:
            return Scene(view=view, orders=_waiting_orders(view))


def _planning_scene(view: View, legal: Sequence[Move], choice: Move | None, draft: str) -> Scene:
    orders = orders_of(legal)
    sketches = drafted(orders, choice, draft)
    current, known = sketches.sketch, orders[sketches.current]
    asked = current.source if current.order is None else None
    return Scene(
        view=view,
        orders=tuple(
            (battalion, sketch.order)
            for battalion, sketch in zip(own_team(view), sketches.sketches, strict=True)
            if sketch.is_done
        ),
        source=asked,
        targets=() if asked is None else known.targets(asked),
    )


def _waiting_orders(view: View) -> tuple[tuple[Battalion, Order | None], ...]:
    """The viewer's orders that are still to be executed; none once the match is over."""
    if not view.awaiting:
        return ()
    return tuple((item.battalion, item.order) for item in view.written)
