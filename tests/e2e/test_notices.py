"""Notices at the wire: each event is told to the right people, once, in the way they chose."""

import asyncio
from datetime import timedelta

import pytest

from bot.messaging.membership import BELIEVED_FOR
from bot.scheduling.notices import POSTED_PAUSE
from sandbox import Fault
from tests.support.clock import DAY, EVERY_SHARD, HOUR, MINUTE
from tests.support.notices import away, notices
from tests.support.tables import leads_to, resign
from tests.support.typed_commands import typed


async def playing(table, **options):
    """The table of a slow match whose players have gone away during a turn."""
    public = await table.match(**{"pace": "slow", **options})
    await away(table)
    return public


def mentions(table, name):
    """The messages in the channel that mention somebody because of a notice."""
    every = table.person("Dan").see("games")
    user = table.person(name).id
    return [m for m in every if "`/notify` sets" in typed(m.text) and m.pinged == {user}]


async def set_way(table, name, event, way):
    await table.bot.services.notice_settings.choose(table.person(name).id, event, way)


async def test_the_winner_is_told_that_their_opponent_resigned_and_wants_a_rematch(table):
    public = await playing(table)
    ann, bo = (table.person(name).mention for name in ("Ann", "Bo"))

    await resign(table, "Bo", public)
    (over,) = notices(table, "Ann")
    await table.person("Bo").click(public, "Rematch")
    await table.told()
    (rematch,) = notices(table, "Ann")

    assert over.text.startswith("🏁 **This match is over.**\n### Pico")
    assert f"**{ann} wins**: {bo} resigned." in over.text
    assert leads_to(over, public)
    assert rematch.text.startswith(f"🔁 **{bo} wants a rematch.** Press **Rematch** below")
    assert leads_to(rematch, public)
    assert table.letters("Ann") == [rematch]  # direct messages have one message per match
    assert notices(table, "Bo") == []
    assert mentions(table, "Bo") == []


async def test_two_active_players_get_no_message_between_the_first_and_the_last(table):
    public = await table.match(pace="slow", variant="pico1")
    since = len(table.discord.requests)

    while table.step(table.desk("Ann")) is not None:
        await table.trick("Ann", "Bo")
        await away(table, 50)
    await table.over(public, "Ann", "Bo")
    await away(table)
    await away(table, DAY)

    new = [r for r in table.requests("POST", "/messages", since=since) if "nonce" in str(r.json)]
    assert [r.json for r in new if "notice" in r.json["nonce"]] == []


async def test_a_turn_is_told_by_a_mention_if_the_hand_is_in_the_channel(table):
    table.person("Bo").closed = True
    public = await table.match(pace="slow")
    await table.play("Ann")

    await away(table)
    (mention,) = mentions(table, "Bo")
    bo = table.person("Bo")
    hand = (await (await bo.click(mention, "My hand")).settled()).message
    await table.pick("Bo", hand)
    await table.told()

    assert mention.text.startswith(f"👉 {bo.mention}: It's your turn in **Pico")
    assert leads_to(mention, public)
    assert mention.deleted
    assert mentions(table, "Ann") == []


async def test_a_turn_is_mentioned_once_even_if_discords_answer_was_lost(table):
    table.person("Bo").closed = True
    await table.match(pace="slow")
    await table.play("Ann")
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="mention.", drop=True, after=True, times=2)
    )
    await away(table)
    (mention,) = mentions(table, "Bo")

    for seconds in (30, 600):  # Discord forgets a nonce after some minutes
        table.discord.clock.advance(timedelta(seconds=seconds))
        await away(table, seconds)

    assert mentions(table, "Bo") == [mention]
    assert table.sql("SELECT message FROM sent_notices WHERE event = 'turn'") == [(mention.id,)]


async def test_an_unconfirmed_mention_is_deleted_if_its_player_acts_before_the_next_attempt(table):
    await set_way(table, "Bo", "turn", "channel")
    await table.match(pace="slow")
    await table.play("Ann")
    table.discord.faults.add(
        Fault(method="POST", path="/messages$", saying="mention.", drop=True, after=True)
    )
    table.pass_time(3 * MINUTE)
    await table.discord.until(lambda: mentions(table, "Bo"))
    (mention,) = mentions(table, "Bo")
    await table.bot.services.notices.finished()

    await table.play("Bo")
    await table.told()

    assert mention.deleted


async def test_a_turn_is_mentioned_once_and_the_reminder_replaces_the_mention(table):
    table.person("Bo").closed = True
    await table.match(pace="slow")
    await table.play("Ann")
    await away(table)
    (turn,) = mentions(table, "Bo")

    await away(table, HOUR)
    assert mentions(table, "Bo") == [turn]
    await away(table, 18 * HOUR)

    (reminder,) = mentions(table, "Bo")
    assert reminder.text.startswith(f"⏰ {table.person('Bo').mention}: ")
    assert turn.deleted


@pytest.mark.parametrize(("way", "pinged", "letters"), [("dm", 0, 1), ("none", 0, 0)])
async def test_a_challenge_is_told_once_in_the_way_that_was_chosen(table, way, pinged, letters):
    await set_way(table, "Bo", "challenged", way)

    public = await table.challenge(pace="slow")
    await table.told()
    await away(table)

    assert len(public.pinged) == pinged
    assert [leads_to(m, public) for m in notices(table, "Bo")] == [True] * letters
    assert mentions(table, "Bo") == []


async def test_a_challenge_mentions_invited_people_by_default(table):
    public = await table.challenge(pace="slow")
    await away(table)

    assert public.pinged == {table.person("Bo").id}
    assert notices(table, "Bo") == []
    assert mentions(table, "Bo") == []


async def test_a_challenger_who_was_away_is_told_that_the_challenge_was_declined(table):
    public = await table.challenge(pace="slow")
    await away(table)

    await table.person("Bo").click(public, "Decline")
    await table.told()

    (said,) = notices(table, "Ann")
    assert f"{table.person('Bo').mention} declined the challenge to **Pico" in said.text


async def test_somebody_who_cannot_be_reached_by_direct_message_for_a_while_is_mentioned(table):
    """Discord compares the nonces of an author; the same one would return the direct message."""
    public = await table.challenge(pace="slow")
    await away(table)
    lost = {"saying": "notice.", "drop": True, "after": True, "times": None}
    table.discord.faults.add(Fault(method="POST", path="/messages$", **lost))
    await table.person("Bo").click(public, "Decline")
    await table.told()
    await away(table, 20)
    assert mentions(table, "Ann") == [], "Discord still knows the nonce of the direct message"

    await away(table, 20)

    assert len(notices(table, "Ann")) == 1
    (mention,) = mentions(table, "Ann")
    assert mention.text.startswith(f"❌ {table.person('Ann').mention}: ")


async def test_a_challenger_is_told_that_nobody_answered_and_led_to_what_they_can_do(table):
    """In direct messages, the game's command would start a match against the computer."""
    public = await table.challenge(pace="slow")

    table.pass_time(3 * DAY)
    await table.discord.until(lambda: "The challenge expired" in public.text)
    await table.told()

    (said,) = notices(table, "Ann")
    assert "The challenge to **Pico" in said.text
    assert "expired. Nobody answered in time.\n" in said.text
    assert "play`" not in typed(said.text)
    assert leads_to(said, public)
    assert "Nobody answered in time. To make a new one, use `/pico play`." in typed(public.text)


async def test_a_pending_notice_for_a_deleted_person_is_not_sent(table):
    """Opening their direct messages takes long at Discord, and the others wait."""
    await set_way(table, "Bo", "challenged", "dm")
    await set_way(table, "Ann", "declined", "none")  # otherwise she would wait in the same line
    opening = r"^/users/@me/channels"
    slow = table.discord.faults.add(Fault(method="POST", path=opening, delay=3600.0))
    await table.challenge(pace="slow")
    await table.handled()
    services = table.bot.services
    telling = services.notices
    async with asyncio.timeout(20):
        while slow in table.discord.faults.ordered:
            table.watch.advance(POSTED_PAUSE)  # put off until the table is known to exist
            await telling.look(EVERY_SHARD)
            await asyncio.sleep(0.01)
        waiting = list(telling._busy.values())

        await services.erasure.delete(table.person("Bo").id)
        await asyncio.wait(waiting)

    assert len(table.requests("POST", "/users/@me/channels")) == 1
    assert mentions(table, "Bo") == []


async def test_a_match_that_begins_is_told_to_the_challenger_by_the_hand_alone(table):
    """A hand by direct message notifies; if there is none, a mention tells them."""
    table.person("Ann").closed = True
    public = await table.challenge(pace="slow")
    await away(table)
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)
    await away(table)

    (said,) = mentions(table, "Ann")
    assert f"{table.person('Bo').mention} accepted your challenge" in said.text
    assert "It's your turn." in said.text
    assert notices(table, "Bo") == []
    assert mentions(table, "Bo") == []


async def test_a_notice_of_an_offer_is_deleted_when_the_offer_is_answered(table):
    public = await playing(table)
    menu = await table.person("Bo").click(public, "Menu")
    await table.person("Bo").click(menu.message, "Offer a draw")
    await table.told()
    (offer,) = notices(table, "Ann")
    offers = offer.text.splitlines()[0]

    await table.person("Ann").click(offer, "Decline")
    await table.told()
    await table.quiet_now()

    assert offers == f"🤝 **{table.person('Bo').mention} offers a draw.** Answer below."
    assert table.letters("Ann") == [offer]
    assert "offers a draw" not in offer.text
    assert notices(table, "Ann") == []


async def test_a_mention_that_somebody_deleted_is_no_trouble(table):
    table.person("Bo").closed = True
    public = await table.match(pace="slow")
    await table.play("Ann")
    await away(table)
    (mention,) = mentions(table, "Bo")
    mention.deleted = True

    await resign(table, "Bo", public)

    assert table.requests("DELETE", f"/messages/{mention.id}")
    assert table.sql("SELECT * FROM sent_notices WHERE event = 'turn'") == []


async def test_many_mentions_take_one_request_for_members(table, monkeypatch):
    """Discord allows 120 requests a minute, and many turns may begin at once."""
    for name in ("Ann", "Bo", "Cleo", "Dan"):
        table.person(name).closed = True
    for names in (("Ann", "Bo"), ("Cleo", "Dan"), ("Bo", "Cleo")):
        await table.match(*names, pace="slow")
    asked = []
    guild = table.bot.get_guild(table.discord.world.guild.id)
    query = type(guild).query_members

    async def counted(self, **options):
        asked.append(options["user_ids"])
        return await query(self, **options)

    monkeypatch.setattr(type(guild), "query_members", counted)
    table.discord.world.remove_member(table.person("Bo").user)
    table.watch.advance(BELIEVED_FOR.total_seconds() + 1)  # asked about as they accepted

    await away(table)

    people = {table.person(name).id for name in ("Ann", "Bo", "Cleo", "Dan")}
    assert [set(users) for users in asked] == [people | {table.bot.user.id}]
    told = [m.pinged for m in table.person("Dan").see("games") if "`/notify` sets" in typed(m.text)]
    ann, cleo, dan = (table.person(name).id for name in ("Ann", "Cleo", "Dan"))
    assert sorted(told, key=min) == sorted([{ann}, {cleo}, {cleo}, {dan}], key=min)


async def test_a_player_who_returns_to_the_server_is_told_again(table, expired_tokens):
    bo = table.person("Bo")
    bo.closed = True
    public = await table.match(pace="slow")
    await table.quiet_now()
    table.discord.world.remove_member(bo.user)
    await away(table)
    missed = mentions(table, "Bo")

    table.discord.world.add_member(bo.user)
    table.pass_time(2 * MINUTE)
    await resign(table, "Ann", public)
    await table.settled()
    await away(table)

    assert missed == []
    assert "is over" in mentions(table, "Bo")[-1].text


async def test_a_restart_sends_pending_notices_and_none_twice(table):
    public = await playing(table)
    table.bot.services.deadlines.hold(0)  # the clock is held, so the process dies before it sends
    await table.person("Bo").forge(public, custom_id=f"f1:{table.match_of(public)}:0:leave:")
    await table.discord.until(lambda: notices(table, "Ann") == [])

    await table.restart()
    await table.told()
    await table.restart()
    await table.told()
    await away(table)

    assert len(notices(table, "Ann")) == 1


async def test_a_process_that_dies_after_sending_does_not_send_again(table, monkeypatch):
    public = await playing(table)
    table.pass_time(0)  # tell the clock how late it is

    async def die(*_, **__):
        raise RuntimeError("killed")

    service = table.bot.services.notices
    monkeypatch.setattr(service, "_note_told", die)
    monkeypatch.setattr(service, "_drop", die)
    await table.person("Bo").forge(public, custom_id=f"f1:{table.match_of(public)}:0:leave:")
    await table.discord.until(lambda: notices(table, "Ann"))
    monkeypatch.undo()
    await table.restart()

    await table.told()
    await away(table)

    assert len(notices(table, "Ann")) == 1
    nonces = [r.json["nonce"] for r in table.requests("POST", "/messages") if "🏁" in str(r.json)]
    assert len(set(nonces)) == 1
    assert table.person("Ann").unread == 1  # the previous hand is deleted
