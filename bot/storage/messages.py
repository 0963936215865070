"""The messages that show matches: the table, the hands of the seats, and the signpost."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.columns import Columns
from bot.storage.match_rows import NOT_LOST, SHOW_AGAIN
from bot.storage.records import (
    OUTDATED_LINK,
    SHOWN_PLAIN,
    SHOWN_POSTING,
    TABLE,
    MatchId,
    MessageRef,
    Shown,
    Spot,
    TokenRecord,
)
from bot.storage.repository import Repository
from bot.storage.schema import matches, places, seats

SIGNPOST: Final = -2
"""The `place` of a signpost: what remains of a challenge in its channel when its match has a
thread."""

SHOWN_OPEN: Final = "open."
"""Begins the `shown` key of a table that shows a challenge. It's the whole key if that is outdated:
it stays known that the table shows one, so that its match gets a thread when it begins."""

MESSAGE: Final = Columns(MessageRef, places)
_TOKEN: Final = Columns(
    TokenRecord,
    places,
    renamed={"value": "token", "until": "token_until", "message": "token_message"},
)
_NO_TOKEN: Final = dict.fromkeys(column.name for column in _TOKEN.columns)
_LOAD: Final = select(places.c.place, *MESSAGE.columns).where(places.c.match == bindparam("sought"))
_LOAD_TOKENS: Final = select(places.c.place, *_TOKEN.columns).where(
    places.c.match == bindparam("sought"), places.c.token.is_not(None)
)
_HAS_TOKENS_UNTIL: Final = (
    select(places.c.match).where(places.c.token_until <= bindparam("moment")).limit(1)
)
_PUT_VALUES: Final = MESSAGE.bound | _TOKEN.bound
_PUT: Final = (
    upsert(places)
    .values(match=bindparam("of_match"), place=bindparam("of_place"), **_PUT_VALUES)
    .on_conflict_do_update(index_elements=["match", "place"], set_=_PUT_VALUES)
)
_SITTING: Final = select(seats.c.seat).where(
    seats.c.match == bindparam("of_match"), seats.c.seat == bindparam("of_place"), seats.c.user > 0
)
_PREDECESSOR: Final = select(matches.c.predecessor).where(matches.c.id == bindparam("sought"))
_EARLIER_TABLE: Final = places.alias("stood")
_MARK_LINKS_BEHIND: Final = (
    update(places)
    .where(
        places.c.match == bindparam("before"),
        places.c.shown.not_in(("", SHOWN_PLAIN, SHOWN_POSTING)),
        ~places.c.shown.endswith(OUTDATED_LINK),
        places.c.place != SIGNPOST,
        exists().where(
            _EARLIER_TABLE.c.match == bindparam("of_match"),
            _EARLIER_TABLE.c.place == TABLE,
            _EARLIER_TABLE.c.message != bindparam("to"),
        ),
    )
    .values(shown=places.c.shown + OUTDATED_LINK)
)
"""Marks messages that link to the table of a rematch as behind, when that table has moved."""

_SIGNPOSTS: Final = places.alias("signposts")
_PASS_ON_SIGNPOST: Final = (
    update(places)
    .where(
        places.c.match == bindparam("before"),
        places.c.place == SIGNPOST,
        places.c.message == bindparam("thread"),
        ~exists().where(
            _SIGNPOSTS.c.match == bindparam("of_match"), _SIGNPOSTS.c.place == SIGNPOST
        ),
    )
    .values(match=bindparam("of_match"), shown="", revision=0)
)
"""Gives the signpost of a thread to the newest match that is played there."""

_SHOW: Final = (
    update(places)
    .where(places.c.match == bindparam("of_match"), places.c.place == bindparam("of_place"))
    .values(
        shown=bindparam("new_shown", type_=places.c.shown.type),
        revision=bindparam("new_revision", type_=places.c.revision.type),
        unshown=bindparam("new_unshown", type_=places.c.unshown.type),
        **_TOKEN.bound,
    )
)


# Both queries start from unsettled matches, because every table ever posted has a row in places;
# tests check their query plans.
_OF_MATCH: Final = places.c.match == matches.c.id
_SHOWN: Final = select(func.min(places.c.revision)).where(_OF_MATCH).scalar_subquery()
"""The revision of the message that is furthest behind; NULL without messages."""

BEHIND: Final = (
    select(matches.c.id)
    .where(
        ~matches.c.settled,
        or_(
            matches.c.status.not_in(("open", "running")),
            ~select(places.c.match).where(_OF_MATCH).exists(),
            select(places.c.match)
            .where(_OF_MATCH, places.c.revision < matches.c.revision)
            .exists(),
        ),
    )
    .order_by((matches.c.revision - func.coalesce(_SHOWN, 0)).desc(), matches.c.id)
)


UNSHOWN: Final = (
    select(places.c.match, places.c.channel, places.c.message)
    .join(matches, _OF_MATCH)
    .where(places.c.unshown, places.c.place.in_((TABLE, SIGNPOST)))
    .order_by(places.c.match)
)
_UNSHOWN_UNTIL: Final = (
    select(places.c.match, places.c.place)
    .join(matches, _OF_MATCH)
    .where(places.c.unshown, matches.c.ended_at <= bindparam("moment"))
)


def unshown_in(guild: int) -> Select[tuple[int, int, int]]:
    """`UNSHOWN` in one server; `+ 0` keeps databases from reading all its matches."""
    return UNSHOWN.where(matches.c.guild + 0 == guild)


def is_posted_table(table: FromClause = places) -> ColumnElement[bool]:
    """Whether rows of `places` are posted tables, not ones that are just being posted."""
    return and_(table.c.place == TABLE, table.c.shown != SHOWN_POSTING)


def in_channels(channels: Iterable[int]) -> Select[tuple[int, int, int]]:
    """The tables of posted challenges and matches in play in these channels, the oldest first."""
    return (
        select(places.c.match, places.c.channel, places.c.message)
        .select_from(matches)
        .join(places, and_(_OF_MATCH, is_posted_table()))
        .where(
            ~matches.c.settled,
            matches.c.status.in_(("open", "running")),
            NOT_LOST,
            places.c.channel.in_(list(channels)),
        )
        .order_by(places.c.message)
    )


def _is_held_in(guild: int) -> ColumnElement[bool]:
    """Whether a match is of this server and its result doesn't count yet."""
    return and_(matches.c.guild == guild, matches.c.counts_at.is_not(None))


class MessageRepository(Repository):
    async def of(self, match: MatchId) -> Mapping[int, MessageRef]:
        """The messages that show a match, by place."""
        rows = await self._connection.execute(_LOAD, {"sought": match})
        return {row.place: MESSAGE.of(row[1:]) for row in rows}

    async def posted(self, match: MatchId) -> dict[int, MessageRef]:
        """Like `of`, without a table that is just being posted: it can't be linked to yet."""
        shown = await self.of(match)
        return {place: ref for place, ref in shown.items() if ref.shown != SHOWN_POSTING}

    async def tokens_of(self, match: MatchId) -> Mapping[int, TokenRecord]:
        """The tokens by which the messages of a match may still be edited, by place."""
        rows = await self._connection.execute(_LOAD_TOKENS, {"sought": match})
        return {row.place: _TOKEN.of(row[1:]) for row in rows}

    async def has_tokens_until(self, moment: int) -> bool:
        """Whether any stored token expires by `moment` (Unix time)."""
        found = await self._connection.execute(_HAS_TOKENS_UNTIL, {"moment": moment})
        return found.first() is not None

    async def forget_tokens_until(self, moment: int) -> None:
        """Delete the tokens that expire by `moment`, except in rows that are being written.

        Those may be getting a newer token; if not, the next call deletes it.
        """
        expired = (
            select(places.c.match, places.c.place)
            .where(places.c.token_until <= moment)
            .with_for_update(skip_locked=True)
        )
        await self._connection.execute(
            update(places)
            .where(tuple_(places.c.match, places.c.place).in_(expired))
            .values(**_NO_TOKEN)
        )

    async def put(
        self, match: MatchId, place: int, record: MessageRef, token: TokenRecord | None = None
    ) -> bool:
        """Store the message that shows this place from now on, and the token to edit it by.

        Returns False, and stores nothing, if its match or its player was deleted meanwhile.
        """
        if not await self._lock_place(match, place, record):
            return False
        self._changes.moved.add(match)
        values = MESSAGE.bound_values(record) | _token_values(token)
        await self._connection.execute(_PUT, {"of_match": match, "of_place": place, **values})
        return True

    async def _lock_place(self, match: MatchId, place: int, record: MessageRef) -> bool:
        """Lock a match, and for a table the match that it is a rematch of; False if it's gone.

        For a hand: False if no person sits there. For a table: the messages of the earlier match
        that link to it are marked as behind, and a signpost of its thread is passed on.
        """
        if place == SIGNPOST:
            await self._locks.matches(match)
            found = await self._connection.execute(_PREDECESSOR, {"sought": match})
            return found.one_or_none() is not None
        if place != TABLE:
            await self._locks.matches(match)
            of_seat = {"of_match": match, "of_place": place}
            sitting = await self._connection.execute(_SITTING, of_seat)
            return sitting.one_or_none() is not None
        found = await self._connection.execute(_PREDECESSOR, {"sought": match})
        before = found.scalar_one_or_none()
        numbers = [MatchId(match)] if before is None else [MatchId(before), match]
        await self._locks.matches(*numbers)
        still = await self._connection.execute(_PREDECESSOR, {"sought": match})
        if still.one_or_none() is None:
            return False
        if before is not None:
            await self._touch(MatchId(before))
            await self._connection.execute(SHOW_AGAIN, {"sought": before})
            played = {"before": before, "of_match": match, "thread": record.channel}
            await self._connection.execute(_PASS_ON_SIGNPOST, played)
            moved = {"before": before, "of_match": match, "to": record.message}
            await self._connection.execute(_MARK_LINKS_BEHIND, moved)
        return True

    async def put_shown(self, shown: Mapping[tuple[MatchId, int], Shown]) -> None:
        """Store what the messages of many places show now; places without a row are ignored."""
        values = [
            {"of_match": match, "of_place": place, **_token_values(now.token)}
            | {"new_shown": now.key, "new_revision": now.revision, "new_unshown": now.unshown}
            for (match, place), now in sorted(shown.items(), key=itemgetter(0))
        ]
        if values:
            await self._connection.execute(_SHOW, values)

    async def behind(self) -> Sequence[MatchId]:
        """The matches whose messages may not show their current revision, the most behind first.

        Measured in revisions that a message doesn't show, which are all if there is none. These are
        matches with a message of an older revision, open or running ones without any message, and
        ended ones that are not settled. Only indexes are read.
        """
        return [MatchId(row.id) for row in await self._connection.execute(BEHIND)]

    async def unshown(self, guild: int | None = None) -> Sequence[tuple[MatchId, Spot]]:
        """Tables and signposts that couldn't show how their match ended, in one server or all.

        Without those given up since.
        """
        rows = await self._connection.execute(UNSHOWN if guild is None else unshown_in(guild))
        return [(MatchId(row.match), Spot(row.channel, row.message)) for row in rows]

    async def has_unshown_until(self, moment: int) -> bool:
        """Whether there is such a message of a match that ended by `moment` (Unix time)."""
        found = await self._connection.execute(_UNSHOWN_UNTIL.limit(1), {"moment": moment})
        return found.first() is not None

    async def forget_unshown_until(self, moment: int) -> None:
        """Give up on those messages, except for rows that are being written."""
        old = _UNSHOWN_UNTIL.with_for_update(of=places, skip_locked=True)
        await self._connection.execute(
            update(places)
            .where(tuple_(places.c.match, places.c.place).in_(old))
            .values(unshown=False),
            {"moment": moment},
        )

    async def lock_held(self, guild: int) -> None:
        """Lock a server's settings, and its matches whose results don't count yet."""
        await self._locks.all_of(_is_held_in(guild), guild)

    async def show_held(self, guild: int) -> list[MatchId]:
        """Have the messages of a server's held results updated; returns the matches."""
        held = await self._locks.matching(_is_held_in(guild))
        found = await self._connection.execute(
            update(matches).where(held).values(settled=False).returning(matches.c.id)
        )
        numbers = sorted(MatchId(row.id) for row in found)
        await self._touch(*numbers)
        are_posted = and_(places.c.match.in_(numbers), places.c.shown != SHOWN_POSTING)
        await self._locks.messages(are_posted)
        await self._connection.execute(update(places).where(are_posted).values(shown=""))
        return numbers

    async def tables_of(self, numbers: Collection[MatchId]) -> Mapping[MatchId, Spot]:
        """The tables of these matches, by match; unknown ones are missing."""
        return await load_tables(self._connection, numbers)

    async def tables_in(self, channels: Iterable[int]) -> Mapping[MatchId, Spot]:
        """The tables of challenges and of matches in play in these channels, the oldest first."""
        rows = await self._connection.execute(in_channels(channels))
        return {MatchId(row.match): Spot(row.channel, row.message) for row in rows}

    async def table_of(self, match: MatchId) -> Spot | None:
        """The table of this match; None if unknown."""
        return (await self.tables_of([match])).get(match)

    async def table_of_rematch(self, match: MatchId) -> MessageRef | None:
        """The table of the rematch of a match; None until it's posted."""
        query = (
            select(*MESSAGE.columns)
            .join(matches, and_(_OF_MATCH, is_posted_table()))
            .where(matches.c.predecessor == match)
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else MESSAGE.of(row)


def _token_values(token: TokenRecord | None) -> dict[str, Any]:
    """The values of the parameters of `_TOKEN.bound`."""
    return _TOKEN.bound_values(token) if token else {f"new_{name}": None for name in _NO_TOKEN}


async def load_tables(
    connection: AsyncConnection, numbers: Collection[MatchId]
) -> Mapping[MatchId, Spot]:
    """The tables of these matches, by match; unknown ones are missing."""
    query = select(places.c.match, places.c.channel, places.c.message)
    rows = await connection.execute(query.where(places.c.match.in_(numbers), is_posted_table()))
    return {MatchId(row.match): Spot(row.channel, row.message) for row in rows}
