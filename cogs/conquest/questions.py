"""What a desk asks its owner, and what he has put together so far."""

from collections.abc import Sequence

from cogs.conquest.battalions import MARKS
from cogs.conquest.controls import drafted, supplied
from cogs.conquest.drafts import Draft, Sketch
from cogs.conquest.sides import own, standing_on
from cogs.conquest.text import joined, troops_text
from games.conquest import Battalion, Contest, Move, Order, Plan, Supply, View
from games.conquest.board import troops_on


def question(view: View, legal: Sequence[Move], choice: Move | None, draft: str) -> str:
    if not legal:
        return _nothing(view)
    match legal[0]:
        case Plan():
            return _planning(view, drafted(legal, choice, draft))
        case Supply():
            return _reinforcing(view, supplied(legal, choice, draft))
        case _:
            assert view.contest is not None
            return _deciding(view.contest)


def _nothing(view: View) -> str:
    sealed = [f"{MARKS[item.battalion].emoji} {item.order or 'pass'}" for item in view.written]
    if sealed:
        return f"Nothing is asked of you now. Your order that waits: {joined(sealed)}."
    return "Nothing is asked of you now."


def _planning(view: View, draft: Draft) -> str:
    battalions, plan = own(view), draft.plan
    asked = "order" if len(battalions) == 1 else "orders"
    lines = [
        _planned(view, battalion, sketch)
        for battalion, sketch in zip(battalions, draft.sketches, strict=True)
        if sketch != Sketch()
    ]
    if plan is None:
        steps = "From which square, to which, how many? One step, also diagonally."
        if len(battalions) > 1:
            steps = f"{steps} Each of your battalions gets one."
        lines.insert(0, f"**Write your {asked} in secret.** {steps}")
    else:
        lines.append(f"**Give {plan}** seals this; until the last has chosen you may change it.")
    return "\n".join(lines)


def _planned(view: View, battalion: Battalion, sketch: Sketch) -> str:
    emoji, order = MARKS[battalion].emoji, sketch.order
    if sketch.passes:
        return f"{emoji} passes."
    if order is None:
        return f"{emoji} from **{sketch.source}** to …"
    there = troops_on(view.board, battalion, order.source)
    return f"{emoji} **{order}**: {_marching(order, there)}{_meeting(view, battalion, order)}."


def _marching(order: Order, there: int) -> str:
    if order.troops < there:
        stay = there - order.troops
        march, stays = "es" if order.troops == 1 else "", "s" if stay == 1 else ""
        return (
            f"{order.troops} march{march} to {order.target}, {stay} stay{stays} on {order.source}"
        )
    all_of = "the one troop" if there == 1 else f"all {there}"
    march = "es" if there == 1 else ""
    return f"{all_of} on {order.source} march{march} to {order.target}"


def _meeting(view: View, battalion: Battalion, order: Order) -> str:
    """Who stands on the target now; orders before this one may change that."""
    other = standing_on(view, order.target)
    if other is None:
        return ""
    there = troops_text(troops_on(view.board, other, order.target))
    if other is battalion:
        return f" and {'joins' if order.troops == 1 else 'join'} {there}"
    return f", where {there} of {other.color} {'stands' if there == '1 troop' else 'stand'} now"


def _deciding(contest: Contest) -> str:
    lost = troops_text(contest.troops)
    return (
        f"**Commander's Choice.** You march on {contest.order.target} with as many troops as "
        f"{MARKS[contest.defender].emoji} {contest.defender.color} has there. Fight, and both "
        f"lose {lost}; hold, and everything stays as it is."
    )


def _reinforcing(view: View, supply: Supply) -> str:
    banks = " and ".join(
        f"{MARKS[battalion].emoji} {troops_text(view.banks[battalion])}" for battalion in own(view)
    )
    how = "to your headquarters or to where you stand"
    if view.options.redeployment:
        how = f"{how}, or one of your troops goes back to the headquarters"
    each = "" if len(own(view)) == 1 else " of each battalion"
    so_far = f"\nSo far: **{supply}**." if any(supply.placements) else ""
    return f"**Reinforce?** One troop{each} from your bank ({banks}) {how}.{so_far}"
