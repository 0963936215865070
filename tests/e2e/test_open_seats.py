"""Challenges with open seats at the wire: who has joined, which buttons work, how they begin."""

import pytest

from games import GAMES
from tests.support.tables import labels
from tests.support.typed_commands import typed


async def opened(table, command="pico play", **options):
    """A challenge by Ann with an open seat, with private hands in games whose default is taps."""
    if command in {"pico play", "duel play"}:
        options.setdefault("hand", "desk")
    public = (await table.person("Ann").slash(command, channel="games", **options)).message
    await table.discord.until(lambda: public.is_v2)  # mentions are sent in words first
    return public


async def war(table, *names, players=4):
    """A conquest challenge by Ann for this many players; those named are invited."""
    keys = ("opponent", "second_opponent", "third_opponent")
    invited = {key: table.person(name) for key, name in zip(keys, names, strict=False)}
    return await opened(table, "conquest play", players=players, **invited)


def mention(table, name):
    return table.person(name).mention


def start(public):
    return public.find_button("Start")


async def test_a_challenge_without_a_name_looks_for_an_opponent(table):
    public = await opened(table)

    assert f"{mention(table, 'Ann')} is looking for an opponent." in public.text
    assert "-# Slow: 1 day a move · " in public.text
    assert " · expiry: <t:" in public.text
    assert labels(public)[:3] == ["Join", "Withdraw", "Rules"]


async def test_joining_a_challenge_for_two_starts_the_match(table):
    public = await opened(table)

    answer = await table.person("Dan").click(public, "Join")
    await table.discord.until(lambda: all(table.desk(name, public) for name in ("Ann", "Dan")))

    assert answer.kind == 6
    assert table.sql("SELECT user FROM seats ORDER BY seat") == [
        (table.person("Ann").id,),
        (table.person("Dan").id,),
    ]


async def test_an_open_seat_mentions_nobody_and_a_named_one_only_the_invited_player(table):
    await war(table)
    await war(table, "Bo")

    mentions = [
        r.json["data"]["allowed_mentions"]["users"]
        for r in table.requests("POST", "/callback")
        if r.json["type"] == 4
    ]
    assert mentions == [[], [table.person("Bo").id]]


async def test_a_challenge_shows_who_has_joined_who_is_invited_and_what_is_open(table):
    public = await war(table, "Bo")
    ann, bo, cleo = (mention(table, name) for name in ("Ann", "Bo", "Cleo"))
    assert f"{ann} challenges {bo} and is looking for 2 more players." in public.text
    assert f"✓ {ann} · … {bo} · ○ open · ○ open\n" in public.text
    ways = ["Accept", "Decline", "Join", "Leave", "Start", "Withdraw", "Rules"]
    assert labels(public) == [*ways, "Learn it"]  # for Bo, who has never played
    assert start(public).disabled

    await table.person("Cleo").click(public, "Join")
    await table.discord.until(lambda: f"✓ {cleo}" in public.text)

    assert f"✓ {ann} · … {bo} · ✓ {cleo} · ○ open\n" in public.text
    assert f"Waiting for {bo} and 1 more player." in public.text
    assert not start(public).disabled


async def test_a_player_who_leaves_is_removed_from_the_table_even_if_another_joins_at_once(table):
    public = await war(table, players=3)
    await table.person("Bo").click(public, "Join")
    await table.discord.until(lambda: mention(table, "Bo") in public.text)

    await table.person("Bo").click(public, "Leave")
    await table.person("Cleo").click(public, "Join")
    await table.discord.until(lambda: mention(table, "Cleo") in public.text)

    assert mention(table, "Bo") not in public.text


async def test_start_begins_the_match_with_those_who_have_joined(table):
    public = await war(table, "Bo")
    await table.person("Cleo").click(public, "Join")
    await table.discord.until(lambda: not start(public).disabled)

    await table.person("Cleo").click(public, "Start")
    await table.discord.until(lambda: table.desk("Ann", public) and table.desk("Cleo", public))

    assert table.desk("Bo", public) is None
    assert table.sql("SELECT status, wanted FROM matches") == [("running", 2)]


async def test_a_match_of_four_begins_by_itself_when_the_last_seat_is_taken(table):
    public = await war(table)
    for name in ("Bo", "Cleo", "Dan"):
        await table.person(name).click(public, "Join")
    await table.discord.until(lambda: all(map(table.desk, ("Ann", "Bo", "Cleo", "Dan"))))

    late = await table.person("Ann").forge(public, custom_id="f1:1:0:join:")

    assert typed(late.text) == (
        "This challenge was accepted, and the match has started. `/watch` leads there."
    )


async def test_a_challenger_who_leaves_withdraws_the_challenge(table):
    public = await war(table)
    await table.person("Bo").click(public, "Join")

    await table.person("Ann").click(public, "Leave")
    await table.discord.until(lambda: "The challenge was withdrawn." in public.text)

    assert labels(public) == []


async def test_a_variant_for_three_with_one_opponent_named_has_an_open_seat(table):
    public = await table.challenge("Ann", "Bo", variant="pico1-three")

    assert "and is looking for 1 more player." in public.text
    assert labels(public) == [
        "Accept",
        "Decline",
        "Join",
        "Leave",
        "Withdraw",
        "Rules",
        "Learn it",  # for Bo
    ]


async def test_several_tables_can_be_side_by_side_in_one_channel(table):
    first = await opened(table)
    second = await opened(table, "duel play")

    await table.person("Bo").click(second, "Join")
    await table.person("Cleo").click(first, "Join")
    await table.discord.until(lambda: table.desk("Bo", second) and table.desk("Cleo", first))

    assert table.desk("Bo", first) is None
    assert table.desk("Cleo", second) is None


@pytest.mark.parametrize("game", GAMES)
async def test_every_game_can_have_open_seats(table, game):
    public = await opened(table, f"{game} play")

    await table.person("Bo").click(public, "Join")
    await table.discord.until(lambda: table.desk("Bo", public))

    assert table.sql("SELECT game, status FROM matches") == [(game, "running")]


async def test_a_challenge_is_still_open_after_a_restart(table):
    public = await war(table)
    await table.person("Bo").click(public, "Join")
    await table.restart()

    await table.person("Cleo").click(public, "Join")
    await table.discord.until(lambda: mention(table, "Cleo") in public.text)

    assert f"✓ {mention(table, 'Bo')} · ✓ {mention(table, 'Cleo')} · ○ open" in public.text
