"""The coach's review as a message: the costliest choices, then choice by choice in pages."""

from collections.abc import Sequence
from typing import Final

from bot.computers.coach import ChoiceReview, Study
from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.rendering.phrases import EARLIER_LATER, OPEN, heading, page_turns
from bot.rendering.presentation import Presentation
from bot.text import counted
from games.computers import COMPUTERS

CHOICES_PER_PAGE: Final = 20
MAX_WORST_CHOICES: Final = 3

UNSURE: Final = "I couldn't judge any single choice: I only comment when I'm sure."

EVEN_DEAL_MARGIN: Final = 0.02
"""How far the value of an even deal may be from an equal share of the chance to win (0 to 1)."""


def coach_content(study: Study, presentation: Presentation, page: int = 0) -> MessageContent:
    """What the study has found so far.

    `page` counts from 0; a page beyond the end shows the last one.
    """
    snapshot = study.snapshot
    head = heading(snapshot, presentation, "Coach")
    if not study.complete:
        return MessageContent(
            head=f"{head}\n⏳ Checking your choices: {study.checked} of {study.total} …", color=OPEN
        )
    if not study.said:
        return MessageContent(
            head="\n".join([head, *_deal(study), UNSURE, *_predictability(study)]),
            foot=_basis(study),
            color=OPEN,
        )
    last = (len(study.said) - 1) // CHOICES_PER_PAGE
    page = min(page, last)
    turns = page_turns(Press(snapshot.match, page, "coachpage"), last, EARLIER_LATER)
    shown = study.said[page * CHOICES_PER_PAGE : (page + 1) * CHOICES_PER_PAGE]
    page_line = f"-# Page {page + 1} of {last + 1}\n" if last else ""
    return MessageContent(
        head="\n".join(
            [
                head,
                *_deal(study),
                _summary(study),
                *_predictability(study),
                *_costliest(study, presentation),
            ]
        ),
        foot="\n".join(
            [
                "**Choice by choice**, by step of the replay",
                *(_line(review, study, presentation) for review in shown),
            ]
        )
        + f"\n{page_line}{_basis(study)}",
        rows=(turns,),
        color=OPEN,
    )


def _basis(study: Study) -> str:
    seats = len(study.snapshot.seats)
    basis = COMPUTERS[study.snapshot.game].basis(seats)
    ties = (
        "a draw counts as half a win" if seats == 2 else "players who tie for first share the win"
    )
    return f"-# {basis} Percentages are chances to win; {ties}."


def _deal(study: Study) -> list[str]:
    if study.luck is None:
        return []
    luck = study.luck - 1 / len(study.snapshot.seats)
    kind = (
        "an even deal"
        if abs(luck) < EVEN_DEAL_MARGIN
        else "a lucky deal"
        if luck > 0
        else "an unlucky deal"
    )
    return [f"🎲 With best play, this deal gave you a **{_percent(study.luck)}** chance: {kind}."]


def _summary(study: Study) -> str:
    judged, rest = len(study.said), study.total - study.checked
    costs = [review.cost for review in study.said if review.better is not None]
    choices = counted(study.total, "choice")
    of = f"I'm sure about {judged} of your {choices}." if judged < study.total else f"{choices}."
    beyond = f" I skipped {rest} that would take too long to check." if rest else ""
    if judged < study.total and not costs:
        return f"{of} {'It' if judged == 1 else 'They'} gave nothing away.{beyond}"
    return f"{of} {_compared(judged - len(costs), costs)}{beyond}"


def _compared(good: int, costs: Sequence[float]) -> str:
    """How many choices were the best available, and what the others gave up on average.

    Not the sum: chances come back when opponents err, so it would soon exceed 100%.
    """
    if not costs:
        return "You couldn't have done better."
    best = f"**{good}** {'was' if good == 1 else 'were'} the best you had"
    cost = f"gave up **{_percent(sum(costs) / len(costs))}**"
    if len(costs) == 1:
        other = f"{best}; the other one" if good else "It"
        return f"{other} {cost}."
    others = f"{best}; the other {len(costs)}" if good else "They"
    return f"{others} {cost} each on average."


def _predictability(study: Study) -> list[str]:
    if not study.was_predictable:
        return []
    obvious, mixed = sum(each.was_obvious for each in study.mixings), len(study.mixings)
    note = (
        f"🎭 You were predictable: at {obvious} of the {mixed} choices where it pays to mix, you "
        "made the move that looks best right away. Vary more there, or people can counter you."
    )
    return [note]


def _costliest(study: Study, presentation: Presentation) -> list[str]:
    """The choices that gave up most, at most `MAX_WORST_CHOICES`, the costliest first."""
    costly = sorted((s for s in study.said if s.better is not None), key=lambda s: -s.cost)
    if not costly:
        return ["👏 You gave nothing away."] if len(study.said) == study.total else []
    worst, view = costly[:MAX_WORST_CHOICES], study.snapshot.view
    return [f"**Costliest choice{'s' if worst[1:] else ''}**"] + [
        f"{i}. {moment_of(review)}: you chose {presentation.own_spelled(view, review.move)}; "
        f"{presentation.own_spelled(view, review.better or '')} was {_percent(review.cost)} better."
        for i, review in enumerate(worst, 1)
    ]


def moment_of(review: ChoiceReview) -> str:
    """When a choice was made, as players and the replay count: `Turn 7 (step 12)` or `Step 12`."""
    return f"{review.when} (step {review.step})" if review.when else f"Step {review.step}"


def _line(review: ChoiceReview, study: Study, presentation: Presentation) -> str:
    view = study.snapshot.view
    chosen = f"**{review.step}.** {presentation.own_spelled(view, review.move)}"
    if review.better is None:
        return f"{chosen} ✓"
    better = presentation.own_spelled(view, review.better)
    return f"{chosen} -{_percent(review.cost)} · better: {better}"


def _percent(share: float) -> str:
    """For example `6.2%`; a tiny share is `under 0.1%` and never `0.0%`."""
    percent = 100 * share
    return "under 0.1%" if 0 < percent < 0.1 else f"{percent:.1f}%"
