"""The rows of a hand: every move is one tap, with moves at the left end above those at the right.

Up to 15 tiles to choose a prize from are buttons; more of them are a menu.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from bot.matches import SeatSnapshot
from bot.messaging.content import balanced
from bot.rendering.presentation import Choice, ChoiceMenu, Control
from bot.text import listed
from cogs.prize.text import new_numbers
from games.prize import Choose, End, Move, Place, Prize, Take, View
from games.prize.tiles import spell

MAX_BUTTONS: Final = 15
MAX_ROWS: Final = 4
ARROWS: Final[dict[End, str]] = {
    "left": "\N{LEFTWARDS ARROW}",
    "right": "\N{RIGHTWARDS ARROW}",
}


def rows(snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
    """The rows of a hand: its legal moves."""
    del draft
    view: View = snapshot.view
    legal: Sequence[Move] = snapshot.legal
    takes = [move for move in legal if isinstance(move, Take)]
    if takes:
        return _prizes_to_take(view, takes)
    plain: list[Move] = [move for move in legal if not isinstance(move, Place | Prize | Choose)]
    groups: list[list[Move]] = [plain, *(_moves_at(legal, end) for end in ARROWS)]
    apart = [row for group in groups for row in balanced(_choices(view, group))]
    if len(apart) <= MAX_ROWS:
        return apart
    return balanced(_choices(view, [move for group in groups for move in group]))


def _moves_at(legal: Sequence[Move], end: End) -> list[Move]:
    return [m for m in legal if isinstance(m, Place | Prize | Choose) and m.end == end]


def _choices(view: View, moves: Iterable[Move]) -> tuple[Choice, ...]:
    return tuple(
        Choice(label=_label(view, move), move=str(move), quiet=isinstance(move, Prize))
        for move in moves
    )


def _label(view: View, move: Move) -> str:
    match move:
        case Place(tile, end):
            return _label_at(spell(tile), end)
        case Prize(tile, end):
            return _label_at(f"Prize {spell(tile)}", end)
        case Choose(end):
            assert view.ends is not None  # a drawn tile asks for its place in a line
            number = view.ends[0 if end == "left" else 1]
            return _label_at(f"The {number} at the", end)
        case _:
            return str(move).capitalize()


def _label_at(what: str, end: End) -> str:
    """The label of a move at this end, with an arrow on that side."""
    return f"{ARROWS[end]} {what} {end}" if end == "left" else f"{what} {end} {ARROWS[end]}"


def _prizes_to_take(view: View, takes: Sequence[Take]) -> Sequence[Control]:
    if len(takes) <= MAX_BUTTONS:
        return balanced(tuple(_prize_button(view, move) for move in takes))
    lines = tuple(
        Choice(label=str(move).capitalize(), move=str(move), note=_note(view, move))
        for move in takes
    )
    return [ChoiceMenu(placeholder="Choose your prize", choices=lines)]


def _prize_button(view: View, move: Take) -> Choice:
    new = len(new_numbers(view, move.tile))
    gain = f" \N{MIDDLE DOT} {new} new" if new else ""
    return Choice(label=f"{spell(move.tile)}{gain}", move=str(move), quiet=not new)


def _note(view: View, move: Take) -> str:
    new = new_numbers(view, move.tile)
    return f"New for you: {listed(new)}" if new else "Nothing new for you"
