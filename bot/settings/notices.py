"""Notices: the events that users are notified of, and how each user wants to be notified."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal, TypeGuard, get_args

from bot.errors import ButtonError
from bot.storage import Event, Transactions, Way
from bot.storage.people import NoticePreference

WhenActive = Literal["wait", "drop", "send"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKind:
    """What holds for all notices of one event."""

    label: str
    default: Way
    when_active: WhenActive
    """What to do if the receiver is active in that match and sees it happen: "wait" until they have
    been inactive for a while (if it asks for something), "drop" it (if it just informs), or "send"
    it all the same."""


def _kind(label: str, when_active: WhenActive, default: Way = "dm") -> EventKind:
    return EventKind(label=label, default=default, when_active=when_active)


EVENTS: Final[Mapping[Event, EventKind]] = MappingProxyType(
    {
        "turn": _kind("Your turn", "wait"),
        "time": _kind("Your time is running out", "wait"),
        "last": _kind("Also 1 hour before your time runs out (1 or 3 days a move)", "wait", "none"),
        "back": _kind("Your vacation is over, and it's your turn", "wait"),
        "nudged": _kind("Someone nudges you", "send"),
        "challenged": _kind("You're challenged", "send", "channel"),
        "accepted": _kind("Your challenge was accepted, or your rematch began", "drop"),
        "declined": _kind("Your challenge was declined", "drop"),
        "expired": _kind("Your challenge expired", "drop"),
        "offered": _kind("An offer in a match (draw, call off, pause, take back, resume)", "wait"),
        "rematch": _kind("Someone wants a rematch", "wait"),
        "lost": _kind("Your match is paused because I lost access to its channel", "send"),
        "out": _kind("You lost your seat in a match that goes on", "drop"),
        "over": _kind("Your match is over", "drop"),
        "watched": _kind("A match you follow is over", "send"),
    }
)
"""In the order in which `/notify` shows them."""


def is_event(text: str) -> TypeGuard[Event]:
    """Whether a text is the key of an event."""
    return text in EVENTS


def is_way(text: str) -> TypeGuard[Way]:
    """Whether a text is the key of a way."""
    return text in get_args(Way)


EARLINESS: Final = (None, 10 * 60, 60 * 60, 3 * 60 * 60, 8 * 60 * 60)
"""The choices for how long before a deadline to be reminded, in seconds; None: 1/4 of a turn."""


UNKNOWN: Final = "I don't know that choice. Use `/notify` again."


def way_of(preference: NoticePreference, event: Event) -> Way:
    """How a user with this preference is notified of an event."""
    return preference.ways.get(event, EVENTS[event].default)


class NoticeSettings:
    def __init__(self, storage: Transactions, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now

    async def of(self, user: int) -> NoticePreference:
        async with self._storage.reading() as reading:
            return await reading.people.notice_preference(user)

    async def choose(self, user: int, event: str, way: str) -> NoticePreference:
        """Set how a user is notified of an event; raises ButtonError for unknown keys."""
        if not (is_event(event) and is_way(way)):
            raise ButtonError(UNKNOWN)
        async with self._storage.transaction() as writing:
            before = await writing.people.notice_preference(user, changing=True)
            after = replace(before, ways={**before.ways, event: way})
            await writing.people.put_notice_preference(user, after)
        return after

    async def remind_before(self, user: int, seconds: int | None) -> NoticePreference:
        """Set how many seconds before a deadline a user is reminded; one of `EARLINESS`.

        Raises ButtonError for any other time.
        """
        if seconds not in EARLINESS:
            raise ButtonError(UNKNOWN)
        async with self._storage.transaction() as writing:
            # No other choice does this: a reminder that waits for half of the time is sent by it.
            await writing.notices.hurry_reminders(user, int(self._now()))
            before = await writing.people.notice_preference(user, changing=True)
            after = replace(before, before=seconds)
            await writing.people.put_notice_preference(user, after)
        return after
