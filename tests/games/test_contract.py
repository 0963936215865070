"""What every game promises, tested by random play of every variant with every number of seats.

A game takes part as soon as it is in GAMES; `tests/support/contract_plans.py` says what else is
tried with it. Tests that cost milliseconds a position use every position of a short match and 25 of
a long one (`Match.sample`); cheap ones check every step.
"""

import json
import re
from dataclasses import MISSING, FrozenInstanceError, fields, is_dataclass, replace
from enum import Enum
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from games import GAMES, Seat
from games.chance import Chance
from tests.support.contract_plans import PLANS
from tests.support.random_play import (
    CASES,
    PLAY_ON_STEPS,
    assert_outcome,
    each_first_match,
    each_game,
    each_match,
    match_of,
    seats_of,
    seed_of,
    sentence,
    steps,
    variants,
)
from tests.support.stored_states import damaged, restored, stored


@each_game
def test_a_game_is_found_by_its_key_and_has_a_plan(key):
    assert GAMES[key].key == key
    assert GAMES[key].title
    assert key in PLANS, f"Add {key} to tests/support/contract_plans.py."


@each_game
def test_the_preset_called_standard_has_the_default_options(key):
    assert GAMES[key].presets["standard"] == GAMES[key].options()


@each_game
def test_a_course_has_all_its_events_and_who_took_part_in_them(key):
    game, chance = GAMES[key], Chance(seed_of(key), 0)
    state = game.setup(game.options(), min(game.seats), chance)
    moves = {seat: str(game.fallback(state, seat, chance)) for seat in game.awaiting(state)}

    told = game.redact(game.observe(state, None), [moves, Seat(0)])

    assert (set(told[0]), *told[1:]) == (set(moves), Seat(0))


@each_game
def test_there_are_no_signals_unless_an_option_says_so(key):
    assert GAMES[key].has_signals(GAMES[key].options()) is False


@each_game
def test_every_number_of_seats_fits_a_preset_and_every_variant_fits_some_number(key):
    game = GAMES[key]
    fitting = {
        name: {seats for seats in range(9) if game.fits(options, seats)}
        for name, options in variants(key).items()
    }

    assert set().union(*fitting.values()) == set(game.seats)
    assert all(fitting.values())


def values_to_try() -> list[Any]:
    """Every value of every option whose type lists its values: choices and switches."""
    return [
        pytest.param(key, option.name, value, id=f"{key}-{option.name}-{value}")
        for key, game in GAMES.items()
        for option in fields(game.options)
        for value in listed_values(get_type_hints(game.options)[option.name])
    ]


def listed_values(hint: Any) -> tuple[Any, ...]:
    if hint is bool:
        return (False, True)
    if get_origin(hint) is Literal:
        return get_args(hint)
    return tuple(value for part in get_args(hint) for value in listed_values(part))


@pytest.mark.parametrize(("key", "option", "value"), values_to_try())
def test_every_listed_value_of_every_option_is_tried(key, option, value):
    assert any(getattr(options, option) == value for options in variants(key).values())


@pytest.mark.parametrize(
    ("key", "arguments"),
    [
        pytest.param(key, arguments, id=f"{key}-{arguments}")
        for key, plan in PLANS.items()
        for arguments in plan.refused
        if key in GAMES
    ],
)
def test_options_refuse_nonsense_with_a_sentence(key, arguments):
    with pytest.raises(ValueError, match=r"\.$") as refused:
        GAMES[key].options(**arguments)

    assert sentence(refused.value)


@each_game
@pytest.mark.parametrize("seats", range(-1, 9))
def test_setup_deals_if_the_options_fit_and_otherwise_refuses_with_a_sentence(key, seats):
    game = GAMES[key]
    for options in variants(key).values():
        if game.fits(options, seats):
            assert game.awaiting(game.setup(options, seats, Chance(seed_of(0), 0)))
        else:
            with pytest.raises(ValueError, match=r"\.$") as refused:
                game.setup(options, seats, Chance(seed_of(0), 0))
            assert sentence(refused.value)


@each_match
def test_a_match_ends_within_its_bound(match):
    assert not match.case.game.awaiting(match.states[-1])
    assert len(match.moves) <= match.case.plan.bound


@each_match
def test_there_is_an_outcome_exactly_when_nobody_is_awaited(match):
    game = match.case.game

    assert [game.outcome(state) is None for state in match.states] == [
        bool(game.awaiting(state)) for state in match.states
    ]


@each_match
def test_the_outcome_ranks_and_scores_every_seat(match):
    outcome = match.case.game.outcome(match.states[-1])

    assert_outcome(outcome, match.case.seats)


@each_first_match
def test_the_same_seed_gives_the_same_match_and_another_seed_another(match):
    again = match_of.__wrapped__(match.case, 0)
    other = match_of.__wrapped__(match.case, 1)

    assert again == match
    assert other.states != match.states


@each_first_match
def test_the_order_of_the_moves_passed_in_does_not_matter(match):
    game = match.case.game
    for step, moves in list(enumerate(match.moves))[:PLAY_ON_STEPS]:
        turned = dict(reversed(moves.items()))
        after = game.play(match.states[step], turned, Chance(match.seed, step + 1))
        assert after == match.states[step + 1]


@pytest.mark.slow
@each_first_match
def test_states_moves_views_and_outcomes_are_deeply_frozen(match):
    game, seen = match.case.game, {}
    for step, state in match.sample():
        assert isinstance(state, game.state)
        assert_frozen(state, seen)
        assert_frozen(game.outcome(state), seen)
        for seat in (None, *seats_of(match.case)):
            assert_frozen(game.observe(state, seat), seen)
        for move in match.moves[step].values() if step < len(match.moves) else ():
            assert_frozen(move, seen)


def assert_frozen(value: Any, seen: dict[int, Any]) -> None:
    """`seen` has what was already found frozen, by id: states share most of their parts."""
    if id(value) in seen:
        return
    if is_dataclass(value):
        for field in fields(value):
            with pytest.raises(FrozenInstanceError):
                setattr(value, field.name, None)
            assert_frozen(getattr(value, field.name), seen)
    elif isinstance(value, tuple):
        for item in value:
            assert_frozen(item, seen)
    elif isinstance(value, dict):
        for key, item in value.items():
            assert type(key) is int
            assert_frozen(item, seen)
    else:
        assert value is None or type(value) in {int, str, bool} or isinstance(value, Enum)
    seen[id(value)] = value


@each_first_match
def test_no_field_of_a_state_has_a_default(match):
    """A default would fill in what a damaged record has lost; only Options can have defaults."""
    for _, state in match.sample():
        assert_no_defaults(state, match.case.game.options)


def assert_no_defaults(value: Any, options: type) -> None:
    if is_dataclass(value) and not isinstance(value, options):
        for field in fields(value):
            fixed = field.name == "kind"  # tells the members of a union apart
            assert fixed or (field.default is MISSING and field.default_factory is MISSING)
            assert_no_defaults(getattr(value, field.name), options)
    for item in value if isinstance(value, tuple) else ():
        assert_no_defaults(item, options)


@each_first_match
def test_no_call_changes_a_state(match):
    game, case = match.case.game, match.case
    for step, state in match.sample():
        before = stored(game, state)
        for seat in seats_of(case):
            game.legal_moves(state, seat)
            game.observe(state, seat)
        game.outcome(state)
        if game.awaiting(state):
            game.play(state, match.moves[step], Chance(match.seed, step + 1))
            game.concede(state, min(game.awaiting(state)), Chance(match.seed, step + 1))
        assert stored(game, state) == before


@each_match
def test_a_state_survives_storage_and_is_played_on_from_there(match):
    game = match.case.game
    for step, state in match.sample():
        back = restored(game, stored(game, state))
        assert back == state
        assert type(back) is type(state)
        for moves in match.moves[step : step + 1]:
            after = game.play(back, moves, Chance(match.seed, step + 1))
            assert after == match.states[step + 1]


@pytest.mark.slow
@each_first_match
def test_a_damaged_record_raises(match):
    """Every field missing, an extra field everywhere, every value replaced by another type.

    Of list items that are damaged in the same way, one is tried.
    """
    game = match.case.game
    for _, state in match.spread(3):
        record = json.loads(stored(game, state))
        kinds = {re.sub(r"\d+", "", what): (what, damage) for what, damage in damaged(record)}
        for what, damage in kinds.values():
            with pytest.raises(ValueError, match=r"."):
                pytest.fail(f"{what}: read as {restored(game, json.dumps(damage))}")


@pytest.mark.slow
@each_match
def test_an_imagined_state_has_the_view_it_came_from_and_can_be_played_on(match):
    game, case = match.case.game, match.case
    for step, state in match.spread(5)[:-1]:
        for seat in seats_of(case):
            view = game.observe(state, seat)
            imagined = game.imagine(view, seat, Chance(match.seed, step + 1))
            again = game.imagine(view, seat, Chance(match.seed, step + 1))

            assert imagined == again
            assert game.observe(imagined, seat) == view
            assert game.awaiting(imagined) == game.awaiting(state)
            assert list(game.legal_moves(imagined, seat)) == list(game.legal_moves(state, seat))
            assert restored(game, stored(game, imagined)) == imagined
            later = list(steps(game, imagined, match.seed, after=step, bound=PLAY_ON_STEPS))
            assert later


@pytest.mark.parametrize("case", [case for case in CASES if case.seats > 2], ids=str)
def test_an_imagined_state_has_the_view_it_came_from_after_somebody_left(case):
    match, game = match_of(case, 0), case.game
    for step, state in match.spread(5)[:-1]:
        chance = Chance(match.seed, step + 1)
        for leaver in seats_of(case):
            after = game.concede(state, leaver, chance)
            for seat in game.awaiting(after):
                view = game.observe(after, seat)
                assert game.observe(game.imagine(view, seat, chance), seat) == view


@each_first_match
def test_a_view_has_its_seat_the_awaited_seats_and_the_outcome(match):
    game = match.case.game
    for _, state in match.sample():
        for seat in (None, *seats_of(match.case)):
            view = game.observe(state, seat)
            assert view.seat == seat
            assert view.awaiting == tuple(sorted(game.awaiting(state)))
            assert view.outcome == game.outcome(state)


@pytest.mark.parametrize("case", [case for case in CASES if case.plan.is_open], ids=str)
def test_if_nothing_is_hidden_all_views_show_the_same(case):
    match = match_of(case, 0)
    for state in match.states:
        public = case.game.observe(state, None)
        for seat in seats_of(case):
            assert replace(case.game.observe(state, seat), seat=None) == public


@pytest.mark.parametrize("case", [case for case in CASES if case.plan.is_open], ids=str)
def test_if_nothing_is_hidden_a_view_allows_only_one_state(case):
    match, chance = match_of(case, 0), Chance("any", 1)
    left = case.game.concede(match.states[-2], Seat(0), chance)
    for state in (*match.states, left):
        for seat in seats_of(case):
            assert case.game.imagine(case.game.observe(state, seat), seat, chance) == state
