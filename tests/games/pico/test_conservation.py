"""Pico as a state machine, with seats that leave: no card is created or lost; dots add up."""

from collections import Counter

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games import Seat
from games.chance import Chance
from games.pico import DECKS, PICO

ANY = Chance("any", 1)


class Table(RuleBasedStateMachine):
    """A match, and a tally of the dots that were won, trick by trick."""

    @initialize(name=st.sampled_from(sorted(DECKS)), seed=st.integers(0, 10**6))
    def deal(self, name, seed):
        self.deck = DECKS[name]
        self.state = PICO.setup(PICO.presets[name], self.deck.seats, Chance(str(seed), 0))
        self.tally = [0] * self.deck.seats
        self.out = Counter()
        """The cards that went out of play with a seat that conceded."""

        self.tricks = 0

    @precondition(lambda self: not PICO.awaiting(self.state))
    @rule(name=st.sampled_from(sorted(DECKS)), seed=st.integers(0, 10**6))
    def play_another_match(self, name, seed):
        self.deal(name, seed)

    @precondition(lambda self: bool(PICO.awaiting(self.state)))
    @rule(data=st.data())
    def play_a_trick(self, data):
        moves = {
            seat: data.draw(st.sampled_from(PICO.legal_moves(self.state, seat)))
            for seat in sorted(PICO.awaiting(self.state))
        }
        self.state = PICO.play(self.state, moves, ANY)
        self.tricks += 1
        for seat in self.state.last.winners:
            self.tally[seat] += self.deck.dots[self.state.last.faces[seat]]

    @precondition(lambda self: len(PICO.awaiting(self.state)) == 3 and self.tricks > 2)
    @rule(i=st.integers(0, 2))
    def leave(self, i):
        self.out.update(self.state.hands[i] + self.state.won[i])
        self.state = PICO.concede(self.state, Seat(i), ANY)

    @invariant()
    def no_card_is_made_or_lost(self):
        held = sum(self.state.hands, ())
        aside = sum(self.state.won, ())

        assert Counter((*held, *aside, self.state.spare)) + self.out == Counter(self.deck.cards)

    @invariant()
    def every_dot_that_was_won_is_counted_once(self):
        assert PICO.observe(self.state, None).dots == tuple(self.tally)

    @invariant()
    def a_seat_in_play_holds_at_least_two_cards(self):
        assert all(len(self.state.hands[seat]) >= 2 for seat in PICO.awaiting(self.state))

    @invariant()
    def a_finished_match_scores_what_was_tallied(self):
        outcome = PICO.outcome(self.state)

        assert outcome is None or outcome.scores == tuple(self.tally)


Table.TestCase.settings = settings(max_examples=25, stateful_step_count=45)
TestPicoTable = Table.TestCase
