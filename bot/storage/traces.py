"""Messages that still show what they shouldn't, and what has to be done with each.

They show a person who was deleted, or an old table that has been replaced elsewhere.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from sqlalchemy import BigInteger, Column, Table, Text, bindparam, delete, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.records import MatchId, MessageRef, Spot
from bot.storage.repository import Repository
from bot.storage.schema import NUMBER, metadata

traces = Table(
    "traces",
    metadata,
    Column("channel", BigInteger, primary_key=True, autoincrement=False),
    Column("message", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),  # hand, table, signpost, share, mention, leftover
    # No foreign key: a solo match is deleted with its player, but its hand still exists.
    Column("match", NUMBER, nullable=False),
    Column("due_at", NUMBER, nullable=False),  # when it's edited or deleted, or that is tried again
    Column("until", NUMBER, nullable=False),  # when it's tried for the last time
    sqlite_with_rowid=False,
)

Kind = Literal["hand", "table", "signpost", "share", "mention", "leftover"]

TRACE_LIFE: Final = timedelta(days=7)
"""How long a message is retried; it's tried once in any case."""

_KEY: Final = tuple_(traces.c.channel, traces.c.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRecord:
    """A message that shows a deleted person, or an old table. The person isn't stored."""

    kind: Kind
    match: MatchId
    channel: int
    message: int
    due_at: int
    """When it's edited or deleted, or that is tried again (Unix time)."""

    until: int
    """When it's tried for the last time (Unix time)."""

    @classmethod
    def due(cls, kind: Kind, match: MatchId, at: MessageRef | Spot, now: int) -> "TraceRecord":
        """A record that is due now."""
        return cls(
            kind=kind,
            match=match,
            channel=at.channel,
            message=at.message,
            due_at=now,
            until=now + int(TRACE_LIFE.total_seconds()),
        )


_TRACE: Final = Columns(TraceRecord, traces)

_ANY_DUE: Final = select(traces.c.message).where(traces.c.due_at <= bindparam("now")).limit(1)


class TraceRepository(Repository):
    async def put(self, records: Collection[TraceRecord]) -> None:
        """Store messages to edit or delete; those already stored are due again."""
        if records:
            noted = upsert(traces)
            again = {"due_at": noted.excluded.due_at, "until": noted.excluded.until}
            await self._connection.execute(
                noted.on_conflict_do_update(index_elements=["channel", "message"], set_=again),
                [_TRACE.values(record) for record in records],
            )

    async def any_due(self, now: int) -> bool:
        """Whether any message is due."""
        return (await self._connection.execute(_ANY_DUE, {"now": now})).first() is not None

    async def take_due(self, now: int, again_at: int, limit: int) -> Sequence[TraceRecord]:
        """Up to `limit` due messages, the newest first; they become due again at `again_at`.

        That is for the case that the process that takes them dies before it is done. Messages that
        another process is taking are skipped.
        """
        due = (
            select(traces.c.channel, traces.c.message)
            .where(traces.c.due_at <= now)
            .order_by(traces.c.message.desc())
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        taken = await self._connection.execute(
            update(traces).where(_KEY.in_(due)).values(due_at=again_at).returning(*_TRACE.columns)
        )
        records = [_TRACE.of(row) for row in taken]
        return sorted(records, key=lambda record: record.message, reverse=True)

    async def forget(self, record: TraceRecord) -> None:
        """Delete the record of a message that is done, unless it has become due again since."""
        await self._connection.execute(
            delete(traces).where(
                traces.c.channel == record.channel,
                traces.c.message == record.message,
                traces.c.due_at == record.due_at,
            )
        )
