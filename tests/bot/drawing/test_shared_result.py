"""The picture of a shared result can be read on a phone, and without seeing colors."""

from dataclasses import replace

import pytest

from bot.drawing.box import Box
from bot.drawing.canvas import PICTURE_WIDTH
from bot.drawing.palette import GOLD
from bot.drawing.seats import MARKS
from bot.drawing.shared_result import _DASHES, ResultPicture, Side, TurningPoint, _strokes, draw
from tests.support.pictures import canvas_of, extent, opened, unreadable

NOTES = ("12 in a row", "out of time", "shared", "draw")
LONG = TurningPoint(
    step=299,
    lines=(
        "Turning point: step 299, -100%",
        "chose discard two 9s onto d2;",
        "better: WWWWWWWW from a pile",
        "onto a new foundation",
    ),
)


def picture(seats=2, steps=12, most=6, turn=None):
    """A result in which the seats score in turn until each has the maximum."""
    changes = [(0, (0,) * seats)]
    for step in range(1, steps + 1):
        points = list(changes[-1][1])
        points[step % seats] = min(most, points[step % seats] + 1)
        changes.append((step, tuple(points)))
    sides = tuple(
        Side(
            mark=MARKS[i],
            score=str(changes[-1][1][i]),
            note=NOTES[i],
            rating="1512? → 1524?",
            won=i in {0, 2},
            own=i == seats - 1,
        )
        for i in range(seats)
    )
    return ResultPicture(
        title="Divide and Conquer (tiles)",
        counts="numbers among the prizes",
        steps=steps,
        changes=tuple(changes),
        sides=sides,
        turn=turn,
    )


@pytest.mark.parametrize(
    "shown",
    [
        picture(),
        picture(seats=4, steps=300, most=104, turn=LONG),
        picture(seats=3, steps=0),
        picture(seats=4, steps=5, most=1, turn=replace(LONG, step=5)),
        replace(picture(turn=replace(LONG, lines=LONG.lines[:1], step=1)), changes=()),
    ],
    ids=["short", "long", "at once", "level", "without a score"],
)
def test_every_text_can_be_read_on_a_phone(shown):
    assert unreadable(draw, shown) == []


def test_lines_differ_without_colors():
    assert len(set(_DASHES)) == len(_DASHES) >= 4
    path = ((0, 0), (100, 0), (100, 50))

    drawn = [tuple(_strokes(path, dashes)) for dashes in _DASHES]

    assert len(set(drawn)) == len(drawn)
    assert drawn[0] == (((0, 0), (100, 0)), ((100, 0), (100, 50)))


def test_the_own_seat_the_turning_point_and_the_scores_are_drawn():
    texts = [writing.text for writing in canvas_of(draw, picture(turn=LONG)).writings]

    assert texts.count("!") == 2  # in the chart and beside the words
    assert texts.count("6") == 5  # at the axis, at the ends of the lines, and in the rows
    assert {"12 steps", "numbers among the prizes", *LONG.lines} <= set(texts)


@pytest.mark.parametrize("seat", range(4))
def test_a_winner_has_a_crown_and_the_word_in_its_color(seat):
    """Beside mark and score, even if there is nothing else to say."""
    plain = picture(seats=4)
    sides = tuple(
        replace(side, won=i == seat, note="", own=False) for i, side in enumerate(plain.sides)
    )
    shown = replace(plain, changes=(), sides=sides)

    row = Box(150, 94, 220, 64).moved(0, 78 * seat)  # right of the score
    crown = extent(opened(draw(shown)), GOLD, (150, 0, 370, 420))

    assert row.top <= crown[1] < crown[3] <= row.bottom
    assert [one.text for one in canvas_of(draw, shown).writings].count("won") == 1


def test_a_turning_point_at_the_end_hides_no_mark():
    shown = picture(seats=4, steps=5, most=1, turn=replace(LONG, step=5))

    writings = canvas_of(draw, shown).writings

    sign = next(one.room for one in writings if one.text == "!")
    marks = [one.room for one in writings if one.room.left > sign.left and one.room.top < 400]
    assert len([mark for mark in marks if mark.width == 46]) == 4
    assert sign.right <= min(mark.left for mark in marks if mark.width == 46)


def test_a_picture_has_the_width_of_all_others():
    assert opened(draw(picture())).width == PICTURE_WIDTH
