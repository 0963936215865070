"""How a match of Pico looks: words and pictures put together for the table and the hands."""

from collections.abc import Sequence

from bot.drawing.seats import MARKS
from bot.matches import MatchSnapshot, PublicSnapshot, SeatSnapshot
from bot.messaging.content import Picture
from bot.rendering.manuals import illustrated
from bot.rendering.presentation import Choice, Control, as_it_stands
from cogs.pico import controls, puzzles, text
from cogs.pico.alt_text import describe
from cogs.pico.lesson import LESSON
from cogs.pico.manual import PAGES
from cogs.pico.manual_pictures import draw_page
from cogs.pico.options import VARIANTS
from cogs.pico.pictures import draw
from games.pico import Options, State, View
from games.puzzle import Puzzle


class PicoPresentation:
    """Everything is public but the choice itself, so table and hands tell the same story."""

    manual = illustrated("pico-rules", PAGES, draw_page)
    lesson = LESSON
    marks = MARKS

    def counts(self, options: Options) -> str:
        del options
        return "dots"

    def points(self, view: View) -> Sequence[int]:
        return view.dots

    def variant(self, options: Options) -> str:
        return VARIANTS[options.deck]

    def headline(self, snapshot: MatchSnapshot) -> str:
        return text.headline(snapshot.view)

    def moment(self, view: View) -> str:
        return text.moment(view)

    def story(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return text.story(as_it_stands(snapshot), names)

    def score(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return text.score_line(as_it_stands(snapshot), names)

    def result(self, snapshot: MatchSnapshot, names: Sequence[str]) -> str:
        return text.result_line(snapshot.view, names)

    def question(self, snapshot: SeatSnapshot, draft: str) -> str:
        del snapshot, draft
        return text.QUESTION

    def controls(self, snapshot: SeatSnapshot, draft: str) -> Sequence[Control]:
        del draft
        return controls.rows(snapshot)

    def taps(self, snapshot: PublicSnapshot) -> Sequence[Sequence[Choice]]:
        return controls.taps(snapshot)

    def picture(self, snapshot: MatchSnapshot, draft: str) -> Picture:
        del draft
        view: View = as_it_stands(snapshot)
        return Picture(name="pico", draw=draw, subject=view, alt=describe(view))

    def puzzle_task(self, puzzle: Puzzle[State]) -> str:
        return puzzles.task(puzzle)

    def puzzle_choice(self, puzzle: Puzzle[State], move: str) -> str:
        return puzzles.choice(puzzle, move)

    def puzzle_reason(self, puzzle: Puzzle[State]) -> str:
        return puzzles.reason(puzzle)
