"""The daily puzzle in words: what a person and a server are told, and what fits into a message."""

import pytest

from bot.messaging.content import MAX_TEXT_LENGTH
from bot.puzzles.answers import PastPuzzle, PuzzleDay, Reveal
from bot.puzzles.calendar import calendar, puzzle_of
from bot.rendering.presentation import ShowsPuzzles
from bot.rendering.puzzles import answered_content, past_content, post_content, question_content
from bot.storage.puzzles import AnswerRecord, TallyRecord
from games.puzzles import PUZZLES
from tests.support.presentations import PRESENTATIONS, presentations, shows_puzzles

DAY = 21_000
HERE = 2


@pytest.fixture
def shown():
    return presentations()


def answer(day, choice, *, solved=True, guild=HERE):
    return AnswerRecord(
        day=day, user=1, guild=guild, choice=choice, solved=solved, answered_at=day * 86_400
    )


def a_day(day=DAY, **changes):
    values = {"answer": None, "last": None, "streak": 0, **changes}
    return PuzzleDay(day=day, today=puzzle_of(day), **values)


def reveal(day, counts, *streaks, others=0):
    lines = tuple(
        TallyRecord(user=user, solved=days, streak=days, best=days) for user, days in streaks
    )
    puzzle = puzzle_of(day)
    return Reveal(
        day=day, puzzle=puzzle, counts=counts, streaks=lines, others=others, complete=True
    )


def words(content):
    return "\n".join([content.head, content.foot, *(r for r in content.rows if isinstance(r, str))])


def test_every_game_with_puzzles_can_show_them():
    showing = {game for game, each in PRESENTATIONS.items() if isinstance(each, ShowsPuzzles)}

    assert showing == set(PUZZLES)


@pytest.mark.slow
@pytest.mark.parametrize("day", range(DAY, DAY + 4))
def test_one_position_of_each_game_can_be_drawn(shown, day):
    picture = question_content(shown, a_day(day), HERE).picture

    assert picture.draw(picture.subject).startswith(b"\x89PNG")


@pytest.mark.slow
def test_on_any_day_a_message_fits_discord_and_reveals_no_answer_too_early(shown):
    for i, today in enumerate(calendar()):
        day = 365 * 57 + i
        counts = {choice.move: 10 for choice in puzzle_of(day - 1).puzzle.choices}
        post = post_content(shown, day, today, reveal(day - 1, counts, *((n, 9) for n in range(9))))
        before = answer(day - 1, puzzle_of(day - 1).puzzle.best[0])
        question = question_content(shown, a_day(day, last=before, streak=4), HERE)
        reason = shows_puzzles(today.game).puzzle_reason(today.puzzle)
        for content in (post, question):
            assert reason not in words(content)
            assert len(words(content)) <= MAX_TEXT_LENGTH - 1024  # alt text may be needed as well
            assert len(content.picture.alt) <= 1024


def test_somebody_who_answered_sees_their_choice_and_no_verdict(shown):
    puzzle = puzzle_of(DAY)
    choice = puzzle.puzzle.choices[0].move
    told = question_content(shown, a_day(answer=answer(DAY, choice)), HERE).foot

    assert told == answered_content(shown, puzzle, answer(DAY, choice), HERE).foot
    assert told.startswith("You chose **")
    assert "face down" in told


@pytest.mark.parametrize(
    ("here", "said"),
    [
        (HERE, "It counts in this server."),
        (
            None,
            "Here it counts for yourself only: to count in a server that has me, answer it there.",
        ),
    ],
)
def test_a_question_says_where_its_answer_will_count(shown, here, said):
    """The first answer counts, so nobody can make up for an answer given in the wrong place."""
    assert said in question_content(shown, a_day(), here).foot


@pytest.mark.parametrize(
    ("given_in", "here", "said"),
    [
        (HERE, HERE, "It counts in this server."),
        (HERE, 3, "It counts in the server where you answered."),
        (HERE, None, "It counts in the server where you answered."),
        (
            None,
            HERE,
            "It counts for yourself only: to count in a server, answer the next one there.",
        ),
    ],
)
def test_an_answer_says_where_it_counts_wherever_it_is_shown(shown, given_in, here, said):
    given = answer(DAY, puzzle_of(DAY).puzzle.choices[0].move, guild=given_in)

    assert said in question_content(shown, a_day(answer=given), here).foot


def test_messages_left_open_after_their_day_say_nothing_outdated(shown):
    """Relative timestamps change by themselves: "until … (1 hour ago)" would be shown."""
    puzzle, moment = puzzle_of(DAY), (DAY + 1) * 86_400
    choice = puzzle.puzzle.choices[0].move
    said = f"The right answer and the next puzzle: <t:{moment}:t> (<t:{moment}:R>)."

    for content in (
        question_content(shown, a_day(), HERE),
        answered_content(shown, puzzle, answer(DAY, choice), HERE),
        post_content(shown, DAY, puzzle, None),
    ):
        assert content.foot.endswith(said)
        assert content.foot.count("<t:") == 2


@pytest.mark.parametrize(("solved", "verdict"), [(True, "✅ Right!"), (False, "❌ Not this time.")])
def test_the_day_after_everybody_is_told_whether_their_answer_was_right(shown, solved, verdict):
    choice = puzzle_of(DAY - 1).puzzle.choices[0].move
    before = answer(DAY - 1, choice, solved=solved)

    told = question_content(shown, a_day(last=before, streak=3 if solved else 0), HERE).head

    assert verdict in told
    assert ("3 days in a row, wherever you answered." in told) == solved
    assert shows_puzzles(puzzle_of(DAY - 1).game).puzzle_reason(puzzle_of(DAY - 1).puzzle) in told


def test_an_answer_to_a_puzzle_that_has_changed_since_is_shown_as_it_is(shown):
    told = question_content(shown, a_day(last=answer(DAY - 1, "x", solved=False)), HERE)

    assert "You chose **`x`**" in told.head


def test_the_first_post_in_a_server_reveals_nothing(shown):
    first = post_content(shown, DAY, puzzle_of(DAY), None)

    assert "Yesterday" not in first.head
    assert "### Daily puzzle · July 1" in first.head


def test_a_reveal_shows_choices_and_names_people_only_with_streaks(shown):
    puzzle = puzzle_of(DAY - 1).puzzle
    right, wrong = puzzle.best[0], next(c.move for c in puzzle.choices if c.move not in puzzle.best)

    told = post_content(
        shown,
        DAY,
        puzzle_of(DAY),
        reveal(DAY - 1, {wrong: 3, right: 2}, *((n, 20 - n) for n in range(1, 11))),
    ).head

    assert "2 of 5 got it." in told
    assert told.index(" ✅: **2**") < told.index(": **3**")
    assert "🔥 Streaks: <@1> 19 days · <@2> 18 days" in told
    assert "<@8>" in told
    assert "<@9>" not in told
    assert "and 2 more" in told


@pytest.mark.parametrize(
    ("streaks", "others", "told"),
    [
        ([], 0, None),
        ([], 1, "🔥 1 streak continues."),
        ([], 3, "🔥 3 streaks continue."),
        ([(1, 5)], 3, "🔥 Streaks: <@1> 5 days · and 3 more"),
    ],
)
def test_streaks_of_people_who_cannot_be_named_are_counted(shown, streaks, others, told):
    counts = {puzzle_of(DAY - 1).puzzle.best[0]: 5}

    lines = post_content(
        shown, DAY, puzzle_of(DAY), reveal(DAY - 1, counts, *streaks, others=others)
    ).head.splitlines()

    assert [line for line in lines if "🔥" in line] == ([] if told is None else [told])


def test_many_different_choices_are_summarized(shown):
    day = next(d for d in range(DAY, DAY + 9) if len(puzzle_of(d).puzzle.choices) > 10)
    puzzle = puzzle_of(day)
    counts = {choice.move: 1 for choice in puzzle.puzzle.choices}

    told = post_content(shown, day + 1, puzzle_of(day + 1), reveal(day, counts)).head

    assert f"others: **{len(counts) - 8}**" in told
    assert question_content(shown, a_day(day), HERE).rows[0].options[0].value in counts


def test_a_streak_that_goes_on_over_a_day_that_rested_is_explained(shown):
    assert (
        "so your 5-day streak continues, wherever you answered."
        in question_content(shown, a_day(streak=5), HERE).head
    )
    assert "streak" not in question_content(shown, a_day(streak=1), HERE).head

    told = post_content(shown, DAY, puzzle_of(DAY), reveal(DAY - 1, {}, (3, 7))).head

    assert "Nobody here answered it.\n🔥 Streaks: <@3> 7 days" in told


def a_past(day, given=None):
    return PastPuzzle(day=day, first=DAY - 7, today=DAY, puzzle=puzzle_of(day), answer=given)


@pytest.mark.slow
def test_on_any_day_an_answer_with_its_position_fits_discord(shown):
    for i in range(len(calendar())):
        day = DAY - 1 - i
        past = PastPuzzle(
            day=day, first=day - 6, today=DAY, puzzle=puzzle_of(day), answer=answer(day, "x")
        )
        content = past_content(shown, past, HERE)

        assert shows_puzzles(past.puzzle.game).puzzle_reason(past.puzzle.puzzle) in content.foot
        assert len(words(content)) <= MAX_TEXT_LENGTH - 1024
        assert len(content.picture.alt) <= 1024


def test_a_past_puzzle_says_what_its_reader_chose_or_that_they_did_not(shown):
    right = puzzle_of(DAY - 1).puzzle.best[0]

    told = past_content(shown, a_past(DAY - 1, answer(DAY - 1, right)), HERE)
    assert told.head.startswith("### Yesterday's puzzle: the answer\n")
    assert told.foot.startswith("✅ Right! You chose **")
    assert past_content(shown, a_past(DAY - 2), HERE).foot.startswith(
        "You didn't answer this one.\n"
    )


@pytest.mark.parametrize(
    ("day", "turns"),
    [
        (DAY - 1, [("◀ Earlier", DAY - 2)]),
        (DAY - 4, [("◀ Earlier", DAY - 5), ("Later ▶", DAY - 3)]),
        (DAY - 7, [("Later ▶", DAY - 6)]),
    ],
)
def test_answers_of_one_week_can_be_paged_through(shown, day, turns):
    (row,) = past_content(shown, a_past(day), HERE).rows

    assert isinstance(row, tuple)
    *turned, todays = row
    assert [(button.label, button.press.step) for button in turned] == turns
    assert todays.label == "Today's puzzle"


def test_somebody_who_was_away_for_days_is_told_about_their_last_answer(shown):
    last = answer(DAY - 3, puzzle_of(DAY - 3).puzzle.best[0])

    told = question_content(shown, a_day(last=last, streak=4), HERE).head

    assert told.startswith("### The puzzle of June 28: the answer\n✅ Right!")
    assert "so your 4-day streak continues, wherever you answered." in told
    assert "in a row" not in told


def test_an_answer_that_had_to_wait_is_not_called_yesterdays(shown):
    told = post_content(shown, DAY, puzzle_of(DAY), reveal(DAY - 3, {})).head

    assert told.startswith("### The puzzle of June 28: the answer\n")


def test_a_puzzle_that_nobody_answered(shown):
    told = post_content(shown, DAY, puzzle_of(DAY), reveal(DAY - 1, {}))

    assert "Nobody here answered it." in told.head
