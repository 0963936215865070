"""The fast state that the computer of Divide & Conquer searches, compared with the engine."""

import pytest

from games.chance import Chance
from games.conquest import CONQUEST, Options
from games.conquest.computer.distance import UNREACHABLE, distance_of
from games.conquest.computer.evaluation import finishes, outlook, shares, standings
from games.conquest.computer.fast_state import FastState, fast_state_of, march_of, order_of
from games.conquest.computer.ground import GOALS, HEADQUARTERS, ground_in, ground_of
from games.conquest.computer.lookahead import evaluate_options
from games.conquest.computer.playout import POLICIES, RACER, Playouts, walls_of
from games.conquest.computer.race import marches_of, race
from games.conquest.computer.routes import Route
from games.conquest.computer.situation import place
from games.conquest.layout import POSITIONS
from games.core import Seat
from tests.support.conquest_states import BLUE, GREEN, RED, YELLOW, concede, play, position

FOUR = ground_of(4, "annihilate", "either", 100)
TEAM = ground_of(2, "annihilate", "either", 100)
SQUARES = tuple(POSITIONS.values())


def told(state):
    """The events of the present turn and of the previous one, each with its turn and place."""
    reports = [report for report in (state.last, state.current) if report is not None]
    return [
        (report.turn, place, event)
        for report in reports
        for place, event in enumerate((*report.movements, *report.reserves))
    ]


def happen(ground, fast, event):
    """Apply to the fast state what the engine reports; returns whether that won the match."""
    if not hasattr(event, "order"):
        place(fast, event.battalion, event.placement)
        return False
    if event.order is None:
        return False
    chosen = event.conflict is not None and event.conflict.choice == "fight"
    march = march_of(event.order)
    moved = fast.march(ground, event.battalion, march, fight=chosen)
    assert moved == bool(event.moved)
    return moved and fast.completes(ground, event.battalion, march[2])


def crowded(state, chance):
    """A move of every awaited seat, often one that ends on an occupied square."""
    moves = {}
    for seat in sorted(CONQUEST.awaiting(state)):
        listed = CONQUEST.legal_moves(state, seat)
        occupied = {s.square for stacks in state.board for s in stacks}
        clashes = [move for move in listed if str(move)[-2:] in occupied]
        moves[seat] = chance.pick(clashes if clashes and chance.below(2) else listed)
    return moves


@pytest.mark.parametrize("seats", CONQUEST.seats)
@pytest.mark.parametrize("equal", ["annihilate", "choice", "bounce"])
def test_orders_in_the_fast_state_do_what_they_do_in_the_engine(equal, seats):
    options = Options(equal=equal, redeployment=True, goal="both", turn_limit=40)
    state = CONQUEST.setup(options, seats, Chance("0" * 64, 0))
    ground, fast = ground_of(seats, equal, "both", 40), fast_state_of(state.board, state.banks)
    chance, seen, won = Chance("clashes", 0), set(), False

    while CONQUEST.awaiting(state):
        state = CONQUEST.play(state, crowded(state, chance), chance)
        news = [(turn, i, event) for turn, i, event in told(state) if (turn, i) not in seen]
        for turn, i, event in news:
            seen.add((turn, i))
            won |= happen(ground, fast, event)
        assert fast.stacks == fast_state_of(state.board, state.banks).stacks
        assert fast.banks == list(state.banks)
        assert not won


@pytest.mark.parametrize(
    ("goal", "blue", "winner"),
    [("either", "F6:10", 0), ("both", "F6:10", None), ("both", "J2:1 D1:1 A4:1 B10:7", 0)],
)
def test_a_turn_of_the_fast_state_ends_with_a_win(goal, blue, winner):
    state = position(2, {RED: "A9:1 G10:1 J7:1 I2:7", BLUE: blue}, goal=goal)
    ground, fast = ground_of(2, "annihilate", goal, 100), fast_state_of(state.board, state.banks)
    orders = [march_of(CONQUEST.parse("I2-1-I1 / pass").orders[0]), None, None, None]

    assert fast.play(ground, orders, RED) == winner


def test_a_march_is_converted_to_an_order_and_back():
    order = CONQUEST.parse("E5-9-D4").orders[0]

    assert order_of(march_of(order)) == order
    assert order_of(None) is march_of(None) is None  # type: ignore[comparison-overlap]  # both None


def test_a_fast_state_leaves_out_battalions_that_left():
    view = CONQUEST.observe(concede(position(4), 1), None)

    assert ground_in(view) is ground_of(4, "annihilate", "either", 100, frozenset((1,)))
    assert ground_in(view).active == (RED, BLUE, YELLOW)
    assert ground_in(view).following(RED) == BLUE


def stacks(text):
    squares = [item.split(":") for item in text.split()]
    return {POSITIONS[square]: int(troops) for square, troops in squares}


@pytest.mark.parametrize(
    ("troops", "bank", "orders"),
    [
        ("E5:10", 0, 15),  # 18 separately
        ("A9:1 G10:1 J7:1 I1:7", 0, 0),
        ("A9:1 G10:1 J7:1 I2:7", 0, 1),
        ("A9:1 G10:1 I1:1 I8:2", 0, 1),
        ("A9:1 G10:1 H6:2", 0, 7),  # 2 to J7, 5 to I1: they part at once
        ("A9:1 G10:1 J7:1", 7, 4),  # from headquarters, where a casualty returns
        ("A9:1 G10:1 J7:1", 0, UNREACHABLE),
        ("A9:1 G10:1 J7:2 E5:1", 0, 4),
        ("A9:1 G10:1 J7:1 I2:1 H2:1", 0, 1),
    ],
)
def test_the_orders_that_a_battalion_still_needs(troops, bank, orders):
    assert distance_of(FOUR, RED)(stacks(troops), bank) == orders


@pytest.mark.parametrize(
    ("troops", "left", "shortfall"),
    [
        ("E5:10", 15, (0, 15, 15)),
        ("E5:10", 14, (1, 11, 15)),
        ("E5:10", 4, (3, 4, 15)),
        ("E5:10", 3, (4, 0, 15)),
        ("A9:1 G10:1 H6:2", 6, (1, 2, 7)),  # to J7
        ("A9:1 G10:1 J7:1", 50, (0, UNREACHABLE, UNREACHABLE)),
    ],
)
def test_the_objectives_that_too_few_orders_cannot_reach(troops, left, shortfall):
    assert distance_of(FOUR, RED).shortfall(stacks(troops), 0, left) == shortfall


@pytest.mark.parametrize("left", range(16))
def test_a_route_with_too_few_orders_reaches_as_many_objectives_as_it_can(left):
    own = stacks("E5:10")
    fast = FastState([own, {}, {}, {}], [0] * 4)
    distance = distance_of(FOUR, RED)
    missed, orders, _ = distance.shortfall(own, 0, left)
    route = Route(distance, (RED, None), own, 0, left)

    for _ in range(orders):
        held = {square: (RED, troops) for square, troops in own.items()}
        assert fast.march(FOUR, RED, route.next(held, lambda: 0.0, even=True))
    assert len(own.keys() & GOALS[RED]) == 4 - missed


def test_routes_go_around_walls_and_squares_marked_for_others():
    walls = frozenset(POSITIONS[square] for square in ("H1", "H2", "I2", "J1"))  # J2 is blue's
    near = stacks("A9:1 G10:1 J7:1 G2:1")

    assert distance_of(FOUR, RED)(near, 0) == 2
    assert distance_of(FOUR, RED, walls)(near, 0) == UNREACHABLE
    assert distance_of(FOUR, RED, walls).groups(near, 0) == ()


@pytest.mark.parametrize("even", [True, False])
@pytest.mark.parametrize("battalion", range(4))
@pytest.mark.parametrize("seed", range(3))
def test_an_undisturbed_route_takes_exactly_the_orders_needed(battalion, seed, even):
    chance = Chance(f"route {seed}", battalion)
    roads = FOUR.roads[battalion]
    start = [square for square in SQUARES if any(square in targets for targets in roads)]
    own = {square: 4 + chance.below(3) for square in chance.shuffled(start)[: 1 + chance.below(3)]}
    fast = FastState([own if b == battalion else {} for b in range(4)], [0] * 4)
    distance = distance_of(FOUR, battalion)
    route = Route(distance, (battalion, None), own, 0, UNREACHABLE)

    for left in range(distance(own, 0), 0, -1):
        assert distance(own, 0) == left
        held = {square: (battalion, troops) for square, troops in own.items()}
        assert fast.march(FOUR, battalion, route.next(held, chance.fraction, even=even))
    assert fast.is_complete(battalion)


def test_a_route_stops_before_a_stronger_enemy_or_a_partner():
    own = stacks("A9:1 G10:1 J7:1 H1:2")
    route = Route(distance_of(TEAM, RED), (RED, BLUE), own, 0, UNREACHABLE)
    held = {square: (RED, troops) for square, troops in own.items()}
    target = POSITIONS["I1"]

    assert route.next({**held, target: (GREEN, 2)}, lambda: 0.0, even=True) is None
    assert route.next({**held, target: (BLUE, 1)}, lambda: 0.0, even=True) is None
    assert route.next({**held, target: (GREEN, 1)}, lambda: 0.0, even=True) is not None


def test_large_stacks_of_a_seat_that_left_are_walls():
    state = concede(position(4, {GREEN: "D7:4 C7:3"}), 1)
    view = CONQUEST.observe(state, None)
    walls = walls_of(ground_in(view), fast_state_of(view.board, view.banks))

    assert walls == {POSITIONS["D7"]}


@pytest.mark.parametrize("first", [RED, GREEN])
def test_the_seat_that_would_finish_first_is_ahead(first):
    fast = FastState([{home: 10} for home in HEADQUARTERS], [0] * 4)
    distances = Playouts(FOUR, frozenset()).distances
    finish = finishes(FOUR, fast, distances, first)

    assert min(finish) == finish[(first + 14) % 4] == 15
    assert max(shares(FOUR, finish)) == shares(FOUR, finish)[(first + 14) % 4]


def test_a_goal_of_both_battalions_waits_for_the_slower_one():
    fast = fast_state_of(position(2, {RED: "A9:1 G10:1 J7:1 I2:7"}).board, (0,) * 4)
    distances = Playouts(TEAM, frozenset()).distances
    both = ground_of(2, "annihilate", "both", 100)

    assert finishes(TEAM, fast, distances, RED)[0] < 2
    assert finishes(both, fast, distances, RED)[0] >= 15


@pytest.mark.parametrize(
    ("equal", "enemy", "is_threat"),
    [
        ("annihilate", "C8:3", True),
        ("annihilate", "C8:2", True),
        ("bounce", "C8:2", False),
        ("annihilate", "C8:1", False),
        ("annihilate", "B7:9", False),
    ],
)
def test_a_stack_beside_a_stronger_enemy_is_in_danger(equal, enemy, is_threat):
    ground = ground_of(4, equal, "either", 100)
    distances = Playouts(ground, frozenset()).distances
    fast = fast_state_of(position(4, {RED: "D9:2 E5:8", GREEN: enemy}).board, (0,) * 4)
    threatened = outlook(ground, fast, distances, RED)[RED]
    calm = shares(ground, finishes(ground, fast, distances, RED))[RED]

    assert (threatened < calm) == is_threat


def test_after_the_last_turn_objectives_count_and_then_troops():
    state = position(4, {RED: "A9:1 E5:5", GREEN: "I10:1 E6:5", BLUE: "F6:9"})

    assert standings(FOUR, fast_state_of(state.board, state.banks)) == [0.5, 0.5, 0, 0]


@pytest.mark.parametrize("policy", [RACER, *POLICIES])
def test_a_playout_says_how_likely_each_seat_is_to_win(policy):
    playouts = Playouts(FOUR, frozenset())
    fast = fast_state_of(position(4, {RED: "A9:1 G10:1 J7:1 I2:7"}).board, (0,) * 4)
    found = playouts.run(fast, 5, RED, (policy,) * 4, Chance("playout", 1).fraction)

    assert sum(found) == pytest.approx(1)
    assert max(found) == found[RED] > 0.5


def test_a_playout_ends_at_the_turn_limit_or_at_the_horizon():
    short = Playouts(ground_of(4, "annihilate", "either", 3), frozenset())
    held = position(4, {RED: "A9:1 E5:9"}).board
    roll = Chance("playout", 1).fraction

    ended = short.run(fast_state_of(held, (0,) * 4), 3, RED, (RACER,) * 4, roll)
    assert ended == pytest.approx([0.985, 0.005, 0.005, 0.005])  # one turn away from 1, 0, 0, 0
    stuck = FastState([{POSITIONS["A9"]: 1}, {}, {}, {}], [0] * 4)
    found = Playouts(FOUR, frozenset()).run(stuck, 1, RED, (RACER,) * 4, roll)
    assert max(found) < 0.35


def test_in_playouts_the_bank_fills_headquarters_unless_the_partner_is_there():
    playouts = Playouts(TEAM, frozenset())
    free = FastState([{}, {}, {}, {}], [1, 0, 0, 0])
    barred = FastState([{}, {}, {HEADQUARTERS[RED]: 1}, {}], [1, 0, 0, 0])
    playouts.reinforce(free, (RED,))
    playouts.reinforce(barred, (RED,))

    assert (free.stacks[RED], free.banks[RED]) == ({HEADQUARTERS[RED]: 1}, 0)
    assert (barred.stacks[RED], barred.banks[RED]) == ({}, 1)


def raced(state, seat, seed="race"):
    return race(CONQUEST.observe(state, Seat(seat)), Seat(seat), Chance(seed, 1))


@pytest.mark.parametrize("seats", CONQUEST.seats)
def test_the_race_player_needs_one_order_less_each_turn(seats):
    ground, state = ground_of(seats, "annihilate", "either", 100), position(seats)
    state = CONQUEST.play(
        state, {seat: raced(state, seat) for seat in CONQUEST.awaiting(state)}, Chance("0", 1)
    )
    fast = fast_state_of(state.board, state.banks)

    assert [distance_of(ground, b)(fast.stacks[b], 0) for b in ground.active] == [14] * len(
        ground.active
    )


@pytest.mark.parametrize("seats", CONQUEST.seats)
def test_the_race_player_takes_the_objectives_it_has_enough_turns_for(seats):
    state = position(seats, turn_limit=4)
    while awaited := CONQUEST.awaiting(state):
        state = CONQUEST.play(state, {seat: raced(state, seat) for seat in awaited}, Chance("0", 1))

    assert CONQUEST.outcome(state).scores == ((2, 2) if seats == 2 else (1,) * seats)


def test_the_race_player_waits_only_behind_a_stronger_enemy():
    state = position(4, {RED: "A9:1 G10:1 J7:1 H1:2", YELLOW: "I2:2"}, first=RED)
    blocked = position(4, {RED: "A9:1 G10:1 J7:1 G1:2"}, first=RED)

    assert str(raced(state, 0)) == "H1-2-I1"
    assert raced(blocked, 0) is not None


def test_the_race_player_reinforces_where_it_helps_and_never_fights_by_choice():
    state = play(position(4, {RED: "A9:1 G10:1 J7:1"}), *["pass"] * 4)
    asked = play(
        position(4, {RED: "D6:2", GREEN: "D7:2"}, equal="choice"), "D6-2-D7", *["pass"] * 3
    )

    assert str(raced(state, 0)) == "+E5"
    assert str(raced(asked, 0)) == "hold"


def test_the_race_player_cannot_reinforce_where_its_partner_stands():
    state = play(position(2, {RED: "", BLUE: "E5:4"}), "pass / pass", "pass / pass")

    assert str(raced(state, 0)).startswith("none / +")


def test_every_order_is_listed_as_a_march():
    state = position(2, {RED: "D4:2 E5:3", BLUE: "C4:1 F6:2"})
    fast = fast_state_of(state.board, state.banks)
    found = {str(order_of(march)) for march in marches_of(TEAM, fast, RED)}
    listed = {str(plan).split(" / ")[0] for plan in CONQUEST.legal_moves(state, Seat(0))}

    assert found == listed - {"pass"}


def counted(shape, payoff, budget, **kept):
    """An opinion, and how often the payoff function was called."""
    asked = []

    def trial(cell, number):
        asked.append((cell, number))
        return payoff(cell)

    return evaluate_options(shape, trial, budget, **kept), len(asked)


def test_two_seats_mix_as_in_an_equilibrium():
    opinion, _ = counted((2, 2), lambda cell: (float(cell[0] == cell[1]), 0.0), 60)

    assert opinion.mix == pytest.approx((0.5, 0.5))
    assert opinion.worths == pytest.approx((0.5, 0.5))


def test_if_the_best_answer_wins_anyway_the_option_that_allows_most_errors_is_chosen():
    """Without occasional slips, all options would be equal, and narrowing could keep any."""
    payoffs = ((0.0, 0.2, 0.1), (0.0, 0.3, 0.9), (0.0, 0.0, 0.2), (0.0, 0.1, 0.1), (0.0, 0.2, 0.0))
    opinion, _ = counted((5, 3), lambda cell: (payoffs[cell[0]][cell[1]], 0.0), 150)

    assert opinion.options[opinion.mix.argmax()] == 1
    assert opinion.mix.max() == pytest.approx(1.0)


def test_against_several_opponents_the_best_answer_is_chosen():
    opinion, _ = counted((4, 2, 2), lambda cell: (cell[0] / 4, *cell[1:]), 120)

    assert opinion.options[opinion.mix.argmax()] == 3


def test_an_option_to_keep_is_tried_until_the_end():
    opinion, _ = counted((9,), lambda cell: (cell[0] / 9,), 60, kept=frozenset((0,)))

    assert {0, 8} <= set(opinion.options)
    assert opinion.worths[opinion.options.index(0)] == 0


@pytest.mark.parametrize("shape", [(12,), (12, 3), (12, 1, 1), (12, 2, 2), (12, 2, 2, 2)])
def test_playouts_grow_in_proportion_to_the_budget(shape):
    small = counted(shape, lambda cell: (0.5,) * len(shape), 150)[1]
    large = counted(shape, lambda cell: (0.5,) * len(shape), 600)[1]

    assert 100 <= small <= 150
    assert 450 <= large <= 600
