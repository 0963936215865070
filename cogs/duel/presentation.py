"""The presentation of the tile duel: text, buttons and pictures for the table and the hands."""

from collections.abc import Sequence

from bot.drawing.seats import MARKS
from bot.matches import MatchSnapshot, SeatSnapshot
from bot.messaging.content import Picture
from bot.rendering.manuals import illustrated
from bot.rendering.presentation import Presentation
from cogs.duel import text
from cogs.duel.alt_text import describe
from cogs.duel.controls import rows, tap_choices
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
    controls = staticmethod(rows)
    taps = staticmethod(tap_choices)

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

    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        del draft
        view: View = snapshot.view
        return Picture(name="duel", draw=draw, subject=view, alt=describe(view))
