"""Answers that take long: what a person is shown meanwhile, and what they get in the end."""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta

import pytest
from discord.http import json_or_text
from discord.webhook import async_

from bot.interactions.error_handler import ALL_SAVED, RESTARTING
from bot.matches.archive import UNCHECKED
from sandbox import Fault
from sandbox.permissions import Permission
from tests.support.drawing import Threads
from tests.support.services import AT_ONCE
from tests.support.standstill import Endless, HaltingDrawing
from tests.support.tables import labels, listen, seated

AT_ALL = replace(AT_ONCE, defer=0.0)
"""Defers every answer that has to wait for anything."""

IN_PLACE, THINKING = 6, 5


@pytest.fixture
def garbled(monkeypatch):
    """Truncate the body of Discord's first response to an answer of the bot."""
    read, texts = json_or_text, []

    async def cut(response):
        if texts:
            return await read(response)
        texts.append(await response.text())
        return json.loads(texts[0][:-1])

    monkeypatch.setattr(async_, "json_or_text", cut)
    return texts


@pytest.fixture
async def slow(discord, tmp_path):
    """A table whose bot defers every answer."""
    async with seated(discord, tmp_path, Threads(), pacing=AT_ALL) as table:
        yield table


def halt(table, drawing):
    """Stop drawing: no picture is finished from now on."""
    drawing.halted = True
    table.bot.services.delivery.pictures._drawn.clear()


async def play(table, **options):
    """The answer to Ann's challenge of Bo, once the challenge is posted."""
    options = {"opponent": table.person("Bo"), "pace": "live", "hand": "desk", **options}
    answer = await table.person("Ann").slash("pico play", channel="games", **options)
    await table.discord.until(lambda: answer.followups and answer.followups[0].is_v2)
    return answer


async def begun(table):
    public = (await play(table)).followups[0]
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text and table.desk("Bo", public))
    return public


async def test_a_challenge_that_took_long_mentions_its_opponent_and_is_kept_up_to_date(slow):
    """Only a new message is sure to notify, so it doesn't replace the "thinking" message."""
    answer = await play(slow)
    (public,) = answer.followups
    games = await (await slow.person("Ann").slash("games", channel="lobby")).settled()

    await slow.person("Ann").click(games.message, "Withdraw 1")
    await slow.discord.until(lambda: "Accept" not in labels(public))

    assert (answer.kind, answer.message.deleted) == (THINKING, True)
    assert public.pinged == {slow.person("Bo").id}
    assert public.ephemeral_to is None
    edits = slow.requests("PATCH", f"/messages/{public.id}")
    assert len(edits) == 2  # the first edit completes a message that was sent in words
    assert all(edit.path.startswith("/webhooks/") for edit in edits)


async def test_a_late_refusal_of_a_public_answer_is_shown_to_that_person_only(slow):
    ann = slow.person("Ann")

    answer = await ann.slash("pico play", channel="games", opponent=ann)
    await slow.discord.until(lambda: answer.followups)

    assert answer.message.deleted
    assert [m.ephemeral_to for m in answer.followups] == [ann.id]
    assert answer.text.startswith("You")


async def test_the_deferral_of_a_private_answer_is_shown_to_that_person_only(slow):
    public = await begun(slow)
    since = len(slow.discord.requests)

    answer = await (await slow.person("Ann").click(public, "My hand")).settled()

    assert answer.kind == THINKING
    assert answer.message.ephemeral_to == slow.person("Ann").id
    assert "your hand" in answer.text
    assert slow.requests("DELETE", since=since) == []


async def test_a_private_hand_that_took_long_can_be_used_and_is_kept_up_to_date(slow):
    public = await begun(slow)
    hands = {}
    for name in ("Ann", "Bo"):
        answer = await slow.person(name).click(public, "My hand")
        hands[name] = (await answer.settled()).message

    await slow.trick_at(hands)

    assert [slow.step(hand) for hand in hands.values()] == [1, 1]
    assert "My hand" in labels(public)


async def test_a_slow_click_edits_its_message_and_shows_nothing_before(slow):
    settings = await (await slow.person("Ann").slash("settings", channel="lobby")).settled()

    answer = await slow.person("Ann").select(settings.message, "Pace", "pace live")
    await slow.handled()

    assert answer.kind == IN_PLACE
    assert answer.followups == []
    chosen = next(s for s in settings.message.selects if s.placeholder == "Pace")
    assert [o["value"] for o in chosen.options if o.get("default")] == ["pace live"]


async def test_a_late_refusal_of_a_click_is_a_sentence_beside_its_message(slow):
    public = (await play(slow)).followups[0]
    before = labels(public)

    answer = await slow.person("Dan").click(public, "Accept")
    await slow.discord.until(lambda: answer.followups)

    assert answer.kind == IN_PLACE
    assert [m.ephemeral_to for m in answer.followups] == [slow.person("Dan").id]
    assert labels(public) == before


async def test_an_answer_is_given_even_if_it_could_not_be_deferred(slow):
    slow.discord.faults.add(Fault(method="POST", path="/callback", drop=True))

    answer = await slow.person("Ann").slash("settings", channel="lobby")

    assert answer.kind == 4
    assert "How this server plays" in answer.text


async def test_a_person_is_told_if_discord_refuses_the_answer(slow):
    refused = Fault(method="PATCH", path="/messages/@original", status=403, code=50013)
    slow.discord.faults.add(refused)

    answer = await (await slow.person("Ann").slash("settings", channel="lobby")).settled()

    assert answer.text == f"I can't show you this: I'm not allowed to post there. {ALL_SAVED}"


async def test_an_answer_that_arrived_without_confirmation_stays(slow):
    slow.discord.faults.add(
        Fault(method="PATCH", path="/messages/@original", drop=True, after=True)
    )

    answer = await slow.person("Ann").slash("settings", channel="lobby")
    await slow.handled()

    assert "How this server plays" in answer.text
    assert [r for r in slow.discord.requests if r.status == 400] == []


TWICE = {"method": "POST", "path": "/callback", "status": 502, "after": True}
"""Discord accepts an answer but reports a failure; the library repeats it and gets error 40060."""


async def test_a_challenge_that_discord_accepted_but_reported_as_failed_is_kept(table):
    table.discord.faults.add(Fault(**TWICE))

    answer = await table.ask("Ann", "Bo")
    await table.handled()

    await table.person("Bo").click(answer.message, "Accept")
    await table.discord.until(lambda: "Round 1" in answer.text)
    assert table.sql("SELECT status FROM matches") == [("running",)]


async def test_a_deferral_that_discord_accepted_but_reported_as_failed_is_filled(slow):
    slow.discord.faults.add(Fault(**TWICE))

    answer = await slow.person("Ann").slash("settings", channel="lobby")
    await slow.handled()

    assert answer.kind == THINKING
    assert "How this server plays" in answer.text


async def test_a_deferral_whose_confirmation_was_cut_off_is_filled(slow):
    slow.discord.faults.add(Fault(path="/callback", drop=True, after=True))

    answer = await slow.person("Ann").slash("settings", channel="lobby")
    await slow.handled()

    assert answer.kind == THINKING
    assert "How this server plays" in answer.text


CUT_OFF = {"path": "/callback", "drop": True, "after": True}
"""Discord accepts an answer, and the connection breaks before it confirms that."""


async def test_a_message_is_edited_even_if_the_confirmation_of_its_deferral_was_cut_off(slow):
    settings = await (await slow.person("Ann").slash("settings", channel="lobby")).settled()
    slow.discord.faults.add(Fault(**CUT_OFF))

    answer = await slow.person("Ann").select(settings.message, "Pace", "pace live")
    await slow.handled()

    chosen = next(s for s in settings.message.selects if s.placeholder == "Pace")
    assert [o["value"] for o in chosen.options if o.get("default")] == ["pace live"]
    assert (answer.kind, answer.followups) == (IN_PLACE, [])


@pytest.mark.parametrize("which", [0, 1], ids=["the same", "another"])
async def test_a_table_is_not_mistaken_for_the_receipt_of_an_unconfirmed_tap(slow, which):
    """If neither deferral nor answer is confirmed, the original response is the public table."""
    public = (await play(slow, hand="tap")).followups[0]
    await slow.person("Bo").click(public, "Accept")
    await slow.discord.until(lambda: "Round 1" in public.text)
    await slow.settled()
    cards = [b.custom_id for b in public.buttons if b.custom_id and ":tap:0 " in b.custom_id]
    slow.discord.faults.add(Fault(**CUT_OFF, times=2))
    await slow.person("Ann").click(public, cards[0])
    await slow.handled()
    said = listen(slow, public)

    await slow.person("Ann").click(public, cards[which])
    await slow.settled()

    assert not [text for text in said if "You chose" in text]
    assert not public.deleted


@pytest.mark.parametrize("times", [1, 2])
async def test_a_page_with_a_picture_turns_even_if_the_confirmation_was_cut_off(table, times):
    """The click is acknowledged with the page itself; the second try may fail as well."""
    answer = await (await table.person("Ann").slash("pico rules", channel="games")).settled()
    page = answer.message
    table.discord.faults.add(Fault(**CUT_OFF, times=times))

    turned = await table.person("Ann").click(page, page.buttons[0].custom_id)
    await table.handled()

    assert ("page 2" in page.text) == (times == 1)
    assert turned.kind == IN_PLACE
    assert len(turned.followups) == times - 1


@pytest.mark.parametrize("fault", [{"status": 502}, {"status": 404, "code": 10008}])
async def test_a_challenge_is_posted_even_if_its_thinking_message_is_already_gone(slow, fault):
    """Discord deleted it but reported a failure, and the library repeats it; or a moderator did."""
    slow.discord.faults.add(Fault(method="DELETE", path="/messages/@original", after=True, **fault))

    (public,) = (await play(slow)).followups
    await slow.person("Bo").click(public, "Accept")
    await slow.discord.until(lambda: "Round 1" in public.text)

    assert not slow.discord.faults.ordered


FOLLOW_UP = {"method": "POST", "path": r"^/webhooks/\d+/[^/]+$", "after": True}


@pytest.mark.parametrize("fault", [{"status": 502}, {"status": 502, "times": 2}, {"drop": True}])
async def test_a_challenge_that_took_long_is_posted_once_even_if_discord_reported_a_failure(
    slow, fault
):
    """The library repeats follow-ups, which could leave two tables, one of them never edited.

    Follow-ups take no nonce, so the bot reads the channel's history; without that permission, the
    challenge is posted twice.
    """
    world = slow.discord.world
    world.set_permissions(world.channel("games"), allow=Permission.READ_MESSAGE_HISTORY)
    slow.discord.faults.add(Fault(**FOLLOW_UP, **fault))
    await slow.person("Dan").say("games", "Hello!")

    answer = await play(slow)
    await slow.person("Dan").say("games", "What's that?")
    await slow.handled()
    (public,) = answer.followups
    await slow.person("Bo").click(public, "Accept")
    await slow.discord.until(lambda: "Round 1" in public.text)

    assert slow.sql("SELECT message FROM places WHERE place = -1") == [(public.id,)]


async def test_a_challenge_that_took_long_and_really_failed_is_posted_again(slow):
    slow.discord.faults.add(Fault(**{**FOLLOW_UP, "after": False}, status=502))

    (public,) = (await play(slow)).followups

    await slow.person("Bo").click(public, "Accept")
    await slow.discord.until(lambda: "Round 1" in public.text)


async def test_an_answer_given_by_something_else_is_not_mistaken_for_ours(table):
    """By another process, for example; a challenge that nobody was shown is undone."""
    refused = {"method": "POST", "path": "/callback", "status": 400, "code": 40060}
    table.discord.faults.add(Fault(**refused))
    asking = asyncio.create_task(table.ask("Ann", "Bo"))

    await table.discord.until(lambda: not table.discord.faults.ordered)
    await table.handled()

    assert table.sql("SELECT status FROM matches") == [("withdrawn",)]
    table.discord.clock.advance(timedelta(seconds=4))
    await asking


async def test_a_match_that_began_without_confirmation_continues_in_its_message(table):
    table.discord.faults.add(Fault(method="POST", path="/callback", drop=True, after=True))

    answer = await table.person("Ann").slash("pico play", channel="games", computer="easy")
    await table.discord.until(lambda: "Round 1" in answer.text)
    await table.quiet_now()

    (place,) = table.sql("SELECT message FROM places WHERE place = -1")
    assert place == (answer.message.id,)
    assert table.person("Ann").see("games") == [answer.message]


async def test_a_challenge_posted_with_a_garbled_confirmation_is_kept(table, garbled):
    answer = await table.ask("Ann", "Bo")
    await table.handled()
    await table.quiet_now()

    assert garbled
    assert table.sql("SELECT message FROM places WHERE place = -1") == [(answer.message.id,)]


async def test_a_challenge_that_discord_calls_malformed_does_not_block_the_next(table):
    table.discord.faults.add(Fault(method="POST", path="/callback", status=400, code=50035))

    apology = await table.ask("Ann", "Bo")
    again = await table.ask("Ann", "Bo")

    assert "Something went wrong on my end" in apology.text
    assert "Accept" in labels(again.message)


async def test_a_picture_that_is_never_drawn_is_described_in_words(discord, tmp_path, monkeypatch):
    monkeypatch.setattr("bot.messaging.layouts.MAX_DRAWING_SECONDS", 0.05)
    drawing = HaltingDrawing()
    async with seated(discord, tmp_path, drawing) as table:
        halt(table, drawing)

        answer = await (await table.person("Ann").slash("pico rules", channel="games")).settled()
        page, said = answer.message, answer.text
        turned = await table.person("Ann").click(page, page.buttons[0].custom_id)
        await table.discord.until(lambda: "page 2" in page.text)

        assert "has gone too far" in said
        assert page.images == []
        assert turned.kind == IN_PLACE


async def test_a_person_who_waits_at_shutdown_is_told_so(discord, tmp_path, monkeypatch):
    monkeypatch.setattr("bot.interactions.router.ANSWERABLE_SECONDS", 0.05)
    drawing = HaltingDrawing()
    async with seated(discord, tmp_path, drawing) as table:
        halt(table, drawing)
        answer = await table.person("Ann").slash("pico rules", channel="games")

        await table.stop()

        assert answer.text == RESTARTING


async def test_a_file_that_takes_forever_to_verify_holds_up_nobody_else(discord, tmp_path):
    verifier = Endless()
    async with seated(discord, tmp_path, processes={"verifier": verifier}) as table:
        public = await table.match()
        await table.person("Ann").forge(public, custom_id="f1:1:0:leave:")
        await table.over(public, "Ann", "Bo")

        checked = await table.person("Ann").slash("verify", channel="games", file=("a.json", b"{}"))
        replay = await (await table.person("Bo").click(public, "Replay")).settled()
        waiting = checked.message.is_loading
        verifier.too_long.set()
        await checked.settled()

        assert "The cards are dealt." in replay.text
        assert waiting
        assert checked.text == UNCHECKED
