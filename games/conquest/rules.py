"""Divide & Conquer (board): secret orders for ten troops, revealed one by one.

A game by Hans Scharler. A seat wins that has a troop on each of the four objectives of a battalion.
Rules: the rulebook of the board game, made exact by R10-R23, R37 and R38. The only secrets are
orders that have been written but not yet executed.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from games.chance import Chance
from games.conquest.battalions import Battalion, in_play
from games.conquest.board import Board, Stack
from games.conquest.determinization import determinize
from games.conquest.layout import LAYOUT
from games.conquest.movement import decide
from games.conquest.moves import Choice, Move, Plan, Supply
from games.conquest.notation import parse
from games.conquest.options import Options
from games.conquest.planning import check_plan, legal_plans
from games.conquest.ranking import final
from games.conquest.reinforcement import apply_supply, check_supply, legal_supplies
from games.conquest.secrecy import without_unseen_orders
from games.conquest.state import State, playing, team
from games.conquest.turn import advance, awaited, leave, new_report, owes, reveal
from games.conquest.view import View, observe
from games.core import Event, Game, IllegalMoveError, Outcome, Seat

TROOPS: Final = 10
"""The number of troops of each battalion."""


class Conquest(Game[State, Move, View, Options]):
    key = "conquest"
    title = "Divide & Conquer (board)"
    seats = range(2, 5)
    options = Options
    presets = MappingProxyType({"standard": Options()})
    state = State

    def has_signals(self, options: Options) -> bool:
        return options.signal

    def shows_hidden(self, state: State, seat: Seat, move: Move) -> bool:
        del seat, move  # a Choice leads to the execution of pending orders
        return state.contest is not None and bool(state.pending)

    def redact(self, view: View, course: Sequence[Event]) -> Sequence[Event]:
        return without_unseen_orders(view, course)

    def setup(self, options: Options, seats: int, chance: Chance) -> State:
        if not self.fits(options, seats):
            raise ValueError(f"Divide & Conquer is for 2, 3 or 4 players, not {seats}.")
        battalions = in_play(seats)
        initiative = chance.pick(battalions)
        board: Board = tuple(
            (Stack(LAYOUT.headquarters[battalion], TROOPS),) if battalion in battalions else ()
            for battalion in Battalion
        )
        return State(
            options=options,
            seats=seats,
            left=(),
            turn=1,
            initiative=initiative,
            phase="planning",
            board=board,
            banks=(0,) * len(Battalion),
            pending=(),
            contest=None,
            reserve=(),
            current=new_report(1, initiative, board),
            last=None,
        )

    def awaiting(self, state: State) -> frozenset[Seat]:
        return frozenset(awaited(state))

    def legal_moves(self, state: State, seat: Seat) -> Sequence[Move]:
        if not owes(state, seat):
            return ()
        if state.phase == "planning":
            return legal_plans(state, seat)
        if state.phase == "reinforcement":
            return legal_supplies(state, seat)
        return (Choice(fight=True), Choice(fight=False))

    def check(self, state: State, seat: Seat, move: Move) -> None:
        if not owes(state, seat):
            raise IllegalMoveError("You have nothing to do right now.")
        if state.phase == "planning":
            check_plan(state, seat, move)
        elif state.phase == "reinforcement":
            check_supply(state, seat, move)
        elif not isinstance(move, Choice):
            raise IllegalMoveError("The numbers are equal on both sides: write fight or hold.")

    def resolve(self, state: State, moves: Mapping[Seat, Move], chance: Chance) -> State:
        del chance  # the first initiative is the only draw of the game (R20)
        for seat in state.reserve:  # applied in the order of reinforcement (R17)
            supply = moves.get(seat)
            if isinstance(supply, Supply):
                state = apply_supply(state, seat, supply)
        if state.contest is not None:
            (choice,) = moves.values()
            state = decide(state, state.contest, fight=choice == Choice(fight=True))
        if state.phase == "planning":
            plans = {seat: plan for seat, plan in moves.items() if isinstance(plan, Plan)}
            state = reveal(state, plans)
        return advance(state)

    def observe(self, state: State, seat: Seat | None) -> View:
        return observe(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        return final(state) if state.phase == "over" else None

    def concede(self, state: State, seat: Seat, chance: Chance) -> State:
        del chance
        if state.phase == "over":
            raise IllegalMoveError("This match is over, so nobody can leave it now.")
        if seat not in playing(state):
            raise IllegalMoveError("This seat is no longer in the match.")
        return leave(state, seat)

    def fallback(self, state: State, seat: Seat, chance: Chance) -> Move:
        del chance  # it is `pass`, `hold` or `none` (R38)
        nothing = (None,) * len(team(state, seat))
        if state.phase == "planning":
            return Plan(nothing)
        if state.phase == "reinforcement":
            return Supply(nothing)
        return Choice(fight=False)

    def imagine(self, view: View, seat: Seat, chance: Chance) -> State:
        del seat  # the view names its owner
        return determinize(view, chance)

    def parse(self, text: str) -> Move:
        return parse(text)


CONQUEST: Final = Conquest()
