"""Play a random match and print it: `python -m games GAME [--seed N] [--variant V] [--seats N]`."""

import argparse
import hashlib
import secrets  # noqa: TID251 - not used by the rules: draws a seed if none was given
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from games import GAMES, AnyGame, Outcome
from games.chance import Chance

T = TypeVar("T")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a random match and return exit code 0, or print what was wrong and return 2."""
    args = _parser().parse_args(arguments)
    try:
        game = _look_up(GAMES, args.game, "game")
        _look_up(game.presets, args.variant, f"variant of {game.title}")
        seats = _seats(game, args.variant, args.seats)
    except ValueError as refusal:
        print(refusal, file=sys.stderr)
        return 2
    number = secrets.randbelow(1_000_000) if args.seed is None else args.seed
    print(f"{game.title}, {args.variant}, {seats} seats, seed {number}")
    for line in transcript(game, args.variant, seats, number):
        print(line)
    return 0


def transcript(game: AnyGame, variant: str, seats: int, number: int) -> Iterator[str]:
    """Yield a line for each step of a random match, in the game's notation, then the result."""
    seed = hashlib.sha256(str(number).encode()).hexdigest()
    state = game.setup(game.presets[variant], seats, Chance(seed, 0))
    step = 0
    while awaited := sorted(game.awaiting(state)):
        step += 1
        choice = Chance(f"{seed}:players", step)
        moves = {seat: choice.pick(game.legal_moves(state, seat)) for seat in awaited}
        state = game.play(state, moves, Chance(seed, step))
        yield f"{step:4}  " + "   ".join(f"seat {seat}: {moves[seat]}" for seat in awaited)
    outcome = game.outcome(state)
    assert outcome is not None, "nobody is awaited, so there is an outcome"
    yield f"Result: {_result(outcome)}"


def _result(outcome: Outcome) -> str:
    places = sorted(range(len(outcome.ranks)), key=lambda seat: outcome.ranks[seat])
    standing = ", ".join(
        f"{outcome.ranks[seat]}. seat {seat} ({outcome.scores[seat]})" for seat in places
    )
    return f"{standing}: {outcome.reason}"


def _look_up(things: Mapping[str, T], name: str, kind: str) -> T:
    if name not in things:
        raise ValueError(f"There is no {kind} called {name!r}; choose one of {', '.join(things)}.")
    return things[name]


def _seats(game: AnyGame, variant: str, seats: int | None) -> int:
    """The number of seats asked for, or the smallest that fits if None.

    Raises ValueError, with a sentence, if the number asked for doesn't fit.
    """
    fitting = [number for number in game.seats if game.fits(game.presets[variant], number)]
    if seats is None:
        return fitting[0]
    if seats not in fitting:
        numbers = " or ".join(str(number) for number in fitting)
        raise ValueError(f"This variant of {game.title} is for {numbers} players, not for {seats}.")
    return seats


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m games", description="Play a random match and print it."
    )
    parser.add_argument("game", metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("--seed", type=int, metavar="N", help="decides everything drawn at random")
    parser.add_argument("--variant", default="standard", metavar="V", help="a preset of the game")
    parser.add_argument("--seats", type=int, metavar="N", help="the number of players")
    return parser


if __name__ == "__main__":
    sys.exit(main())
