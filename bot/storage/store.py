"""The database of one bot, open: transactions for matches, and the small reads and writes."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final, Self

import structlog
from sqlalchemy import select, update
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.storage import engine, erasure, move_batch, startup
from bot.storage.group_commit import GroupCommit
from bot.storage.people import PersonRecord
from bot.storage.records import MatchId, MatchRecord, MessageRef
from bot.storage.schema import matches, people, places, synced_commands
from bot.storage.transaction import Transaction
from bot.telemetry.metrics import HAPPENED
from games.core import Seat

log = structlog.get_logger()

PREFERENCES: Final = {"desk": "dm", "pictures": True, "remind": "dm", "hidden": False}
"""What somebody has who has chosen nothing."""


class Storage:
    """All that is kept, in one SQLite file that no other process may use meanwhile."""

    def __init__(self, writer: GroupCommit, readers: AsyncEngine) -> None:
        self._writer = writer
        self._readers = readers
        self.due_written: Callable[[int], None] = lambda due_at: None
        """Told of each moment for the clock to act that was committed; the clock listens."""

        self.computers_met: Callable[[MatchId], None] = lambda match: None
        """Told of each match with computers that a transaction was about, once it is committed."""

    @classmethod
    @asynccontextmanager
    async def open(cls, file: Path) -> AsyncIterator[Self]:
        """The database in this file, made or migrated first; InUseError if it is in use."""
        async with AsyncExitStack() as stack:
            stack.enter_context(startup.alone(file))
            await startup.migrate(file)
            writer, readers = GroupCommit(engine.writer(file)), engine.readers(file)
            stack.push_async_callback(writer.dispose)
            stack.push_async_callback(readers.dispose)
            yield cls(writer, readers)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """A transaction that holds the write lock; it is committed unless an error leaves it."""
        async with self._writer.transaction() as connection:
            writing = Transaction(connection)
            yield writing
        if writing.due_at is not None:
            self.due_written(writing.due_at)
        for match in writing.computers:
            self.computers_met(match)
        for match, game, what in writing.news:
            HAPPENED.labels(game, what).inc()
            log.info("match", match=match, game=game, became=what)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that sees one state of the database and holds no lock."""
        async with self._readers.connect() as connection:
            yield connection

    async def pick(self, picks: Sequence[move_batch.Pick]) -> set[tuple[MatchId, Seat]]:
        """Write those of these picks that can be written as they are; see `choosing`."""
        async with self._writer.transaction() as connection:
            return await move_batch.write(connection, picks)

    async def match(self, match: MatchId) -> MatchRecord | None:
        """The match as it stands now, or None."""
        async with self._readers.connect() as connection:
            return await Transaction(connection).match(match)

    async def unsettled(self) -> Sequence[MatchId]:
        """The matches whose last word may not stand everywhere yet, open and running ones too."""
        async with self._readers.connect() as connection:
            rows = await connection.execute(
                select(matches.c.id).where(~matches.c.settled).order_by(matches.c.id)
            )
            return [MatchId(row.id) for row in rows]

    async def settle(self, match: MatchId) -> None:
        """Note that nothing about this match is left to be shown."""
        async with self._writer.transaction() as connection:
            await connection.execute(
                update(matches).where(matches.c.id == match).values(settled=True)
            )

    async def places(self, match: MatchId) -> Mapping[int, MessageRef]:
        """Where the match is shown: TABLE and the seats that have a desk."""
        async with self._readers.connect() as connection:
            rows = await connection.execute(select(places).where(places.c.match == match))
            return {
                row.place: MessageRef(
                    channel=row.channel, message=row.message, shown=row.shown, turn=row.turn
                )
                for row in rows
            }

    async def put_place(self, match: MatchId, place: int, record: MessageRef) -> None:
        values = {
            "channel": record.channel,
            "message": record.message,
            "shown": record.shown,
            "turn": record.turn,
        }
        async with self._writer.transaction() as connection:
            await connection.execute(
                upsert(places)
                .values(match=match, place=place, **values)
                .on_conflict_do_update(index_elements=["match", "place"], set_=values)
            )

    async def put_shown(self, shown: Mapping[tuple[MatchId, int], str]) -> None:
        """Note what stands at many places now, in one transaction."""
        async with self._writer.transaction() as connection:
            for (match, place), key in shown.items():
                await connection.execute(
                    update(places)
                    .where(places.c.match == match, places.c.place == place)
                    .values(shown=key)
                )

    async def person(self, user: int) -> PersonRecord:
        async with self._readers.connect() as connection:
            row = (
                await connection.execute(
                    select(people.c.dm_channel, people.c.dm_closed_at).where(people.c.user == user)
                )
            ).one_or_none()
        if row is None:
            return PersonRecord(dm_channel=None, dm_closed_at=None)
        return PersonRecord(dm_channel=row.dm_channel, dm_closed_at=row.dm_closed_at)

    async def put_person(self, user: int, record: PersonRecord) -> None:
        values = {"dm_channel": record.dm_channel, "dm_closed_at": record.dm_closed_at}
        async with self._writer.transaction() as connection:
            await connection.execute(
                upsert(people)
                .values(user=user, **PREFERENCES, **values)
                .on_conflict_do_update(index_elements=["user"], set_=values)
            )

    async def forget_user(self, user: int) -> None:
        """Take a person's id out of every table; finished matches keep a former player."""
        async with self._writer.transaction() as connection:
            await erasure.forget(connection, user)

    async def fingerprint(self, application: int) -> str | None:
        """The fingerprint of the slash commands that Discord has from us, if any."""
        async with self._readers.connect() as connection:
            return (
                await connection.execute(
                    select(synced_commands.c.fingerprint).where(
                        synced_commands.c.application == application
                    )
                )
            ).scalar_one_or_none()

    async def put_fingerprint(self, application: int, fingerprint: str) -> None:
        async with self._writer.transaction() as connection:
            await connection.execute(
                upsert(synced_commands)
                .values(application=application, fingerprint=fingerprint)
                .on_conflict_do_update(
                    index_elements=["application"], set_={"fingerprint": fingerprint}
                )
            )
