"""Messages of a match that isn't played where they are: it's paused, or it has its own thread."""

from bot.matches import MatchSnapshot, PublicSnapshot, SeatSnapshot
from bot.messaging.components import Link, Row
from bot.messaging.content import MessageContent
from bot.rendering.phrases import (
    GONE,
    OVER,
    RUNNING,
    button,
    heading,
    match_number,
    menu_button,
    my_hand_button,
    rules_button,
    seat_names,
    timestamp,
)
from bot.rendering.presentation import Presentation
from bot.rendering.results import result_line
from bot.rendering.time_left import departure_text
from bot.text import discord_link


def resting_content(
    snapshot: MatchSnapshot, presentation: Presentation, table_url: str | None
) -> MessageContent:
    """A match paused by its players: until when, and the button that ends the pause.

    Players can still look at their hand, and resign.
    """
    who = seat_names(snapshot)
    is_hand = isinstance(snapshot, SeatSnapshot)
    until = "" if snapshot.due_at is None else f" until {timestamp(snapshot.due_at)} at the latest"
    resume = button(snapshot, "Resume", "unpause", style="success")
    rows: tuple[Row, ...] = (
        (resume,),
        (my_hand_button(snapshot, presentation), menu_button(snapshot), rules_button(snapshot)),
    )
    if is_hand:
        link = () if table_url is None else (Link(label="Table", url=table_url),)
        rows = ((resume, menu_button(snapshot), *link),)
    return MessageContent(
        head=f"{heading(snapshot, presentation, of_hand=is_hand)}\n"
        f"⏸️ **Paused{until}.** {_stopped(snapshot)}",
        picture=presentation.picture(snapshot, ""),
        foot=f"{presentation.score(snapshot, who)}{_departed(snapshot, presentation)}",
        rows=rows,
        color=GONE,
    )


def _departed(snapshot: MatchSnapshot, presentation: Presentation) -> str:
    """Who has left the match, on a line of its own; "" if nobody has."""
    names = seat_names(snapshot)
    departures = [
        f"{presentation.emblem(snapshot.view, i)} {names[i]} {departure_text(info.left_why)}"
        for i, info in enumerate(snapshot.seats)
        if info.left
    ]
    return f"\n{' · '.join(departures)}" if departures else ""


def _stopped(snapshot: MatchSnapshot) -> str:
    """How the clock starts again, and that everyone agreed, unless all others are computers."""
    if snapshot.is_alone_with_computers:
        return (
            "The clock is stopped. **Resume** starts it again; otherwise it starts by itself then."
        )
    return (
        "Everyone agreed, and the clock is stopped. Any player can press **Resume**; otherwise the "
        "clock starts again by itself then."
    )


def paused_content(snapshot: MatchSnapshot, presentation: Presentation) -> MessageContent:
    """A match that lost its channel: why nobody can choose, how to resume it, and the score."""
    who = seat_names(snapshot)
    is_hand = isinstance(snapshot, SeatSnapshot)
    return MessageContent(
        head=f"{heading(snapshot, presentation, of_hand=is_hand)}\n"
        f"⏸️ **Paused**: I lost access to this match's channel. {how_to_resume(snapshot)}",
        picture=presentation.picture(snapshot, ""),
        foot=f"{presentation.score(snapshot, who)}\n{match_number(snapshot)}",
        rows=((server_link(snapshot),),) if is_hand else (),
        color=GONE,
    )


def how_to_resume(snapshot: MatchSnapshot) -> str:
    """What follows when a match loses its channel, and how players can resume it."""
    end = (
        ""
        if snapshot.due_at is None
        else f" If nobody does by {timestamp(snapshot.due_at)}, I close it without a result."
    )
    return (
        "Nobody can choose, and no clock runs. Any player can resume the match with `/resume` in a "
        "channel of the server that I can use. If I was removed from the server, add me again "
        f"first.{end}"
    )


def server_link(snapshot: MatchSnapshot) -> Link:
    return Link(label="Go to the server", url=discord_link(snapshot.guild))


def moved_content(
    snapshot: PublicSnapshot, presentation: Presentation, channel: int
) -> MessageContent:
    """The signpost that a challenge becomes when its match is played in a thread."""
    url = discord_link(snapshot.guild, channel)
    return MessageContent(
        head=f"{heading(snapshot, presentation)}\nThe match has started in <#{channel}>.",
        rows=((Link(label="Go to the match", url=url),),),
        color=RUNNING,
    )


def ended_content(
    snapshot: PublicSnapshot, presentation: Presentation, table_url: str
) -> MessageContent:
    """The signpost once the match is over, with its result."""
    return MessageContent(
        head=f"{heading(snapshot, presentation)}\n{result_line(snapshot, presentation)}",
        rows=((Link(label="Go to the table", url=table_url),),),
        color=OVER if snapshot.status == "over" else GONE,
    )
