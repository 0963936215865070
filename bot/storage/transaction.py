"""A transaction: the repositories over one connection, whose statements happen together or not."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, Protocol

from sqlalchemy import delete, insert, select

from bot.storage.blocks import BlockRepository
from bot.storage.challenges import ChallengeRepository
from bot.storage.clocks import ClockRepository
from bot.storage.cluster import ClusterRepository
from bot.storage.commands import CommandRepository
from bot.storage.computer_ladder import ComputerLadderRepository
from bot.storage.connection import ShieldedConnection
from bot.storage.deadlines import DeadlineRepository
from bot.storage.digests import DigestRepository
from bot.storage.erasure import ErasureRepository
from bot.storage.guilds import GuildRepository
from bot.storage.leaderboards import LeaderboardRepository
from bot.storage.lessons import LessonRepository
from bot.storage.locks import Locks
from bot.storage.match_history import MatchHistoryRepository
from bot.storage.match_list import MatchListRepository
from bot.storage.matches import MatchRepository
from bot.storage.messages import MessageRepository
from bot.storage.move_batch import Pick
from bot.storage.moves import MoveRepository
from bot.storage.notices import NoticeRepository
from bot.storage.pauses import PauseRepository
from bot.storage.people import PersonRepository
from bot.storage.personal_data import PersonalDataRepository
from bot.storage.post_tables import digest_posts, puzzle_posts
from bot.storage.posts import PostRepository
from bot.storage.profiles import ProfileRepository
from bot.storage.puzzles import PuzzleRepository
from bot.storage.ratings import RatingRepository
from bot.storage.records import MatchId
from bot.storage.repository import Changes
from bot.storage.returns import ReturnRepository
from bot.storage.schema import servers, synced_commands
from bot.storage.seasons import SeasonRepository
from bot.storage.seats import SeatRepository
from bot.storage.shares import ShareRepository
from bot.storage.watches import WatchRepository
from games.core import Seat

_NO_APPLICATION: Final = 0
_REHEARSED: Final = "-" * 32_768


class Transaction:
    """All rows, as one transaction sees them.

    One of `Storage.transaction` holds the write lock of SQLite; on PostgreSQL it holds the matches
    that it has loaded, and what else it has locked. One of `Storage.reading` sees one state of the
    database and holds no lock; the database refuses to write in it.
    """

    def __init__(self, connection: ShieldedConnection, changes: Changes, locks: Locks) -> None:
        of = (connection, changes, locks)
        self._connection = connection
        self._changes = changes
        # The life of a match.
        self.matches = MatchRepository(*of)
        self.challenges = ChallengeRepository(*of)
        self.seats = SeatRepository(*of)
        self.moves = MoveRepository(*of)
        self.deadlines = DeadlineRepository(*of)
        self.pauses = PauseRepository(*of)
        self.clocks = ClockRepository(*of)
        self.messages = MessageRepository(*of)
        self.match_lists = MatchListRepository(*of)
        self.notices = NoticeRepository(*of)
        # What people and servers have chosen.
        self.people = PersonRepository(*of)
        self.blocks = BlockRepository(*of)
        self.watches = WatchRepository(*of)
        self.lessons = LessonRepository(*of)
        self.guilds = GuildRepository(*of)
        # The daily puzzle, and what is posted by the clock.
        self.puzzles = PuzzleRepository(*of)
        self.puzzle_posts = PostRepository(*of, posts=puzzle_posts, wanted=servers.c.puzzle_channel)
        self.digest_posts = PostRepository(*of, posts=digest_posts, wanted=servers.c.digest_channel)
        # What was played.
        self.ratings = RatingRepository(*of)
        self.seasons = SeasonRepository(*of)
        self.leaderboards = LeaderboardRepository(*of)
        self.computer_ladders = ComputerLadderRepository(*of)
        self.profiles = ProfileRepository(*of)
        self.match_histories = MatchHistoryRepository(*of)
        self.digests = DigestRepository(*of)
        self.shares = ShareRepository(*of)
        # Everything about one person.
        self.personal_data = PersonalDataRepository(*of)
        self.erasure = ErasureRepository(*of)
        self.returns = ReturnRepository(*of)
        # The bot itself.
        self.commands = CommandRepository(*of)
        self.cluster = ClusterRepository(*of)

    async def ping(self) -> None:
        """Ask the database for nothing; an error if it does not answer."""
        await self._connection.execute(select(1))

    async def rehearse(self) -> None:
        """Write as much as a long match takes, and take it back; an error where there is no room.

        A commit that changes nothing succeeds on a full disk too.
        """
        row = {"application": _NO_APPLICATION, "fingerprint": _REHEARSED}
        await self._connection.execute(insert(synced_commands).values(row))
        of_none = synced_commands.c.application == _NO_APPLICATION
        await self._connection.execute(delete(synced_commands).where(of_none))
        self._changes.is_rehearsed = True


class Transactions(Protocol):
    """The one way to the rows: what everything outside needs of the storage."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """A transaction that writes; committed when the block is left without an error."""

    def reading(self) -> AbstractAsyncContextManager[Transaction]:
        """A transaction that only reads."""

    async def pick(self, picks: Sequence[Pick]) -> set[tuple[MatchId, Seat]]:
        """Write those of these picks that can be written as they are; which they were."""
