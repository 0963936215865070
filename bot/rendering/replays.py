"""A replay as a message: the table after a step, its moves, and buttons to other steps."""

from bot.matches import PublicSnapshot
from bot.matches.replays import Replayed
from bot.messaging.components import Button, Press
from bot.messaging.content import MessageContent
from bot.rendering.moves import moves_text
from bot.rendering.phrases import OPEN, heading, seat_names
from bot.rendering.presentation import Presentation
from bot.rendering.results import result_line


def replay_content(replayed: Replayed, presentation: Presentation) -> MessageContent:
    """One state of an ended match, as its table showed it."""
    snapshot, who = replayed.snapshot, seat_names(replayed.snapshot)
    lines = [
        heading(snapshot, presentation, "Replay"),
        f"{_stage(snapshot, presentation)} {presentation.story(snapshot.view, who)}",
    ]
    moves = [moves_text(line, snapshot, presentation) for line in replayed.lines]
    return MessageContent(
        head="\n".join(lines),
        picture=presentation.picture(snapshot, ""),
        foot="\n".join([presentation.score(snapshot, who), *moves, _step_line(replayed)]),
        rows=(_step_buttons(replayed),),
        color=OPEN,
    )


def _step_line(replayed: Replayed) -> str:
    """The number of the step, as moves, coach and shared results count them."""
    step = replayed.snapshot.step
    if any(line.left for line in replayed.lines):  # leaving is no step, and comes after one
        return f"-# After step {step} of {replayed.steps}" if step else "-# After the deal"
    return f"-# Step {step} of {replayed.steps}"


def _stage(snapshot: PublicSnapshot, presentation: Presentation) -> str:
    if snapshot.status == "running":
        return f"**{presentation.headline(snapshot.view)}.**"
    return result_line(snapshot, presentation)


def _step_buttons(replayed: Replayed) -> tuple[Button, ...]:
    """Buttons to the first, previous, next and last state.

    Two of them can lead to the same state, so the argument makes their custom_ids differ.
    """
    number, last = replayed.number, replayed.last
    ways = (
        ("⏮ First", "first", 0, number > 0),
        ("◀ Back", "back", max(number - 1, 0), number > 0),
        ("Next ▶", "on", min(number + 1, last), number < last),
        ("Last ⏭", "last", last, number < last),
    )
    return tuple(
        Button(
            label=label,
            press=Press(replayed.snapshot.match, to, "frame", way),
            style="primary" if way == "on" else "secondary",
            disabled=not leads,
        )
        for label, way, to, leads in ways
    )
