"""Snapshots: what leaves this package of a match. They hold a view, never a state.

What everyone may know and what one seat may know are two types. A function that draws the table
takes a `PublicSnapshot`, so that a table that shows somebody's choice doesn't type-check.
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
class SeatInfo:
    """A seat and its player, as everyone may know them."""

    user: int
    accepted: bool
    left: bool
    left_why: Why | None = None
    agrees: Agreement | None = None
    """What this player has agreed to, if all the others agree."""

    signal: Seat | None = None
    """The seat that this player publicly calls ahead, in games with signals."""

    strikes: int = 0
    """Turns in a row that the clock has played for this player."""

    invited: bool = False
    """Before the deal: whether the challenger named this player."""

    change: ChangeRecord | None = None
    """What the result did to this player's rating."""

    computer: str | None = None
    """The level of the computer that sits here; None for a person."""

    deadline: int | None = None
    """When all its time is up, reserve included; None if it owes no move or no clock runs."""

    move_deadline: int | None = None
    """When its reserve starts to run; None if it owes no move or has no reserve."""

    reserve: int | None = None
    """Seconds left in its reserve; None if the match has no reserves."""

    uses_reserve: bool = False
    """Whether its reserve is running now."""

    away_until: int | None = None
    """When this player's vacation ends; None if they aren't on one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchSnapshot:
    """What all snapshots of a match have. Times are Unix times, in seconds.

    No field holds a secret except the view, which is made for the receiver of the snapshot.
    """

    match: MatchId
    game: str
    options: Any  # of the game's own type
    status: Status
    guild: int | None
    """The server; None for a solo match."""

    channel: int | None
    """The channel of its table; None for a solo match, which has only a hand."""

    wanted: int
    """Number of players; if `seats` has fewer, the others are open."""

    time_control: TimeControl
    tap: bool
    """Whether hands are buttons on the table."""

    step: int
    turn: int
    due_at: int | None
    """When the clock acts next: at an expiry, a deadline, or the end of silence."""

    late: tuple[Seat, ...]
    """The seats for which the clock chose a move in the last step."""

    ending: Ending | None
    seats: tuple[SeatInfo, ...]
    view: Any  # of the game's own type; None until the deal
    awaiting: frozenset[Seat]
    chosen: frozenset[Seat]
    """The seats that have chosen in this step; never what."""

    outcome: Outcome | None
    commitment: str | None
    """SHA-256 of the seed, published when the match starts."""

    seed: str | None
    """None until the match has ended for good, because it is secret until then."""

    opened_at: int = field(default=0, compare=False)
    begun_at: int | None = field(default=None, compare=False)
    """None until the match starts."""

    revision: int = field(default=0, compare=False)
    """How often what can be seen of the match has changed."""

    closes_at: int | None = None
    """When silence will close it, if its players were told and nothing has happened since."""

    paused_why: PauseReason | None = None
    remark: Remark | None = None
    """What happened besides moves since the last step."""

    taken_back: bool = False
    """Whether a step was taken back, so that its result isn't rated even if `rated`."""

    counts_at: int | None = None
    """When a held result counts, after the match ended because time ran out; until then its players
    can resume it, and its secrets stay secret. None if no result is held."""

    resumable: bool = field(default=True, compare=False)
    """Whether its players can still ask to resume it; looked up when a message is made."""

    predecessor: MatchId | None = None
    """The match that this one is a rematch of."""

    rated: bool = True
    """Whether it counts for ratings, unless a step was taken back."""

    limited: bool = False
    """Whether it would be rated if its players hadn't reached the day's limit of rated matches."""

    casual_until: int | None = None
    """Until when a challenge would begin casual, though `rated`, because its players had reached
    the limit of the day on which it was opened; None for all others."""

    @property
    def own(self) -> SeatInfo | None:
        """The seat of the player for whom this snapshot was made; None if made for everyone."""
        return None

    @property
    def owes(self) -> bool:
        """Whether that player owes a move and hasn't chosen it."""
        return False

    @property
    def open_seats(self) -> int:
        """The number of seats that have no player, in a challenge or when one ended."""
        return self.wanted - len(self.seats)

    @property
    def is_solo(self) -> bool:
        """Whether it belongs to no server: a match of one person against computers."""
        return self.guild is None

    @property
    def is_alone_with_computers(self) -> bool:
        """Whether the players who haven't left are one person and at least one computer."""
        playing = [info.computer for info in self.seats if not info.left]
        return len(playing) > 1 and playing.count(None) == 1

    @property
    def has_computer(self) -> bool:
        """Whether one of the players is a computer, even one that has left."""
        return any(info.computer is not None for info in self.seats)

    @property
    def deadline(self) -> int | None:
        """When time runs out for the first player who owes a move; None if no clock runs.

        For a player who owes one, it's their own: others may have more time or less.
        """
        if self.time_control == "none" or self.paused or not self.awaiting:
            return None
        if self.own is not None and self.own.deadline is not None:
            return self.own.deadline
        deadlines = (info.deadline for info in self.seats if info.deadline is not None)
        return min(deadlines, default=self.due_at)

    @property
    def is_unfinished(self) -> bool:
        """Whether it is an open challenge or a running match, paused or not."""
        return self.status in {"open", "running"}

    @property
    def paused(self) -> bool:
        """Whether it is paused, by agreement or because its channel is lost."""
        return self.paused_why is not None

    @property
    def is_lost(self) -> bool:
        """Whether it is a running match that is paused because its channel is lost."""
        return self.status == "running" and self.paused_why == "lost"

    @property
    def rests(self) -> bool:
        """Whether it is a running match that is paused by agreement."""
        return self.status == "running" and self.paused_why == "agreed"

    @property
    def stage(self) -> str:
        """The start of the key: status, pause, held result, step and departures; then details.

        In a match in play, departures say who was deleted: names change then, maybe long after
        somebody has left. Deletion takes care of ended matches in its own way.
        """
        plays = self.status == "running"
        gone = "".join(
            f"{i}{'-' if plays and info.user < 0 else ''}"
            for i, info in enumerate(self.seats)
            if info.left
        )
        lost = f"-paused{self.due_at or ''}" if self.paused else ""  # until silence closes it
        paused = "-rests" if self.rests else lost
        held = "" if self.counts_at is None else f"-held{self.counts_at}"
        again = f"~{self.turn}" if self.taken_back else ""  # step numbers come again
        return f"{self.status}{paused}{held}.{self.step}{again}.{gone}"

    def _agreements_key(self) -> str:
        """The players' agreements and signals, as part of the key."""
        seats = list(enumerate(self.seats))
        agreed = [f".{i}{info.agrees}" for i, info in seats if info.agrees is not None]
        signals = [f".{i}>{info.signal}" for i, info in seats if info.signal is not None]
        return "".join(agreed + signals)

    def _clock_key(self, strikes: int = 0) -> str:
        """What is shown about time, vacations, reserves and pauses, as part of the key."""
        late = "".join(map(str, self.late))
        shown = (self.deadline or "", late, strikes or "")
        basic = "@" + ".".join(map(str, shown)) if any(shown) else ""
        closes = "" if self.closes_at is None else f"%{self.closes_at}"
        time_off = [
            f"~{i}:{info.away_until or ''}/{info.reserve}{'!' if info.uses_reserve else ''}"
            for i, info in enumerate(self.seats)
            if info.away_until is not None or info.reserve is not None
        ]
        remark = f"~{self.remark}" if self.remark else ""
        return "".join([basic, closes, *time_off, remark])


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicSnapshot(MatchSnapshot):
    """A match as everyone may know it: what the table shows."""

    @property
    def key(self) -> str:
        """What this snapshot shows, as short text; a message with an equal key needs no edit."""
        if self.view is None:
            expiry = f"@{self.due_at}" if self.status == "open" else ""
            return f"{self.stage}.{_seating_digest(self.seats)}{expiry}"
        chosen = "".join(map(str, sorted(self.chosen)))
        return f"{self.stage}.{chosen}{self._agreements_key()}{self._clock_key()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSnapshot(MatchSnapshot):
    """A match as one of its players may know it: what that player's hand shows."""

    seat: Seat
    choice: Any  # the player's own move of this step, None if there is none
    legal: tuple[Any, ...]
    """The moves that the player can choose from now."""

    desk: DeskPlace | None = None
    """Where the player wants the hand; None leaves it to the bot's owner."""

    words: bool = False
    """Whether the player wants words instead of pictures."""

    plays_here: bool | None = None
    """Whether the player chooses with My hand or by taps, as in `SeatRecord`."""

    told: Telling | None = None
    """Why the hand was last sent by direct message, even if that no longer holds."""

    @property
    def own(self) -> SeatInfo:
        return self.seats[self.seat]

    @property
    def owes(self) -> bool:
        return self.seat in self.awaiting and self.seat not in self.chosen

    @property
    def key(self) -> str:
        """What this snapshot shows, as short text; a message with an equal key needs no edit.

        The player's choice is part of it, so the key is as secret as the hand.
        """
        choice = "" if self.choice is None else self.choice
        said = self._agreements_key()
        words = ".words" if self.words else ""
        clock = self._clock_key(self.own.strikes)
        told = "" if self.told is None else f"!{self.told.notice}"  # what the hand reports
        return f"{self.stage}.{choice}{said}{words}{clock}{told}"


Snapshot = PublicSnapshot | SeatSnapshot
"""A match as one person may know it, player or not."""


def _seating_digest(seats: tuple[SeatInfo, ...]) -> str:
    """Who sits where before the deal, as a digest: keys are stored and must contain no ids."""
    seated = " ".join(
        f"{info.computer or info.user}{'+' if info.accepted else '?'}" for info in seats
    )
    return sha256(seated.encode()).hexdigest()[:12]
