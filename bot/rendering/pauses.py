"""A match that is not played where its message stands: it is paused, or it has its own thread."""

from bot.matches import Snapshot
from bot.messaging.components import Link
from bot.messaging.content import MessageContent
from bot.rendering.phrases import GONE, RUNNING, countdown, names, title, versus
from bot.rendering.presentation import Presentation
from bot.text import channel_link, guild_link


def paused_content(snapshot: Snapshot, presentation: Presentation) -> MessageContent:
    """Why nobody can choose now, and how the match goes on; with its position, for who waits."""
    who = names(snapshot)
    whose = "" if snapshot.seat is None else ": your desk"
    end = "" if snapshot.due_at is None else f" Otherwise it closes {countdown(snapshot.due_at)}."
    return MessageContent(
        head=f"### {title(snapshot, presentation)}{whose}\n{versus(snapshot, presentation)}\n"
        "⏸️ **Paused**: the channel of this match is gone or closed to me. Nobody can choose, and "
        "no clock runs. Any player can go on with it: use `/resume` in another channel of the "
        f"server (if I was removed from it, I must be added again first).{end}",
        picture=presentation.picture(snapshot, ""),
        foot=presentation.score(snapshot, who),
        rows=((_server(snapshot),),) if snapshot.seat is not None else (),
        color=GONE,
    )


def _server(snapshot: Snapshot) -> Link:
    return Link(label="To the server", url=guild_link(snapshot.guild))


def moved_content(snapshot: Snapshot, presentation: Presentation, channel: int) -> MessageContent:
    """What stays of a challenge whose match is played in a thread."""
    url = channel_link(snapshot.guild, channel)
    return MessageContent(
        head=f"### {title(snapshot, presentation)}\n{versus(snapshot, presentation)}\n"
        f"The match has begun; it is played in <#{channel}>.",
        rows=((Link(label="To the match", url=url),),),
        color=RUNNING,
    )
