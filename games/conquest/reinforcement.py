"""The reinforcement phase: at most one troop of each battalion (R17, R18, R21)."""

from collections.abc import Sequence
from dataclasses import replace

from games.conquest.battalions import Battalion, owner, partner
from games.conquest.board import no_troops, troops_on, with_troops
from games.conquest.layout import LAYOUT, Square
from games.conquest.moves import Move, Placement, Redeployment, Reinforcement, Supply
from games.conquest.parts import joined
from games.conquest.report import Reserve
from games.conquest.state import State, clockwise, team
from games.core import IllegalMoveError, Seat


def reserve_order(state: State) -> tuple[Seat, ...]:
    """The seats that can place anything, in the order of their first battalions (R17)."""
    order = dict.fromkeys(owner(state.seats, b) for b in clockwise(state, state.initiative))
    return tuple(
        seat
        for seat in order
        if any(len(placements_of(state, battalion)) > 1 for battalion in team(state, seat))
    )


def placements_of(state: State, battalion: Battalion) -> tuple[Placement | None, ...]:
    """The placements that a battalion can choose now; the first is None, to do nothing."""
    headquarters = LAYOUT.headquarters[battalion]
    squares = [stack.square for stack in state.board[battalion]]
    barred = _is_barred(state, battalion)
    placements: list[Placement | None] = [None]
    if state.banks[battalion]:
        if not barred:
            placements.append(Reinforcement(headquarters))
        placements += [Reinforcement(square) for square in squares if square != headquarters]
    if state.options.redeployment and not barred:
        placements += [Redeployment(square) for square in squares if square != headquarters]
    return tuple(placements)


def legal_supplies(state: State, seat: Seat) -> Sequence[Supply]:
    parts = [placements_of(state, battalion) for battalion in team(state, seat)]
    if len(parts) == 1:
        return tuple(Supply((placement,)) for placement in parts[0])
    return tuple(Supply(placements) for placements in joined(*parts))


def check_supply(state: State, seat: Seat, move: Move) -> None:
    if not isinstance(move, Supply):
        raise IllegalMoveError(f"It's time to reinforce: write {_wanted(state, seat)}")
    battalions = team(state, seat)
    if len(move.placements) != len(battalions):
        wanted = _wanted(state, seat)
        if len(battalions) == 1:
            refusal = f"You command one battalion, so write one reinforcement: {wanted}"
            raise IllegalMoveError(refusal)
        raise IllegalMoveError(f"You command two battalions, so write {wanted}")
    for battalion, placement in zip(battalions, move.placements, strict=True):
        if placement not in placements_of(state, battalion):
            instead = _instead(state, seat, move, battalion)
            raise IllegalMoveError(_refusal(state, battalion, placement, instead))


def _wanted(state: State, seat: Seat) -> str:
    """What a seat has to write, with an example that is legal now."""
    first, *others = battalions = team(state, seat)
    if not others:
        return _instead(state, seat, Supply((None,)), first)
    parts = [_example(state, battalion) for battalion in battalions]
    example = Supply((parts[0], None)) if parts[0] else Supply((None, parts[1]))
    return f"both reinforcements, {first.color} before {others[0].color}, like {example}."


def _instead(state: State, seat: Seat, supply: Supply, battalion: Battalion) -> str:
    """What a seat can write for a battalion; keeps the other part of its move if that's legal."""

    def joint(placement: Placement | None) -> Supply:
        parts = zip(team(state, seat), supply.placements, strict=True)
        return Supply(
            tuple(
                placement if b is battalion else part if part in placements_of(state, b) else None
                for b, part in parts
            )
        )

    example = _example(state, battalion)
    if example is None:
        return f"{joint(None)}."
    if isinstance(example, Reinforcement):
        return f"a square like {joint(example)}, or {joint(None)}."
    return f"{joint(None)}, or pull a troop back, like {joint(example)}."


def _example(state: State, battalion: Battalion) -> Placement | None:
    """The first placement that a battalion can choose now; None if there is none."""
    return next((placement for placement in placements_of(state, battalion) if placement), None)


def apply_supply(state: State, seat: Seat, move: Supply) -> State:
    """The state after a seat has reinforced; `check_supply` must have accepted the move."""
    for battalion, placement in zip(team(state, seat), move.placements, strict=True):
        state = _apply(state, battalion, placement)
    return replace(state, reserve=tuple(other for other in state.reserve if other != seat))


def _apply(state: State, battalion: Battalion, placement: Placement | None) -> State:
    board, banks = state.board, list(state.banks)
    if isinstance(placement, Reinforcement):
        board = with_troops(board, battalion, placement.square, 1)
        banks[battalion] -= 1
    if isinstance(placement, Redeployment):
        board = with_troops(board, battalion, placement.source, -1)
        board = with_troops(board, battalion, LAYOUT.headquarters[battalion], 1)
    reserves = (*state.current.reserves, Reserve(battalion=battalion, placement=placement))
    current = replace(state.current, reserves=reserves)
    return replace(state, board=board, banks=tuple(banks), current=current)


def _is_barred(state: State, battalion: Battalion) -> bool:
    """Whether the partner has troops on the headquarters (R21)."""
    other = partner(state.seats, battalion)
    return other is not None and bool(troops_on(state.board, other, LAYOUT.headquarters[battalion]))


def _refusal(state: State, battalion: Battalion, placement: object, instead: str) -> str:
    """The sentence that says why a placement is illegal now."""
    match placement:
        case Reinforcement(square):
            return _reinforcement_refusal(state, battalion, square, instead)
        case Redeployment(source):
            return _redeployment_refusal(state, battalion, source, instead)
        case _:
            return f"That isn't a reinforcement. Write {instead}"


def _reinforcement_refusal(state: State, battalion: Battalion, square: Square, instead: str) -> str:
    headquarters, is_barred = LAYOUT.headquarters[battalion], _is_barred(state, battalion)
    if not state.banks[battalion]:
        return f"The bank of {battalion} is empty, so no troop can go to {square}. Write {instead}"
    if is_barred and not state.board[battalion]:
        return (
            f"{battalion.color.capitalize()} has no troops on the board, and your other battalion "
            f"is on {headquarters}, so no troop can go to {square}. Write {instead}"
        )
    if square == headquarters:
        return _other_battalion_is_on(headquarters)
    home = "" if is_barred else f"{headquarters} or "
    return (
        f"Reinforcements of {battalion} go to {home}a square where it has troops, not to {square}."
    )


def _redeployment_refusal(state: State, battalion: Battalion, source: Square, instead: str) -> str:
    if not state.options.redeployment:
        return f"This match has no redeployment. Write {instead}"
    headquarters = LAYOUT.headquarters[battalion]
    if _is_barred(state, battalion):
        return _other_battalion_is_on(headquarters)
    if source == headquarters:
        return f"{source} is already the headquarters of {battalion}."
    squares = [stack.square for stack in state.board[battalion]]
    return no_troops(battalion, source, [square for square in squares if square != headquarters])


def _other_battalion_is_on(headquarters: Square) -> str:
    return f"Your other battalion is on {headquarters}, so no troop can go there now."
