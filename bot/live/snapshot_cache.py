"""The newest snapshots of matches, read once for all messages of a match."""

from typing import Final

from cachetools import LRUCache

from bot.matches import Matches, PublicSnapshot, SeatSnapshot
from bot.storage import MatchId

MAX_LOADED: Final = 512
"""Matches whose newest snapshots are kept in memory."""

Snapshots = tuple[PublicSnapshot, *tuple[SeatSnapshot, ...]]
"""The public snapshot, for the table, then that of each seat, for the hands."""


class SnapshotCache:
    """Caches the newest snapshots of each match until it changes."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches
        self._guilds: dict[MatchId, int] = {}
        """The server of each match in memory; 0 for a solo match."""

        self._versions: dict[MatchId, int] = {}
        self._loaded: LRUCache[MatchId, tuple[int, Snapshots]] = LRUCache(MAX_LOADED)

    def note_changed(self, match: MatchId) -> None:
        """Note that a match has changed: what was read of it is outdated."""
        self._versions[match] = self._versions.get(match, 0) + 1

    def version(self, match: MatchId) -> int:
        """How often `note_changed` was called for a match in memory; a snapshot may be older."""
        return self._versions.get(match, 0)

    def guild(self, match: MatchId) -> int | None:
        """The server of a match, 0 for a solo match; None if this process hasn't read it."""
        return self._guilds.get(match)

    async def of(self, match: MatchId) -> Snapshots:
        """The newest snapshots, read again only if the match has changed."""
        cached = self._loaded.get(match)
        if cached is None or cached[0] != self.version(match):
            return await self.load(match)
        return cached[1]

    async def load(self, match: MatchId) -> Snapshots:
        """The newest snapshots, read now."""
        version = self.version(match)
        snapshots = await self._matches.snapshots(match)
        self._loaded[match] = version, snapshots
        self._guilds[match] = snapshots[0].guild or 0
        return snapshots

    def forget(self, match: MatchId) -> None:
        self._versions.pop(match, None)
        self._loaded.pop(match, None)
        self._guilds.pop(match, None)
