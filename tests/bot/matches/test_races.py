"""Everybody acts at once: each step is resolved exactly once, and acknowledged choices count."""

import asyncio
from random import Random

import pytest

from bot import codec
from bot.errors import MatchError, TooLateError
from bot.matches import Matches
from games import IllegalMoveError
from games.chance import Chance
from games.pico import PICO, Card
from tests.support.match_records import record_of
from tests.support.matches import (
    ANN,
    BEA,
    CYD,
    NOW,
    PLAYERS,
    RETURNS,
    SEED,
    A,
    B,
    C,
    begun,
    dealt,
    opened,
    played,
)
from tests.support.memory_store import Memory
from tests.support.random_play import chosen, seed_of

pytestmark = pytest.mark.slow

INTERLEAVINGS = 100
TABLES = [2, 3]


class Scene:
    """A newly dealt match of Pico in memory, whose events happen in a seeded random order."""

    def __init__(self, number, seats, *, isolated=True):
        self.random = Random(number)
        self.memory = Memory(number, isolated=isolated)
        self.matches = Matches(self.memory, seed=lambda: SEED, now=lambda: NOW, returns=RETURNS)
        self.first = dealt(seats)
        self.seats = seats

    async def __aenter__(self):
        self.match = await begun(self.matches, *PLAYERS[1 : self.seats])
        return self

    async def __aexit__(self, *_):
        return None

    def card(self, seat, i=0):
        return Card(self.first.hands[seat][i])

    def pick(self, seat, i=0, *, step=0):
        """Choose the card at index `i` of the seat's dealt hand."""
        card = self.card(seat, i)
        return self.matches.submit(self.match, step, PLAYERS[seat], str(card))

    def leave(self, seat):
        return self.matches.concede(self.match, PLAYERS[seat])

    async def at_once(self, *acts):
        """Run the acts concurrently, started at random; returns results in the given order."""
        order = self.random.sample(range(len(acts)), len(acts))
        results = await asyncio.gather(*(acts[i] for i in order), return_exceptions=True)
        return [results[order.index(i)] for i in range(len(acts))]

    @property
    def record(self):
        return self.memory.rows.matches[self.match]

    @property
    def state(self):
        return codec.decode(PICO.state, self.record.state)

    @property
    def resolved(self):
        return [step for match, step in self.memory.advanced if match == self.match]


def kinds(results):
    """Return for each act the type of its error, or whether it resolved the step."""
    return [type(r) if isinstance(r, Exception) else r.resolved for r in results]


each_order = pytest.mark.parametrize("seats", TABLES)


async def all_submit_at_once(number, seats, *, isolated=True):
    async with Scene(number, seats, isolated=isolated) as scene:
        results = await scene.at_once(*(scene.pick(seat) for seat in range(seats)))

    moves = {seat: scene.card(seat) for seat in range(seats)}
    assert sorted(kinds(results)) == [False] * (seats - 1) + [True]
    assert scene.resolved == [0]
    assert scene.state == played(scene.first, 0, moves)


@each_order
async def test_all_choose_at_once(seats):
    for number in range(INTERLEAVINGS):
        await all_submit_at_once(number, seats)


async def test_these_tests_fail_without_the_write_lock():
    """In a third of the orders both read before either writes, so neither resolves the step."""
    noticed = 0
    for number in range(INTERLEAVINGS):
        try:
            await all_submit_at_once(number, 2, isolated=False)
        except AssertionError:
            noticed += 1

    assert noticed > INTERLEAVINGS / 4


async def test_the_step_number_prevents_resolving_twice_even_without_the_write_lock():
    """Two clicks that both see all choices both resolve the step; only one is written."""
    for number in range(INTERLEAVINGS):
        async with Scene(number, 2, isolated=False) as scene:
            await scene.pick(A)
            results = kinds(await scene.at_once(scene.pick(B), scene.pick(B)))

        assert sorted(map(str, results)) == sorted(map(str, [True, TooLateError]))
        assert scene.resolved == [0]
        assert scene.state == played(scene.first, 0, {A: scene.card(A), B: scene.card(B)})


@each_order
async def test_doubled_clicks_resolve_the_step_once(seats):
    for number in range(INTERLEAVINGS):
        async with Scene(number, seats) as scene:
            clicks = [scene.pick(seat) for seat in range(seats) for _ in range(2)]
            results = kinds(await scene.at_once(*clicks))

        pairs = [results[2 * seat : 2 * seat + 2] for seat in range(seats)]
        assert results.count(True) == 1
        assert set(results) <= {True, False, TooLateError}
        assert all(pair.count(TooLateError) < 2 for pair in pairs)
        assert scene.resolved == [0]
        moves = {seat: scene.card(seat) for seat in range(seats)}
        assert scene.state == played(scene.first, 0, moves)
        assert scene.record.step == 1


@each_order
async def test_a_changed_choice_races_with_the_last_choice(seats):
    """The change counts if and only if it was acknowledged."""
    outcomes = set()
    for number in range(INTERLEAVINGS):
        async with Scene(number, seats) as scene:
            for seat in range(seats - 1):
                await scene.pick(seat)
            change, last = kinds(await scene.at_once(scene.pick(A, 1), scene.pick(seats - 1)))

        outcomes.add(change)
        assert last is True
        assert change in {False, TooLateError}
        moves = {seat: scene.card(seat) for seat in range(seats)}
        if change is False:
            moves[A] = scene.card(A, 1)
        assert scene.state == played(scene.first, 0, moves)
        assert scene.resolved == [0]
    assert outcomes == {False, TooLateError}


@each_order
async def test_late_clicks_of_an_old_step_are_refused_among_those_of_the_next(seats):
    """The card is still in the hand, so only the step number tells the clicks apart."""
    for number in range(INTERLEAVINGS):
        async with Scene(number, seats) as scene:
            await scene.at_once(*(scene.pick(seat) for seat in range(seats)))
            late = [scene.pick(seat, 1) for seat in range(seats)]
            fresh = [scene.pick(seat, 2, step=1) for seat in range(seats)]
            results = kinds(await scene.at_once(*late, *fresh))

        assert results[:seats] == [TooLateError] * seats
        assert sorted(results[seats:]) == [False] * (seats - 1) + [True]
        assert scene.resolved == [0, 1]
        one = played(scene.first, 0, {seat: scene.card(seat) for seat in range(seats)})
        two = played(one, 1, {seat: scene.card(seat, 2) for seat in range(seats)})
        assert scene.state == two


async def test_a_seat_leaves_while_the_last_one_chooses():
    """With three seats, the second act resolves the step without the seat that left."""
    for number in range(INTERLEAVINGS):
        async with Scene(number, 3) as scene:
            await scene.pick(A)
            results = await scene.at_once(scene.pick(B), scene.leave(C))

        assert [isinstance(result, Exception) for result in results] == [False, False]
        assert scene.resolved == [0]
        without = PICO.concede(scene.first, C, Chance(SEED, 0))
        assert scene.state == played(without, 0, {A: scene.card(A), B: scene.card(B)})
        assert [seat.left for seat in scene.record.seats] == [None, None, 1]


async def test_a_seat_that_has_chosen_leaves_while_the_last_one_chooses():
    """Either the step resolves with all three cards and then C leaves, or C leaves first."""
    orders = set()
    for number in range(INTERLEAVINGS):
        async with Scene(number, 3) as scene:
            await scene.pick(A)
            await scene.pick(C)
            last, left = await scene.at_once(scene.pick(B), scene.leave(C))

        first = left.public().step
        orders.add(first)
        cards = {A: scene.card(A), B: scene.card(B)}
        played_first = played(scene.first, 0, {**cards, C: scene.card(C)})
        left_first = PICO.concede(scene.first, C, Chance(SEED, 0))
        assert last.resolved
        assert scene.resolved == [0]
        assert scene.state == (
            played(left_first, 0, cards)
            if first == 0
            else PICO.concede(played_first, C, Chance(SEED, 1))
        )
    assert orders == {0, 1}


async def test_one_of_two_leaves_while_the_other_chooses():
    """The match ends once either way, and the choice counts only if it came first."""
    for number in range(INTERLEAVINGS):
        async with Scene(number, 2) as scene:
            await scene.pick(A)
            choice, left = await scene.at_once(scene.pick(B), scene.leave(A))

        assert left.public().status == "over"
        assert scene.record.status == "over"
        assert [line.rank for _, line in sorted(scene.memory.rows.results.items())] == [2, 1]
        assert kinds([choice]) in ([True], [TooLateError])
        assert scene.resolved == ([0] if kinds([choice]) == [True] else [])


async def test_all_leave_at_once():
    """The last player can no longer leave, and wins."""
    for number in range(INTERLEAVINGS):
        async with Scene(number, 3) as scene:
            results = await scene.at_once(*(scene.leave(seat) for seat in range(3)))

        assert sorted(map(str, kinds(results))) == sorted(map(str, [True, True, TooLateError]))
        winner = kinds(results).index(TooLateError)
        assert scene.memory.rows.results[scene.match, winner].won == 1
        assert sorted(seat.left or 3 for seat in scene.record.seats) == [1, 2, 3]


async def test_all_answers_to_a_challenge_at_once():
    """Of accepting, declining and withdrawing exactly one succeeds."""
    for number in range(INTERLEAVINGS):
        scene = Scene(number, 2)
        match = await opened(scene.matches)
        results = await scene.at_once(
            scene.matches.accept(match, BEA),
            scene.matches.accept(match, BEA),
            scene.matches.decline(match, BEA),
            scene.matches.withdraw(match, ANN),
        )

        assert kinds(results).count(True) == 1
        status = ("running", "running", "declined", "withdrawn")[kinds(results).index(True)]
        assert scene.memory.rows.matches[match].status == status


async def test_the_last_two_players_accept_at_once():
    """The second to accept deals, once."""
    for number in range(INTERLEAVINGS):
        scene = Scene(number, 3)
        match = await opened(scene.matches, BEA, CYD)
        results = await scene.at_once(
            scene.matches.accept(match, BEA), scene.matches.accept(match, CYD)
        )

        assert sorted(effect.public().status for effect in results) == ["open", "running"]
        record = scene.memory.rows.matches[match]
        assert codec.decode(PICO.state, record.state) == scene.first


@each_order
@pytest.mark.parametrize("number", range(10))
async def test_a_whole_match_with_doubled_changed_late_and_shuffled_clicks(seats, number):
    """It ends the same way as those moves played one by one."""
    expected, step, moves_of = dealt(seats), 0, []
    while PICO.awaiting(expected):
        moves_of.append(chosen(PICO, expected, seed_of(number), step))
        expected = played(expected, step, moves_of[-1])
        step += 1

    async with Scene(number, seats) as scene:
        for step, moves in enumerate(moves_of):
            clicks = [
                scene.matches.submit(scene.match, at, PLAYERS[seat], str(move))
                for at, cards in ((step, moves), (step, moves), (step - 1, moves))
                for seat, move in cards.items()
            ]
            results = await scene.at_once(*clicks)
            assert kinds(results).count(True) == 1
            assert all(
                isinstance(r, MatchError | IllegalMoveError) or r.public().step >= step
                for r in results
            )

    assert scene.resolved == list(range(len(moves_of)))
    assert scene.state == expected
    assert scene.record.status == "over"
    assert len(scene.memory.rows.results) == seats


@pytest.mark.parametrize("seats", TABLES)
async def test_on_a_real_database_all_choose_at_once_twice(matches, storage, seats):
    first = dealt(seats)
    for interaction in range(3):
        match = await begun(matches, *PLAYERS[1:seats], interaction=interaction)
        results = await asyncio.gather(
            *(
                matches.submit(match, 0, PLAYERS[seat], str(first.hands[seat][0]))
                for _ in range(2)
                for seat in range(seats)
            ),
            return_exceptions=True,
        )

        record = await record_of(storage, match)
        moves = {seat: Card(first.hands[seat][0]) for seat in range(seats)}
        assert kinds(results).count(True) == 1
        assert set(kinds(results)) <= {True, False, TooLateError}
        assert record.step == 1
        assert codec.decode(PICO.state, record.state) == played(first, 0, moves)


async def test_on_a_real_database_fifteen_matches_run_concurrently(matches, storage):
    first = dealt()
    numbers = [await begun(matches, interaction=i) for i in range(15)]

    effects = await asyncio.gather(
        *(
            matches.submit(match, 0, user, str(first.hands[seat][0]))
            for seat, user in ((A, ANN), (B, BEA))
            for match in numbers
        )
    )

    assert sorted(effect.resolved for effect in effects) == [False] * 15 + [True] * 15
    assert {(await record_of(storage, match)).step for match in numbers} == {1}


async def test_on_a_real_database_somebody_leaves_while_the_last_one_chooses(matches, storage):
    first = dealt(3)
    cards = {A: Card(first.hands[A][0]), B: Card(first.hands[B][0])}
    without = PICO.concede(first, C, Chance(SEED, 0))
    for interaction in range(4):
        match = await begun(matches, BEA, CYD, interaction=interaction)
        await matches.submit(match, 0, ANN, str(cards[A]))
        acts = [matches.submit(match, 0, BEA, str(cards[B])), matches.concede(match, CYD)]
        await asyncio.gather(*(acts if interaction % 2 else acts[::-1]))

        record = await record_of(storage, match)
        assert record.step == 1
        assert codec.decode(PICO.state, record.state) == played(without, 0, cards)
