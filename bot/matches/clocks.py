"""The clocks of a match, as pure functions over its record. Times are Unix times, in seconds.

A turn has one deadline. Each seat's own deadline is later, by its reserve and by `rested`: the
seconds for which its clock is stopped in this turn, up to the end of its player's vacation, and
the reserve it used in earlier steps of this turn. While a match is paused by agreement, `rested`
doesn't include the rest of a vacation; `resumed` adds it again.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from bot.matches.time_controls import MAX_PAUSE, MOVE, RESERVE, SILENCE, SILENCE_WARNING
from bot.storage import MatchRecord, Remark, SeatRecord
from games import Seat

RESUMED_PART: Final = 4
"""When a match resumes after a pause, a seat that owes a move has at least 1/RESUMED_PART of the
time for a move: one player may end the pause while the others sleep."""


def move_deadline(record: MatchRecord, seat: Seat) -> int | None:
    """When a seat's time for a move is up and its reserve starts to run; None without a clock."""
    if record.deadline is None:
        return None
    return record.deadline + record.seats[seat].rested


def final_deadline(record: MatchRecord, seat: Seat) -> int | None:
    """When a seat has used up all its time, reserve included; None without a clock."""
    move_end = move_deadline(record, seat)
    return None if move_end is None else move_end + (record.seats[seat].reserve or 0)


def started(record: MatchRecord, away: dict[int, int], now: int) -> MatchRecord:
    """The record of a match that is dealt now; `away` has the ends of vacations, by user id."""
    reserve = RESERVE.get(record.time_control)
    seats = [
        replace(
            seat,
            reserve=None if reserve is None or seat.computer else int(reserve.total_seconds()),
            away_until=away.get(seat.user),
        )
        for seat in record.seats
    ]
    return next_turn(replace(record, seats=tuple(seats)), now)


def reopened(record: MatchRecord, away: dict[int, int], now: int) -> MatchRecord:
    """The record of a match that is reopened now; `away` has the ends of vacations, by user id."""
    seats = [replace(seat, away_until=away.get(seat.user)) for seat in record.seats]
    return next_turn(replace(record, seats=tuple(seats)), now)


def next_turn(record: MatchRecord, now: int) -> MatchRecord:
    """The record with a turn that starts now, with full time for a move for every seat.

    In an agreed pause, when only a departure can start a turn, it counts from the pause's start.
    """
    rests = record.paused_why == "agreed"
    begins = record.paused_at if rests and record.paused_at is not None else now
    span = MOVE[record.time_control]
    return replace(
        record,
        turn=record.turn + 1,
        deadline=None if span is None else begins + int(span.total_seconds()),
        seats=tuple(
            replace(seat, rested=0 if rests else _vacation_left(seat, now)) for seat in record.seats
        ),
    )


def with_turn_restarted(record: MatchRecord, owing: Collection[Seat], now: int) -> MatchRecord:
    """The record with a new turn that starts before the seats in `owing` have chosen in this one.

    They lose the reserve they have used so far, because it is for the whole match. Nothing is
    charged if the match has lost its channel: for how long nobody could move isn't known.
    """
    used_until = now if record.paused_at is None else record.paused_at
    used = (
        record if record.paused_why == "lost" else with_reserve_charged(record, owing, used_until)
    )
    return next_turn(used, now)


def with_next_due(record: MatchRecord, owing: Iterable[Seat], now: int) -> MatchRecord:
    """The record with `due_at` set to the next moment when the clock has something to do.

    That is when the next vacation ends, reserve starts to run, or seat in `owing` runs out of time.
    Without a clock, also when players are warned that silence will end the match.
    """
    if record.paused_why == "agreed" and record.paused_at is not None:
        return replace(record, due_at=_end_of_pause(record.paused_at))
    if record.paused_why == "lost":
        return record  # `due_at` is already when silence closes it
    moments = [
        seat.away_until
        for seat in record.seats
        if seat.away_until is not None and seat.away_until > now and seat.left is None
    ]
    if record.deadline is None:
        moments.append(now + int((SILENCE - SILENCE_WARNING).total_seconds()))
    for seat in owing:
        move_end, final = move_deadline(record, seat), final_deadline(record, seat)
        if move_end is not None and final is not None:
            moments.append(move_end if move_end > now else final)
    return replace(record, due_at=min(moments, default=record.deadline))


def with_grace(record: MatchRecord, owing: Collection[Seat], now: int, least: int) -> MatchRecord:
    """The record with more time after the bot was away, so that this costs nobody their turn.

    The deadline is moved so that the next seat to run out of time has `least` seconds, unless it
    has half of that left anyway. The end of a vacation isn't running out of time.
    """
    expiry = _next_expiry(record, owing)
    if record.deadline is None or expiry is None or expiry >= now + least // 2:
        return record
    extended = replace(
        without_ended_vacations(record, now), deadline=record.deadline + now + least - expiry
    )
    return with_next_due(extended, owing, now)


def with_reserve_charged(record: MatchRecord, seats: Collection[Seat], now: int) -> MatchRecord:
    """The record after these seats have chosen: extra time for the move comes off their reserve.

    The turn may have more steps, so a seat's final deadline must not change: what is taken from
    its reserve is added to `rested`, and the next step costs only the time since this one. The
    rest of a vacation doesn't count as time left.
    """
    charged = list(record.seats)
    for i in seats:
        final, seat = final_deadline(record, i), charged[i]
        if final is not None and seat.reserve is not None:
            to_come = 0 if record.paused else _vacation_left(seat, now)
            left = max(0, min(seat.reserve, final - to_come - now))
            charged[i] = replace(seat, reserve=left, rested=seat.rested + seat.reserve - left)
    return replace(record, seats=tuple(charged))


def without_ended_vacations(record: MatchRecord, now: int) -> MatchRecord:
    """The record without vacations that are over; this changes no deadline."""
    seats = [
        replace(seat, away_until=None) if (seat.away_until or now + 1) <= now else seat
        for seat in record.seats
    ]
    return replace(record, seats=tuple(seats))


def paused(record: MatchRecord, now: int) -> MatchRecord:
    """The record of a match that its players have agreed to pause now."""
    seats = [replace(seat, rested=seat.rested - _vacation_left(seat, now)) for seat in record.seats]
    return replace(
        record,
        paused_at=now,
        paused_why="agreed",
        due_at=_end_of_pause(now),
        seats=tuple(seats),
    )


def resumed(
    record: MatchRecord, owing: Collection[Seat], now: int, *, remark: Remark
) -> MatchRecord:
    """The record of a match that resumes after an agreed pause, with the time that was left.

    Seats that owe a move have at least 1/RESUMED_PART of the time for one, reserve included. It is
    a new turn, so that players who owe a move are notified again.
    """
    assert record.paused_at is not None
    full_time = MOVE[record.time_control]
    least = 0 if full_time is None else int(full_time.total_seconds()) // RESUMED_PART
    shift = now - record.paused_at
    away = [seat for seat in owing if _vacation_left(record.seats[seat], now)]
    running = replace(
        with_reserve_charged(record, away, record.paused_at),
        turn=record.turn + 1,
        deadline=None if record.deadline is None else record.deadline + shift,
        paused_at=None,
        paused_why=None,
        remark=remark,
    )
    seats = list(running.seats)
    for i, seat in enumerate(seats):
        left = move_deadline(running, Seat(i))
        lacking = 0 if left is None or i not in owing else max(0, now + least - left)
        lacking = max(0, lacking - (seat.reserve or 0))
        seats[i] = replace(seat, rested=seat.rested + lacking + _vacation_left(seat, now))
    return with_next_due(
        without_ended_vacations(replace(running, seats=tuple(seats)), now), owing, now
    )


def resumed_elsewhere(record: MatchRecord, owing: Iterable[Seat], now: int) -> MatchRecord:
    """The record of a match that had lost its channel and resumes, with full time for a move.

    It is a new turn, so that players who owe a move are notified again, and told where.
    """
    running = replace(next_turn(record, now), paused_at=None, paused_why=None)
    return with_next_due(without_ended_vacations(running, now), owing, now)


def _end_of_pause(paused_at: int) -> int:
    return paused_at + int(MAX_PAUSE.total_seconds())


def _next_expiry(record: MatchRecord, owing: Collection[Seat]) -> int | None:
    """When the first of these seats uses up its time for a move, or its reserve if that runs now.

    The clock acts by then at the latest; if `due_at` is later, the time for the move is used up. So
    it is if none is left after a vacation.
    """
    expiries = []
    for seat in owing:
        move_end, final = move_deadline(record, seat), final_deadline(record, seat)
        if move_end is not None and final is not None:
            runs_on = move_end <= (record.seats[seat].away_until or 0)
            is_used = runs_on or move_end < (record.due_at or 0)
            expiries.append(final if is_used else move_end)
    return min(expiries, default=record.deadline)


def _vacation_left(seat: SeatRecord, now: int) -> int:
    """Seconds from now until the vacation of a seat's player ends; 0 without one."""
    return 0 if seat.away_until is None else max(0, seat.away_until - now)


def with_vacation(
    record: MatchRecord, seat: Seat, until: int | None, now: int, *, owes: bool
) -> MatchRecord:
    """The record with a vacation that ends at `until`, or with none for None.

    If the seat owes a move and its reserve runs, that is charged, and runs on after the vacation.
    `rested` isn't changed while the match is paused: resuming adds the rest of a vacation.
    """
    if owes and not record.paused:
        record = with_reserve_charged(record, [seat], now)
    before = record.seats[seat]
    after = replace(before, away_until=until)
    if not record.paused:
        rested = before.rested - _vacation_left(before, now) + _vacation_left(after, now)
        after = replace(after, rested=rested)
    return record.with_seat(seat, after)
