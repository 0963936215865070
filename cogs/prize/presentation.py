"""The presentation of Prize Dominoes: text, buttons and pictures for the table and the hands."""

from collections.abc import Sequence

from bot.drawing.seats import MARKS
from bot.matches import MatchSnapshot, SeatSnapshot
from bot.messaging.content import Picture
from bot.rendering.manuals import illustrated
from bot.rendering.presentation import Presentation
from cogs.prize import puzzles, text
from cogs.prize.alt_text import describe
from cogs.prize.controls import rows
from cogs.prize.lesson import LESSON
from cogs.prize.manual import PAGES
from cogs.prize.manual_pictures import draw_page
from cogs.prize.options import named
from cogs.prize.pictures import draw
from games.core import Seat
from games.prize import Options, View


class PrizePresentation(Presentation):
    """Every move is one tap, so drafts are ignored."""

    manual = illustrated("prize-rules", PAGES, draw_page)
    lesson = LESSON
    marks = MARKS
    variant = staticmethod(named)
    headline = staticmethod(text.headline)
    moment = staticmethod(text.moment)
    story = staticmethod(text.story)
    result = staticmethod(text.result_line)
    controls = staticmethod(rows)
    puzzle_task = staticmethod(puzzles.task)
    puzzle_choice = staticmethod(puzzles.choice)
    puzzle_reason = staticmethod(puzzles.reason)

    def counts(self, options: Options) -> str:
        del options
        return "numbers among the prizes"

    def points(self, view: View) -> Sequence[int]:
        return [text.collected(view, Seat(seat)) for seat in range(len(view.missing))]

    def score(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return text.score_line(snapshot.view, names)

    def question(self, snapshot: SeatSnapshot, draft: str) -> str:
        del draft
        return text.question(snapshot.view, snapshot.legal)

    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        del draft
        view: View = snapshot.view
        return Picture(name="prize", draw=draw, subject=view, alt=describe(view))
