"""Whether a match counts for ratings: chosen with the challenge, limited for each pair and day."""

from itertools import combinations
from typing import Final

from bot.matches.returns import Returns
from bot.storage import MatchRecord, Transaction

PER_PAIR: Final = 5
"""Rated matches that two people can begin with each other on one day, which is one of UTC."""

DAY: Final = 24 * 60 * 60


async def limit(writing: Transaction, record: MatchRecord, returns: Returns, now: int) -> None:
    """Let a match that is about to begin be casual, if two of its players have had enough today.

    That is decided when it begins, so that nobody plays for a rating and then is told that it does
    not count. A match with somebody who was deleted since may have been with anybody, so it counts
    for all; who was deleted and is back plays no rated ones for a while, and nobody is told why.
    A match with a computer is casual too, but only from its beginning: the challenger can take the
    computer away until then, and what was asked for still stands.
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
