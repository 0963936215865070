"""The preferences of users: cached when they are read, and changed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cachetools import TTLCache

from bot.cluster.share import Share
from bot.errors import ButtonError, MaybeSavedError
from bot.storage import MatchId, Storage
from bot.storage.people import PreferencesRecord

MAX_REMEMBERED_PEOPLE: Final = 4096
"""Users whose preferences are cached; the least recently used are dropped."""

BELIEVED_SECONDS: Final = 60
"""Seconds that they are cached: a process that changed them may have died before it told us."""

_CHANGES: Final[Mapping[str, Callable[[PreferencesRecord], PreferencesRecord]]] = {
    "desk dm": lambda record: replace(record, desk="dm"),
    "desk here": lambda record: replace(record, desk="here"),
    "pictures on": lambda record: replace(record, pictures=True),
    "pictures off": lambda record: replace(record, pictures=False),
    "forced game": lambda record: replace(record, forced=None),
    "forced always": lambda record: replace(record, forced=True),
    "forced never": lambda record: replace(record, forced=False),
    "challenges everyone": lambda record: replace(record, left_alone=False),
    "challenges nobody": lambda record: replace(record, left_alone=True),
}


class Preferences:
    def __init__(self, storage: Storage, share: Share, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._share = share
        self._known: TTLCache[int, PreferencesRecord] = TTLCache(
            MAX_REMEMBERED_PEOPLE, BELIEVED_SECONDS, timer=now
        )
        self._forgotten = 0
        """How often something was dropped from the cache."""

    async def of(self, user: int) -> PreferencesRecord:
        known = self._known.get(user)
        if known is not None:
            return known
        forgotten = self._forgotten
        async with self._storage.reading() as reading:
            found = await reading.people.preferences(user)
        if forgotten != self._forgotten:
            return found  # may be from before a deletion, so it isn't cached
        # A change that was made during the read is newer than what was read.
        return self._known.setdefault(user, found)

    async def wants_words(self, user: int) -> bool:
        """Whether messages that only this user sees should have no pictures."""
        return not (await self.of(user)).pictures

    async def change(self, user: int, what: str) -> tuple[PreferencesRecord, Sequence[MatchId]]:
        """Change one preference, for example `desk here`; raises ButtonError for an unknown one.

        Returns the preferences after that, and the running matches whose hands must be redrawn.
        """
        if what not in _CHANGES:
            raise ButtonError("That preference doesn't exist. Use `/preferences` again.")
        try:
            async with self._storage.transaction() as writing:
                before = await writing.people.preferences(user, changing=True)
                after = _CHANGES[what](before)
                await writing.people.put_preferences(user, after)
                if what == "desk dm":  # also in matches in which they have used My hand so far
                    await writing.people.forget_plays_here(user)
                redrawn = await writing.people.matches_in_play(user)
        except MaybeSavedError:
            self.forget(user)
            self._share.tell("preferences", user)
            raise
        self._known[user] = after
        self._share.tell("preferences", user)
        return after, redrawn

    def forget(self, user: int) -> None:
        """Drop a user's cached preferences, after they were changed or deleted in the database."""
        self._forgotten += 1
        self._known.pop(user, None)

    def forget_all(self) -> None:
        """Drop all cached preferences: changes and deletions elsewhere may have been missed."""
        self._forgotten += 1
        self._known.clear()
