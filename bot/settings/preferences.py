"""What people prefer, in memory as far as it was asked for, and how they change it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cachetools import TTLCache

from bot.cluster.share import Share
from bot.errors import ButtonError, MaybeSavedError
from bot.storage import MatchId, Storage
from bot.storage.people import PreferencesRecord

MAX_REMEMBERED_PEOPLE: Final = 4096
"""People whose preferences are kept in memory, those last asked for."""

BELIEVED_SECONDS: Final = 60
"""For so long: another process that has changed them may have died before it told of it."""

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
        """How often something was dropped."""

    async def of(self, user: int) -> PreferencesRecord:
        known = self._known.get(user)
        if known is not None:
            return known
        forgotten = self._forgotten
        async with self._storage.reading() as reading:
            found = await reading.people.preferences(user)
        if forgotten != self._forgotten:
            return found  # perhaps from before a deletion, so not to be kept
        # What was changed while we read is newer than what we read.
        return self._known.setdefault(user, found)

    async def wants_words(self, user: int) -> bool:
        """Whether pictures are to be left out of what this person alone sees."""
        return not (await self.of(user)).pictures

    async def change(self, user: int, what: str) -> tuple[PreferencesRecord, Sequence[MatchId]]:
        """Change one preference, for example `desk here`; ButtonError for an unknown one.

        What is preferred now, and the matches whose hand looks different by that.
        """
        if what not in _CHANGES:
            raise ButtonError("That preference doesn't exist. Use `/preferences` again.")
        try:
            async with self._storage.transaction() as writing:
                before = await writing.people.preferences(user, changing=True)
                after = _CHANGES[what](before)
                await writing.people.put_preferences(user, after)
                if what == "desk dm":  # also where they have chosen beside the table so far
                    await writing.people.bring_hands(user)
                redrawn = await writing.people.matches_in_play(user)
        except MaybeSavedError:
            self.forget(user)
            self._share.tell("preferences", user)
            raise
        self._known[user] = after
        self._share.tell("preferences", user)
        return after, redrawn

    def forget(self, user: int) -> None:
        """Drop what is in memory, after it was changed or deleted in the storage."""
        self._forgotten += 1
        self._known.pop(user, None)

    def forget_all(self) -> None:
        """Drop everybody's: whose were changed or deleted in the storage may not have been told."""
        self._forgotten += 1
        self._known.clear()
