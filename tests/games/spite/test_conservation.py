"""Spite and Malice as a state machine: no card of either pack is created or lost."""

from collections import Counter

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games import Seat
from games.chance import Chance
from games.spite import SPITE, Options
from games.spite.belief import Took
from games.spite.cards import FIRST_PACK, RANKS, WILDNESS
from tests.support.spite_states import choice

SEATS = (Seat(0), Seat(1))
SCORINGS = {"game": (None,), "games": (1, 3), "points": (25, 50, 100)}


@st.composite
def agreements(draw):
    scoring = draw(st.sampled_from(sorted(SCORINGS)))
    return Options(
        stock=draw(st.sampled_from([1, 3, 13, 20, 26])),
        foundations=draw(st.sampled_from([None, 3, 4])),
        forced=draw(st.sampled_from(["none", "aces", "aces-and-twos"])),
        jokers=draw(st.sampled_from(["none", "with-kings", "instead"])),
        strict_draw=draw(st.booleans()),
        scoring=scoring,
        target=draw(st.sampled_from(SCORINGS[scoring])),
        turn_limit=draw(st.sampled_from([5, 60, 500])),
        game_limit=draw(st.sampled_from([1, 4, 50])),
    )


class Match(RuleBasedStateMachine):
    """A match, and a tally of what each game was worth."""

    @initialize(seed=st.integers(0, 10**6), options=agreements())
    def deal(self, seed, options):
        self.seed, self.step = f"{seed:064x}", 0
        self.state = SPITE.setup(options, 2, Chance(self.seed, 0))
        self.options = options
        self.tally = [0, 0]
        self.last = None

    def playing(self):
        return bool(SPITE.awaiting(self.state))

    @precondition(playing)
    @rule(data=st.data())
    def make_any_move(self, data):
        moves = SPITE.legal_moves(self.state, self.state.on_turn)
        self.make(data.draw(st.sampled_from(moves)))

    @precondition(playing)
    @rule(steps=st.integers(1, 400), eager=st.integers(2, 9))
    def play_on_eagerly(self, steps, eager):
        """Lets foundations be completed, the source be recycled and games be won."""
        for _ in range(steps):
            if self.playing():
                self.make(choice(self.state, Chance(f"{self.seed}:players", self.step), eager))
                self.hands_and_foundations_are_in_order()

    @precondition(playing)
    @rule(chance=st.integers(0, 9))
    def run_out_of_time(self, chance):
        move = SPITE.fallback(self.state, self.state.on_turn, Chance(self.seed, chance))
        self.make(move)

    @precondition(lambda self: not self.playing())
    @rule(seat=st.sampled_from(SEATS))
    def nobody_moves_after_the_end(self, seat):
        assert SPITE.legal_moves(self.state, seat) == ()
        assert SPITE.outcome(self.state).scores == self.state.series.scores

    @rule(seat=st.sampled_from(SEATS))
    def imagine(self, seat):
        view = SPITE.observe(self.state, seat)
        one = SPITE.imagine(view, seat, Chance(self.seed, self.step))
        hand, truth = one.sides[1 - seat].hand, self.state.sides[1 - seat].hand
        assert SPITE.observe(one, seat) == view
        assert len(hand) == len(truth)
        assert Counter(one.source + hand) == Counter(self.state.source + truth)

    @precondition(playing)
    @rule(seat=st.sampled_from(SEATS), chance=st.integers(0, 29))
    def leave(self, seat, chance):
        if chance == 0:
            self.state = SPITE.concede(self.state, seat, Chance(self.seed, 0))

    def make(self, move):
        self.step += 1
        before = self.state
        self.state = SPITE.play(before, {before.on_turn: move}, Chance(self.seed, self.step))
        result = self.state.series.last
        if result is not before.series.last and result.winner is not None:
            worth = 1 if self.options.scoring == "games" else result.points
            self.tally[result.winner] += worth

    @precondition(lambda self: hasattr(self, "state"))
    @invariant()
    def no_card_is_made_or_lost(self):
        state = self.state
        found = Counter(state.source + state.removed + state.series.aside)
        for pile in state.foundations:
            found.update(pile)
        for one in state.sides:
            found.update(one.stock + one.hand)
            for pile in one.discards:
                found.update(pile)
        assert found == Counter(FIRST_PACK + WILDNESS[self.options.jokers].second_pack)

    @invariant()
    def the_first_pack_is_complete(self):
        state = self.state
        pack = list(state.series.aside)
        for one in state.sides:
            pack += one.stock[:-1] + one.turned
            assert one.stock[-1:] == one.turned[-1:] or not one.stock
            assert len(one.stock) + len(one.turned) == self.options.stock + bool(one.stock)
        assert Counter(pack) == Counter(FIRST_PACK)

    @invariant()
    def hands_and_foundations_are_in_order(self):
        state, wildness = self.state, WILDNESS[self.options.jokers]
        for one in state.sides:
            assert len(one.hand) <= 5
            moved = sum(step.count if isinstance(step, Took) else -step.count for step in one.trail)
            assert len(one.hand) == len(one.carried) + moved
        for pile in state.foundations:
            assert 0 < len(pile) < wildness.height
            assert all(
                face in (rank, *wildness.wild) for face, rank in zip(pile, RANKS, strict=False)
            )
        assert len(state.foundations) <= (self.options.foundations or 20)

    @invariant()
    def scores_add_up(self):
        state = self.state
        assert list(state.series.scores) == self.tally
        target = self.options.target
        if target is not None and self.playing():
            assert max(state.series.scores) < target
        assert state.turn <= self.options.turn_limit
        assert state.series.game <= self.options.game_limit or self.options.scoring == "game"


TestMatch = Match.TestCase
TestMatch.settings = settings(max_examples=40, stateful_step_count=10, deadline=None)
