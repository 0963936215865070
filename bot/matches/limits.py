"""How much one person may have under way, and whom people do not want to hear from."""

from collections.abc import Collection, Sequence
from typing import Final

from bot.errors import ChallengeError, HurriedError, MatchError
from bot.matches.challenge import Challenge
from bot.matches.returns import Returns
from bot.storage import MatchId, MatchRecord, Transaction
from bot.storage.challenges import InvitationRecord
from bot.text import message_link

MAX_OPEN_CHALLENGES: Final = 5
"""Challenges of one person that nobody has answered yet."""

MAX_ASKS_TO_ONE: Final = 3
"""Challenges and wishes for a rematch of one person to another within an hour that were not
accepted, whatever became of them: withdrawn, declined, begun without the other, lapsed."""

MAX_UNANSWERED_ASKS: Final = 10
"""Those of one person within an hour that somebody has not answered, whatever became of them."""

HOUR: Final = 3600

MAX_RUNNING_MATCHES: Final = 20
"""Matches in which one person plays at a time."""

NOT_CHALLENGED: Final = (
    "You can't challenge <@{}> at the moment. Ask someone else, or leave the seat open."
)
"""No reason is given: whoever blocks is promised that, and need not be told from who wants no
challenges at all."""

TWICE: Final = "You've just pressed that. To begin another match, wait a few seconds."
TWICE_SECONDS: Final = 3
"""Within which a second match against computers is taken for a second tap on its button."""

POSTED_WITHIN: Final = 60
"""Seconds after which a challenge stands somewhere, or never will."""


async def may_open(
    writing: Transaction, challenge: Challenge, match: MatchId, *, returns: Returns, now: int
) -> None:
    """ChallengeError where this challenge, already written as this match, is one too many.

    HurriedError for the second of two taps, which two processes may handle at once: what begins a
    match in direct messages is handled by any process that it reaches.
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
        # The bot died before it could post it, so nobody will ever answer it.
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
    await _may_ask_again(writing, challenge, now)
    await may_play(writing, opener, [])


async def _may_ask_again(writing: Transaction, challenge: Challenge, now: int) -> None:
    """ChallengeError where this would be one more ping too many."""
    if not challenge.opponents:
        return
    to_each, in_all = await writing.asks.unanswered(
        challenge.opener, challenge.opponents, now - HOUR, now
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


async def may_be_told(
    writing: Transaction, users: Collection[int], *, actor: int, now: int
) -> list[int]:
    """Those of these people who may be told that this person asks them to play again."""
    to_each, in_all = await writing.asks.unanswered(actor, users, now - HOUR, now)
    if in_all >= MAX_UNANSWERED_ASKS:
        return []
    return [user for user in users if to_each.get(user, 0) < MAX_ASKS_TO_ONE]


async def may_play(writing: Transaction, user: int, others: Collection[int]) -> None:
    """MatchError where this person plays as many matches as one can.

    The others are those the match may begin with at once: what they play is counted then.
    """
    if (await writing.challenges.running([user, *others])).get(user, 0) >= MAX_RUNNING_MATCHES:
        raise MatchError(
            f"You're in {MAX_RUNNING_MATCHES} matches, the most you can play at once. Finish one "
            "first; `/games` lists them."
        )


async def may_begin(writing: Transaction, users: Sequence[int]) -> None:
    """MatchError where one of them has begun so many other matches since taking the seat."""
    running = await writing.challenges.running(users)
    for user in users:
        if running.get(user, 0) >= MAX_RUNNING_MATCHES:
            raise MatchError(
                f"<@{user}> is in {MAX_RUNNING_MATCHES} matches, the most one person can play at "
                "once. This one can start when one of those is over."
            )


async def may_join(
    writing: Transaction,
    record: MatchRecord,
    user: int,
    *,
    returns: Returns,
    at_table: Collection[int],
) -> None:
    """MatchError where one of those at the table wants no challenges of this person."""
    if await returns.blocking(writing, at_table, user):
        raise MatchError("You can't join this table. Start your own with a `play` command.")
    await may_play(writing, user, record.people)


async def willing(
    writing: Transaction, returns: Returns, users: Collection[int], actor: int
) -> list[int]:
    """Those of these people who have not blocked the one who asks them for something."""
    blocking = await returns.blocking(writing, users, actor)
    return [user for user in users if user not in blocking]


async def asked_first(
    writing: Transaction,
    returns: Returns,
    users: Collection[int],
    *,
    actor: int,
    before: Collection[int],
) -> list[int]:
    """Those of these people for whom the question is new: they hear nobody who asked before."""
    for earlier in before:
        users = await returns.blocking(writing, users, earlier)
    return await willing(writing, returns, users, actor)


def _linked(between: InvitationRecord) -> str:
    if between.channel is None or between.message is None:
        return "an open challenge"
    at = message_link(between.guild, between.channel, between.message)
    return f"[an open challenge]({at})"
