"""Discord in trouble: errors, limits and slowness of every kind of request lose nothing."""

import asyncio
import json
from datetime import timedelta

import pytest

from bot.messaging.content import MessageContent, Picture
from bot.messaging.failures import UndeliveredError
from sandbox import Fault
from tests.support.clock import MINUTE
from tests.support.rest_client import png
from tests.support.sandboxes import give_real_windows
from tests.support.tables import labels, win
from tests.support.waiting import until, written

ANSWER = {"method": "POST", "path": r"^/interactions/"}
LATE = timedelta(seconds=4)
BY_TOKEN = {"method": "PATCH", "path": r"^/webhooks/"}
BY_CHANNEL = {"method": "PATCH", "path": r"^/channels/"}
SEND = {"method": "POST", "path": r"^/channels/"}
OPEN = {"method": "POST", "path": r"^/users/@me/channels"}

TROUBLE = {
    "503": {"status": 503},  # retried by the bot, not by the library
    "500": {"status": 500},  # retried by the library a second later
    "429": {"status": 429, "retry_after": 0.05},
    "cut": {"drop": True},
    "lost": {"status": 503, "after": True},  # carried out, but reported as failed
}
UNANSWERED = ("503", "cut")


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    """Retry failed edits almost at once."""
    monkeypatch.setattr("bot.live.work_queue.RETRY", (0.05,))


def trouble(*names):
    return pytest.mark.parametrize("how", names or TROUBLE)


def order(table, request, how, **more):
    table.discord.faults.add(Fault(**request, **TROUBLE[how], **more))


async def hindered(table, how, act):
    """The answer to an act whose first answer fails; if none comes, advance past 3 seconds."""
    order(table, ANSWER, how)
    acting = asyncio.create_task(act)
    if how in UNANSWERED:
        await table.discord.until(lambda: not table.discord.faults.ordered)
        table.discord.clock.advance(LATE)
    return await acting


def one_of_each(table, public):
    """Whether there is one table in the channel and one hand for each player."""
    tables = [m for m in table.person("Ann").see("games") if "Pico ·" in m.text]
    return tables == [public] and all(len(table.letters(n)) == 1 for n in ("Ann", "Bo"))


@trouble()
async def test_a_choice_whose_answer_fails_is_kept_and_shown_later(table, how):
    public = await table.match()
    desk = table.desk("Ann")
    card = table.cards(desk)[1]

    await hindered(table, how, table.pick("Ann", desk, 1))
    await table.discord.until(lambda: f"✓ {card.label}" in labels(desk))

    assert table.sql("SELECT move FROM moves") == [(card.custom_id.split(":")[4],)]
    assert one_of_each(table, public)


@trouble()
async def test_the_last_choice_resolves_even_if_its_answer_fails(table, how):
    public = await table.match()
    await table.play("Ann")

    await hindered(table, how, table.play("Bo"))
    await table.discord.until(
        lambda: all(table.step(table.desk(name)) == 1 for name in ("Ann", "Bo"))
    )

    assert table.sql("SELECT step FROM matches") == [(1,)]
    assert one_of_each(table, public)


@trouble()
async def test_an_edit_by_token_that_fails_is_tried_again(table, how):
    public = await table.match()
    order(table, BY_TOKEN, how)

    await table.trick("Ann", "Bo")

    await table.discord.until(lambda: "Last trick" in public.images[0].description)
    assert one_of_each(table, public)


@trouble()
async def test_an_edit_by_channel_that_fails_is_tried_again(table, how, expired_tokens):
    public = await table.match()
    order(table, BY_CHANNEL, how)

    await table.trick("Ann", "Bo")

    await table.discord.until(lambda: "Last trick" in public.images[0].description)
    assert one_of_each(table, public)


@trouble()
async def test_a_hand_that_could_not_be_sent_is_sent_once(table, how):
    order(table, SEND, how)

    public = await table.match()

    await table.trick("Ann", "Bo")
    assert one_of_each(table, public)


async def test_a_hand_that_was_sent_without_confirmation_shows_the_choice(table, monkeypatch):
    """When it is sent again, Discord answers with the first message, without the choice."""
    monkeypatch.setattr("bot.live.work_queue.RETRY", (3600.0,))
    order(table, SEND, "lost", times=2)
    public = await table.challenge()
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann") and table.desk("Bo"))

    await table.play("Ann", 2)
    await table.quiet_now()

    assert [i for i, b in enumerate(table.cards(table.desk("Ann"))) if "✓" in b.label] == [2]
    assert one_of_each(table, public)


@trouble()
async def test_direct_messages_that_could_not_be_opened_are_opened_later(table, how):
    order(table, OPEN, how)

    public = await table.match()

    await table.trick("Ann", "Bo")
    assert one_of_each(table, public)


@trouble("503", "cut")
async def test_a_challenge_whose_answer_fails_can_be_made_again(table, how):
    """Somebody who gets no answer tries again; the first challenge is withdrawn."""
    await hindered(table, how, table.ask("Ann", "Bo"))
    await table.handled()  # the bot has given up as well

    public = await table.match()
    await table.trick_at({name: table.desk(name, public) for name in ("Ann", "Bo")})

    await table.discord.until(lambda: "Last trick" in public.images[0].description)
    assert table.sql("SELECT status FROM matches ORDER BY id") == [("withdrawn",), ("running",)]


@trouble("503", "cut", "lost")
async def test_an_acceptance_whose_answer_fails_is_kept(table, how):
    public = await table.challenge()

    await hindered(table, how, table.person("Bo").click(public, "Accept"))

    await table.discord.until(lambda: table.desk("Ann") and table.desk("Bo"))
    assert labels(public) == ["My hand", "Menu", "Rules"]


@trouble("503", "500", "429")
async def test_my_hand_can_be_pressed_again_after_a_failure(table, how):
    public = await table.match()

    await hindered(table, how, table.person("Ann").click(public, "My hand"))
    desk = await table.hand("Ann", public)

    assert table.step(desk) == 0


@pytest.mark.parametrize("lost", [False, True])
async def test_a_replaced_hand_is_deleted_later_if_deleting_it_failed(table, lost):
    public = await table.match()
    old = await table.hand("Ann", public)
    twice = Fault(method="DELETE", path="^/webhooks/", drop=True, after=lost, times=2)
    table.discord.faults.add(twice)  # the library itself retries once

    new = await table.hand("Ann", public)
    await table.settled()
    await table.pick("Ann", new)
    await table.settled()

    assert old.deleted
    assert not table.discord.faults.ordered
    assert table.cards(new)[0].label.startswith("✓")


async def late(table, act):
    """The answer to an act that reaches the bot more than 3 seconds after it was done."""
    stop = table.discord.world.events.subscribe(
        lambda change: (
            table.discord.clock.advance(LATE) if change.kind == "interaction_started" else None
        )
    )
    answer = await act
    stop()
    return answer


async def test_a_choice_whose_answer_is_too_slow_is_kept_and_shown_later(table):
    await table.match()
    desk = table.desk("Ann")
    card = table.cards(desk)[0]

    answer = await late(table, table.pick("Ann", desk))

    assert answer.failed == "The application did not respond"
    await table.discord.until(lambda: f"✓ {card.label}" in labels(desk))
    assert table.sql("SELECT move FROM moves") == [(card.custom_id.split(":")[4],)]


async def test_a_reveal_whose_answer_is_too_slow_is_shown_in_every_hand(table):
    await table.match()
    await table.play("Ann")

    answer = await late(table, table.play("Bo"))

    assert answer.failed
    await table.discord.until(
        lambda: all(table.step(table.desk(name)) == 1 for name in ("Ann", "Bo"))
    )


async def test_a_click_is_answered_while_its_hand_is_being_edited(table, expired_tokens):
    """The edit of the hand hangs; the click must not wait for it."""
    await table.match()
    desk = table.desk("Ann")
    await table.play("Bo")
    await table.play("Ann")
    table.discord.faults.add(Fault(**BY_CHANNEL, delay=60.0, times=2))
    await written(table, "SELECT step FROM matches", [(1,)])
    step_one = _held(table, "Ann")
    await until(lambda: _is_being_edited(table, desk))

    answer = await table.person("Ann").forge(desk, custom_id=f"f1:1:1:pick:{step_one}")

    assert answer.failed is None
    assert answer.kind == 6


def _is_being_edited(table, desk):
    path = f"/channels/{desk.channel_id}/messages/{desk.id}"
    return any(path in exchange.path for exchange in table.discord._api.pending)


def _held(table, name):
    ((state,),) = table.sql("SELECT state FROM matches")
    return json.loads(state)["hands"][{"Ann": 0, "Bo": 1}[name]][0]


async def test_after_too_many_direct_messages_the_hand_is_sent_later(table):
    """Error 40003: the channel is opened once Discord allows it; My hand works meanwhile."""
    table.discord.faults.new_direct_messages = 1
    public = await table.challenge(pace="none")
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: table.desk("Ann") or table.desk("Bo"))
    await table.discord.until(
        lambda: [r for r in table.requests("POST", "/users/@me/channels") if r.status == 403]
    )
    (without,) = [name for name in ("Ann", "Bo") if table.desk(name) is None]

    here = await table.hand(without, public)
    table.discord.faults.new_direct_messages = None
    table.pass_time(10 * MINUTE)

    await table.discord.until(lambda: table.desk(without))
    assert table.step(here) == 0
    assert "Discord won't let me start new direct messages right now." in here.text
    assert table.sql("SELECT count(*) FROM people WHERE dm_closed_at NOT NULL") == [(0,)]


async def test_a_match_survives_limits_on_everything(table):
    table.discord.clock.thaw()
    give_real_windows(table.discord)

    public = await table.match(variant="pico1")
    for _ in range(3):
        await table.trick("Ann", "Bo")

    assert one_of_each(table, public)
    assert [r.path for r in table.discord.requests if r.status == 429] == []


async def test_an_interaction_delivered_twice_counts_once(table):
    table.discord.faults.deliver_twice = True

    public = await table.match()
    await table.quiet_now()  # a hand that is being edited can't be the answer to a click
    answer = await table.play("Ann", 2)
    await table.play("Bo")
    await table.discord.until(lambda: table.step(table.desk("Ann")) == 1)

    assert answer.kind == 7
    assert table.sql("SELECT count(*) FROM matches") == [(1,)]
    assert table.sql("SELECT count(*) FROM moves") == [(2,)]
    assert one_of_each(table, public)
    refused = [r for r in table.discord.requests if r.status is not None and r.status >= 400]
    assert refused == []


@pytest.fixture
async def hanging(table, monkeypatch):
    """Start an act whose answer never arrives, and let nothing wait long for that answer."""
    monkeypatch.setattr("bot.live.live.ANSWER_PATIENCE_SECONDS", 0.0)
    acting = []

    def act(doing):
        table.discord.faults.add(Fault(**ANSWER, delay=3600.0, after=True))
        acting.append(asyncio.create_task(doing))

    yield act
    await table.die()
    await asyncio.gather(*acting)


async def test_a_reveal_does_not_wait_for_the_answer_to_the_last_choice(table, hanging):
    public = await table.match()
    await table.play("Ann")
    await table.quiet_now()
    before = public.text

    hanging(table.play("Bo"))

    await table.discord.until(lambda: table.step(table.desk("Ann")) == 1 and public.text != before)
    assert table.bot.services.router._handling


async def test_a_match_begins_even_if_the_answer_to_the_acceptance_hangs(table, hanging):
    public = await table.challenge()

    hanging(table.person("Bo").click(public, "Accept"))

    await table.discord.until(lambda: table.has_hand("Ann", public) and "Round 1" in public.text)
    assert table.bot.services.router._handling


async def test_a_rematch_begins_even_if_the_answer_to_the_last_agreement_hangs(table, hanging):
    ended = await win(table, "Ann", "Bo")
    await table.person("Ann").click(ended, "Rematch")

    hanging(table.person("Bo").click(ended, "Rematch"))

    await table.discord.until(lambda: table.step(table.desk("Ann")) == 0)
    assert table.bot.services.router._handling


async def test_a_vacation_is_shown_at_the_table_even_if_its_answer_hangs(table, hanging):
    public = await table.match(pace="slow")

    hanging(table.person("Ann").slash("vacation start", channel="games", days=3))

    await table.discord.until(lambda: "is on vacation" in public.text)
    assert table.bot.services.router._handling


@pytest.mark.parametrize("pinged", [False, True])
async def test_a_message_deleted_before_sending_it_was_confirmed_is_sent_again_once(table, pinged):
    """Discord creates no second message with the same nonce, even if the first was deleted."""
    delivery, games = table.bot.services.delivery, table.discord.world.channel("games")
    picture = Picture(name="drawn", draw=png, subject=40, alt="Drawn")
    content = MessageContent(head="words", picture=picture)

    async def send():
        who = [table.person("Ann").id] if pinged else []
        return (await delivery.send(games.id, content, "n" * 25, pinged=who)).message

    first = await send()
    table.discord.world.delete_message(table.discord.world.messages[first])
    again, repeated = await send(), await send()

    assert again == repeated != first
    assert [m.id for m in table.person("Ann").see("games")] == [again]
    assert pinged or table.discord.world.messages[again].images


async def test_a_second_message_that_is_deleted_at_once_too_is_not_sent_forever(table):
    delivery, games = table.bot.services.delivery, table.discord.world.channel("games")

    for _ in range(2):
        sent = await delivery.send(games.id, MessageContent(head="words"), "nonce")
        table.discord.world.delete_message(table.discord.world.messages[sent.message])

    with pytest.raises(UndeliveredError, match="the message is gone"):
        await delivery.send(games.id, MessageContent(head="words"), "nonce")
