"""The course of ratings: current, best, and over time, with as few points as a plot needs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.ratings import is_established
from bot.storage.profiles import PlayedRecord

STEPS: Final = 120
"""Intervals of time into which a history is divided if it has more points than a plot can show; the
first, last, best and worst point of each are kept."""


class Point(NamedTuple):
    """A rating after a match."""

    at: int
    rating: int
    nth: int
    """The number of rated matches up to and including this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingHistory:
    """A user's rating in one game and server, after each rated match."""

    guild: int
    game: str
    points: tuple[Point, ...]
    change: int
    """The rating points that the last rated match added (or, if negative, took)."""

    @property
    def now(self) -> Point:
        return self.points[-1]

    @property
    def best(self) -> Point:
        """The highest rating, where it was first reached; provisional only if all ratings are."""
        return max(self._settled(), key=lambda point: (point.rating, -point.nth))

    @property
    def worst(self) -> Point:
        return min(self._settled(), key=lambda point: (point.rating, point.nth))

    def _settled(self) -> Sequence[Point]:
        return [p for p in self.points if is_established(p.nth)] or self.points

    def thinned(self) -> "RatingHistory":
        """The history with at most a few hundred points; current, best and worst are among them."""
        if len(self.points) <= 4 * STEPS:
            return self
        begin, end = self.points[0].at, self.now.at
        width = max(1, -(-(end - begin + 1) // STEPS))
        stretches: dict[int, list[Point]] = defaultdict(list)
        for point in self.points:
            stretches[(point.at - begin) // width].append(point)
        kept = {self.points[0], self.best, self.worst, self.now}
        for stretch in stretches.values():
            rated = sorted(stretch, key=lambda point: point.rating)
            kept |= {stretch[0], stretch[-1], rated[0], rated[-1]}
        points = tuple(sorted(kept, key=lambda point: point.nth))
        return RatingHistory(guild=self.guild, game=self.game, points=points, change=self.change)


def rating_histories(played: Iterable[PlayedRecord]) -> Sequence[RatingHistory]:
    """A user's rating history in each game and server; `played` is in the order of results."""
    found: Mapping[tuple[int, str], list[Point]] = defaultdict(list)
    changes: dict[tuple[int, str], int] = {}
    for match in played:
        if match.before is None or match.after is None or match.nth is None:
            continue
        key = match.guild, match.game
        found[key].append(Point(match.ended_at, match.after, match.nth))
        changes[key] = match.after - match.before
    return [
        RatingHistory(guild=guild, game=game, points=tuple(points), change=changes[guild, game])
        for (guild, game), points in found.items()
    ]
