"""Prize Dominoes as a state machine: no tile is created or lost, and the line always fits."""

from itertools import pairwise

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from games import Seat
from games.chance import Chance
from games.prize import DOMINOES, PRIZE, Options

SEATS = (Seat(0), Seat(1))
ANY = Chance("any", 1)


class Table(RuleBasedStateMachine):
    """A match, and a tally of the prizes that each seat won and played."""

    @initialize(
        seed=st.integers(0, 10**6),
        limit=st.sampled_from([1, 2, 3, 50]),
        strict=st.booleans(),
    )
    def deal(self, seed, limit, strict):
        options = Options(hand_limit=limit, pass_only_when_stock_is_empty=strict)
        self.state = PRIZE.setup(options, 2, Chance(str(seed), 0))
        self.seed, self.step = str(seed), 0
        self.rows = ([], [])
        self.winners = []

    def playing(self):
        return bool(PRIZE.awaiting(self.state))

    @precondition(playing)
    @rule(data=st.data())
    def play_a_turn(self, data):
        (seat,) = PRIZE.awaiting(self.state)
        self.play(seat, data.draw(st.sampled_from(PRIZE.legal_moves(self.state, seat))))

    @precondition(playing)
    @rule(first=st.integers(0, 6))
    def play_on_to_the_next_hand(self, first):
        """Lets matches get as far as hands with many prizes."""
        number = self.state.number
        while self.playing() and self.state.number == number:
            (seat,) = PRIZE.awaiting(self.state)
            moves = PRIZE.legal_moves(self.state, seat)
            self.play(seat, moves[first % len(moves)])
            self.nothing_is_made_or_lost()

    def play(self, seat, move):
        self.step += 1
        self.state = PRIZE.play(self.state, {seat: move}, Chance(self.seed, self.step))
        match move.kind:
            case "prize":
                self.rows[seat].remove(move.tile)
            case "take":
                self.rows[seat].append(move.tile)
                self.winners.append(seat)
            case _:
                pass  # nothing that these tests count has moved

    @precondition(playing)
    @rule(seat=st.sampled_from(SEATS), chance=st.integers(0, 99))
    def leave(self, seat, chance):
        if chance == 0:
            self.state = PRIZE.concede(self.state, seat, ANY)

    @precondition(lambda self: not self.playing())
    @rule(seat=st.sampled_from(SEATS))
    def nobody_moves_after_the_end(self, seat):
        assert PRIZE.legal_moves(self.state, seat) == ()

    @invariant()
    def nothing_is_made_or_lost(self):
        state = self.state
        tiles = [
            *state.hands[0],
            *state.hands[1],
            *state.stock,
            *state.prizes[0],
            *state.prizes[1],
            *([state.asked] if state.asked else []),
            *((max(tile), min(tile)) for tile in state.line),
        ]
        assert sorted(tiles) == list(DOMINOES)

    @invariant()
    def neighbors_in_the_line_touch_with_equal_numbers(self):
        assert all(left[1] == right[0] for left, right in pairwise(self.state.line))

    @invariant()
    def the_prize_rows_are_those_won_and_not_played(self):
        assert self.state.prizes == tuple(map(tuple, self.rows))

    @invariant()
    def one_prize_is_taken_a_hand(self):
        finished = len(self.winners)
        assert finished == self.state.number - (not self.is_done())

    @invariant()
    def a_hand_is_led_by_the_loser_of_the_one_before(self):
        led = self.winners[: self.state.number - 1]
        assert not led or self.state.leader != led[-1]

    @invariant()
    def a_running_hand_is_held_by_both(self):
        if self.playing() and self.state.last is None:
            assert all(self.state.hands)

    @invariant()
    def the_line_is_what_the_events_of_the_hand_placed(self):
        placed = [event.tile for event in self.state.events if event.tile is not None]
        assert sorted(placed) == sorted((max(tile), min(tile)) for tile in self.state.line)

    @invariant()
    def at_most_one_seat_owes_a_move_and_nobody_when_it_is_over(self):
        assert len(PRIZE.awaiting(self.state)) == (PRIZE.outcome(self.state) is None)

    @invariant()
    def each_seat_imagines_what_it_cannot_tell_from_the_truth(self):
        for seat in SEATS:
            view = PRIZE.observe(self.state, seat)
            guess = PRIZE.imagine(view, seat, Chance(self.seed, self.step))
            assert PRIZE.observe(guess, seat) == view

    @invariant()
    def scores_are_the_different_numbers_in_prizes(self):
        outcome = PRIZE.outcome(self.state)
        if outcome is not None:
            numbers = tuple(len({n for tile in row for n in tile}) for row in self.rows)
            assert outcome.scores == numbers

    def is_done(self):
        last = self.state.last
        return last is not None and last.number == self.state.number and last.taken is not None


TestTable = Table.TestCase
TestTable.settings = settings(max_examples=30, stateful_step_count=25)
