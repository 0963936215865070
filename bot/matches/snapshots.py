"""What leaves this package of a match: snapshots, which hold a view and never a state.

What everybody may know and what one seat may know are two types. A function that draws the table
takes a `PublicSnapshot`, so that a table that shows somebody's choice does not type-check.
"""

from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from bot.storage import (
    Agreement,
    ChangeRecord,
    DeskPlace,
    Ending,
    MatchId,
    PauseReason,
    Remark,
    Status,
    Telling,
    TimeControl,
    Why,
)
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

    deadline: int | None = None
    """When all its time is up, its reserve too; None where it owes nothing or no clock runs."""

    move_deadline: int | None = None
    """When its reserve begins to run; None where it owes nothing or has none."""

    reserve: int | None = None
    """Seconds in reserve; None where the match has no reserves."""

    uses_reserve: bool = False
    """Whether its reserve runs now."""

    away_until: int | None = None
    """When this player's vacation ends, in seconds since 1970."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSnapshot:
    """What the snapshots of a match have in common: no field of it is anybody's secret.

    Only the view may be, for it is made for whom the snapshot is made for.
    """

    match: MatchId
    game: str
    options: Any  # of the game's own type
    status: Status
    guild: int | None
    """The server that it belongs to; None for a solo match."""

    channel: int | None
    """Where its table is; None for a solo match, which has only a hand."""

    wanted: int
    """Players in all; where there are fewer places, the others are open to anybody."""

    time_control: TimeControl
    tap: bool
    """Whether hands are buttons on the table."""

    step: int
    turn: int
    due_at: int | None
    """When the clock acts, in seconds since 1970: an expiry, a deadline, the end of silence."""

    paused: bool  # by agreement or because its place is gone: see `paused_why`
    late: tuple[Seat, ...]
    """The seats for which the clock made a move in the last step."""

    ending: Ending | None
    places: tuple[Place, ...]
    view: Any  # of the game's own type; None until the deal
    awaiting: frozenset[Seat]
    chosen: frozenset[Seat]
    """Who has chosen in this step; never what."""

    outcome: Outcome | None
    commitment: str | None
    """SHA-256 of the seed, published when the match begins."""

    seed: str | None
    """Secret until the match is over, so None until then."""

    begun_at: int | None = field(default=None, compare=False)
    """In seconds since 1970; None until the match begins."""

    revision: int = field(default=0, compare=False)
    """How often what can be seen of the match had changed."""

    closes_at: int | None = None
    """When silence closes it, as its players were told; None again once it is not to be closed."""

    paused_why: PauseReason | None = None
    remark: Remark | None = None
    """What happened besides moves since the last step."""

    taken_back: bool = False
    """Whether a step was taken back, so that its result is not rated, whatever the stakes."""

    counts_at: int | None = None
    """When the result of a match that ended because time ran out counts; until then its players can
    resume it, and nothing is told of it that was secret."""

    resumable: bool = field(default=True, compare=False)
    """Whether they are offered that, which is looked up when a message is made."""

    predecessor: MatchId | None = None
    """The match that this one is a rematch of."""

    rated: bool = True
    """Whether it counts for ratings, unless a step was taken back."""

    limited: bool = False
    """Whether it would be rated, but its players had begun too many such matches that day."""

    @property
    def own(self) -> Place | None:
        """The seat of the player for whom this was made; None where it was made for everybody."""
        return None

    @property
    def owes(self) -> bool:
        """Whether that player has a move to choose and has not chosen it."""
        return False

    @property
    def is_solo(self) -> bool:
        """Whether it belongs to no server: one person plays computers, wherever they are."""
        return self.guild is None

    @property
    def is_solitary(self) -> bool:
        """Whether one person plays with computers only, or with those of them who are left."""
        playing = [place.computer for place in self.places if not place.left]
        return len(playing) > 1 and playing.count(None) == 1

    @property
    def has_computer(self) -> bool:
        """Whether a computer has a seat, also one that it has lost."""
        return any(place.computer is not None for place in self.places)

    @property
    def deadline(self) -> int | None:
        """When time first runs out for somebody who owes a move; None where no clock runs."""
        if self.time_control == "none" or self.paused or not self.awaiting:
            return None
        return min(self._deadlines(), default=self.due_at)

    def _deadlines(self) -> list[int]:
        return _of_all(self.places)

    @property
    def is_unfinished(self) -> bool:
        """Whether it waits for players or is played, if only after a pause."""
        return self.status in {"open", "running"}

    @property
    def rests(self) -> bool:
        """Whether its players have agreed to a pause, and it goes on."""
        return self.status == "running" and self.paused_why == "agreed"

    @property
    def stage(self) -> str:
        """Where the match stands: how the key begins. What follows it is a detail."""
        gone = "".join(str(i) for i, place in enumerate(self.places) if place.left)
        lost = f"-paused{self.due_at or ''}" if self.paused else ""  # until it is closed
        paused = "-rests" if self.rests else lost
        held = "" if self.counts_at is None else f"-held{self.counts_at}"
        again = f"~{self.turn}" if self.taken_back else ""  # as many steps are made once more
        return f"{self.status}{paused}{held}.{self.step}{again}.{gone}"

    def _said(self) -> str:
        """What the players offer and signal, as part of the key."""
        places = list(enumerate(self.places))
        agreed = [f".{i}{place.agrees}" for i, place in places if place.agrees is not None]
        signals = [f".{i}>{place.signal}" for i, place in places if place.signal is not None]
        return "".join(agreed + signals)

    def _clock(self, strikes: int = 0) -> str:
        """What is said of time, as part of the key."""
        late = "".join(map(str, self.late))
        said = (self.deadline or "", late, strikes or "")
        usual = "@" + ".".join(map(str, said)) if any(said) else ""
        return usual + self._time_off()

    def _time_off(self) -> str:
        """What is said of vacations, reserves and pauses, as part of the key."""
        parts = [
            f"{i}:{place.away_until or ''}/{place.reserve}{'!' if place.uses_reserve else ''}"
            for i, place in enumerate(self.places)
            if place.away_until is not None or place.reserve is not None
        ]
        return "".join(f"~{part}" for part in [*parts, *([self.remark] if self.remark else [])])


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSnapshot(MatchSnapshot):
    """A match as everybody may know it: what the table shows."""

    @property
    def key(self) -> str:
        """What this snapshot shows, as short text: equal keys need no new message."""
        if self.view is None:
            expiry = f"@{self.due_at}" if self.status == "open" else ""
            return f"{self.stage}.{_seated(self.places)}{expiry}"
        chosen = "".join(map(str, sorted(self.chosen)))
        return f"{self.stage}.{chosen}{self._said()}{self._clock()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSnapshot(MatchSnapshot):
    """A match as one of its players may know it: what that player's hand shows."""

    seat: Seat
    choice: Any  # the player's own move of this step, None if there is none
    legal: tuple[Any, ...]
    """The moves the player may choose from now."""

    desk: DeskPlace | None = None
    """Where the player has chosen to have the hand; None leaves it to the owner of the bot."""

    words: bool = False
    """Whether the player wants words in place of pictures."""

    plays_here: bool | None = None
    """Whether the player chooses with My hand or by taps, as in `SeatRecord`."""

    told: Telling | None = None
    """What the hand last came to tell by direct message; it may hold no more."""

    def _deadlines(self) -> list[int]:
        """The player's own, if a move is owed: others may have more time or less."""
        own = self.own.deadline
        return _of_all(self.places) if own is None else [own]

    @property
    def own(self) -> Place:
        return self.places[self.seat]

    @property
    def owes(self) -> bool:
        return self.seat in self.awaiting and self.seat not in self.chosen

    @property
    def key(self) -> str:
        """What this snapshot shows, as short text: equal keys need no new message.

        The player's own choice is part of it, so a key is as secret as the hand is.
        """
        choice = "" if self.choice is None else self.choice
        said = self._said()
        words = ".words" if self.words else ""
        clock = self._clock(self.own.strikes)
        return f"{self.stage}.{choice}{said}{words}{clock}{self._told()}"

    def _told(self) -> str:
        """What it has come to tell, as part of the key; of silence also when that ends it."""
        if self.told is None:
            return ""
        closes = self.closes_at if self.told.event == "time" else None
        return f"!{self.told.notice}" + ("" if closes is None else f".{closes}")


Snapshot = PublicSnapshot | SeatSnapshot
"""What one onlooker may know, who may be a player or not."""


def _of_all(places: tuple[Place, ...]) -> list[int]:
    return [place.deadline for place in places if place.deadline is not None]


def _seated(places: tuple[Place, ...]) -> str:
    """Who has taken a seat before the deal, short and without anybody's id: keys are kept."""
    seated = " ".join(
        f"{place.computer or place.user}{'+' if place.accepted else '?'}" for place in places
    )
    return sha256(seated.encode()).hexdigest()[:12]
