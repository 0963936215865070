"""What the messages of a match should show now, read once for all of them."""

from typing import Final

from cachetools import LRUCache

from bot.cluster.share import Share
from bot.matches import Matches, PublicSnapshot, SeatSnapshot, Snapshot
from bot.storage import MatchId

MAX_LOADED: Final = 512
"""Matches whose newest snapshots are kept in memory for their slots."""

Snapshots = tuple[PublicSnapshot, *tuple[SeatSnapshot, ...]]
"""What the table should show, then what each hand should."""


class Newest:
    """The newest snapshots of matches, by how often each has changed since it is known here."""

    def __init__(self, matches: Matches, share: Share) -> None:
        self._matches = matches
        self._share = share
        self._guilds: dict[MatchId, int] = {}
        """The servers of the matches that are in memory."""

        self._versions: dict[MatchId, int] = {}
        self._loaded: LRUCache[MatchId, tuple[int, Snapshots]] = LRUCache(MAX_LOADED)

    def changed(self, match: MatchId) -> None:
        """What was read of a match is out of date."""
        self._versions[match] = self._versions.get(match, 0) + 1

    def version(self, match: MatchId) -> int:
        """How often a match has changed, by which a snapshot can be dated."""
        return self._versions.get(match, 0)

    def guild(self, match: MatchId) -> int | None:
        """The server of a match, 0 for a solo match; None if it was not read here."""
        return self._guilds.get(match)

    async def of(self, match: MatchId) -> Snapshots:
        """The newest, read again only if the match has changed."""
        found = self._loaded.get(match)
        if found is None or found[0] != self.version(match):
            return await self.load(match)
        return found[1]

    async def load(self, match: MatchId) -> Snapshots:
        """The newest, read now."""
        version = self.version(match)
        snapshots = await self._matches.snapshots(match)
        self._loaded[match] = version, snapshots
        self._guilds[match] = snapshots[0].guild or 0
        return snapshots

    def owns(self, snapshot: Snapshot) -> bool:
        """Whether this process shows the match."""
        return self._share.owns(snapshot.guild)

    def tell(self, snapshot: PublicSnapshot, *late: int) -> None:
        """Tell whoever shows the match that it has changed here, or that its messages have.

        `late`: the place of a message that was sent here after the match became another's.
        """
        self._share.tell("match", snapshot.match, snapshot.guild or 0, *late)

    def forget(self, match: MatchId) -> None:
        self._versions.pop(match, None)
        self._loaded.pop(match, None)
        self._guilds.pop(match, None)
