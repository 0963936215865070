"""The rows of a hand: an order written tap by tap, a Commander's Choice, a reinforcement.

An order takes at most four taps for each battalion: the square, the direction, the number if it
isn't the usual one, and to submit or switch to the other battalion. One battalion is reinforced by
one tap; a team's two reinforcements are drafted first.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.matches import SeatSnapshot
from bot.messaging.content import balanced
from bot.rendering.presentation import Choice, ChoiceMenu, Control
from bot.text import counted
from cogs.conquest.battalions import MARKS, is_objective, name_of, own_team, seat_name, standing_on
from cogs.conquest.drafts import (
    NO_PLACEMENT,
    NOTHING_YET,
    SIGNAL,
    Draft,
    OrderChoices,
    Sketch,
    drafted,
    is_no_draft,
    is_signalling,
    kept_draft,
    orders_of,
    placement_text,
    placements_of,
    restarted,
    supplied,
    supply_parts,
    switched,
)
from cogs.conquest.orientation import arrow_of, step_of, turns_of
from cogs.conquest.text import emblem, supply_label
from games.conquest import (
    LAYOUT,
    Battalion,
    Move,
    Order,
    Redeployment,
    Reinforcement,
    Square,
    Supply,
    View,
)
from games.conquest.board import troops_on
from games.conquest.moves import Choice as Decision
from games.conquest.moves import Placement, Plan
from games.core import Seat

PASSING: Final = Plan((None,))
_MAX_BUTTONS_IN_ROW: Final = 5
_MAX_SQUARES_IN_ROW: Final = 4
"""How many buttons like `↗ D6` fit side by side on a phone, where Discord wraps wider rows."""

_MAX_NAMED_SOURCES: Final = 2
"""The most squares whose buttons have room for the word `troops` on a phone."""


_MAX_BUTTONS: Final = 10
"""The most placements that are shown as buttons; more of them are a menu."""

NO_TROOP: Final = "No troop"
WHICH_SQUARE: Final = "Which square?"
OBJECTIVE: Final = "\N{DIRECT HIT}"
CHOSEN: Final = "\N{CHECK MARK} "

NOBODY: Final = "nobody"


def rows(snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
    """The rows of a hand: its legal moves, and signals if the match has them."""
    if not snapshot.options.signal or snapshot.status != "running":
        return _moves(snapshot.view, snapshot.legal, snapshot.choice, draft)
    kept = kept_draft(snapshot.legal, draft)
    if is_signalling(draft):
        return _signal_rows(snapshot, kept)
    *before, last = [*_moves(snapshot.view, snapshot.legal, snapshot.choice, draft)] or [()]
    opening = Choice(label="Signal …", move=_with_draft(SIGNAL, kept), act="draft", quiet=True)
    if isinstance(last, ChoiceMenu) or len(last) == _MAX_BUTTONS_IN_ROW:
        return [*before, last, (opening,)]
    return [*before, (*last, opening)]


def _moves(view: View, legal: Sequence[Move], choice: Move | None, draft: str) -> Sequence[Control]:
    if not legal:
        return ()
    match legal[0]:
        case Plan():
            orders = orders_of(legal)
            if isinstance(choice, Plan) and is_no_draft(orders, draft):
                sketched = restarted(orders, choice)
            else:
                sketched = drafted(orders, choice, draft)
            return _order_rows(view, sketched, orders, choice)
        case Decision():
            return [_choice_row(view)]
        case Supply(placements) if len(placements) == 1:
            return _placement_rows(view, legal)
        case Supply():
            return _team_placement_rows(view, legal, choice, draft)


def _order_rows(
    view: View, draft: Draft, orders: Sequence[OrderChoices], choice: Move | None
) -> Sequence[Control]:
    """The rows for the next step of an order: the source, the target or the number of troops."""
    battalion, sketch = own_team(view)[draft.current], draft.sketch
    known = orders[draft.current]
    asked: Iterable[tuple[Choice, ...]] = ()
    if sketch.order is not None:
        asked = _numbers(view, draft, battalion, known)
    elif sketch.source is not None:
        asked = _targets(view, draft, battalion, known)
    elif known.legal and not sketch.passes:
        asked = _sources(view, draft, battalion, known)
    return [*asked, _last_row(view, draft, orders, choice)]


def _sources(
    view: View, draft: Draft, battalion: Battalion, orders: OrderChoices
) -> Iterable[tuple[Choice, ...]]:
    """Buttons for the squares a battalion can march from: at most ten, as it has ten troops."""
    named = len(orders.sources) <= _MAX_NAMED_SOURCES
    choices = (
        Choice(
            label=f"{source}: {counted(there, 'troop') if named else there}",
            move=str(draft.with_sketch(Sketch(source=source))),
            act="draft",
        )
        for source in orders.sources
        for there in [troops_on(view.board, battalion, source)]
    )
    return balanced(tuple(choices), _MAX_SQUARES_IN_ROW)


def _targets(
    view: View, draft: Draft, battalion: Battalion, orders: OrderChoices
) -> Iterable[tuple[Choice, ...]]:
    """Buttons for the neighboring squares, from top left to bottom right of the turned board.

    They take two rows: three, like the squares, would leave little room for the picture on a phone.
    """
    source, turns = draft.sketch.source, turns_of(view)
    assert source is not None
    targets = sorted(orders.targets(source), key=lambda target: step_of(source, target, turns))
    choices = (_target(view, draft, battalion, orders, target) for target in targets)
    return balanced(tuple(choices), _MAX_SQUARES_IN_ROW)


def _target(
    view: View, draft: Draft, battalion: Battalion, orders: OrderChoices, target: Square
) -> Choice:
    source, other = draft.sketch.source, standing_on(view, target)
    assert source is not None
    goal = f" {OBJECTIVE}" if is_objective(battalion, target) else ""
    there = "" if other is None else f" {MARKS[other].emoji}{troops_on(view.board, other, target)}"
    usual = usual_order(view, battalion, orders, source, target)
    return Choice(
        label=f"{arrow_of(source, target, turns_of(view))} {target}{goal}{there}",
        move=str(draft.with_sketch(Sketch(source=source, order=usual))),
        act="draft",
    )


def _numbers(
    view: View, draft: Draft, battalion: Battalion, orders: OrderChoices
) -> Iterable[tuple[Choice, ...]]:
    """Buttons for how many troops march, the usual number first; none if there's only one."""
    order = draft.sketch.order
    assert order is not None
    source, target = order.source, order.target
    there = troops_on(view.board, battalion, source)
    usual = usual_order(view, battalion, orders, source, target).troops
    numbers = sorted(orders.numbers(source, target), key=lambda n: (n != usual, -n))
    if len(numbers) == 1:
        return ()
    choices = (
        Choice(
            label=f"{CHOSEN if number == order.troops else ''}{_number_label(number, there)}",
            move=str(draft.with_sketch(Sketch(source=source, order=Order(source, number, target)))),
            act="draft",
            quiet=number != order.troops,
        )
        for number in numbers
    )
    return balanced(tuple(choices))


def _number_label(number: int, there: int) -> str:
    return f"All {there}" if number == there > 1 else str(number)


def usual_order(
    view: View, battalion: Battalion, orders: OrderChoices, source: Square, target: Square
) -> Order:
    """All troops that can march, except one that stays if the source is an objective."""
    there = troops_on(view.board, battalion, source)
    stays = is_objective(battalion, source) and there > 1
    return orders.most(source, target, there - 1 if stays else None)


def _last_row(
    view: View, draft: Draft, orders: Sequence[OrderChoices], choice: Move | None
) -> tuple[Choice, ...]:
    """The last row: submit the draft, pass, switch to the other battalion, go back."""
    buttons, plan = [], draft.plan
    if plan is not None and plan != PASSING:
        buttons.append(Choice(label=f"Submit {plan}", move=str(plan)))
    if len(orders) == 1:
        buttons.append(Choice(label="Pass", move=str(PASSING), quiet=True))
    else:
        buttons += _team_buttons(view, draft, orders, choice)
    before = _step_back(draft.sketch, orders[draft.current])
    if before is not None:
        back = str(draft.with_sketch(before))
        buttons.append(Choice(label="Back", move=back, act="draft", quiet=True))
    return tuple(buttons)


def _team_buttons(
    view: View, draft: Draft, orders: Sequence[OrderChoices], choice: Move | None
) -> Iterable[Choice]:
    """Buttons of a team: the current battalion passes, or the other one is next."""
    turns = []
    for i, battalion in enumerate(own_team(view)):
        if i != draft.current and orders[i].legal:
            done = draft.sketches[i].is_done
            suffix = f": {draft.sketches[i]}" if done else "'s order \N{HORIZONTAL ELLIPSIS}"
            label = f"{MARKS[battalion].emoji} {name_of(battalion)}{suffix}"
            is_open = not done and draft.sketch.is_done
            to = str(switched(draft, i, orders, choice))
            turns.append(Choice(label=label, move=to, act="draft", quiet=not is_open))
    if not draft.sketch.passes:
        after = draft.with_sketch(Sketch(passes=True))
        other = 1 - draft.current
        if not draft.sketches[other].is_done:
            after = after.turned_to(other)
        name = name_of(own_team(view)[draft.current])
        # If a pass was chosen before, switching keeps it, so one button does both.
        if str(after) not in {turn.move for turn in turns}:
            yield Choice(label=f"{name} passes", move=str(after), act="draft", quiet=True)
    yield from turns


def _step_back(sketch: Sketch, orders: OrderChoices) -> Sketch | None:
    """The sketch one step back; None at the first step."""
    if sketch.order is not None:
        return Sketch(source=sketch.order.source)
    if sketch.passes:
        return orders.begun() if orders.legal else None
    return Sketch() if sketch.source is not None and len(orders.sources) > 1 else None


def _choice_row(view: View) -> tuple[Choice, ...]:
    assert view.contest is not None
    lost, order = view.contest.troops, view.contest.order
    return (
        Choice(label=f"Fight: both lose {lost}", move=str(Decision(fight=True))),
        Choice(label=f"Hold: stay on {order.source}", move=str(Decision(fight=False))),
    )


def _placement_rows(view: View, legal: Sequence[Move]) -> Sequence[Control]:
    """A button for each square, or a menu if there are many; it has notes instead of signs."""
    (battalion,) = own_team(view)
    (every,) = placements_of(legal)
    placements = [placement for placement in every if placement is not None]
    signed = len(placements) <= _MAX_BUTTONS
    choices = [
        Choice(
            label=_placement_label(view, battalion, placement, signed=signed),
            move=placement_text(placement),
            note=_placement_note(battalion, placement),
        )
        for placement in placements
    ]
    none = Choice(label=NO_TROOP, move=NO_PLACEMENT, quiet=True)
    if len(choices) < _MAX_BUTTONS_IN_ROW:
        return [(*choices, none)]
    if signed:
        return [*balanced(tuple(choices)), (none,)]
    return [_menu(WHICH_SQUARE, choices), (none,)]


def _team_placement_rows(
    view: View, legal: Sequence[Move], choice: Move | None, draft: str
) -> Sequence[Control]:
    supply, parts = supplied(legal, choice, draft), supply_parts(legal, choice, draft)
    placements = placements_of(legal)
    controls: list[Control] = []
    for i, battalion in enumerate(own_team(view)):
        if len(placements[i]) > 1:
            asked = parts[i] == NOTHING_YET
            placeholder = (
                WHICH_SQUARE if asked else _placement_label(view, battalion, supply.placements[i])
            )
            choices = _part_drafts(view, battalion, parts, placements[i], i)
            controls.append(_menu(f"{MARKS[battalion].emoji} {placeholder}", choices))
    nothing = Supply((None,) * len(placements))
    ready = (
        ()
        if supply == nothing
        else (Choice(label=f"Place: {supply_label(view, supply)}", move=str(supply)),)
    )
    return [*controls, (*ready, Choice(label="No troops", move=str(nothing), quiet=True))]


def _part_drafts(
    view: View,
    battalion: Battalion,
    parts: Sequence[str],
    placements: Sequence[Placement | None],
    i: int,
) -> Iterable[Choice]:
    """Drafts with each placement of battalion `i` of a team; the other one's part stays."""
    return (
        Choice(
            label=_placement_label(view, battalion, placement),
            move=f"supply {'/'.join((*parts[:i], placement_text(placement), *parts[i + 1 :]))}",
            act="draft",
            note=_placement_note(battalion, placement),
        )
        for placement in placements
    )


def _placement_label(
    view: View, battalion: Battalion, placement: Placement | None, *, signed: bool = False
) -> str:
    headquarters = LAYOUT.headquarters[battalion]
    match placement:
        case None:
            return NO_TROOP
        case Redeployment(source):
            goal = f" {OBJECTIVE}" if signed and is_objective(battalion, source) else ""
            return f"One from {source}{goal} back to {headquarters}"
        case Reinforcement(square):
            there = troops_on(view.board, battalion, square)
            sign = ""
            if signed and square == headquarters:
                sign = " HQ"
            elif signed and is_objective(battalion, square):
                sign = f" {OBJECTIVE}"
            return f"{square}{sign}: {there} \N{RIGHTWARDS ARROW} {there + 1}"


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
    """What's on a square: a mark of this battalion, and troops; `empty` if neither."""
    mark, other = _mark_note(battalion, target), standing_on(view, target)
    if other is None:
        return mark or "empty"
    troops = counted(troops_on(view.board, other, target), "troop")
    there = f"{troops} of yours" if other is battalion else f"{troops} of {other.color}"
    return f"{mark}, {there}" if mark else there


def _menu(placeholder: str, choices: Iterable[Choice]) -> ChoiceMenu:
    return ChoiceMenu(placeholder=placeholder, choices=tuple(choices))


def _signal_rows(snapshot: SeatSnapshot, kept: str) -> Sequence[Control]:
    """A menu of the other players, and a Back button; both keep the draft of the orders."""
    pointed = snapshot.own.signal
    others = [
        Choice(
            label=f"{seat_name(snapshot.view, Seat(seat))} {emblem(snapshot.view, seat)}",
            move=_with_draft(str(seat), kept),
            act=SIGNAL,
        )
        for seat, info in enumerate(snapshot.seats)
        if seat != snapshot.seat and not info.left
    ]
    if pointed is not None:
        others.append(Choice(label="Take it back", move=_with_draft(NOBODY, kept), act=SIGNAL))
    menu = ChoiceMenu(placeholder="Who is ahead?", choices=tuple(others))
    return [menu, (Choice(label="Back", move=kept, act="draft", quiet=True),)]


def _with_draft(word: str, kept: str) -> str:
    """A word, followed by the draft to keep."""
    return f"{word} {kept}".rstrip()
