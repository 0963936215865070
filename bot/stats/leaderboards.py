"""Leaderboards and computer ladders, as a user asks for them: which game, period and page.

Only current members of the server are on them.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Self

from bot.errors import ButtonError, MatchError
from bot.messaging.membership import ASKED, Membership, page_of_members
from bot.stats.seasons import NO_SEASON, Seasons
from bot.storage import Storage
from bot.storage.computer_ladder import RungRecord
from bot.storage.leaderboards import BoardRecord, StandingRecord
from bot.storage.pages import PageRecord, page_of_ranking
from bot.storage.seasons import SeasonRecord
from games import GAMES

PER_PAGE: Final = 10

ASKED_EACH: Final = 20
"""As `ASKED`, for each game of the overview."""

OVERVIEW_LINES: Final = 3
"""Lines per game in the overview."""

PERIODS: Final = {
    "all": "All time",
    "season": "This season",
    "month": "This month",
    "week": "This week",
}
_PERIOD: Final = re.compile(r"all|season|month|week|s(\d{1,18})", re.ASCII)
_ALL_GAMES: Final = "-"
_COMPUTERS: Final = " c"
_WORDS: Final = " w"


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which leaderboard a user wants to see; `str` gives its text for a button."""

    game: str | None = None
    """None for an overview of all games."""

    period: str = "all"
    """A key of PERIODS, or `s` and the id of a season."""

    computers: bool = False
    """Whether it is the computer ladder."""

    words: bool = False
    """Whether to show it without a picture."""

    def __str__(self) -> str:
        ladder, form = _COMPUTERS if self.computers else "", _WORDS if self.words else ""
        return f"{self.game or _ALL_GAMES} {self.period}{ladder}{form}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """The query in a button's text; raises ButtonError for any other text."""
        shown = text.removesuffix(_WORDS)
        game, _, period = shown.removesuffix(_COMPUTERS).partition(" ")
        if (game != _ALL_GAMES and game not in GAMES) or not _PERIOD.fullmatch(period):
            raise ButtonError("That leaderboard doesn't exist. Use `/leaderboard` again.")
        named = None if game == _ALL_GAMES else game
        return cls(
            game=named,
            period=period,
            computers=shown.endswith(_COMPUTERS),
            words=text.endswith(_WORDS),
        )

    @property
    def season(self) -> int | None:
        """The id of the season that the period names; None if it names none."""
        found = _PERIOD.fullmatch(self.period)
        return int(found[1]) if found is not None and found[1] else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A page of one game's leaderboard, and the seasons to choose from."""

    query: Query
    """Always about one game."""

    title: str
    """The name of the period."""

    since: int | None
    """The Unix time from which results count; None if the order is by rating."""

    page: PageRecord[StandingRecord]
    me: int
    """The id of the user who asks."""

    seasons: Sequence[SeasonRecord]
    complete: bool
    """Whether it is known which users are still in the server; if not, some may have left."""

    @property
    def game(self) -> str:
        """Which game's it is."""
        return _one_game(self.query)


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The top of each game's leaderboard; fields as in `Board`."""

    query: Query
    lines: Mapping[str, PageRecord[StandingRecord]]
    """By game; games with an empty leaderboard are left out."""

    title: str
    since: int | None
    seasons: Sequence[SeasonRecord]
    complete: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """A page of one game's computer ladder, or the top of each game's; fields as in `Board`."""

    query: Query
    title: str
    pages: Mapping[str, PageRecord[RungRecord]]
    """By game; games with an empty ladder are left out."""

    me: int
    seasons: Sequence[SeasonRecord]
    complete: bool


class Leaderboards:
    def __init__(
        self, storage: Storage, seasons: Seasons, members: Membership, *, now: Callable[[], float]
    ) -> None:
        self._storage = storage
        self._seasons = seasons
        self._members = members
        self._now = now

    async def board(self, guild: int, query: Query, number: int, me: int) -> Board:
        """Page `number`, from 0, of one game's leaderboard; the last page beyond the end."""
        seasons = await self._seasons.of(guild)
        title, record = self._period_and_board(guild, _one_game(query), query, seasons)
        first = number * PER_PAGE
        (shown,), complete = await page_of_members(
            self._members,
            guild,
            me,
            lambda gone: self._pages([record], me, first=first, count=PER_PAGE, gone=gone),
            _users,
            first=await self._first([record], ASKED),
        )
        return Board(
            query=query,
            title=title,
            since=record.since,
            page=shown,
            me=me,
            seasons=seasons,
            complete=complete,
        )

    async def overview(
        self, guild: int, query: Query, me: int, *, top: int = OVERVIEW_LINES
    ) -> Overview:
        """The `top` lines of each game's leaderboard."""
        seasons = await self._seasons.of(guild)
        asked = [self._period_and_board(guild, game, query, seasons) for game in GAMES]
        boards = [which for _, which in asked]
        shown, complete = await page_of_members(
            self._members,
            guild,
            me,
            lambda gone: self._pages(boards, me, first=0, count=top, gone=gone),
            _users,
            first=await self._first(boards, ASKED_EACH),
        )
        return Overview(
            query=query,
            lines={which.game: p for which, p in zip(boards, shown, strict=True) if p.lines},
            title=asked[0][0],
            since=boards[0].since,
            seasons=seasons,
            complete=complete,
        )

    async def ladder(self, guild: int, query: Query, number: int, me: int) -> Ladder:
        """As `board`, of the computer ladder; the top of each game's if the query names no game."""
        seasons = await self._seasons.of(guild)
        games = GAMES if query.game is None else [query.game]
        asked = [self._period_and_board(guild, game, query, seasons) for game in games]
        boards = [which for _, which in asked]
        count = OVERVIEW_LINES if query.game is None else PER_PAGE
        first = 0 if query.game is None else number * count
        async with self._storage.reading(heavy=True) as reading:
            rankings = [await reading.computer_ladders.ranking(which) for which in boards]

        async def pages_without(gone: frozenset[int]) -> list[PageRecord[RungRecord]]:
            return [
                page_of_ranking(ranking, first=first, count=count, me=me, gone=gone)
                for ranking in rankings
            ]

        asked_each = ASKED_EACH if query.game is None else ASKED
        pages, complete = await page_of_members(
            self._members,
            guild,
            me,
            pages_without,
            _users,
            first={one.user for ranking in rankings for one in ranking[:asked_each]},
        )
        return Ladder(
            query=query,
            title=asked[0][0],
            pages={which.game: p for which, p in zip(boards, pages, strict=True) if p.lines},
            me=me,
            seasons=seasons,
            complete=complete,
        )

    async def _first(self, boards: Sequence[BoardRecord], count: int) -> set[int]:
        """The user ids of the first `count` lines of each board."""
        async with self._storage.reading() as reading:
            found = [await reading.leaderboards.first_users(which, count) for which in boards]
        return set().union(*found)

    async def _pages(
        self,
        boards: Sequence[BoardRecord],
        me: int,
        *,
        first: int,
        count: int,
        gone: frozenset[int],
    ) -> list[PageRecord[StandingRecord]]:
        """A page of each board; no read stays open while Discord is asked who is in the server."""
        async with self._storage.reading() as reading:
            return [
                await reading.leaderboards.page(which, first=first, count=count, me=me, gone=gone)
                for which in boards
            ]

    def _period_and_board(
        self, guild: int, game: str, query: Query, seasons: Sequence[SeasonRecord]
    ) -> tuple[str, BoardRecord]:
        """The name of the query's period, and the leaderboard to read for it.

        Raises MatchError if the server doesn't have that season, or has none.
        """
        match query.period:
            case "all":
                return PERIODS["all"], BoardRecord(guild=guild, game=game)
            case "month" | "week":
                since = begin_of(query.period, self._now())
                return PERIODS[query.period], BoardRecord(guild=guild, game=game, since=since)
            case _:
                season = _season(query, seasons)
                return season.name, BoardRecord(guild=guild, game=game, season=season.id)


def begin_of(period: str, now: float) -> int:
    """The Unix time at which this month or week (from Monday) began, in UTC."""
    moment = datetime.fromtimestamp(now, UTC)
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    days = midnight.day - 1 if period == "month" else midnight.weekday()
    return int((midnight - timedelta(days=days)).timestamp())


def _users(pages: Iterable[PageRecord[StandingRecord] | PageRecord[RungRecord]]) -> set[int]:
    return {line.user for page in pages for line in page.lines}


def _one_game(query: Query) -> str:
    assert query.game is not None, "an overview of all games isn't a board"
    return query.game


def _season(query: Query, seasons: Sequence[SeasonRecord]) -> SeasonRecord:
    if not seasons:
        raise MatchError(NO_SEASON)
    if query.season is None:
        return seasons[0]
    for season in seasons:
        if season.id == query.season:
            return season
    raise MatchError("This server never had that season. `/season list` shows all of them.")
