"""Servers: their settings, whether the bot is in them, and the deletion of those it has left."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from sqlalchemy import ColumnElement, bindparam, delete, exists, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.puzzle_shares import puzzle_shares
from bot.storage.puzzles import puzzle_answers
from bot.storage.records import MatchId, TimeControl
from bot.storage.repository import Repository
from bot.storage.schema import (
    matches,
    metadata,
    places,
    seasons,
    server_channels,
    servers,
    vacations,
)

TimeOff = Literal["pause", "vacation", "reserve", "resume", "take_back"]
"""The kinds of time off that a server can switch off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuildRecord:
    """The settings of a server, with the defaults of one that has chosen nothing."""

    guild: int
    time_control: TimeControl | None = None
    """The default for matches; None leaves it to the bot."""

    tap: bool | None = None
    """Whether hands are buttons on the table, in games that have that; None leaves it to the
    bot."""

    threads: bool = False
    """Whether each match gets a thread of its own."""

    games_off: frozenset[str] = frozenset()
    """The games that can't be started here."""

    time_off_barred: frozenset[str] = frozenset()
    """The kinds of time off that are switched off here."""

    puzzle_channel: int | None = None
    """The channel of the daily puzzle; None for nowhere."""

    digest_channel: int | None = None
    """The channel of the weekly digest; None for nowhere."""

    channels: frozenset[int] = frozenset()
    """The channels where matches may be started; everywhere if empty."""


_SETS: Final = ("games_off", "time_off_barred")
"""The columns that hold sets of keys."""

_GUILD: Final = Columns(
    GuildRecord,
    servers,
    renamed={"time_control": "pace"},
    besides={"channels"},
    read=dict.fromkeys(_SETS, lambda keys: frozenset(keys.split())),
    write=dict.fromkeys(_SETS, lambda keys: " ".join(sorted(keys))),
)

_USUAL: Final = {"threads": False, "games_off": "", "time_off_barred": ""}
"""The required columns of a server that has chosen nothing."""

_ABOUT_SERVERS: Final = (matches, puzzle_answers, puzzle_shares, seasons, vacations)
"""The tables besides `servers` in which a server may first appear."""

_SETTINGS: Final = select(*_GUILD.columns).where(servers.c.guild == bindparam("of_guild"))
_CHANNELS: Final = select(server_channels.c.channel).where(
    server_channels.c.guild == bindparam("of_guild")
)
_NEW: Final = _GUILD.bound
_PUT: Final = (
    upsert(servers).values(**_NEW).on_conflict_do_update(index_elements=["guild"], set_=_NEW)
)
_DROP_CHANNELS: Final = delete(server_channels).where(
    server_channels.c.guild == bindparam("of_guild")
)
_ADD_CHANNELS: Final = insert(server_channels)

_LEFT: Final = select(servers.c.guild, servers.c.left_at).where(servers.c.left_at.is_not(None))
_LEFT_BEFORE: Final = (
    select(servers.c.guild)
    .where(
        servers.c.left_at <= bindparam("moment"),
        or_(
            ~exists().where(matches.c.guild == servers.c.guild, ~matches.c.settled),
            servers.c.left_at <= bindparam("at_latest"),
        ),
    )
    .order_by(servers.c.guild)
)


class GuildRepository(Repository):
    async def settings(self, guild: int, *, changing: bool = False) -> GuildRecord:
        """The settings of a server; defaults if it has chosen nothing.

        With `changing`, locks the server, so that nobody else changes them meanwhile.
        """
        if changing:
            await self._locks.ids(guild)
        row = (await self._connection.execute(_SETTINGS, {"of_guild": guild})).one_or_none()
        rows = await self._connection.execute(_CHANNELS, {"of_guild": guild})
        channels = frozenset(channel.channel for channel in rows)
        if row is None:
            return GuildRecord(guild=guild, channels=channels)
        return _GUILD.of(row, channels=channels)

    async def without_resuming(self, guilds: Collection[int]) -> frozenset[int]:
        """Those of these servers that don't allow resuming a match that time has ended."""
        query = select(servers.c.guild, servers.c.time_off_barred).where(
            servers.c.guild.in_(guilds)
        )
        rows = await self._connection.execute(query)
        return frozenset(row.guild for row in rows if "resume" in row.time_off_barred.split())

    async def put_settings(self, record: GuildRecord) -> None:
        await self._connection.execute(_PUT, _GUILD.bound_values(record))
        await self._connection.execute(_DROP_CHANNELS, {"of_guild": record.guild})
        if record.channels:
            rows = [{"guild": record.guild, "channel": c} for c in sorted(record.channels)]
            await self._connection.execute(_ADD_CHANNELS, rows)

    async def known(self) -> frozenset[int]:
        """The servers that anything is stored about, except those the bot is known to have left."""
        left = select(servers.c.guild).where(servers.c.left_at.is_not(None))
        here = select(servers.c.guild).where(servers.c.left_at.is_(None))
        others = (
            select(table.c.guild).where(table.c.guild.is_not(None), table.c.guild.not_in(left))
            for table in _ABOUT_SERVERS
        )
        rows = await self._connection.execute(here.union(*others))
        return frozenset(row.guild for row in rows)

    async def note_left(self, guild: int, now: int) -> None:
        """Record that the bot is no longer in this server."""
        await self._connection.execute(
            upsert(servers)
            .values(guild=guild, left_at=now, **_USUAL)
            .on_conflict_do_update(index_elements=["guild"], set_={"left_at": now})
        )

    async def note_joined(self, guilds: Collection[int]) -> None:
        """Record that the bot is in these servers, even if it had left them."""
        await self._connection.execute(
            update(servers)
            .where(servers.c.guild.in_(guilds), servers.c.left_at.is_not(None))
            .values(left_at=None)
        )

    async def left(self) -> Mapping[int, int]:
        """When each server that removed the bot did so (Unix time), by server id."""
        return {row.guild: row.left_at for row in await self._connection.execute(_LEFT)}

    async def left_before(self, moment: int, at_latest: int) -> Sequence[int]:
        """The servers left up to `moment` whose matches are all settled.

        Servers left up to `at_latest` are included in any case.
        """
        values = {"moment": moment, "at_latest": at_latest}
        rows = await self._connection.execute(_LEFT_BEFORE, values)
        return [row.guild for row in rows]

    async def forget_matches(self, guild: int, limit: int) -> Sequence[MatchId]:
        """Delete up to `limit` matches of a server with all that refers to them; returns which."""
        some = select(matches.c.id).where(matches.c.guild == guild).order_by(matches.c.id)
        some = some.limit(limit)
        held = await self._locks.matching(matches.c.id.in_(some))
        await self._lock_messages(held)
        deleted = await self._connection.execute(
            delete(matches).where(held).returning(matches.c.id)
        )
        return [MatchId(row.id) for row in deleted]

    async def forget(self, guild: int) -> None:
        """Delete every row of a server in every table, except for a match that is opened meanwhile.

        A puzzle answer that is shared in another server is kept, without a server: otherwise the
        post there would not be found when that person wants everything deleted.
        """
        held = await self._locks.matching(matches.c.guild == guild)
        await self._lock_messages(held)
        shared_elsewhere = exists().where(
            puzzle_shares.c.day == puzzle_answers.c.day,
            puzzle_shares.c.user == puzzle_answers.c.user,
            puzzle_shares.c.guild != guild,
        )
        await self._connection.execute(
            update(puzzle_answers)
            .where(puzzle_answers.c.guild == guild, shared_elsewhere)
            .values(guild=None)
        )
        for table in reversed(metadata.sorted_tables):
            if "guild" in table.c:
                rows = held if table is matches else table.c.guild == guild
                await self._connection.execute(delete(table).where(rows))

    async def _lock_messages(self, held: ColumnElement[bool]) -> None:
        of_those = select(matches.c.id).where(held)
        await self._locks.messages(places.c.match.in_(of_those))
