"""What somebody plays and is asked to play, in the order in which it wants attention."""

from dataclasses import dataclass
from typing import Literal

from bot.matches.loaded import load_readable, seat_of
from bot.matches.notices import has_offer
from bot.matches.reopenings import can_resume
from bot.matches.snapshots import SeatSnapshot
from bot.storage import Transactions
from bot.storage.match_list import ListedRecord

Want = Literal["move", "agreement", "answer", "resuming", "held", "others", "players"]
"""What a match waits for: of the one who asks a move, the answer to what others offer, such as to
resume it after time has ended it, or to a challenge; any of its players to resume it; somebody to
wish so after time has ended it; a move of others; players."""

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
    """The match as the one who asks may know it."""

    table: str | None
    """Where the table stands, if it is known."""

    hand: str | None

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
    """First what waits for this person, the most urgent first; then what waits for others."""
    async with storage.reading() as reading:
        found = [
            one
            for one in await reading.match_lists.of_player(user)
            if one.match.status in {"open", "running"} or await can_resume(reading, one.match, user)
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
    """By what it waits for, then by the moment when time is up; without a clock at the end."""
    snapshot = entry.snapshot
    is_moving = entry.wants in {"move", "others"}
    due = snapshot.deadline if is_moving else snapshot.due_at
    clockless = due is None or entry.snapshot.time_control == "none"
    return _ORDER.index(entry.wants), clockless, due or 0, entry.snapshot.match
