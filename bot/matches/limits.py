"""Limits on challenges, requests and running matches per user, and blocks between users."""

from collections.abc import Collection, Sequence
from typing import Final

from bot.errors import ChallengeError, HurriedError, MatchError
from bot.matches.challenge import Challenge
from bot.matches.returns import Returns
from bot.storage import MatchId, MatchRecord, Transaction
from bot.storage.challenges import InvitationRecord
from bot.text import discord_link
from bot.time_units import HOUR_SECONDS

MAX_OPEN_CHALLENGES: Final = 5
"""Challenges of one user that are open at the same time."""

MAX_ASKS_TO_ONE: Final = 3
"""Challenges and rematch requests of one user to another within an hour that weren't accepted,
whatever became of them: withdrawn, declined, started without the other, expired."""

MAX_UNANSWERED_ASKS: Final = 10
"""Challenges and rematch requests of one user within an hour, to anybody, that were neither
accepted nor declined, whatever became of them."""

MAX_RUNNING_MATCHES: Final = 20
"""Running matches in which one user plays at the same time."""

NOT_CHALLENGED: Final = (
    "You can't challenge <@{}> at the moment. Ask someone else, or leave the seat open."
)
"""Gives no reason: users are promised that their blocks stay secret, so a block must look the same
as the preference to get no challenges at all."""

TWICE: Final = "You've just pressed that. To begin another match, wait a few seconds."
TWICE_SECONDS: Final = 3
"""Seconds within which a second match against computers counts as a double tap on its button."""

POSTED_WITHIN: Final = 60
"""Seconds after which a challenge has been posted, or never will be."""


async def must_be_allowed_to_open(
    writing: Transaction, challenge: Challenge, match: MatchId, *, returns: Returns, now: int
) -> None:
    """Raise ChallengeError if this challenge, already stored as `match`, isn't allowed.

    Raises HurriedError for the second of two taps: two processes may handle them at the same time,
    because any process handles a click in direct messages that starts a match. Raises MatchError
    if the opener plays too many matches.
    """
    opener, opponents = challenge.opener, challenge.opponents
    unwilling = await returns.blocking(writing, opponents, opener)
    for other in unwilling or await writing.people.left_alone(opponents):
        raise ChallengeError(NOT_CHALLENGED.format(other))
    for other in opponents:
        if await returns.blocking(writing, [opener], other):
            raise ChallengeError(
                f"You've blocked <@{other}>, so you can't challenge them. To undo that, use "
                "`/unblock`."
            )
    for between in await writing.challenges.between(opener, opponents, besides=match):
        if between.message is not None or now - between.opened_at <= POSTED_WITHIN:
            raise ChallengeError(
                f"There's already {_linked(between)} between you and <@{between.other}>. Answer or "
                "withdraw it first; `/games` lists it."
            )
        # The bot died before it could post this one, so nobody will ever answer it.
        unposted = await writing.matches.load(between.match)
        assert unposted is not None
        await writing.matches.end(unposted, "withdrawn", now)
    if challenge.pressed and await writing.challenges.has_begun(
        opener, challenge.game, now, within=TWICE_SECONDS, besides=match
    ):
        raise HurriedError(TWICE)
    if (
        not challenge.begins_at_once
        and await writing.challenges.opened_by(opener) > MAX_OPEN_CHALLENGES
    ):
        raise ChallengeError(
            f"You have {MAX_OPEN_CHALLENGES} open challenges, the most you can have. Withdraw one "
            "or wait for an answer; `/games` lists them."
        )
    await _must_be_allowed_to_ask(writing, challenge, returns, now)
    await must_be_allowed_to_play(writing, opener, [])


async def _must_be_allowed_to_ask(
    writing: Transaction, challenge: Challenge, returns: Returns, now: int
) -> None:
    """Raise ChallengeError if the opener has asked these or other users too often."""
    if not challenge.opponents:
        return
    to_each, in_all = await _asks_within_the_hour(
        writing, returns, challenge.opener, challenge.opponents, now
    )
    for other in challenge.opponents:
        if to_each.get(other, 0) >= MAX_ASKS_TO_ONE:
            raise ChallengeError(
                f"You've asked <@{other}> for {MAX_ASKS_TO_ONE} matches within an hour. Give them "
                "some time, then try again."
            )
    if in_all >= MAX_UNANSWERED_ASKS:
        raise ChallengeError(
            f"You've asked for {MAX_UNANSWERED_ASKS} matches within an hour and are still without "
            "an answer. Try again later, or leave the seats open."
        )


async def may_be_notified(
    writing: Transaction, returns: Returns, users: Collection[int], *, actor: int, now: int
) -> list[int]:
    """The users who may be notified that `actor` asks for a rematch: not those asked too often."""
    to_each, in_all = await _asks_within_the_hour(writing, returns, actor, users, now)
    if in_all >= MAX_UNANSWERED_ASKS:
        return []
    return [user for user in users if to_each.get(user, 0) < MAX_ASKS_TO_ONE]


async def _asks_within_the_hour(
    writing: Transaction, returns: Returns, actor: int, users: Collection[int], now: int
) -> tuple[dict[int, int], int]:
    """How often `actor` has asked each of these users in vain, and anybody.

    Deleting their data resets neither.
    """
    return await writing.asks.unanswered(
        actor,
        users,
        now - HOUR_SECONDS,
        now,
        deleted_at=await returns.deleted_at(writing, actor, now),
    )


async def must_be_allowed_to_play(writing: Transaction, user: int, others: Collection[int]) -> None:
    """Raise MatchError if this user plays as many matches as allowed.

    `others` are the players of a match that may start in this transaction. They are locked along
    with the user, because their matches are counted as well when it starts.
    """
    if (await writing.challenges.running([user, *others])).get(user, 0) >= MAX_RUNNING_MATCHES:
        raise MatchError(
            f"You're in {MAX_RUNNING_MATCHES} matches, the most you can play at once. Finish one "
            "first; `/games` lists them."
        )


async def must_be_allowed_to_begin(writing: Transaction, users: Sequence[int]) -> None:
    """Raise MatchError if one of these users plays as many matches as allowed by now."""
    running = await writing.challenges.running(users)
    for user in users:
        if running.get(user, 0) >= MAX_RUNNING_MATCHES:
            raise MatchError(
                f"<@{user}> is in {MAX_RUNNING_MATCHES} matches, the most one person can play at "
                "once. This one can start when one of those is over."
            )


async def must_be_allowed_to_join(
    writing: Transaction,
    record: MatchRecord,
    user: int,
    *,
    returns: Returns,
    at_table: Collection[int],
) -> None:
    """Raise MatchError if somebody at the table has blocked this user, or if they play too many."""
    if await returns.blocking(writing, at_table, user):
        raise MatchError("You can't join this table. Start your own with a `play` command.")
    await must_be_allowed_to_play(writing, user, record.people)


async def not_blocking(
    writing: Transaction, returns: Returns, users: Collection[int], actor: int
) -> list[int]:
    """Those of these users who haven't blocked `actor`, who asks them for something."""
    blocking = await returns.blocking(writing, users, actor)
    return [user for user in users if user not in blocking]


async def not_asked_before(
    writing: Transaction,
    returns: Returns,
    users: Collection[int],
    *,
    actor: int,
    before: Collection[int],
) -> list[int]:
    """The users to notify of a question that those in `before` have asked already.

    It is new only to users who have blocked all of those, and not `actor`.
    """
    for earlier in before:
        users = await returns.blocking(writing, users, earlier)
    return await not_blocking(writing, returns, users, actor)


def _linked(between: InvitationRecord) -> str:
    if between.channel is None or between.message is None:
        return "an open challenge"
    at = discord_link(between.guild, between.channel, between.message)
    return f"[an open challenge]({at})"
