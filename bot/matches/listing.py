"""A user's matches and challenges, those that need their attention first."""

from dataclasses import dataclass
from typing import Literal

from bot.matches.loaded import load_readable, seat_of
from bot.matches.notices import has_offer
from bot.matches.reopenings import can_resume
from bot.matches.snapshots import SeatSnapshot
from bot.storage import Transactions
from bot.storage.match_list import ListedRecord

Want = Literal["move", "agreement", "answer", "resuming", "held", "others", "players"]
"""What a match waits for: this user's move ("move"), their answer to an offer, also to resume after
time ran out ("agreement"), or to a challenge ("answer"); any player to end a pause ("resuming") or
to ask to resume after time ran out ("held"); another player's move ("others"), or more players."""

_ORDER: tuple[Want, ...] = (
    "move",
    "agreement",
    "answer",
    "resuming",
    "held",
    "others",
    "players",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    snapshot: SeatSnapshot
    """The match as this user may know it."""

    table: str | None
    """The URL of the table, if known."""

    hand: str | None
    """The URL of the user's hand, if known."""

    @property
    def wants(self) -> Want:
        snapshot = self.snapshot
        if snapshot.counts_at is not None:
            return "agreement" if has_offer(snapshot) else "held"
        if snapshot.view is not None and snapshot.paused:
            return "resuming"
        if snapshot.view is not None and not snapshot.owes:
            return "agreement" if has_offer(snapshot) else "others"
        if snapshot.view is not None:
            return "move"
        return "players" if snapshot.own.accepted else "answer"


async def listing(storage: Transactions, user: int) -> tuple[Entry, ...]:
    """A user's open, running and resumable matches, in the order of `Want`, most urgent first."""
    async with storage.reading() as reading:
        found = [
            record
            for record in await reading.match_lists.of_player(user)
            if record.match.status in {"open", "running"}
            or await can_resume(reading, record.match, user)
        ]
    entries = [entry for entry in (_entry(record, user) for record in found) if entry is not None]
    return tuple(sorted(entries, key=_urgency))


def _entry(record: ListedRecord, user: int) -> Entry | None:
    found = load_readable(record.match)
    if found is None:
        return None
    snapshot = found.for_seat(seat_of(found, user))
    return Entry(snapshot=snapshot, table=record.table_url, hand=record.hand_url)


def _urgency(entry: Entry) -> tuple[int, bool, int, int]:
    """The sort key: what the match waits for, then when time is up; last if it has no clock."""
    snapshot = entry.snapshot
    is_moving = entry.wants in {"move", "others"}
    due = snapshot.deadline if is_moving else snapshot.due_at
    clockless = due is None or entry.snapshot.time_control == "none"
    return _ORDER.index(entry.wants), clockless, due or 0, entry.snapshot.match
