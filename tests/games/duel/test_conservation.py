"""The tile duel as a state machine: no tile is created or lost, and the points add up."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games import Seat
from games.chance import Chance
from games.duel import DUEL, SETS

ANY = Chance("any", 1)


class Table(RuleBasedStateMachine):
    """A match, and a tally of the points and of the tiles that each seat has exposed."""

    @initialize(name=st.sampled_from(sorted(DUEL.presets)), seed=st.integers(0, 10**6))
    def deal(self, name, seed):
        self.state = DUEL.setup(DUEL.presets[name], 2, Chance(str(seed), 0))
        self.set = SETS[self.state.options.tiles]
        self.tally = [0, 0]
        self.exposed = {1: ([], []), 2: ([], [])}

    @precondition(lambda self: not DUEL.awaiting(self.state))
    @rule(name=st.sampled_from(sorted(DUEL.presets)), seed=st.integers(0, 10**6))
    def play_another_match(self, name, seed):
        self.deal(name, seed)

    @precondition(lambda self: bool(DUEL.awaiting(self.state)))
    @rule(data=st.data())
    def expose_a_pair(self, data):
        moves = {
            seat: data.draw(st.sampled_from(DUEL.legal_moves(self.state, seat)))
            for seat in sorted(DUEL.awaiting(self.state))
        }
        now = self.state.round
        self.state = DUEL.play(self.state, moves, ANY)
        self.tally[self.state.pairs[-1].winner] += 1
        for seat, tile in moves.items():
            self.exposed[now][seat].append(tile.total)

    @invariant()
    def the_tiles_dealt_are_the_set(self):
        assert tuple(sorted(sum(self.state.dealt, ()))) == self.set.totals

    @invariant()
    def every_tile_of_a_hand_is_held_or_was_exposed_in_this_round(self):
        for seat in (Seat(0), Seat(1)):
            exposed = self.exposed[self.state.round][seat]
            assert sorted((*self.state.hands[seat], *exposed)) == list(self.state.dealt[seat])

    @invariant()
    def both_hands_have_the_same_length(self):
        assert len(self.state.hands[0]) == len(self.state.hands[1])

    @invariant()
    def each_pair_is_one_point(self):
        view = DUEL.observe(self.state, None)

        assert view.scores == tuple(self.tally)
        assert sum(view.scores) == len(self.state.pairs)
        assert tuple(map(sum, zip(*view.points, strict=True))) == view.scores

    @invariant()
    def a_finished_match_has_exposed_each_tile_once_per_seat(self):
        outcome = DUEL.outcome(self.state)
        whole = [sorted(one + two) for one, two in zip(*self.exposed.values(), strict=True)]

        assert outcome is None or whole == [list(self.set.totals)] * 2
        assert outcome is None or sum(outcome.scores) == len(self.set.totals)


Table.TestCase.settings = settings(max_examples=25, stateful_step_count=30)
TestDuelTable = Table.TestCase
