"""The presentation of the tile duel: text, buttons and pictures for the table and the hands."""

from collections.abc import Sequence

from bot.drawing.seats import MARKS
from bot.matches import MatchSnapshot, SeatSnapshot
from bot.messaging.content import Picture
from bot.rendering.manuals import illustrated
from bot.rendering.presentation import Control, Presentation
from cogs.duel import controls, text
from cogs.duel.alt_text import describe
from cogs.duel.lesson import LESSON
from cogs.duel.manual import PAGES
from cogs.duel.manual_pictures import draw_page
from cogs.duel.options import named
from cogs.duel.pictures import draw
from games.duel import Options, View


class DuelPresentation(Presentation):
    """Only choices are secret, so the table and the hands show the same text."""

    manual = illustrated("duel-rules", PAGES, draw_page)
    lesson = LESSON
    marks = MARKS
    variant = staticmethod(named)
    headline = staticmethod(text.headline)
    moment = staticmethod(text.moment)
    story = staticmethod(text.story)
    result = staticmethod(text.result_line)
    taps = staticmethod(controls.taps)

    def counts(self, options: Options) -> str:
        del options
        return "points"

    def points(self, view: View) -> Sequence[int]:
        return view.scores

    def score(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return text.score_line(snapshot.view, names)

    def question(self, snapshot: SeatSnapshot, draft: str) -> str:
        del snapshot, draft
        return text.QUESTION

    def controls(self, snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
        del draft
        return controls.rows(snapshot)

    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        del draft
        view: View = snapshot.view
        return Picture(name="duel", draw=draw, subject=view, alt=describe(view))
