"""Shared results in words: for every game, with everything in its picture, and without secrets."""

from dataclasses import replace
from itertools import pairwise

import pytest

from bot.computers.coach import ChoiceReview, Study
from bot.drawing.shared_result import draw
from bot.matches.courses import course_of
from bot.messaging.content import MAX_TEXT_LENGTH
from bot.rendering.shares import shared_content, studying_content
from bot.sharing.results import SharedResult
from bot.storage import ChangeRecord
from bot.storage.records import Spot
from games import GAMES, Seat
from games.chance import Chance
from tests.support.histories import by_lot
from tests.support.pictures import unreadable
from tests.support.presentations import PRESENTATIONS, keeps_score
from tests.support.snapshots import HUGE, snapshot

CHANGE = ChangeRecord(before=1512, after=1524, nth=3)
TURNING = {
    "pico": ("13", "2"),
    "duel": ("9", "1"),
    "prize": ("6-4 right", "draw"),
    "spite": ("d2>new", "s>f1"),
    "conquest": ("E5-9-D4", "E5-10-E4"),
}


def over(game, history, state):
    """The snapshot of the second seat of a rated match that is over."""
    first = GAMES["pico"].setup(GAMES["pico"].presets["standard"], history.seats, Chance("", 0))
    any_game = snapshot("pico", first, seat=1, seats=history.seats)
    return replace(
        any_game,
        game=game,
        options=history.options,
        status="over",
        view=GAMES[game].observe(state, Seat(1)),
        outcome=GAMES[game].outcome(state),
        seats=tuple(replace(info, change=CHANGE) for info in any_game.seats),
    )


@pytest.fixture(params=GAMES, scope="module")
def shared(request):
    """A result of each game with everything that can be shared, and the final state."""
    game = request.param
    history, state = by_lot(game)
    chosen, better = TURNING[game]
    return result_of(
        over(game, history, state),
        course=course_of(history, keeps_score(game).points),
        turning=ChoiceReview(step=1, when="Turn 1", move=chosen, better=better, cost=0.234),
    ), state


def result_of(snapshot, *, course, turning=None):
    return SharedResult(
        snapshot=snapshot,
        user=HUGE - 1,
        course=course,
        turning=turning,
        streak=12,
        table=Spot(HUGE, HUGE),
        unrated=frozenset(),
    )


def content_of(result):
    return shared_content(result, PRESENTATIONS[result.snapshot.game])


def test_the_picture_can_be_read_and_its_alt_text_says_everything_in_it(shared):
    result, _ = shared
    content = content_of(result)
    alt = content.picture.alt

    assert unreadable(draw, content.picture.subject) == []
    assert len(alt) <= 1024
    assert GAMES[result.snapshot.game].title in alt
    assert alt.count("1512? → 1524?") == len(result.snapshot.seats)
    who = PRESENTATIONS[result.snapshot.game].marks[1].name
    assert f"Turning point, step 1: {who} chose " in alt
    assert " was 23% better." in alt
    assert "-".join(map(str, result.course.changes[-1][1])) in alt
    assert all(mark.name.capitalize() in alt for mark in _marks(result))
    assert len(content.in_words().head + content.in_words().foot) <= MAX_TEXT_LENGTH


def _marks(result):
    return PRESENTATIONS[result.snapshot.game].marks[: len(result.snapshot.seats)]


def test_the_message_says_who_shares_it_and_how_it_went(shared):
    result, _ = shared
    content = content_of(result)

    assert f"-# Shared by <@{HUGE - 1}>" in content.foot
    assert f"**Turning point**, turn 1 (step 1): <@{HUGE - 1}> chose " in content.foot
    assert "was 23% better, says the coach." in content.foot
    assert "🔥 12 wins in a row" in content.foot
    assert "📈 Ratings: " in content.foot
    assert [button.label for row in content.rows for button in row] == ["Replay", "Table"]


def test_secrets_of_other_players_change_nothing(shared):
    """People who share see their own hand, but only what everybody sees is shared."""
    result, state = shared
    game = result.snapshot.game
    everybody = GAMES[game].observe(state, None)

    public = content_of(replace(result, snapshot=replace(result.snapshot, view=everybody)))

    assert public == content_of(result)


def test_a_result_with_less_information_says_less(shared):
    result, _ = shared
    bare = replace(
        result,
        course=None,
        turning=None,
        streak=0,
        table=None,
        unrated=frozenset({HUGE}),
    )

    content = content_of(bare)

    assert "Turning" not in content.foot + content.picture.alt
    assert "in a row" not in content.foot + content.picture.alt
    assert content.picture.alt.count("→") == len(result.snapshot.seats) - 1
    assert unreadable(draw, content.picture.subject) == []


@pytest.mark.parametrize(
    ("ranks", "told"),
    [((2, 1), ("", "won, 12 in a row, ")), ((1, 1), ("draw, ", "draw, "))],
    ids=["won", "draw"],
)
def test_the_picture_says_who_has_won(shared, ranks, told):
    result, _ = shared
    ended = replace(result.snapshot.outcome, ranks=ranks)
    two = replace(result.snapshot, outcome=ended, seats=result.snapshot.seats[:2])

    picture = content_of(replace(result, snapshot=two)).picture

    assert [side.won for side in picture.subject.sides] == [rank < max(ranks) for rank in ranks]
    for note in told:
        assert f", {note}1512? → 1524?" in picture.alt


@pytest.mark.parametrize(("ending", "end"), [(None, (True, "shared")), ("draw", (False, "draw"))])
def test_a_shared_win_is_shown_as_shared_and_an_agreed_draw_as_a_draw(ending, end):
    plain, rules = over("conquest", *by_lot("conquest")), GAMES["conquest"]
    outcome = replace(plain.outcome, ranks=(3, 1, 1))
    view = rules.observe(rules.setup(plain.options, 3, Chance("", 0)), Seat(1))
    three = replace(
        plain,
        view=replace(view, outcome=outcome),
        outcome=outcome,
        ending=ending,
        seats=(*plain.seats, plain.seats[0]),
    )

    subject = content_of(result_of(three, course=None)).picture.subject

    assert [(side.won, side.note) for side in subject.sides] == [(False, ""), end, end]


def test_a_player_who_left_is_shown_with_how_they_left(shared):
    result, _ = shared
    game = result.snapshot.game
    whys = {None: "resigned", "time": "out of time", "unseated": "removed"}
    lost = replace(result.snapshot.outcome, ranks=(2, 1, *([3] * (len(result.snapshot.seats) - 2))))

    for why, word in whys.items():
        gone = replace(result.snapshot.seats[0], left=True, left_why=why)
        snapshot = replace(result.snapshot, outcome=lost, seats=(gone, *result.snapshot.seats[1:]))
        content = content_of(replace(result, snapshot=snapshot))
        assert f", {word}, 1512" in content.picture.alt, game
        assert unreadable(draw, content.picture.subject) == []


def test_a_turning_point_is_described_in_as_many_words_as_fit(shared):
    result, _ = shared
    who = PRESENTATIONS[result.snapshot.game].marks[1].name
    lines = replace(result.turning, move="a" * 20, better="b" * 20)
    too_long = replace(result.turning, move="a" * 60, better="b" * 60)

    told = content_of(replace(result, turning=lines)).picture.alt
    short = content_of(replace(result, turning=too_long)).picture.alt

    assert told.endswith(f": {who} chose {'a' * 20}; {'b' * 20} was 23% better.")
    assert short.endswith(f" Turning point, step 1: {who} gave up 23%.")


def test_a_long_course_is_described_at_even_intervals(shared):
    result, _ = shared
    changes = tuple((step, (step, 0)) for step in range(500))
    course = replace(result.course, changes=changes, steps=499)
    two = replace(result, snapshot=replace(result.snapshot, seats=result.snapshot.seats[:2]))

    alt = content_of(replace(two, course=course)).picture.alt

    told = [
        int(part.split(":")[0]) for part in alt.split("some of them: ")[1].split(".")[0].split("; ")
    ]
    assert told[0] == 0
    assert told[-1] == 499
    assert len({b - a for a, b in pairwise(told[:-1])}) == 1
    assert len(alt) <= 1024


def test_progress_of_the_coach_is_shown_even_with_one_choice():
    study = Study(snapshot=None, total=1, checked=0)

    assert studying_content(study).head.endswith("your turning point: 0 of 1 …")
