"""A player reminds those who owe a move: each at most once in six hours."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from bot.errors import MatchError, NotSeatedError
from bot.matches.loaded import LoadedMatch, load_running, seat_of
from bot.matches.snapshots import PublicSnapshot
from bot.storage import MatchId, Transactions
from bot.storage.people import ReminderPreference
from games import Seat

AGAIN_AFTER: Final = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Nudge:
    """Who is to be reminded, as was written, and who wants no reminders."""

    snapshot: PublicSnapshot
    """The match as everybody may know it."""

    reached: tuple[tuple[Seat, ReminderPreference], ...]
    unwilling: tuple[Seat, ...]


class Nudging:
    def __init__(self, storage: Transactions, *, now: Callable[[], float] = time.time) -> None:
        self._storage = storage
        self._now = now

    async def nudge(self, match: MatchId, user: int) -> Nudge:
        """Note that those who owe a move are nudged now; MatchError where nobody is to be."""
        now = int(self._now())
        async with self._storage.transaction() as writing:
            found = load_running(await writing.matches.load(match))
            seat = seat_of(found, user, "Only players of this match can nudge each other.")
            if found.record.seats[seat].left is not None:
                raise NotSeatedError("You resigned, so you can't nudge anyone.")
            targets = _rested(found, _owing(found, seat), now)
            preferences = [
                (
                    target,
                    await writing.people.reminder_preference(found.record.seats[target].user),
                )
                for target in targets
            ]
            reached = tuple(
                (target, preference)
                for target, preference in preferences
                if preference.channel != "none"
            )
            await writing.seats.note_nudged(match, [target for target, _ in reached], now)
        unwilling = tuple(
            target for target, preference in preferences if preference.channel == "none"
        )
        return Nudge(found.public(), reached, unwilling)


def _owing(found: LoadedMatch, seat: Seat) -> list[Seat]:
    """The others who owe a move and have not chosen it."""
    owing = found.awaiting - set(found.choices)
    if owing and owing <= found.record.computers:
        raise MatchError("The computer is thinking. It will move in a few seconds.")
    owing -= found.record.computers
    if not owing - {seat}:
        raise MatchError("It's only waiting for you. Choose your move.")
    return sorted(owing - {seat})


def _rested(found: LoadedMatch, owing: list[Seat], now: int) -> list[Seat]:
    """Those of them who were not nudged in the last hours."""
    seats, pause = found.record.seats, int(AGAIN_AFTER.total_seconds())
    rested = [s for s in owing if (seats[s].nudged_at or 0) + pause <= now]
    if not rested:
        again = min((seats[s].nudged_at or 0) + pause for s in owing)
        raise MatchError(
            f"They were already nudged in the last 6 hours. You can nudge again <t:{again}:R>."
        )
    return rested
