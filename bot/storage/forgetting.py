"""Taking a person out of every table, so that nobody can tell who a former player was."""

import secrets
from typing import Final

from sqlalchemy import delete, or_, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.schema import blocks, matches, people, places, ratings, results, seats

_LEAST: Final = 2**62
"""Ids of former players are random numbers below -2^62: Discord gives positive ones only."""


def new_id() -> int:
    """The id of a former player, which nothing leads back from."""
    return -_LEAST - secrets.randbelow(_LEAST)


async def forget(connection: AsyncConnection, user: int) -> None:
    """Take a person's id out of every table.

    Matches that have ended keep a former player, one and the same in all of them: so whoever
    computes the ratings again finds for everybody else what they were. A match that goes on without
    him gets a former player of its own, because his rating is not known any more when it ends.
    His desks go too: the channel of somebody's direct messages stands for him.
    """
    desks = select(seats.c.match, seats.c.seat).where(seats.c.user == user)
    await connection.execute(
        delete(places).where(tuple_(places.c.match, places.c.place).in_(desks))
    )
    playing = (
        select(matches.c.id)
        .join(seats, seats.c.match == matches.c.id)
        .where(seats.c.user == user, matches.c.status.in_(("open", "running")))
    )
    for row in (await connection.execute(playing)).all():
        await _rename(connection, user, new_id(), match=row.id)
    former = new_id()
    await _rename(connection, user, former)
    await connection.execute(
        update(results)
        .where(results.c.user == user)
        .values(user=former, before=None, after=None, nth=None)
    )
    await connection.execute(delete(ratings).where(ratings.c.user == user))
    await connection.execute(delete(people).where(people.c.user == user))
    await connection.execute(
        delete(blocks).where(or_(blocks.c.user == user, blocks.c.blocked == user))
    )


async def _rename(
    connection: AsyncConnection, user: int, former: int, *, match: int | None = None
) -> None:
    """Let seats and challenges be a former player's: those of one match, or all."""
    sitting = update(seats).where(seats.c.user == user)
    opening = update(matches).where(matches.c.opener == user)
    if match is not None:
        sitting = sitting.where(seats.c.match == match)
        opening = opening.where(matches.c.id == match)
    await connection.execute(sitting.values(user=former))
    await connection.execute(opening.values(opener=former))
