"""The table and the desks of a match in words and buttons: what a look becomes as a message."""

from bot.buttons import Link
from bot.matches import Look
from bot.presentation import Presentations
from bot.sheets import Sheet
from bot.tables.challenge import challenge_sheet
from bot.tables.desk import desk_sheet
from bot.tables.phrases import GONE, OPEN, OVER, RUNNING, names, title
from bot.tables.public import table_sheet

__all__ = ["GONE", "OPEN", "OVER", "RUNNING", "moved_sheet", "names", "sheet"]


def moved_sheet(look: Look, presentations: Presentations, url: str) -> Sheet:
    """What stays of a desk that has come anew, with the way to the new one."""
    what = title(look, presentations[look.game])
    return Sheet(
        head=f"-# {what}: your desk has come anew, further down.",
        rows=((Link(label="To your desk", url=url),),),
        color=GONE,
    )


def sheet(
    look: Look, presentations: Presentations, table_url: str | None = None, draft: str = ""
) -> Sheet:
    """The message that shows this look: the table for everybody, a desk for a seat.

    A draft is what the owner of a desk has put together without having chosen it.
    """
    presentation = presentations[look.game]
    if look.view is None:
        return challenge_sheet(look, presentation)
    if look.seat is None:
        return table_sheet(look, presentation)
    desk = desk_sheet(look, look.seat, presentation, table_url, draft)
    return desk.in_words() if look.words else desk
