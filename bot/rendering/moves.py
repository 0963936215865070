"""The moves so far as a message: a line for each step, a page at a time."""

from collections.abc import Iterable
from typing import Final

from bot.matches import PublicSnapshot
from bot.matches.transcripts import Line, Moves
from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.rendering.phrases import EARLIER_LATER, RUNNING, heading, page_turns, seat_names
from bot.rendering.presentation import Presentation
from bot.rendering.time_left import departure_text

STEPS_PER_PAGE: Final = 25
MAX_PAGE_LENGTH: Final = 3000
"""Characters in the lines of a page; some games have long moves."""

LAST_PAGE: Final = 10**6
"""A page number beyond any last page, so `moves_content` shows the last one."""


def moves_content(moves: Moves, presentation: Presentation, page: int) -> MessageContent:
    """A page of the moves, counted from 0; a page beyond the end shows the last one."""
    snapshot = moves.snapshot
    pages = _pages([moves_text(line, snapshot, presentation) for line in moves.lines])
    page = min(page, len(pages) - 1)
    turns = page_turns(Press(snapshot.match, page, "turnmoves"), len(pages) - 1, EARLIER_LATER)
    lines = pages[page] or ["No moves yet."]
    head = heading(snapshot, presentation, "Moves so far")
    return MessageContent(
        head="\n".join([head, *lines]),
        foot=f"-# Page {page + 1} of {len(pages)}" if len(pages) > 1 else "",
        rows=(turns,),
        color=RUNNING,
    )


def moves_text(line: Line, snapshot: PublicSnapshot, presentation: Presentation) -> str:
    """A line of the transcript: the moves of a step, or who left before it."""
    if line.left is not None:
        seat, why = line.left
        name = f"{presentation.emblem(snapshot.view, seat)} {seat_names(snapshot)[seat]}"
        return f"{name} {departure_text(why)}"
    moves = (
        f"{presentation.emblem(snapshot.view, seat)} {presentation.spelled(move)}"
        for seat, move in line.moves.items()
    )
    return f"`{line.step:3}` {'  '.join(moves)}"


def _pages(lines: Iterable[str]) -> list[list[str]]:
    """The lines split into pages that fit a message; one empty page if there are no lines."""
    pages: list[list[str]] = [[]]
    for line in lines:
        page = pages[-1]
        if len(page) == STEPS_PER_PAGE or sum(map(len, page)) + len(line) > MAX_PAGE_LENGTH:
            page = []
            pages.append(page)
        page.append(line)
    return pages
