"""Positions of Divide & Conquer (board), and moves in its notation, for its tests."""

from dataclasses import replace
from typing import Any, Final

from games.chance import Chance
from games.conquest import CONQUEST, Battalion, Move, Options, Stack, State
from games.conquest.battalions import in_play
from games.conquest.layout import POSITIONS
from games.conquest.turn import new_report
from games.core import Seat

RED, GREEN, BLUE, YELLOW = Battalion
CHANCE: Final = Chance("0" * 64, 1)
HOME: Final = {RED: "E5:10", GREEN: "E6:10", BLUE: "F6:10", YELLOW: "F5:10"}


def position(
    seats: int,
    troops: dict[Battalion, str] | None = None,
    *,
    first: Battalion = RED,
    turn: int = 1,
    **options: Any,
) -> State:
    """The planning phase of a turn, with troops written as `{RED: "E5:6 D4:3"}`.

    Battalions that aren't named are in their headquarters; missing troops are in the bank.
    """
    state = CONQUEST.setup(Options(**options), seats, Chance("0" * 64, 0))
    places = {**HOME, **(troops or {})}
    active = in_play(seats)
    board = tuple(stacks(places[b]) if b in active else () for b in Battalion)
    banks = tuple(
        10 - sum(stack.troops for stack in board[b]) if b in active else 0 for b in Battalion
    )
    return replace(
        state,
        turn=turn,
        initiative=first,
        board=board,
        banks=banks,
        current=new_report(turn, first, board),
    )


def stacks(text: str) -> tuple[Stack, ...]:
    pairs = [item.split(":") for item in text.split()]
    found = [Stack(square, int(troops)) for square, troops in pairs]
    return tuple(sorted(found, key=lambda stack: POSITIONS[stack.square]))


def troops(state: State, battalion: Battalion) -> str:
    """The troops of a battalion, written as for `position`."""
    return " ".join(f"{stack.square}:{stack.troops}" for stack in state.board[battalion])


def play(state: State, *texts: str) -> State:
    """The state after the awaited seats have made these moves, in ascending order of seats."""
    seats = sorted(CONQUEST.awaiting(state))
    moves = {seat: CONQUEST.parse(text) for seat, text in zip(seats, texts, strict=True)}
    return CONQUEST.play(state, moves, CHANCE)


def concede(state: State, *seats: int) -> State:
    for seat in seats:
        state = CONQUEST.concede(state, Seat(seat), CHANCE)
    return state


def listed(state: State, seat: int) -> list[str]:
    return [str(move) for move in CONQUEST.legal_moves(state, Seat(seat))]


def check(state: State, seat: int, text: str) -> None:
    CONQUEST.check(state, Seat(seat), CONQUEST.parse(text))


def results(state: State) -> list[str]:
    """The results of this turn's orders so far, for example "red march"."""
    return [f"{m.battalion.color} {m.lapse or m.result}" for m in state.current.movements]


def last_results(state: State) -> list[str]:
    """The results of the previous turn's orders."""
    assert state.last is not None
    return [f"{m.battalion.color} {m.lapse or m.result}" for m in state.last.movements]


def move(text: str) -> Move:
    return CONQUEST.parse(text)
