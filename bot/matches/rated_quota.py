"""Whether a match counts for ratings: chosen with the challenge, limited for each pair and day."""

from typing import Final

from bot.storage import MatchRecord, Transaction

PER_PAIR: Final = 5
"""Rated matches that two people can begin with each other on one day, which is one of UTC."""

DAY: Final = 24 * 60 * 60


async def limit(writing: Transaction, record: MatchRecord, now: int) -> None:
    """Let a match that is about to begin be casual, if two of its players have had enough today.

    That is decided when it begins, so that nobody plays for a rating and then is told that it does
    not count.
    """
    if not record.rated or record.guild is None:
        return
    if record.computers:
        await writing.challenges.make_casual(record.id, limited=False)
        return
    users = record.people
    today = now - now % DAY
    if await writing.challenges.rated_together(record.guild, users, today) >= PER_PAIR:
        await writing.challenges.make_casual(record.id, limited=True)
