"""What happened last, order by order, as it is told beside the picture."""

from collections.abc import Sequence
from dataclasses import dataclass

from cogs.conquest.battalions import MARKS
from cogs.conquest.sides import commander, is_objective, told
from cogs.conquest.text import joined, troops_text
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
            return f"{who}: {order} lapses, for {self._why(movement, order)}."
        if conflict is None:
            return f"{who} {_march(movement, order)}."
        meeting = f"{who} {_attack(order, conflict.attackers)}"
        if movement.result == "battle":
            return f"{meeting}: {self._battle(movement.battalion, order, conflict)}"
        return (
            f"{meeting}, where as many of {self.name(conflict.defender)} stand: {_stays(movement)}"
        )

    def contest(self, contest: Contest) -> str:
        return (
            f"{self.name(contest.battalion)} {_attack(contest.order, contest.troops)}, where as "
            f"many of {self.name(contest.defender)} stand: **fight or hold?**"
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
                return f"nobody stands on {order.source} any more"
            case "taken":
                return f"{order.source} has been taken"
            case _:
                return f"the partner stands on {order.target}"

    def _battle(self, attacker: Battalion, order: Order, conflict: Conflict) -> str:
        lost = conflict.attackers_lost
        met = f"{troops_text(conflict.defenders)} of {self.name(conflict.defender)}"
        chosen = "chose to fight, and " if conflict.choice == "fight" else ""
        if conflict.holder is None:
            return f"{chosen}meets {met}. All of them are lost, {order.target} is empty."
        left = max(conflict.attackers, conflict.defenders) - lost
        does = "takes" if conflict.holder is attacker else "keeps"
        winner = MARKS[conflict.holder].emoji
        return f"meets {met}. Each loses {lost}; {winner} {does} {order.target} with {left}."


def story(view: View, names: Sequence[str]) -> str:
    """What was revealed last, and who has left since; how the match begins before that."""
    teller, report = _Teller(view, names), told(view)
    gone = [f"{names[seat]} has left; the troops stay and defend." for seat in view.left]
    if report is None:
        first = teller.name(view.initiative)
        begin = f"Ten troops of each battalion stand in the center. The initiative is with {first}."
        return " ".join([begin, *gone])
    return "\n".join([_opening(view, report, teller), *_revealed(view, report, teller), *gone])


def _opening(view: View, report: Report, teller: _Teller) -> str:
    begin = f"Turn {report.turn} was revealed, {teller.name(report.initiative)} first:"
    if view.phase != "planning":
        return begin
    return f"The initiative is with {teller.name(view.initiative)}. {begin}"


def _revealed(view: View, report: Report, teller: _Teller) -> list[str]:
    orders = [teller.movement(movement) for movement in report.movements]
    if view.contest is not None:
        orders.append(teller.contest(view.contest))
    lines = [f"{number}. {order}" for number, order in enumerate(orders, start=1)]
    if view.pending:
        sealed = joined([teller.name(battalion) for battalion in view.pending])
        still = "Not revealed any more" if view.phase == "over" else "Still sealed"
        lines.append(f"{still}: the orders of {sealed}.")
    if report.reserves:
        placed = " · ".join(teller.reserve(reserve) for reserve in report.reserves)
        lines.append(f"Reinforced: {placed}.")
    return lines


def _march(movement: Movement, order: Order) -> str:
    way = f"from {order.source} to {order.target}"
    goal = ", an objective" if is_objective(movement.battalion, order.target) else ""
    if movement.moved < order.troops:
        return (
            f"moves only {movement.moved} {way}{goal}: of {order.troops} ordered no more are left"
        )
    return f"moves {movement.moved} {way}{goal}"


def _attack(order: Order, troops: int) -> str:
    fewer = f" (of {order.troops} ordered)" if troops < order.troops else ""
    return f"attacks {order.target} from {order.source} with {troops}{fewer}"


def _stays(movement: Movement) -> str:
    match movement.result:
        case "bounce":
            return "turned away, nobody is lost."
        case "hold":
            return "chose to hold back, everything stays."
        case _:
            return "the choice was never made, everything stays."
