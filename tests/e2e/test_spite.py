"""Whole matches of Spite and Malice through discord.py and the sandbox, and refusals."""

import re

import pytest

from bot import codec
from games.spite import Options
from tests.support.spite_states import position, side
from tests.support.spite_tables import BOTH, Flow, begun, offered, step_of, tap
from tests.support.tables import labels

X = "\N{MULTIPLICATION SIGN}"
NO_SEAT = "You're not playing in this match"


@pytest.mark.parametrize(
    ("options", "title"),
    [
        ({"stock": 2, "turn_limit": 60}, "stocks of 2, at most 60 turns a game"),
        (
            {
                "stock": 1,
                "jokers": "with-kings",
                "strict_draw": True,
                "forced": "aces",
                "foundations": 3,
                "scoring": "games",
                "target": 2,
                "turn_limit": 40,
            },
            "first to 2 games, stocks of 1 (+5 more)",
        ),
    ],
    ids=["one game", "a series"],
)
async def test_a_match_is_played_to_its_end_by_direct_messages(table, options, title):
    public = await begun(table, **options)
    flow = Flow(table, public, {name: table.desk(name) for name in BOTH})

    await flow.finish()

    assert f"Spite and Malice · {title}" in public.text
    assert re.search(r"wins\*\*: |\*\*A draw\*\*: ", public.text)
    result = next(line for line in public.text.splitlines() if "**: " in line)
    assert all(result in desk.text for desk in flow.desks.values())
    assert all(len(table.letters(name)) == 1 for name in BOTH)
    assert table.sql("SELECT count(*) FROM results") == [(2,)]


async def test_a_match_can_be_played_with_private_hands_only(table):
    public = await begun(table, closed=BOTH, stock=1, turn_limit=20)
    flow = Flow(table, public, {name: await table.hand(name, public) for name in BOTH})

    await flow.finish()

    assert all(labels(desk)[0::5] == ["Rematch", "Go to the table"] for desk in flow.desks.values())


KINGS = position(
    side(stock="4 10", hand="K 9 9 9 J", d1="8"),
    side(stock="Q Q", hand="5 5 6 6 8"),
    piles=("A 2 3", "A"),
    stock=2,
)


@pytest.fixture
async def kings(table):
    """A match in which Ann has a king with three targets, and three nines."""
    public = await begun(table, stock=2)
    await table.lay(public, KINGS)
    return public


async def test_a_card_with_several_targets_takes_two_clicks(table, kings):
    desk = table.desk("Ann")

    answer = await tap(table, "Ann", desk, "K")
    shown = list(offered(desk))
    question = desk.text
    await tap(table, "Ann", desk, "f1 as 4")

    assert answer.kind == 7  # at once, because nothing is drawn
    assert shown == ["f1 as 4", "f2 as 2", "new as A", "Back"]
    assert "Where does the K go?" in question
    assert table.sql("SELECT move FROM moves") == [("K>f1",)]
    assert "K as 4" in desk.text
    assert "needs 5" in desk.images[0].description


async def test_a_selected_card_can_be_put_back(table, kings):
    del kings
    desk = table.desk("Ann")
    before = labels(desk)

    await tap(table, "Ann", desk, "K")
    await tap(table, "Ann", desk, "Back")

    assert labels(desk) == before
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_the_number_of_cards_discarded_together_can_be_chosen(table, kings):
    del kings
    desk = table.desk("Ann")

    await tap(table, "Ann", desk, f"Discard 9 {X}3")
    shown = list(offered(desk))
    await tap(table, "Ann", desk, f"9 {X}2")
    await tap(table, "Ann", desk, "d1, on 8")

    assert shown[:4] == ["9", f"9 {X}2", f"✓ 9 {X}3", "d1, on 8"]
    assert table.sql("SELECT move FROM moves") == [("9x2>d1",)]


@pytest.mark.parametrize(
    ("arg", "sentence"),
    [
        ("9>f1", "The foundation f1 needs a 4 or a wild card, not a 9."),
        ("stock>new", "A new foundation starts with an ace or a wild card, not with a 10."),
        ("Q>d1", "You don't have a queen; your hand is 9, 9, 9, J, K."),
        ("9x4>d1", "You only have 3 of the rank 9, not 4."),
        ("draw", "You draw automatically in this match. Make another move."),
    ],
)
async def test_an_illegal_move_is_refused_with_the_reason(table, kings, arg, sentence):
    del kings
    desk = table.desk("Ann")
    step = step_of(desk)

    answer = await table.person("Ann").forge(desk, custom_id=f"f1:1:{step}:pick:{arg}")

    assert answer.text == sentence
    assert answer.ephemeral
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_a_stranger_and_the_opponent_are_told_why_they_cannot_move(table, kings):
    step = step_of(table.desk("Ann"))
    custom_id = f"f1:1:{step}:pick:J>d2"

    stranger = await table.person("Dan").forge(kings, custom_id=custom_id)
    other = await table.person("Bo").forge(table.desk("Bo"), custom_id=custom_id)

    assert stranger.text == f"{NO_SEAT}. Start your own with a `play` command."
    assert other.text == "It's your opponent's turn."
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_a_play_for_a_past_step_is_not_made_in_the_next(table, kings):
    del kings
    desk = table.desk("Ann")
    late = f"f1:1:{step_of(desk)}:pick:J>d2"
    await tap(table, "Ann", desk, "K")
    await tap(table, "Ann", desk, "new as A")

    answer = await table.person("Ann").forge(desk, custom_id=late)

    assert answer.text.startswith("That round is over.")
    assert table.sql("SELECT move FROM moves") == [("K>new",)]


async def test_a_nonsensical_draft_shows_the_hand_as_it_is(table, kings):
    del kings
    desk = table.desk("Ann")
    step, before = step_of(desk), labels(desk)
    await tap(table, "Ann", desk, "K")

    await table.person("Ann").forge(desk, custom_id=f"f1:1:{step}:draft:")
    await table.handled()

    assert labels(desk) == before


async def test_a_turn_continues_after_a_restart(table, kings):
    del kings
    desk = table.desk("Ann")
    await tap(table, "Ann", desk, "K")
    await tap(table, "Ann", desk, "f1 as 4")

    await table.restart()
    await tap(table, "Ann", desk, "Discard J")
    await tap(table, "Ann", desk, "d4, empty")
    await table.discord.until(lambda: offered(table.desk("Bo")))

    assert [move for (move,) in table.sql("SELECT move FROM moves")] == ["K>f1", "J>d4"]


async def test_every_option_reaches_the_match(table):
    await begun(
        table,
        variant="quick",
        foundations=4,
        forced="aces-and-twos",
        jokers="instead",
        strict_draw=True,
        scoring="points",
        target=50,
        turn_limit=100,
        game_limit=7,
        pace="relaxed",
    )

    ((options, pace),) = table.sql("SELECT options, pace FROM matches")
    assert codec.decode(Options, options) == Options(
        stock=13,
        foundations=4,
        forced="aces-and-twos",
        jokers="instead",
        strict_draw=True,
        scoring="points",
        target=50,
        turn_limit=100,
        game_limit=7,
    )
    assert pace == "relaxed"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"target": 3},
            "`target` is only for a series. Choose one with `scoring`, by games or by points.",
        ),
        (
            {"scoring": "points", "target": 30},
            "Points are played to 25, 50 or 100, not to 30.",
        ),
        (
            {"scoring": "games", "target": 5, "game_limit": 3},
            "In 3 games, nobody can win 5. Choose a smaller `target`, or a higher `game_limit`.",
        ),
    ],
    ids=["no series", "points", "out of reach"],
)
async def test_options_that_do_not_go_together_are_refused(table, options, sentence):
    answer = await table.person("Ann").slash(
        "spite play", channel="games", opponent=table.person("Bo"), **options
    )

    assert answer.text == sentence
    assert answer.ephemeral
    assert table.sql("SELECT count(*) FROM matches") == [(0,)]


async def test_only_the_reader_sees_the_rules(table):
    answer = await table.person("Ann").slash("spite rules", channel="games")

    message = (await answer.settled()).message
    assert message.ephemeral_to == table.person("Ann").id
    assert "Spite and Malice at a glance" in message.text
