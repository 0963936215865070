"""What storage hands out and takes: frozen rows, ids and texts, nothing decoded."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NewType

from games.core import Seat

MatchId = NewType("MatchId", int)

Status = Literal["open", "running", "over", "declined", "withdrawn"]

TABLE: Final = -1
"""The place of the public message; every other place is the number of a seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatch:
    """A challenge as it is first written."""

    interaction: int
    """The id of the interaction that made it: a challenge delivered twice is written once."""

    game: str
    options: str
    guild: int
    channel: int
    opener: int
    users: tuple[int, ...]
    """Who sits where, the opener first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRecord:
    user: int
    accepted: bool
    left: int | None
    """1 for the seat that conceded first, 2 for the next; None while it plays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    id: MatchId
    game: str
    options: str
    status: Status
    guild: int
    channel: int
    opener: int
    seed: str | None
    schema: int | None
    state: str | None
    step: int
    seats: tuple[SeatRecord, ...]
    choices: Mapping[Seat, str]
    """What each seat has chosen in the present step, in the game's notation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRecord:
    """A message that shows a match: the table or a desk."""

    channel: int
    message: int
    shown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRecord:
    """What one seat got out of a finished match."""

    seat: Seat
    user: int
    rank: int
    score: int
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingRecord:
    """A line of a server's leaderboard."""

    user: int
    place: int
    """From 1; equal results share a place."""

    won: int
    drawn: int
    lost: int
