"""The table and the desks of a match in words and buttons: what a look becomes as a message."""

from bot.matches import Snapshot
from bot.messaging.content import MessageContent
from bot.rendering.challenge import challenge_content
from bot.rendering.hand import hand_content
from bot.rendering.pauses import paused_content
from bot.rendering.phrases import GONE, OPEN, OVER, RUNNING, names, title
from bot.rendering.presentation import Presentations
from bot.rendering.table import table_content

__all__ = ["GONE", "OPEN", "OVER", "RUNNING", "away_content", "names", "render"]


def away_content(snapshot: Snapshot, presentations: Presentations) -> MessageContent:
    """What stays of a desk that comes anew because a turn has begun."""
    what = title(snapshot, presentations[snapshot.game])
    return MessageContent(head=f"-# {what}: a new turn has begun, further down.", color=GONE)


def render(
    snapshot: Snapshot, presentations: Presentations, table_url: str | None = None, draft: str = ""
) -> MessageContent:
    """The message that shows this look: the table for everybody, a desk for a seat.

    The address is of the table for a desk, and of the rematch's table for a table.
    A draft is what the owner of a desk has put together without having chosen it.
    """
    presentation = presentations[snapshot.game]
    if snapshot.view is None:
        return challenge_content(snapshot, presentation)
    if snapshot.paused and snapshot.status == "running":
        paused = paused_content(snapshot, presentation)
        return paused.in_words() if snapshot.words else paused
    if snapshot.seat is None:
        return table_content(snapshot, presentation, table_url)
    desk = hand_content(snapshot, snapshot.seat, presentation, table_url, draft)
    return desk.in_words() if snapshot.words else desk
