"""Removes a user whose data is deleted from a match, in the transaction of that deletion."""

from bot.matches.challenges import is_public
from bot.matches.loaded import LoadedMatch, load_readable
from bot.matches.resolution import leave
from bot.storage import MatchId, Transaction
from games import Seat


async def leave_for_good(writing: Transaction, match: MatchId, seat: Seat, now: int) -> None:
    """Resign this seat, even while the match is paused; before the deal, give up the seat.

    A match with a damaged record is left as it is, so that it can't prevent the deletion.
    """
    found = load_readable(await writing.matches.load(match))
    if found is None:
        return
    if found.record.status == "open":
        await _give_up(writing, found, seat, now)
    elif found.record.seats[seat].left is None:
        await leave(writing, found, seat, "resigned", now, None)


async def _give_up(writing: Transaction, found: LoadedMatch, seat: Seat, now: int) -> None:
    """Withdraw the user's challenge, or give up their seat in one.

    Unlike `ChallengeActs.vacate`, this sends no notice about an empty seat: it would name nobody.
    """
    record = found.record
    if record.seats[seat].user == record.opener:
        await writing.matches.end(record, "withdrawn", now)
    elif is_public(record):
        await writing.challenges.vacate(record.id, seat)
    else:
        user = record.seats[seat].user
        await writing.matches.end(record, "declined", now, actor=user)
