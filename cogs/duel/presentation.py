"""How a match of the tile duel looks: words and pictures put together for the table and desks."""

from collections.abc import Sequence
from typing import Final

from bot.drawing.seats import MARKS
from bot.matches import MatchSnapshot, PublicSnapshot, SeatSnapshot
from bot.messaging.content import Picture, balanced
from bot.rendering.presentation import Choice, Control, ManualPage
from cogs.duel import words
from cogs.duel.illustrations import draw_page
from cogs.duel.manual import PAGES
from cogs.duel.pictures import draw
from games.core import Seat
from games.duel import Options, View

VARIANTS: Final = {"standard": "10 tiles, five each", "large": "14 tiles, seven each"}
"""The presets by what stands in the command."""


class DuelPresentation:
    """Everything is public but the choice itself, so table and desks tell the same story."""

    @property
    def manual(self) -> Sequence[ManualPage]:
        return [
            ManualPage(
                page.title,
                page.text,
                Picture(name="duel-rules", draw=draw_page, subject=number, alt=page.alt),
            )
            for number, page in enumerate(PAGES)
        ]

    def variant(self, options: Options) -> str:
        return f"{options.tiles} tiles"

    def badge(self, seat: int) -> str:
        return MARKS[seat].emoji

    def headline(self, snapshot: MatchSnapshot) -> str:
        view: View = snapshot.view
        return words.headline(view)

    def story(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return words.story(snapshot.view, names)

    def score(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return words.score_line(snapshot.view, names)

    def result(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return words.result_line(snapshot.view, names)

    def question(self, snapshot: SeatSnapshot, draft: str) -> str:
        del snapshot, draft
        return "**Choose your tile.** It stays face down until both have chosen."

    def controls(self, snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
        del draft
        return balanced(_tiles(tuple(move.total for move in snapshot.legal)))

    def taps(self, snapshot: PublicSnapshot) -> Sequence[Sequence[Choice]]:
        view: View = snapshot.view
        return [
            _tiles(hand) if Seat(seat) in view.awaiting else ()
            for seat, hand in enumerate(view.hands)
        ]

    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        del draft
        return Picture(
            name="duel", draw=draw, subject=snapshot.view, alt=words.describe(snapshot.view)
        )


def _tiles(totals: tuple[int, ...]) -> tuple[Choice, ...]:
    return tuple(Choice(label=str(total), move=str(total)) for total in totals)
