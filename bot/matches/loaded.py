"""A match with its decoded state and secrets. Only snapshots of it leave this package."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final

import structlog

from bot import codec
from bot.errors import (
    CorruptRecordError,
    NoSuchMatchError,
    NotSeatedError,
    PausedError,
    TooLateError,
)
from bot.matches import clocks, rated_quota, state_upgrades
from bot.matches.snapshots import PublicSnapshot, SeatInfo, SeatSnapshot, Snapshot
from bot.storage import MatchRecord, SeatRecord, Telling, Why
from games import GAMES, AnyGame, Outcome, Seat

log = structlog.get_logger()

OVER = "That match is over."
NO_MATCH = (
    "This match no longer exists, so its buttons don't work. Start a new one with a `play` command."
)
NOT_HERE = "No match with that number is being played in this server. Pick one from the list."
PAUSED = (
    "This match is paused: I lost access to its channel. Any player can resume it with `/resume` "
    "in a channel of its server that I can use."
)
RESTING = (
    "This match is paused, and its clock is stopped. Any of its players can press **Resume** at "
    "the table."
)
NOT_PLAYING = "This person isn't playing in this match."
ROUND_OVER = "That round is over. What you see now is the current one."
ROUND_OVER_HERE = "That round is over. The table shows the current one."
"""For a tap at the table, because the player may have no hand open."""

LEFT: Final[Mapping[Why, str]] = MappingProxyType(
    {
        "resigned": "You resigned. You can follow the match at its table.",
        "time": "You ran out of time and lost your seat. You can watch the match at its table.",
        "unseated": "A moderator removed you from this match. You can watch it at its table.",
    }
)
"""The refusals for players who have left a running match, by how they left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedMatch:
    record: MatchRecord
    game: AnyGame
    options: Any  # of the game's own type
    state: Any  # of the game's own type; None until the deal
    choices: Mapping[Seat, Any]

    @property
    def awaiting(self) -> frozenset[Seat]:
        """The seats that owe a move in this step; empty unless the match is running."""
        if self.record.status != "running":
            return frozenset()
        return self.game.awaiting(self.state)

    @property
    def owing(self) -> frozenset[Seat]:
        """The awaited seats that haven't chosen their move."""
        return self.awaiting - set(self.choices)

    @property
    def outcome(self) -> Outcome | None:
        """The result of a match that is over; None for any other."""
        if self.record.status != "over":
            return None
        if self.record.ending:
            return agreed_draw([seat.left for seat in self.record.seats])
        return self.game.outcome(self.state)

    def with_seat(self, number: Seat, seat: SeatRecord) -> "LoadedMatch":
        """A copy in which the seat with this number is replaced."""
        return replace(self, record=self.record.with_seat(number, seat))

    def snapshot_of(self, user: int) -> Snapshot:
        """The match as this user may know it: as its player, or as everyone.

        Raises NotSeatedError for somebody else's solo match, which has no spectators.
        """
        for i, seat in enumerate(self.record.seats):
            if seat.user == user:
                return self.for_seat(Seat(i))
        if self.record.guild is None:
            raise NotSeatedError(
                "This match is someone else's. Start your own with a `play` command."
            )
        return self.public()

    def public(self) -> PublicSnapshot:
        """The match as everyone may know it."""
        return PublicSnapshot(**self._facts(self.awaiting), view=self._view(None))

    def for_seat(self, seat: Seat) -> SeatSnapshot:
        """The match as the player of this seat may know it."""
        awaiting, seat_record = self.awaiting, self.record.seats[seat]
        awaited = seat in awaiting
        return SeatSnapshot(
            **self._facts(awaiting),
            view=self._view(seat),
            seat=seat,
            choice=self.choices.get(seat) if awaited else None,
            legal=tuple(self.game.legal_moves(self.state, seat)) if awaited else (),
            desk=seat_record.desk,
            words=seat_record.words,
            plays_here=seat_record.plays_here,
            told=_telling(seat_record),
        )

    def _view(self, seat: Seat | None) -> Any:  # noqa: ANN401 - of the game's own type
        """A seat's view, or a spectator's for None; None before the deal.

        After an end that the rules don't know of (an agreement, a moderator), the game still awaits
        moves, so `awaiting` is emptied here.
        """
        if self.state is None:
            return None
        view = self.game.observe(self.state, seat)
        stopped = self.record.status != "running" and self.game.awaiting(self.state)
        return replace(view, awaiting=()) if stopped else view

    def _facts(self, awaiting: frozenset[Seat]) -> dict[str, Any]:
        """The fields of a `MatchSnapshot`, except the view, which differs by onlooker."""
        record = self.record
        ended = record.status in {"over", "closed"}
        casual = record.status == "open" and record.rated and record.limited
        return {
            "match": record.id,
            "game": record.game,
            "options": self.options,
            "status": record.status,
            "guild": record.guild,
            "channel": record.channel,
            "wanted": record.wanted,
            "time_control": record.time_control,
            "tap": record.tap,
            "rated": record.rated,
            "limited": record.limited,
            "casual_until": rated_quota.next_day(record.opened_at) if casual else None,
            "taken_back": record.taken_back,
            "step": record.step,
            "revision": record.revision,
            "turn": record.turn,
            "opened_at": record.opened_at,
            "begun_at": record.begun_at,
            "due_at": record.due_at,
            "closes_at": record.closes_at if record.closes_at == record.due_at else None,
            "paused_why": record.paused_why,
            "remark": record.remark,
            "late": record.late,
            "ending": record.ending,
            "seats": self._seat_infos(awaiting - set(self.choices)),
            "awaiting": awaiting,
            "chosen": frozenset(self.choices),
            "outcome": self.outcome,
            "commitment": None if record.seed is None else commitment_of(record.seed),
            "seed": record.seed if ended and record.counts_at is None else None,
            "counts_at": record.counts_at if ended else None,
            "predecessor": record.predecessor,
        }

    def _seat_infos(self, owing: frozenset[Seat]) -> tuple[SeatInfo, ...]:
        seats = enumerate(self.record.seats)
        return tuple(self._seat_info(Seat(i), seat, owes=i in owing) for i, seat in seats)

    def _seat_info(self, number: Seat, seat: SeatRecord, *, owes: bool) -> SeatInfo:
        record = self.record
        has_clock = owes and record.deadline is not None and not record.paused
        move_end = clocks.move_deadline(record, number) if has_clock else None
        return SeatInfo(
            user=seat.user,
            accepted=seat.accepted,
            left=seat.left is not None,
            left_why=seat.left_why,
            agrees=seat.agrees,
            signal=seat.signal,
            strikes=seat.strikes,
            invited=self.record.state is None and seat.invited,
            change=seat.change,
            computer=seat.computer,
            deadline=clocks.final_deadline(record, number) if has_clock else None,
            move_deadline=None if seat.reserve is None else move_end,
            reserve=seat.reserve,
            uses_reserve=move_end is not None and (record.due_at or 0) > move_end,
            away_until=seat.away_until,
        )


def load_match(record: MatchRecord | None) -> LoadedMatch:
    """Decode a record; raises CorruptRecordError if it is damaged, NoSuchMatchError for None."""
    if record is None:
        raise NoSuchMatchError(NO_MATCH)
    try:
        game = GAMES[record.game]
        choices = {seat: game.parse(text) for seat, text in record.choices.items()}
    except (KeyError, ValueError):
        raise CorruptRecordError(f"match {record.id} has an unknown game or move") from None
    state = None
    if record.state is not None and record.schema is not None and record.seed is not None:
        upgraded = state_upgrades.upgrade(record.game, record.schema, record.state)
        state = codec.decode(game.state, upgraded)
    elif record.status in {"running", "over", "closed"}:
        raise CorruptRecordError(f"match {record.id} is {record.status} and was never dealt")
    options = codec.decode(game.options, record.options)
    return LoadedMatch(record=record, game=game, options=options, state=state, choices=choices)


def load_readable(record: MatchRecord | None) -> LoadedMatch | None:
    """As `load_match`, but a damaged record is logged and gives None, so others can still load."""
    try:
        return load_match(record)
    except CorruptRecordError as error:
        log.warning("corrupt record", match=record and record.id, problem=str(error))
        return None


def load_open(record: MatchRecord | None) -> LoadedMatch:
    """A challenge that can still be answered; raises TooLateError for any other match."""
    found = load_match(record)
    match found.record.status:
        case "open":
            return found
        case "running":
            raise TooLateError(
                "This challenge was accepted, and the match has started. `/watch` leads there."
            )
        case "over" | "closed":
            raise TooLateError(
                "This challenge was accepted, and its match is over. Start your own with a `play` "
                "command."
            )
        case "declined":
            raise TooLateError(
                "This challenge was declined. Start a new one with a `play` command."
            )
        case "withdrawn":
            raise TooLateError(
                "This challenge was withdrawn. Start a new one with a `play` command."
            )
        case "expired":
            raise TooLateError("This challenge has expired. Start a new one with a `play` command.")


def load_running(record: MatchRecord | None, *, may_rest: bool = False) -> LoadedMatch:
    """A running match; raises TooLateError for any other, PausedError while it is paused.

    With `may_rest`, a match that is paused by agreement is returned as well.
    """
    found = load_match(record)
    must_run(found.record)
    rests = found.record.paused_why == "agreed"
    if found.record.paused and not (may_rest and rests):
        raise PausedError(why_paused(found.record))
    return found


def load_in(guild: int, record: MatchRecord | None) -> LoadedMatch | None:
    """A running match of this server, paused or not; None if the server has no such match.

    Raises TooLateError if the match isn't running.
    """
    if record is None or record.guild != guild:
        return None
    must_run(record)
    return load_match(record)


def must_run(record: MatchRecord) -> None:
    """Raise TooLateError unless this match is running, paused or not."""
    match record.status:
        case "running":
            return
        case "open":
            raise TooLateError(
                "This match hasn't started yet: someone still has to accept. Wait for them."
            )
        case "over" | "closed":
            raise TooLateError(OVER)
        case "declined" | "withdrawn" | "expired":
            raise TooLateError(
                "This match never started: its challenge was declined or withdrawn, or expired."
            )


def why_paused(record: MatchRecord) -> str:
    """Why nobody can move in a paused match, and what players can do about it."""
    return RESTING if record.paused_why == "agreed" else PAUSED


def seat_of(found: LoadedMatch, user: int, refusal: str = NOT_PLAYING) -> Seat:
    """The seat of a user; raises NotSeatedError with the `refusal` if they have none."""
    for i, seat in enumerate(found.record.seats):
        if seat.user == user:
            return Seat(i)
    raise NotSeatedError(refusal)


def playing_seat_of(found: LoadedMatch, user: int, refusal: str) -> Seat:
    """The seat of a user who still plays; raises NotSeatedError if they have left or have none."""
    seat = seat_of(found, user, refusal)
    seat_record = found.record.seats[seat]
    if seat_record.left is not None:
        raise NotSeatedError(LEFT[seat_record.left_why or "resigned"])
    return seat


def agreed_draw(left: Sequence[int | None]) -> Outcome:
    """The result when all remaining players agree to a draw; the later a seat left, the better.

    `left` has each seat's number in the order of leaving, from 1, or None if it still plays. The
    scores are zeros, whatever the table shows, so nobody is shown them.
    """
    playing = sum(order is None for order in left)
    last = len(left) + 1
    return Outcome(
        ranks=tuple(1 if order is None else last - order for order in left),
        scores=(0,) * len(left),
        reason="a draw was agreed" if playing > 1 else "nobody else plays any more",
    )


def commitment_of(seed: str) -> str:
    """The SHA-256 of a seed, in hex; published at the start, so that the seed can't be changed."""
    return sha256(seed.encode()).hexdigest()


def _telling(seat: SeatRecord) -> Telling | None:
    if seat.told is None or seat.told_event is None:
        return None
    return Telling(
        notice=seat.told, event=seat.told_event, turn=seat.told_turn or 0, by=seat.told_by
    )
