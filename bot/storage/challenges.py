"""A match before the deal: it is opened, seats are taken and given up, and limits are asked for."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
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
from bot.storage.messages import stands
from bot.storage.records import COMPUTER, TABLE, MatchId, NewMatch
from bot.storage.repository import Repository
from bot.storage.schema import matches, places, seats
from games.core import Seat

_ONE, _TWO = aliased(seats), aliased(seats)
"""Two seats of one challenge."""

UNANSWERED: Final = ("withdrawn", "expired")
"""How a challenge ends without anybody's answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRecord:
    """An open challenge between two people, and where it stands."""

    match: MatchId
    opened_at: int
    other: int
    """Of the two people, the one who was not asked about."""

    guild: int
    channel: int | None
    """None as long as it is not known which message it is."""

    message: int | None


_NEW: Final = Columns(
    NewMatch, matches, renamed={"time_control": "pace"}, besides={"users", "computers"}
)


class ChallengeRepository(Repository):
    async def open(self, new: NewMatch, now: int) -> MatchId | None:
        """Write a challenge; None if this interaction has made one already."""
        self._changes.wake_at(new.due_at)
        made = await self._connection.execute(
            upsert(matches)
            .values(
                **_NEW.values(new),
                status="open",
                limited=False,
                step=0,
                turn=0,
                late="",
                opened_at=now,
                settled=False,
                taken_back=False,
                revision=0,  # 1 from the commit on
            )
            .on_conflict_do_nothing(index_elements=["interaction"])
            .returning(matches.c.id)
        )
        match = made.scalar_one_or_none()
        if match is None:
            return None
        await self._touch(MatchId(match))
        self._changes.news.append((MatchId(match), new.game, "opened"))
        await self._connection.execute(insert(seats), _seats_of(match, new))
        return MatchId(match)

    async def accept(self, match: MatchId, seat: Seat) -> None:
        await self._touch(match)
        await self._connection.execute(
            update(seats).where(seats.c.match == match, seats.c.seat == seat).values(accepted=True)
        )

    async def join(self, match: MatchId, seat: Seat, user: int) -> None:
        """Give an open seat, which must be the next one, to somebody who was not named."""
        await self._touch(match)
        await self._connection.execute(
            insert(seats).values(
                match=match,
                seat=seat,
                user=user,
                accepted=True,
                strikes=0,
                rested=0,
                invited=False,
            )
        )

    async def seat_computer(self, match: MatchId, seat: Seat, level: str) -> None:
        """Give an open seat to a computer; it must be the next one."""
        await self._touch(match)
        await self._connection.execute(
            insert(seats).values(
                match=match,
                seat=seat,
                user=COMPUTER,
                accepted=True,
                strikes=0,
                rested=0,
                invited=False,
                computer=level,
            )
        )

    async def vacate(self, match: MatchId, seat: Seat) -> None:
        """Empty a seat; those after it move up, for seats have no gaps."""
        await self._touch(match)
        of_match = seats.c.match == match
        await self._connection.execute(delete(seats).where(of_match, seats.c.seat == seat))
        later = select(seats.c.seat).where(of_match, seats.c.seat > seat).order_by(seats.c.seat)
        # One by one: no two rows may have the same number even within a statement.
        for row in (await self._connection.execute(later)).all():
            await self._connection.execute(
                update(seats).where(of_match, seats.c.seat == row.seat).values(seat=row.seat - 1)
            )

    async def make_casual(self, match: MatchId, *, limited: bool) -> None:
        """Let a match that has not begun count for no ratings.

        `limited` where its players have begun too many rated ones, and not by their own choice.
        """
        await self._touch(match)
        await self._connection.execute(
            update(matches).where(matches.c.id == match).values(rated=False, limited=limited)
        )

    async def resize(self, match: MatchId, wanted: int) -> None:
        """Let a match be for so many players."""
        await self._touch(match)
        await self._connection.execute(
            update(matches).where(matches.c.id == match).values(wanted=wanted)
        )

    async def opened_by(self, user: int) -> int:
        """How many challenges of this person are open; they open no other meanwhile."""
        await self._locks.ids(user)
        count = (
            select(func.count())
            .select_from(matches)
            .where(matches.c.opener == user, matches.c.status == "open")
        )
        return (await self._connection.execute(count)).scalar_one()

    async def running(self, users: Collection[int]) -> dict[int, int]:
        """In how many running matches each of these people plays; who plays in none is left out.

        They begin no other meanwhile.
        """
        await self._locks.ids(*users)
        query = (
            select(seats.c.user, func.count().label("matches"))
            .join(matches, matches.c.id == seats.c.match)
            .where(seats.c.user.in_(users), seats.c.left.is_(None), matches.c.status == "running")
            .group_by(seats.c.user)
        )
        return {row.user: row.matches for row in await self._connection.execute(query)}

    async def rated_together(
        self, guild: int, users: Collection[int], since: int
    ) -> dict[tuple[int, int], int]:
        """How many rated matches of this server any two of these people have begun since then.

        By the two, the smaller id first; those that were called off are left out. They begin no
        other meanwhile.
        """
        await self._locks.ids(*users)
        one, two = aliased(seats), aliased(seats)
        query = (
            select(one.c.user, two.c.user.label("other"), func.count().label("matches"))
            .select_from(matches)
            .join(one, one.c.match == matches.c.id)
            .join(two, and_(two.c.match == matches.c.id, two.c.user > one.c.user))
            .where(*_rated(guild, since))
            .where(one.c.user.in_(users), two.c.user.in_(users))
            .group_by(one.c.user, two.c.user)
        )
        rows = await self._connection.execute(query)
        return {(row.user, row.other): row.matches for row in rows}

    async def rated_with_former(
        self, guild: int, users: Collection[int], since: int
    ) -> dict[int, int]:
        """How many of these each of them has begun with somebody who was deleted since."""
        other = aliased(seats)
        former = exists().where(other.c.match == matches.c.id, other.c.user < COMPUTER)
        query = (
            select(seats.c.user, func.count().label("matches"))
            .join(matches, seats.c.match == matches.c.id)
            .where(*_rated(guild, since), seats.c.user.in_(users), former)
            .group_by(seats.c.user)
        )
        return {row.user: row.matches for row in await self._connection.execute(query)}

    async def unanswered(
        self, opener: int, others: Collection[int], since: int, *, besides: MatchId
    ) -> tuple[dict[int, int], int]:
        """How many challenges since then were not accepted: to each of these people, and in all.

        To one person those count too whose challenger was deleted since. In all, a refusal is an
        answer. What never stood at a table reached nobody.
        """
        posted = exists().where(places.c.match == matches.c.id, places.c.place == TABLE)
        recent = (matches.c.id != besides, matches.c.opened_at > since)
        to_each = (
            select(seats.c.user, func.count().label("challenges"))
            .join(matches, seats.c.match == matches.c.id)
            .where(*recent, seats.c.user.in_(others), seats.c.invited)
            .where(or_(matches.c.opener == opener, matches.c.opener < COMPUTER))
            .where(matches.c.status.in_(("open", "declined", *UNANSWERED)), posted)
            .group_by(seats.c.user)
        )
        invites = exists().where(seats.c.match == matches.c.id, seats.c.invited)
        in_all = (
            select(func.count())
            .select_from(matches)
            .where(*recent, matches.c.opener == opener)
            .where(matches.c.status.in_(("open", *UNANSWERED)), posted, invites)
        )
        each = {row.user: row.challenges for row in await self._connection.execute(to_each)}
        return each, (await self._connection.execute(in_all)).scalar_one()

    async def unanswered_before(self, moment: int, limit: int) -> Sequence[MatchId]:
        """So many challenges that nobody answered and that ended before then."""
        query = (
            select(matches.c.id)
            .where(matches.c.status.in_(UNANSWERED), matches.c.ended_at < moment)
            .order_by(matches.c.ended_at)
            .limit(limit)
        )
        return [MatchId(row.id) for row in await self._connection.execute(query)]

    async def forget_unanswered(self, numbers: Collection[MatchId]) -> None:
        """Delete these challenges with all that belongs to them."""
        await self._locks.matches(*numbers)
        await self._locks.messages(places.c.match.in_(numbers))
        await self._connection.execute(
            delete(matches).where(matches.c.id.in_(numbers), matches.c.status.in_(UNANSWERED))
        )

    async def between(
        self, user: int, others: Collection[int], *, besides: MatchId
    ) -> InvitationRecord | None:
        """An open challenge by which one of these invites the user or the user one of them.

        None of them opens another one meanwhile, and nobody else acts on this one.
        """
        query = _invitations().where(
            matches.c.id != besides, _ONE.c.user == user, _TWO.c.user.in_(others)
        )
        numbers = query.with_only_columns(matches.c.id).order_by(None)
        await self._locks.matching(matches.c.id.in_(numbers))
        await self._locks.ids(user, *others)
        row = (await self._connection.execute(query.limit(1))).one_or_none()
        if row is None:
            return None
        return InvitationRecord(
            match=MatchId(row.id),
            opened_at=row.opened_at,
            other=row.user,
            guild=row.guild,
            channel=row.channel,
            message=row.message,
        )


def _seats_of(match: int, new: NewMatch) -> list[dict[str, object]]:
    """The rows of the seats with which a challenge begins."""
    return [
        {
            "match": match,
            "seat": i,
            "user": user,
            "accepted": user == new.opener or level is not None,
            "strikes": 0,
            "rested": 0,
            "invited": user != new.opener and level is None,
            "computer": level,
        }
        for i, (user, level) in enumerate(zip_longest(new.users, new.computers))
    ]


def _invitations() -> Select[tuple[Any, ...]]:
    """The open challenges by which somebody invites somebody, the oldest first.

    `one` is the seat of the person who is asked about, `two` that of the other.
    """
    invites: ColumnElement[bool] = or_(
        and_(matches.c.opener == _ONE.c.user, _TWO.c.invited),
        and_(matches.c.opener == _TWO.c.user, _ONE.c.invited),
    )
    return (
        select(
            matches.c.id,
            matches.c.opened_at,
            _TWO.c.user,
            matches.c.guild,
            places.c.channel,
            places.c.message,
        )
        .join(_ONE, _ONE.c.match == matches.c.id)
        .join(_TWO, _TWO.c.match == matches.c.id)
        .outerjoin(places, and_(places.c.match == matches.c.id, stands()))
        .where(matches.c.status == "open", invites)
        .order_by(matches.c.id)
    )


def _rated(guild: int, since: int) -> tuple[ColumnElement[bool], ...]:
    """The rated matches of a server that were begun since then and not called off."""
    return (
        matches.c.guild == guild,
        matches.c.rated,
        matches.c.begun_at >= since,
        matches.c.status.in_(("running", "over")),
    )
