"""Notices, which tell people of events once they are due, and the messages that told them.

There is at most one notice of each event per person and match; a newer one replaces it. All moments
are Unix times in seconds.
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
"""The number of notices read at a time."""

_EVENT_OF_STATUS: Final[dict[Status, Event]] = {
    "over": "over",
    "closed": "over",
    "declined": "declined",
    "expired": "expired",
}
"""The event that tells players of an end, by the match's new status; they aren't told of others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeRecord:
    """A person to be told of an event in a match."""

    id: int
    """Never reused, because it's the nonce of the message."""

    match: MatchId
    user: int
    event: Event
    actor: int | None
    """Who did it; None if nobody did, and for a former player."""

    turn: int
    """The match's turn when it happened; 0 before the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRecord:
    """A message that told a person of an event, and is to be deleted when that no longer holds."""

    match: MatchId
    user: int
    message: int
    channel: int
    event: Event
    turn: int


_NOTICE_COLUMNS: Final = ("match", "user", "event", "actor", "turn", "due_at")
_NOTICE: Final = Columns(NoticeRecord, notices)
_SENT: Final = Columns(SentRecord, sent_notices)


# Replaced, not updated: the id is the nonce of a message, and this is a new message.
_QUEUE: Final = insert(notices).prefix_with("OR REPLACE", dialect="sqlite")
_DROP: Final = delete(notices).where(
    notices.c.match == bindparam("of_match"),
    notices.c.user == bindparam("of_user"),
    notices.c.event == bindparam("of_event"),
)
_DROP_ALL: Final = delete(notices).where(notices.c.match == bindparam("of_match"))


def _is_told_as_player() -> ColumnElement[bool]:
    """Whether a seat's player is told of the end: they still played, or left but didn't resign."""
    return or_(seats.c.left.is_(None), seats.c.left_why != "resigned")


_OF_MATCH: Final = bindparam("of_match", type_=BigInteger)
_ACTOR: Final = bindparam("new_actor", type_=BigInteger)  # also for None
_TURN: Final = bindparam("new_turn", type_=notices.c.turn.type)
_DUE_AT: Final = bindparam("new_due_at", type_=BigInteger)
_QUEUE_END: Final = insert(notices).from_select(
    _NOTICE_COLUMNS,
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
_QUEUE_FOLLOWERS: Final = (
    upsert(notices)
    .from_select(
        _NOTICE_COLUMNS,
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
_LASTING_EVENTS: Final[tuple[Event, ...]] = ("over", "watched", "declined", "expired", "rematch")
"""Events that may hold for good after a match has ended. Messages of other events still have to be
deleted: Discord had trouble with that, or the bot died first."""

# Checks each message that exists instead of all matches, because choices wait for this write.
_FORGET_SENT_BEFORE: Final = delete(sent_notices).where(
    sent_notices.c.message < bindparam("before"),
    sent_notices.c.event.in_(_LASTING_EVENTS),
    exists().where(
        matches.c.id == sent_notices.c.match,
        matches.c.status.not_in(("open", "running")),
        matches.c.counts_at.is_(None),
    ),
    ~exists().where(notices.c.match == sent_notices.c.match),
)


class NoticeRepository(Repository):
    async def queue(
        self,
        match: MatchId,
        event: Event,
        users: Collection[int],
        *,
        due_at: int,
        turn: int = 0,
        actor: int | None = None,
    ) -> None:
        """Queue a notice of an event for each of these people; sent at `due_at`, if it still holds.

        The actor, computers and former players are left out.
        """
        recipients = [user for user in dict.fromkeys(users) if user > 0 and user != actor]
        if not recipients:
            return
        self._changes.wake_at(due_at)
        values = {"match": match, "event": event, "actor": actor, "turn": turn, "due_at": due_at}
        await self._locks.matches(match)
        for user in recipients:
            if self._connection.dialect.name == "postgresql":
                of_person = {"of_match": match, "of_user": user, "of_event": event}
                self._connection.later(_DROP, of_person, about=match)
            self._connection.later(_QUEUE, {**values, "user": user}, about=match)

    async def queue_turns(self, numbers: Collection[MatchId], due_at: int) -> None:
        """Queue a notice of the current turn for all who play in these matches.

        It's sent at `due_at` to those who owe a move then. The caller has locked the matches and
        just begun this turn instead of the one before. Notices that a match has begun, or that a
        vacation is over, are kept.
        """
        await queue_for_all(self._connection, "turn", numbers, due_at)
        await self._connection.execute(
            update(notices)
            .where(one_of(notices.c.match, numbers), notices.c.event.in_(("accepted", "back")))
            .values(turn=notices.c.turn + 1)
        )
        self._changes.wake_at(due_at)

    async def requeue_silence(self, numbers: Collection[MatchId], now: int) -> None:
        """Queue the notice of when silence closes a match again for all who were sent one.

        A nudge may have replaced it, and names that day too. The caller has locked these matches.
        """
        row = (sent_notices.c.match, sent_notices.c.user, literal("time"), null(), matches.c.turn)
        query = select(*row, literal(now, BigInteger)).join_from(sent_notices, matches)
        query = query.where(one_of(matches.c.id, numbers), matches.c.pace == "none")
        query = query.where(sent_notices.c.event.in_(("time", "nudged")))
        notice = upsert(notices).from_select(_NOTICE_COLUMNS, query).on_conflict_do_nothing()
        await self._connection.execute(notice)
        self._changes.wake_at(now)

    async def due(self, now: float, shards: Shards) -> Sequence[NoticeRecord]:
        """The notices that are due in servers of these shards, the longest due first.

        At most `MAX_READ`. A server's shard is computed from its id; notices don't store it.
        """
        rows = await self._connection.execute(_due(shards), {"now": int(now)})
        return [_NOTICE.of(row) for row in rows]

    async def due_in(self, match: MatchId, now: float) -> Sequence[NoticeRecord]:
        """The notices that are due in one match, in the order of their events."""
        values = {"of_match": match, "now": int(now)}
        return [_NOTICE.of(row) for row in await self._connection.execute(_DUE_IN, values)]

    async def users_with_due(self, guild: int, now: float, limit: int) -> Sequence[int]:
        """Up to `limit` people with notices due in a server, the longest waiting first."""
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
        """The first moment after `now` at which a notice is due in these shards, or None."""
        found = await self._connection.execute(_next_due(shards), {"now": int(now)})
        moment: int | None = found.scalar_one_or_none()
        return moment

    async def is_there(self, notice: NoticeRecord) -> bool:
        """Whether a notice still exists; not if its person was deleted."""
        query = select(notices.c.id).where(notices.c.id == notice.id)
        return (await self._connection.execute(query)).first() is not None

    async def drop(self, notice: NoticeRecord) -> bool:
        """Delete a notice that was sent or no longer holds; returns whether it existed.

        A newer one of the same event is kept.
        """
        await self._locks.matches(notice.match)
        done = await self._connection.execute(_DROP_ONE, {"sought": notice.id})
        return done.rowcount == 1

    async def drop_other(self, match: MatchId, user: int, event: Event) -> None:
        """Delete a person's notice of this event, because another notice says it."""
        await self._locks.matches(match)
        of_person = and_(notices.c.match == match, notices.c.user == user)
        await self._connection.execute(delete(notices).where(of_person, notices.c.event == event))

    async def put_off(self, notice: NoticeRecord, due_at: int) -> None:
        """Make a notice due later."""
        self._changes.wake_at(due_at)
        await self._connection.execute(_PUT_OFF, {"sought": notice.id, "new_due_at": due_at})

    async def hurry_reminders(self, user: int, now: int) -> None:
        """Make this person's reminders due now, because they may want them earlier.

        Call it before anything that locks the person, because it locks their matches.
        """
        self._changes.wake_at(now)
        wanted = and_(notices.c.user == user, notices.c.event == "time", notices.c.due_at > now)
        in_matches = select(notices.c.match).where(wanted)
        held = await self._locks.matching(matches.c.id.in_(in_matches))
        in_held = notices.c.match.in_(select(matches.c.id).where(held))
        await self._connection.execute(update(notices).where(wanted, in_held).values(due_at=now))

    async def hurry_in(self, numbers: Collection[MatchId], user: int, now: int) -> None:
        """Make this person's notices of their turns in these matches due now.

        The caller has locked the matches.
        """
        wanted = notices.c.match.in_(numbers), notices.c.user == user, notices.c.due_at > now
        of_turns = notices.c.event.in_(("turn", "time", "back"))
        await self._connection.execute(update(notices).where(*wanted, of_turns).values(due_at=now))
        self._changes.wake_at(now)

    async def put_sent(self, sent: SentRecord) -> None:
        """Store a message that told a person; it may be stored already."""
        values = _SENT.values(sent)
        await self._connection.execute(upsert(sent_notices).values(values).on_conflict_do_nothing())

    async def outdate_sent(self, match: MatchId, user: int, event: Event) -> None:
        """Have the messages that told a person of an event of a turn hold in no turn anymore."""
        of_person = and_(sent_notices.c.match == match, sent_notices.c.user == user)
        told = update(sent_notices).where(of_person, sent_notices.c.event == event)
        await self._connection.execute(told.values(turn=0))

    async def sent_in(self, match: MatchId) -> Sequence[SentRecord]:
        """The messages that told people of one match, the oldest first."""
        query = select(*_SENT.columns).where(sent_notices.c.match == match)
        rows = await self._connection.execute(query.order_by(sent_notices.c.message))
        return [_SENT.of(row) for row in rows]

    async def drop_sent(self, sent: SentRecord) -> None:
        """Delete the row of a message that was deleted, or that stays for good."""
        one = and_(sent_notices.c.match == sent.match, sent_notices.c.message == sent.message)
        await self._connection.execute(delete(sent_notices).where(one))

    async def sent_matches(self) -> Mapping[MatchId, int | None]:
        """The matches of all stored messages, with their servers; None for a solo match."""
        rows = await self._connection.execute(_SENT_MATCHES)
        return {MatchId(row.match): row.guild for row in rows}

    async def forget_sent_before(self, message: int) -> None:
        """Forget messages older than this id that tell of an end or something after it: they stay.

        Not where the result is yet to count, or a notice is yet to be sent: another message will
        replace these.
        """
        await self._connection.execute(_FORGET_SENT_BEFORE, {"before": message})


def queue_end(
    connection: ShieldedConnection, record: MatchRecord, status: Status, now: int, actor: int | None
) -> None:
    """Queue the notices that a match has ended, for its players and its followers.

    All earlier notices of the match are deleted. Players who resigned or have not accepted are not
    told; players who lost their seat by time or to a moderator are. Of solo matches nobody is told,
    because these are shown only when their player asks.
    """
    connection.later(_DROP_ALL, {"of_match": record.id}, about=record.id)
    event = _EVENT_OF_STATUS.get(status)
    if event is not None and record.guild is not None:
        values = _of_end(record, now, actor)
        connection.later(_QUEUE_END, {**values, "new_event": event}, about=record.id)
    queue_for_followers(connection, record, now, actor)


async def queue_for_all(
    connection: ShieldedConnection, event: Event, numbers: Collection[MatchId], due_at: int
) -> None:
    """Queue a notice of an event for all who play in these matches, replacing earlier ones of it.

    The caller has locked the matches.
    """
    of_these = one_of(notices.c.match, numbers)
    await connection.execute(delete(notices).where(of_these, notices.c.event == event))
    row = (matches.c.id, seats.c.user, literal(event), null(), matches.c.turn)
    playing = one_of(matches.c.id, numbers), seats.c.user > 0, seats.c.left.is_(None)
    query = select(*row, literal(due_at, BigInteger)).join_from(matches, seats).where(*playing)
    await connection.execute(insert(notices).from_select(_NOTICE_COLUMNS, query))


def queue_for_followers(
    connection: ShieldedConnection, record: MatchRecord, now: int, actor: int | None = None
) -> None:
    """Queue the notice that a match has ended for its followers, unless they have one.

    Players are told as players; those who resigned count as followers, if they follow it.
    """
    connection.later(_QUEUE_FOLLOWERS, _of_end(record, now, actor), about=record.id)


def _of_end(record: MatchRecord, now: int, actor: int | None) -> dict[str, int | None]:
    return {"of_match": record.id, "new_actor": actor, "new_turn": record.turn, "new_due_at": now}
