"""The presentation of Pico: text, buttons and pictures for the table and the hands."""

from collections.abc import Sequence

from bot.drawing.seats import MARKS
from bot.matches import MatchSnapshot, SeatSnapshot
from bot.messaging.content import Picture
from bot.rendering.manuals import illustrated
from bot.rendering.presentation import Presentation
from cogs.pico import puzzles, text
from cogs.pico.alt_text import describe
from cogs.pico.controls import rows, tap_choices
from cogs.pico.lesson import LESSON
from cogs.pico.manual import PAGES
from cogs.pico.manual_pictures import draw_page
from cogs.pico.options import named
from cogs.pico.pictures import draw
from games.pico import Options, View


class PicoPresentation(Presentation):
    """Only choices are secret, so the table and the hands show the same text."""

    manual = illustrated("pico-rules", PAGES, draw_page)
    lesson = LESSON
    marks = MARKS
    variant = staticmethod(named)
    headline = staticmethod(text.headline)
    moment = staticmethod(text.moment)
    story = staticmethod(text.story)
    result = staticmethod(text.result_line)
    controls = staticmethod(rows)
    taps = staticmethod(tap_choices)
    puzzle_task = staticmethod(puzzles.task)
    puzzle_choice = staticmethod(puzzles.choice)
    puzzle_reason = staticmethod(puzzles.reason)

    def counts(self, options: Options) -> str:
        del options
        return "dots"

    def points(self, view: View) -> Sequence[int]:
        return view.dots

    def score(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return text.score_line(snapshot.view, names)

    def question(self, snapshot: SeatSnapshot, draft: str) -> str:
        del snapshot, draft
        return text.QUESTION

    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        del draft
        view: View = snapshot.view
        return Picture(name="pico", draw=draw, subject=view, alt=describe(view))
