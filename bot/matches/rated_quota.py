"""Whether a match is rated: chosen in the challenge, and limited per pair of players and day."""

from itertools import combinations
from typing import Final

from bot.matches.returns import Returns
from bot.storage import MatchRecord, Transaction

PER_PAIR: Final = 5
"""Rated matches that two users can start with each other per day (UTC)."""

DAY: Final = 24 * 60 * 60


async def apply_limit(
    writing: Transaction, record: MatchRecord, returns: Returns, now: int
) -> None:
    """Make a match that is about to start casual if two of its players have reached the limit.

    This is decided at the start, so that nobody plays for a rating and then learns that the match
    doesn't count. A match with a user who was deleted since may have been with anybody here, so it
    counts for everyone. Users who come back after a deletion play no rated matches for a while, and
    nobody is told why. A match with a computer becomes casual only here, because the challenger can
    remove the computer before, and then still has the rated match they asked for.
    """
    if not record.rated:
        return
    users = record.people
    if record.guild is None or record.computers or await returns.is_any_back(writing, users, now):
        await writing.challenges.make_casual(record.id, limited=False)
        return
    today = now - now % DAY
    together = await writing.challenges.rated_together(record.guild, users, today)
    former = await writing.challenges.rated_with_former(record.guild, users, today)
    most = max(
        (
            together.get((one, two), 0) + former.get(one, 0) + former.get(two, 0)
            for one, two in combinations(sorted(users), 2)
        ),
        default=0,
    )
    if most >= PER_PAIR:
        await writing.challenges.make_casual(record.id, limited=True)
