"""The table and the desks of a match in words and buttons: what a look becomes as a message."""

from bot.matches import Look
from bot.messaging.content import Sheet
from bot.rendering.challenge import challenge_sheet
from bot.rendering.hand import desk_sheet
from bot.rendering.pauses import paused_sheet
from bot.rendering.phrases import GONE, OPEN, OVER, RUNNING, names, title
from bot.rendering.presentation import Presentations
from bot.rendering.table import table_sheet

__all__ = ["GONE", "OPEN", "OVER", "RUNNING", "away_sheet", "names", "sheet"]


def away_sheet(look: Look, presentations: Presentations) -> Sheet:
    """What stays of a desk that comes anew because a turn has begun."""
    what = title(look, presentations[look.game])
    return Sheet(head=f"-# {what}: a new turn has begun, further down.", color=GONE)


def sheet(
    look: Look, presentations: Presentations, table_url: str | None = None, draft: str = ""
) -> Sheet:
    """The message that shows this look: the table for everybody, a desk for a seat.

    The address is of the table for a desk, and of the rematch's table for a table.
    A draft is what the owner of a desk has put together without having chosen it.
    """
    presentation = presentations[look.game]
    if look.view is None:
        return challenge_sheet(look, presentation)
    if look.paused and look.status == "running":
        paused = paused_sheet(look, presentation)
        return paused.in_words() if look.words else paused
    if look.seat is None:
        return table_sheet(look, presentation, table_url)
    desk = desk_sheet(look, look.seat, presentation, table_url, draft)
    return desk.in_words() if look.words else desk
