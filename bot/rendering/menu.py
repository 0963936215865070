"""The menu of a running match: what can be done besides choosing a move."""

from typing import Final

from bot.matches import Look
from bot.messaging.components import Button
from bot.messaging.content import Sheet
from bot.rendering.phrases import RUNNING, button, moves, rules, title
from bot.rendering.presentation import Presentation

_NUDGE: Final = (
    "**Nudge** reminds those who owe a move, once in 6 hours, as they wish to be reminded.\n"
)
_ALWAYS: Final = (
    "**Bring to the bottom** posts the table anew at the end of its channel.\n"
    "**Resign** asks once more before you leave for good."
)
_FOR_PLAYERS: Final = (
    "**Offer a draw** and **Call it off** ask the others; all who still play must agree.\n"
    f"{_NUDGE}{_ALWAYS}"
)
_WITH_COMPUTERS: Final = (
    "**Call it off** asks the others; all people who still play must agree. Computers agree to no "
    f"draw.\n{_NUDGE}{_ALWAYS}"
)
_WITH_COMPUTERS_ONLY: Final = (
    "**Call it off** ends the match at once and without a result. Computers agree to no draw.\n"
    f"{_ALWAYS}"
)
_FOR_OTHERS: Final = "You watch this match. Its hands are shown to those who hold them only."


def menu_sheet(look: Look, presentation: Presentation) -> Sheet:
    """The menu for one person: a player, or somebody who only watches."""
    head = f"### Menu · {title(look, presentation)}"
    if look.seat is None or look.places[look.seat].left:
        return Sheet(
            head=f"{head}\n{_FOR_OTHERS}", rows=((moves(look), rules(look)),), color=RUNNING
        )
    offers: tuple[Button, ...] = (
        button(look, "Offer a draw", "offer", "draw"),
        button(look, "Call it off", "offer", "call_off"),
        button(look, "Nudge", "nudge"),
    )
    said = _FOR_PLAYERS
    if look.has_computer:
        offers, said = offers[1:], _WITH_COMPUTERS
    if look.is_solitary:
        offers, said = offers[:1], _WITH_COMPUTERS_ONLY
    return Sheet(
        head=f"{head}\n{said}",
        rows=(
            (button(look, "My hand", "hand", style="primary"), moves(look), rules(look)),
            offers,
            (
                button(look, "Bring to the bottom", "bottom"),
                button(look, "Resign", "resign", style="danger"),
            ),
        ),
        color=RUNNING,
    )
