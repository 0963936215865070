"""Clicks in a running match that make no sense: each gets a sentence and changes nothing."""

import asyncio

import pytest

from tests.support.tables import labels
from tests.support.typed_commands import typed

NO_SEAT = "You're not playing in this match"
STARTED = "This challenge was accepted, and the match has started. `/watch` leads there."
ENDED = "This challenge was accepted, and its match is over. Start your own with a `play` command."


def choices(table):
    return table.sql("SELECT seat, move FROM moves ORDER BY seat")


def held(table, name, desk=None):
    """The values of the cards that somebody can choose."""
    return [int(b.custom_id.split(":")[4]) for b in table.cards(desk or table.desk(name))]


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        ("hand", f"{NO_SEAT}. The table shows everything that's public."),
        ("pick:5", f"{NO_SEAT}. Start your own with a `play` command."),
        ("resign", f"{NO_SEAT}. The table shows everything that's public."),
        ("leave", f"{NO_SEAT}, so you can't resign."),
        ("accept", STARTED),
        ("decline", STARTED),
        ("withdraw", STARTED),
    ],
)
async def test_a_stranger_is_told_that_they_have_no_seat(table, act, sentence):
    public = await table.match()
    name, _, arg = act.partition(":")

    answer = await table.person("Dan").forge(public, custom_id=f"f1:1:0:{name}:{arg}")

    assert typed(answer.text) == sentence
    assert answer.ephemeral
    assert choices(table) == []


async def test_a_stranger_can_read_the_rules(table):
    public = await table.match()

    answer = await (await table.person("Dan").click(public, "Rules")).settled()

    assert answer.ephemeral
    assert "Pico at a glance" in answer.text


async def test_a_click_on_a_past_round_is_not_played_in_the_next(table):
    await table.match()
    late = table.cards(table.desk("Ann"))[-1].custom_id
    await table.trick("Ann", "Bo")

    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=late)

    assert answer.text == "That round is over. What you see now is the current one."
    assert answer.ephemeral
    assert table.sql("SELECT count(*) FROM moves WHERE step = 1") == [(0,)]


async def test_a_doubled_click_is_one_choice(table):
    await table.match()
    desk = table.desk("Ann")
    card = table.cards(desk)[2]

    answers = await asyncio.gather(
        *(table.person("Ann").click(desk, card.custom_id) for _ in range(2))
    )

    assert [answer.failed for answer in answers] == [None, None]
    assert choices(table) == [(0, card.custom_id.split(":")[4])]
    await table.discord.until(lambda: f"✓ {card.label}" in labels(desk))


async def test_a_doubled_click_of_the_last_player_resolves_once(table):
    await table.match()
    await table.play("Ann")
    desk = table.desk("Bo")
    card = table.cards(desk)[0].custom_id

    answers = await asyncio.gather(*(table.person("Bo").click(desk, card) for _ in range(2)))
    await table.discord.until(lambda: table.step(desk) == 1)

    assert sorted(answer.kind for answer in answers) == [4, 6]
    assert {a.text for a in answers if a.kind == 4} == {
        "That round is over. What you see now is the current one."
    }
    assert table.sql("SELECT step FROM matches") == [(1,)]


async def test_a_card_that_is_not_in_the_hand_is_refused(table):
    await table.match()
    hand = held(table, "Ann")
    other = held(table, "Bo")[0]

    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=f"f1:1:0:pick:{other}")

    listed = ", ".join(map(str, hand))
    assert answer.text == f"You don't have the {other}. Your cards are {listed}."
    assert choices(table) == []


async def test_a_card_that_was_won_is_no_longer_in_the_hand(table):
    """The winner's card is set aside; a button from the previous round would play it again."""
    await table.match()
    await table.trick("Ann", "Bo")
    (won,) = [
        (name, face)
        for name, hands in (("Ann", held(table, "Ann")), ("Bo", held(table, "Bo")))
        for face in [_missing(table, name, hands)]
        if face is not None
    ]
    name, face = won

    answer = await table.person(name).forge(table.desk(name), custom_id=f"f1:1:1:pick:{face}")

    assert answer.text.startswith(f"You don't have the {face}. Your cards are ")


def _missing(table, name, hand):
    seat = {"Ann": 0, "Bo": 1}[name]
    played = table.sql("SELECT move FROM moves WHERE step = 0 AND seat = ?", seat)
    face = int(played[0][0])
    return None if face in hand else face


@pytest.mark.parametrize("text", ["", "ace", "999", "-5", "\N{ARABIC-INDIC DIGIT FIVE}", "05"])
async def test_a_move_that_is_no_card_is_refused(table, text):
    await table.match()

    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=f"f1:1:0:pick:{text}")

    assert answer.text == "That isn't a card. Write its number, for example 9."
    assert choices(table) == []


UNKNOWN = "This button is out of date. Use a newer message."
NO_MATCH = (
    "This match no longer exists, so its buttons don't work. Start a new one with a `play` command."
)


@pytest.mark.parametrize(
    ("custom_id", "sentence"),
    [
        ("hello", UNKNOWN),
        ("f1", UNKNOWN),
        ("f1:1:0:pick", UNKNOWN),
        ("f1:1:0:pick:5:6", UNKNOWN),
        ("f2:1:0:pick:5", UNKNOWN),
        ("f1:-1:0:pick:5", UNKNOWN),
        ("f1:1:x:pick:5", UNKNOWN),
        ("f1:1:0:PICK:5", UNKNOWN),
        ("f1:\N{ARABIC-INDIC DIGIT ONE}:0:pick:5", UNKNOWN),
        (f"f1:{10**18}:0:pick:5", UNKNOWN),
        (f"f1:1:{10**9}:pick:5", UNKNOWN),
        (f"f1:{10**18 - 1}:{10**9 - 1}:pick:5", NO_MATCH),
        ("f1:0:0:hand:", NO_MATCH),
        ("f1:0:0:leave:", NO_MATCH),
        ("f1:7:0:accept:", NO_MATCH),
        ("f1:1:0:dance:", "This button is out of date. Use a newer message."),
        ("f1:1:99:pick:5", "That round is over. What you see now is the current one."),
        (
            "f1:0:0:rules:chess",
            "I don't know the rules of that game. `/help` has those of all games.",
        ),
        (
            "f1:0:99:page:pico",
            "The rules have no such page. Use `/pico rules` again.",
        ),
        ("f1:0:0:board:chess", "That leaderboard doesn't exist. Use `/leaderboard` again."),
    ],
)
async def test_a_forged_button_gets_a_sentence(table, custom_id, sentence):
    public = await table.match()
    before = public.text

    answer = await table.person("Ann").forge(public, custom_id=custom_id)

    assert typed(answer.text) == sentence
    assert answer.ephemeral
    assert public.text == before
    assert choices(table) == []


async def test_a_button_of_another_match_is_handled_for_that_match(table):
    public = await table.match("Ann", "Bo")
    await table.match("Cleo", "Dan")

    answer = await table.person("Ann").forge(public, custom_id="f1:2:0:pick:5")

    assert answer.text == f"{NO_SEAT}. Start your own with a `play` command."
    assert choices(table) == []


@pytest.mark.parametrize("act", ["page:pico", "board:pico all"])
async def test_a_page_does_not_replace_another_message(table, act):
    public = await table.match()
    before = public.text

    answer = await table.person("Dan").forge(public, custom_id=f"f1:0:0:{act}")

    assert answer.text == "This button is out of date. Use the command again."
    assert public.text == before


async def test_a_choice_forged_on_the_table_is_not_shown_there(table):
    """The table must not turn into somebody's hand, where everybody would read the choice."""
    public = await table.match()
    face = held(table, "Ann")[3]

    answer = await table.person("Ann").forge(public, custom_id=f"f1:1:0:pick:{face}")
    await table.discord.until(lambda: f"You chose {face}." in table.desk("Ann").text)
    await table.play("Ann", 1)
    await table.quiet_now()

    assert answer.kind == 6
    assert "your hand" not in public.text
    assert labels(public) == ["My hand", "Menu", "Rules"]
    assert len(table.letters("Ann")) == 1


async def test_a_last_choice_forged_on_the_table_does_not_damage_the_table(table):
    public = await table.match()
    await table.play("Ann")
    face = held(table, "Bo")[0]

    await table.person("Bo").forge(public, custom_id=f"f1:1:0:pick:{face}")
    await table.discord.until(lambda: table.step(table.desk("Bo")) == 1)
    await table.trick("Ann", "Bo")

    assert "your hand" not in public.text
    assert labels(public) == ["My hand", "Menu", "Rules"]


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        ("pick:5", "That match is over."),
        ("hand", "That match is over."),
        ("resign", "That match is over."),
        ("leave", "That match is over."),
        ("offer:pause", "That match is over."),
        ("agree:pause", "That match is over."),
        ("refuse:pause", "That match is over."),
        ("unpause", "That match is over."),
        ("nudge", "That match is over."),
        ("bottom", "That match is over."),
        ("accept", ENDED),
        ("withdraw", ENDED),
    ],
)
async def test_nothing_can_be_done_after_the_end(table, act, sentence):
    public = await table.match()
    await table.person("Bo").forge(public, custom_id="f1:1:0:leave:")
    await table.over(public, "Ann", "Bo")
    end, (result,) = public.text, table.sql("SELECT count(*) FROM results")
    name, _, arg = act.partition(":")

    answer = await table.person("Ann").forge(public, custom_id=f"f1:1:0:{name}:{arg}")

    assert typed(answer.text) == sentence
    assert answer.ephemeral
    assert (public.text, result) == (end, (2,))


async def test_a_flood_of_clicks_leaves_one_choice_and_a_hand_that_shows_it(table):
    await table.match()
    desk = table.desk("Ann")
    cards = table.cards(desk)

    answers = await asyncio.gather(
        *(table.person("Ann").click(desk, cards[i % 6].custom_id) for i in range(30))
    )

    assert [answer.failed for answer in answers] == [None] * 30
    ((seat, move),) = choices(table)
    await table.discord.until(lambda: f"You chose {move}." in desk.text)
    assert seat == 0
    assert next(label for label in labels(desk) if "✓" in label).split()[1] == move
    assert table.step(table.desk("Bo")) == 0


async def test_a_flood_of_clicks_by_everybody_resolves_each_round_once(table):
    public = await table.match()
    desks = {name: table.desk(name) for name in ("Ann", "Bo")}
    cards = {name: table.cards(desk) for name, desk in desks.items()}

    answers = await asyncio.gather(
        *(
            table.person(name).click(desks[name], cards[name][i % 6].custom_id)
            for i in range(10)
            for name in desks
        )
    )
    await table.discord.until(lambda: all(table.step(desk) == 1 for desk in desks.values()))

    assert [answer.failed for answer in answers] == [None] * 20
    assert table.sql("SELECT step FROM matches") == [(1,)]
    assert table.sql("SELECT DISTINCT step FROM moves") == [(0,)]
    assert "Sealed deal" in public.text
