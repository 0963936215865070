"""Renders snapshots of a match as messages: its challenge, its table and its hands."""

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
    """The message that shows a snapshot: the table if it's public, else the hand of its seat.

    `table_url` is the table that a hand links to; once a rematch has begun, it's the rematch's
    table, for hands and tables alike. `draft` is what the player has put together in the hand but
    not chosen yet.
    """
    presentation = presentations[snapshot.game]
    if snapshot.view is None:
        return challenge_content(snapshot, presentation)
    # A player who has left can't end a pause, so their hand doesn't mention it.
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
