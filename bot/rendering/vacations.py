"""Vacations in words: what their player is told.

`commands` are the ids of commands, by which a text leads to them.
"""

from collections.abc import Mapping

from bot.matches.time_off import DAYS_A_YEAR, Vacation
from bot.rendering.phrases import day
from bot.text import command_link, counted


def begun(vacation: Vacation, commands: Mapping[str, int]) -> str:
    """What is told to somebody whose vacation has begun."""
    matches = counted(len(vacation.matches), "match", "matches")
    stopped = (
        f"Your clock is stopped in {matches} here, and in slow matches that begin meanwhile."
        if vacation.matches
        else "You're in no slow match here; if one begins meanwhile, your clock is stopped."
    )
    return (
        f"🏝️ You're on vacation until {_until(vacation)}. {stopped} You can still make moves. "
        f"{command_link('vacation end', commands)} ends it early. {_left(vacation)}"
    )


def ended(vacation: Vacation) -> str:
    """What is told to somebody who has come back early."""
    return f"Welcome back! Your clocks are running again. {_left(vacation)}"


def days_left(vacation: Vacation, commands: Mapping[str, int]) -> str:
    """Whether somebody is on vacation, and how many days more can be taken."""
    if vacation.until is not None:
        return f"🏝️ You're on vacation until {_until(vacation)}. {_left(vacation)}"
    if not vacation.days_left:
        return _left(vacation)
    start = command_link("vacation start", commands)
    return f"{_left(vacation)} {start} stops your clocks in slow matches here."


def _until(vacation: Vacation) -> str:
    return "" if vacation.until is None else day(vacation.until)


def _left(vacation: Vacation) -> str:
    if not vacation.days_left:
        return (
            f"You've used all {DAYS_A_YEAR} vacation days in this server for this year. You get "
            "new ones next year."
        )
    left = counted(vacation.days_left, "vacation day")
    return f"You have {left} left in this server this year."
