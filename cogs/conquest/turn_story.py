"""The story of a turn of Divide & Conquer: what was revealed, order by order, and who has left.

Pure text from views. `names` is the display text of each seat, in the order of the seats.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.text import capitalized, counted, listed
from cogs.conquest.battalions import MARKS, commander, first, is_objective, told
from games.conquest import (
    LAYOUT,
    Battalion,
    Conflict,
    Contest,
    Movement,
    Order,
    Redeployment,
    Reinforcement,
    Report,
    Reserve,
    View,
)


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
