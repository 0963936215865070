"""What storage hands out and takes: frozen rows, ids and texts, nothing decoded."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NewType

from bot.text import message_link
from games.core import Seat

MatchId = NewType("MatchId", int)

Status = Literal["open", "running", "over", "declined", "withdrawn", "expired", "closed"]
"""`over` has a result; `closed` was begun and ended without one."""

DeskPlace = Literal["dm", "here"]
"""Where a hand is: by direct message, or only beside the table."""

TimeControl = Literal["live", "today", "today_reserve", "slow", "slow_reserve", "relaxed", "none"]

How = Literal["chosen", "forced", "time", "computer"]
"""Who made a move: the player, the rules (it was the only one), the clock, or a computer."""

Why = Literal["resigned", "time", "unseated"]
"""How a seat came to leave: by itself, by two deadlines missed in a row, by a moderator."""

Ending = Literal["draw", "call_off", "silence", "absence", "moderator"]
"""What ended a match other than its rules; `silence` is 30 days without a move, `absence` is two
deadlines in a row missed by everybody who still played."""

PauseReason = Literal["lost", "agreed"]
"""Why a match is paused: it has no place where it could be played, or its players agreed to it."""

Remark = Literal["resumed", "pause_over", "reopened", "taken_back"]
"""What happened besides moves since the last step: a pause was ended by a player or by the clock,
a match that had ended by time goes on, a step was taken back."""

Agreement = Literal[
    "draw", "call_off", "pause", "take_back", "rematch", "resume", "declined", "absent"
]
"""To what a seat agrees if all the others do; `declined` is to a challenge or the last offer,
`absent` is who could answer no challenge any more, having left its server."""

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
"""What people are told of; `bot/settings/notices.py` says of each what it is."""

Way = Literal["dm", "channel", "none"]
"""How somebody is told: by direct message, by a mention beside the table, or not at all."""

COMPUTER: Final = 0
"""As the user of a seat: a computer. People's ids are positive, former players' negative."""

TABLE: Final = -1
"""The place of the public message; a hand's is the number of its seat."""

POSTING: Final = "posting"
"""Shown by a table that answers a command, until it is known which message that is."""

PLAIN: Final = "plain"
"""Shown by a message that stands in Discord's older form, in which what notifies somebody is sent
before it is edited to what it is."""

ASTRAY: Final = " astray"
"""Ends the key that is shown after the end by what leads to where the table of the rematch stood
before it moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whereabouts:
    """Where a match is played and by whom, for somebody who wants to reach it."""

    guild: int
    status: Status
    channel: int
    """Of its table."""

    players: frozenset[int]
    """Who has a seat in it."""

    rated: bool
    """Whether its result is to change their ratings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMatch:
    """A challenge as it is first written."""

    interaction: int
    """The id of the interaction that made it: a challenge delivered twice is written once."""

    game: str
    options: str
    guild: int | None
    """The server that it belongs to; None for a solo match, which belongs to none."""

    channel: int | None
    """Where its table is; None for a solo match."""

    opener: int
    users: tuple[int, ...]
    """Who sits where, the opener first."""

    wanted: int
    """Players in all; those beyond `users` are open seats."""

    time_control: TimeControl
    tap: bool
    """Whether hands are buttons on the table."""

    due_at: int
    """When the challenge expires, in seconds since 1970."""

    predecessor: MatchId | None = None
    """The match that this one is a rematch of."""

    rated: bool = True
    """Whether it counts for ratings."""

    computers: tuple[str | None, ...] = ()
    """For each of `users` the level of the computer, None for a person; empty without computers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveRecord:
    text: str
    how: How
    made_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What a hand came to tell its player by direct message."""

    notice: int
    """The id of the notice."""

    event: Event
    turn: int
    """Of the match, in which it happened."""

    by: Seat | None
    """Who did it; None where nobody did who sits here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRecord:
    user: int
    accepted: bool
    left: int | None
    """1 for the seat that conceded first, 2 for the next; None while it plays."""

    left_why: Why | None = None
    left_step: int | None = None
    """How many steps had been played when it left."""

    strikes: int = 0
    """Turns in a row that the clock has played for it."""

    invited: bool = False
    """Whether the challenge named this player."""

    nudged_at: int | None = None
    agrees: Agreement | None = None
    wished: bool | None = None
    """Whether it has asked the others for a rematch, who are not told of that again."""

    signal: Seat | None = None
    """The seat that it publicly calls ahead."""

    change: "ChangeRecord | None" = None
    """What the result did to its rating."""

    desk: DeskPlace | None = None
    """Where its player has chosen to have the hand; None if they have not."""

    words: bool = False
    """Whether its player prefers words to pictures."""

    forced: bool | None = None
    """Whether its player's forced moves play themselves; None if they have not said so."""

    plays_here: bool | None = None
    """Whether its player chooses with My hand or by taps, so that no hand is sent to them. False
    once they have been away and it was brought; None before any of that."""

    told: int | None = None
    """The notice with which its hand last came by direct message, by its id; None without one."""

    told_event: Event | None = None
    told_turn: int | None = None
    """The turn of the match in which what it tells of happened."""

    told_by: Seat | None = None
    """Who did that; None where nobody did who sits here."""

    computer: str | None = None
    """The level of the computer that sits here; None for a person."""

    rested: int = 0
    """Seconds by which its clock is behind the others' in this turn: those it rests, and those that
    earlier steps of the turn took from the reserve."""

    reserve: int | None = None
    """Seconds left for moves that take longer than a move may; None without such a reserve."""

    away_until: int | None = None
    """When the vacation of its player ends, in seconds since 1970."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchRecord:
    id: MatchId
    game: str
    options: str
    status: Status
    guild: int | None
    """None for a solo match, which belongs to no server."""

    channel: int | None
    """Where its table is; None for a solo match, which has none."""

    opener: int
    wanted: int
    time_control: TimeControl
    tap: bool
    rated: bool
    """The stakes: a rematch has the same."""

    limited: bool
    """Whether it would be rated, but its players had begun too many such matches that day."""

    predecessor: MatchId | None
    seed: str | None
    schema: int | None
    state: str | None
    step: int
    turn: int
    """Steps of one seat in a row are one turn, and share its deadline."""

    late: tuple[Seat, ...]
    """The seats for which the clock made a move in the last step."""

    due_at: int | None
    """When the clock looks at it, in seconds since 1970: not later than any time is up."""

    begun_at: int | None
    ending: Ending | None
    revision: int
    """How many transactions have changed what can be seen of the match, up to what is said here."""

    seats: tuple[SeatRecord, ...]
    choices: Mapping[Seat, str]
    """What each seat has chosen in the present step, in the game's notation."""

    by_clock: frozenset[Seat] = frozenset()
    """The seats for which the clock has made these choices."""

    deadline: int | None = None
    """Of this turn, for seats that have neither rested nor a reserve; None without a clock."""

    closes_at: int | None = None  # when silence ends it, as its players were told
    paused_at: int | None = None
    paused_why: PauseReason | None = None
    remark: Remark | None = None
    counts_at: int | None = None
    """When a result by time begins to count; until then its players can resume the match."""

    taken_back: bool = False
    """Whether a step was taken back, so that its result is not rated, whatever the stakes."""

    @property
    def paused(self) -> bool:
        return self.paused_at is not None

    def with_seat(self, number: Seat, seat: SeatRecord) -> "MatchRecord":
        """The same with this seat in place of the one that has this number."""
        return replace(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    @property
    def people(self) -> list[int]:
        """Who sits here, computers left out."""
        return [seat.user for seat in self.seats if seat.computer is None]

    @property
    def computers(self) -> frozenset[Seat]:
        """The seats of computers."""
        return frozenset(Seat(i) for i, s in enumerate(self.seats) if s.computer is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRef:
    """A message that shows a match: the table or a hand."""

    channel: int
    message: int
    shown: str
    turn: int = 0
    """In which the message was sent."""

    revision: int = 0
    """Of the match as the message shows it; 0 where that is not known, so it may be behind."""

    leftover: int | None = None
    """The message in whose place it stands, in the same channel, until that is deleted."""

    coming: bool = False
    """Whether a new message is being sent in place of this one, or has been."""

    unshown: bool = False
    """Whether `shown` says how the match ended, and the table does not: it was out of reach."""


@dataclass(frozen=True, slots=True)
class TokenRecord:
    """What a message can be edited by for some minutes; a secret."""

    value: str = field(repr=False)
    until: int
    """Seconds since 1970."""

    message: int | None = None
    """The follow-up that it edits; None: the message of the interaction itself."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands in a message."""

    key: str
    revision: int = 0
    """As in `MessageRef`."""

    token: TokenRecord | None = None
    unshown: bool = False
    """As in `MessageRef`."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a message stands."""

    channel: int
    message: int

    def url(self, guild: int | None) -> str:
        """The way there, in this server; None for direct messages."""
        return message_link(guild, self.channel, self.message)


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
    computer: str | None = None
    """The level of the computer that sat there; None for a person."""


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
    """What a rated match did to somebody's rating."""

    before: int
    after: int
    nth: int
    """How many rated matches of this game the player has finished in this server, with this one."""
