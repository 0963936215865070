"""What happened, as far as all can see, so that a turn can be told."""

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
    """Removed cards that were shuffled under the source for it."""

    kind: Literal["drawn"] = "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A card went onto a foundation."""

    seat: Seat
    source: str
    """`stock`, `hand` or a discard pile."""

    face: Face
    rank: Face
    """What the card counts as: a wild card counts as the rank the foundation needed."""

    target: str
    """The foundation as it was called when the card came."""

    is_complete: bool
    """Whether the foundation was completed by it and left the table."""

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
    """A turn ended by itself: an empty hand and no play."""

    seat: Seat
    was_passed_over: bool
    """Whether it was so from the start of the turn."""

    kind: Literal["stuck"] = "stuck"


Event = Dealt | Drawn | Played | Discarded | Stuck
