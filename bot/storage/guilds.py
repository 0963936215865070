"""What a server has chosen, and whether the bot is in it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, cast

from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.records import TimeControl
from bot.storage.schema import matches, server_channels, servers


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildRecord:
    """The settings of a server; one that has chosen nothing has these defaults."""

    guild: int
    time_control: TimeControl | None = None
    """Of matches for which none is named; None leaves it to the bot."""

    tap: bool | None = None
    """Whether hands are buttons on the table, where a game has that; None leaves it to the bot."""

    threads: bool = False
    """Whether each match gets a thread of its own."""

    games_off: frozenset[str] = frozenset()
    """The games that nobody may begin here."""

    channels: frozenset[int] = frozenset()
    """Where matches may be begun; everywhere if none is named."""


_USUAL: Final = {"threads": False, "games_off": ""}
"""The columns of a server that has chosen nothing."""


async def read_server(connection: AsyncConnection, guild: int) -> GuildRecord:
    row = (await connection.execute(select(servers).where(servers.c.guild == guild))).one_or_none()
    rows = await connection.execute(
        select(server_channels.c.channel).where(server_channels.c.guild == guild)
    )
    channels = frozenset(channel.channel for channel in rows)
    if row is None:
        return GuildRecord(guild=guild, channels=channels)
    return GuildRecord(
        guild=guild,
        time_control=cast(TimeControl | None, row.pace),  # nothing else is ever written
        tap=row.tap,
        threads=row.threads,
        games_off=frozenset(row.games_off.split()),
        channels=channels,
    )


async def write_server(connection: AsyncConnection, record: GuildRecord) -> None:
    values: Mapping[str, object] = {
        "pace": record.time_control,
        "tap": record.tap,
        "threads": record.threads,
        "games_off": " ".join(sorted(record.games_off)),
    }
    await connection.execute(
        upsert(servers)
        .values(guild=record.guild, **values)
        .on_conflict_do_update(index_elements=["guild"], set_=values)
    )
    await connection.execute(delete(server_channels).where(server_channels.c.guild == record.guild))
    if record.channels:
        rows = [{"guild": record.guild, "channel": c} for c in sorted(record.channels)]
        await connection.execute(insert(server_channels), rows)


async def known_servers(connection: AsyncConnection) -> frozenset[int]:
    """The servers that anything is kept about and that the bot is not known to have left."""
    left = select(servers.c.guild).where(servers.c.left_at.is_not(None))
    here = select(servers.c.guild).where(servers.c.left_at.is_(None))
    playing = select(matches.c.guild).where(matches.c.guild.not_in(left))
    rows = await connection.execute(here.union(playing))
    return frozenset(row.guild for row in rows)


async def note_left(connection: AsyncConnection, guild: int, now: int) -> None:
    """Note that the bot is no longer in this server."""
    await connection.execute(
        upsert(servers)
        .values(guild=guild, left_at=now, **_USUAL)
        .on_conflict_do_update(index_elements=["guild"], set_={"left_at": now})
    )


async def note_joined(connection: AsyncConnection, guilds: Collection[int]) -> None:
    """Note that the bot is in these servers, also if it had left them."""
    await connection.execute(
        update(servers)
        .where(servers.c.guild.in_(guilds), servers.c.left_at.is_not(None))
        .values(left_at=None)
    )
