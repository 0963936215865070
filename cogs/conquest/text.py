"""Divide & Conquer in words: where a match stands, what was revealed, and what is asked.

Pure text from views. `names` is the display text of each seat, in the order of the seats.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.matches import MatchSnapshot
from bot.text import capitalized, counted, listed, result_sentence
from cogs.conquest.battalions import (
    MARKS,
    battalions,
    commander,
    first,
    is_objective,
    own,
    standing_on,
    told,
)
from cogs.conquest.drafts import Draft, Sketch, drafted, placements_of, supplied
from cogs.conquest.scene import signals_of
from games.conquest import (
    LAYOUT,
    Battalion,
    Conflict,
    Contest,
    Move,
    Movement,
    Order,
    Plan,
    Redeployment,
    Reinforcement,
    Report,
    Reserve,
    Supply,
    View,
)
from games.conquest.board import troops_of, troops_on
from games.conquest.moves import Placement
from games.conquest.state import Phase

STAGES: Final[dict[Phase, str]] = {
    "planning": "secret orders",
    "movement": "Commander's Choice",
    "reinforcement": "reinforcement",
    "over": "the end",
}


def headline(view: View) -> str:
    return f"{turn_of(view)}: {STAGES[view.phase]}"


def moment(view: View) -> str:
    """When in a match somebody saw this, as players count."""
    return f"Turn {view.turn}"


def turn_of(view: View) -> str:
    return f"Turn {view.turn} of {view.options.turn_limit}"


def called(match: int, view: View) -> str:
    """A match among others, without anybody's name."""
    return f"Match {match}, {len(view.teams)} players, {headline(view).lower()}"


def score_line(view: View, names: Sequence[str]) -> str:
    """A line a battalion: its objectives, its troops on the board and in the bank."""
    return "\n".join(_score(view, battalion, names) for battalion in battalions(view))


def _score(view: View, battalion: Battalion, names: Sequence[str]) -> str:
    seat = commander(view, battalion)
    bank = f" (+{view.banks[battalion]} in the bank)" if view.banks[battalion] else ""
    return (
        f"{MARKS[battalion].emoji} {names[seat]} **{view.objectives[battalion]}** of "
        f"{len(LAYOUT.objectives[battalion])} objectives, "
        f"{counted(troops_of(view.board, battalion), 'troop')}"
        f"{bank}{', has left' if seat in view.left else ''}"
    )


def result_line(view: View, names: Sequence[str]) -> str:
    """The final result and what decided it; only for a match that is over."""
    return result_sentence(view.outcome, names)


def signal_line(snapshot: MatchSnapshot) -> str:
    """Who points at whom, in the signs of the pictures; nothing where nobody does."""
    pointed = [
        f"{emblem(snapshot.view, seat)} \N{RIGHTWARDS ARROW} {emblem(snapshot.view, ahead)}"
        for seat, ahead in signals_of(snapshot)
    ]
    return f"\nWho they say is ahead: {' · '.join(pointed)}" if pointed else ""


def emblem(view: View, seat: int) -> str:
    """The signs of a seat's battalions."""
    return "".join(MARKS[battalion].emoji for battalion in view.teams[seat])


@dataclass(frozen=True, slots=True)
class _Teller:
    """The view that is told, and how its seats are called."""

    view: View
    names: Sequence[str]

    def name(self, battalion: Battalion) -> str:
        seat = commander(self.view, battalion)
        return f"{MARKS[battalion].emoji} {self.names[seat]}"

    def movement(self, movement: Movement) -> str:
        """One order, revealed."""
        who, order, conflict = self.name(movement.battalion), movement.order, movement.conflict
        if order is None:
            return f"{who} passes."
        if movement.lapse is not None:
            return f"{who}: {order} lapses: {self._why(movement, order)}."
        if conflict is None:
            return f"{who} {_march(movement, order)}."
        meeting = f"{who} {_attack(order, conflict.attackers)}"
        if movement.result == "battle":
            return f"{meeting}: {self._battle(movement.battalion, order, conflict)}"
        met = f"{conflict.defenders} of {self.name(conflict.defender)}"
        return f"{meeting} against {met}: {_stays(movement)}"

    def contest(self, contest: Contest) -> str:
        return (
            f"{self.name(contest.battalion)} {_attack(contest.order, contest.troops)} against "
            f"{contest.troops} of {self.name(contest.defender)}: **fight or hold?**"
        )

    def reserve(self, reserve: Reserve) -> str:
        emoji = MARKS[reserve.battalion].emoji
        match reserve.placement:
            case Reinforcement(square):
                return f"{emoji} one on {square}"
            case Redeployment(source):
                return f"{emoji} one from {source} back to {LAYOUT.headquarters[reserve.battalion]}"
            case None:
                return f"{emoji} none"

    def _why(self, movement: Movement, order: Order) -> str:
        match movement.lapse:
            case "empty":
                return f"nobody is left on {order.source}"
            case "taken":
                return f"{order.source} was taken"
            case _:
                return f"their partner is on {order.target}"

    def _battle(self, attacker: Battalion, order: Order, conflict: Conflict) -> str:
        lost = conflict.attackers_lost
        met = f"{counted(conflict.defenders, 'troop')} of {self.name(conflict.defender)}"
        chosen = "chooses to fight and " if conflict.choice == "fight" else ""
        if conflict.holder is None:
            return f"{chosen}meets {met}. All are lost; {order.target} is empty."
        left = max(conflict.attackers, conflict.defenders) - lost
        does = "takes" if conflict.holder is attacker else "keeps"
        winner = MARKS[conflict.holder].emoji
        return f"meets {met}. Each loses {lost}; {winner} {does} {order.target} with {left}."


def story(view: View, names: Sequence[str]) -> str:
    """What was revealed last, and who has left; how the match begins before that.

    At the end of the match its result names them.
    """
    teller, report = _Teller(view, names), told(view)
    left = view.left if view.outcome is None else ()
    gone = [f"{capitalized(names[seat])} is out; their troops stay and defend." for seat in left]
    if report is None:
        begin = "Each battalion starts with ten troops in the center."
        begin = f"{begin} {teller.name(first(view))} has the initiative: their order comes first."
        return " ".join([begin, *gone])
    return "\n".join([_opening(view, report, teller), *_revealed(view, report, teller), *gone])


def _opening(view: View, report: Report, teller: _Teller) -> str:
    begin = f"Turn {report.turn} {_shown(view)}, {teller.name(_opener(view, report))} first:"
    if view.phase != "planning":
        return begin
    return f"{teller.name(first(view))} has the initiative. {begin}"


def _opener(view: View, report: Report) -> Battalion:
    """Whose order was the first to be revealed: who left before that is not in the report."""
    if report.movements:
        return report.movements[0].battalion
    return report.initiative if view.contest is None else view.contest.battalion


def _shown(view: View) -> str:
    """How much of a turn's orders everybody knows by now."""
    if not view.pending:
        return "was revealed"
    return "was revealed in part" if view.phase == "over" else "is being revealed"


def _revealed(view: View, report: Report, teller: _Teller) -> list[str]:
    orders = [teller.movement(movement) for movement in report.movements]
    if view.contest is not None:
        orders.append(teller.contest(view.contest))
    lines = [f"{number}. {order}" for number, order in enumerate(orders, start=1)]
    if view.pending:
        sealed = listed([teller.name(battalion) for battalion in view.pending])
        still = "Never revealed" if view.phase == "over" else "Still sealed"
        them = "order" if len(view.pending) == 1 else "orders"
        lines.append(f"{still}: the {them} of {sealed}.")
    if report.reserves:
        placed = " · ".join(teller.reserve(reserve) for reserve in report.reserves)
        lines.append(f"Reinforced: {placed}.")
    return lines


def _march(movement: Movement, order: Order) -> str:
    way = f"from {order.source} to {order.target}"
    goal = ", an objective" if is_objective(movement.battalion, order.target) else ""
    if movement.moved < order.troops:
        return f"moves only {movement.moved} of {order.troops} {way}{goal}: no more are left"
    return f"moves {movement.moved} {way}{goal}"


def _attack(order: Order, troops: int) -> str:
    fewer = f" (of {order.troops} ordered)" if troops < order.troops else ""
    return f"attacks {order.target} from {order.source} with {troops}{fewer}"


def _stays(movement: Movement) -> str:
    match movement.result:
        case "bounce":
            return "turns back, no losses."
        case "hold":
            return "holds back, so nothing changes."
        case _:
            return "no choice was made, so nothing changes."


def question(view: View, legal: Sequence[Move], choice: Move | None, draft: str) -> str:
    if not legal:
        return _nothing(view)
    match legal[0]:
        case Plan():
            return _asked_orders(view, drafted(legal, choice, draft))
        case Supply():
            return _asked_reinforcement(view, legal, supplied(legal, choice, draft))
        case _:
            assert view.contest is not None
            return _asked_choice(view.contest)


def _nothing(view: View) -> str:
    sealed = [f"{MARKS[item.battalion].emoji} {item.order or 'pass'}" for item in view.written]
    awaited = [emblem(view, seat) for seat in view.awaiting]
    whom = f": waiting for {listed(awaited)}" if awaited else ""  # the headline says for what
    told = f"Nothing to do right now{whom}."
    if not sealed:
        return told
    waits = "order is" if len(sealed) == 1 else "orders are"
    return f"{told} Your {waits} still sealed: {listed(sealed)}."


def _asked_orders(view: View, draft: Draft) -> str:
    battalions, plan = own(view), draft.plan
    asked = "order" if len(battalions) == 1 else "orders"
    lines = [
        _planned(view, battalion, sketch)
        for battalion, sketch in zip(battalions, draft.sketches, strict=True)
        if sketch != Sketch()
    ]
    if plan is None:
        lines.insert(0, f"**Write your {asked} in secret.** {_steps(draft)}")
    else:
        them = "it" if len(battalions) == 1 else "them"
        lines.append(f"Submit your {asked}; you can change {them} until everyone's in.")
    return "\n".join(lines)


def _steps(draft: Draft) -> str:
    """What to do next and no more, for it stands between the board and the buttons."""
    if draft.sketch.is_done:
        return "Next, your other battalion."
    if draft.sketch.source is not None:
        return "Pick a direction: troops move one step."
    steps = "Pick a square, then a direction: troops move one step."
    if len(draft.sketches) == 1 or any(sketch.is_done for sketch in draft.sketches):
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
    """Who stands on the target now; orders before this one may change that."""
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
        for battalion, placements in zip(own(view), placements_of(legal), strict=True)
    ]
    if len(set(ways)) == 1:
        asked = f" {_offered(view, ways[0])}"
    else:
        asked = "".join(
            f"\n{MARKS[battalion].emoji} {_offered_one(view.banks[battalion], each)}"
            for battalion, each in zip(own(view), ways, strict=True)
        )
    so_far = f"\nSo far: **{supply}**." if any(supply.placements) else ""
    return f"**Reinforce?**{asked}{so_far}"


@dataclass(frozen=True, slots=True)
class _Ways:
    """What a battalion can do in a reinforcement."""

    places: str
    """Where a troop from the bank can go; empty where none can."""

    back: bool
    """Whether a troop can go back to headquarters."""


def _ways(battalion: Battalion, placements: Sequence[Placement | None]) -> _Ways:
    squares = {each.square for each in placements if isinstance(each, Reinforcement)}
    places = ["your headquarters"] if LAYOUT.headquarters[battalion] in squares else []
    if squares - {LAYOUT.headquarters[battalion]}:
        places.append("a square you hold")
    return _Ways(" or ".join(places), any(isinstance(each, Redeployment) for each in placements))


def _offered(view: View, ways: _Ways) -> str:
    """What a player's only battalion can do, or both of them alike."""
    each = "" if len(own(view)) == 1 else " for each battalion"
    back = f"pull one troop{each} back to your headquarters"
    if not ways.places:
        return f"Your bank is empty, but you can {back}."
    banks = " and ".join(
        f"{MARKS[battalion].emoji} {counted(view.banks[battalion], 'troop')}"
        for battalion in own(view)
    )
    bring = f"Bring back one troop{each} from your bank ({banks}) to {ways.places}"
    return f"{bring}, or {back}." if ways.back else f"{bring}."


def _offered_one(bank: int, ways: _Ways) -> str:
    """What one battalion of a team can do where the other can't do the same."""
    if ways.places:
        back = ", or one from the board back to your headquarters" if ways.back else ""
        of = "The one troop" if bank == 1 else f"One of {bank} troops"
        return f"{of} in the bank can go to {ways.places}{back}."
    if ways.back:
        return "The bank is empty, but one troop can go back to your headquarters."
    if bank:
        return "Nothing can be placed: your other battalion is on its headquarters."
    return "The bank is empty."
