"""A shared result as a message: a picture, and text that says the same."""

import re
from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from bot.computers.coach import ChoiceReview, Study
from bot.drawing.shared_result import ResultPicture, Side, TurningPoint, draw
from bot.matches import SeatInfo
from bot.messaging.components import Link, Row
from bot.messaging.content import MessageContent, Picture
from bot.rendering.coach import moment_of
from bot.rendering.phrases import OPEN, OVER, button, heading, seat_names
from bot.rendering.presentation import KeepsScore, Presentation
from bot.rendering.rating_changes import before_and_after
from bot.rendering.results import result_line, won_by
from bot.sharing.results import SharedResult
from bot.storage import ChangeRecord, Spot
from bot.text import counted, listed
from games import GAMES

_WIDEST: Final = 30
"""Characters in a line of the picture."""

_MAX_LINES: Final = 3
"""Lines about the choice at the turning point in the picture; if it's longer, only the text has
it."""

_MAX_CHANGES_TOLD: Final = 24
"""Changes of the score that the alt text lists."""

_MARKUP: Final = re.compile(r"[*`]")


def shared_content(result: SharedResult, presentation: Presentation) -> MessageContent:
    """The post: the result in text and as a picture, and who shared it."""
    snapshot = result.snapshot
    who = seat_names(snapshot)
    lines = [
        heading(snapshot, presentation),
        result_line(snapshot, presentation),
    ]
    foot = [presentation.score(snapshot, who), *_ratings(result, presentation, who)]
    foot += _streak(result) + _turning_point_line(result, presentation)
    by = f"-# Shared by {who[snapshot.seat]}"
    return MessageContent(
        head="\n".join(lines),
        picture=_picture(result, presentation),
        foot="\n".join([*foot, by]),
        rows=(_buttons(result),),
        color=OVER,
    )


def studying_content(study: Study) -> MessageContent:
    """The progress that a player who shares sees while the coach looks for their turning point."""
    return MessageContent(
        head=f"⏳ Checking your choices for your turning point: {study.checked} of {study.total} …",
        color=OPEN,
    )


def posted_content(post: Spot, guild: int | None, *, before: bool) -> MessageContent:
    """The private answer to a user who shared something: where the post is, with a link.

    `before`: it had been shared earlier.
    """
    what = "You've already shared this" if before else "Shared"
    link = Link(label="Go to the post", url=post.url(guild))
    return MessageContent(head=f"{what} in <#{post.channel}>.", rows=((link,),), color=OPEN)


def _buttons(result: SharedResult) -> Row:
    """Buttons to see more of the match: its replay, and its table if that is known."""
    replay = button(result.snapshot, "Replay", "replay")
    if result.table is None:
        return (replay,)
    return (replay, Link(label="Table", url=result.table.url(result.snapshot.guild)))


def _ratings(result: SharedResult, presentation: Presentation, who: Sequence[str]) -> list[str]:
    changes = [
        f"{presentation.emblem(result.snapshot.view, i)} {who[i]} {_change(info.change)}"
        for i, info in enumerate(result.snapshot.seats)
        if info.change is not None and info.user not in result.unrated
    ]
    return [f"📈 Ratings: {' · '.join(changes)}"] if changes else []


def _change(change: ChangeRecord) -> str:
    """For example `1512 → 1524`; without markup, because the picture has it too."""
    return " → ".join(before_and_after(change))


def _streak(result: SharedResult) -> list[str]:
    return [f"🔥 {result.streak} wins in a row"] if result.streak else []


def _turning_point_line(result: SharedResult, presentation: Presentation) -> list[str]:
    turning = result.turning
    if turning is None:
        return []
    chosen, better = _moves(turning, presentation)
    cost = _percent(turning.cost)
    who = seat_names(result.snapshot)[result.snapshot.seat]
    sentence = f"{who} chose {chosen}; {better} was {cost} better, says the coach."
    moment = moment_of(turning)
    return [f"❗ **Turning point**, {moment[0].lower()}{moment[1:]}: {sentence}"]


def _moves(turning: ChoiceReview, presentation: Presentation) -> tuple[str, str]:
    better = turning.better or ""
    return presentation.spelled(turning.move), presentation.spelled(better)


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def _picture(result: SharedResult, presentation: Presentation) -> Picture:
    snapshot, course = result.snapshot, result.course
    keeps = isinstance(presentation, KeepsScore)
    counts = presentation.counts(snapshot.options) if isinstance(presentation, KeepsScore) else ""
    subject = ResultPicture(
        title=GAMES[snapshot.game].title,
        counts=counts,
        steps=0 if course is None else course.steps,
        changes=() if course is None or not keeps else course.changes,
        sides=_sides(result, presentation),
        turn=_turning_point(result, presentation),
    )
    alt = _alt_text(result, presentation, subject)
    return Picture(name=f"{snapshot.game}-result", draw=draw, subject=subject, alt=alt)


def _sides(result: SharedResult, presentation: Presentation) -> tuple[Side, ...]:
    snapshot = result.snapshot
    last = result.course.changes[-1][1] if result.course is not None else None
    return tuple(
        Side(
            mark=presentation.marks[i],
            score="" if last is None else str(last[i]),
            note=_note(result, i),
            rating=""
            if info.change is None or info.user in result.unrated
            else _change(info.change),
            won=i in won_by(snapshot),
            own=i == snapshot.seat,
        )
        for i, info in enumerate(snapshot.seats)
    )


def _note(result: SharedResult, seat: int) -> str:
    """How it ended for a seat, in at most 12 characters; a crown already marks a win."""
    outcome, won = result.snapshot.outcome, won_by(result.snapshot)
    if outcome is None or outcome.ranks[seat] != 1:
        return _departed(result.snapshot.seats[seat])
    if not won:
        return "draw"
    if len(won) > 1:
        return "shared"
    own = seat == result.snapshot.seat
    return f"{result.streak} in a row" if own and result.streak else ""


def _departed(info: SeatInfo) -> str:
    """How a seat left; "" if it didn't."""
    if not info.left:
        return ""
    match info.left_why:
        case "time":
            return "out of time"
        case "unseated":
            return "removed"
        case _:
            return "resigned"


def _turning_point(result: SharedResult, presentation: Presentation) -> TurningPoint | None:
    turning = result.turning
    if turning is None:
        return None
    chosen, better = _plain_moves(turning, presentation)
    first = f"Turning point: step {turning.step}, -{_percent(turning.cost)}"
    rest = wrap(f"chose {chosen}; better: {better}", _WIDEST)
    return TurningPoint(
        step=turning.step, lines=(first, *rest) if len(rest) <= _MAX_LINES else (first,)
    )


def _plain_moves(turning: ChoiceReview, presentation: Presentation) -> tuple[str, str]:
    chosen, better = (_MARKUP.sub("", text) for text in _moves(turning, presentation))
    return chosen, better


def _alt_text(result: SharedResult, presentation: Presentation, subject: ResultPicture) -> str:
    """The alt text: all that the picture says. Seats by their marks, as pictures have no names."""
    marks = [mark.name for mark in presentation.marks]
    sentences = [f"{subject.title}, {counted(subject.steps, 'step')}."]
    sentences += [_side_in_words(side) for side in subject.sides]
    if subject.changes:
        sentences.append(_course_in_words(subject, marks))
    if result.turning is not None and subject.turn is not None:
        who = marks[result.snapshot.seat]
        sentences.append(_turning_point_in_words(who, result.turning, subject.turn, presentation))
    return " ".join(sentences)


def _turning_point_in_words(
    who: str, turning: ChoiceReview, shown: TurningPoint, presentation: Presentation
) -> str:
    """The turning point as a sentence, with the choice only if the picture has room for it."""
    chosen, better = _plain_moves(turning, presentation)
    cost = _percent(turning.cost)
    statement = f"{who} gave up {cost}"
    if len(shown.lines) > 1:
        statement = f"{who} chose {chosen}; {better} was {cost} better"
    return f"Turning point, step {turning.step}: {statement}."


def _side_in_words(side: Side) -> str:
    won = "won" if side.won else ""
    parts = [part for part in (side.score, won, side.note, side.rating) if part]
    own = ", who shares this" if side.own else ""
    return f"{side.mark.name.capitalize()}{own}: {', '.join(parts) or 'no score'}."


def _course_in_words(subject: ResultPicture, marks: Sequence[str]) -> str:
    """The score by step; of a long match, about `_MAX_CHANGES_TOLD` evenly spaced changes."""
    changes = subject.changes
    every = -(-len(changes) // _MAX_CHANGES_TOLD)
    selected = [*changes[:-1:every], changes[-1]]
    steps = "; ".join(f"{step}: {'-'.join(map(str, points))}" for step, points in selected)
    some = ", some of them" if every > 1 else ""
    seats = listed(marks[: len(subject.sides)])
    return f"{subject.counts.capitalize()} of {seats} by step{some}: {steps}."
