"""The seasons of a server: each begins when it's started, and ends when the next one is."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.repository import Repository
from bot.storage.schema import seasons

LEFT_SECONDS: Final = 20
"""How long the process that started a season has to announce it before the clock does: Discord then
still knows the nonce of what it may have posted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRecord:
    id: int
    name: str
    started_at: int
    ended_at: int | None
    """None for the current season."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unannounced:
    """A season whose start has yet to be announced."""

    guild: int
    id: int
    announce_in: int
    """The channel."""

    started_at: int

    @property
    def due_at(self) -> int:
        """When the clock announces it (Unix time)."""
        return self.started_at + LEFT_SECONDS


_UNANNOUNCED: Final = Columns(Unannounced, seasons)

_SEASON: Final = Columns(SeasonRecord, seasons, besides={"ended_at"})

_UNSEEN: Final = re.compile(
    "[\u034f\u17b4\u17b5\u180b-\u180f\u2065\ufe00-\ufe0f\U000e0000-\U000e0fff]"
)
"""Invisible characters that Unicode counts as marks, or has not assigned."""


def folded_name(name: str) -> str:
    """A name with differences in case, spacing and Unicode form removed.

    Invisible characters, such as joiners and variation selectors, are removed too.
    """
    plain = _UNSEEN.sub("", unicodedata.normalize("NFKC", name).casefold())
    return " ".join("".join(c for c in plain if unicodedata.category(c) != "Cf").split())


class SeasonRepository(Repository):
    async def start(
        self, guild: int, name: str, now: int, announce_in: int | None = None
    ) -> int | None:
        """Start a season, which ends the one before; None if the server had one with this name.

        Returns its id. It's to be announced in `announce_in`, if given, until `note_announced`.
        Locks the server, so that no other season is started there.
        """
        await self._locks.ids(guild)
        if announce_in is not None:
            self._changes.wake_at(now + LEFT_SECONDS)
        made = await self._connection.execute(
            upsert(seasons)
            .values(
                guild=guild,
                name=name,
                folded=folded_name(name),
                started_at=now,
                announce_in=announce_in,
            )
            .on_conflict_do_nothing(index_elements=["guild", "folded"])
            .returning(seasons.c.id)
        )
        season: int | None = made.scalar_one_or_none()
        return season

    async def note_announced(self, season: int) -> None:
        """Record that a season has been announced."""
        done = update(seasons).where(seasons.c.id == season).values(announce_in=None)
        await self._connection.execute(done)

    async def unannounced(self) -> Sequence[Unannounced]:
        """The seasons of all servers that have yet to be announced, the oldest first."""
        waiting = select(*_UNANNOUNCED.columns).where(seasons.c.announce_in.is_not(None))
        # Sorted here: for ORDER BY, SQLite would read all seasons there ever were.
        found = [_UNANNOUNCED.of(row) for row in await self._connection.execute(waiting)]
        return sorted(found, key=lambda one: one.id)

    async def of(self, guild: int) -> Sequence[SeasonRecord]:
        """The seasons of a server, the newest first."""
        query = select(*_SEASON.columns).where(seasons.c.guild == guild)
        found: list[SeasonRecord] = []
        for row in await self._connection.execute(query.order_by(seasons.c.id.desc())):
            found.append(_SEASON.of(row, ended_at=found[-1].started_at if found else None))
        return found
