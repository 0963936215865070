"""The menu of a running match: what can be done besides choosing a move."""

from typing import Final

from bot.matches import Look
from bot.presentation import Presentation
from bot.sheets import Sheet
from bot.tables.phrases import RUNNING, button, moves, rules, title

_FOR_PLAYERS: Final = (
    "**Offer a draw** and **Call it off** ask the others; all who still play must agree.\n"
    "**Nudge** reminds those who owe a move, once in 6 hours, as they wish to be reminded.\n"
    "**Bring to the bottom** posts the table anew at the end of its channel.\n"
    "**Resign** asks once more before you leave for good."
)
_FOR_OTHERS: Final = "You watch this match. Its hands are shown to those who hold them only."


def menu_sheet(look: Look, presentation: Presentation) -> Sheet:
    """The menu for one person: a player, or somebody who only watches."""
    head = f"### Menu · {title(look, presentation)}"
    if look.seat is None or look.places[look.seat].left:
        return Sheet(
            head=f"{head}\n{_FOR_OTHERS}", rows=((moves(look), rules(look)),), color=RUNNING
        )
    return Sheet(
        head=f"{head}\n{_FOR_PLAYERS}",
        rows=(
            (button(look, "My hand", "hand", style="primary"), moves(look), rules(look)),
            (
                button(look, "Offer a draw", "offer", "draw"),
                button(look, "Call it off", "offer", "call_off"),
                button(look, "Nudge", "nudge"),
            ),
            (
                button(look, "Bring to the bottom", "bottom"),
                button(look, "Resign", "resign", style="danger"),
            ),
        ),
        color=RUNNING,
    )
