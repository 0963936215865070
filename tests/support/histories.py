"""Histories of whole matches of random moves, like those rebuilt from the database."""

from functools import cache

from games import GAMES, Seat
from games.chance import Chance
from games.history import History

SEED = "c0" * 32
MAX_STEPS = 250


@cache
def by_lot(game):
    """The history of a match with the fewest seats, and its last state.

    After `MAX_STEPS` steps, seat 0 resigns.
    """
    rules = GAMES[game]
    options, seats, steps = rules.presets["standard"], min(rules.seats), []
    state, lot = rules.setup(options, seats, Chance(SEED, 0)), Chance("lots", 0)
    while (awaited := rules.awaiting(state)) and len(steps) < MAX_STEPS:
        moves = {seat: lot.pick(rules.legal_moves(state, seat)) for seat in sorted(awaited)}
        steps.append({seat: str(move) for seat, move in moves.items()})
        state = rules.play(state, moves, Chance(SEED, len(steps)))
    left: tuple[tuple[int, Seat], ...] = ()
    if rules.awaiting(state):
        left = ((len(steps), Seat(0)),)
        state = rules.concede(state, Seat(0), Chance(f"{SEED}:0 leaves", len(steps)))
    history = History(
        game=game, options=options, seats=seats, seed=SEED, steps=tuple(steps), departures=left
    )
    return history, state
