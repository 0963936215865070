"""Lessons as messages: the list of lessons, an exercise, and what an answer led to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.errors import ButtonError
from bot.lessons.exercise import CHANGED, LEARNER, Answer, Exercise, snapshot_in, state_after
from bot.lessons.progress import Bookmark
from bot.matches import SeatSnapshot, Snapshot
from bot.messaging.components import Button, Press, Section
from bot.messaging.content import MessageContent, balanced
from bot.rendering.challenge_form import ChallengeForm
from bot.rendering.phrases import GONE, NO_MATCH, OPEN, OVER
from bot.rendering.presentation import Choice, ChoiceMenu, Presentation, Presentations
from bot.text import YOU, counted
from games import GAMES

RIVALS: Final = ("Robin", "Sam", "Kim")
"""The names of the learner's opponents, in the order of their seats."""

MOVED: Final = (
    "-# This lesson has changed since you were last here. You pick it up at the same place."
)


@dataclass(frozen=True, slots=True)
class Page:
    """An exercise of a game's lesson, with what it takes to show it."""

    game: str
    presentation: Presentation
    number: int
    """Its place in the lesson, from 0."""

    @property
    def lesson(self) -> Sequence[Exercise]:
        return self.presentation.lesson

    @property
    def exercise(self) -> Exercise:
        return self.lesson[self.number]

    @property
    def is_last(self) -> bool:
        return self.number + 1 == len(self.lesson)

    @classmethod
    def of(cls, presentations: Presentations, game: str, place: str | int) -> "Page":
        """The exercise with this key or number; ButtonError if the lesson has none."""
        presentation = must_have_lesson(presentations, game)
        lesson = presentation.lesson
        numbers = [i for i, each in enumerate(lesson) if place in {each.key, i}]
        if not numbers:
            raise ButtonError(CHANGED)
        return cls(game, presentation, numbers[0])


def must_have_lesson(presentations: Presentations, game: str) -> Presentation:
    """The presentation of a game that has a lesson; ButtonError if it has none."""
    if game in presentations and presentations[game].lesson:
        return presentations[game]
    if game in GAMES:
        title = GAMES[game].title
        raise ButtonError(
            f"There's no lesson for {title} yet. Its rules are in `/help`, under **The rules of "
            "the games**."
        )
    raise ButtonError("I don't know that game. Use `/learn` and choose one.")


def lessons(presentations: Presentations) -> Mapping[str, Sequence[Exercise]]:
    """The exercises of every game that has a lesson, by game."""
    by_game = {key: presentations[key].lesson for key in GAMES if key in presentations}
    return {key: lesson for key, lesson in by_game.items() if lesson}


def lessons_content(
    presentations: Presentations, bookmarks: Mapping[str, Bookmark]
) -> MessageContent:
    """The list of all lessons, with the reader's progress in each."""
    by_game = lessons(presentations)
    if not by_game:
        return MessageContent(head="There are no lessons yet. `/help` has the rules.", color=GONE)
    rows = tuple(_entry(game, len(by_game[game]), bookmarks[game]) for game in by_game)
    return MessageContent(
        head="### Learn to play\nA few positions for each game: choose a move, and see what it "
        "does. You can stop at any time and continue later.",
        rows=rows,
        color=OPEN,
    )


def _entry(game: str, length: int, bookmark: Bookmark) -> Section:
    if bookmark.number:
        done = "done ✓ · " if bookmark.done else ""
        progress, label = f"{done}step {bookmark.number + 1} of {length} is next", "Continue"
    else:
        progress = f"{counted(length, 'step')}{', done ✓' if bookmark.done else ''}"
        label = "Again" if bookmark.done else "Start"
    press = Press(NO_MATCH, 0, "exercise", game)
    return Section(
        text=f"**{GAMES[game].title}** · {progress}",
        accessory=Button(
            label=label, press=press, style="secondary" if bookmark.done else "primary"
        ),
    )


def exercise_content(page: Page, *, is_moved: bool = False) -> MessageContent:
    """An exercise: its position, its question and a button for each answer.

    `is_moved` as in `Bookmark`.
    """
    exercise, snapshot = page.exercise, _snapshot_before(page)
    labels = _labels(page.presentation, exercise, snapshot)
    answers = tuple(
        Button(
            label=labels[answer.move],
            press=_press("answer", page, exercise, answer.move),
            style="primary",
        )
        for answer in exercise.answers
    )
    moved = f"\n{MOVED}" if is_moved else ""
    return MessageContent(
        head=f"{_heading(page)}{moved}\n{exercise.text}",
        picture=page.presentation.picture(snapshot, ""),
        foot=f"**{exercise.question}**",
        rows=(*balanced(answers), _other_buttons(page, back=True)),
        color=OPEN,
    )


def solves(page: Page, answer: Answer) -> bool:
    """Whether an answer is right, judged by the position that the rules make of it."""
    return page.exercise.solves(_snapshot_after(page, answer))


def answer_content(page: Page, answer: Answer, first_match: ChallengeForm | None) -> MessageContent:
    """What an answer led to, in the game's own words, with buttons to continue.

    `first_match` is the match that the reader can start here after the last exercise, if any.
    """
    snapshot, presentation = _snapshot_after(page, answer), page.presentation
    story = _without_small_print(presentation.story(snapshot.view, _names(page)))
    right = page.exercise.solves(snapshot)
    if snapshot.outcome is not None:
        story = f"{presentation.result(snapshot.view, _names(page))} {story}"
    verdict = "✅ **Right.**" if right else "❌ **Not this one.**"
    way, end = _after_answer(page, first_match, right=right)
    return MessageContent(
        head=f"{_heading(page)}\n{verdict} {story}",
        picture=presentation.picture(snapshot, ""),
        foot=f"{answer.says}{end}",
        rows=(way, _other_buttons(page)),
        color=OVER if right else GONE,
    )


def _after_answer(
    page: Page, first_match: ChallengeForm | None, *, right: bool
) -> tuple[tuple[Button, ...], str]:
    """The buttons to continue, and the text that ends the lesson; "" before the last exercise."""
    if not right:
        again = _press("exercise", page, page.exercise)
        return (Button(label="Try again", press=again, style="primary"),), ""
    if not page.is_last:
        on = _press("exercise", page, page.lesson[page.number + 1])
        return (Button(label="Next", press=on, style="success"),), ""
    done = f"\n🎓 **That's the lesson: you can play {GAMES[page.game].title} now.**"
    if first_match is None:
        suggestion = f"Use `/{page.game} play` in a server to play someone, or the computer."
        return (), f"{done} {suggestion}"
    play = Press(NO_MATCH, 0, "send", str(first_match))
    return (Button(label="Play against a beginner", press=play, style="success"),), done


def with_lesson_offer(content: MessageContent, game: str) -> MessageContent:
    """The message of a challenge or of an ended match, with a button to its game's lesson."""
    learn = Section(
        text=f"New to {GAMES[game].title}? A short lesson shows you how it works.",
        accessory=Button(label="Learn it", press=Press(NO_MATCH, 0, "learn", game)),
    )
    return replace(content, rows=(*content.rows, learn))


def possible_newcomers(snapshot: Snapshot) -> tuple[int, ...]:
    """The people to offer the lesson to below a message, if the game is new to them.

    At an open challenge: everyone who hasn't accepted yet. After a match: everyone who played, or
    the player of the hand.
    """
    people = [info for info in snapshot.seats if info.computer is None and info.user > 0]
    match snapshot.status:
        case "open":
            return tuple(info.user for info in people if not info.accepted)
        case "over":
            return tuple(info.user for info in people if snapshot.own in {None, info})
        case _:
            return ()


def _heading(page: Page) -> str:
    title, length = GAMES[page.game].title, len(page.lesson)
    return f"### {title} · {page.number + 1} of {length}: {page.exercise.title}"


def _snapshot_before(page: Page) -> SeatSnapshot:
    return snapshot_in(GAMES[page.game], page.exercise, page.exercise.state)


def _snapshot_after(page: Page, answer: Answer) -> SeatSnapshot:
    game = GAMES[page.game]
    return snapshot_in(game, page.exercise, state_after(game, page.exercise, answer))


def _without_small_print(story: str) -> str:
    """A story without its small print, which is about what came before this exercise."""
    return "\n".join(line for line in story.splitlines() if not line.startswith("-# "))


def _names(page: Page) -> tuple[str, ...]:
    others = RIVALS[: page.exercise.seats - 1]
    return (*others[:LEARNER], YOU, *others[LEARNER:])


def _labels(
    presentation: Presentation, exercise: Exercise, snapshot: SeatSnapshot
) -> Mapping[str, str]:
    """The labels of the answers' buttons, by move: the answer's own, else the one in a hand."""
    of_hand = {choice.move: choice.label for choice in _choices(presentation, snapshot)}
    return {
        answer.move: answer.label or of_hand.get(answer.move) or presentation.spelled(answer.move)
        for answer in exercise.answers
    }


def _choices(presentation: Presentation, snapshot: SeatSnapshot) -> list[Choice]:
    """The moves that a hand offers in one tap, without drafts and other acts."""
    picks: list[Choice] = []
    for control in presentation.controls(snapshot, ""):
        choices = control.choices if isinstance(control, ChoiceMenu) else control
        picks += [choice for choice in choices if choice.act == "pick"]
    return picks


def _press(act: str, page: Page, exercise: Exercise, move: str = "") -> Press:
    return Press(NO_MATCH, 0, act, f"{page.game} {exercise.key} {move}".rstrip())


def _other_buttons(page: Page, *, back: bool = False) -> tuple[Button, ...]:
    """Buttons to the exercise before (with `back`), to all lessons and to the rules."""
    buttons = []
    if back and page.number:
        before = _press("exercise", page, page.lesson[page.number - 1])
        buttons.append(Button(label="Back", press=before))
    buttons.append(Button(label="All lessons", press=Press(NO_MATCH, 0, "lessons")))
    buttons.append(Button(label="Rules", press=Press(NO_MATCH, 0, "rules", page.game)))
    return tuple(buttons)
