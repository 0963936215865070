"""The seasons of a server: starting, announcing and finding them by name."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.errors import MatchError
from bot.storage import Storage
from bot.storage.seasons import SeasonRecord, Unannounced, folded_name
from bot.text import BLANK

MAX_NAME_LENGTH: Final = 40
"""The maximum length of a season's name, in characters."""

MAX_SEASONS: Final = 500
"""Seasons per server: leaderboards read them all, and autocomplete does at each letter typed."""

_JOINING: Final = re.compile(
    "(?<=[^\0-\u02ff\u2000-\u206f])[\u200c\u200d](?=[^\0-\u02ff\u2000-\u206f])"
    "|(?<=\U0001f3f4)[\U000e0020-\U000e007e]+\U000e007f"
)
"""Invisible characters that are part of visible ones, so they are allowed: joiners in emoji (such
as families and the rainbow flag) and in scripts such as Persian and Hindi, and the tags that make
the flags of England and Wales."""

NO_SEASON: Final = (
    "This server has no season yet. A server manager can start one with `/season start`."
)

TAKEN: Final = (
    "This server already has a season with this name. Choose another name; `/season list` shows "
    "the ones taken."
)
FULL: Final = (
    f"This server has had {MAX_SEASONS} seasons, the most there can be, so the last one goes on."
)

MEANWHILE: Final = (
    "Another season has started in the meantime, and this would end it. If that's what you want, "
    "use `/season start` again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A season, and the one that ended when it started, if any."""

    season: SeasonRecord
    before: SeasonRecord | None


class Seasons:
    def __init__(self, storage: Storage, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now

    async def checked_name(self, guild: int, name: str) -> str:
        """The tidied name for a new season; raises MatchError if a season can't have it."""
        name, before = clean_name(name), await self.of(guild)
        if folded_name(name) in {folded_name(season.name) for season in before}:
            raise MatchError(TAKEN)
        if len(before) >= MAX_SEASONS:
            raise MatchError(FULL)
        return name

    async def start(
        self, guild: int, name: str, *, ending: int | None = None, announce_in: int | None = None
    ) -> Started:
        """Start a season, which ends the one before; raises MatchError if it can't have this name.

        `ending` is the id of the season that is expected to end, 0 if none is; raises MatchError if
        it's a different one. None ends any. `announce_in` is the channel in which the clock
        announces the season, unless `note_announced` is called before.
        """
        name, now = clean_name(name), int(self._now())
        async with self._storage.transaction() as writing:
            if await writing.seasons.start(guild, name, now, announce_in) is None:
                raise MatchError(TAKEN)
            season, *earlier = await writing.seasons.of(guild)
            if len(earlier) >= MAX_SEASONS:
                raise MatchError(FULL)
            before = earlier[0] if earlier else None
            if ending not in {None, 0 if before is None else before.id}:
                raise MatchError(MEANWHILE)
        return Started(season=season, before=before)

    async def note_announced(self, season: SeasonRecord) -> None:
        """Note that a season has been announced, or that it can't be."""
        async with self._storage.transaction() as writing:
            await writing.seasons.note_announced(season.id)

    async def unannounced(self) -> Sequence[Unannounced]:
        """The seasons that have still to be announced, in all servers; oldest first."""
        async with self._storage.reading() as reading:
            return await reading.seasons.unannounced()

    async def started(self, guild: int, season: int) -> Started | None:
        """The season with this id, and the one it ended; None if the season is gone."""
        found = [one for one in await self.of(guild) if one.id <= season]
        if not found or found[0].id != season:
            return None
        return Started(season=found[0], before=found[1] if len(found) > 1 else None)

    async def of(self, guild: int) -> Sequence[SeasonRecord]:
        """All seasons of a server, newest first."""
        async with self._storage.reading() as reading:
            return await reading.seasons.of(guild)

    async def by_name(self, guild: int, name: str) -> SeasonRecord:
        """The season with this name, in any spelling (`folded_name`); MatchError if none."""
        wanted = folded_name(name)
        for season in await self.of(guild):
            if folded_name(season.name) == wanted:
                return season
        raise MatchError(
            "This server has no season with this name. Pick one from the list; `/season "
            "list` shows them all."
        )


def clean_name(name: str) -> str:
    """A name as it is stored; raises MatchError if it is unreadable or too long."""
    name = " ".join(name.split())
    if not any(c.isalnum() for c in name):
        raise MatchError("A season name needs a letter or a digit, like Spring 2027.")
    visible = _JOINING.sub("", name)
    if any(c in BLANK or unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co"} for c in visible):
        raise MatchError("This name has invisible characters. Type it again.")
    if len(name) > MAX_NAME_LENGTH:
        raise MatchError(
            f"A season name can have at most {MAX_NAME_LENGTH} characters. Choose a shorter one."
        )
    return name
