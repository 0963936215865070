"""A transaction: all repositories on one connection, whose writes succeed or fail together."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property, partial
from typing import Final, Protocol, TypeVar

from sqlalchemy import delete, insert, select

from bot.storage.asks import AskRepository
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
from bot.storage.nudges import VainNudgeRepository
from bot.storage.pauses import PauseRepository
from bot.storage.people import PersonRepository
from bot.storage.personal_data import PersonalDataRepository
from bot.storage.posts import PostRepository, PostStatements, digest_posts, puzzle_posts
from bot.storage.profiles import ProfileRepository
from bot.storage.puzzle_shares import PuzzleShareRepository
from bot.storage.puzzles import PuzzleRepository
from bot.storage.ratings import RatingRepository
from bot.storage.records import MatchId
from bot.storage.repository import Changes, Repository
from bot.storage.returns import ReturnRepository
from bot.storage.schema import servers, synced_commands
from bot.storage.seasons import SeasonRepository
from bot.storage.seats import SeatRepository
from bot.storage.shares import ShareRepository
from bot.storage.traces import TraceRepository
from bot.storage.watches import WatchRepository
from games.core import Seat

R = TypeVar("R", bound=Repository)

_NO_APPLICATION: Final = 0
_REHEARSAL_TEXT: Final = "-" * 32_768
_PUZZLE_POSTS: Final = PostStatements(puzzle_posts, servers.c.puzzle_channel)
_DIGEST_POSTS: Final = PostStatements(digest_posts, servers.c.digest_channel)


def _part(repository: Callable[[ShieldedConnection, Changes, Locks], R]) -> cached_property[R]:
    """A repository that is created on first access: most transactions use two or three."""
    return cached_property(lambda of: repository(of._connection, of._changes, of._locks))  # noqa: SLF001 - it's a part of it


class Transaction:
    """All rows, as one transaction sees them.

    From `Storage.transaction`, it holds SQLite's write lock; on PostgreSQL it holds locks on the
    matches that it has loaded, and on what else it has locked. From `Storage.reading`, it sees one
    state of the database, holds no lock, and the database refuses to write.
    """

    # The life of a match.
    matches = _part(MatchRepository)
    challenges = _part(ChallengeRepository)
    asks = _part(AskRepository)
    seats = _part(SeatRepository)
    vain_nudges = _part(VainNudgeRepository)
    moves = _part(MoveRepository)
    deadlines = _part(DeadlineRepository)
    pauses = _part(PauseRepository)
    clocks = _part(ClockRepository)
    messages = _part(MessageRepository)
    match_lists = _part(MatchListRepository)
    notices = _part(NoticeRepository)
    # What people and servers have chosen.
    people = _part(PersonRepository)
    blocks = _part(BlockRepository)
    watches = _part(WatchRepository)
    lessons = _part(LessonRepository)
    guilds = _part(GuildRepository)
    # The daily puzzle, and what is posted by the clock.
    puzzles = _part(PuzzleRepository)
    puzzle_shares = _part(PuzzleShareRepository)
    puzzle_posts = _part(partial(PostRepository, statements=_PUZZLE_POSTS))
    digest_posts = _part(partial(PostRepository, statements=_DIGEST_POSTS))
    # What was played.
    ratings = _part(RatingRepository)
    seasons = _part(SeasonRepository)
    leaderboards = _part(LeaderboardRepository)
    computer_ladders = _part(ComputerLadderRepository)
    profiles = _part(ProfileRepository)
    match_histories = _part(MatchHistoryRepository)
    digests = _part(DigestRepository)
    shares = _part(ShareRepository)
    # Everything about one person.
    personal_data = _part(PersonalDataRepository)
    erasure = _part(ErasureRepository)
    traces = _part(TraceRepository)
    returns = _part(ReturnRepository)
    # The bot itself.
    commands = _part(CommandRepository)
    cluster = _part(ClusterRepository)

    def __init__(self, connection: ShieldedConnection, changes: Changes, locks: Locks) -> None:
        self._connection = connection
        self._changes = changes
        self._locks = locks

    async def ping(self) -> None:
        """Execute an empty query; raises an error if the database doesn't answer."""
        await self._connection.execute(select(1))

    async def rehearse(self) -> None:
        """Write as much as a long match needs, and delete it; an error if there is no room for it.

        A commit that changes nothing succeeds even on a full disk.
        """
        row = {"application": _NO_APPLICATION, "fingerprint": _REHEARSAL_TEXT}
        await self._connection.execute(insert(synced_commands).values(row))
        of_none = synced_commands.c.application == _NO_APPLICATION
        await self._connection.execute(delete(synced_commands).where(of_none))
        self._changes.is_rehearsed = True


class Transactions(Protocol):
    """The one way to the rows, for everything outside this package."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """A transaction that writes; committed unless the block raises."""

    def reading(self) -> AbstractAsyncContextManager[Transaction]:
        """A transaction that only reads."""

    async def pick(self, picks: Sequence[Pick]) -> Mapping[tuple[MatchId, Seat], int]:
        """Write those of these picks that can be written as they are.

        Returns them by match and seat, with the revision that their match had before.
        """
