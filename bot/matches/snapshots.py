"""What leaves this package of a match: looks, which hold a view and never a state."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from bot.storage import TABLE, Agreement, ChangeRecord, Ending, MatchId, Status, TimeControl, Why
from games import Outcome, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Who sits at a place of the table."""

    user: int
    accepted: bool
    left: bool
    left_why: Why | None = None
    agrees: Agreement | None = None
    """To what this player agrees, if all the others do."""

    signal: Seat | None = None
    """The seat that this player publicly calls ahead, where a game has signals."""

    strikes: int = 0
    """Turns in a row that the clock has played for this player."""

    invited: bool = False
    """Before the deal: whether the challenger named this player."""

    change: ChangeRecord | None = None
    """What the result did to this player's rating."""

    computer: str | None = None
    """The level of the computer that sits here; None for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A match as one onlooker may know it: a seat, or everybody for None."""

    match: MatchId
    game: str
    options: Any  # of the game's own type
    status: Status
    guild: int
    channel: int
    wanted: int
    """Players in all; where there are fewer places, the others are open to anybody."""

    time_control: TimeControl
    tap: bool
    """Whether hands are buttons on the table."""

    step: int
    turn: int
    due_at: int | None
    """When the clock acts, in seconds since 1970: an expiry, a deadline, the end of silence."""

    paused: bool
    late: tuple[Seat, ...]
    """The seats for which the clock made a move in the last step."""

    ending: Ending | None
    seat: Seat | None
    places: tuple[Place, ...]
    view: Any  # of the game's own type; None until the deal
    awaiting: frozenset[Seat]
    chosen: frozenset[Seat]
    """Who has chosen in this step; never what."""

    choice: Any  # the onlooker's own move of this step, None if he has made none
    legal: tuple[Any, ...]
    """The moves the onlooker may choose from now."""

    outcome: Outcome | None
    commitment: str | None
    """SHA-256 of the seed, published when the match begins."""

    seed: str | None
    """Secret until the match is over, so None until then."""

    predecessor: MatchId | None = None
    """The match that this one is a rematch of."""

    rated: bool = True
    """Whether it counts for ratings."""

    limited: bool = False
    """Whether it would be rated, but its players had begun too many such matches that day."""

    here: bool = False
    """Whether the onlooker wants his desk beside the table and no direct messages."""

    words: bool = False
    """Whether the onlooker wants words in place of pictures on his desk."""

    @property
    def is_solitary(self) -> bool:
        """Whether one person plays with computers only, or with whoever is left of them."""
        playing = [place.computer for place in self.places if not place.left]
        return len(playing) > 1 and playing.count(None) == 1

    @property
    def has_computer(self) -> bool:
        """Whether a computer has a seat, also one that it has lost."""
        return any(place.computer is not None for place in self.places)

    @property
    def deadline(self) -> int | None:
        """When time runs out for those who owe a move; None where no clock runs."""
        ticking = self.time_control != "none" and not self.paused and bool(self.awaiting)
        return self.due_at if ticking else None

    @property
    def owes(self) -> bool:
        """Whether the onlooker has a move to choose and has not chosen it."""
        return self.seat in self.awaiting and self.seat not in self.chosen

    @property
    def key(self) -> str:
        """What this look shows, as short text: equal keys need no new message.

        The onlooker's own choice is part of it, so a key is as secret as the desk is.
        """
        gone = "".join(str(i) for i, place in enumerate(self.places) if place.left)
        stage = f"{self.status}{'-paused' if self.paused else ''}.{self.step}.{gone}"
        # A rematch is asked for at the table only.
        said = {None} if self.seat is None else {None, "rematch"}
        agreed = "".join(
            f".{i}{p.agrees}" for i, p in enumerate(self.places) if p.agrees not in said
        )
        agreed += "".join(
            f".{i}>{p.signal}" for i, p in enumerate(self.places) if p.signal is not None
        )
        if self.seat is None:
            if self.view is None:
                return f"{stage}.{_seated(self.places)}"
            return f"{stage}.{''.join(map(str, sorted(self.chosen)))}{agreed}{self._clock}"
        words = ".words" if self.words else ""
        return f"{stage}.{'' if self.choice is None else self.choice}{agreed}{words}{self._clock}"

    @property
    def _clock(self) -> str:
        """What this look says of time, as part of the key."""
        strikes = 0 if self.seat is None else self.places[self.seat].strikes
        late = "".join(map(str, self.late))
        said = (self.deadline or "", late, strikes or "")
        return "@" + ".".join(map(str, said)) if any(said) else ""

    @property
    def place(self) -> int:
        """The place whose onlooker this is: TABLE or the number of the seat."""
        return TABLE if self.seat is None else self.seat


def _seated(places: tuple[Place, ...]) -> str:
    """Who has taken a seat before the deal, short and without anybody's id: keys are kept."""
    seated = " ".join(
        f"{place.computer or place.user}{'+' if place.accepted else '?'}" for place in places
    )
    return sha256(seated.encode()).hexdigest()[:12]
