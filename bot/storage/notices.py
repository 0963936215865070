"""Notices: what people are to be told, each due at a moment, and the messages that told it.

There is one notice of each event for a person and a match: a newer one takes the place of the one
before. All moments are in seconds since 1970.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert

from bot.storage.columns import Columns
from bot.storage.connection import ShieldedConnection
from bot.storage.records import Event, MatchId, MatchRecord, Status
from bot.storage.repository import Repository
from bot.storage.schema import matches, notices, seats, sent_notices, watches
from bot.storage.shards import MAX_SHARDS_REMEMBERED, Shards, one_of

MAX_READ: Final = 500
"""Notices that are read at once."""

_ENDS: Final[dict[Status, Event]] = {
    "over": "over",
    "closed": "over",
    "declined": "declined",
    "expired": "expired",
}
"""What the end of a match or challenge is to those who sit there; nobody is told of others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeRecord:
    """Somebody who is to be told of an event in a match."""

    id: int
    """Never used again, so that it can be the nonce of the message."""

    match: MatchId
    user: int
    event: Event
    actor: int | None
    """Who did it; None where nobody did, and for a former player."""

    turn: int
    """The turn of the match in which it happened; 0 before the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRecord:
    """A message that told somebody of an event, and stands as long as that holds."""

    match: MatchId
    user: int
    message: int
    channel: int
    event: Event
    turn: int


_TOLD: Final = ("match", "user", "event", "actor", "turn", "due_at")
_NOTICE: Final = Columns(NoticeRecord, notices)
_SENT: Final = Columns(SentRecord, sent_notices)


# Replaced and not updated: the number is the nonce of a message, and this is another one.
_TELL: Final = insert(notices).prefix_with("OR REPLACE", dialect="sqlite")
_DROP: Final = delete(notices).where(
    notices.c.match == bindparam("of_match"),
    notices.c.user == bindparam("of_user"),
    notices.c.event == bindparam("of_event"),
)
_DROP_ALL: Final = delete(notices).where(notices.c.match == bindparam("of_match"))


def _is_told_as_player() -> ColumnElement[bool]:
    """Whether a seat is told of the end: its player plays on, or did not give it up."""
    return or_(seats.c.left.is_(None), seats.c.left_why != "resigned")


_OF_MATCH: Final = bindparam("of_match", type_=BigInteger)
_ACTOR: Final = bindparam("new_actor", type_=BigInteger)  # also where that is None
_TURN: Final = bindparam("new_turn", type_=notices.c.turn.type)
_DUE_AT: Final = bindparam("new_due_at", type_=BigInteger)
_TELL_END: Final = insert(notices).from_select(
    _TOLD,
    select(
        _OF_MATCH,
        seats.c.user,
        bindparam("new_event", type_=notices.c.event.type),
        _ACTOR,
        _TURN,
        _DUE_AT,
    ).where(
        seats.c.match == _OF_MATCH,
        seats.c.user > 0,
        seats.c.user != func.coalesce(_ACTOR, 0),
        _is_told_as_player(),
        seats.c.accepted,
    ),
)
_TELL_FOLLOWERS: Final = (
    upsert(notices)
    .from_select(
        _TOLD,
        select(_OF_MATCH, watches.c.user, literal("watched"), _ACTOR, _TURN, _DUE_AT).where(
            watches.c.match == _OF_MATCH,
            watches.c.user != func.coalesce(_ACTOR, 0),
            watches.c.user.not_in(
                select(seats.c.user).where(seats.c.match == _OF_MATCH, _is_told_as_player())
            ),
        ),
    )
    .on_conflict_do_nothing()
)


@lru_cache(MAX_SHARDS_REMEMBERED)
def _due(shards: Shards) -> Select[Any]:
    return (
        select(*_NOTICE.columns)
        .join(matches, matches.c.id == notices.c.match)
        .where(notices.c.due_at <= bindparam("now"), shards.has(matches.c.guild))
        .order_by(notices.c.due_at, notices.c.id)
        .limit(MAX_READ)
    )


@lru_cache(MAX_SHARDS_REMEMBERED)
def _next_due(shards: Shards) -> Select[Any]:
    return (
        select(notices.c.due_at)
        .join(matches, matches.c.id == notices.c.match)
        .where(notices.c.due_at > bindparam("now"), shards.has(matches.c.guild))
        .order_by(notices.c.due_at)
        .limit(1)
    )


_DUE_IN: Final = (
    select(*_NOTICE.columns)
    .where(notices.c.match == _OF_MATCH, notices.c.due_at <= bindparam("now"))
    .order_by(notices.c.id)
)
_DROP_ONE: Final = delete(notices).where(notices.c.id == bindparam("sought"))
_PUT_OFF: Final = update(notices).where(notices.c.id == bindparam("sought")).values(due_at=_DUE_AT)
_SENT_MATCHES: Final = (
    select(sent_notices.c.match, matches.c.guild)
    .join(matches, matches.c.id == sent_notices.c.match)
    .distinct()
)
_LASTING: Final[tuple[Event, ...]] = ("over", "watched", "declined", "expired", "rematch")
"""What may hold for good of a match that has ended. Any other message is still to be deleted, where
Discord had trouble with that or the bot died just then."""

# Asked of each message that stands, and not of all matches: nobody can choose meanwhile.
_FORGET_SENT_BEFORE: Final = delete(sent_notices).where(
    sent_notices.c.message < bindparam("before"),
    sent_notices.c.event.in_(_LASTING),
    exists().where(
        matches.c.id == sent_notices.c.match,
        matches.c.status.not_in(("open", "running")),
        matches.c.counts_at.is_(None),
    ),
    ~exists().where(notices.c.match == sent_notices.c.match),
)


class NoticeRepository(Repository):
    async def tell(
        self,
        match: MatchId,
        event: Event,
        users: Collection[int],
        *,
        due_at: int,
        turn: int = 0,
        actor: int | None = None,
    ) -> None:
        """Let these people be told of an event at this moment, if it still holds then.

        Never who did it, and nobody who is no person: computers and former players.
        """
        told = [user for user in dict.fromkeys(users) if user > 0 and user != actor]
        if not told:
            return
        self._changes.wake_at(due_at)
        values = {"match": match, "event": event, "actor": actor, "turn": turn, "due_at": due_at}
        await self._locks.matches(match)
        for user in told:
            if self._connection.dialect.name == "postgresql":
                of_person = {"of_match": match, "of_user": user, "of_event": event}
                self._connection.later(_DROP, of_person, about=match)
            self._connection.later(_TELL, {**values, "user": user}, about=match)

    async def tell_turns(self, those: Collection[MatchId], due_at: int) -> None:
        """Let all who play in these matches be told of the present turn, if they owe a move then.

        For whoever has locked the matches, and just let this turn begin in place of the one before.
        That a match has begun is still told.
        """
        await tell_all(self._connection, "turn", those, due_at)
        await self._connection.execute(
            update(notices)
            .where(one_of(notices.c.match, those), notices.c.event == "accepted")
            .values(turn=notices.c.turn + 1)
        )
        self._changes.wake_at(due_at)

    async def tell_of_silence_again(self, those: Collection[MatchId], now: int) -> None:
        """Replace what says in these matches, which are locked, when silence closes them."""
        time = (sent_notices.c.match, sent_notices.c.user, literal("time"), null(), matches.c.turn)
        told = select(*time, literal(now, BigInteger)).join_from(sent_notices, matches)
        said = one_of(matches.c.id, those), matches.c.pace == "none", sent_notices.c.event == "time"
        again = upsert(notices).from_select(_TOLD, told.where(*said)).on_conflict_do_nothing()
        await self._connection.execute(again)
        self._changes.wake_at(now)

    async def due(self, now: float, shards: Shards) -> Sequence[NoticeRecord]:
        """What is due in servers of these shards, the longest due first; not all if that is much.

        A server's shard is known by its id; a notice does not keep it.
        """
        rows = await self._connection.execute(_due(shards), {"now": int(now)})
        return [_NOTICE.of(row) for row in rows]

    async def due_in(self, match: MatchId, now: float) -> Sequence[NoticeRecord]:
        """What is due in one match, in the order in which it happened."""
        values = {"of_match": match, "now": int(now)}
        return [_NOTICE.of(row) for row in await self._connection.execute(_DUE_IN, values)]

    async def due_there(self, guild: int, now: float, limit: int) -> Sequence[int]:
        """So many of those who are due to be told something in a server, whoever waits longest."""
        query = (
            select(notices.c.user)
            .join(matches, matches.c.id == notices.c.match)
            .where(notices.c.due_at <= int(now), matches.c.guild == guild)
            .group_by(notices.c.user)
            .order_by(func.min(notices.c.due_at), notices.c.user)
            .limit(limit)
        )
        return list((await self._connection.execute(query)).scalars())

    async def next_due(self, now: float, shards: Shards) -> int | None:
        """The first moment after this one at which a notice is due in servers of these shards.

        None without any.
        """
        found = await self._connection.execute(_next_due(shards), {"now": int(now)})
        moment: int | None = found.scalar_one_or_none()
        return moment

    async def is_there(self, notice: NoticeRecord) -> bool:
        """Whether a notice is still to be told: not where whoever it is for was forgotten."""
        query = select(notices.c.id).where(notices.c.id == notice.id)
        return (await self._connection.execute(query)).first() is not None

    async def drop(self, notice: NoticeRecord) -> bool:
        """Forget a notice: it has been told, or holds no more; whether it was there.

        A newer one of its kind stays.
        """
        await self._locks.matches(notice.match)
        done = await self._connection.execute(_DROP_ONE, {"sought": notice.id})
        return done.rowcount == 1

    async def drop_other(self, match: MatchId, user: int, event: Event) -> None:
        """Forget that somebody was to be told of this event, because another notice says it."""
        await self._locks.matches(match)
        of_person = and_(notices.c.match == match, notices.c.user == user)
        await self._connection.execute(delete(notices).where(of_person, notices.c.event == event))

    async def put_off(self, notice: NoticeRecord, due_at: int) -> None:
        """Let a notice be due later."""
        self._changes.wake_at(due_at)
        await self._connection.execute(_PUT_OFF, {"sought": notice.id, "new_due_at": due_at})

    async def hurry_reminders(self, user: int, now: int) -> None:
        """Let this person's reminders be looked at now: they may want them earlier.

        Their matches are locked, so it comes before what locks the person.
        """
        self._changes.wake_at(now)
        wanted = and_(notices.c.user == user, notices.c.event == "time", notices.c.due_at > now)
        told = select(notices.c.match).where(wanted)
        held = await self._locks.matching(matches.c.id.in_(told))
        those = notices.c.match.in_(select(matches.c.id).where(held))
        await self._connection.execute(update(notices).where(wanted, those).values(due_at=now))

    async def hurry_in(self, those: Collection[MatchId], user: int, now: int) -> None:
        """Let what this person is told of their turns in these matches be looked at now.

        For whoever has locked the matches.
        """
        wanted = notices.c.match.in_(those), notices.c.user == user, notices.c.due_at > now
        of_turns = notices.c.event.in_(("turn", "time", "back"))
        await self._connection.execute(update(notices).where(*wanted, of_turns).values(due_at=now))
        self._changes.wake_at(now)

    async def put_sent(self, sent: SentRecord) -> None:
        """Note the message that has told somebody; it may have been noted before."""
        values = _SENT.values(sent)
        await self._connection.execute(upsert(sent_notices).values(values).on_conflict_do_nothing())

    async def sent_in(self, match: MatchId) -> Sequence[SentRecord]:
        """The messages that stand in one match, the oldest first."""
        query = select(*_SENT.columns).where(sent_notices.c.match == match)
        rows = await self._connection.execute(query.order_by(sent_notices.c.message))
        return [_SENT.of(row) for row in rows]

    async def drop_sent(self, sent: SentRecord) -> None:
        """Keep a message no more: it is deleted, or stays for good."""
        one = and_(sent_notices.c.match == sent.match, sent_notices.c.message == sent.message)
        await self._connection.execute(delete(sent_notices).where(one))

    async def sent_matches(self) -> Mapping[MatchId, int | None]:
        """The matches in which messages stand, and their servers."""
        rows = await self._connection.execute(_SENT_MATCHES)
        return {MatchId(row.match): row.guild for row in rows}

    async def forget_sent_before(self, message: int) -> None:
        """Let the messages older than this one stand for good that tell of an end, or after it.

        Where its result is still to count, or to be told, another one will take their place.
        """
        await self._connection.execute(_FORGET_SENT_BEFORE, {"before": message})


def tell_end(
    connection: ShieldedConnection, record: MatchRecord, status: Status, now: int, actor: int | None
) -> None:
    """Let those who sit in a match, and those who follow it, be told that it has ended.

    Nothing that was to be told before holds any more. Whoever resigned is not told, and those who
    have not accepted are not; a seat that was lost to time or a moderator is. Nobody is told of a
    solo match, which is shown only where its player asks for it.
    """
    connection.later(_DROP_ALL, {"of_match": record.id}, about=record.id)
    event = _ENDS.get(status)
    if event is not None and record.guild is not None:
        values = _of_end(record, now, actor)
        connection.later(_TELL_END, {**values, "new_event": event}, about=record.id)
    tell_followers(connection, record, now, actor)


async def tell_all(
    connection: ShieldedConnection, event: Event, those: Collection[MatchId], due_at: int
) -> None:
    """Let all who play in these matches be told of an event, in place of what told of it before.

    For whoever has locked the matches.
    """
    of_these = one_of(notices.c.match, those)
    await connection.execute(delete(notices).where(of_these, notices.c.event == event))
    row = (matches.c.id, seats.c.user, literal(event), null(), matches.c.turn)
    playing = one_of(matches.c.id, those), seats.c.user > 0, seats.c.left.is_(None)
    told = select(*row, literal(due_at, BigInteger)).join_from(matches, seats).where(*playing)
    await connection.execute(insert(notices).from_select(_TOLD, told))


def tell_followers(
    connection: ShieldedConnection, record: MatchRecord, now: int, actor: int | None = None
) -> None:
    """Let those who follow a match be told how it has ended, unless they are to be told already.

    Players are told as players; whoever resigned is none any more.
    """
    connection.later(_TELL_FOLLOWERS, _of_end(record, now, actor), about=record.id)


def _of_end(record: MatchRecord, now: int, actor: int | None) -> dict[str, int | None]:
    return {"of_match": record.id, "new_actor": actor, "new_turn": record.turn, "new_due_at": now}
