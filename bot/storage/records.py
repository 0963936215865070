"""The records that storage returns and accepts: frozen rows with ids and texts, nothing decoded."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NewType

from bot.text import discord_link
from games.core import Seat

MatchId = NewType("MatchId", int)

Status = Literal["open", "running", "over", "declined", "withdrawn", "expired", "closed"]
"""`over` has a result; `closed` ended without one after it had begun."""

DeskPlace = Literal["dm", "here"]
"""Where a hand is shown: by direct message, or only with **My hand** at the table."""

TimeControl = Literal["live", "today", "today_reserve", "slow", "slow_reserve", "relaxed", "none"]

How = Literal["chosen", "forced", "time", "computer"]
"""Who made a move: the player, the rules (it was the only legal move), the clock, or a computer."""

Why = Literal["resigned", "time", "unseated"]
"""Why a seat left: it resigned, missed two deadlines in a row, or was removed by a moderator."""

Ending = Literal["draw", "call_off", "silence", "absence", "moderator"]
"""What ended a match other than its rules. `silence`: no move for 30 days; `absence`: every
remaining player missed two deadlines in a row."""

PauseReason = Literal["lost", "agreed"]
"""Why a match is paused: its channel or server is gone, or its players agreed to a pause."""

Remark = Literal["resumed", "pause_over", "reopened", "taken_back"]
"""What happened since the last step besides moves: a player or the clock ended a pause, a match
that time had ended was resumed, or a step was taken back."""

Agreement = Literal[
    "draw", "call_off", "pause", "take_back", "rematch", "resume", "declined", "absent"
]
"""What a seat agrees to if all others do. `declined`: refuses a challenge or the last offer;
`absent`: left the server before answering the challenge."""

Event = Literal[
    "turn",
    "time",
    "last",
    "back",
    "nudged",
    "challenged",
    "accepted",
    "declined",
    "expired",
    "offered",
    "rematch",
    "lost",
    "out",
    "over",
    "watched",
]
"""What people are notified of; `bot/settings/notices.py` describes each event."""

Way = Literal["dm", "channel", "none"]
"""How a person is notified: by direct message, by a mention at the table, or not at all."""

COMPUTER: Final = 0
"""The `user` of a computer's seat. People's ids are positive, former players' negative."""

TABLE: Final = -1
"""The `place` of the public message. A hand's place is its seat number."""

SHOWN_POSTING: Final = "posting"
"""The `shown` of a table that is sent as the answer to a command, until its message id is known."""

SHOWN_PLAIN: Final = "plain"
"""The `shown` of a message that still has Discord's older format, text without components: what
notifies somebody is sent like that, then edited."""

OUTDATED_LINK: Final = " astray"
"""Ends the `shown` key of a message that links to where a rematch's table was before it moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchAccessRecord:
    """Where a match is played and by whom, to decide who may open it."""

    guild: int | None
    """None for a solo match."""

    status: Status
    channel: int | None
    """The channel of its table; None for a solo match."""

    players: frozenset[int]
    """The users of its seats; `COMPUTER` for computers."""

    rated: bool
    """Whether its result will change ratings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatch:
    """A challenge as it is first stored."""

    interaction: int
    """The interaction that made it: a challenge that is delivered twice is stored once."""

    game: str
    options: str
    guild: int | None
    """None for a solo match."""

    channel: int | None
    """The channel of its table; None for a solo match."""

    opener: int
    users: tuple[int, ...]
    """The user of each seat, the opener first."""

    wanted: int
    """The number of players; those beyond `users` are open seats."""

    time_control: TimeControl
    tap: bool
    """Whether hands are buttons on the table."""

    due_at: int
    """When the challenge expires (Unix time)."""

    predecessor: MatchId | None = None
    """The match that this one is a rematch of."""

    rated: bool = True
    """Whether its result changes ratings."""

    computers: tuple[str | None, ...] = ()
    """The level of the computer for each of `users`, None for a person; empty without computers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveRecord:
    text: str
    how: How
    made_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """Why a hand was sent to its player by direct message, as the line above the hand says."""

    notice: int
    """The id of the notice."""

    event: Event
    turn: int
    """The match's turn when it happened."""

    by: Seat | None
    """The seat that did it; None if none of the seats did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRecord:
    user: int
    accepted: bool
    left: int | None
    """The order of leaving: 1 for the seat that conceded first; None while it plays."""

    left_why: Why | None = None
    left_step: int | None = None
    """How many steps had been resolved when it left."""

    strikes: int = 0
    """Consecutive turns that the clock has played for it."""

    invited: bool = False
    """Whether the challenge named this player."""

    nudged_at: int | None = None
    agrees: Agreement | None = None
    wished: bool | None = None
    """Whether it has asked for a rematch; the others are told of that only once."""

    signal: Seat | None = None
    """The seat it publicly calls ahead."""

    change: "ChangeRecord | None" = None
    """The result's effect on its rating."""

    desk: DeskPlace | None = None
    """Where its player wants the hand; None if they have not chosen."""

    words: bool = False
    """Whether its player wants words instead of pictures."""

    forced: bool | None = None
    """Whether its player's forced moves play themselves; None if they have not chosen."""

    plays_here: bool | None = None
    """Whether its player chooses with **My hand** or by taps, so is sent no hand. False after they
    were away and were sent it; None before any of that."""

    told: int | None = None
    """The id of the notice that its hand was last sent for by direct message; None without one."""

    told_event: Event | None = None
    told_turn: int | None = None
    """The match's turn when the event of that notice happened."""

    told_by: Seat | None = None
    """The seat that caused the event; None if none of the seats did."""

    computer: str | None = None
    """The level of the computer in this seat; None for a person."""

    rested: int = 0
    """Seconds added to the turn's deadline for this seat: what its clock rests, and what earlier
    steps of the turn took from its reserve."""

    reserve: int | None = None
    """Seconds left for moves that take longer than the time for a move; None without a reserve."""

    away_until: int | None = None
    """When its player's vacation ends (Unix time); None if they are not on vacation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    id: MatchId
    game: str
    options: str
    status: Status
    guild: int | None  # None for a solo match
    channel: int | None
    """The channel of its table; None for a solo match."""

    opener: int
    wanted: int
    time_control: TimeControl
    tap: bool
    rated: bool
    """Whether it was opened as rated; a rematch inherits this."""

    limited: bool
    """Whether it's casual only because of the daily limit of rated matches per pair of players; of
    a `rated` challenge, whether it would have been if begun on the day it was opened."""

    predecessor: MatchId | None
    seed: str | None
    schema: int | None
    state: str | None
    step: int
    turn: int
    """Consecutive steps of one seat are one turn, with one deadline."""

    late: tuple[Seat, ...]
    """The seats that the clock played for in the last step."""

    due_at: int | None
    """When the clock looks at it (Unix time): no later than the first time limit runs out."""

    opened_at: int
    begun_at: int | None
    ending: Ending | None
    revision: int
    """How many transactions have changed anything visible about the match, as of this record."""

    seats: tuple[SeatRecord, ...]
    choices: Mapping[Seat, str]
    """What each seat has chosen in the current step, in the game's notation."""

    by_clock: frozenset[Seat] = frozenset()
    """The seats of `choices` that the clock chose for."""

    deadline: int | None = None
    """The turn's deadline (Unix time) for a seat with no rest or reserve; None without a clock."""

    closes_at: int | None = None  # when silence ends it, as announced to its players
    paused_at: int | None = None
    paused_why: PauseReason | None = None
    remark: Remark | None = None
    counts_at: int | None = None
    """When a held result counts (Unix time); until then the players can resume the match."""

    taken_back: bool = False
    """Whether a step was taken back: the result then changes no ratings, even if `rated`."""

    @property
    def paused(self) -> bool:
        return self.paused_at is not None

    def with_seat(self, number: Seat, seat: SeatRecord) -> "MatchRecord":
        """A copy in which the seat with this number is replaced."""
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    @property
    def people(self) -> list[int]:
        """The users of the seats, without computers."""
        return [seat.user for seat in self.seats if seat.computer is None]

    @property
    def computers(self) -> frozenset[Seat]:
        return frozenset(Seat(i) for i, s in enumerate(self.seats) if s.computer is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRef:
    """A message that shows a match: the table, a hand or the signpost."""

    channel: int
    message: int
    shown: str
    turn: int = 0
    """The match's turn when the message was sent."""

    revision: int = 0
    """The match revision that the message shows; 0 if unknown, so that it may be behind."""

    leftover: int | None = None
    """The message it replaced, in the same channel, until that one is deleted."""

    coming: bool = False
    """Whether a message that replaces this one is being sent, or has been."""

    unshown: bool = False
    """Whether `shown` is the end of the match, but the message was out of reach and lacks it."""


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """An interaction token by which a message can be edited for some minutes; a secret."""

    value: str = field(repr=False)
    until: int
    """When it expires (Unix time)."""

    message: int | None = None
    """The id of the follow-up it edits; None for the interaction's original response."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a message shows."""

    key: str
    revision: int = 0
    """See `MessageRef`."""

    token: TokenRecord | None = None
    unshown: bool = False
    """See `MessageRef`."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a message is."""

    channel: int
    message: int

    def url(self, guild: int | None) -> str:
        """The link to the message in this server, or in direct messages for None."""
        return discord_link(guild, self.channel, self.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRecord:
    """The result of one seat in a finished match."""

    seat: Seat
    user: int
    rank: int
    score: int
    won: int
    drawn: int
    lost: int
    computer: str | None = None
    """The level of the computer in that seat; None for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedRecord:
    """A match that has just ended with a result."""

    match: MatchId
    guild: int | None
    """None for a solo match."""

    game: str
    rated: bool
    ended_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRecord:
    """A rated match's effect on one player's all-time rating."""

    before: int
    after: int
    nth: int
    """The player's number of rated matches of this game in this server, including this one."""
