"""The daily puzzle as messages: the question, a person's answer, the reveal and posts about it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from bot.matches import SeatSnapshot
from bot.messaging.components import Button, Option, Press, Row, Select
from bot.messaging.content import MessageContent, Picture, balanced
from bot.puzzles.answers import (
    MAX_STREAKS_NAMED,
    SHORTEST_STREAK,
    PastPuzzle,
    PuzzleDay,
    Reveal,
    SolvedPuzzle,
)
from bot.puzzles.calendar import GamePuzzle, begins_at, date_of, puzzle_of
from bot.rendering.phrases import EARLIER_LATER, NO_MATCH, OPEN, OVER, mention, page_turns
from bot.rendering.presentation import Presentations, ShowsPuzzles
from bot.storage.puzzles import AnswerRecord
from bot.text import counted
from games import GAMES
from games.puzzle import Puzzle

ANSWER_ACT: Final = "puzzle"
"""The act of the button that opens the puzzle of a day, which is its step."""

TODAY: Final = 0
"""The step of a button that opens today's puzzle, on whichever day it's pressed."""

SOLVE_ACT: Final = "solve"
"""The act that answers a puzzle; its step is the day, its argument the move."""

PAST_ACT: Final = "solution"
"""The act of the button that opens yesterday's puzzle with its answer."""

TURN_ACT: Final = "solutions"
"""The act that turns to the puzzle of another past day, which is its step."""

SHARE_ACT: Final = "sharepuzzle"
"""The act that posts that a user solved the puzzle of a past day, which is its step."""

_MAX_BUTTONS: Final = 10
"""Up to this many choices are buttons; more are a menu."""

_MAX_COUNTS: Final = 8
"""Choices with a count of their own in a reveal; the rest are counted together."""


_YESTERDAY: Final = Button(label="Yesterday's answer", press=Press(NO_MATCH, 0, PAST_ACT))
_TODAYS: Final = Button(label="Today's puzzle", press=Press(NO_MATCH, TODAY, ANSWER_ACT))
"""Neither names a day, so both are right for as long as their message is open."""


def question_content(
    presentations: Presentations, day: PuzzleDay, here: int | None
) -> MessageContent:
    """Today's puzzle for one person: to be answered, or with the answer they've already given.

    `here` is the server where it's shown; None where an answer counts in no server.
    """
    before = _last_result(presentations, day)
    ways: Row = (
        *_other_buttons(presentations, day.today),
        *_share_button(_yesterdays_answer(day), here, " yesterday's"),
    )
    if day.answer is not None:
        answered = answered_content(presentations, day.today, day.answer, here)
        return replace(answered, head=f"{before}{answered.head}", rows=(ways,))
    return MessageContent(
        head=f"{before}{_heading(day.day)}\n{_task(presentations, day.today)}",
        picture=_picture(presentations, day.today),
        foot=f"-# The first answer counts. {_where_it_would_count(here)} {_answer_time(day.day)}",
        rows=(*_choices(_presentation_of(presentations, day.today), day), ways),
        color=OPEN,
    )


def answered_content(
    presentations: Presentations, puzzle: GamePuzzle, answer: AnswerRecord, here: int | None
) -> MessageContent:
    """What replaces the question once it's answered; `here` as in `question_content`."""
    label = _label(_presentation_of(presentations, puzzle), puzzle.puzzle, answer.choice)
    return MessageContent(
        head=f"{_heading(answer.day)}\n{_task(presentations, puzzle)}",
        picture=_picture(presentations, puzzle),
        foot=f"You chose **{label}**, face down. {_where_it_counts(answer, here)} "
        f"{_answer_time(answer.day)}",
        rows=(_other_buttons(presentations, puzzle),),
        color=OPEN,
    )


def past_content(
    presentations: Presentations, past: PastPuzzle, here: int | None
) -> MessageContent:
    """The puzzle of a past day: its position, the right answer, and what this person answered.

    `here` as in `question_content`.
    """
    presentation = _presentation_of(presentations, past.puzzle)
    verdict = "You didn't answer this one."
    if past.answer is not None:
        verdict = _verdict(presentation, past.puzzle.puzzle, past.answer)
    press = Press(NO_MATCH, past.day, TURN_ACT)
    turns = page_turns(press, past.today - 1, EARLIER_LATER, first=past.first)
    return MessageContent(
        head=f"{_answer_heading(past.day, past.today)}\n{_task(presentations, past.puzzle)}",
        picture=_picture(presentations, past.puzzle),
        foot=f"{verdict}\n{presentation.puzzle_reason(past.puzzle.puzzle)}",
        rows=((*turns, _TODAYS, *_share_button(past.answer, here)),),
        color=OVER,
    )


def solved_content(solved: SolvedPuzzle) -> MessageContent:
    """The post that a user shares: that they solved the puzzle, without any choice."""
    parts = [f"**{GAMES[solved.puzzle.game].title}**", "✅ Solved"]
    if solved.streak >= SHORTEST_STREAK:
        parts.append(f"🔥 {_days(solved.streak)} in a row, counting answers anywhere")
    return MessageContent(
        head=f"{_heading(solved.day)}\n{' · '.join(parts)}",
        foot=f"-# Shared by {mention(solved.user)}",
        rows=((_TODAYS,),),
        color=OVER,
    )


def post_content(
    presentations: Presentations, day: int, puzzle: GamePuzzle, reveal: Reveal | None
) -> MessageContent:
    """The daily post of a server: the answer to the last puzzle, if any, and today's puzzle."""
    parts = []
    if reveal is not None:
        over = _answer_heading(reveal.day, day)
        parts.append(f"{over}\n{_revealed(presentations, reveal)}\n")
    parts.append(f"{_heading(day)}\n{_task(presentations, puzzle)}")
    return MessageContent(
        head="\n".join(parts),
        picture=_picture(presentations, puzzle),
        foot=f"-# Tap **Answer**: only you see what you choose. {_answer_time(day)}",
        rows=((Button(label="Answer", press=Press(NO_MATCH, day, ANSWER_ACT), style="primary"),),),
        color=OVER,
    )


def puzzle_snapshot(puzzle: GamePuzzle) -> SeatSnapshot:
    """The position of a puzzle as a snapshot for the seat that has to choose."""
    game, state = GAMES[puzzle.game], puzzle.puzzle.state
    outside: Mapping[str, Any] = {
        "match": NO_MATCH,
        "status": "running",
        "guild": 0,
        "channel": 0,
        "time_control": "none",
        "tap": False,
        "step": 0,
        "turn": 0,
        "due_at": None,
        "late": (),
        "ending": None,
        "chosen": frozenset(),
        "outcome": None,
        "commitment": None,
        "seed": None,
        "choice": None,
        "legal": (),
        "options": None,
        "wanted": 0,
        "seats": (),
    }
    return SeatSnapshot(
        **outside,
        game=puzzle.game,
        view=game.observe(state, puzzle.puzzle.seat),
        awaiting=game.awaiting(state),
        seat=puzzle.puzzle.seat,
    )


def _presentation_of(presentations: Presentations, puzzle: GamePuzzle) -> ShowsPuzzles:
    """The presentation of a puzzle's game; a test checks that each such game shows puzzles."""
    presentation = presentations[puzzle.game]
    assert isinstance(presentation, ShowsPuzzles)
    return presentation


def _heading(day: int) -> str:
    date = date_of(day)
    return f"### Daily puzzle · {date:%B} {date.day}"


def _answer_heading(day: int, today: int) -> str:
    """The heading above the answer to the puzzle of a past day."""
    date = date_of(day)
    which = "Yesterday's puzzle" if day == today - 1 else f"The puzzle of {date:%B} {date.day}"
    return f"### {which}: the answer"


def _task(presentations: Presentations, puzzle: GamePuzzle) -> str:
    view = puzzle_snapshot(puzzle).view
    you = presentations[puzzle.game].emblem(view, puzzle.puzzle.seat)
    task = _presentation_of(presentations, puzzle).puzzle_task(puzzle.puzzle)
    return f"**{GAMES[puzzle.game].title}** · you're {you}\n{task}"


def _picture(presentations: Presentations, puzzle: GamePuzzle) -> Picture:
    return presentations[puzzle.game].picture(puzzle_snapshot(puzzle), "")


def _choices(presentation: ShowsPuzzles, day: PuzzleDay) -> tuple[Row, ...]:
    puzzle = day.today.puzzle
    labels = [
        (choice.move, presentation.puzzle_choice(puzzle, choice.move)) for choice in puzzle.choices
    ]
    if len(labels) > _MAX_BUTTONS:
        options = tuple(Option(label=label, value=move) for move, label in labels)
        press = Press(NO_MATCH, day.day, SOLVE_ACT)
        return (Select(placeholder="Your answer", press=press, options=options),)
    return balanced(
        tuple(
            Button(label=label, press=Press(NO_MATCH, day.day, SOLVE_ACT, move))
            for move, label in labels
        )
    )


def _other_buttons(presentations: Presentations, puzzle: GamePuzzle) -> tuple[Button, ...]:
    """Buttons to the rules and the lesson of the puzzle's game, and to yesterday's answer."""
    game = puzzle.game
    rules = Button(label="Rules", press=Press(NO_MATCH, 0, "rules", game))
    learn = Button(label="Learn it", press=Press(NO_MATCH, 0, "learn", game))
    has_lesson = bool(presentations[game].lesson)
    return (rules, learn, _YESTERDAY) if has_lesson else (rules, _YESTERDAY)


def _yesterdays_answer(day: PuzzleDay) -> AnswerRecord | None:
    return day.last if day.last is not None and day.last.day == day.day - 1 else None


def _share_button(
    answer: AnswerRecord | None, here: int | None, what: str = ""
) -> tuple[Button, ...]:
    """The button that shares the answer to a past puzzle; only in a server, and if it was right."""
    if answer is None or not answer.solved or here is None:
        return ()
    return (Button(label=f"Share{what}", press=Press(NO_MATCH, answer.day, SHARE_ACT)),)


def _label(presentation: ShowsPuzzles, puzzle: Puzzle[Any], move: str) -> str:
    """A choice in words; in notation if an update has since given that day another puzzle."""
    known = {choice.move for choice in puzzle.choices}
    return presentation.puzzle_choice(puzzle, move) if move in known else f"`{move}`"


def _where_it_would_count(here: int | None) -> str:
    """Where an answer given here would count; said before, because only the first one counts."""
    if here is not None:
        return "It counts in this server."
    return "Here it counts for yourself only: to count in a server that has me, answer it there."


def _where_it_counts(answer: AnswerRecord, here: int | None) -> str:
    """Where a given answer counts: in this server, in another one, or for its user only."""
    if answer.guild is None:
        return "It counts for yourself only: to count in a server, answer the next one there."
    here_or_there = "this server" if answer.guild == here else "the server where you answered"
    return f"It counts in {here_or_there}."


def _answer_time(day: int) -> str:
    """When the answer comes: at midnight UTC, shown in each reader's own time zone.

    The wording also fits a message that is still open after that.
    """
    moment = begins_at(day + 1)
    return f"The right answer and the next puzzle: <t:{moment}:t> (<t:{moment}:R>)."


def _last_result(presentations: Presentations, day: PuzzleDay) -> str:
    """The result of this person's last answer, and their streak; "" if there's nothing to say."""
    if day.last is None:
        return _resting_streak(day)
    puzzle = puzzle_of(day.last.day)
    presentation = _presentation_of(presentations, puzzle)
    is_yesterdays = _yesterdays_answer(day) is not None
    streak = (
        f" {_days(day.streak)} in a row, wherever you answered."
        if is_yesterdays and day.streak >= SHORTEST_STREAK
        else ""
    )
    return (
        f"{_answer_heading(day.last.day, day.day)}\n"
        f"{_verdict(presentation, puzzle.puzzle, day.last)}{streak}\n"
        f"{presentation.puzzle_reason(puzzle.puzzle)}\n"
        f"{'' if is_yesterdays else _resting_streak(day)}"
    )


def _verdict(presentation: ShowsPuzzles, puzzle: Puzzle[Any], answer: AnswerRecord) -> str:
    verdict = "✅ Right!" if answer.solved else "❌ Not this time."
    return f"{verdict} You chose **{_label(presentation, puzzle, answer.choice)}**."


def _resting_streak(day: PuzzleDay) -> str:
    """A note that a streak continues without an answer yesterday, a day that rests."""
    if day.streak < SHORTEST_STREAK:
        return ""
    return (
        f"-# 🔥 I was away for most of yesterday, so your {day.streak}-day streak continues, "
        "wherever you answered.\n"
    )


def _revealed(presentations: Presentations, reveal: Reveal) -> str:
    """What was right and why, how the server chose, and whose streaks continue."""
    presentation, puzzle = _presentation_of(presentations, reveal.puzzle), reveal.puzzle.puzzle
    lines = [f"**{GAMES[reveal.puzzle.game].title}**: {presentation.puzzle_reason(puzzle)}"]
    if not reveal.counts:
        lines.append("Nobody here answered it.")
    else:
        lines.append(_tally(presentation, puzzle, reveal.counts))
    if reveal.streaks or reveal.others:
        lines.append(f"🔥 {_streaks(reveal)}")
    return "\n".join(lines)


def _tally(presentation: ShowsPuzzles, puzzle: Puzzle[Any], counts: Mapping[str, int]) -> str:
    """How many people got it right, and how many chose what, the right choices first."""
    solved = sum(counts.get(move, 0) for move in puzzle.best)
    order = sorted(counts, key=lambda move: (move not in puzzle.best, -counts[move]))
    parts = [
        f"{_label(presentation, puzzle, move)}{' ✅' if move in puzzle.best else ''}: "
        f"**{counts[move]}**"
        for move in order[:_MAX_COUNTS]
    ]
    rest = sum(counts[move] for move in order[_MAX_COUNTS:])
    parts += [f"others: **{rest}**"] if rest else []
    return f"{solved} of {sum(counts.values())} got it. {' · '.join(parts)}"


def _streaks(reveal: Reveal) -> str:
    named = [f"<@{line.user}> {_days(line.streak)}" for line in reveal.streaks[:MAX_STREAKS_NAMED]]
    more = len(reveal.streaks) - len(named) + reveal.others
    if not named:
        return f"{counted(more, 'streak continues', 'streaks continue')}."
    return "Streaks: " + " · ".join(named) + (f" · and {more} more" if more else "")


def _days(number: int) -> str:
    return counted(number, "day")
