"""Recomputes ratings from the results: an audit of the stored ratings, and their repair."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from sqlalchemy import Row, bindparam, delete, insert, select, update

from bot.ratings import Standing, after
from bot.storage.repository import Repository
from bot.storage.results import ALL_TIME, change_of, finish_of, is_former, values_of
from bot.storage.schema import ratings, results

Key = tuple[int, str, int, int]
"""Server, game, season and user."""

Line = Row[*tuple[Any, ...]]

_CHUNK: Final = 5000


@dataclass(slots=True)
class Audit:
    """What the results say, and where the stored ratings differ from it."""

    matches: int = 0
    standings: dict[Key, Standing] = field(default_factory=dict)
    wrong_ratings: int = 0
    """The number of ratings that are missing, superfluous or not exactly what the results say."""

    wrong_results: list[dict[str, int | None]] = field(default_factory=list)
    """The results with a wrong rating change: `of_match`, `of_seat` and the correct columns."""

    @property
    def right(self) -> bool:
        return not self.wrong_ratings and not self.wrong_results


class RatingRepository(Repository):
    async def audit(self) -> Audit:
        """Recompute all ratings, in the order in which matches ended."""
        audit = Audit()
        async for lines in self._matches():
            audit.matches += 1
            _add(audit, lines, ALL_TIME)
            if lines[0].season is not None:
                _add(audit, lines, lines[0].season)
        audit.wrong_ratings = await self._compare(_without_former(audit.standings))
        return audit

    async def mend(self, audit: Audit) -> None:
        """Store what an audit in the same transaction has found to be right."""
        await self._connection.execute(delete(ratings))
        rows = [
            {"guild": guild, "game": game, "season": season, "user": user, **values_of(standing)}
            for (guild, game, season, user), standing in _without_former(audit.standings).items()
        ]
        if rows:
            await self._connection.execute(insert(ratings), rows)
        if audit.wrong_results:
            one = (results.c.match == bindparam("of_match"), results.c.seat == bindparam("of_seat"))
            await self._connection.execute(update(results).where(*one), audit.wrong_results)

    async def _matches(self) -> AsyncIterator[Sequence[Line]]:
        """The results of each rated match, by seat."""
        query = select(results).where(results.c.rated).order_by(results.c.sequence, results.c.seat)
        rest: list[Line] = []
        async with self._connection.stream(query) as rows:
            async for chunk in rows.partitions(_CHUNK):
                groups = [
                    list(g) for _, g in groupby([*rest, *chunk], key=lambda row: row.sequence)
                ]
                rest = groups.pop()  # its other seats may be in the next chunk
                for lines in groups:
                    yield lines
        if rest:
            yield rest

    async def _compare(self, right: dict[Key, Standing]) -> int:
        """How many ratings are wrong, missing or superfluous."""
        wrong, seen = 0, 0
        async with self._connection.stream(select(ratings)) as rows:
            async for chunk in rows.partitions(_CHUNK):
                for row in chunk:
                    standing = right.get((row.guild, row.game, row.season, row.user))
                    seen += standing is not None
                    known = {name: getattr(row, name) for name in _VALUES}
                    wrong += standing is None or values_of(standing) != known
        return wrong + len(right) - seen


def _add(audit: Audit, lines: Sequence[Line], season: int) -> None:
    keys: list[Key] = [(line.guild, line.game, season, line.user) for line in lines]
    before = [audit.standings.get(key, Standing()) for key in keys]
    new = after(before, [finish_of(line) for line in lines])
    audit.standings.update(zip(keys, new, strict=True))
    if season != ALL_TIME:
        return
    for line, *change in zip(lines, before, new, strict=True):
        right = change_of(line.user, (change[0], change[1]))
        if right != {"before": line.before, "after": line.after, "nth": line.nth}:
            audit.wrong_results.append({"of_match": line.match, "of_seat": line.seat, **right})


def _without_former(standings: Mapping[Key, Standing]) -> dict[Key, Standing]:
    """The standings to store: not those of people who were deleted."""
    return {key: standing for key, standing in standings.items() if not is_former(key[-1])}


_VALUES: Final = tuple(values_of(Standing()))
