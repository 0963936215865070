"""Whether something that was hidden has been shown, asked of any game by its contract alone."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from games import AnyGame, IllegalMoveError, Seat
from games.chance import Chance

WORLDS: Final = 20
"""So many worlds that a seat thinks possible are tried: what was shown differs in one of them."""


def shows_nothing_new(
    game: AnyGame,
    before: Any,
    happens: Callable[[Any, int], Any],
    seats: Iterable[Seat],
) -> bool:
    """Whether no seat learns by this what it could not see before.

    `happens` makes the state after from the one before; its number, 0 for the truth, is for chance,
    which nobody foretells. Each seat imagines worlds that its view allows. If the same happens in
    all of them and looks the same afterwards, it has shown nothing; if it could not happen in one,
    as a card that is not there cannot be played, or looks otherwise there, it has.
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
