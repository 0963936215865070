"""A match that is not played where its message stands: it is paused, or it has its own thread."""

from bot.matches import Look
from bot.messaging.components import Link
from bot.messaging.content import Sheet
from bot.rendering.phrases import GONE, RUNNING, countdown, names, title, versus
from bot.rendering.presentation import Presentation


def paused_sheet(look: Look, presentation: Presentation) -> Sheet:
    """Why nobody can choose now, and how the match goes on; with its position, for who waits."""
    who = names(look)
    whose = "" if look.seat is None else ": your desk"
    end = "" if look.due_at is None else f" Otherwise it closes {countdown(look.due_at)}."
    return Sheet(
        head=f"### {title(look, presentation)}{whose}\n{versus(look, presentation)}\n"
        "⏸️ **Paused**: the channel of this match is gone or closed to me. Nobody can choose, and "
        "no clock runs. Any player can go on with it: use `/resume` in another channel of the "
        f"server (if I was removed from it, I must be added again first).{end}",
        picture=presentation.picture(look, ""),
        foot=presentation.score(look, who),
        rows=((_server(look),),) if look.seat is not None else (),
        color=GONE,
    )


def _server(look: Look) -> Link:
    return Link(label="To the server", url=f"https://discord.com/channels/{look.guild}")


def moved_sheet(look: Look, presentation: Presentation, channel: int) -> Sheet:
    """What stays of a challenge whose match is played in a thread."""
    url = f"https://discord.com/channels/{look.guild}/{channel}"
    return Sheet(
        head=f"### {title(look, presentation)}\n{versus(look, presentation)}\n"
        f"The match has begun; it is played in <#{channel}>.",
        rows=((Link(label="To the match", url=url),),),
        color=RUNNING,
    )
