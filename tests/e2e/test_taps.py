"""Taps: in games with public hands, cards are buttons on the table itself."""

import json
from datetime import timedelta

import pytest

from sandbox import Fault
from tests.support.tables import labels
from tests.support.taps import BOTH, begun, step, tap, taps, trick


async def test_the_table_offers_both_hands_and_no_hand_is_sent(table):
    public = await begun(table, variant="pico1")

    assert [len(taps(public, seat)) for seat in (0, 1)] == [5, 5]
    assert {"My hand", "Rules"} < set(labels(public))
    assert [table.letters(name) for name in BOTH] == [[], []]


async def test_a_match_can_be_played_to_its_end_on_the_table_only(table):
    public = await begun(table, variant="pico1")

    while taps(public, 0):
        await trick(table, public)
    await table.discord.until(lambda: "seed was" in public.text)

    assert [table.letters(name) for name in BOTH] == [[], []]
    assert table.sql("SELECT count(*) FROM results") == [(2,)]


async def test_a_round_by_taps_takes_no_counted_request(table):
    public = await begun(table, pace="slow")
    await trick(table, public)
    await table.quiet_now()
    since = len(table.discord.requests)

    for _ in range(3):
        await trick(table, public)
        await table.quiet_now()

    assert [r.path for r in table.discord.requests[since:] if r.counted] == []


async def test_another_tap_changes_a_choice(table):
    public = await begun(table)
    await tap(table, "Ann", public, which=0)

    await tap(table, "Ann", public, which=1)

    card = taps(public, 0)[1].custom_id.rpartition(" ")[2]
    assert table.sql("SELECT move FROM moves") == [(card,)]


async def test_only_its_player_can_use_a_block_of_cards(table):
    public = await begun(table)

    others = await tap(table, "Ann", public, seat=1)
    strangers = await tap(table, "Cleo", public, seat=0)

    assert others.text == "Those aren't yours. Use the buttons under your name."
    assert strangers.text.startswith("You're not playing in this match")
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_a_tap_on_a_past_round_is_not_played_in_the_next(table):
    public = await begun(table)
    old = taps(public, 0)[0].custom_id
    await trick(table, public)

    answer = await table.person("Ann").forge(public, custom_id=old)

    assert answer.text == "That round is over. The table shows the current one."
    assert table.sql("SELECT count(*) FROM moves WHERE step = 1") == [(0,)]


@pytest.mark.parametrize("argument", ["", "0", "x 9", "0 x", "7 9"])
async def test_a_forged_tap_is_refused(table, argument):
    public = await begun(table)

    answer = await table.person("Ann").forge(public, custom_id=f"f1:1:0:tap:{argument}")

    assert answer.ephemeral
    assert table.sql("SELECT count(*) FROM moves") == [(0,)]


async def test_three_can_tap(table):
    public = await begun(table, "Ann", "Bo", "Cleo", variant="pico1-three")

    ((state,),) = table.sql("SELECT state FROM matches")
    for seat, hand in enumerate(json.loads(state)["hands"]):
        faces = [int(b.custom_id.rpartition(" ")[2]) for b in taps(public, seat)]
        assert faces == sorted(set(hand)), "equal cards are one button"
    assert [b.custom_id for b in public.buttons].count("f1:1:0:hand:") == 1


async def test_only_players_who_asked_for_direct_messages_get_a_hand_by_themselves(table):
    panel = (await table.person("Bo").slash("preferences", channel="games")).message
    await table.person("Bo").select(panel, "Where you see your hand", "desk dm")

    public = await begun(table, pace="slow")
    await table.discord.until(lambda: table.letters("Bo"))

    assert table.letters("Ann") == []
    assert len(taps(public, 0)) == 6


async def test_a_player_who_taps_and_has_been_away_gets_a_hand(table):
    public = await begun(table, pace="slow")
    await trick(table, public)

    brought = await table.bring(0)
    await trick(table, public)
    await table.quiet_now()

    assert brought
    (hand,) = table.letters("Ann")
    assert table.step(hand) == 2
    assert table.person("Ann").unread == 1
    assert table.letters("Bo") == []


async def test_taps_are_the_default_in_games_with_public_hands(table):
    answer = await table.person("Ann").slash(
        "pico play", channel="games", opponent=table.person("Bo"), pace="slow"
    )
    await table.person("Bo").click(answer.message, "Accept")

    await table.discord.until(lambda: len(taps(answer.message, 0)) == 6)


async def test_taps_survive_a_restart(table):
    public = await begun(table)
    await tap(table, "Ann", public)

    await table.restart()
    await tap(table, "Bo", public)
    await table.discord.until(lambda: step(public) == 1)

    assert table.sql("SELECT count(*) FROM moves") == [(2,)]


async def test_a_table_that_cannot_be_edited_is_edited_through_a_tap(table, monkeypatch):
    """An edit through an interaction needs no permission."""
    monkeypatch.setattr("bot.messaging.first_answer.TOKEN_LIFE", timedelta())
    public = await begun(table)
    path = rf"^/channels/.*/messages/{public.id}$"
    table.discord.faults.add(Fault(method="PATCH", path=path, status=403, code=50013, times=None))
    cards = [[b.custom_id.rpartition(" ")[2] for b in taps(public, seat)] for seat in (0, 1)]
    for name in BOTH:
        await tap(table, name, public)
    await table.settled()
    assert step(public) == 0
    monkeypatch.setattr("bot.messaging.first_answer.TOKEN_LIFE", timedelta(minutes=14))

    for seat, name in enumerate(BOTH):
        await table.person(name).forge(public, custom_id=f"f1:1:1:tap:{seat} {cards[seat][1]}")
    await table.settled()

    assert step(public) == 2
