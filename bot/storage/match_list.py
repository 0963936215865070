"""All that somebody plays now or is asked to play, in one query."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from sqlalchemy import and_
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased

from bot.storage.records import TABLE, MatchRecord
from bot.storage.schema import matches, places, seats
from bot.storage.transaction import LOAD, match_of
from bot.text import message_link


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a message stands."""

    channel: int
    message: int

    def url(self, guild: int | None) -> str:
        """The way there, in this server; None for direct messages."""
        return message_link(guild, self.channel, self.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRecord:
    match: MatchRecord
    table: Spot | None
    desk: Spot | None
    """The desk of the one who asks."""


async def listed(connection: AsyncConnection, user: int) -> Sequence[ListedRecord]:
    """The open and running matches in which this person has a seat, oldest first."""
    own, table, desk = aliased(seats), aliased(places), aliased(places)
    query = (
        LOAD.add_columns(
            table.c.channel.label("table_channel"),
            table.c.message.label("table_message"),
            desk.c.channel.label("desk_channel"),
            desk.c.message.label("desk_message"),
        )
        .join(own, and_(own.c.match == matches.c.id, own.c.user == user, own.c.left.is_(None)))
        .outerjoin(table, and_(table.c.match == matches.c.id, table.c.place == TABLE))
        .outerjoin(desk, and_(desk.c.match == matches.c.id, desk.c.place == own.c.seat))
        .where(matches.c.status.in_(("open", "running")))
        .order_by(None)
        .order_by(matches.c.id, seats.c.seat)
    )
    rows = (await connection.execute(query)).all()
    found = []
    for _, group in groupby(rows, key=lambda row: row.id):
        of_match = list(group)
        head = of_match[0]
        found.append(
            ListedRecord(
                match=match_of(of_match),
                table=_spot(head.table_channel, head.table_message),
                desk=_spot(head.desk_channel, head.desk_message),
            )
        )
    return found


def _spot(channel: int | None, message: int | None) -> Spot | None:
    return None if channel is None or message is None else Spot(channel, message)
