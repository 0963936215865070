"""Whether a hand has told its player that it's their turn, by having been sent in it."""

from typing import Final

from discord.utils import snowflake_time

from bot.matches import SeatSnapshot
from bot.matches.time_controls import SLOW
from bot.matches.time_off import was_away_after
from bot.storage import MessageRef, Transactions
from bot.storage.notices import NoticeRecord

BEGINNINGS: Final = frozenset({"accepted", "turn"})
"""Events that need no new hand if one was sent in the same turn."""


async def has_told(
    storage: Transactions, hand: MessageRef | None, snapshot: SeatSnapshot, notice: NoticeRecord
) -> bool:
    """Whether a hand, as it was sent, told its player of this event, which isn't stored for it.

    It did if it was sent in the turn that the notice is about, or later.

    A hand that was sent before the end of their vacation didn't tell them that their clock runs.
    """
    if hand is None or notice.event not in BEGINNINGS or hand.turn < notice.turn:
        return False
    user, guild = snapshot.own.user, snapshot.guild
    if notice.event != "turn" or guild is None or snapshot.time_control not in SLOW:
        return True
    sent_at = snowflake_time(hand.message).timestamp()
    async with storage.reading() as reading:
        return not await was_away_after(reading, user, guild, sent_at)
