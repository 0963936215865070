"""Whole matches of the tile duel through discord.py and the sandbox, and refusals."""

import re

import pytest

from games.duel import SETS
from tests.support.drawing import Threads
from tests.support.tables import labels, listen, seated

BOTH = ("Ann", "Bo")
NO_SEAT = "You're not playing in this match"


async def begun(table, **options):
    return await table.for_two("duel", "Round 1 of 2", **options)


def held(table, desk):
    """The tiles that a hand offers."""
    return [int(button.custom_id.split(":")[4]) for button in table.cards(desk)]


@pytest.mark.parametrize(("variant", "tiles"), [("standard", 10), ("large", 14)])
async def test_a_duel_is_played_to_its_end_by_direct_messages(table, variant, tiles):
    public = await begun(table, variant=variant)
    hands = [held(table, table.desk(name)) for name in BOTH]
    said = listen(table, public)

    for _ in range(SETS[tiles].hand):
        await table.trick(*BOTH)
    swapped = [held(table, table.desk(name)) for name in BOTH]
    await table.finish(public, *BOTH)

    story = "\n".join(said)
    assert sorted(hands[0] + hands[1]) == list(SETS[tiles].totals)
    assert swapped == hands[::-1]
    assert f"· {tiles} tiles" in public.text
    assert "Round 1 is over" in story
    assert "The players swap the hands they were dealt, and round 2 of 2 begins." in story
    assert re.search(r"wins\*\*: more points|\*\*A tie\*\*: the same number", public.text)
    assert table.sql("SELECT count(*) FROM moves") == [(2 * tiles,)]
    result = next(line for line in public.text.splitlines() if "over both rounds" in line)
    assert all(result in table.desk(name).text for name in BOTH)


async def test_ten_tiles_are_dealt_by_default(table):
    public = await begun(table)

    assert "Divide and Conquer (tiles) · 10 tiles" in public.text
    assert [len(held(table, table.desk(name))) for name in BOTH] == [5, 5]


async def test_the_challenger_chooses_the_pace_and_where_tiles_are_chosen(table):
    asked = await table.person("Ann").slash(
        "duel play", channel="games", opponent=table.person("Bo"), pace="today", hand="tap"
    )
    await table.person("Bo").click(asked.message, "Accept")

    assert table.sql("SELECT pace, tap FROM matches") == [("today", 1)]


async def test_a_duel_can_be_played_with_private_hands_only(table):
    public = await begun(table, closed=BOTH)
    desks = {name: await table.hand(name, public) for name in BOTH}

    while table.step(desks["Ann"]) is not None:
        await table.trick_at(desks)
    await table.discord.until(lambda: "seed was" in public.text)

    result = next(line for line in public.text.splitlines() if "over both rounds" in line)
    for name, desk in desks.items():
        assert desk.ephemeral_to == table.person(name).id
        assert result in desk.text


async def test_the_reveal_says_why_a_tile_won(table):
    public = await begun(table)
    first, second = (held(table, table.desk(name))[0] for name in BOTH)

    await table.trick(*BOTH)
    await table.discord.until(lambda: "scores a point" in public.text)

    low, high = sorted((first, second))
    assert re.search(
        rf"{high} loses to {low}: {low} divides {high}\."
        rf"|{high} loses to {low}: {low} is exactly one less than {high}\."
        rf"|{high} beats {low}: it's higher, and {low} doesn't divide it and isn't one less\.",
        public.text,
    )
    assert (
        f"blue circle played {first}, orange diamond played {second}"
        in public.images[0].description
    )


async def test_a_choice_is_secret_and_can_be_changed_until_both_have_chosen(table):
    public = await begun(table)
    await table.quiet_now()  # a hand that is being edited can't be the answer to a click
    mine = table.cards(table.desk("Ann"))
    across = table.desk("Bo").text

    await table.play("Ann", 0)
    first = labels(table.desk("Ann"))
    answer = await table.play("Ann", 1)
    await table.quiet_now()

    assert answer.kind == 7
    assert f"✓ {mine[0].label}" in first
    assert f"✓ {mine[1].label}" in labels(table.desk("Ann"))
    assert f"You chose {mine[1].label}." in table.desk("Ann").text
    assert "has chosen ✓" in public.text
    assert "You chose" not in public.text
    assert table.desk("Bo").text == across
    await table.trick("Bo")
    assert f"blue circle played {mine[1].label}," in table.desk("Bo").images[0].description


async def test_pictures_have_their_words_as_alt_text(discord, tmp_path):
    async with seated(discord, tmp_path, Threads()) as table:
        public = await begun(table, variant="large")
        await table.trick(*BOTH)
        await discord.until(lambda: "Last pair" in public.images[0].description)

        messages = [public, *(table.desk(name) for name in BOTH)]
        for message in messages:
            (image,) = message.images
            assert message.read(image.url).startswith(b"\x89PNG")
            assert image.description.startswith("Divide and Conquer, 14 tiles, round 1 of 2.")
        assert len({m.read(m.images[0].url) for m in messages}) == 3


async def test_a_finished_duel_counts_on_the_servers_leaderboard(table):
    public = await begun(table)
    await table.finish(public, *BOTH)

    answer = await table.person("Dan").slash("leaderboard", channel="lobby", game="duel")

    text = (await answer.settled()).message.text
    assert "Leaderboard · Divide and Conquer (tiles)" in text
    assert all(table.person(name).mention in text for name in BOTH)


async def test_a_player_who_resigns_loses(table):
    public = await begun(table)

    await table.person("Ann").forge(table.desk("Ann"), custom_id="f1:1:0:leave:")
    await table.over(public, *BOTH)

    bo = table.person("Bo").mention
    assert f"**{bo} wins**: {table.person('Ann').mention} resigned." in public.text


async def test_a_stranger_is_told_that_they_have_no_seat(table):
    public = await begun(table)

    answer = await table.person("Dan").forge(public, custom_id="f1:1:0:pick:5")

    assert answer.text == f"{NO_SEAT}. Start your own with a `play` command."
    assert answer.ephemeral
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_a_click_on_a_past_pair_is_not_played_in_the_next(table):
    await begun(table)
    late = table.cards(table.desk("Ann"))[-1].custom_id
    await table.trick(*BOTH)

    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=late)

    assert answer.text == "That round is over. What you see now is the current one."
    assert table.sql("SELECT count(*) FROM moves WHERE step = 1") == [(0,)]


async def test_a_tile_of_the_opponents_hand_is_refused(table):
    await begun(table)
    mine, other = held(table, table.desk("Ann")), held(table, table.desk("Bo"))[0]

    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=f"f1:1:0:pick:{other}")

    listed = ", ".join(str(total) for total in mine)
    assert answer.text == f"You don't have the {other}. Your tiles are {listed}."
    assert answer.ephemeral


async def test_a_tile_can_be_played_only_once_in_a_round(table):
    await begun(table)
    first, *rest = held(table, table.desk("Ann"))
    await table.trick(*BOTH)

    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=f"f1:1:1:pick:{first}")

    listed = ", ".join(str(total) for total in rest)
    assert answer.text == (
        f"You've already played the {first} this round. You still have {listed}."
    )


@pytest.mark.parametrize("text", ["", "six", "999", "-5", "05"])
async def test_something_that_is_not_a_tile_is_refused(table, text):
    await begun(table)

    answer = await table.person("Ann").forge(table.desk("Ann"), custom_id=f"f1:1:0:pick:{text}")

    assert answer.text == "That isn't a tile. Write its total, for example 9."
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_a_choice_survives_a_restart_and_the_duel_goes_on(table):
    public = await begun(table)
    await table.play("Ann", 2)

    await table.restart()
    await table.play("Bo")
    await table.discord.until(lambda: all(table.step(table.desk(name)) == 1 for name in BOTH))

    assert len(table.letters("Ann")) == 1
    await table.discord.until(lambda: "Last pair" in public.images[0].description)
