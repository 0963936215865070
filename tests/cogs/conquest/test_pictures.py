"""The pictures of Divide & Conquer (board): they show everything that the texts say."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.drawing import palette
from bot.drawing.canvas import MAX_PICTURE_HEIGHT, PHONE_PICTURE_WIDTH, PICTURE_WIDTH
from cogs.conquest import pictures
from cogs.conquest.alt_text import describe
from cogs.conquest.battalions import MARKS
from cogs.conquest.scene import Scene, scene_of
from games import Seat
from games.conquest import CONQUEST, LAYOUT, Battalion, Order, Redeployment, Reinforcement, Square
from games.conquest.battalions import in_play
from tests.support.conquest_snapshots import snapshots, states
from tests.support.conquest_states import BLUE, GREEN, RED, YELLOW, concede, play, position
from tests.support.pictures import canvas_of, opened, unreadable

drawing = settings(max_examples=15, deadline=None, derandomize=True)
MARGIN = 8
LEFT, TOP, SQUARE = 61, 60, 83
CELLS = (MARGIN, 898, PICTURE_WIDTH - MARGIN, MAX_PICTURE_HEIGHT - MARGIN)
SEEN_AT_LEAST = 27
"""The least size of a square on a phone, in pixels."""


def shown(state, seat=None):
    return Scene(view=CONQUEST.observe(state, seat))


def drawn(state, **changes):
    return opened(pictures.draw(replace(shown(state), **changes)))


def square_of(image, name):
    """The part of a picture that shows a square of the board."""
    row, column = LAYOUT.rows.index(name[0]), int(name[1:]) - 1
    left, top = LEFT + SQUARE * column, TOP + SQUARE * row
    return image.crop((left, top, left + SQUARE - 2, top + SQUARE - 2))


def amount(image, color):
    """The number of pixels with about this color."""
    plain = Image.new("RGB", image.size, color)
    far = ImageChops.difference(image, plain).convert("L").point(lambda value: 255 * (value < 6))
    return far.histogram()[255]


@drawing
@given(snapshots(), st.sampled_from(["", "0 E5", "supply none/none"]))
def test_every_position_has_a_picture_within_its_edges(onlook, draft):
    png = pictures.draw(scene_of(onlook, draft))

    assert unreadable(pictures.draw, scene_of(onlook, draft)) == []
    image = opened(png)
    inside = Image.new("L", image.size, 0)
    width, height = image.size
    inside.paste(255, (MARGIN, MARGIN, width - MARGIN, height - MARGIN))
    ground = Image.new("RGB", image.size, palette.GROUND)
    assert (width, height) == (PICTURE_WIDTH, MAX_PICTURE_HEIGHT)
    assert len(png) <= 60_000
    assert ImageChops.difference(Image.composite(ground, image, inside), ground).getbbox() is None


def test_the_squares_are_large_on_a_phone():
    assert SQUARE * PHONE_PICTURE_WIDTH / PICTURE_WIDTH > SEEN_AT_LEAST


def test_the_same_scene_gives_the_same_bytes():
    scene = shown(states(4, 0, 3)[20], Seat(1))

    assert pictures.draw(scene) == pictures.draw(pickle.loads(pickle.dumps(scene)))  # noqa: S301 - our own bytes


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_marks_and_headquarters_of_battalions_in_play_have_their_color(seats):
    table = drawn(position(seats, dict.fromkeys(Battalion, "")))

    for battalion in Battalion:
        marks = [square_of(table, square) for square in LAYOUT.marks(battalion)]
        found = {amount(mark, MARKS[battalion].color) > 400 for mark in marks}
        assert found == {battalion in in_play(seats)}


@pytest.mark.parametrize("battalion", Battalion)
def test_a_stack_has_the_color_of_its_battalion(battalion):
    table = drawn(position(4, {battalion: "C4:7"}))

    found = {other: amount(square_of(table, "C4"), MARKS[other].color) for other in Battalion}
    assert max(found, key=found.get) is battalion
    assert found[battalion] > 1200


def test_the_shapes_of_the_battalions_differ_without_their_colors():
    shapes = set()
    for battalion in Battalion:
        table = drawn(position(4, {battalion: "C4:1"}))
        square = square_of(table, "C4")
        plain = Image.new("RGB", square.size, MARKS[battalion].color)
        far = ImageChops.difference(square, plain).convert("L")
        shapes.add(far.point(lambda value: 255 * (value < 6)).tobytes())
    assert len(shapes) == len(Battalion)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("leaving", [False, True])
def test_the_number_10_does_not_cover_the_sign_of_the_battalion(seats, leaving):
    state = position(seats, {})
    scene = shown(concede(state, 1) if leaving else state)
    cells = len(in_play(seats))

    writings = canvas_of(pictures.draw, scene).writings

    rooms = [one.room for one in writings if one.text == "10" and one.room.top > CELLS[1]]
    image = opened(pictures.draw(scene))
    numbers = [image.crop((room.left, room.top, room.right, room.bottom)) for room in rooms]
    assert len(numbers) == cells
    assert unreadable(pictures.draw, scene) == []
    assert not any(amount(number, MARKS[b].color) for number in numbers for b in Battalion)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_bank_with_all_troops_has_room_next_to_the_objectives(seats):
    for battalion in in_play(seats):
        scene = shown(position(seats, {battalion: ""}))

        assert "+10" in {one.text for one in canvas_of(pictures.draw, scene).writings}
        assert unreadable(pictures.draw, scene) == []


EDGE = {RED: "E10:10", GREEN: "H10:10", BLUE: "A10:10", YELLOW: "C10:10"}


@pytest.mark.parametrize(
    ("seats", "orders"),
    [
        (2, ("E10-10-F10 / A10-10-B10", "C10-10-D10 / H10-10-I10")),
        (4, ("E10-10-F10", "H10-10-I10", "A10-10-B10", "C10-10-D10")),
    ],
)
def test_a_long_order_without_room_leaves_out_its_source(seats, orders):
    scene = shown(play(position(seats, EDGE), *orders))

    written = {one.text for one in canvas_of(pictures.draw, scene).writings}

    assert unreadable(pictures.draw, scene) == []
    assert {f"10\N{RIGHTWARDS ARROW}{name}10" for name in "BDFI"} <= written
    assert "E10-10-F10" not in written


def test_a_long_order_with_room_is_written_in_full():
    state = play(position(3, EDGE), "E10-10-F10", "H10-10-I10", "A10-10-B10")

    written = {one.text for one in canvas_of(pictures.draw, shown(state)).writings}

    assert {"E10-10-F10", "H10-10-I10", "A10-10-B10"} <= written


MET = {RED: "C4:10", GREEN: "C5:10"}


@pytest.mark.parametrize(
    ("equal", "choices"), [("bounce", ()), ("choice", ()), ("choice", ("hold",))]
)
def test_the_result_of_equal_numbers_has_room_next_to_the_defenders_sign(equal, choices):
    state = play(position(4, MET, equal=equal), "C4-10-C5", "pass", "pass", "pass")
    for choice in choices:
        state = play(state, choice)

    assert not [said for said in unreadable(pictures.draw, shown(state)) if "no room" in said]


def test_a_held_objective_has_a_golden_frame_and_a_golden_sign():
    free = drawn(position(4, {RED: "B9:4"}))
    held = drawn(position(4, {RED: "A9:4"}))
    passed = drawn(position(2, {BLUE: "A9:4"}))

    assert amount(square_of(held, "A9"), palette.GOLD) > 500
    assert amount(square_of(free, "A9"), palette.GOLD) == 0
    assert amount(square_of(passed, "A9"), palette.GOLD) == 0
    more = amount(held.crop(CELLS), palette.GOLD) - amount(free.crop(CELLS), palette.GOLD)
    assert more > 300


MARCH = play(position(3, {RED: "C4:3"}), "C4-3-C5", "pass", "pass")


def test_a_march_is_an_arrow_in_its_color_from_the_square_it_left():
    before = drawn(position(3, {RED: "C5:3"}))
    after = drawn(MARCH)

    assert amount(square_of(before, "C4"), MARKS[RED].color) == 0
    assert amount(square_of(after, "C4"), MARKS[RED].color) > 150
    assert amount(square_of(after, "C4"), palette.TEXT) > 100


@pytest.mark.parametrize("target", ["C4", "C6", "B4", "D6"])
def test_no_arrow_covers_the_number_of_ten_troops_that_marched(target):
    """A two-digit number is wide: an arrow to the side once left only the 1 readable."""
    stood = drawn(position(3, {RED: f"{target}:10"}))
    marched = drawn(play(position(3, {RED: "C5:10"}), f"C5-10-{target}", "pass", "pass"))

    digits = (18, 28, 62, 53)  # the middle of a square
    before, after = (square_of(image, target).crop(digits) for image in (stood, marched))

    assert amount(before, palette.ink_on(MARKS[RED].color)) > 100
    changed = ImageChops.difference(before, after).convert("L")
    assert changed.point(lambda value: 255 * (value > 40)).getbbox() is None


def test_a_battle_is_drawn_on_its_square():
    state = play(position(3, {RED: "C4:3", GREEN: "C5:3"}), "C4-3-C5", "pass", "pass")

    assert amount(square_of(drawn(state), "C5"), palette.RED_ON_DARK) > 300
    assert amount(square_of(drawn(MARCH), "C5"), palette.RED_ON_DARK) == 0


def test_the_owners_draft_replaces_the_arrows():
    plan = ((RED, Order(Square("C5"), 2, Square("D5"))),)
    next_turn = play(MARCH, "none")

    hand = drawn(next_turn, orders=plan)

    assert amount(square_of(drawn(next_turn), "C4"), MARKS[RED].color) > 150
    assert amount(square_of(hand, "C4"), MARKS[RED].color) == 0
    assert amount(square_of(hand, "D5"), palette.GOLD) > 150


def test_targets_are_dotted_and_the_square_is_framed():
    state = position(3, {RED: "C4:3 C3:1"})

    hand = drawn(state, source=Square("C4"), targets=(Square("B4"), Square("C3")))

    assert amount(square_of(hand, "C4"), palette.GOLD) > 500
    assert amount(square_of(hand, "B4"), palette.GOLD) > 150
    assert amount(square_of(hand, "C3"), palette.GOLD) > 150
    assert amount(square_of(hand, "B5"), palette.GOLD) == 0


FOUR = play(
    position(
        4,
        {RED: "D5:5 A9:1", GREEN: "D6:4 I10:2", BLUE: "C5:3 B10:1", YELLOW: "C4:3 J9:1"},
        first=GREEN,
        equal="bounce",
        redeployment=True,
    ),
    "D5-5-E4",
    "D6-4-D5",
    "C5-3-C4",
    "pass",
)
VIEW = CONQUEST.observe(FOUR, None)
MOVES = VIEW.current.movements


@pytest.mark.parametrize("troops", [1, 10])
def test_a_player_who_is_out_has_no_troops_in_the_picture(troops):
    state = concede(position(3, {RED: "A9:1", GREEN: f"D6:{troops}"}), 1)

    words = [one.text for one in canvas_of(pictures.draw, shown(state)).writings]

    assert "out" in words
    assert "left" not in words
    assert "square, out, HQ E6" in describe(shown(state))


def with_first(**changes):
    """The same reveal with another first order."""
    return {"current": replace(VIEW.current, movements=(replace(MOVES[0], **changes), *MOVES[1:]))}


ASKED = CONQUEST.observe(
    play(position(4, {RED: "D5:3", GREEN: "D6:3"}, equal="choice"), "D5-3-D6", *["pass"] * 3), None
)


@pytest.mark.parametrize(
    "changes",
    [
        {"seat": Seat(0)},
        {"seat": Seat(3)},
        {"order": (BLUE, YELLOW, RED, GREEN)},
        {"left": (Seat(1),)},
        {"banks": (1, 0, 0, 0)},
        {"board": ASKED.board},
        {"current": replace(VIEW.current, movements=MOVES[:3])},
        with_first(order=None, result="pass", conflict=None),
        with_first(order=Order(Square("D6"), 3, Square("D5"))),
        with_first(result="lapse", lapse="empty", conflict=None, moved=0),
        with_first(result="march", conflict=None),
        with_first(conflict=replace(MOVES[0].conflict, attackers_lost=3)),
        with_first(conflict=replace(MOVES[0].conflict, defender=BLUE)),
        {"contest": ASKED.contest},
        {"pending": (RED,)},
    ],
    ids=" ".join,
)
def test_everything_in_the_alt_text_is_in_the_picture(changes):
    scene, other = Scene(view=VIEW), Scene(view=replace(VIEW, **changes))

    assert pictures.draw(scene) != pictures.draw(other)
    assert describe(scene) != describe(other)


@pytest.mark.parametrize(
    "own",
    [
        {"orders": ((RED, None),)},
        {"orders": ((RED, Order(Square("A9"), 1, Square("B9"))),)},
        {"source": Square("A9")},
        {"source": Square("A9"), "targets": (Square("B9"),)},
        {"placements": ((RED, Reinforcement(Square("E5"))),)},
        {"placements": ((RED, Redeployment(Square("A9"))),)},
        {"signals": ((Seat(0), Seat(1)),)},
        {"signals": ((Seat(1), Seat(0)),)},
    ],
    ids=" ".join,
)
def test_every_draft_is_in_the_picture(own):
    scene, other = Scene(view=VIEW), Scene(view=VIEW, **own)

    assert pictures.draw(scene) != pictures.draw(other)
    assert describe(scene) != describe(other)


@pytest.mark.parametrize(
    ("state", "framed"),
    [
        (play(position(3, {RED: "A9:1 G10:1 J7:1 H1:7"}), "H1-7-I1", "pass", "pass"), [1, 0, 0]),
        (concede(position(3), 0, 1), [0, 0, 1]),
        (play(position(3, turn_limit=1), "pass", "pass", "pass"), [0, 0, 0]),
    ],
    ids=["won", "deserted", "draw"],
)
def test_the_winner_has_a_golden_frame(state, framed):
    table = drawn(state)

    lefts = [MARGIN + i * (884 + 8) // 3 for i in range(3)]
    edges = [table.crop((left, 915, left + 5, 1025)) for left in lefts]
    assert [amount(edge, palette.GOLD) > 100 for edge in edges] == [bool(n) for n in framed]


def test_the_legend_uses_the_manuals_word_for_the_initiative():
    written = {one.text for one in canvas_of(pictures.draw, shown(position(3), 0)).writings}

    assert {"initiative", "troops", "objectives", "in the bank"} <= written
