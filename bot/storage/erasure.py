"""Removes a person from every table, so that nobody can tell who a former player was."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, and_, case, delete, exists, or_, select, tuple_, update
from sqlalchemy.orm import aliased

from bot.storage import rewriting
from bot.storage.asks import asks
from bot.storage.messages import MESSAGE, SHOWN_OPEN, SIGNPOST
from bot.storage.nudges import vain_nudges
from bot.storage.puzzle_shares import puzzle_shares
from bot.storage.puzzles import puzzle_answers
from bot.storage.records import (
    SHOWN_PLAIN,
    SHOWN_POSTING,
    TABLE,
    MatchId,
    MessageRef,
    Spot,
)
from bot.storage.repository import Repository
from bot.storage.returns import former_blocks
from bot.storage.schema import (
    blocks,
    lessons,
    matches,
    notices,
    people,
    places,
    ratings,
    results,
    seats,
    sent_notices,
    vacations,
    watches,
)
from bot.storage.shares import shares
from games.core import Seat

_UNDERWAY: Final = ("open", "running")

_FORMER_IDS_FROM: Final = 2**62
"""Ids of former players are random numbers from -2^62 down; Discord's are positive."""

_TABLES_OF_ONE_PERSON: Final = (
    ratings,
    people,
    vacations,
    watches,
    lessons,
    puzzle_answers,
    puzzle_shares,
    shares,
    sent_notices,
    former_blocks,
    asks,
)
"""The tables whose rows are each about one person, and are deleted."""


def new_id() -> int:
    """A new id for a former player, from which nothing leads back to the person."""
    return -_FORMER_IDS_FROM - secrets.randbelow(_FORMER_IDS_FROM)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedRecord:
    """A seat in a match that is open or running, or whose end may not be shown yet."""

    match: MatchId
    seat: Seat
    hand: MessageRef | None
    is_open: bool
    """Whether nothing was dealt yet: the seat has no hand, and others may take it."""

    is_over: bool
    """Whether the match has ended, so that nobody can leave it."""

    is_solo: bool
    """Whether nobody else plays in it; such a match is deleted as a whole."""


def _of_person(user: int) -> ColumnElement[bool]:
    """All matches that a person opened or has a seat in, even settled ones.

    Those may still have a rematch request.
    """
    seated = select(seats.c.match).where(seats.c.user == user)
    return or_(matches.c.opener == user, matches.c.id.in_(seated))


def _connected_with(user: int) -> ColumnElement[bool]:
    """A person's matches, and others that they follow or that asks or notices connect them with."""
    followed = select(watches.c.match).where(watches.c.user == user)
    notified = select(notices.c.match).where(or_(notices.c.user == user, notices.c.actor == user))
    asked = select(asks.c.match).where(or_(asks.c.user == user, asks.c.actor == user))
    of_these = (matches.c.id.in_(query) for query in (followed, notified, asked))
    return or_(_of_person(user), *of_these)


def _has_offer() -> ColumnElement[bool]:
    """Whether an ended match can still be resumed, or has a rematch request without a rematch."""
    wishing = exists().where(seats.c.match == matches.c.id, seats.c.agrees == "rematch")
    rematch = aliased(matches)
    begun = exists().where(rematch.c.predecessor == matches.c.id)
    return or_(matches.c.counts_at.is_not(None), and_(wishing, ~begun))


class ErasureRepository(Repository):
    async def note_deletion(self, now: int) -> None:
        """Have the file rewritten for a deletion that this transaction makes (Unix time)."""
        await rewriting.note_deletion(self._connection, now)

    async def deleted_since(self) -> int | None:
        """The hour of the first deletion for which the file is to be rewritten (Unix time)."""
        return await rewriting.deleted_since(self._connection)

    async def show_again(self, user: int) -> None:
        """Unsettle a person's ended matches that others can still resume or have a rematch of.

        So their messages are updated: without that person, neither is possible. Such requests are
        at most some days old.
        """
        await self._locks.all_of(_connected_with(user), user)
        offering = select(matches.c.id).where(_of_person(user), matches.c.settled, _has_offer())
        await self._connection.execute(
            update(matches).where(matches.c.id.in_(offering)).values(settled=False)
        )

    async def seated(self, user: int) -> Sequence[SeatedRecord]:
        """The seats of a person in open and running matches, including seats that they have left.

        Also in ended ones that are not settled, because a message that shows them may be on its
        way. A transaction that writes locks everything of this person's.
        """
        await self._locks.all_of(_connected_with(user), user)
        hand = (places.c.match == seats.c.match) & (places.c.place == seats.c.seat)
        query = (
            select(seats.c.match, seats.c.seat, matches.c.guild, matches.c.status, *MESSAGE.columns)
            .join(matches, matches.c.id == seats.c.match)
            .outerjoin(places, hand)
            .where(seats.c.user == user, or_(matches.c.status.in_(_UNDERWAY), ~matches.c.settled))
            .order_by(seats.c.match)
        )
        return [
            SeatedRecord(
                match=MatchId(row.match),
                seat=Seat(row.seat),
                hand=None if row.message is None else MESSAGE.of(row[4:]),
                is_open=row.status == "open",
                is_over=row.status not in _UNDERWAY,
                is_solo=row.guild is None,
            )
            for row in await self._connection.execute(query)
        ]

    async def ended_tables(self, user: int, limit: int) -> Sequence[tuple[MatchId, MessageRef]]:
        """The tables of the last `limit` ended matches and challenges of a person."""
        return await self._ended(user, limit, TABLE)

    async def ended_signposts(self, user: int, limit: int) -> Sequence[tuple[MatchId, MessageRef]]:
        """The signposts of the last `limit` ended matches of a person that have one."""
        return await self._ended(user, limit, SIGNPOST)

    async def _ended(
        self, user: int, limit: int, place: int
    ) -> Sequence[tuple[MatchId, MessageRef]]:
        there = (places.c.match == seats.c.match) & (places.c.place == place)
        query = (
            select(seats.c.match, *MESSAGE.columns)
            .join(matches, matches.c.id == seats.c.match)
            .join(places, there)
            .where(seats.c.user == user, matches.c.status.not_in(_UNDERWAY))
            .order_by(seats.c.match.desc())
            .limit(limit)
        )
        return [
            (MatchId(row.match), MESSAGE.of(row[1:]))
            for row in await self._connection.execute(query)
        ]

    async def mentions(self, user: int) -> Sequence[tuple[MatchId, Spot]]:
        """The messages in channels that mention a person to notify them of a match.

        Not direct messages: they are the person's own.
        """
        direct = exists().where(
            people.c.user == user, people.c.dm_channel == sent_notices.c.channel
        )
        query = select(sent_notices.c.match, sent_notices.c.channel, sent_notices.c.message).where(
            sent_notices.c.user == user, ~direct
        )
        rows = await self._connection.execute(query)
        return [(MatchId(row.match), Spot(row.channel, row.message)) for row in rows]

    async def forget(self, user: int) -> list[int]:
        """Remove a person's id from every table; returns the users that had blocked them, sorted.

        Ended matches keep a former player, the same in all of them, so that recomputing everybody
        else's ratings gives the same as before. Each match in play gets a former player of its own,
        because the person's rating is no longer known when it ends. The places of their hands are
        deleted too, because a channel of direct messages identifies a person. Solo matches are
        deleted as a whole, because nobody else has played in them.
        """
        await self._locks.all_of(_connected_with(user), user)
        alone = select(seats.c.match).where(seats.c.user == user)
        await self._locks.messages(places.c.match.in_(alone))
        await self._connection.execute(
            delete(matches).where(matches.c.guild.is_(None), matches.c.id.in_(alone))
        )
        await self._forget_places(user)
        named = select(matches.c.id).where(~matches.c.settled, _of_person(user))
        await self._touch(*(await self._connection.execute(named)).scalars())
        await self._forget_notices(user)
        await self._rename_everywhere(user)
        blocking = await self._forget_blocks(user)
        for table in _TABLES_OF_ONE_PERSON:
            await self._connection.execute(delete(table).where(table.c.user == user))
        return blocking

    async def _forget_blocks(self, user: int) -> list[int]:
        """Delete a person's blocks and blocks of them; returns the users that had blocked them.

        If two people are deleted at once, the second waits here for the first, and then finds what
        the first has kept of the second's block.
        """
        concerned = or_(blocks.c.user == user, blocks.c.blocked == user)
        deletion = delete(blocks).where(concerned).returning(blocks.c.user)
        found = (await self._connection.execute(deletion)).scalars()
        return sorted(other for other in found if other != user)

    async def _forget_places(self, user: int) -> None:
        """Delete the places of a person's hands, and mark other messages that name them as behind.

        Those are the signposts of their matches, the tables of matches not dealt yet, and the
        others' hands in ended matches whose offer depends on this person. In matches in play, the
        keys say who was deleted.
        """
        hands = select(seats.c.match, seats.c.seat).where(seats.c.user == user)
        await self._connection.execute(
            delete(places).where(tuple_(places.c.match, places.c.place).in_(hands))
        )
        # Moves in the match don't make its signpost outdated, but this does.
        await self._connection.execute(
            update(places)
            .where(
                places.c.match.in_(
                    select(matches.c.id).where(~matches.c.settled, _of_person(user))
                ),
                places.c.place == SIGNPOST,
            )
            .values(shown="", revision=0)
        )
        # Before the deal, `shown` could confirm to somebody who guesses who sits there. A table may
        # still show the challenge afterwards.
        seated = select(seats.c.match).where(seats.c.user == user)
        undealt = seated.join(matches, matches.c.id == seats.c.match).where(
            matches.c.state.is_(None)
        )
        is_open = places.c.shown.startswith(SHOWN_OPEN)
        await self._connection.execute(
            update(places)
            .where(
                places.c.match.in_(seated),
                places.c.place == TABLE,
                or_(is_open, places.c.match.in_(undealt)),
                places.c.shown.not_in((SHOWN_PLAIN, SHOWN_POSTING)),
            )
            .values(shown=case((is_open, SHOWN_OPEN), else_=""))
        )
        # The keys of hands don't say who could resume. Tables are left out: they are edited as
        # traces, and must not be posted again if gone.
        offering = select(matches.c.id).where(
            _of_person(user), matches.c.status.not_in(_UNDERWAY), _has_offer()
        )
        await self._connection.execute(
            update(places)
            .where(places.c.match.in_(offering), places.c.place != TABLE)
            .values(shown="")
        )

    async def _rename_everywhere(self, user: int) -> None:
        """Replace a person by former players in seats, challenges, asks and results."""
        playing = (
            select(matches.c.id)
            .join(seats, seats.c.match == matches.c.id)
            .where(
                seats.c.user == user,
                # The result of a match that doesn't count yet is written later, from what is known
                # then.
                or_(matches.c.status.in_(_UNDERWAY), matches.c.counts_at.is_not(None)),
            )
        )
        for row in (await self._connection.execute(playing)).all():
            await self._rename(user, new_id(), match=row.id)
        former = new_id()
        await self._rename(user, former)
        await self._connection.execute(
            update(results)
            .where(results.c.user == user)
            .values(user=former, before=None, after=None, nth=None)
        )

    async def _forget_notices(self, user: int) -> None:
        """Delete notices to a person, and remove them as the actor of notices to others.

        Also delete nudges that a block kept from reaching them or others, because these show
        blocks.
        """
        own = select(seats.c.match, seats.c.seat).where(seats.c.user == user)
        for seat in (vain_nudges.c.seat, vain_nudges.c.target):
            in_vain = tuple_(vain_nudges.c.match, seat).in_(own)
            await self._connection.execute(delete(vain_nudges).where(in_vain))
        await self._connection.execute(delete(notices).where(notices.c.user == user))
        await self._connection.execute(
            update(notices).where(notices.c.actor == user).values(actor=None)
        )

    async def _rename(self, user: int, former: int, *, match: int | None = None) -> None:
        """Give a person's seats, challenges and asks to a former player, in one match or all."""
        sitting = update(seats).where(seats.c.user == user)
        opening = update(matches).where(matches.c.opener == user)
        asking = update(asks).where(asks.c.actor == user)
        if match is not None:
            sitting = sitting.where(seats.c.match == match)
            opening = opening.where(matches.c.id == match)
            asking = asking.where(asks.c.match == match)
        # What they agreed to lapses, unless a rematch has begun: `agrees` makes the old table link
        # to it.
        rematch = aliased(matches)
        begun = exists().where(rematch.c.predecessor == seats.c.match)
        agrees = case((begun, seats.c.agrees), else_=None)
        await self._connection.execute(
            sitting.values(user=former, agrees=agrees, nudged_at=None, away_until=None)
        )
        await self._connection.execute(opening.values(opener=former))
        await self._connection.execute(asking.values(actor=former))

    async def sweep(self, user: int, hands: Sequence[tuple[MatchId, Seat]]) -> None:
        """Delete rows that messages on their way have written since the person was deleted."""
        of_hands = tuple_(places.c.match, places.c.place).in_(hands)
        await self._locks.messages(of_hands)
        await self._connection.execute(delete(places).where(of_hands))
        await self._connection.execute(delete(lessons).where(lessons.c.user == user))
        await self._connection.execute(delete(people).where(people.c.user == user))
