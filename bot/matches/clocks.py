"""The clocks of a match as pure functions over its record: what is left, what rests, when to look.

A turn has one deadline. A seat's own is later: by the seconds that its clock has rested in this
turn, or will until its player's vacation ends, and by what it has in reserve or has used of that. A
match that is paused by agreement counts no vacation among the rests; it does again when the match
goes on.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Final

from bot.matches.time_controls import MAX_PAUSE, MOVE, RESERVE, SILENCE, SILENCE_WARNING
from bot.storage import MatchRecord, Remark, SeatRecord
from games import Seat

RESUMED_PART: Final = 4
"""A seat that owes a move when its match goes on after a pause has at least the fourth part of the
time for a move: whoever ends the pause may do so while the others sleep."""


def move_deadline(record: MatchRecord, seat: Seat) -> int | None:
    """When the time for a move is up for a seat; None without a clock."""
    if record.deadline is None:
        return None
    return record.deadline + record.seats[seat].rested


def final_deadline(record: MatchRecord, seat: Seat) -> int | None:
    """When all time is up for a seat, its reserve too; None without a clock."""
    of_move = move_deadline(record, seat)
    return None if of_move is None else of_move + (record.seats[seat].reserve or 0)


def begun(record: MatchRecord, away: dict[int, int], now: int) -> MatchRecord:
    """The clocks of a match that is dealt now; `away` says until when whom a vacation keeps."""
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
    """The clocks of a match that goes on after its end, with the vacations there are by now."""
    seats = [replace(seat, away_until=away.get(seat.user)) for seat in record.seats]
    return next_turn(replace(record, seats=tuple(seats)), now)


def next_turn(record: MatchRecord, now: int) -> MatchRecord:
    """The clocks of a turn that begins now: every seat has all the time for a move.

    In an agreed pause, where only leaving begins one, it stands as if it had begun with the pause.
    """
    rests = record.paused_why == "agreed"
    begins = record.paused_at if rests and record.paused_at is not None else now
    return replace(
        record,
        turn=record.turn + 1,
        deadline=_whole_move(record, begins),
        seats=tuple(
            replace(seat, rested=0 if rests else _planned(seat, now)) for seat in record.seats
        ),
    )


def turn_anew(record: MatchRecord, owing: Collection[Seat], now: int) -> MatchRecord:
    """The clocks of a turn that begins before these seats have chosen in the one before.

    What their moves have used of a reserve by now is gone, for that is for the whole match. Where
    its place is lost, nothing is known of how long the match has rested.
    """
    used_until = now if record.paused_at is None else record.paused_at
    used = record if record.paused_why == "lost" else charged(record, owing, used_until)
    return next_turn(used, now)


def looked_at(record: MatchRecord, owing: Iterable[Seat], now: int) -> MatchRecord:
    """The record with the next moment at which the clock has something to do."""
    if record.paused_why == "agreed" and record.paused_at is not None:
        return replace(record, due_at=_end_of_pause(record.paused_at))
    if record.paused_why == "lost":
        return record  # it is closed when that was told
    return replace(record, due_at=_next_look(record, owing, now))


def graced(record: MatchRecord, owing: Collection[Seat], now: int, least: int) -> MatchRecord:
    """The clocks of a match after an absence of the bot, which costs nobody their turn.

    Whoever is next to run out of time has so many seconds, unless half of that is left to them
    anyway. The end of a vacation takes nothing from anybody.
    """
    end = _next_end(record, owing)
    if record.deadline is None or end is None or end >= now + least // 2:
        return record
    on = replace(returned(record, now), deadline=record.deadline + now + least - end)
    return looked_at(on, owing, now)


def charged(record: MatchRecord, seats: Collection[Seat], now: int) -> MatchRecord:
    """The clocks once these seats have chosen: what went beyond a move's time is gone.

    All time is up at the same moment as before, for a turn may have more steps: what was used of
    the reserve counts as rest, so that the next step takes only what has passed since. Who moves
    during a vacation has not had the rest of it.
    """
    found = list(record.seats)
    for i in seats:
        final, seat = final_deadline(record, i), found[i]
        if final is not None and seat.reserve is not None:
            to_come = 0 if record.paused else _planned(seat, now)
            left = max(0, min(seat.reserve, final - to_come - now))
            found[i] = replace(seat, reserve=left, rested=seat.rested + seat.reserve - left)
    return replace(record, seats=tuple(found))


def returned(record: MatchRecord, now: int) -> MatchRecord:
    """The record without the vacations that have ended by themselves; no clock stands otherwise."""
    seats = [
        replace(seat, away_until=None) if (seat.away_until or now + 1) <= now else seat
        for seat in record.seats
    ]
    return replace(record, seats=tuple(seats))


def paused(record: MatchRecord, now: int) -> MatchRecord:
    """The record of a match whose players have agreed to a pause."""
    seats = [replace(seat, rested=seat.rested - _planned(seat, now)) for seat in record.seats]
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
    """The record of a match that goes on after its players' pause, with the time that was left.

    It is a new turn, so that whoever owes a move is told anew.
    """
    assert record.paused_at is not None
    whole = MOVE[record.time_control]
    least = 0 if whole is None else int(whole.total_seconds()) // RESUMED_PART
    shift = now - record.paused_at
    on = replace(
        record,
        turn=record.turn + 1,
        deadline=None if record.deadline is None else record.deadline + shift,
        paused_at=None,
        paused_why=None,
        remark=remark,
    )
    seats = list(on.seats)
    for i, seat in enumerate(seats):
        left = move_deadline(on, Seat(i))
        lacking = 0 if left is None or i not in owing else max(0, now + least - left)
        lacking = max(0, lacking - (seat.reserve or 0))
        seats[i] = replace(seat, rested=seat.rested + lacking + _planned(seat, now))
    return looked_at(returned(replace(on, seats=tuple(seats)), now), owing, now)


def begun_anew(record: MatchRecord, owing: Iterable[Seat], now: int) -> MatchRecord:
    """The record of a match that goes on somewhere else, with all the time for a move.

    It is a new turn, so that whoever owes a move is told anew, and where.
    """
    on = replace(next_turn(record, now), paused_at=None, paused_why=None)
    return looked_at(returned(on, now), owing, now)


def _end_of_pause(paused_at: int) -> int:
    return paused_at + int(MAX_PAUSE.total_seconds())


def _whole_move(record: MatchRecord, now: int) -> int | None:
    span = MOVE[record.time_control]
    return None if span is None else now + int(span.total_seconds())


def _next_look(record: MatchRecord, owing: Iterable[Seat], now: int) -> int:
    """The end of a vacation, the end of a move's time where a reserve follows, or of all time.

    Without a clock, when those whose turn it is are told that silence ends the match.
    """
    moments = [
        seat.away_until
        for seat in record.seats
        if seat.away_until is not None and seat.away_until > now and seat.left is None
    ]
    if record.deadline is None:
        return min([now + int((SILENCE - SILENCE_WARNING).total_seconds()), *moments])
    for seat in owing:
        of_move, final = move_deadline(record, seat), final_deadline(record, seat)
        assert of_move is not None
        assert final is not None
        moments.append(of_move if of_move > now else final)
    return min(moments, default=record.deadline)


def _next_end(record: MatchRecord, owing: Collection[Seat]) -> int | None:
    """When time is up for the first of these seats: a move's where a reserve follows, or all.

    The clock looks no later than then: what ended before it looks again is used up.
    """
    ends = []
    for seat in owing:
        of_move, final = move_deadline(record, seat), final_deadline(record, seat)
        if of_move is not None and final is not None:
            ends.append(final if of_move < (record.due_at or 0) else of_move)
    return min(ends, default=record.deadline)


def _planned(seat: SeatRecord, now: int) -> int:
    """For how many seconds from now on a seat's clock rests because of a vacation."""
    return 0 if seat.away_until is None else max(0, seat.away_until - now)


def with_vacation(record: MatchRecord, seat: Seat, until: int | None, now: int) -> MatchRecord:
    """The clocks with another end of a seat's vacation; those of a paused match rest anyway."""
    before = record.seats[seat]
    after = replace(before, away_until=until)
    if not record.paused:
        rested = before.rested - _planned(before, now) + _planned(after, now)
        after = replace(after, rested=rested)
    return record.with_seat(seat, after)
