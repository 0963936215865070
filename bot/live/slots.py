"""Where matches are shown and what stands there: rows, with what only this process knows beside."""

import asyncio
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakValueDictionary

from bot.messaging.delivery import Media, Token
from bot.storage import MatchId, MessageRef, Shown, Storage

FLUSH_SECONDS: Final = 1.0
"""What stands at a place is written together for all of them this often. A death before only means
that the next start edits a few messages into what they already are."""


COMING: Final = "coming"
"""What is shown by a desk in place of which a new one is being sent, or has been."""


@dataclass(slots=True)
class Spot:
    """One place of one match. The lock is held while its message is changed."""

    record: MessageRef | None = None
    token: Token | None = None
    media: Media | None = None
    barred: bool = False
    """Nothing can be sent there now: direct messages are closed, or the channel is gone."""

    here: "Spot | None" = None
    """The same desk as a private message in the channel, if the player has asked for it."""

    shown: str | None = None
    sent_before: bool = False
    """A message may have been sent here that we were not told of: before our last death, or by an
    attempt that seemed to fail. Its nonce brings that one back, and it says what it said then."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Spots:
    """The places of the matches in play, read when first needed."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._matches: dict[MatchId, dict[int, Spot]] = {}
        self._posted: set[MatchId] = set()
        self._reading: WeakValueDictionary[MatchId, asyncio.Lock] = WeakValueDictionary()
        self._unwritten: dict[tuple[MatchId, int], Shown] = {}
        self._flushing: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()

    async def at(self, match: MatchId, place: int) -> Spot:
        """The spot, with its row if it has one."""
        lock = self._reading.setdefault(match, asyncio.Lock())
        async with lock:
            if match not in self._matches:
                async with self._storage.reading() as reading:
                    rows = await reading.messages.of(match)
                self._matches[match] = {
                    number: Spot(record=row, shown=row.shown, sent_before=True)
                    for number, row in rows.items()
                }
        return self._matches[match].setdefault(place, Spot(sent_before=match not in self._posted))

    def posted(self, match: MatchId) -> None:
        """This process has just posted the match, so nothing of it was ever sent before."""
        self._posted.add(match)

    async def moved(self, match: MatchId, place: int, record: MessageRef) -> None:
        """A new message stands at this place; written at once, or a death would send it twice."""
        spot = await self.at(match, place)
        spot.record, spot.shown = record, record.shown
        self._unwritten.pop((match, place), None)
        async with self._storage.transaction() as writing:
            await writing.messages.put(match, place, record)

    def shows(self, match: MatchId, place: int, spot: Spot, key: str) -> None:
        """The message at this place was changed; written soon."""
        spot.shown = key
        self._unwritten[match, place] = Shown(key)
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush_soon())

    def outdate(self, match: MatchId, message: int | None = None) -> None:
        """Let this message of the match be brought up to date, or all of them."""
        for place, spot in self._matches.get(match, {}).items():
            if spot.record is not None and message in {None, spot.record.message}:
                self.shows(match, place, spot, "")

    def unbar(self, match: MatchId) -> None:
        """Let sending be tried again where it was in vain."""
        for spot in self._matches.get(match, {}).values():
            spot.barred = False

    async def abandon(self, match: MatchId, place: int) -> None:
        """Keep nothing of this place any more, and let nothing be sent there.

        A message that is on its way there arrives before.
        """
        spot = await self.at(match, place)
        async with spot.lock:
            spot.record = spot.token = spot.media = spot.here = spot.shown = None
            spot.barred = True
            self._unwritten.pop((match, place), None)

    def forget(self, match: MatchId) -> None:
        """Nothing more will be shown of this match."""
        self._matches.pop(match, None)
        self._posted.discard(match)

    async def flush(self) -> None:
        """Write what stands where, now; also what another flush is just writing is written then."""
        async with self._writing:
            shown, self._unwritten = self._unwritten, {}
            if shown:
                async with self._storage.transaction() as writing:
                    await writing.messages.put_shown(shown)

    async def _flush_soon(self) -> None:
        await asyncio.sleep(FLUSH_SECONDS)
        self._flushing = None
        await self.flush()

    async def close(self) -> None:
        if self._flushing is not None:
            self._flushing.cancel()
        await self.flush()


def base36(number: int) -> str:
    """A number as short text, for what has little room."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while number:
        number, digit = divmod(number, 36)
        text = digits[digit] + text
    return text or "0"
