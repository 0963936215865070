"""The presentation of Spite and Malice: text, buttons and pictures for the table and the hands."""

from collections.abc import Sequence

from bot.drawing.seats import MARKS
from bot.matches import MatchSnapshot, SeatSnapshot
from bot.messaging.content import Picture
from bot.rendering.manuals import illustrated
from bot.rendering.presentation import Presentation
from cogs.spite import puzzles, text, turn_story
from cogs.spite.alt_text import describe
from cogs.spite.card_names import is_wild, spoken_name
from cogs.spite.controls import SelectedDiscard, SelectedPlay, draft_of, rows
from cogs.spite.lesson import LESSON
from cogs.spite.manual import PAGES
from cogs.spite.manual_pictures import draw_page
from cogs.spite.options import named
from cogs.spite.pictures import draw
from games.spite import View


class SpitePresentation(Presentation):
    """Drafts change the question and the buttons, not the picture, so they show right away."""

    manual = illustrated("spite-rules", PAGES, draw_page)
    lesson = LESSON
    marks = MARKS
    counts = staticmethod(text.score_unit)
    points = staticmethod(text.standing)
    variant = staticmethod(named)
    headline = staticmethod(text.headline)
    moment = staticmethod(text.moment)
    story = staticmethod(turn_story.story)
    result = staticmethod(text.result_line)
    controls = staticmethod(rows)
    spelled = staticmethod(text.spelled)
    puzzle_task = staticmethod(puzzles.task)
    puzzle_choice = staticmethod(puzzles.choice)
    puzzle_reason = staticmethod(puzzles.reason)

    def score(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return text.score_line(snapshot.view, names)

    def question(self, snapshot: SeatSnapshot, draft: str) -> str:
        view: View = snapshot.view
        match draft_of(view, snapshot.legal, draft):
            case SelectedPlay(source, face):
                return text.target_question(source, spoken_name(face), wild=is_wild(view, face))
            case SelectedDiscard(face, count):
                return text.discard_question(face, count)
            case None:
                return text.question(view, snapshot.legal)

    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        del draft
        view: View = snapshot.view
        return Picture(name="spite", draw=draw, subject=view, alt=describe(view))
