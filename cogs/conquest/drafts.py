"""Drafts of moves, as they're written in custom_ids.

A draft of orders has the index of the current battalion (0 or 1), then what each battalion does:
nothing yet (`-`), `E5` (a source), `E5-9-D4` or `pass`. For two battalions: `1 E5-9-D4/F6`. A draft
of a team's reinforcements has both parts: `supply +E5/none`, with `-` for nothing yet. While the
menu of signals is open, the draft is `signal`, followed by the draft of the move if there is one.
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
"""In a draft: the menu of signals is open. Also the act that stores a choice from that menu."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """One battalion's order, as far as it has been drafted."""

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
    """The legal orders of one battalion, to choose from by source, target and number."""

    legal: tuple[Order, ...]

    @cached_property
    def sources(self) -> tuple[Square, ...]:
        return tuple(dict.fromkeys(order.source for order in self.legal))

    def targets(self, source: Square) -> tuple[Square, ...]:
        return tuple(dict.fromkeys(o.target for o in self.legal if o.source == source))

    def numbers(self, source: Square, target: Square) -> tuple[int, ...]:
        """The numbers of troops that can march there, in ascending order."""
        return tuple(
            sorted(o.troops for o in self.legal if (o.source, o.target) == (source, target))
        )

    def most(self, source: Square, target: Square, wanted: int | None) -> Order:
        """The order with the most troops, but no more than `wanted` unless that's None."""
        most = self.numbers(source, target)[-1]
        return Order(source, most if wanted is None else min(wanted, most), target)

    def begun(self) -> Sketch:
        """The sketch to start with: a pass if nothing else is legal, or the only source."""
        if not self.legal:
            return Sketch(passes=True)
        return Sketch(source=self.sources[0] if len(self.sources) == 1 else None)

    def read(self, text: str) -> Sketch | None:
        """Parse a battalion's part of a draft; None if it isn't valid for these orders."""
        if text == _PASSING:
            return Sketch(passes=True)
        if text in {"", NOTHING_YET}:  # messages from older versions have an empty part
            return Sketch()
        for order in self.legal:
            if str(order) == text:
                return Sketch(source=order.source, order=order)
        return Sketch(source=Square(text)) if text in self.sources else None


@dataclass(frozen=True, slots=True)
class Draft:
    """A seat's draft of orders: a sketch for each of its battalions."""

    current: int
    """The index of the battalion whose order is being drafted."""

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
        """The drafted move; None until all sketches are done."""
        if not all(sketch.is_done for sketch in self.sketches):
            return None
        return Plan(tuple(sketch.order for sketch in self.sketches))

    def __str__(self) -> str:
        return f"{self.current} {'/'.join(map(str, self.sketches))}"


def orders_of(legal: Sequence[Move]) -> tuple[OrderChoices, ...]:
    """Each battalion's legal orders; every one of them is part of some legal move (R21)."""
    plans = [move.orders for move in legal if isinstance(move, Plan)]
    return tuple(
        OrderChoices(tuple(dict.fromkeys(order for order in column if order is not None)))
        for column in zip(*plans, strict=True)
    )


def _parsed(text: str, orders: Sequence[OrderChoices]) -> Draft | None:
    """Parse a draft of orders; None if it isn't valid."""
    match = _DRAFT.fullmatch(text)
    parts = [] if match is None else [part for part in match.groups()[1:] if part is not None]
    if match is not None and len(parts) == len(orders) > int(match[1]):
        sketches = [each.read(part) for each, part in zip(orders, parts, strict=True)]
        known = tuple(sketch for sketch in sketches if sketch is not None)
        if len(known) == len(orders):
            return Draft(int(match[1]), known)
    return None


def drafted(orders: Sequence[OrderChoices], choice: Move | None, draft: str) -> Draft:
    """The draft of orders in a text; if it isn't valid, the stored choice or else a new draft."""
    parsed = _parsed(draft, orders)
    if parsed is not None:
        return parsed
    if isinstance(choice, Plan):
        return Draft(0, sketches_of(choice))
    begun = tuple(each.begun() for each in orders)
    first = next((i for i, sketch in enumerate(begun) if not sketch.is_done), 0)
    return Draft(first, begun)


def sketches_of(plan: Plan) -> tuple[Sketch, ...]:
    """A chosen plan as sketches."""
    return tuple(
        Sketch(passes=True) if order is None else Sketch(source=order.source, order=order)
        for order in plan.orders
    )


def restarted(orders: Sequence[OrderChoices], choice: Plan) -> Draft:
    """The draft to start changing a choice with: the first battalion that can march starts over."""
    draft = Draft(0, sketches_of(choice))
    first = next((i for i, each in enumerate(orders) if each.legal), 0)
    return draft.turned_to(first).with_sketch(orders[first].begun())


def switched(draft: Draft, to: int, orders: Sequence[OrderChoices], choice: Move | None) -> Draft:
    """The draft after switching to another battalion.

    If a choice is being changed, the battalion switched to starts over if it still has its chosen
    order, and the one switched from gets its chosen order back if its sketch isn't done.
    """
    after = draft.turned_to(to)
    if not isinstance(choice, Plan):
        return after
    chosen = sketches_of(choice)
    if not draft.sketch.is_done:
        after = draft.with_sketch(chosen[draft.current]).turned_to(to)
    return after.with_sketch(orders[to].begun()) if after.sketch == chosen[to] else after


def is_no_draft(orders: Sequence[OrderChoices], draft: str) -> bool:
    """Whether a text isn't a valid draft of these orders, so a stored choice is unchanged."""
    return _parsed(draft, orders) is None


def supplied(legal: Sequence[Move], choice: Move | None, draft: str) -> Supply:
    """The reinforcements in a draft; if it isn't valid, the stored choice or else none."""
    placements = placements_of(legal)
    parsed = _parsed_supply(draft, placements)
    if parsed is not None:
        return parsed
    return choice if isinstance(choice, Supply) else Supply((None,) * len(placements))


def supply_parts(legal: Sequence[Move], choice: Move | None, draft: str) -> tuple[str, ...]:
    """The same as parts of a draft, in which `-` (nothing chosen yet) differs from `none`."""
    placements, match = placements_of(legal), _SUPPLY.fullmatch(draft)
    if match is not None and _parsed_supply(draft, placements) is not None:
        return match.groups()
    if isinstance(choice, Supply):
        return tuple(map(placement_text, choice.placements))
    return (NOTHING_YET,) * len(placements)


def _parsed_supply(text: str, placements: Sequence[Sequence[Placement | None]]) -> Supply | None:
    """Parse a draft of a team's reinforcements; None if it isn't valid."""
    match = _SUPPLY.fullmatch(text)
    if match is None or len(placements) != 2:
        return None
    wanted = [NO_PLACEMENT if part == NOTHING_YET else part for part in match.groups()]
    parts = [
        [part for part in column if placement_text(part) == text]
        for column, text in zip(placements, wanted, strict=True)
    ]
    return Supply(tuple(part[0] for part in parts)) if all(parts) else None


def is_signalling(draft: str) -> bool:
    """Whether the menu of signals is open."""
    return draft == SIGNAL or draft.startswith(f"{SIGNAL} ")


def without_signal(draft: str) -> str:
    """The draft of a move, without the word for an open menu of signals."""
    return draft.removeprefix(SIGNAL).lstrip() if is_signalling(draft) else draft


def kept_draft(legal: Sequence[Move], draft: str) -> str:
    """The draft of a move to keep while the menu of signals is open; "" if it isn't valid."""
    text = without_signal(draft)
    match legal[:1]:
        case [Plan()]:
            makes_sense = _parsed(text, orders_of(legal)) is not None
        case [Supply()]:
            makes_sense = _parsed_supply(text, placements_of(legal)) is not None
        case _:
            makes_sense = False
    return text if makes_sense else ""


def placements_of(legal: Sequence[Move]) -> tuple[tuple[Placement | None, ...], ...]:
    """Each battalion's legal placements; every one of them is part of some legal move (R21)."""
    supplies = [move.placements for move in legal if isinstance(move, Supply)]
    return tuple(tuple(dict.fromkeys(column)) for column in zip(*supplies, strict=True))


def placement_text(placement: Placement | None) -> str:
    """A placement as it's written in moves and drafts."""
    return NO_PLACEMENT if placement is None else str(placement)
