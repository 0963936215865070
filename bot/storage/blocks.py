"""Whose challenges somebody does not want."""

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import blocks


async def block(connection: AsyncConnection, user: int, other: int) -> bool:
    """Note that this person wants no challenges of the other; False if that is noted already."""
    made = await connection.execute(
        upsert(blocks).values(user=user, blocked=other).on_conflict_do_nothing()
    )
    return made.rowcount == 1


async def unblock(connection: AsyncConnection, user: int, other: int) -> bool:
    """Take that back; False if there was nothing to take back."""
    taken = await connection.execute(
        delete(blocks).where(blocks.c.user == user, blocks.c.blocked == other)
    )
    return taken.rowcount == 1


async def count_blocked(connection: AsyncConnection, user: int) -> int:
    query = select(func.count()).select_from(blocks).where(blocks.c.user == user)
    return (await connection.execute(query)).scalar_one()


async def blocked_by(connection: AsyncConnection, user: int) -> Sequence[int]:
    """Whose challenges this person does not want."""
    query = select(blocks.c.blocked).where(blocks.c.user == user).order_by(blocks.c.blocked)
    return [row.blocked for row in await connection.execute(query)]
