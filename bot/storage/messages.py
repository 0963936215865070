"""The messages in which matches are shown: the table of a match, and the hands of its seats."""

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
from bot.storage.match_rows import SHOW_AGAIN
from bot.storage.records import (
    ASTRAY,
    PLAIN,
    POSTING,
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
"""The place of what stays of a challenge in its channel when its match has a thread."""

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
_TABLE_STOOD: Final = places.alias("stood")
_LEAD_ASTRAY: Final = (
    update(places)
    .where(
        places.c.match == bindparam("before"),
        places.c.shown.not_in(("", PLAIN, POSTING)),
        ~places.c.shown.endswith(ASTRAY),
        places.c.place != SIGNPOST,
        exists().where(
            _TABLE_STOOD.c.match == bindparam("of_match"),
            _TABLE_STOOD.c.place == TABLE,
            _TABLE_STOOD.c.message != bindparam("to"),
        ),
    )
    .values(shown=places.c.shown + ASTRAY)
)
"""What leads to the table of a rematch, which stands elsewhere now, shows what it should not."""

_SIGNPOSTS: Final = places.alias("signposts")
_HAND_ON: Final = (
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
"""The signpost of a thread is that of the newest match which is played there."""

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


# Both begin with the matches that are not settled, for there is a place for each table that ever
# was; tests look at their plans.
_OF_MATCH: Final = places.c.match == matches.c.id
_SHOWN: Final = select(func.min(places.c.revision)).where(_OF_MATCH).scalar_subquery()
"""The revision of the message that is furthest behind; NULL without any."""

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
    """The same of one server; not by way of all its matches, which the sum keeps databases from."""
    return UNSHOWN.where(matches.c.guild + 0 == guild)


def stands(table: FromClause = places) -> ColumnElement[bool]:
    """Whether these rows of places are tables that stand, and are not just being posted."""
    return and_(table.c.place == TABLE, table.c.shown != POSTING)


def in_channels(channels: Iterable[int]) -> Select[tuple[int, int, int]]:
    """The tables in these channels of challenges that stand and of matches in play."""
    return (
        select(places.c.match, places.c.channel, places.c.message)
        .select_from(matches)
        .join(places, and_(_OF_MATCH, stands()))
        .where(
            ~matches.c.settled,
            matches.c.status.in_(("open", "running")),
            or_(matches.c.paused_at.is_(None), matches.c.paused_why == "agreed"),
            places.c.channel.in_(list(channels)),
        )
        .order_by(places.c.message)
    )


def _held_of(guild: int) -> ColumnElement[bool]:
    """Of the matches those of a server whose results do not count yet."""
    return and_(matches.c.guild == guild, matches.c.counts_at.is_not(None))


class MessageRepository(Repository):
    async def of(self, match: MatchId) -> Mapping[int, MessageRef]:
        """Where the match is shown: TABLE and the seats that have a hand."""
        rows = await self._connection.execute(_LOAD, {"sought": match})
        return {row.place: MESSAGE.of(row[1:]) for row in rows}

    async def standing(self, match: MatchId) -> dict[int, MessageRef]:
        """The same without a table that is just being posted: nothing leads there yet."""
        shown = await self.of(match)
        return {place: ref for place, ref in shown.items() if ref.shown != POSTING}

    async def tokens_of(self, match: MatchId) -> Mapping[int, TokenRecord]:
        """By what the messages of the match may still be edited, by place."""
        rows = await self._connection.execute(_LOAD_TOKENS, {"sought": match})
        return {row.place: _TOKEN.of(row[1:]) for row in rows}

    async def has_tokens_until(self, moment: int) -> bool:
        """Whether any token is kept that expires by then."""
        found = await self._connection.execute(_HAS_TOKENS_UNTIL, {"moment": moment})
        return found.first() is not None

    async def forget_tokens_until(self, moment: int) -> None:
        """Delete the tokens that expire by then, but where somebody is just writing.

        There may be a newer one by then; if there is not, the next time deletes it.
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
        """Write the message that shows this place from now on, and by what it can be edited.

        False, and nothing is written, where its match was deleted meanwhile, or its player was.
        """
        if not await self._lock_place(match, place, record):
            return False
        self._changes.moved.add(match)
        values = MESSAGE.bound_values(record) | _token_values(token)
        await self._connection.execute(_PUT, {"of_match": match, "of_place": place, **values})
        return True

    async def _lock_place(self, match: MatchId, place: int, record: MessageRef) -> bool:
        """Lock a match, and for its table the one before it, which leads there; if it is there."""
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
            await self._connection.execute(_HAND_ON, played)
            moved = {"before": before, "of_match": match, "to": record.message}
            await self._connection.execute(_LEAD_ASTRAY, moved)
        return True

    async def put_shown(self, shown: Mapping[tuple[MatchId, int], Shown]) -> None:
        """Note what stands at many places now; those without a message are left out."""
        values = [
            {"of_match": match, "of_place": place, **_token_values(now.token)}
            | {"new_shown": now.key, "new_revision": now.revision, "new_unshown": now.unshown}
            for (match, place), now in sorted(shown.items(), key=itemgetter(0))
        ]
        if values:
            await self._connection.execute(_SHOW, values)

    async def behind(self) -> Sequence[MatchId]:
        """The matches whose messages may not show their present revision, the most behind first.

        By how many changes a message does not show, or all that there were where there is none.

        Those with a message of an older one, those in play or open without any message, and those
        that have ended and are not settled. Only indexes are read.
        """
        return [MatchId(row.id) for row in await self._connection.execute(BEHIND)]

    async def unshown(self, guild: int | None = None) -> Sequence[tuple[MatchId, Spot]]:
        """Tables and signposts that could not show how their match ended; of one server or all.

        Not those that were forgotten since.
        """
        rows = await self._connection.execute(UNSHOWN if guild is None else unshown_in(guild))
        return [(MatchId(row.match), Spot(row.channel, row.message)) for row in rows]

    async def has_unshown_until(self, moment: int) -> bool:
        """Whether there is such a message of a match that had ended by then."""
        found = await self._connection.execute(_UNSHOWN_UNTIL.limit(1), {"moment": moment})
        return found.first() is not None

    async def forget_unshown_until(self, moment: int) -> None:
        """Leave those messages as they are, but where somebody is just writing."""
        old = _UNSHOWN_UNTIL.with_for_update(of=places, skip_locked=True)
        await self._connection.execute(
            update(places)
            .where(tuple_(places.c.match, places.c.place).in_(old))
            .values(unshown=False),
            {"moment": moment},
        )

    async def lock_held(self, guild: int) -> None:
        """Let nobody else act on a server's held results, nor change what it has chosen."""
        await self._locks.all_of(_held_of(guild), guild)

    async def show_held(self, guild: int) -> list[MatchId]:
        """Let the messages of a server's held results be made anew; of which matches they are."""
        held = await self._locks.matching(_held_of(guild))
        found = await self._connection.execute(
            update(matches).where(held).values(settled=False).returning(matches.c.id)
        )
        numbers = sorted(MatchId(row.id) for row in found)
        await self._touch(*numbers)
        stand = and_(places.c.match.in_(numbers), places.c.shown != POSTING)
        await self._locks.messages(stand)
        await self._connection.execute(update(places).where(stand).values(shown=""))
        return numbers

    async def tables_of(self, numbers: Collection[MatchId]) -> Mapping[MatchId, Spot]:
        """The tables of these matches, as far as they are known."""
        return await load_tables(self._connection, numbers)

    async def tables_in(self, channels: Iterable[int]) -> Mapping[MatchId, Spot]:
        """The tables in these channels of challenges and of matches in play, the oldest first."""
        rows = await self._connection.execute(in_channels(channels))
        return {MatchId(row.match): Spot(row.channel, row.message) for row in rows}

    async def table_of(self, match: MatchId) -> Spot | None:
        """The table of this match, if it is known."""
        return (await self.tables_of([match])).get(match)

    async def table_of_rematch(self, match: MatchId) -> MessageRef | None:
        """The table of the rematch of a match, once it stands."""
        query = (
            select(*MESSAGE.columns)
            .join(matches, and_(_OF_MATCH, stands()))
            .where(matches.c.predecessor == match)
        )
        row = (await self._connection.execute(query)).one_or_none()
        return None if row is None else MESSAGE.of(row)


def _token_values(token: TokenRecord | None) -> dict[str, Any]:
    """What `_TOKEN.bound` is to be."""
    return _TOKEN.bound_values(token) if token else {f"new_{name}": None for name in _NO_TOKEN}


async def load_tables(
    connection: AsyncConnection, numbers: Collection[MatchId]
) -> Mapping[MatchId, Spot]:
    """The tables of these matches, as far as they are known."""
    query = select(places.c.match, places.c.channel, places.c.message)
    rows = await connection.execute(query.where(places.c.match.in_(numbers), stands()))
    return {MatchId(row.match): Spot(row.channel, row.message) for row in rows}
