"""Whether a match is rated: chosen in the challenge, and limited per pair of players and day."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from bot.matches.challenge import Challenge
from bot.matches.returns import Returns
from bot.storage import MatchId, MatchRecord, Transaction
from bot.time_units import DAY_SECONDS

PER_PAIR: Final = 5
"""Rated matches that two users can start with each other per day (UTC)."""


def next_day(moment: int) -> int:
    """When the first day after this moment begins, by which the limit is counted (UTC)."""
    return moment - moment % DAY_SECONDS + DAY_SECONDS


async def note_limit(writing: Transaction, challenge: Challenge, match: MatchId, now: int) -> None:
    """Note on a challenge, just stored as `match`, that it would begin casual today.

    Only if all its players are named, because others may join with whom the limit isn't reached.
    Users who come back after a deletion get the same note as anybody, so that it tells nothing.
    """
    users = (challenge.opener, *challenge.opponents)
    if not challenge.rated or challenge.guild is None or len(users) < challenge.wanted:
        return
    if await _is_reached(writing, challenge.guild, users, now):
        await writing.challenges.set_limited(match, limited=True)


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
    if await _is_reached(writing, record.guild, users, now):
        await writing.challenges.make_casual(record.id, limited=True)
    elif record.limited:  # it was opened on an earlier day, or a match was called off since
        await writing.challenges.set_limited(record.id, limited=False)


async def _is_reached(writing: Transaction, guild: int, users: Sequence[int], now: int) -> bool:
    """Whether two of these users can't begin another rated match with each other today."""
    today = now - now % DAY_SECONDS
    together = await writing.challenges.rated_together(guild, users, today)
    former = await writing.challenges.rated_with_former(guild, users, today)
    most = max(
        (
            together.get((one, two), 0) + former.get(one, 0) + former.get(two, 0)
            for one, two in combinations(sorted(users), 2)
        ),
        default=0,
    )
    return most >= PER_PAIR
