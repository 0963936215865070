"""Which solved puzzles people have shared, and where the posts are.

A day is a number of days since 1970 in UTC. All other moments are Unix times in seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import BigInteger, Column, ForeignKeyConstraint, Index, Table, select

from bot.storage.columns import Columns
from bot.storage.puzzles import puzzle_answers
from bot.storage.records import Spot
from bot.storage.schema import NUMBER, metadata
from bot.storage.shares import SharedPostRecord, SharedPostRepository

puzzle_shares = Table(
    "puzzle_shares",
    metadata,
    Column("day", NUMBER, primary_key=True),  # days since 1970, UTC
    Column("user", BigInteger, primary_key=True),  # who shared it, once per server
    Column("guild", BigInteger, primary_key=True),
    Column("channel", BigInteger, nullable=False),
    Column("message", BigInteger),  # null until it's sent
    Column("shared_at", NUMBER, nullable=False),
    ForeignKeyConstraint(
        ["day", "user"],
        ["puzzle_answers.day", "puzzle_answers.user"],
        name="fk_puzzle_shares_puzzle_answers",
        ondelete="CASCADE",
    ),
    sqlite_with_rowid=False,
)
Index("ix_puzzle_shares_user", puzzle_shares.c.user)
Index("ix_puzzle_shares_guild", puzzle_shares.c.guild)


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleShareRecord(SharedPostRecord):
    """A solved puzzle that a person shares, once per server."""

    day: int
    user: int
    guild: int


class PuzzleShareRepository(SharedPostRepository[PuzzleShareRecord]):
    table = puzzle_shares
    columns = Columns(PuzzleShareRecord, puzzle_shares)

    async def claim(self, wanted: PuzzleShareRecord) -> PuzzleShareRecord | None:
        """See `SharedPostRepository.claim`; None also if no right answer is stored any longer."""
        solved = (
            select(puzzle_answers.c.day)
            .where(
                puzzle_answers.c.day == wanted.day,
                puzzle_answers.c.user == wanted.user,
                puzzle_answers.c.solved.is_(True),
            )
            .with_for_update(read=True, key_share=True)
        )
        if (await self._connection.execute(solved)).first() is None:
            return None
        return await super().claim(wanted)

    async def latest(self, user: int, limit: int) -> Sequence[Spot]:
        """Where the last `limit` posts of this person are."""
        query = (
            select(puzzle_shares.c.channel, puzzle_shares.c.message)
            .where(puzzle_shares.c.user == user, puzzle_shares.c.message.is_not(None))
            .order_by(puzzle_shares.c.shared_at.desc())
            .limit(limit)
        )
        return [Spot(row.channel, row.message) for row in await self._connection.execute(query)]
