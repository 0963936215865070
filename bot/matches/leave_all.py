"""Somebody who has everything deleted leaves a match, in the transaction of that deletion."""

from bot.matches.challenges import is_public
from bot.matches.loaded import LoadedMatch, load_readable
from bot.matches.resolution import leave
from bot.storage import MatchId, Transaction
from games import Seat


async def leave_for_good(writing: Transaction, match: MatchId, seat: Seat, now: int) -> None:
    """Resign from a match, also from one that is paused; give up a challenge or one's seat in it.

    A match whose record is damaged stays as it is: whoever leaves must not depend on it.
    """
    found = load_readable(await writing.matches.load(match))
    if found is None:
        return
    if found.record.status == "open":
        await _give_up(writing, found, seat, now)
    elif found.record.seats[seat].left is None:
        await leave(writing, found, seat, "resigned", now, None)


async def _give_up(writing: Transaction, found: LoadedMatch, seat: Seat, now: int) -> None:
    """As they do by themselves, but nobody is notified: there is nobody left to name."""
    record = found.record
    if record.seats[seat].user == record.opener:
        await writing.matches.end(record, "withdrawn", now)
    elif is_public(record):
        await writing.challenges.vacate(record.id, seat)
    else:
        user = record.seats[seat].user
        await writing.matches.end(record, "declined", now, actor=user)
