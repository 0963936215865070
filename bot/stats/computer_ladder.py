"""The computer ladder, as a user asks for it: which game, which period, which page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.messaging.membership import ASKED, Membership, page_of_members
from bot.stats.leaderboards import ASKED_EACH, OVERVIEW_LINES, PER_PAGE, Leaderboards, Query
from bot.stats.seasons import Seasons
from bot.storage import Storage
from bot.storage.computer_ladder import RungRecord
from bot.storage.pages import PageRecord, page_of_ranking
from bot.storage.seasons import SeasonRecord
from games import GAMES


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """A page of one game's ladder, or the top of the ladder of each game."""

    query: Query
    title: str
    """The name of the period."""

    pages: Mapping[str, PageRecord[RungRecord]]
    """By game; games with an empty ladder are left out."""

    me: int
    """The id of the user who asks."""

    seasons: Sequence[SeasonRecord]
    complete: bool
    """Whether it is known which users are still in the server; if not, some may have left."""


class ComputerLadders:
    def __init__(
        self, storage: Storage, seasons: Seasons, boards: Leaderboards, members: Membership
    ) -> None:
        self._storage = storage
        self._seasons = seasons
        self._boards = boards
        self._members = members

    async def ladder(self, guild: int, query: Query, number: int, me: int) -> Ladder:
        """Page `number`, from 0, of the query's game; if that is None, the top of each game."""
        seasons = await self._seasons.of(guild)
        games = GAMES if query.game is None else [query.game]
        asked = [self._boards.period_and_board(guild, game, query, seasons) for game in games]
        boards = [board for _, board in asked]
        count = OVERVIEW_LINES if query.game is None else PER_PAGE
        first = 0 if query.game is None else number * count
        async with self._storage.reading(heavy=True) as reading:
            rankings = [await reading.computer_ladders.ranking(board) for board in boards]

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
            lambda pages: (line.user for page in pages for line in page.lines),
            first={one.user for ranking in rankings for one in ranking[:asked_each]},
        )
        return Ladder(
            query=query,
            title=asked[0][0],
            pages={b.game: p for b, p in zip(boards, pages, strict=True) if p.lines},
            me=me,
            seasons=seasons,
            complete=complete,
        )
