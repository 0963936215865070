"""Matches before the deal: opening, taking and leaving seats, and queries for the limits."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from sqlalchemy import (
    BigInteger,
    Integer,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import aliased

from bot.storage.columns import Columns
from bot.storage.match_rows import OLDEST_LIVE, PLAYS
from bot.storage.messages import is_posted_table
from bot.storage.records import COMPUTER, MatchId, NewMatch
from bot.storage.repository import Repository
from bot.storage.schema import matches, places, seats
from games.core import Seat

UNANSWERED: Final = ("withdrawn", "expired")
"""The statuses of challenges that ended without an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRecord:
    """An open challenge between two people, and where its message is."""

    match: MatchId
    opened_at: int
    other: int
    """Of the two people, the one who isn't the `user` of the query."""

    guild: int
    channel: int | None
    """None until it's known which message shows the challenge."""

    message: int | None


_NEW: Final = Columns(
    NewMatch, matches, renamed={"time_control": "pace"}, besides={"users", "computers"}
)

_OPEN: Final = (
    upsert(matches)
    .values(
        **_NEW.bound,
        status="open",
        limited=False,
        step=0,
        turn=0,
        late="",
        opened_at=bindparam("new_opened_at", type_=matches.c.opened_at.type),
        settled=False,
        taken_back=False,
        revision=0,  # 1 from the commit on
    )
    .on_conflict_do_nothing(index_elements=["interaction"])
    .returning(matches.c.id)
)
_TAKE: Final = insert(seats)
_ACCEPT: Final = (
    update(seats)
    .where(seats.c.match == bindparam("sought"), seats.c.seat == bindparam("of_seat"))
    .values(accepted=True)
)

_OWN, _OTHER = aliased(seats), aliased(seats)
"""Two seats of one match."""

_USERS: Final = bindparam("users", type_=BigInteger, expanding=True)
_OPENED_BY: Final = (
    select(func.count())
    .select_from(matches)
    .where(
        matches.c.opener == bindparam("user"),
        matches.c.id >= OLDEST_LIVE,
        matches.c.status == "open",
    )
)
_RUNNING: Final = (
    select(seats.c.user, func.count().label("matches"))
    .join(matches, matches.c.id == seats.c.match)
    .where(seats.c.user.in_(_USERS), PLAYS)
    .group_by(seats.c.user)
)

_IS_RATED: Final = and_(
    matches.c.guild == bindparam("of_guild"),
    matches.c.rated,
    matches.c.begun_at >= bindparam("since"),
    matches.c.status.in_(("running", "over")),
)
"""Whether a match of this server is rated, began at `since` or later, and wasn't called off."""

# `user + 0` keeps SQLite from reading all matches of these people: it's to use the index by day.

_RATED_TOGETHER: Final = (
    select(_OWN.c.user, _OTHER.c.user.label("other"), func.count().label("matches"))
    .select_from(matches)
    .join(_OWN, _OWN.c.match == matches.c.id)
    .join(_OTHER, and_(_OTHER.c.match == matches.c.id, _OTHER.c.user > _OWN.c.user))
    .where(_IS_RATED, (_OWN.c.user + 0).in_(_USERS), (_OTHER.c.user + 0).in_(_USERS))
    .group_by(_OWN.c.user, _OTHER.c.user)
)
_RATED_WITH_FORMER: Final = (
    select(seats.c.user, func.count().label("matches"))
    .join(matches, seats.c.match == matches.c.id)
    .where(
        _IS_RATED,
        (seats.c.user + 0).in_(_USERS),
        exists().where(_OTHER.c.match == matches.c.id, _OTHER.c.user < COMPUTER),
    )
    .group_by(seats.c.user)
)

_IS_OPENER: Final = matches.c.opener == bindparam("opener")
_IS_RECENT: Final = and_(
    matches.c.id != bindparam("besides"), matches.c.opened_at > bindparam("since")
)
_IN_MATCH: Final = seats.c.match == matches.c.id
_HAS_BEGUN: Final = (
    select(matches.c.id)
    .where(_IS_OPENER, _IS_RECENT, matches.c.opened_at < bindparam("until"))
    .where(matches.c.id >= OLDEST_LIVE)
    .where(matches.c.game == bindparam("of_game"), matches.c.status == "running")
    .where(~exists().where(_IN_MATCH, seats.c.user.not_in((matches.c.opener, COMPUTER))))
)
# SQLite uses a partial index only if its condition appears literally in the statement.
_IS_UNANSWERED: Final = matches.c.status.in_(
    bindparam("unanswered", UNANSWERED, expanding=True, literal_execute=True)
)
_UNANSWERED_BEFORE: Final = (
    select(matches.c.id)
    .where(_IS_UNANSWERED, matches.c.ended_at < bindparam("moment"))
    .order_by(matches.c.ended_at)
    .limit(bindparam("most", type_=Integer))
)
_AWAITED: Final = (
    select(matches.c.id, matches.c.guild, seats.c.user)
    .join(seats, seats.c.match == matches.c.id)
    .where(
        ~matches.c.settled,  # true of all open ones; there is an index for these
        matches.c.status == "open",
        seats.c.accepted.is_(False),
        seats.c.user > 0,
    )
    .order_by(matches.c.id)
)

_INVITATIONS: Final = (
    select(
        matches.c.id,
        matches.c.opened_at,
        _OTHER.c.user,
        matches.c.guild,
        places.c.channel,
        places.c.message,
    )
    .join(_OWN, _OWN.c.match == matches.c.id)
    .join(_OTHER, _OTHER.c.match == matches.c.id)
    .outerjoin(places, and_(places.c.match == matches.c.id, is_posted_table()))
    .where(
        matches.c.status == "open",
        or_(
            and_(matches.c.opener == _OWN.c.user, _OTHER.c.invited),
            and_(matches.c.opener == _OTHER.c.user, _OWN.c.invited),
        ),
        matches.c.id != bindparam("besides"),
        _OWN.c.user == bindparam("user"),
        _OWN.c.match >= OLDEST_LIVE,
        (_OTHER.c.user + 0).in_(_USERS),
    )
)
"""The open challenges by which `user` invites one of `users`, or is invited by one of them.

`_OWN` is the seat of `user`, `_OTHER` that of the other. `user + 0` keeps SQLite from reading all
recent seats of the other for each match of `user`.
"""

_INVITING: Final = _INVITATIONS.with_only_columns(matches.c.id)
_OLDEST_FIRST: Final = _INVITATIONS.order_by(matches.c.id, _OTHER.c.seat)


class ChallengeRepository(Repository):
    async def open(self, new: NewMatch, now: int) -> MatchId | None:
        """Store a challenge; returns None if its interaction has already made one."""
        self._changes.wake_at(new.due_at)
        values = {"new_opened_at": now, **_NEW.bound_values(new)}
        made = await self._connection.execute(_OPEN, values)
        match = made.scalar_one_or_none()
        if match is None:
            return None
        await self._touch(MatchId(match))
        self._changes.news.append((MatchId(match), new.game, "opened"))
        rows = [
            _seat_of(match, i, user, level, is_invited=user != new.opener and level is None)
            for i, (user, level) in enumerate(zip_longest(new.users, new.computers))
        ]
        await self._connection.execute(_TAKE, rows)
        return MatchId(match)

    async def accept(self, match: MatchId, seat: Seat) -> None:
        await self._touch(match)
        await self._connection.execute(_ACCEPT, {"sought": match, "of_seat": seat})

    async def take(
        self, match: MatchId, seat: Seat, user: int, *, level: str | None = None
    ) -> None:
        """Give an open seat, which must be the next one, to a user that the challenge didn't name.

        A computer is the user `COMPUTER` with its level.
        """
        await self._touch(match)
        row = _seat_of(match, seat, user, level, is_invited=False)
        await self._connection.execute(_TAKE, row)

    async def vacate(self, match: MatchId, seat: Seat) -> None:
        """Empty a seat; later seats move up, because seats have no gaps."""
        await self._touch(match)
        of_match = seats.c.match == match
        await self._connection.execute(delete(seats).where(of_match, seats.c.seat == seat))
        later = select(seats.c.seat).where(of_match, seats.c.seat > seat).order_by(seats.c.seat)
        # One by one: the numbers must be unique even within a statement.
        for row in (await self._connection.execute(later)).all():
            await self._connection.execute(
                update(seats).where(of_match, seats.c.seat == row.seat).values(seat=row.seat - 1)
            )

    async def make_casual(self, match: MatchId, *, limited: bool) -> None:
        """Make a match that has not begun unrated.

        `limited`: because its players have begun too many rated matches, not by their own choice.
        """
        await self._touch(match)
        await self._connection.execute(
            update(matches).where(matches.c.id == match).values(rated=False, limited=limited)
        )

    async def set_limited(self, match: MatchId, *, limited: bool) -> None:
        """Note whether a rated challenge would begin casual on the day on which it was opened."""
        await self._touch(match)
        await self._connection.execute(
            update(matches).where(matches.c.id == match).values(limited=limited)
        )

    async def resize(self, match: MatchId, wanted: int) -> None:
        """Set the number of players of a match."""
        await self._touch(match)
        await self._connection.execute(
            update(matches).where(matches.c.id == match).values(wanted=wanted)
        )

    async def opened_by(self, user: int) -> int:
        """How many open challenges this person has; locks them, so that they open no other."""
        await self._locks.ids(user)
        return (await self._connection.execute(_OPENED_BY, {"user": user})).scalar_one()

    async def has_begun(self, user: int, game: str, now: int, *, within: int, besides: int) -> bool:
        """Whether this person has just begun another match of this game against computers only.

        "Just" means less than `within` seconds before or after `now`. `besides` is the match to
        ignore. Locks the person.
        """
        await self._locks.ids(user)
        values = {"opener": user, "of_game": game, "besides": besides}
        values |= {"since": now - within, "until": now + within}
        return (await self._connection.execute(_HAS_BEGUN, values)).first() is not None

    async def running(self, users: Collection[int]) -> dict[int, int]:
        """In how many running matches each of these people plays, by user id; never 0.

        Locks the people, so that they begin no other.
        """
        await self._locks.ids(*users)
        rows = await self._connection.execute(_RUNNING, {"users": list(users)})
        return {row.user: row.matches for row in rows}

    async def rated_together(
        self, guild: int, users: Collection[int], since: int
    ) -> dict[tuple[int, int], int]:
        """How many rated matches each two of these people have begun in this server since `since`.

        Keys are pairs of user ids, the smaller first. Matches that were called off don't count.
        Locks the people, so that they begin no other.
        """
        await self._locks.ids(*users)
        values = {"of_guild": guild, "since": since, "users": list(users)}
        rows = await self._connection.execute(_RATED_TOGETHER, values)
        return {(row.user, row.other): row.matches for row in rows}

    async def rated_with_former(
        self, guild: int, users: Collection[int], since: int
    ) -> dict[int, int]:
        """How many rated matches each person has begun with a player who was deleted since.

        In this server and since `since`, by user id; never 0.
        """
        values = {"of_guild": guild, "since": since, "users": list(users)}
        rows = await self._connection.execute(_RATED_WITH_FORMER, values)
        return {row.user: row.matches for row in rows}

    async def awaited(self) -> Mapping[int, Mapping[int, Sequence[MatchId]]]:
        """The challenges that people have yet to answer, by server and user id."""
        by_guild: dict[int, dict[int, list[MatchId]]] = {}
        for row in await self._connection.execute(_AWAITED):
            by_guild.setdefault(row.guild, {}).setdefault(row.user, []).append(MatchId(row.id))
        return by_guild

    async def unanswered_before(self, moment: int, limit: int) -> Sequence[MatchId]:
        """Up to `limit` challenges that ended unanswered before `moment`, the oldest first."""
        values = {"moment": moment, "most": limit}
        rows = await self._connection.execute(_UNANSWERED_BEFORE, values)
        return [MatchId(row.id) for row in rows]

    async def forget_unanswered(self, numbers: Collection[MatchId]) -> None:
        """Delete these challenges with everything that refers to them."""
        await self._locks.matches(*numbers)
        await self._locks.messages(places.c.match.in_(numbers))
        await self._connection.execute(
            delete(matches).where(matches.c.id.in_(numbers), matches.c.status.in_(UNANSWERED))
        )

    async def between(
        self, user: int, others: Collection[int], *, besides: MatchId
    ) -> Sequence[InvitationRecord]:
        """The open challenges by which one of these people invites `user`, or `user` one of them.

        The oldest is first; a challenge to several of these people is listed once. Locks the
        challenges and the people, so that nobody acts on those and none of these opens another.
        """
        values = {"user": user, "users": list(others), "besides": besides}
        await self._locks.matching(matches.c.id.in_(_INVITING.params(values)))
        await self._locks.ids(user, *others)
        by_match: dict[int, InvitationRecord] = {}
        for row in await self._connection.execute(_OLDEST_FIRST, values):
            invitation = InvitationRecord(
                match=MatchId(row.id),
                opened_at=row.opened_at,
                other=row.user,
                guild=row.guild,
                channel=row.channel,
                message=row.message,
            )
            by_match.setdefault(row.id, invitation)
        return list(by_match.values())


def _seat_of(
    match: int, seat: int, user: int, level: str | None, *, is_invited: bool
) -> dict[str, object]:
    """The row of a seat; a user who wasn't invited has accepted by taking it."""
    return {
        "match": match,
        "seat": seat,
        "user": user,
        "accepted": not is_invited,
        "strikes": 0,
        "rested": 0,
        "invited": is_invited,
        "computer": level,
    }
