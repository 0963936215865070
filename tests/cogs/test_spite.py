"""The desk and the table of Spite and Malice: within Discord's limits, and every move in reach."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import ChallengeError
from bot.messaging.components import Select
from bot.messaging.content import Layout
from bot.rendering import render
from bot.rendering.presentation import ChoiceMenu, Presentations
from cogs.spite.options import FORCED, FOUNDATIONS, JOKERS, SCORING, VARIANTS, agreed, named
from cogs.spite.presentation import SpitePresentation
from games.core import Seat
from games.spite import SPITE, Options
from tests.games.spite_positions import A, B, position, side
from tests.support import spite_snapshots
from tests.support.snapshots import controls_of, question_of
from tests.support.spite_snapshots import NAMES, URL, WORST, seats, snapshot, states

SHOWN = SpitePresentation()
PRESENTATIONS = Presentations()
PRESENTATIONS.add("spite", SHOWN)

many = settings(max_examples=150, deadline=None, derandomize=True)
some = settings(max_examples=60, deadline=None, derandomize=True)
worst = pytest.mark.parametrize("state", WORST.values(), ids=WORST)


def choices(onlook, draft):
    """All that a desk offers with this draft."""
    found = []
    for control in controls_of(SHOWN, onlook, draft):
        found += control.choices if isinstance(control, ChoiceMenu) else control
    return found


def explored(onlook):
    """What the desk offers with each draft that can be come to, from none on."""
    seen, waiting = {}, [""]
    while waiting:
        draft = waiting.pop()
        if draft not in seen:
            seen[draft] = choices(onlook, draft)
            waiting += [choice.move for choice in seen[draft] if choice.draft]
    return seen


def assert_fits(onlook, draft):
    shown = render(onlook, PRESENTATIONS, URL, draft)
    layout = Layout(shown, "attachment://x.png")
    assert layout.total_children_count <= 40
    assert 1 <= layout.content_length() <= 4000
    assert len(SHOWN.story(onlook, NAMES)) <= 1800
    assert len(SHOWN.score(onlook, NAMES)) <= 500
    assert len(question_of(SHOWN, onlook, draft)) <= 500
    assert 1 <= len(SHOWN.picture(onlook, draft).alt) <= 1024
    assert len(SHOWN.picture(onlook, draft).file) <= 100
    if onlook.status == "over":
        assert len(SHOWN.result(onlook, NAMES)) <= 300
    controls = controls_of(SHOWN, onlook, draft)
    assert len(controls) <= 4
    assert sum(1 if isinstance(c, ChoiceMenu) else len(c) for c in controls) <= 15
    ids = []
    for row in shown.rows:
        ids += [str(b.press) for b in ((row,) if isinstance(row, Select) else row) if fits(b)]
    assert len(ids) == len(set(ids))
    assert all(len(custom_id) <= 100 for custom_id in ids)


def fits(part):
    """Whether a button or select is as Discord wants it; whether it has a custom_id."""
    if isinstance(part, Select):
        assert 1 <= len(part.options) <= 25
        assert len({option.value for option in part.options}) == len(part.options)
        assert all(1 <= len(option.label) <= 100 for option in part.options)
        assert all(len(str(part.press.picked(option.value))) <= 100 for option in part.options)
        return True
    assert 1 <= len(part.label) <= 38  # longer ones are cut on a phone
    return hasattr(part, "press")


@many
@given(states(), seats)
def test_every_look_fits_a_message(state, seat):
    onlook = snapshot(state, seat)

    for draft in explored(onlook):
        assert_fits(onlook, draft)


@worst
@pytest.mark.parametrize("seat", [None, A, B], ids=["table", "on turn", "waiting"])
def test_the_fullest_positions_fit_a_message(state, seat):
    onlook = snapshot(state, seat)

    for draft in explored(onlook):
        assert_fits(onlook, draft)


@many
@given(states())
def test_every_legal_move_can_be_reached_and_no_other(state):
    onlook = snapshot(state, state.on_turn)

    reached = {c.move for offered in explored(onlook).values() for c in offered if not c.draft}

    assert reached == {str(move) for move in onlook.legal}


@worst
def test_every_legal_move_of_the_fullest_positions_can_be_reached(state):
    onlook = snapshot(state, A)

    reached = {c.move for offered in explored(onlook).values() for c in offered if not c.draft}

    assert reached == {str(move) for move in onlook.legal}


@some
@given(states())
def test_no_move_takes_more_than_three_taps(state):
    """The card, how many of it, and where to."""
    onlook = snapshot(state, state.on_turn)
    first = choices(onlook, "")
    second = [c for choice in first if choice.draft for c in choices(onlook, choice.move)]
    third = [c for choice in second if choice.draft for c in choices(onlook, choice.move)]

    reached = {c.move for c in (*first, *second, *third) if not c.draft}

    assert reached == {str(move) for move in onlook.legal}


@some
@given(states())
def test_a_card_with_one_target_is_played_by_one_tap(state):
    onlook = snapshot(state, state.on_turn)
    plays = [move for move in onlook.legal if move.kind == "play"]
    sources = [move.source for move in plays]

    at_once = {c.move for c in choices(onlook, "") if not c.draft}

    assert at_once >= {str(move) for move in plays if sources.count(move.source) == 1}


@some
@given(states(), st.text(max_size=12) | st.sampled_from(["play K", "drop 9 3", "play d9", "drop"]))
def test_a_draft_that_means_nothing_counts_as_none(state, draft):
    onlook = snapshot(state, state.on_turn)
    if draft not in explored(onlook):
        assert controls_of(SHOWN, onlook, draft) == controls_of(SHOWN, onlook)
        assert question_of(SHOWN, onlook, draft) == question_of(SHOWN, onlook)


@some
@given(states(), seats)
def test_a_draft_never_changes_the_picture(state, seat):
    """So that Discord has it already, and the desk is answered without drawing."""
    onlook = snapshot(state, seat)

    assert {SHOWN.picture(onlook, d).file for d in explored(onlook)} == {
        SHOWN.picture(onlook, "").file
    }


@some
@given(states())
def test_there_is_nothing_to_tap_on_the_table_or_out_of_turn(state):
    other = Seat(1 - state.on_turn)

    assert controls_of(SHOWN, snapshot(state, None)) == []
    assert SHOWN.controls(snapshot(state, other), "") == []
    assert SHOWN.taps(snapshot(state, None)) == ()


def rows_of(state, draft=""):
    return [
        [choice.label for choice in control]
        for control in SHOWN.controls(snapshot(state, A), draft)
    ]


def test_the_cards_of_the_table_come_first_then_the_hand_then_what_is_discarded():
    state = position(
        side(stock="9 4", hand="A 4 9", d1="8", d2="A", d4="K"), piles=("A 2 3", "A 2")
    )

    assert rows_of(state) == [
        ["Stock 4 → f1", "D2 A → new", "D4 K → …"],
        ["A → new", "4 → f1"],
        ["Discard A …", "Discard 4 …", "Discard 9 …"],
    ]


def test_the_draw_comes_before_all():
    state = position(side(stock="9 A", hand="9 9"), source="7 7", strict_draw=True)

    assert rows_of(state) == [["Draw 2 cards"], ["Stock A → new"], ["Discard 9 \u00d72 …"]]


def test_a_wild_card_says_what_it_counts_as():
    state = position(side(hand="K 9", d1="*"), piles=("A 2 3", "A"), jokers="with-kings")

    assert rows_of(state, "play K")[0] == ["f1 as 4", "f2 as 2", "new as A"]
    assert rows_of(state, "play d1")[0] == ["f1 as 4", "f2 as 2", "new as A"]


def test_a_wild_card_with_one_target_says_what_it_counts_as():
    assert rows_of(position(side(hand="K 9")))[0] == ["K as A → new"]


def test_more_than_ten_targets_become_a_menu():
    state = WORST["twenty foundations and a joker in every place"]

    menu, back = SHOWN.controls(snapshot(state, A), "play stock")

    assert isinstance(menu, ChoiceMenu)
    assert len(menu.choices) == 21
    assert [choice.label for choice in back] == ["Back"]


def test_the_piles_say_what_lies_on_them():
    state = position(side(hand="9 9 9", d1="8 *", d3="10"), jokers="with-kings")

    assert rows_of(state, "drop 9 2") == [
        ["9", "✓ 9 \u00d72", "9 \u00d73"],
        ["d1, on joker", "d2, empty", "d3, on 10", "d4, empty"],
        ["Back"],
    ]


QUESTIONS = {
    "a turn": (position(side(hand="A 9")), "**Your turn.** Play as many cards as you like"),
    "no play": (position(side(hand="9 J")), "**Discard to end your turn:** no card of yours fits"),
    "forced ace": (
        position(side(hand="A 9"), forced="aces"),
        "you may not discard while an ace can be played",
    ),
    "forced two": (
        position(side(hand="2 9"), piles=("A",), forced="aces-and-twos"),
        "you may not discard while an ace or a two can be played",
    ),
    "empty hand": (
        position(side(d1="A"), source=""),
        "your hand is empty and there is nothing to draw",
    ),
    "draw": (position(side(hand="A 9"), strict_draw=True), "**Draw first?**"),
}


@pytest.mark.parametrize(("state", "words"), QUESTIONS.values(), ids=QUESTIONS)
def test_the_desk_says_what_is_asked(state, words):
    assert words in SHOWN.question(snapshot(state, A), "")


def test_the_desk_of_the_other_seat_says_who_is_on_turn():
    assert SHOWN.question(snapshot(position(side(hand="A")), B), "") == (
        f"{SHOWN.badge(0)} is on turn. Your desk follows."
    )


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        ("play K", "**Where does the K go?** It counts as what the foundation needs."),
        ("play stock", "**Where does the 2 from your stock go?**"),
        ("play d1", "**Where does the K from d1 go?** It counts as what the foundation needs."),
        ("drop 9 2", "**Onto which pile do you discard 9 \u00d72?** That ends your turn."),
    ],
)
def test_the_desk_asks_where_a_card_goes_that_was_taken_up(draft, words):
    state = position(side(stock="9 2", hand="K 9 9", d1="K"), piles=("A", "A"))

    assert SHOWN.question(snapshot(state, A), draft) == words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(), "stocks of 26"),
        (SPITE.presets["short"], "short, stocks of 20"),
        (SPITE.presets["quick"], "quick, stocks of 13"),
        (Options(stock=7), "stocks of 7"),
        (Options(foundations=3, forced="aces"), "stocks of 26, at most 3 foundations, forced aces"),
        (Options(forced="aces-and-twos"), "stocks of 26, forced aces and twos"),
        (Options(jokers="with-kings"), "stocks of 26, jokers and kings wild"),
        (Options(jokers="instead"), "stocks of 26, only jokers wild"),
        (Options(strict_draw=True), "stocks of 26, strict draw"),
        (Options(scoring="games"), "stocks of 26, first to 3 games"),
        (Options(scoring="games", target=1), "stocks of 26, first to 1 game"),
        (
            Options(scoring="points", target=50, game_limit=4),
            "stocks of 26, first to 50 points, at most 4 games",
        ),
        (Options(turn_limit=40), "stocks of 26, at most 40 turns a game"),
    ],
    ids=str,
)
def test_the_title_names_what_was_agreed_upon(options, words):
    assert SHOWN.variant(options) == words


def test_the_longest_title_fits_its_line():
    options = Options(
        foundations=3,
        forced="aces-and-twos",
        jokers="with-kings",
        strict_draw=True,
        scoring="points",
        target=100,
        turn_limit=5000,
        game_limit=500,
    )

    assert len(named(options)) <= 200


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("variant", VARIANTS),
        ("foundations", FOUNDATIONS),
        ("forced", FORCED),
        ("jokers", JOKERS),
        ("scoring", SCORING),
    ],
)
def test_every_choice_of_the_command_can_be_played(name, keys):
    found = [agreed(**{"variant": None, name: key}) for key in keys]

    assert len(set(found)) == len(keys)


def test_the_presets_are_all_offered():
    assert set(VARIANTS) == set(SPITE.presets)
    assert {agreed(key) for key in VARIANTS} == set(SPITE.presets.values())


def test_a_wish_goes_before_the_preset():
    assert agreed("quick", stock=9, strict_draw=False) == Options(stock=9)


def test_wishes_that_do_not_go_together_are_refused_with_a_sentence():
    with pytest.raises(ChallengeError, match=r"^A single game has no target; score by games or"):
        agreed(None, target=3)


def hidden_otherwise(state):
    """The same to everybody's eyes: stocks, hands, the source and the cards aside differ."""
    sides = tuple(
        replace(
            one,
            stock=("Q",) * (len(one.stock) - 1) + one.stock[-1:],
            hand=("3",) * len(one.hand),
            carried=("3",) * len(one.carried),
        )
        for one in state.sides
    )
    series = replace(state.series, aside=("Q",) * len(state.series.aside))
    return replace(state, sides=sides, series=series, source=("Q",) * len(state.source))


@some
@given(states())
def test_the_table_tells_nothing_that_is_hidden(state):
    """Neither words nor picture differ where only what is hidden does."""
    one, other = snapshot(state), snapshot(hidden_otherwise(state))

    assert render(one, PRESENTATIONS, URL) == render(other, PRESENTATIONS, URL)
    assert one.view == other.view


@some
@given(states(), st.sampled_from([A, B]))
def test_a_desk_tells_nothing_of_the_other_hand(state, seat):
    other = hidden_otherwise(state)
    sides = list(other.sides)
    sides[seat] = replace(sides[seat], hand=state.sides[seat].hand)
    changed = replace(other, sides=tuple(sides))

    shown = render(snapshot(state, seat), PRESENTATIONS, URL)
    again = render(snapshot(changed, seat), PRESENTATIONS, URL)

    assert (shown.head, shown.foot, shown.rows) == (again.head, again.foot, again.rows)
    assert shown.picture.alt == again.picture.alt


def test_the_worst_positions_are_what_they_are_called():
    state = spite_snapshots.WORST["thirteen foundations and deep piles"]

    assert len(state.foundations) == 13
    assert max(len(pile) for pile in state.sides[0].discards) == 14
