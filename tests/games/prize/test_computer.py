from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from games.chance import Chance
from games.prize import DOMINOES, PRIZE, Draw, Options, Take
from games.prize.computer.fast_state import BARE, DRAW, FastState, bits, code_of, tiles_of
from games.prize.computer.hand_inference import sampled_states
from games.prize.computer.player import BEGINNER, EASY, STEADY, STRONG, PrizeComputer
from games.prize.computer.playout import finished
from games.prize.computer.race import playout_sample, worth
from games.prize.computer.search import Search
from tests.support.prize_states import A, B, play, row, table, tiles, won

COMPUTER = PrizeComputer()
ANY = Chance("any", 1)
HASTY = replace(STRONG, budget=6)
ENDLESS = replace(STRONG, budget=10**12)


class Brisk(PrizeComputer):
    """A coach that thinks less than the real one, so that the tests are quick."""

    levels = (replace(STRONG, budget=200),)


PASSING = Options(pass_only_when_stock_is_empty=True, hand_limit=3)


def start(seed="a deal", options=None):
    return PRIZE.setup(options or Options(hand_limit=3), 2, Chance(seed, 0))


def chosen(state, level, seed="thinking"):
    (seat,) = PRIZE.awaiting(state)
    view = PRIZE.observe(state, seat)
    return str(COMPUTER.choose(view, seat, level, Chance(seed, 1)))


def assessed(state, text):
    (seat,) = PRIZE.awaiting(state)
    view = PRIZE.observe(state, seat)
    return Brisk().assess(view, seat, PRIZE.parse(text), Chance("thinking", 1))


def played(level, options, seed):
    """The final state of a match of two computers."""
    state, step = start(seed, options), 0
    while awaited := PRIZE.awaiting(state):
        (seat,) = awaited
        step += 1
        chance = Chance(seed, step)
        move = COMPUTER.choose(PRIZE.observe(state, seat), seat, level, chance)
        state = PRIZE.play(state, {seat: move}, chance)
    return state


@pytest.mark.parametrize("options", [Options(hand_limit=3), PASSING], ids=["usual", "passing"])
@pytest.mark.parametrize(
    "level", [BEGINNER, EASY, replace(STEADY, budget=1), HASTY], ids=lambda x: x.key
)
def test_every_level_plays_matches_to_their_end(level, options):
    assert PRIZE.outcome(played(level, options, "a match")) is not None


def test_the_levels_begin_with_the_weakest():
    assert [level.key for level in COMPUTER.levels_for(Options(), 2)] == [
        "beginner",
        "easy",
        "steady",
        "strong",
    ]


def test_the_same_seed_gives_the_same_choice():
    state = start()

    assert chosen(state, HASTY) == chosen(state, HASTY)


def test_hidden_tiles_cannot_change_a_choice():
    state = start()
    hidden = (*state.hands[1 - state.turn], *state.stock)[::-1]
    hands = [hidden[:7], hidden[:7]]
    hands[state.turn] = state.hands[state.turn]
    other = replace(state, hands=tuple(hands), stock=hidden[7:])

    assert chosen(state, HASTY) == chosen(other, HASTY)


def test_the_only_legal_move_is_made_at_once():
    state = table(line="6-4", a="6-3 5-5", b="2-2", stock=row(5))

    assert chosen(state, ENDLESS) == "6-3 left"


def test_the_prize_that_wins_the_match_is_taken_at_once():
    state = won(b="6-6 5-4 6-0", prizes=("6-5 4-3 2-1", ""))

    assert chosen(state, ENDLESS) == "take 6-0"


def test_the_number_that_is_harder_to_get_is_taken_first():
    state = won(b="5-0 6-5", prizes=("5-4 3-2 1-1", ""))

    assert chosen(state, HASTY) == "take 6-5"


def test_a_hand_is_not_opened_with_a_tile_that_lets_the_opponent_go_out():
    """After 6-5, the opponent, who holds only the 5-2, would go out."""
    fast = FastState([tiles_of(tiles("6-5 1-0")), tiles_of(tiles("5-2"))], ())
    fast.joint = 7 * 6 + 1
    search = Search(0, worth(50), 1)
    for _ in range(20):
        search.grow(fast.copy())

    assert search.favorite() == code_of(PRIZE.parse("1-0 right"))


def test_a_tile_that_the_opponent_draws_and_keeps_is_not_a_branch_of_the_tree():
    fast = FastState([tiles_of(tiles("6-6")), tiles_of(tiles("5-5"))], [0, 1, 4])
    fast.joint, fast.turn = 7 * 4 + 4, 1
    search = Search(0, worth(50), 1)
    search.grow(fast)
    kept = search.root.branches[DRAW]

    assert list(kept.branches) == [DRAW]
    assert list(kept.branches[DRAW].branches) == [1]


@pytest.mark.parametrize("options", [Options(), PASSING], ids=["usual", "passing"])
@pytest.mark.parametrize("seed", range(4))
def test_a_fast_state_follows_the_rules_of_a_hand(options, seed):
    state, chance = start(f"deal {seed}", replace(options, hand_limit=9)), Chance("moves", seed)
    fast, step = FastState.of(state), 0
    while awaited := PRIZE.awaiting(state):
        (seat,) = awaited
        legal = PRIZE.legal_moves(state, seat)
        move, step = chance.pick(legal), step + 1
        state = PRIZE.play(state, {seat: move}, Chance("the match", step))
        if isinstance(move, Take):
            assert fast.winner == seat
            fast = FastState.of(state)
            continue
        assert (fast.turn, sorted(map(code_of, legal))) == (seat, sorted(fast.moves()))
        fast.play(code_of(move))
        assert fast.hands == [tiles_of(hand) for hand in state.hands]
        assert fast.prizes == [tiles_of(prizes) for prizes in state.prizes]


def test_a_take_is_no_move_of_a_fast_state():
    with pytest.raises(ValueError, match="no prize to take"):
        code_of(Take((6, 4)))


@pytest.mark.parametrize(
    ("state", "result"),
    [
        (table(line="6-4", a="6-3", b="2-2"), (0, "2-2")),
        (table(line="6-4", a="5-5 3-3", b="2-2"), (1, "5-5 3-3")),
        (table(line="6-4", a="2-2", b="4-0 1-0", turn=B), (1, "2-2")),
        (table(line="6-4", a="3-1", b="2-2"), (0, "2-2")),  # equal: the seat that passed first
        (table(line="6-4", a="2-0", b="5-5", stock="4-1 1-1"), (0, "5-5")),
        (table(line="6-4", a="2-1", b="5-5", asked=(6, 4), stock=""), (0, "5-5")),
        (table(line="6-4", a="2-0", b="5-5", prizes=("6-0 0-0 5-4", "")), (0, "5-5")),
        (table(line="6-4", a="2-0", b="5-5", prizes=("6-0 5-4 4-0", "")), (0, "5-5")),
        (table(line="6-4", a="5-0", b="3-0", prizes=("6-0", "")), (1, "5-0")),
    ],
    ids=["out", "pips", "other", "tie", "draws", "asked", "spare", "lightest", "needed"],
)
def test_a_playout_ends_as_the_rules_say(state, result):
    winner, left, _ = finished(FastState.of(state), 1)

    assert (winner, left) == (result[0], tiles_of(tiles(result[1])))


def test_a_playout_plays_only_prizes_that_it_can_spare():
    fast = FastState.of(table(line="6-4", a="2-0", b="5-5", prizes=("6-0 6-5 5-0", "")))

    finished(fast, 1)

    assert bits(fast.prizes[0]) == bits(tiles_of(tiles("6-5 5-0")))


def test_a_playout_plays_no_prize_that_it_needs():
    fast = FastState.of(table(line="6-4", a="2-0", b="5-5", prizes=("6-5 4-3 2-1", "")))
    prizes = fast.prizes[0]

    finished(fast, 1)

    assert fast.prizes[0] == prizes


def test_a_playout_respects_the_option_on_passing():
    """Both draw in vain. If that isn't a pass, the hand goes on, and the second tile drawn fits."""
    state = table(line="6-4", a="2-0", b="5-5", stock="1-1 3-3 4-2")
    usual, passing = FastState.of(state), FastState.of(replace(state, options=PASSING))

    finished(usual, 1)
    finished(passing, 1)

    assert usual.hands == [tiles_of(tiles("2-0 1-1")), tiles_of(tiles("5-5 3-3"))]
    assert passing.hands == [tiles_of(tiles("1-1")), tiles_of(tiles("5-5 3-3"))]


def test_a_playout_can_start_anywhere_in_a_hand():
    fast = FastState.of(start())
    fast.play(fast.moves()[0])

    assert finished(fast.copy(), 5) == finished(fast, 5)
    assert fast.joint != BARE


def test_all_seven_numbers_win_the_race_and_fewer_missing_ones_lead_it():
    table = worth(50)

    assert table[0][127] == 1
    assert table[1][127] > table[3][127] > table[127][127] > table[127][3] > table[127][1]


def test_missing_sixes_are_worse_than_missing_blanks():
    """Heavy tiles are played first, so losers are left with light ones."""
    assert worth(50)[1 << 0][7] > worth(50)[1 << 6][7]


def test_after_the_last_hand_more_numbers_win():
    assert (worth(0)[7][15], worth(0)[15][7], worth(0)[7][56]) == (1, -1, 0)


def test_all_limits_beyond_the_horizon_share_one_table():
    assert worth(10**6) is worth(1000)
    assert worth(1000) is not worth(50)


def test_a_leader_wins_somewhat_more_hands_than_it_loses():
    assert 0.5 < playout_sample().led < 0.65


LAST = {"number": 3, "options": Options(hand_limit=3)}
"""The last hand of a match."""


@pytest.mark.parametrize(
    ("prizes", "costs"),
    [
        (("5-5", "3-2 3-3 2-2"), {"6-4": 0, "5-4": 2}),  # as many numbers, fewer prizes
        (("5-5", "3-2 3-3"), {"6-4": 0, "5-4": 1}),  # as many of both: a draw
        (("5-5", "3-2"), {"6-4": 0, "5-4": 0}),  # as many numbers, more prizes
        (("", "6-5 5-5"), {"4-3": 0, "6-6": 0}),  # behind either way
    ],
    ids=["a win", "half", "won anyway", "lost anyway"],
)
def test_the_last_prize_costs_what_it_changes_in_the_outcome(prizes, costs):
    state = won(b=" ".join(costs), prizes=prizes, **LAST)
    ranks = [PRIZE.outcome(play(state, f"take {tile}")).ranks for tile in costs]
    better, other = (theirs - mine for mine, theirs in ranks)

    assert [assessed(state, f"take {tile}").cost for tile in costs] == list(costs.values())
    assert better - other == sum(costs.values())


def test_the_last_hand_is_won_for_more_prizes_if_no_number_can_be_gained():
    """If A passes, B goes out and has as many prizes; the 5-4 keeps B from playing its 4-3."""
    mine, theirs, prizes = "2-0", "4-3", ("5-4 5-3 4-2", "1-0 3-2")
    elsewhere = tiles(" ".join((mine, theirs, *prizes, "6-0 4-0")))
    laid = row(19, of=[tile for tile in DOMINOES if tile not in elsewhere])
    state = table(line=f"6-0 {laid} 0-4", a=mine, b=theirs, prizes=prizes, **LAST)
    won_by_prizes = play(state, "prize 5-4 right", "pass", "pass", "take 4-3")
    drawn = play(state, "pass", "4-3 right", "take 2-0")

    assert PRIZE.outcome(won_by_prizes).ranks == (1, 2)
    assert PRIZE.outcome(drawn).ranks == (1, 1)
    assert chosen(state, replace(STRONG, budget=60)) == "prize 5-4 right"


def test_a_forced_move_gives_nothing_up():
    assessment = assessed(table(line="6-4", a="6-3 5-5", b="2-2", stock=row(5)), "6-3 left")

    assert (assessment.better, assessment.cost) == (None, 0)


def test_the_coach_objects_to_giving_away_a_needed_prize():
    state = table(line="6-4", a="2-1 2-2", b="3-0", prizes=("6-5 4-3 2-1", ""), stock=row(5))
    assessment = assessed(state, "prize 6-5 left")

    assert assessment.better == Draw()
    assert assessment.cost > 0.1


def test_the_coach_has_no_opinion_if_playouts_leave_it_in_doubt():
    """As many fours as sixes are still unseen."""
    state = table(line="6-4", a="6-4 5-5 3-3", b="2-2 1-1 3-0", stock=row(5))
    assessments = [assessed(state, "6-4 left"), assessed(state, "6-4 right")]

    assert None in assessments


def test_the_beginner_takes_the_biggest_prize_whatever_it_needs():
    state = won(b="6-6 5-4 3-2", prizes=("6-5", ""))

    assert chosen(state, BEGINNER) == "take 6-6"


def test_the_beginner_draws_only_if_it_must():
    assert chosen(table(line="6-4", a="3-3", b="2-2", stock="5-5"), BEGINNER) == "draw"
    assert chosen(table(line="6-4", a="3-3 4-1", b="2-2", stock="5-5"), BEGINNER) == "4-1 right"


def test_the_greedy_player_opens_with_its_heaviest_tile():
    assert chosen(table(a="5-4 6-2 6-4 1-0", b="2-2"), EASY) == "6-4"


def test_the_greedy_player_plays_its_heaviest_tile_at_the_end_it_can_follow():
    state = table(line="6-4", a="6-4 4-1 4-0", b="2-2", stock="5-5")

    assert chosen(state, EASY) == "6-4 left"


@pytest.mark.parametrize(
    ("prizes", "move"),
    [("6-0 6-5 5-0", "prize 6-0 left"), ("6-0", "draw")],
    ids=["spare", "needed"],
)
def test_the_greedy_player_plays_a_prize_only_if_it_can_spare_it(prizes, move):
    state = table(line="6-4", a="3-3", b="2-2", stock="5-5", prizes=(prizes, ""))

    assert chosen(state, EASY) == move
    assert "saves the prizes it needs" in EASY.says


def test_the_greedy_player_asked_where_a_tile_goes_looks_at_its_hand():
    state = table(line="6-4", a="6-3 6-2", b="2-2", asked=(6, 4))

    assert chosen(state, EASY) == "right"


def test_the_greedy_player_takes_most_new_numbers_and_then_pips():
    state = won(b="6-6 5-4 3-2", prizes=("6-5", ""))

    assert chosen(state, EASY) == "take 3-2"


def test_a_hand_that_would_have_kept_back_heavier_tiles_is_less_likely():
    """Seat B opened with 1-0, and may still hold the 6-6, the 5-5, or neither."""
    locked = [tile for tile in DOMINOES if tile not in tiles("6-5 1-0 0-0 6-6 5-5")]
    state = table(
        a="6-5", b="1-0 0-0", stock="6-6 5-5", prizes=(row(23, of=locked), ""), turn=B, leader=B
    )
    view = PRIZE.observe(play(state, "1-0"), A)
    held = Counter(world.hands[B] for world in islice(sampled_states(view, A, ANY), 6000))
    light, heavy = (held[tiles_of(tiles(text))] for text in ("0-0", "6-6"))

    assert held.keys() == {tiles_of(tiles(text)) for text in ("0-0", "6-6", "5-5")}
    assert heavy / light == pytest.approx(0.4, rel=0.15)


def test_a_tile_that_was_drawn_and_kept_later_was_not_kept_back():
    """B played the 1-0 before it drew: of a light and a heavy tile, the heavy one came later."""
    locked = [tile for tile in DOMINOES if tile not in tiles("5-0 2-2 3-3 1-0 0-0 6-6 4-4")]
    prizes = (row(21, of=locked), "")
    state = table(a="5-0 2-2 3-3", b="1-0 0-0", stock="6-6 4-4", prizes=prizes, turn=B, leader=B)
    view = PRIZE.observe(play(state, "1-0", "5-0 right", "draw"), A)
    held = Counter(world.hands[B] for world in islice(sampled_states(view, A, ANY), 6000))
    mixed, heavy = (held[tiles_of(tiles(text))] for text in ("0-0 6-6", "6-6 4-4"))

    assert heavy / mixed == pytest.approx((0.4 + 0.4) / (1 + 0.4), rel=0.1)


def test_a_search_is_decided_when_no_move_can_catch_up():
    fast = FastState([tiles_of(tiles("6-5 1-0")), tiles_of(tiles("5-2"))], ())
    fast.joint = 7 * 6 + 1
    search = Search(0, worth(50), 1)
    assert not search.is_decided(0)
    for _ in range(60):
        search.grow(fast.copy())
    most, fewest = sorted((branch.visits for branch in search.root.branches.values()), reverse=True)

    assert not search.is_decided(most - fewest)
    assert search.is_decided(most - fewest - 1)
