"""Every lesson as it is shown, and what all lessons have in common."""

import re

import pytest

import games
from bot import codec
from bot.errors import ButtonError
from bot.lessons.exercise import LEARNER, Answer, snapshot_in, state_after
from bot.lessons.progress import Bookmark
from bot.matches.levels import levels_of
from bot.messaging.components import Button, Section
from bot.messaging.content import MAX_TEXT_LENGTH
from bot.rendering.challenge_form import ChallengeForm, computer_form
from bot.rendering.lessons import (
    Page,
    answer_content,
    exercise_content,
    lessons,
    lessons_content,
    must_have_lesson,
    solves,
)
from cogs.pico.presentation import PicoPresentation
from games import GAMES
from games.computers import COMPUTERS
from tests.support.odds_and_evens import ODDS
from tests.support.presentations import PRESENTATIONS, presentations

LINE = 51
"""The number of letters in a line of a message on a phone."""

EXERCISES = [
    pytest.param(game, i, id=f"{game} {exercise.key}")
    for game, presentation in PRESENTATIONS.items()
    for i, exercise in enumerate(presentation.lesson)
]
every_exercise = pytest.mark.parametrize(("game", "number"), EXERCISES)


def page(game, number):
    return Page.of(presentations(), game, number)


def buttons(content):
    rows = [row for row in content.rows if isinstance(row, tuple)]
    return [button for row in rows for button in row if isinstance(button, Button)]


def answered(game, number, first_match=None):
    """The content after each answer."""
    shown = page(game, number)
    return [answer_content(shown, answer, first_match) for answer in shown.exercise.answers]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_lesson_of_four_to_eight_exercises(game):
    lesson = PRESENTATIONS[game].lesson
    keys = [exercise.key for exercise in lesson]

    assert 4 <= len(lesson) <= 8
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch(r"[a-z]{1,12}", key) for key in keys)


@every_exercise
def test_a_position_is_valid_in_the_rules_and_the_learner_is_asked(game, number):
    rules, exercise = GAMES[game], page(game, number).exercise

    assert LEARNER in rules.awaiting(exercise.state)
    assert codec.decode(rules.state, codec.encode(exercise.state)) == exercise.state


@every_exercise
def test_the_answers_are_legal_moves_in_the_notation_of_the_game(game, number):
    rules, exercise = GAMES[game], page(game, number).exercise

    for answer in exercise.answers:
        move = rules.parse(answer.move)
        rules.check(exercise.state, LEARNER, move)  # a list of legal moves need not be complete
        assert str(move) == answer.move


@every_exercise
def test_one_answer_is_right_and_the_others_are_explained(game, number):
    shown = page(game, number)
    right = [solves(shown, answer) for answer in shown.exercise.answers]

    assert 2 <= len(right) <= 4
    assert right.count(True) == 1
    assert all(answer.says for answer in shown.exercise.answers)


def test_the_right_answer_is_not_always_in_the_same_place():
    for presentation, game in zip(PRESENTATIONS.values(), PRESENTATIONS, strict=True):
        places = {
            [solves(page(game, i), a) for a in exercise.answers].index(True)
            for i, exercise in enumerate(presentation.lesson)
        }
        assert len(places) > 1, game


@every_exercise
def test_an_exercise_has_a_button_for_each_answer_that_parses_back(game, number):
    shown = page(game, number)
    content = exercise_content(shown)
    offered = [button for button in buttons(content) if button.press.act == "answer"]

    assert len({button.label for button in offered}) == len(shown.exercise.answers)
    assert all(len(button.label) <= 34 for button in offered)
    moves = [button.press.parse(str(button.press)).arg.split(" ", 2)[2] for button in offered]
    assert moves == [answer.move for answer in shown.exercise.answers]


@every_exercise
def test_a_wrong_answer_can_be_tried_again_and_the_right_one_leads_on(game, number):
    shown = page(game, number)

    for answer in shown.exercise.answers:
        ways = [b.label for b in buttons(answer_content(shown, answer, None))]
        if not solves(shown, answer):
            assert ways == ["Try again", "All lessons", "Rules"]
        elif shown.is_last:
            assert ways == ["All lessons", "Rules"]
        else:
            assert ways == ["Next", "All lessons", "Rules"]


@every_exercise
def test_texts_are_short_enough_for_a_phone(game, number):
    """The text of an exercise, its question, and what an answer says: a few lines each."""
    exercise = page(game, number).exercise

    assert len(exercise.text) <= 4 * LINE
    assert len(exercise.question) <= 2 * LINE
    assert all(len(answer.says) <= 3 * LINE for answer in exercise.answers)


@every_exercise
def test_a_message_also_fits_in_words(game, number):
    for content in (exercise_content(page(game, number)), *answered(game, number)):
        told = content.in_words()
        assert told.picture is None
        assert len(told.head) + len(told.foot) <= MAX_TEXT_LENGTH


@every_exercise
def test_an_answer_addresses_the_learner_and_never_speaks_about_them(game, number):
    heads = [content.head for content in answered(game, number)]

    assert not [head for head in heads if "<@" in head]
    assert not [head for head in heads if re.search(r"\b[Yy]ou ((?!pass\b)\w)+s\b", head)]


@pytest.mark.parametrize(
    ("game", "number", "said"),
    [
        ("pico", 0, "9 beats 7. You score 3 dots."),
        ("duel", 0, "You score a point."),
        ("conquest", 2, "Turn 12 was revealed, \N{LARGE RED CIRCLE} yours first:"),
        ("conquest", 5, "\N{LARGE BLUE DIAMOND} Your D6-4-D5 lapses: your partner is on D5."),
        ("prize", 1, "Robin takes one of your tiles as a prize."),
        ("prize", 4, "**You win**: all numbers"),
        ("spite", 0, "You played **5** onto f1 from the stock."),
    ],
)
def test_what_happened_is_described_to_the_learner(game, number, said):
    assert any(said in content.head for content in answered(game, number))


@every_exercise
@pytest.mark.slow
def test_every_position_can_be_drawn_before_and_after(game, number):
    for content in (exercise_content(page(game, number)), *answered(game, number)):
        picture = content.picture
        assert picture.draw(picture.subject).startswith(b"\x89PNG")


@every_exercise
def test_an_answer_shows_a_different_position_than_the_question(game, number):
    asked = exercise_content(page(game, number))

    assert all(told.picture.file != asked.picture.file for told in answered(game, number))


@pytest.mark.parametrize("game", GAMES)
def test_the_end_of_a_lesson_offers_a_match_against_the_easiest_computer(game):
    form = computer_form(game, is_new=True)
    contents = answered(game, len(PRESENTATIONS[game].lesson) - 1, form)
    (right,) = [content for content in contents if "✅" in content.head]
    (play,) = [b for b in buttons(right) if b.label == "Play against a beginner"]

    assert play.press.act == "send"
    assert ChallengeForm.parse(play.press.arg) == form
    assert form.level == levels_of(game)[0].key == "beginner"
    assert GAMES[game].title in right.foot


def test_the_weakest_level_is_offered(monkeypatch):
    weakest, *others = COMPUTERS["pico"].levels
    monkeypatch.setattr(type(COMPUTERS["pico"]), "levels", tuple(others))

    assert computer_form("pico", is_new=True).level == others[0].key != weakest.key


def test_the_list_says_how_far_somebody_has_come():
    bookmarks = {
        **dict.fromkeys(GAMES, Bookmark()),
        "duel": Bookmark(2),
        "conquest": Bookmark(0, done=True),
        "prize": Bookmark(3, done=True),
    }

    expected = {
        "**Pico** · 6 steps": "Start",
        "**Divide and Conquer (tiles)** · step 3 of 6 is next": "Continue",
        "**Divide & Conquer (board)** · 6 steps, done ✓": "Again",
        "**Prize Dominoes** · done ✓ · step 4 of 5 is next": "Continue",
    }

    rows = lessons_content(presentations(), bookmarks).rows
    told = {row.text: row.accessory.label for row in rows if isinstance(row, Section)}

    assert len(told) == len(GAMES)
    assert expected.items() <= told.items()


class WithoutLesson(PicoPresentation):
    lesson = ()


def test_a_game_without_a_lesson_is_in_no_list_and_says_so(monkeypatch):
    monkeypatch.setitem(games._GAMES, ODDS.key, ODDS)
    loaded = presentations()
    loaded[ODDS.key] = WithoutLesson()

    assert set(lessons(loaded)) == set(PRESENTATIONS)
    with pytest.raises(ButtonError, match="no lesson for Odds and Evens yet"):
        must_have_lesson(loaded, ODDS.key)
    with pytest.raises(ButtonError, match="don't know that game"):
        must_have_lesson(loaded, "chess")


@pytest.mark.parametrize("place", ["gone", "", 99, -1])
def test_an_exercise_that_no_longer_exists_is_refused_with_a_way_to_continue(place):
    with pytest.raises(ButtonError, match="Use `/learn`"):
        page("pico", place)


def test_an_answer_that_no_longer_exists_is_refused_with_a_way_to_continue():
    with pytest.raises(ButtonError, match="lesson has changed"):
        page("pico", 0).exercise.answer("16")


def test_an_answer_is_played_by_the_rules_only():
    exercise = page("pico", 0).exercise
    illegal = Answer(move="16", says="", replies=({1: "12"},))

    with pytest.raises(ValueError, match="don't have the 12"):
        state_after(GAMES["pico"], exercise, illegal)


def test_the_learner_sees_the_view_of_their_seat():
    prize = page("prize", 0).exercise
    snapshot = snapshot_in(GAMES["prize"], prize, prize.state)

    assert snapshot.view.hands[1] is None
    assert snapshot.view == GAMES["prize"].observe(prize.state, LEARNER)
