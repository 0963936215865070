"""Divide & Conquer (board) as a state machine: no troop is ever created or lost."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games.chance import Chance
from games.conquest import CONQUEST, LAYOUT, Options, State
from games.conquest.battalions import in_play, owner, partner
from games.conquest.layout import closed_to
from games.core import IllegalMoveError, Seat

OPTIONS = st.builds(
    Options,
    equal=st.sampled_from(["annihilate", "choice", "bounce"]),
    reinforce=st.sampled_from(["in-order", "together"]),
    redeployment=st.booleans(),
    goal=st.sampled_from(["either", "both"]),
    turn_limit=st.integers(1, 30),
)


class Conservation(RuleBasedStateMachine):
    state: State
    step = 0

    @initialize(options=OPTIONS, seats=st.sampled_from(CONQUEST.seats), digit=st.sampled_from("0f"))
    def set_up(self, options, seats, digit):
        self.state = CONQUEST.setup(options, seats, Chance(digit * 64, 0))

    @precondition(lambda self: bool(CONQUEST.awaiting(self.state)))
    @rule(seed=st.integers(0, 2**32))
    def play(self, seed):
        """Every awaited seat makes a move, often an attack."""
        chance = Chance(str(seed), 0)
        moves = {}
        for seat in sorted(CONQUEST.awaiting(self.state)):
            listed = CONQUEST.legal_moves(self.state, seat)
            occupied = {s.square for b in in_play(self.state.seats) for s in self.state.board[b]}
            attacks = [move for move in listed if str(move)[-2:] in occupied]
            moves[seat] = chance.pick(attacks if attacks and chance.below(2) else listed)
        self.step += 1
        self.state = CONQUEST.play(self.state, moves, Chance("0" * 64, self.step))

    @precondition(lambda self: not CONQUEST.awaiting(self.state))
    @rule()
    def nothing_can_be_done_after_the_end(self):
        with pytest.raises(IllegalMoveError):
            CONQUEST.play(self.state, {}, Chance("0" * 64, self.step + 1))
        for i in range(self.state.seats):
            assert not CONQUEST.legal_moves(self.state, Seat(i))

    @precondition(lambda self: self.step > 5 and bool(CONQUEST.awaiting(self.state)))
    @rule(number=st.integers(0, 3))
    def leave(self, number):
        present = [i for i in range(self.state.seats) if i not in self.state.left]
        seat = Seat(present[number % len(present)])
        self.state = CONQUEST.concede(self.state, seat, Chance("0" * 64, self.step))

    @invariant()
    def every_battalion_has_ten_troops_on_the_board_and_in_the_bank(self):
        for battalion, stacks in enumerate(self.state.board):
            troops = sum(stack.troops for stack in stacks) + self.state.banks[battalion]
            assert troops == (10 if battalion in in_play(self.state.seats) else 0)

    @invariant()
    def no_square_is_held_twice_and_no_stack_is_empty(self):
        squares = [stack.square for stacks in self.state.board for stack in stacks]
        assert len(squares) == len(set(squares))
        assert all(stack.troops > 0 for stacks in self.state.board for stack in stacks)

    @invariant()
    def nobody_stands_on_a_square_marked_for_an_opponent(self):
        for battalion in in_play(self.state.seats):
            closed = closed_to(self.state.seats, battalion)
            assert not any(stack.square in closed for stack in self.state.board[battalion])

    @invariant()
    def only_the_partner_can_stand_on_a_headquarters_of_another(self):
        for battalion in in_play(self.state.seats):
            friends = {battalion, partner(self.state.seats, battalion)}
            headquarters = LAYOUT.headquarters[battalion]
            for other in in_play(self.state.seats):
                stands = any(s.square == headquarters for s in self.state.board[other])
                assert not stands or other in friends

    @invariant()
    def somebody_is_awaited_until_there_is_an_outcome(self):
        outcome = CONQUEST.outcome(self.state)
        assert (outcome is None) == bool(CONQUEST.awaiting(self.state))
        assert CONQUEST.awaiting(self.state).isdisjoint(self.state.left)

    @invariant()
    def orders_wait_only_while_a_choice_does_or_when_the_match_is_over(self):
        if self.state.pending:
            assert self.state.contest is not None or self.state.phase == "over"
        waiting = {owner(self.state.seats, item.battalion) for item in self.state.pending}
        assert waiting.isdisjoint(self.state.left)


Conservation.TestCase.settings = settings(
    max_examples=30, stateful_step_count=30, deadline=None, derandomize=True, database=None
)
TestConservation = Conservation.TestCase
