"""What happened in a turn of Divide & Conquer, order by order, and who has left.

Pure functions of views. `names` has the display text of each seat, in the order of the seats.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.text import (
    capitalized,
    counted,
    listed,
    possessive,
    their_or_your,
    verb_form,
    with_verb,
)
from cogs.conquest.battalions import MARKS, commander, first_to_move, is_objective, latest_report
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
    """Makes sentences about a view, with these names for its seats."""

    view: View
    names: Sequence[str]

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, by the rules or otherwise."""
        return not self.view.awaiting

    def _who(self, battalion: Battalion) -> str:
        return self.names[commander(self.view, battalion)]

    def does(self, battalion: Battalion, one: str, you: str) -> str:
        """The start of a sentence: a battalion's mark, its player and what they do."""
        clause = with_verb(self._who(battalion), one, you)
        return f"{MARKS[battalion].emoji} {capitalized(clause)}"

    def of(self, battalion: Battalion) -> str:
        """A battalion's mark and player, to follow `of`."""
        who = self._who(battalion)
        return f"{MARKS[battalion].emoji} {verb_form(who, who, 'yours')}"

    def leads(self, battalion: Battalion) -> str:
        return self.does(battalion, "has the initiative", "have the initiative")

    def movement(self, movement: Movement) -> str:
        """A revealed order and its result."""
        battalion, order, conflict = movement.battalion, movement.order, movement.conflict
        if order is None:
            return f"{self.does(battalion, 'passes', 'pass')}."
        if movement.lapse is not None:
            own = (
                f"{MARKS[battalion].emoji} {capitalized(possessive(self._who(battalion)))} {order}"
            )
            return f"{own} lapses: {self._why(movement, order)}."
        if conflict is None:
            return f"{self.does(battalion, 'moves', 'move')} {_march(movement, order)}."
        meeting = self._attack(battalion, order, conflict.attackers)
        if movement.result == "battle":
            return f"{meeting}: {self._battle(battalion, order, conflict)}"
        met = f"{conflict.defenders} of {self.of(conflict.defender)}"
        return f"{meeting} against {met}: {_stays(movement, self._who(battalion))}"

    def contest(self, contest: Contest) -> str:
        asked = "no choice was made" if self.is_over else "**fight or hold?**"
        return (
            f"{self._attack(contest.battalion, contest.order, contest.troops)} against "
            f"{contest.troops} of {self.of(contest.defender)}: {asked}"
        )

    def shown(self) -> str:
        """Whether all orders of the turn have been revealed, to follow `Turn 7`."""
        if not self.view.pending:
            return "was revealed"
        return "was revealed in part" if self.is_over else "is being revealed"

    def _attack(self, battalion: Battalion, order: Order, troops: int) -> str:
        fewer = f" (of {order.troops} ordered)" if troops < order.troops else ""
        who = self.does(battalion, "attacks", "attack")
        return f"{who} {order.target} from {order.source} with {troops}{fewer}"

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
                return (
                    f"{their_or_your(self._who(movement.battalion))} partner is on {order.target}"
                )

    def _battle(self, attacker: Battalion, order: Order, conflict: Conflict) -> str:
        lost = conflict.attackers_lost
        met = f"{counted(conflict.defenders, 'troop')} of {self.of(conflict.defender)}"
        chose = conflict.choice == "fight"
        meets = "chooses to fight and meets" if chose else "meets"
        you_meet = "you choose to fight and meet" if chose else "you meet"
        meeting = f"{verb_form(self._who(attacker), meets, you_meet)} {met}"
        if conflict.holder is None:
            return f"{meeting}. All are lost; {order.target} is empty."
        left = max(conflict.attackers, conflict.defenders) - lost
        holds = "takes" if conflict.holder is attacker else "keeps"
        winner = MARKS[conflict.holder].emoji
        return f"{meeting}. Each loses {lost}; {winner} {holds} {order.target} with {left}."


def story(view: View, names: Sequence[str]) -> str:
    """What was revealed last, or how the match begins; then who has left.

    Once the match is over, its result says who has left.
    """
    teller, report = _Teller(view, names), latest_report(view)
    left = () if teller.is_over else view.left
    leavers = [
        f"{capitalized(with_verb(names[seat], 'is', 'are'))} out; "
        f"{their_or_your(names[seat])} troops stay and defend."
        for seat in left
    ]
    if report is None:
        begin = "Each battalion starts with ten troops in the center."
        if teller.is_over:
            return " ".join([begin, *leavers])
        own = their_or_your(names[commander(view, first_to_move(view))])
        leads = f"{teller.leads(first_to_move(view))}: {own} order comes first."
        return " ".join([begin, leads, *leavers])
    return "\n".join([_opening(view, report, teller), *_revealed(view, report, teller), *leavers])


def _opening(view: View, report: Report, teller: _Teller) -> str:
    begin = f"Turn {report.turn} {teller.shown()}, {teller.of(_opener(view, report))} first:"
    if view.phase != "planning" or teller.is_over:
        return begin
    return f"{teller.leads(first_to_move(view))}. {begin}"


def _opener(view: View, report: Report) -> Battalion:
    """The battalion whose order was revealed first, without players who left before that."""
    if report.movements:
        return report.movements[0].battalion
    return report.initiative if view.contest is None else view.contest.battalion


def _revealed(view: View, report: Report, teller: _Teller) -> list[str]:
    orders = [teller.movement(movement) for movement in report.movements]
    if view.contest is not None:
        orders.append(teller.contest(view.contest))
    lines = [f"{number}. {order}" for number, order in enumerate(orders, start=1)]
    if view.pending:
        sealed = listed([teller.of(battalion) for battalion in view.pending])
        still = "Never revealed" if teller.is_over else "Still sealed"
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
        return f"only {movement.moved} of {order.troops} {way}{goal}: no more are left"
    return f"{movement.moved} {way}{goal}"


def _stays(movement: Movement, who: str) -> str:
    match movement.result:
        case "bounce":
            return f"{verb_form(who, 'turns', 'you turn')} back, no losses."
        case "hold":
            return f"{verb_form(who, 'holds', 'you hold')} back, so nothing changes."
        case _:
            return "no choice was made, so nothing changes."
