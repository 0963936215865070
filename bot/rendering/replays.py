"""A replay as a message: the table as it stood, what led to it, and the way to other steps."""

from bot.matches import Look
from bot.matches.replays import Replayed
from bot.messaging.components import Button, Press
from bot.messaging.content import Sheet
from bot.rendering.moves import told
from bot.rendering.phrases import OPEN, ending, names, title, versus
from bot.rendering.presentation import Presentation


def replay_sheet(shown: Replayed, presentation: Presentation) -> Sheet:
    """One state of a match that has ended."""
    look, who = shown.look, names(shown.look)
    lines = [
        f"### Replay · {title(look, presentation)}",
        versus(look, presentation),
        f"**{_stage(look, presentation)}** {presentation.story(look, who)}",
    ]
    moves = [told(line, look, presentation) for line in shown.lines]
    where = f"-# Step {shown.number} of {shown.last}"
    return Sheet(
        head="\n".join(lines),
        picture=presentation.picture(look, ""),
        foot="\n".join([presentation.score(look, who), *moves, where]),
        rows=(_ways(shown),),
        color=OPEN,
    )


def _stage(look: Look, presentation: Presentation) -> str:
    if look.status == "running":
        return f"{presentation.headline(look)}."
    return ending(look) if look.ending else presentation.result(look, names(look))


def _ways(shown: Replayed) -> tuple[Button, ...]:
    """To the first, the previous, the next and the last state; the argument tells them apart."""
    number, last = shown.number, shown.last
    ways = (
        ("⏮", "first", 0, number > 0),
        ("◀", "back", max(number - 1, 0), number > 0),
        ("▶", "on", min(number + 1, last), number < last),
        ("⏭", "last", last, number < last),
    )
    return tuple(
        Button(
            label=label,
            press=Press(shown.look.match, to, "frame", way),
            style="primary" if way == "on" else "secondary",
            disabled=not leads,
        )
        for label, way, to, leads in ways
    )
