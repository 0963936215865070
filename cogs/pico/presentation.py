"""How a match of Pico looks: words and pictures put together for the table and the desks."""

from collections.abc import Callable, Sequence
from typing import Final, cast

from bot.drawing.seats import MARKS
from bot.matches import MatchSnapshot, PublicSnapshot, SeatSnapshot
from bot.messaging.content import Picture, balanced
from bot.rendering.presentation import Choice, Control, ManualPage
from cogs.pico import words
from cogs.pico.manual import PAGES
from cogs.pico.pictures import draw, draw_rules_page
from games.pico import DECKS, Options, View
from games.pico.decks import DeckName

# A page with an alternative text has a picture, so none of these calls returns None.
_draw_page = cast(Callable[[int], bytes], draw_rules_page)

VARIANTS: Final[dict[DeckName, str]] = {
    "standard": "13 cards",
    "pico1": "Pico I, 11 cards",
    "pico2": "Pico II, 11 cards",
    "pico1-three": "Pico I for three",
    "pico2-three": "Pico II for three",
}


class PicoPresentation:
    """Everything is public but the choice itself, so table and desks tell the same story."""

    @property
    def manual(self) -> Sequence[ManualPage]:
        return [
            ManualPage(
                page.title,
                page.text,
                None
                if page.alt is None
                else Picture(name="pico-rules", draw=_draw_page, subject=number, alt=page.alt),
            )
            for number, page in enumerate(PAGES)
        ]

    def variant(self, options: Options) -> str:
        return VARIANTS[options.deck]

    def badge(self, seat: int) -> str:
        return MARKS[seat].emoji

    def headline(self, snapshot: MatchSnapshot) -> str:
        view: View = snapshot.view
        return f"Round {view.round} of {view.rounds}"

    def story(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return words.story(snapshot.view, names)

    def score(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return words.score_line(snapshot.view, names)

    def result(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return words.result_line(snapshot.view, names)

    def question(self, snapshot: SeatSnapshot, draft: str) -> str:
        del snapshot, draft
        return "**Choose your card.** It stays face down until everybody has chosen."

    def controls(self, snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
        del draft
        return balanced(_cards(snapshot, tuple(move.face for move in snapshot.legal)))

    def taps(self, snapshot: PublicSnapshot) -> Sequence[Sequence[Choice]]:
        # A hand may hold two cards of one face, which are one choice.
        return [_cards(snapshot, tuple(dict.fromkeys(hand))) for hand in snapshot.view.hands]

    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        del draft
        return Picture(
            name="pico", draw=draw, subject=snapshot.view, alt=words.describe(snapshot.view)
        )


def _cards(snapshot: MatchSnapshot, faces: tuple[int, ...]) -> tuple[Choice, ...]:
    dots = DECKS[snapshot.view.deck].dots
    return tuple(Choice(label=f"{face} {'•' * dots[face]}", move=str(face)) for face in faces)
