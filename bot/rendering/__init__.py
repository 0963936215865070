"""The table and the hands of a match in words and buttons: a snapshot becomes a message."""

from bot.matches import PublicSnapshot, SeatSnapshot, Snapshot
from bot.messaging.content import MessageContent
from bot.rendering.challenge import challenge_content
from bot.rendering.hand import hand_content
from bot.rendering.pauses import paused_content, resting_content
from bot.rendering.presentation import Presentations
from bot.rendering.table import table_content

__all__ = ["render"]


def render(
    snapshot: Snapshot,
    presentations: Presentations,
    table_url: str | None = None,
    draft: str = "",
) -> MessageContent:
    """The message that shows this snapshot: the table for everybody, a hand for a seat.

    The address is of the table for a hand; once a rematch has begun, of the rematch's table.
    A draft is what a player has put together in a hand without having chosen it.
    """
    presentation = presentations[snapshot.game]
    if snapshot.view is None:
        return challenge_content(snapshot, presentation)
    # Whoever has left can't end a pause, so nothing is said of it.
    plays = not isinstance(snapshot, SeatSnapshot) or not snapshot.own.left
    if snapshot.rests and plays:
        content = resting_content(snapshot, presentation, table_url)
    elif snapshot.paused and snapshot.status == "running" and plays:
        content = paused_content(snapshot, presentation)
    elif isinstance(snapshot, PublicSnapshot):
        content = table_content(snapshot, presentation, table_url)
    else:
        content = hand_content(snapshot, presentation, table_url, draft)
    in_words = isinstance(snapshot, SeatSnapshot) and snapshot.words
    return content.in_words() if in_words else content
