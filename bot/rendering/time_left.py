"""What tables and hands say about time: how much is left, and whose ran out."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot.matches import MatchSnapshot, PublicSnapshot, SeatInfo, SeatSnapshot
from bot.rendering.phrases import countdown, timestamp
from bot.storage import Remark, Why
from bot.text import capitalized, duration, listed


def time_left(snapshot: MatchSnapshot, what: str) -> str:
    """The deadline as a countdown on a line of its own; "" if no clock runs.

    After the deadline Discord shows `17 hours ago`, so `what` must fit that too.
    """
    return "" if snapshot.deadline is None else f"\n⏳ {what} {countdown(snapshot.deadline)}."


def silence_end(snapshot: MatchSnapshot) -> str:
    """When silence closes the match, on a line of its own; "" while that isn't announced."""
    if snapshot.closes_at is None:
        return ""
    end = timestamp(snapshot.closes_at)
    return f"\n⏳ This match closes without a result if nobody moves by {end}."


def times_left(snapshot: PublicSnapshot, names: Sequence[str]) -> str:
    """When time runs out for each player who owes a move, and whose vacation stops their clock.

    Each on its own line; "" if no clock runs.
    """
    owing = [(i, p) for i, p in enumerate(snapshot.seats) if p.deadline is not None]
    away = "".join(
        f"\n🏝️ {name} is on vacation until {timestamp(info.away_until)}; their clock is stopped."
        for name, info in zip(names, snapshot.seats, strict=True)
        if info.away_until is not None and not info.left
    )
    same = len({info.deadline for _, info in owing}) <= 1
    if same and all(info.move_deadline is None for _, info in owing):
        return time_left(snapshot, "Time limit:") + away
    alike: dict[str, list[str]] = {}  # on a phone the same limit for four takes five lines
    for i, info in owing:
        alike.setdefault(_counted_down(info), []).append(names[i])
    if len(owing) > 1 and len(alike) == 1:
        return f"\n⏳ Time limit for each: {next(iter(alike))}{away}"
    parts = [f"{listed(who)} {limit}" for limit, who in alike.items()]
    return f"\n⏳ Time limit: {' · '.join(parts)}{away}"


def _counted_down(info: SeatInfo) -> str:
    """The countdown of a seat that has a deadline, with its reserve if it has one."""
    assert info.deadline is not None
    if info.move_deadline is None or not info.reserve:
        return countdown(info.deadline)
    if info.uses_reserve:
        return f"{countdown(info.deadline)}, using their reserve"
    return f"{countdown(info.move_deadline)}, then {duration(info.reserve)} in reserve"


def own_time(snapshot: SeatSnapshot) -> str:
    """The deadline of a player who owes a move, with a warning if they missed the last one."""
    if not snapshot.owes or snapshot.deadline is None:
        return ""
    info = snapshot.own
    text = time_left(snapshot, "Your time limit:")
    if info.move_deadline is not None and info.reserve and info.deadline is not None:
        text = f"\n⏳ Your time limit for this move: {countdown(info.move_deadline)}. "
        text += f"After that you have {duration(info.reserve)} in reserve for the whole match."
        if info.uses_reserve:
            text = f"\n⏳ You're using your reserve. Your time limit: {countdown(info.deadline)}."
    if info.away_until is not None:
        text += f"\n🏝️ You're on vacation until {timestamp(info.away_until)}: your clock is stopped."
    return text + last_chance(snapshot)


def last_chance(snapshot: SeatSnapshot) -> str:
    """A warning to a player who missed their last deadline; "" to anyone else."""
    if not snapshot.own.strikes:
        return ""
    return "\n⚠️ **You missed your last deadline. Miss one more and you lose your seat.**"


def remarks(snapshot: MatchSnapshot, names: Sequence[str]) -> str:
    """For which seats the clock moved in the last step, and what happened since besides moves.

    Each on its own line, to follow the story; "" if there is nothing of that.
    """
    late = ""
    if snapshot.late and snapshot.ending != "absence":  # whose sentence says that, and more
        who = listed([names[seat] for seat in snapshot.late])
        late = f"\n⌛ Time ran out for {who}, so I moved for them."
    is_outdated = snapshot.remark in _ONLY_WHILE_RUNNING and snapshot.status != "running"
    if snapshot.remark is None or is_outdated:
        return late
    alone = _REMARKS_ALONE if snapshot.is_alone_with_computers else _REMARKS
    return f"{late}\n{alone.get(snapshot.remark, _REMARKS[snapshot.remark])}"


_REMARKS: Final[Mapping[Remark, str]] = MappingProxyType(
    {
        "resumed": "▶️ The pause is over: a player resumed the match, and the clock is running.",
        "pause_over": "▶️ The pause is over, and the clock is running again.",
        "reopened": "▶️ Everyone agreed to resume this match, so it goes on.",
        "taken_back": "↩️ Everyone agreed to take back the last step. The match won't be rated.",
    }
)


_ONLY_WHILE_RUNNING: Final[frozenset[Remark]] = frozenset({"resumed", "pause_over", "reopened"})
"""Remarks that are only shown while the match is running."""


_REMARKS_ALONE: Final[Mapping[Remark, str]] = MappingProxyType(
    {
        "reopened": "▶️ The match was resumed, so it goes on.",
        "taken_back": "↩️ The last step was taken back.",
    }
)
"""Other words for a player who plays on with computers only, which always agree."""


def forfeit_line(snapshot: MatchSnapshot, names: Sequence[str]) -> str:
    """Who lost their seat to the clock, as a line below a result that doesn't name them, or ""."""
    if not snapshot.ending:
        return ""  # the result names them
    late = [names[i] for i, info in enumerate(snapshot.seats) if info.left_why == "time"]
    if not late:
        return ""
    seats = "seat" if len(late) == 1 else "seats"
    return f"\n⌛ {capitalized(listed(late))} missed two deadlines in a row and lost their {seats}."


def departure_text(why: Why | None) -> str:
    """How a player left, as words that follow their name."""
    match why:
        case "time":
            return "ran out of time"
        case "unseated":
            return "was removed by a moderator"
        case _:
            return "resigned"


def own_departure(snapshot: SeatSnapshot) -> str:
    """How the reader left, as a clause."""
    match snapshot.own.left_why:
        case "time":
            return "You missed two deadlines in a row and lost your seat"
        case "unseated":
            return "A moderator removed you from this match"
        case _:
            return "You resigned"
