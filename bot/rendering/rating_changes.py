"""Whether a match is rated, and how its result changed ratings, as tables say it."""

from typing import Final

from bot.matches import MatchSnapshot
from bot.matches.rated_quota import PER_PAIR
from bot.ratings import is_established, rating_text
from bot.rendering.phrases import seat_names, timestamp
from bot.rendering.presentation import Presentation
from bot.storage import ChangeRecord

_REACHED: Final = f"the daily limit of {PER_PAIR} rated matches per pair was reached"
"""Doesn't say between whom: matches with someone who was deleted since count for every pair."""

COMPUTER: Final = "Unrated · counts toward the computer ladder"
SOLO: Final = "Unrated · counts only in your own `/stats`"


TAKEN_BACK: Final = "Unrated: a step was taken back"


def stakes(snapshot: MatchSnapshot) -> str:
    """Whether a match is rated, and if not, why."""
    if snapshot.is_solo:
        return SOLO
    if snapshot.has_computer:
        return COMPUTER
    if snapshot.casual_until is not None:
        return f"Casual until {timestamp(snapshot.casual_until)}: {_REACHED}"
    if not snapshot.rated:
        return f"Casual: {_REACHED}" if snapshot.limited else "Casual, unrated"
    return TAKEN_BACK if snapshot.taken_back else "Rated"


def changes_line(snapshot: MatchSnapshot, presentation: Presentation) -> str:
    """How the result changed the ratings, on a line of its own; "" until it counts."""
    if snapshot.status != "over" or snapshot.counts_at is not None:
        return ""
    parts = [
        f"{presentation.emblem(snapshot.view, i)} {name} {change_text(info.change)}"
        for i, (name, info) in enumerate(zip(seat_names(snapshot), snapshot.seats, strict=True))
        if info.change is not None
    ]
    return f"\n📈 Ratings: {' · '.join(parts)}" if parts else f"\n-# {stakes(snapshot)}"


def change_text(change: ChangeRecord) -> str:
    """For example `1512 → **1524**`."""
    before, after = before_and_after(change)
    return f"{before} → **{after}**"


def before_and_after(change: ChangeRecord) -> tuple[str, str]:
    """Both ratings; provisional ones have a question mark."""
    before = rating_text(change.before, established=is_established(change.nth - 1))
    return before, rating_text(change.after, established=is_established(change.nth))
