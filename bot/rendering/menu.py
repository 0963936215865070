"""The menu of a running match: what can be done besides choosing a move."""

from typing import Final

from bot.matches import MatchSnapshot, SeatSnapshot
from bot.messaging.components import Button
from bot.messaging.content import MessageContent
from bot.rendering.phrases import RUNNING, button, moves, my_hand, rules, title
from bot.rendering.presentation import Presentation
from games import GAMES

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
_FOR_OTHERS: Final = "You're watching this match. Only its players can see their hands."
_FOR_OTHERS_OF_PUBLIC_HANDS: Final = (
    "You're watching this match. Everyone can see the hands at the table; what a player picks "
    "stays secret until all have picked."
)


def menu_content(snapshot: MatchSnapshot, presentation: Presentation) -> MessageContent:
    """The menu for one person: a player, or somebody who only watches."""
    head = f"### Menu · {title(snapshot, presentation)}"
    if not isinstance(snapshot, SeatSnapshot) or snapshot.places[snapshot.seat].left:
        public = GAMES[snapshot.game].hands_are_public
        said = _FOR_OTHERS_OF_PUBLIC_HANDS if public else _FOR_OTHERS
        return MessageContent(
            head=f"{head}\n{said}", rows=((moves(snapshot), rules(snapshot)),), color=RUNNING
        )
    offers: tuple[Button, ...] = (
        button(snapshot, "Offer a draw", "offer", "draw"),
        button(snapshot, "Call it off", "offer", "call_off"),
        button(snapshot, "Nudge", "nudge"),
    )
    said = _FOR_PLAYERS
    if snapshot.has_computer:
        offers, said = offers[1:], _WITH_COMPUTERS
    if snapshot.is_solitary:
        offers, said = offers[:1], _WITH_COMPUTERS_ONLY
    return MessageContent(
        head=f"{head}\n{said}",
        rows=(
            (
                my_hand(snapshot, presentation),
                moves(snapshot),
                rules(snapshot),
            ),
            offers,
            (
                button(snapshot, "Bring to the bottom", "bottom"),
                button(snapshot, "Resign", "resign", style="danger"),
            ),
        ),
        color=RUNNING,
    )
