"""The rows of a hand: an order put together by menus, a Commander's Choice, a reinforcement.

One battalion's reinforcement is one tap; what a team of two does is put together first.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.matches import SeatSnapshot
from bot.rendering.presentation import Choice, ChoiceMenu, Control
from bot.text import counted
from cogs.conquest.battalions import MARKS, is_objective, own, standing_on
from cogs.conquest.drafts import (
    NO_PLACEMENT,
    Draft,
    OrderChoices,
    Sketch,
    drafted,
    orders_of,
    placements_of,
    supplied,
    written,
)
from cogs.conquest.text import emblem
from games.conquest import LAYOUT, Battalion, Move, Order, Redeployment, Square, Supply, View
from games.conquest.board import troops_on
from games.conquest.moves import Choice as Decision
from games.conquest.moves import Placement, Plan

PASSING: Final = Plan((None,))
_MAX_BUTTONS_IN_ROW: Final = 5
"""Buttons in a row; more squares to reinforce make a menu."""

SIGNAL: Final = "signal"
"""The draft that shows the menu, and the act that takes what is chosen from it."""

NOBODY: Final = "nobody"
OPEN_SIGNAL: Final = Choice(
    label="Signal \N{HORIZONTAL ELLIPSIS}", move=SIGNAL, draft=True, quiet=True
)


def rows(snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
    """All the rows of a hand: what its owner may choose, and their signal where there are any."""
    if not snapshot.options.signal or snapshot.status != "running":
        return _moves(snapshot.view, snapshot.legal, snapshot.choice, draft)
    if draft == SIGNAL:
        return _signal_rows(snapshot)
    *before, last = [*_moves(snapshot.view, snapshot.legal, snapshot.choice, draft)] or [()]
    if isinstance(last, ChoiceMenu) or len(last) == _MAX_BUTTONS_IN_ROW:
        return [*before, last, (OPEN_SIGNAL,)]
    return [*before, (*last, OPEN_SIGNAL)]


def _moves(view: View, legal: Sequence[Move], choice: Move | None, draft: str) -> Sequence[Control]:
    if not legal:
        return ()
    match legal[0]:
        case Plan():
            return _planning(view, drafted(legal, choice, draft), orders_of(legal))
        case Decision():
            return [_decision(view)]
        case Supply(placements) if len(placements) == 1:
            return _placing(view, legal)
        case Supply():
            return _placing_both(view, supplied(legal, choice, draft), placements_of(legal))


def _planning(view: View, draft: Draft, orders: Sequence[OrderChoices]) -> Sequence[Control]:
    battalion, sketch, known = own(view)[draft.current], draft.sketch, orders[draft.current]
    controls: list[Control] = []
    if known.legal:
        controls.append(_sources(view, draft, battalion, known))
    if sketch.source is not None:
        controls.append(_targets(view, draft, battalion, known))
    if sketch.order is not None and len(known.numbers(*_way(sketch))) > 1:
        controls.append(_numbers(view, draft, battalion, known))
    return [*controls, _deciding(view, draft, orders)]


def _way(sketch: Sketch) -> tuple[Square, Square]:
    assert sketch.order is not None
    return sketch.order.source, sketch.order.target


def _sources(view: View, draft: Draft, battalion: Battalion, orders: OrderChoices) -> ChoiceMenu:
    chosen = draft.sketch.source
    asked = "From which square?" if chosen is None else f"From {chosen}"
    return _menu(
        f"{MARKS[battalion].emoji} {asked}",
        (
            Choice(
                label=f"{source}: {counted(troops_on(view.board, battalion, source), 'troop')}",
                move=str(draft.with_sketch(orders.moved_to(draft.sketch, source))),
                draft=True,
                note=_mark_note(battalion, source),
            )
            for source in orders.sources
        ),
    )


def _targets(view: View, draft: Draft, battalion: Battalion, orders: OrderChoices) -> ChoiceMenu:
    source, order = draft.sketch.source, draft.sketch.order
    assert source is not None
    wanted = None if order is None else order.troops
    choices = []
    for target in orders.targets(source):
        marching = orders.most(source, target, wanted)
        choices.append(
            Choice(
                label=f"{source} \N{RIGHTWARDS ARROW} {target}",
                move=str(draft.with_sketch(Sketch(source=source, order=marching))),
                draft=True,
                note=target_note(view, battalion, target),
            )
        )
    asked = "To which square?" if order is None else f"To {order.target}"
    return _menu(f"{MARKS[battalion].emoji} {asked}", choices)


def _numbers(view: View, draft: Draft, battalion: Battalion, orders: OrderChoices) -> ChoiceMenu:
    source, target = _way(draft.sketch)
    there = troops_on(view.board, battalion, source)
    chosen = orders.most(source, target, draft.sketch.order.troops if draft.sketch.order else None)
    return _menu(
        f"{MARKS[battalion].emoji} {_of(chosen.troops, there)}",
        (
            Choice(
                label=_of(number, there),
                move=str(
                    draft.with_sketch(Sketch(source=source, order=Order(source, number, target)))
                ),
                draft=True,
                note=f"{there - number} stay on {source}" if number < there else "",
            )
            for number in reversed(orders.numbers(source, target))
        ),
    )


def _of(number: int, there: int) -> str:
    return f"All {there}" if number == there > 1 else f"{number} of {there}"


def _deciding(view: View, draft: Draft, orders: Sequence[OrderChoices]) -> tuple[Choice, ...]:
    """The last row: give what was put together, turn to the other battalion, pass."""
    buttons, plan = [], draft.plan
    if plan is not None and plan != PASSING:
        buttons.append(Choice(label=f"Give {plan}", move=str(plan)))
    if len(orders) == 1:
        return (*buttons, Choice(label="Pass", move=str(PASSING), quiet=True))
    if not draft.sketch.passes:
        after = draft.with_sketch(Sketch(passes=True))
        other = 1 - draft.current
        if not draft.sketches[other].is_done:
            after = after.turned_to(other)
        name = own(view)[draft.current].color.capitalize()
        buttons.append(Choice(label=f"{name} passes", move=str(after), draft=True, quiet=True))
    for i, battalion in enumerate(own(view)):
        if i != draft.current and orders[i].legal:
            said = str(draft.sketches[i]) if draft.sketches[i].is_done else "?"
            label = f"{MARKS[battalion].emoji} {battalion.color.capitalize()}: {said}"
            is_open = not draft.sketches[i].is_done and draft.sketch.is_done
            to = str(draft.turned_to(i))
            buttons.append(Choice(label=label, move=to, draft=True, quiet=not is_open))
    return tuple(buttons)


def _decision(view: View) -> tuple[Choice, ...]:
    assert view.contest is not None
    lost, order = view.contest.troops, view.contest.order
    return (
        Choice(label=f"Fight: both lose {lost}", move=str(Decision(fight=True))),
        Choice(label=f"Hold: stay on {order.source}", move=str(Decision(fight=False))),
    )


def _placing(view: View, legal: Sequence[Move]) -> Sequence[Control]:
    """A square is one tap; many squares make a menu."""
    (battalion,) = own(view)
    (placements,) = placements_of(legal)
    choices = [
        Choice(
            label=_placed(view, battalion, placement),
            move=written(placement),
            note=_placement_note(battalion, placement),
        )
        for placement in placements
        if placement is not None
    ]
    none = (Choice(label="None", move=NO_PLACEMENT, quiet=True),)
    if len(choices) < _MAX_BUTTONS_IN_ROW:
        return [(*choices, *none)]
    return [_menu("Which square?", choices), none]


def _placing_both(
    view: View, supply: Supply, placements: Sequence[Sequence[Placement | None]]
) -> Sequence[Control]:
    controls: list[Control] = []
    for i, battalion in enumerate(own(view)):
        if len(placements[i]) > 1:
            controls.append(_menu(*_part_choices(view, battalion, supply, placements[i], i)))
    nothing = Supply((None,) * len(placements))
    ready = () if supply == nothing else (Choice(label=f"Place {supply}", move=str(supply)),)
    return [*controls, (*ready, Choice(label="None", move=str(nothing), quiet=True))]


def _part_choices(
    view: View,
    battalion: Battalion,
    supply: Supply,
    placements: Sequence[Placement | None],
    i: int,
) -> tuple[str, Sequence[Choice]]:
    """The menu of one battalion of a team: its placeholder, its choices."""
    choices = []
    for placement in placements:
        parts = list(supply.placements)
        parts[i] = placement
        choices.append(
            Choice(
                label=_placed(view, battalion, placement),
                move=f"supply {'/'.join(map(written, parts))}",
                draft=True,
                note=_placement_note(battalion, placement),
            )
        )
    placeholder = _placed(view, battalion, supply.placements[i])
    return f"{MARKS[battalion].emoji} {placeholder}", choices


def _placed(view: View, battalion: Battalion, placement: Placement | None) -> str:
    match placement:
        case None:
            return "None"
        case Redeployment(source):
            return f"One from {source} back to {LAYOUT.headquarters[battalion]}"
        case _:
            there = troops_on(view.board, battalion, placement.square)
            return f"{placement.square}: {there} \N{RIGHTWARDS ARROW} {there + 1}"


def _placement_note(battalion: Battalion, placement: Placement | None) -> str:
    match placement:
        case None:
            return ""
        case Redeployment(source):
            return _mark_note(battalion, source)
        case _:
            return _mark_note(battalion, placement.square)


def _mark_note(battalion: Battalion, square: Square) -> str:
    if square == LAYOUT.headquarters[battalion]:
        return "headquarters"
    return "objective" if is_objective(battalion, square) else ""


def target_note(view: View, battalion: Battalion, target: Square) -> str:
    """What waits on a square: a mark of the own side, and who stands there."""
    mark, other = _mark_note(battalion, target), standing_on(view, target)
    if other is None:
        return mark or "empty"
    troops = counted(troops_on(view.board, other, target), "troop")
    there = f"{troops} of yours" if other is battalion else f"{troops} of {other.color}"
    return f"{mark}, {there}" if mark else there


def _menu(placeholder: str, choices: Iterable[Choice]) -> ChoiceMenu:
    return ChoiceMenu(placeholder=placeholder, choices=tuple(choices))


def _signal_rows(snapshot: SeatSnapshot) -> Sequence[Control]:
    """The others as a menu, and the way back to the orders."""
    pointed = snapshot.places[snapshot.seat].signal
    others = [
        Choice(label=f"Player {seat + 1} {emblem(snapshot.view, seat)}", move=str(seat), act=SIGNAL)
        for seat, place in enumerate(snapshot.places)
        if seat != snapshot.seat and not place.left
    ]
    if pointed is not None:
        others.append(Choice(label="Take it back", move=NOBODY, act=SIGNAL))
    menu = ChoiceMenu(placeholder="Who is ahead?", choices=tuple(others))
    return [menu, (Choice(label="Back", move="", draft=True, quiet=True),)]
