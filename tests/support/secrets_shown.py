"""Whether a step reveals something hidden, found for any game by its contract alone."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from games import AnyGame, IllegalMoveError, Seat
from games.chance import Chance

WORLDS: Final = 20
"""How many imagined states to try for each seat; enough that a revealed fact differs in one."""


def shows_nothing_new(
    game: AnyGame,
    before: Any,
    happens: Callable[[Any, int], Any],
    seats: Iterable[Seat],
) -> bool:
    """Whether a step shows these seats nothing that their views didn't already determine.

    `happens(state, number)` makes the next state; `number` is 0 for the true state, and varies the
    chance, which nobody can foresee. For each seat, the step is repeated in states imagined from
    its view before. If the seat's view afterwards is always the same, the step has shown nothing.
    If the view differs in one of them, or the step is illegal there (a card that isn't there can't
    be played), it has.
    """
    after = happens(before, 0)
    return all(_is_foreseen(game, before, after, happens, seat) for seat in seats)


def _is_foreseen(
    game: AnyGame,
    before: Any,
    after: Any,
    happens: Callable[[Any, int], Any],
    seat: Seat,
) -> bool:
    view, seen = game.observe(before, seat), game.observe(after, seat)
    for number in range(1, WORLDS + 1):
        world = game.imagine(view, seat, Chance(f"worlds of {seat}", number))
        try:
            if game.observe(happens(world, number), seat) != seen:
                return False
        except IllegalMoveError:
            return False
    return True
