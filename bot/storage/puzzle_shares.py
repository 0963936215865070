"""Which solved puzzles people have shared, and where the posts stand.

A day is a number: days since 1970, UTC. All other moments are in seconds since 1970.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    ForeignKeyConstraint,
    Index,
    Table,
    and_,
    delete,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.puzzles import puzzle_answers
from bot.storage.records import Spot
from bot.storage.repository import Repository
from bot.storage.schema import NUMBER, metadata
from bot.storage.shares import is_old

puzzle_shares = Table(
    "puzzle_shares",
    metadata,
    Column("day", NUMBER, primary_key=True),  # days since 1970, UTC
    Column("user", BigInteger, primary_key=True),  # who shared it; once each and server
    Column("guild", BigInteger, primary_key=True),
    Column("channel", BigInteger, nullable=False),
    Column("message", BigInteger),  # null until it stands
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
class PuzzleShareRecord:
    """A solved puzzle that somebody shares, once a server."""

    day: int
    user: int
    guild: int
    channel: int
    message: int | None
    """None until the post stands, and where the process died before that was known."""

    shared_at: int


_SHARE = Columns(PuzzleShareRecord, puzzle_shares)


def _one(day: int, user: int, guild: int) -> ColumnElement[bool]:
    share = puzzle_shares.c
    return and_(share.day == day, share.user == user, share.guild == guild)


class PuzzleShareRepository(Repository):
    async def of(self, day: int, user: int, guild: int) -> PuzzleShareRecord | None:
        """The post of this person in a server about the puzzle of a day."""
        query = select(*_SHARE.columns).where(_one(day, user, guild))
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else _SHARE.of(row)

    async def claim(self, wanted: PuzzleShareRecord) -> PuzzleShareRecord | None:
        """Note what is about to be posted; what was noted before, if that stands or still may.

        None where nothing is known of a right answer any more.
        """
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
        await self._connection.execute(
            upsert(puzzle_shares)
            .values(**_SHARE.values(wanted))
            .on_conflict_do_update(
                index_elements=["day", "user", "guild"],
                set_={"channel": wanted.channel, "shared_at": wanted.shared_at},
                where=and_(
                    puzzle_shares.c.message.is_(None),
                    is_old(puzzle_shares.c.shared_at, wanted.shared_at),
                ),
            )
        )
        return await self.of(wanted.day, wanted.user, wanted.guild)

    async def note_posted(self, share: PuzzleShareRecord, message: int) -> bool:
        """Note where a post stands; False where nothing is known of it any more."""
        noted = await self._connection.execute(
            update(puzzle_shares)
            .where(
                _one(share.day, share.user, share.guild),
                puzzle_shares.c.shared_at == share.shared_at,
            )
            .values(message=message)
        )
        return noted.rowcount == 1

    async def release(self, gone: PuzzleShareRecord) -> None:
        """Let a puzzle be shared again whose post is gone, or never came, unless another has."""
        await self._connection.execute(
            delete(puzzle_shares).where(
                _one(gone.day, gone.user, gone.guild), puzzle_shares.c.message == gone.message
            )
        )

    async def latest(self, user: int, limit: int) -> Sequence[Spot]:
        """Where the last posts of this person stand."""
        query = (
            select(puzzle_shares.c.channel, puzzle_shares.c.message)
            .where(puzzle_shares.c.user == user, puzzle_shares.c.message.is_not(None))
            .order_by(puzzle_shares.c.shared_at.desc())
            .limit(limit)
        )
        return [Spot(row.channel, row.message) for row in await self._connection.execute(query)]
