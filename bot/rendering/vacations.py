"""Vacations in words."""

from collections.abc import Mapping

from bot.matches import PublicSnapshot
from bot.matches.time_controls import SLOW
from bot.matches.time_off import DAYS_A_YEAR, Vacation
from bot.rendering.phrases import mention, timestamp
from bot.text import counted


def vacation_started(vacation: Vacation) -> str:
    """What a player is told when their vacation begins."""
    matches = counted(len(vacation.matches), "match", "matches")
    stopped = (
        f"Your clock is stopped in {matches} here, and in slow matches that begin before then."
        if vacation.matches
        else "You're in no slow match here; if one begins before then, your clock is stopped."
    )
    return (
        f"🏝️ You're on vacation until {_until(vacation)}. {stopped} You can still make moves. "
        f"`/vacation end` ends it early. {_left(vacation)}"
    )


def vacation_ended(vacation: Vacation) -> str:
    """What a player is told when they end their vacation early."""
    again = " Your clocks are running again." if vacation.matches else ""
    owed = ""
    if vacation.owed:
        matches = counted(vacation.owed, "match", "matches")
        owed = f" It's your turn in {matches} here: see `/games`."
    return f"Welcome back!{again}{owed} {_left(vacation)}"


def opponents_away(snapshot: PublicSnapshot, absent: Mapping[int, int]) -> str:
    """What a challenger is told about opponents who are on vacation.

    `absent` has the end of each one's vacation, in Unix time, by user id.
    """
    lines = [
        f"🏝️ {mention(user)} is on vacation until {timestamp(until)}."
        for user, until in absent.items()
    ]
    due_at = snapshot.due_at
    if snapshot.time_control in SLOW and due_at is not None:
        lines.append(f"They can still answer; your challenge stays open until {timestamp(due_at)}.")
    else:
        lines.append("They might not answer in time.")
    return "\n".join(lines)


def days_left(vacation: Vacation) -> str:
    """Whether a player is on vacation, and how many days they have left."""
    if vacation.until is not None:
        return f"🏝️ You're on vacation until {_until(vacation)}. {_left(vacation)}"
    if not vacation.days_left:
        return _left(vacation)
    return f"{_left(vacation)} `/vacation start` stops your clocks in slow matches here."


def _until(vacation: Vacation) -> str:
    return "" if vacation.until is None else timestamp(vacation.until)


def _left(vacation: Vacation) -> str:
    if not vacation.days_left:
        return (
            f"You've used all {DAYS_A_YEAR} vacation days in this server for this year. You get "
            "new ones next year."
        )
    left = counted(vacation.days_left, "vacation day")
    return f"You have {left} left in this server this year."
