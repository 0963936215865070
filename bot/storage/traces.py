"""Messages that still show what they should not: what is to be done with each, until it is.

They show somebody who was deleted, or a table in whose place another one stands elsewhere.
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
    # No reference: a solo match is deleted with its player, and its hand still stands.
    Column("match", NUMBER, nullable=False),
    Column("due_at", NUMBER, nullable=False),  # when it is seen to, or tried again
    Column("until", NUMBER, nullable=False),  # when it is tried for the last time
    sqlite_with_rowid=False,
)

Kind = Literal["hand", "table", "signpost", "share", "mention", "leftover"]

TRACE_LIFE: Final = timedelta(days=7)
"""For so long a message is tried again; once in any case."""

_KEY: Final = tuple_(traces.c.channel, traces.c.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceRecord:
    """A message that shows whoever was deleted, or an old table. Who that was is not kept."""

    kind: Kind
    match: MatchId
    channel: int
    message: int
    due_at: int
    """When it is seen to, or tried again, in seconds since 1970."""

    until: int
    """When it is tried for the last time."""

    @classmethod
    def due(cls, kind: Kind, match: MatchId, at: MessageRef | Spot, now: int) -> "TraceRecord":
        """A message that is to be seen to at once."""
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
        """Note messages that are to be seen to, also if they were noted before."""
        if records:
            noted = upsert(traces)
            again = {"due_at": noted.excluded.due_at, "until": noted.excluded.until}
            await self._connection.execute(
                noted.on_conflict_do_update(index_elements=["channel", "message"], set_=again),
                [_TRACE.values(record) for record in records],
            )

    async def any_due(self, now: int) -> bool:
        """Whether a message is to be seen to by now."""
        return (await self._connection.execute(_ANY_DUE, {"now": now})).first() is not None

    async def take_due(self, now: int, again_at: int, limit: int) -> Sequence[TraceRecord]:
        """So many messages that are to be seen to by now, the newest first.

        They are due again at the other moment, unless they are forgotten by then: whoever has taken
        them may die. What another process is just taking is left to it.
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
        found = [_TRACE.of(row) for row in taken]
        return sorted(found, key=lambda record: record.message, reverse=True)

    async def forget(self, record: TraceRecord) -> None:
        """Keep nothing of a message that was seen to as it was taken; it may be due anew since."""
        await self._connection.execute(
            delete(traces).where(
                traces.c.channel == record.channel,
                traces.c.message == record.message,
                traces.c.due_at == record.due_at,
            )
        )
