"""What the owner of a hand has put together of their move: a draft, written in a custom_id.

Of orders it names the battalion that is being asked about (0 or 1), then what each is to do:
nothing yet (`-`), `E5` (a square), `E5-9-D4` or `pass`; for two battalions `1 E5-9-D4/F6`. Of
what the two battalions of a team are to place it says both: `supply +E5/none`, or `-` for nothing
yet. While the menu of signals is open above it, `signal` stands before it, or alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from games.conquest import Move, Order, Plan, Square, Supply
from games.conquest.moves import Placement

_DRAFT: Final = re.compile(r"([01]) ([A-Z0-9-]{0,10}|pass)(?:/([A-Z0-9-]{0,10}|pass))?")
_PASSING: Final = "pass"
NOTHING_YET: Final = "-"
_SUPPLY: Final = re.compile(r"supply ([^/]+)/([^/]+)")
NO_PLACEMENT: Final = "none"

SIGNAL: Final = "signal"
"""Before a draft: the menu of signals is open; and the act that takes what is chosen from it."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """As much of one battalion's order as was put together."""

    source: Square | None = None
    order: Order | None = None
    passes: bool = False

    @property
    def is_done(self) -> bool:
        return self.passes or self.order is not None

    def __str__(self) -> str:
        return _PASSING if self.passes else str(self.order or self.source or NOTHING_YET)


@dataclass(frozen=True)
class OrderChoices:
    """The orders that one battalion can write, arranged by what is asked first."""

    legal: tuple[Order, ...]

    @cached_property
    def sources(self) -> tuple[Square, ...]:
        return tuple(dict.fromkeys(order.source for order in self.legal))

    def targets(self, source: Square) -> tuple[Square, ...]:
        return tuple(dict.fromkeys(o.target for o in self.legal if o.source == source))

    def numbers(self, source: Square, target: Square) -> tuple[int, ...]:
        """How many can march there, in ascending order."""
        return tuple(
            sorted(o.troops for o in self.legal if (o.source, o.target) == (source, target))
        )

    def most(self, source: Square, target: Square, wanted: int | None) -> Order:
        """As many as wanted from this square to that one, or all that can."""
        most = self.numbers(source, target)[-1]
        return Order(source, most if wanted is None else min(wanted, most), target)

    def begun(self) -> Sketch:
        """What is asked of this battalion: nothing where it can only pass."""
        if not self.legal:
            return Sketch(passes=True)
        return Sketch(source=self.sources[0] if len(self.sources) == 1 else None)

    def read(self, text: str) -> Sketch | None:
        """The sketch that a text means; None for one that means nothing here."""
        if text == _PASSING:
            return Sketch(passes=True)
        if text in {"", NOTHING_YET}:  # older messages write nothing at all
            return Sketch()
        for order in self.legal:
            if str(order) == text:
                return Sketch(source=order.source, order=order)
        return Sketch(source=Square(text)) if text in self.sources else None


@dataclass(frozen=True, slots=True)
class Draft:
    """The sketches of all battalions of a seat."""

    current: int
    """Which of them is being asked about."""

    sketches: tuple[Sketch, ...]

    @property
    def sketch(self) -> Sketch:
        return self.sketches[self.current]

    def with_sketch(self, sketch: Sketch) -> "Draft":
        sketches = list(self.sketches)
        sketches[self.current] = sketch
        return replace(self, sketches=tuple(sketches))

    def turned_to(self, current: int) -> "Draft":
        return replace(self, current=current)

    @property
    def plan(self) -> Plan | None:
        """The move that it makes, once every battalion knows what to do."""
        if not all(sketch.is_done for sketch in self.sketches):
            return None
        return Plan(tuple(sketch.order for sketch in self.sketches))

    def __str__(self) -> str:
        return f"{self.current} {'/'.join(map(str, self.sketches))}"


def orders_of(legal: Sequence[Move]) -> tuple[OrderChoices, ...]:
    """What each battalion can write; every order occurs in one of the legal moves (R21)."""
    plans = [move.orders for move in legal if isinstance(move, Plan)]
    return tuple(
        OrderChoices(tuple(dict.fromkeys(order for order in column if order is not None)))
        for column in zip(*plans, strict=True)
    )


def _parsed(text: str, orders: Sequence[OrderChoices]) -> Draft | None:
    """The draft that a text means; None for nonsense."""
    found = _DRAFT.fullmatch(text)
    parts = [] if found is None else [part for part in found.groups()[1:] if part is not None]
    if found is not None and len(parts) == len(orders) > int(found[1]):
        sketches = [each.read(part) for each, part in zip(orders, parts, strict=True)]
        known = tuple(sketch for sketch in sketches if sketch is not None)
        if len(known) == len(orders):
            return Draft(int(found[1]), known)
    return None


def drafted(orders: Sequence[OrderChoices], choice: Move | None, draft: str) -> Draft:
    """The orders put together so far; of nonsense the choice made before, or the beginning."""
    parsed = _parsed(draft, orders)
    if parsed is not None:
        return parsed
    if isinstance(choice, Plan):
        return Draft(0, sketches_of(choice))
    begun = tuple(each.begun() for each in orders)
    first = next((i for i, sketch in enumerate(begun) if not sketch.is_done), 0)
    return Draft(first, begun)


def sketches_of(plan: Plan) -> tuple[Sketch, ...]:
    """What a choice says of each battalion."""
    return tuple(
        Sketch(passes=True) if order is None else Sketch(source=order.source, order=order)
        for order in plan.orders
    )


def rewritten(orders: Sequence[OrderChoices], choice: Plan) -> Draft:
    """Where changing a choice begins: the first battalion is asked from the start, as at first."""
    draft = Draft(0, sketches_of(choice))
    first = next((i for i, each in enumerate(orders) if each.legal), 0)
    return draft.turned_to(first).with_sketch(orders[first].begun())


def turned(draft: Draft, to: int, orders: Sequence[OrderChoices], choice: Move | None) -> Draft:
    """The draft turned to the other battalion.

    Where a choice is being changed, what it says of that one is asked from the start, and what it
    says of this one stands unless something else was put together.
    """
    after = draft.turned_to(to)
    if not isinstance(choice, Plan):
        return after
    chosen = sketches_of(choice)
    if not draft.sketch.is_done:
        after = draft.with_sketch(chosen[draft.current]).turned_to(to)
    return after.with_sketch(orders[to].begun()) if after.sketch == chosen[to] else after


def is_beginning(orders: Sequence[OrderChoices], draft: str) -> bool:
    """Whether a draft says nothing of these orders, so that a choice stands as it is."""
    return _parsed(draft, orders) is None


def supplied(legal: Sequence[Move], choice: Move | None, draft: str) -> Supply:
    """What the battalions of a team are to place, as put together so far."""
    placements = placements_of(legal)
    parsed = _parsed_supply(draft, placements)
    if parsed is not None:
        return parsed
    return choice if isinstance(choice, Supply) else Supply((None,) * len(placements))


def supply_parts(legal: Sequence[Move], choice: Move | None, draft: str) -> tuple[str, ...]:
    """The same as a draft writes it, which tells from `none` where nothing was chosen yet."""
    placements, found = placements_of(legal), _SUPPLY.fullmatch(draft)
    if found is not None and _parsed_supply(draft, placements) is not None:
        return found.groups()
    if isinstance(choice, Supply):
        return tuple(map(written, choice.placements))
    return (NOTHING_YET,) * len(placements)


def _parsed_supply(text: str, placements: Sequence[Sequence[Placement | None]]) -> Supply | None:
    """What a text says the battalions of a team are to place; None for nonsense."""
    found = _SUPPLY.fullmatch(text)
    if found is None or len(placements) != 2:
        return None
    wanted = [NO_PLACEMENT if part == NOTHING_YET else part for part in found.groups()]
    parts = [
        [part for part in column if written(part) == text]
        for column, text in zip(placements, wanted, strict=True)
    ]
    return Supply(tuple(part[0] for part in parts)) if all(parts) else None


def is_signalling(draft: str) -> bool:
    """Whether the menu of signals is open."""
    return draft == SIGNAL or draft.startswith(f"{SIGNAL} ")


def beneath(draft: str) -> str:
    """A draft without the menu of signals that may be open above it."""
    return draft.removeprefix(SIGNAL).lstrip() if is_signalling(draft) else draft


def carried(legal: Sequence[Move], draft: str) -> str:
    """What was put together before the menu of signals was opened; nothing of nonsense."""
    text = beneath(draft)
    match legal[:1]:
        case [Plan()]:
            makes_sense = _parsed(text, orders_of(legal)) is not None
        case [Supply()]:
            makes_sense = _parsed_supply(text, placements_of(legal)) is not None
        case _:
            makes_sense = False
    return text if makes_sense else ""


def placements_of(legal: Sequence[Move]) -> tuple[tuple[Placement | None, ...], ...]:
    """What each battalion can place; every part occurs in one of the legal moves (R21)."""
    supplies = [move.placements for move in legal if isinstance(move, Supply)]
    return tuple(tuple(dict.fromkeys(column)) for column in zip(*supplies, strict=True))


def written(placement: Placement | None) -> str:
    """A placement as it stands in a move and in a draft."""
    return NO_PLACEMENT if placement is None else str(placement)
