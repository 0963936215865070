"""The orders of a turn in a few words each, as the picture has room for."""

from dataclasses import dataclass

from cogs.conquest.sides import told
from games.conquest import Battalion, Movement, Redeployment, Reinforcement, Report, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    battalion: Battalion
    order: str
    result: str = ""
    foe: Battalion | None = None
    """Whose troops it met."""

    placed: str = ""
    """Its reinforcement of this turn."""


def lines(view: View) -> tuple[Line, ...]:
    """One of each battalion that had an order, executed ones before those that wait."""
    report = told(view)
    if report is None:
        return ()
    done = [_revealed(movement, report) for movement in report.movements]
    if view.contest is not None:
        contest = view.contest
        done.append(
            Line(
                battalion=contest.battalion,
                order=str(contest.order),
                result=f"{contest.troops} against {contest.troops}?",
                foe=contest.defender,
            )
        )
    sealed = [Line(battalion=b, order="sealed") for b in view.pending]
    return (*done, *sealed)


def _revealed(movement: Movement, report: Report) -> Line:
    conflict = movement.conflict
    return Line(
        battalion=movement.battalion,
        order="pass" if movement.order is None else str(movement.order),
        result=_result(movement),
        foe=None if conflict is None else conflict.defender,
        placed=_placed(movement.battalion, report),
    )


def _result(movement: Movement) -> str:
    conflict, order = movement.conflict, movement.order
    if order is None:
        return ""
    if movement.lapse is not None:
        return {"empty": "lapses: nobody left", "taken": "lapses: taken"}.get(
            movement.lapse, "lapses: partner there"
        )
    if conflict is None:
        return f"only {movement.moved} march" if movement.moved < order.troops else "marches"
    if movement.result == "battle":
        lost = conflict.attackers_lost
        if conflict.holder is None:
            return f"all {lost} and {lost} lost"
        return f"{'wins' if conflict.holder is movement.battalion else 'fails'}, {lost} lost each"
    return {"bounce": "turned away", "hold": "holds back"}.get(movement.result, "stays")


def _placed(battalion: Battalion, report: Report) -> str:
    for reserve in report.reserves:
        if reserve.battalion is battalion:
            match reserve.placement:
                case Reinforcement(square):
                    return f"+{square}"
                case Redeployment(source):
                    return f"{source}\N{RIGHTWARDS ARROW}HQ"
                case None:
                    return ""
    return ""
