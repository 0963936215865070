"""The seasons of a server: how one is begun, and how one is meant by what somebody types."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from bot.errors import MatchError
from bot.storage import Storage
from bot.storage.seasons import SeasonRecord, Unannounced, folded
from bot.text import BLANK

MAX_NAME_LENGTH: Final = 40
"""Characters of a season's name."""

MAX_SEASONS: Final = 500
"""Seasons of one server: leaderboards read all of them, and so does each letter that is typed to
find one."""

_JOINING: Final = re.compile(
    "(?<=[^\0-\u02ff\u2000-\u206f])[\u200c\u200d](?=[^\0-\u02ff\u2000-\u206f])"
    "|(?<=\U0001f3f4)[\U000e0020-\U000e007e]+\U000e007f"
)
"""What shows nothing by itself but makes one sign of several, or letters as they are written: in a
family or a rainbow flag, in Persian and Hindi, and after the black flag of England or Wales."""

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
    """A season that has begun, and the one that ended by that, if any."""

    season: SeasonRecord
    before: SeasonRecord | None


class Seasons:
    def __init__(self, storage: Storage, *, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now

    async def named(self, guild: int, name: str) -> str:
        """How a new season would be called; MatchError where it cannot be called so."""
        name, before = tidy(name), await self.of(guild)
        if folded(name) in {folded(season.name) for season in before}:
            raise MatchError(TAKEN)
        if len(before) >= MAX_SEASONS:
            raise MatchError(FULL)
        return name

    async def start(
        self, guild: int, name: str, *, ending: int | None = None, announce_in: int | None = None
    ) -> Started:
        """Begin a season, which ends the one before; MatchError where it cannot be called so.

        Nor does it begin where another season than this one would end, 0 for none; None for any.
        `announce_in` is the channel in which it is to be announced, until `note_announced`.
        """
        name, now = tidy(name), int(self._now())
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
        """Note that everybody was told, or that nobody can be any more."""
        async with self._storage.transaction() as writing:
            await writing.seasons.note_announced(season.id)

    async def unannounced(self) -> Sequence[Unannounced]:
        """What has still to be announced, in any server, the oldest first."""
        async with self._storage.reading() as reading:
            return await reading.seasons.unannounced()

    async def started(self, guild: int, season: int) -> Started | None:
        """The season with this number, and the one that ended by it; None if it is gone."""
        found = [one for one in await self.of(guild) if one.id <= season]
        if not found or found[0].id != season:
            return None
        return Started(season=found[0], before=found[1] if len(found) > 1 else None)

    async def of(self, guild: int) -> Sequence[SeasonRecord]:
        """All seasons of a server, the newest first."""
        async with self._storage.reading() as reading:
            return await reading.seasons.of(guild)

    async def called(self, guild: int, name: str) -> SeasonRecord:
        """The season of this name; MatchError if there is none."""
        wanted = folded(name)
        for season in await self.of(guild):
            if folded(season.name) == wanted:
                return season
        raise MatchError(
            "This server has no season with this name. Pick one from the list; `/season "
            "list` shows them all."
        )


def tidy(name: str) -> str:
    """A name as it is kept; MatchError where it cannot be read or is too long."""
    name = " ".join(name.split())
    if not any(c.isalnum() for c in name):
        raise MatchError("A season name needs a letter or a digit, like Spring 2027.")
    shows = _JOINING.sub("", name)
    if any(c in BLANK or unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co"} for c in shows):
        raise MatchError("This name has invisible characters. Type it again.")
    if len(name) > MAX_NAME_LENGTH:
        raise MatchError(
            f"A season name can have at most {MAX_NAME_LENGTH} characters. Choose a shorter one."
        )
    return name
