"""The texts of Divide & Conquer: the headline, the score, the result, the question of a hand.

Pure functions of views. `names` has the display text of each seat, in the order of the seats.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.matches import MatchSnapshot
from bot.text import counted, listed, result_sentence
from cogs.conquest.battalions import (
    MARKS,
    battalions,
    commander,
    name_of,
    own_team,
    standing_on,
)
from cogs.conquest.drafts import Draft, Sketch, drafted, orders_of, placements_of, supplied
from cogs.conquest.orientation import turns_of
from cogs.conquest.scene import signals_of
from games.conquest import (
    LAYOUT,
    Battalion,
    Contest,
    Move,
    Order,
    Plan,
    Redeployment,
    Reinforcement,
    Supply,
    View,
)
from games.conquest.board import troops_of, troops_on
from games.conquest.moves import Placement
from games.conquest.notation import parse
from games.conquest.state import Phase

SIGNAL_QUESTION: Final = (
    "**Who do you think is ahead?** Everyone sees your answer; it's not binding."
)

STAGES: Final[dict[Phase, str]] = {
    "planning": "secret orders",
    "movement": "Commander's Choice",
    "reinforcement": "reinforcement",
    "over": "the end",
}


def headline(view: View) -> str:
    return f"{turn_of(view)}: {STAGES[view.phase]}"


def moment(view: View) -> str:
    """The point of the match as players count: `Turn 7`."""
    return f"Turn {view.turn}"


def turn_of(view: View) -> str:
    return f"Turn {view.turn} of {view.options.turn_limit}"


def called(match: int, view: View, where: str) -> str:
    """A match in autocomplete, without player names; at most 100 characters (Discord's limit)."""
    return f"Match {match}, {len(view.teams)} players, {headline(view).lower()}{where}"[:100]


def score_line(view: View, names: Sequence[str]) -> str:
    """A line for each battalion: its objectives, its troops on the board and in the bank."""
    return "\n".join(_score(view, battalion, names) for battalion in battalions(view))


def _score(view: View, battalion: Battalion, names: Sequence[str]) -> str:
    seat = commander(view, battalion)
    bank = f" (+{view.banks[battalion]} in the bank)" if view.banks[battalion] else ""
    return (
        f"{MARKS[battalion].emoji} {names[seat]} **{view.objectives[battalion]}** of "
        f"{len(LAYOUT.objectives[battalion])} objectives, "
        f"{counted(troops_of(view.board, battalion), 'troop')}"
        f"{bank}{' · out' if seat in view.left else ''}"
    )


def result_line(view: View, names: Sequence[str]) -> str:
    """Who won and what decided it. Raises ValueError while the match is still running."""
    return result_sentence(view.outcome, names)


def signal_line(snapshot: MatchSnapshot) -> str:
    """Who says who is ahead, on a line of its own in emoji; "" if there are no signals."""
    pointed = [
        f"{emblem(snapshot.view, seat)} \N{RIGHTWARDS ARROW} {emblem(snapshot.view, ahead)}"
        for seat, ahead in signals_of(snapshot)
    ]
    return f"\nWho they say is ahead: {' · '.join(pointed)}" if pointed else ""


def emblem(view: View, seat: int) -> str:
    """The emoji of a seat's battalions."""
    return "".join(MARKS[battalion].emoji for battalion in view.teams[seat])


def question(view: View, legal: Sequence[Move], choice: Move | None, draft: str) -> str:
    """The question of a hand with these legal moves, stored choice and draft."""
    if not legal:
        return _waiting(view)
    match legal[0]:
        case Plan():
            return _asked_orders(view, drafted(orders_of(legal), choice, draft))
        case Supply():
            return _asked_reinforcement(view, legal, supplied(legal, choice, draft))
        case _:
            assert view.contest is not None
            return _asked_choice(view.contest)


def _waiting(view: View) -> str:
    sealed = [f"{MARKS[item.battalion].emoji} {item.order or 'pass'}" for item in view.written]
    awaited = [emblem(view, seat) for seat in view.awaiting]
    whom = f": waiting for {listed(awaited)}" if awaited else ""  # the headline says for what
    text = f"Nothing to do right now{whom}."
    if not sealed:
        return text
    waits = "order is" if len(sealed) == 1 else "orders are"
    return f"{text} Your {waits} still sealed: {listed(sealed)}."


def _asked_orders(view: View, draft: Draft) -> str:
    battalions, plan = own_team(view), draft.plan
    asked = "order" if len(battalions) == 1 else "orders"
    lines = [
        _planned(view, battalion, sketch)
        for i, (battalion, sketch) in enumerate(zip(battalions, draft.sketches, strict=True))
        # The other battalion's source would be mistaken for the current one's.
        if sketch.is_done or (i == draft.current and sketch.source is not None)
    ]
    if plan is None:
        lines.insert(0, f"**Write your {asked} in secret.** {_steps(battalions, draft)}")
        if view.turn == 1 and turns_of(view):
            lines.append("-# Your board is turned against the table's; squares keep their names.")
    else:
        them = "it" if len(battalions) == 1 else "them"
        lines.append(f"Submit your {asked}; you can change {them} until everyone's in.")
    return "\n".join(lines)


def _steps(battalions: Sequence[Battalion], draft: Draft) -> str:
    """The next step only, to keep the board close to the buttons."""
    if draft.sketch.is_done:
        return "Next, your other battalion."
    asked = battalions[draft.current]
    for_it = "" if len(battalions) == 1 else f" for {MARKS[asked].emoji} **{asked.color}**"
    if draft.sketch.source is not None:
        return f"Pick a direction{for_it}: troops move one step."
    steps = f"Pick a square{for_it}, then a direction: troops move one step."
    if len(battalions) == 1 or any(sketch.is_done for sketch in draft.sketches):
        return steps
    return f"{steps} Each of your battalions gets an order."


def _planned(view: View, battalion: Battalion, sketch: Sketch) -> str:
    emoji, order = MARKS[battalion].emoji, sketch.order
    if sketch.passes:
        return f"{emoji} passes."
    if order is None:
        return f"{emoji} from **{sketch.source}** to …"
    there = troops_on(view.board, battalion, order.source)
    meeting = _meeting(view, battalion, order)
    return f"{emoji} **{order}**: {_marching(order, there, meeting)}."


def _marching(order: Order, there: int, meeting: str) -> str:
    march = "marches" if order.troops == 1 else "march"
    if order.troops < there:
        stay = there - order.troops
        stays = f"{stay} {'stays' if stay == 1 else 'stay'} on {order.source}"
        return f"{order.troops} {march} to {order.target}{meeting}; {stays}"
    all_of = "the one troop" if there == 1 else f"all {there}"
    return f"{all_of} on {order.source} {march} to {order.target}{meeting}"


def _meeting(view: View, battalion: Battalion, order: Order) -> str:
    """Whose troops are on the target now, which earlier orders can change; "" if nobody's."""
    other = standing_on(view, order.target)
    if other is None:
        return ""
    there = counted(troops_on(view.board, other, order.target), "troop")
    if other is battalion:
        return f" and {'joins' if order.troops == 1 else 'join'} {there}"
    return f", where {there} of {other.color} {'stands' if there == '1 troop' else 'stand'} now"


def _asked_choice(contest: Contest) -> str:
    lost = counted(contest.troops, "troop")
    return (
        f"**Commander's Choice.** You march on {contest.order.target} with as many troops as "
        f"{MARKS[contest.defender].emoji} {contest.defender.color} has there. If you fight, both "
        f"lose {lost}. If you hold, nothing changes."
    )


def _asked_reinforcement(view: View, legal: Sequence[Move], supply: Supply) -> str:
    ways = [
        _ways(battalion, placements)
        for battalion, placements in zip(own_team(view), placements_of(legal), strict=True)
    ]
    if len(set(ways)) == 1:
        asked = f" {_offered(view, ways[0])}"
    else:
        asked = "".join(
            f"\n{MARKS[battalion].emoji} {_offered_one(view.banks[battalion], each)}"
            for battalion, each in zip(own_team(view), ways, strict=True)
        )
    so_far = f"\nSo far: **{_placing(view, supply)}**." if any(supply.placements) else ""
    return f"**Reinforce?**{asked}{so_far}"


def chosen(view: View, choice: Move) -> str:
    """The viewer's choice: reinforcements in words, orders in notation, which the rules explain."""
    return _placing(view, choice) if isinstance(choice, Supply) else str(choice)


def _placing(view: View, supply: Supply) -> str:
    """The viewer's reinforcements in words, by battalion if they have two."""
    if len(supply.placements) == 1:
        return placed(supply)
    return listed(
        f"{_placed(placement)} for {battalion.color}"
        for battalion, placement in zip(own_team(view), supply.placements, strict=True)
    )


def placed(supply: Supply) -> str:
    """Reinforcements in words, without battalions: notation doesn't say which ones they're for.

    A battalion that gets nothing is left out if the other one gets something.
    """
    if not any(supply.placements):
        return "no troop" if len(supply.placements) == 1 else "no troops"
    return listed(_placed(placement) for placement in supply.placements if placement is not None)


def _placed(placement: Placement | None) -> str:
    match placement:
        case Reinforcement(square):
            return f"one troop on {square}"
        case Redeployment(source):
            return f"one troop from {source} back to HQ"
        case None:
            return "no troop"


def supply_label(view: View, supply: Supply) -> str:
    """A team's reinforcements, short enough for a button."""
    parts = zip(own_team(view), supply.placements, strict=True)
    return ", ".join(f"{name_of(battalion)} {_short_placement(part)}" for battalion, part in parts)


def _short_placement(placement: Placement | None) -> str:
    match placement:
        case Reinforcement(square):
            return str(square)
        case Redeployment(source):
            return f"{source} to HQ"
        case None:
            return "none"


def spelled(notation: str) -> str:
    """A reinforcement in words; anything else as it is, in notation, which the rules explain."""
    supply = _supply_of(notation)
    return f"`{notation}`" if supply is None else f"**{placed(supply)}**"


def own_spelled(view: View, notation: str) -> str:
    """The same for a move of the viewer, with the battalions that get something if they have two.

    The view may be of any moment of their match.
    """
    supply, team = _supply_of(notation), own_team(view)
    if supply is None or len(team) == 1 or not any(supply.placements):
        return spelled(notation)
    parts = zip(team, supply.placements, strict=True)
    words = listed(f"{_placed(part)} for {each.color}" for each, part in parts if part is not None)
    return f"**{words}**"


def _supply_of(notation: str) -> Supply | None:
    """The reinforcements in notation; None if it is another move, or none that can be read."""
    try:
        move: Move | None = parse(notation)
    except ValueError:
        move = None
    return move if isinstance(move, Supply) else None


@dataclass(frozen=True, slots=True)
class _Ways:
    """The ways in which a battalion can be reinforced."""

    places: str
    """Where a troop from the bank can go, in words; "" if nowhere."""

    back: bool
    """Whether a troop can go back to headquarters."""


def _ways(battalion: Battalion, placements: Sequence[Placement | None]) -> _Ways:
    squares = {each.square for each in placements if isinstance(each, Reinforcement)}
    places = ["your headquarters"] if LAYOUT.headquarters[battalion] in squares else []
    if squares - {LAYOUT.headquarters[battalion]}:
        places.append("a square you hold")
    return _Ways(" or ".join(places), any(isinstance(each, Redeployment) for each in placements))


def _offered(view: View, ways: _Ways) -> str:
    """What a player can do with their only battalion, or in the same way with each of two."""
    each = "" if len(own_team(view)) == 1 else " for each battalion"
    back = f"pull one troop{each} back to your headquarters"
    if not ways.places:
        return f"Your bank is empty, but you can {back}."
    banks = listed(
        f"{MARKS[battalion].emoji} {counted(view.banks[battalion], 'troop')}"
        for battalion in own_team(view)
    )
    bring = f"Bring back one troop{each} from your bank ({banks}) to {ways.places}"
    return f"{bring}, or {back}." if ways.back else f"{bring}."


def _offered_one(bank: int, ways: _Ways) -> str:
    """What one battalion of a team can do, if the other can't do the same."""
    if ways.places:
        back = ", or one from the board back to your headquarters" if ways.back else ""
        of = "The one troop" if bank == 1 else f"One of {bank} troops"
        return f"{of} in the bank can go to {ways.places}{back}."
    if ways.back:
        return "The bank is empty, but one troop can go back to your headquarters."
    if bank:
        return "Nothing can be placed: your other battalion is on its headquarters."
    return "The bank is empty."
