"""What happened in a match, as far as everybody could see it."""

from dataclasses import dataclass
from typing import Literal

from games.core import Seat
from games.spite.cards import Face


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """A new game was dealt."""

    game: int
    dealer: Seat
    kind: Literal["dealt"] = "dealt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A seat drew cards; nobody else saw which."""

    seat: Seat
    count: int
    recycled: int
    """The number of removed cards that were shuffled under the source for this draw."""

    kind: Literal["drawn"] = "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A card was played onto a foundation."""

    seat: Seat
    source: str
    """`stock`, `hand` or the name of a discard pile."""

    face: Face
    rank: Face
    """The rank that the card counts as; for a wild card, the one that the foundation needed."""

    target: str
    """The name of the foundation at that time."""

    is_complete: bool
    """Whether the card completed the foundation, which then left the table."""

    kind: Literal["played"] = "played"


@dataclass(frozen=True, slots=True, kw_only=True)
class Discarded:
    seat: Seat
    face: Face
    count: int
    pile: str
    kind: Literal["discarded"] = "discarded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stuck:
    """A turn ended by itself, with an empty hand and no legal play."""

    seat: Seat
    was_passed_over: bool
    """Whether that was so from the start of the turn."""

    kind: Literal["stuck"] = "stuck"


Event = Dealt | Drawn | Played | Discarded | Stuck
