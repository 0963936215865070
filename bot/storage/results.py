"""The result of a match and its effect on ratings, in the transaction that ends the match.

Ratings are stored for all time (season 0) and for the server's current season, if it has one. They
can be audited at any time: they follow from the results alone, in the order of their sequence. So
whatever a rating depends on must be in the results.
"""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import BigInteger, Row, bindparam, func, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.ratings import Finish, Standing, after
from bot.storage.columns import Columns
from bot.storage.locks import Locks
from bot.storage.records import EndedRecord, ResultRecord
from bot.storage.schema import ratings, results, results_sequence, seasons

ALL_TIME: Final = 0
"""The `season` of all-time ratings."""

# Matches of other games and servers may end at the same time: PostgreSQL takes each number only
# once from a sequence, and matches that affect the same rating are locked against each other.
_NEXT: Final = {
    "sqlite": select(func.coalesce(func.max(results.c.sequence), 0) + 1),
    "postgresql": select(results_sequence.next_value()),
}

_RESULT: Final = Columns(ResultRecord, results)

_WRITE: Final = insert(results)
_SEASON: Final = select(func.max(seasons.c.id)).where(seasons.c.guild == bindparam("guild"))
_STANDINGS: Final = select(ratings).where(
    ratings.c.guild == bindparam("guild"),
    ratings.c.game == bindparam("game"),
    ratings.c.season == bindparam("season"),
    ratings.c.user.in_(bindparam("users", expanding=True, type_=BigInteger)),
)
_RATING: Final = upsert(ratings)
_PUT_RATING: Final = _RATING.on_conflict_do_update(
    index_elements=["guild", "game", "season", "user"],
    set_={c.name: _RATING.excluded[c.name] for c in ratings.c if not c.primary_key},
)


async def write_result(
    connection: AsyncConnection, locks: Locks, ended: EndedRecord, lines: Sequence[ResultRecord]
) -> None:
    """Store each seat's result of a match, and the new ratings if it was rated."""
    if ended.guild is not None:
        await locks.results((ended.guild, ended.game))
    season = None if ended.guild is None else await current_season(connection, ended.guild)
    changes: list[tuple[Standing, Standing]] | None = None
    levels = " ".join(sorted({line.computer for line in lines if line.computer is not None}))
    # One player alone can't be rated, and ratings are of people of a server among themselves.
    rated = ended.rated and len(lines) > 1 and not levels and ended.guild is not None
    if rated:
        changes = await _rate(connection, ended, lines, ALL_TIME)
        if season is not None:
            await _rate(connection, ended, lines, season)
    number = (await connection.execute(_NEXT[connection.dialect.name])).scalar_one()
    rows = [
        {
            "match": ended.match,
            "guild": ended.guild,
            "game": ended.game,
            "ended_at": ended.ended_at,
            "sequence": number,
            "rated": rated,
            "season": season,
            "levels": levels or None,
            **_RESULT.values(line),
            **change_of(line.user, None if changes is None else changes[i]),
        }
        for i, line in enumerate(lines)
    ]
    await connection.execute(_WRITE, rows)


def change_of(user: int, change: tuple[Standing, Standing] | None) -> dict[str, int | None]:
    """A change of the all-time rating, as columns of a result.

    All are None if there was no change, and for a former player.
    """
    if change is None or is_former(user):
        return {"before": None, "after": None, "nth": None}
    old, new = change
    return {"before": old.rating, "after": new.rating, "nth": new.matches}


def is_former(user: int) -> bool:
    """Whether this is the id of a former player or a computer, which have no rating."""
    return user <= 0


def finish_of(line: ResultRecord | Row[*tuple[Any, ...]]) -> Finish:
    """How a match ended for the player of this result."""
    return Finish(rank=line.rank, won=line.won, drawn=line.drawn, lost=line.lost)


def values_of(standing: Standing) -> dict[str, float]:
    """The columns of a rating's row, by name."""
    return {
        "mu": standing.mu,
        "sigma": standing.sigma,
        "rating": standing.rating,
        "established": standing.established,
        "matches": standing.matches,
        "won": standing.won,
        "drawn": standing.drawn,
        "lost": standing.lost,
    }


async def current_season(connection: AsyncConnection, guild: int) -> int | None:
    """The season that new results of this server count for; None before its first."""
    season: int | None = (await connection.execute(_SEASON, {"guild": guild})).scalar_one()
    return season


async def _rate(
    connection: AsyncConnection, ended: EndedRecord, lines: Sequence[ResultRecord], season: int
) -> list[tuple[Standing, Standing]]:
    """Store the ratings after a match; returns the standings before and after it, by seat."""
    key = {"guild": ended.guild, "game": ended.game, "season": season}
    users = [line.user for line in lines]
    rows = await connection.execute(_STANDINGS, {**key, "users": users})
    known = {
        row.user: Standing(
            mu=row.mu,
            sigma=row.sigma,
            matches=row.matches,
            won=row.won,
            drawn=row.drawn,
            lost=row.lost,
        )
        for row in rows
    }
    before = [known.get(line.user, Standing()) for line in lines]
    new = after(before, [finish_of(line) for line in lines])
    for line, standing in zip(lines, new, strict=True):
        if is_former(line.user):
            continue  # deleted while the others played on
        values = {**key, "user": line.user, **values_of(standing)}
        await connection.execute(_PUT_RATING, values)
    return list(zip(before, new, strict=True))
