"""Notices about a match come with the hand, which stays its only message in direct messages."""

import pytest

from sandbox.faults import Fault
from tests.support.clock import HOUR
from tests.support.notices import away, offer_a_draw
from tests.support.tables import leads_to, resign
from tests.support.waiting import written

SEND = {"method": "POST", "path": r"^/channels/\d+/messages"}
BOTH = ("Ann", "Bo")


async def playing(table, **options):
    """The table of a match whose players have read their hands and gone away."""
    public = await table.match(**{"pace": "slow", **options})
    await away(table)
    for name in BOTH:
        table.person(name).read()
    return public


def only(table, name):
    """The only message in somebody's direct messages."""
    (letter,) = table.letters(name)
    return letter


async def test_an_offer_comes_with_the_hand_and_can_be_answered_there(table):
    public = await playing(table)
    old = only(table, "Ann")

    await offer_a_draw(table, "Bo", public)

    hand = only(table, "Ann")
    assert old.deleted
    assert table.person("Ann").unread == 1
    assert hand.text.count("offers a draw") == 1
    assert len(table.cards(hand)) == 6
    await table.person("Ann").click(hand, "Accept the draw")
    await table.over(public, *BOTH)
    assert only(table, "Ann") is hand
    assert "offers a draw" not in hand.text


async def test_the_telling_of_a_hand_survives_a_restart_as_long_as_it_holds(table):
    public = await playing(table)
    await offer_a_draw(table, "Bo", public)

    await table.restart()
    await table.repaired()
    await table.told()
    await table.play("Ann")
    await table.quiet_now()
    hand = only(table, "Ann")
    told = hand.text.splitlines()[0]
    await table.play("Bo")  # a move takes back the player's own offer
    await table.quiet_now()

    assert "offers a draw" in told
    assert table.person("Ann").unread == 1
    assert only(table, "Ann") is hand
    assert "offers a draw" not in hand.text


async def test_a_reminder_is_a_new_hand_that_later_says_nothing_outdated(table):
    await playing(table)

    await away(table, 19 * HOUR)

    hand = only(table, "Ann")
    assert hand.text.startswith("⏰ **Your time is running out.**")
    assert table.person("Ann").unread == 1
    await table.trick(*BOTH)
    await table.quiet_now()
    assert only(table, "Ann") is hand
    assert "running out" not in hand.text
    assert "/notify" not in hand.text


async def test_a_nudge_is_a_new_hand(table):
    public = await playing(table)

    await table.bot.services.nudges.nudge(table.match_of(public), table.person("Ann").id)
    await table.told()
    await table.quiet_now()

    ann = table.person("Ann").mention
    assert only(table, "Bo").text.startswith(f"👋 **{ann} is waiting for your move.**\n### Pico")
    assert table.person("Bo").unread == 1


async def test_a_nudge_disappears_with_the_move_it_was_about(table):
    public = await playing(table)
    await table.bot.services.nudges.nudge(table.match_of(public), table.person("Ann").id)
    await table.told()
    await table.quiet_now()
    hand = only(table, "Bo")
    assert "is waiting for your move" in hand.text

    await table.trick(*BOTH)
    await table.quiet_now()

    assert only(table, "Bo") is hand
    assert table.cards(hand)
    assert "waiting for your move" not in hand.text


async def tapping(table):
    """A match with taps in which Ann has no direct message."""
    for event in ("accepted", "turn"):
        await table.bot.services.notice_settings.choose(table.person("Ann").id, event, "none")
    public = await table.challenge(pace="slow", hand="tap")
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)
    await away(table)
    assert table.letters("Ann") == []
    return public


async def test_a_player_who_plays_by_taps_is_told_of_the_end_by_the_hand(table):
    public = await tapping(table)

    await resign(table, "Bo", public)
    table.person("Ann").read()
    await table.person("Bo").click(public, "Rematch")
    await table.told()
    await table.quiet_now()

    hand = only(table, "Ann")
    assert "wants a rematch" in hand.text
    assert table.person("Ann").unread == 1
    assert {"Rematch", "Replay"} <= {button.label for button in hand.buttons}
    await table.person("Ann").click(hand, "Rematch")
    await table.discord.until(lambda: "rematch has started" in hand.text)


async def test_without_a_hand_by_direct_message_a_new_notice_replaces_the_previous_one(table):
    panel = (await table.person("Ann").slash("preferences", channel="games")).message
    await table.person("Ann").select(panel, "Where you see your hand", "desk here")
    public = await table.challenge(pace="slow")
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)
    await away(table)

    await resign(table, "Bo", public)
    over = only(table, "Ann")
    await table.person("Bo").click(public, "Rematch")
    await table.told()
    await table.quiet_now()

    assert over.deleted
    assert "is over" in over.text
    assert "wants a rematch" in only(table, "Ann").text
    assert leads_to(only(table, "Ann"), public)


async def test_a_hand_that_comes_later_replaces_a_notice(table):
    """Even while the notice still holds, and nothing else about the match changes."""
    ann = table.person("Ann")
    panel = (await ann.slash("preferences", channel="games")).message
    await ann.select(panel, "Where you see your hand", "desk here")
    public = await table.challenge(pace="slow")
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)
    await away(table)
    table.pass_time(19 * HOUR)  # an unannounced jump would count as downtime
    await away(table, 0)
    notice = only(table, "Ann")

    await ann.select(panel, "Where you see your hand", "desk dm")
    await table.discord.until(lambda: table.desk("Ann"))
    await table.quiet_now()
    await table.told()

    assert "It's your turn" in notice.text
    assert notice.deleted
    assert len(table.cards(only(table, "Ann"))) == 6


async def test_a_player_who_stops_wanting_hands_there_still_has_one_message(table):
    """The existing hand tells them, as a notice beside it would be a second message."""
    public = await playing(table)
    panel = (await table.person("Ann").slash("preferences", channel="games")).message
    await table.person("Ann").select(panel, "Where you see your hand", "desk here")
    await away(table)

    await resign(table, "Bo", public)

    assert only(table, "Ann").text.startswith("🏁 **This match is over.**")


@pytest.mark.parametrize("begin", [playing, tapping])
async def test_an_end_that_was_told_but_not_stored_is_told_once(table, begin):
    """Even if it is the first message about the match there."""
    public = await begin(table)
    before = table.letters("Ann")
    table.discord.faults.add(Fault(**SEND, delay=3600.0, after=True))
    await table.person("Bo").forge(public, custom_id=f"f1:{table.match_of(public)}:0:leave:")
    table.bot.services.deadlines.clock_moved()
    await table.discord.until(lambda: len(table.letters("Ann")) > len(before))

    await table.restart()
    await table.repaired()
    await away(table)

    assert only(table, "Ann").text.startswith("🏁 **This match is over.**")
    assert table.person("Ann").unread == 1
    assert table.sql("SELECT count(*) FROM notices WHERE event = 'over'") == [(0,)]


async def test_a_match_that_has_told_its_end_is_settled(table):
    public = await playing(table)

    await resign(table, "Bo", public)
    await written(table, "SELECT settled FROM matches", [(1,)])

    assert table.bot.services.live.slots._matches == {}


async def test_with_closed_direct_messages_the_hand_stays_and_a_mention_tells_of_the_end(table):
    public = await playing(table)
    hand = only(table, "Ann")
    table.person("Ann").closed = True

    await resign(table, "Bo", public)

    assert only(table, "Ann") is hand
    assert not hand.text.startswith("🏁")
    every = table.person("Dan").see("games")
    (said,) = [m for m in every if m.pinged == {table.person("Ann").id}]
    assert "is over" in said.text
    assert table.sql("SELECT told FROM seats WHERE seat = 0") == [(None,)]
