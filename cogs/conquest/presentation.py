"""The presentation of Divide & Conquer: text, buttons and pictures for the table and the hands."""

from collections.abc import Sequence

from bot.matches import MatchSnapshot, SeatSnapshot
from bot.messaging.content import Picture
from bot.rendering.manuals import illustrated
from bot.rendering.presentation import Presentation
from cogs.conquest import puzzles, text, turn_story
from cogs.conquest.alt_text import describe
from cogs.conquest.battalions import SEAT_MARKS
from cogs.conquest.controls import rows
from cogs.conquest.drafts import is_signalling, without_signal
from cogs.conquest.lesson import LESSON
from cogs.conquest.manual import PAGES
from cogs.conquest.manual_pictures import draw_page
from cogs.conquest.options import named
from cogs.conquest.pictures import draw
from cogs.conquest.scene import scene_of
from games.conquest import Options, View


class ConquestPresentation(Presentation):
    """A seat has the mark of the battalion with the same number, which is always one of its own."""

    manual = illustrated("conquest-rules", PAGES, draw_page)
    lesson = LESSON
    marks = SEAT_MARKS
    hand_label = "My orders"
    emblem = staticmethod(text.emblem)
    variant = staticmethod(named)
    headline = staticmethod(text.headline)
    moment = staticmethod(text.moment)
    story = staticmethod(turn_story.story)
    result = staticmethod(text.result_line)
    controls = staticmethod(rows)
    spelled = staticmethod(text.spelled)
    own_spelled = staticmethod(text.own_spelled)
    puzzle_task = staticmethod(puzzles.task)
    puzzle_choice = staticmethod(puzzles.choice)
    puzzle_reason = staticmethod(puzzles.reason)

    def counts(self, options: Options) -> str:
        del options
        return "objectives held"

    def points(self, view: View) -> Sequence[int]:
        return [sum(view.objectives[battalion] for battalion in team) for team in view.teams]

    def score(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return text.score_line(snapshot.view, names) + text.signal_line(snapshot)

    def question(self, snapshot: SeatSnapshot, draft: str) -> str:
        if is_signalling(draft) and snapshot.options.signal:
            return text.SIGNAL_QUESTION
        return text.question(snapshot.view, snapshot.legal, snapshot.choice, draft)

    def chosen(self, snapshot: SeatSnapshot) -> str:
        return text.chosen(snapshot.view, snapshot.choice)

    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        scene = scene_of(snapshot, without_signal(draft))
        return Picture(name="conquest", draw=draw, subject=scene, alt=describe(scene))
