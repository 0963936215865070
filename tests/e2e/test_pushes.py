"""What a phone's notification shows of a message: Discord leaves out components."""

from dataclasses import replace

import pytest

from sandbox.faults import Fault
from sandbox.guilds import Thread
from tests.support.clock import HOUR, MINUTE
from tests.support.drawing import Threads
from tests.support.match_threads import begun, tables, threads, want_threads
from tests.support.notices import away
from tests.support.services import AT_ONCE
from tests.support.tables import resign, seated
from tests.support.typed_commands import typed
from tests.support.waiting import until, written

BOTH = ("Ann", "Bo")
EDIT = {"method": "PATCH", "path": r"^/channels/\d+/messages/\d+$"}
SEND = {"method": "POST", "path": r"^/channels/\d+/messages$"}
HANGING = 3600.0
HANDS = "SELECT message FROM places WHERE place >= 0 ORDER BY place"


async def hands_stored_in_words(table):
    """Begin a match, and wait until both hands are stored while their second request hangs."""
    table.discord.faults.add(Fault(**EDIT, delay=HANGING, times=None))
    challenge = await table.challenge("Ann", "Bo")
    await table.person("Bo").click(challenge, "Accept")
    await until(lambda: len(table.sql(HANDS)) == len(BOTH))


@pytest.fixture
async def slow(discord, tmp_path):
    """A table whose bot defers every answer, so that challenges are follow-ups."""
    async with seated(discord, tmp_path, Threads(), pacing=replace(AT_ONCE, defer=0.0)) as table:
        yield table


async def set_way(table, way, *events):
    for name in BOTH:
        for event in events:
            await table.bot.services.notice_settings.choose(table.person(name).id, event, way)


def sent_by_the_bot(table):
    """A list that collects every message the bot sends from now on, even if deleted later."""
    sent = []

    def note(event):
        if event.kind == "message_created" and event.subject.author.bot:
            sent.append(event.subject)

    table.discord.world.events.subscribe(note)
    return sent


def malformed(table):
    """The paths of requests that were refused as malformed."""
    return [request.path for request in table.discord.requests if request.status == 400]


def notifies(message):
    """Whether the message has notified somebody, apart from private answers."""
    is_seen_elsewhere = message.pinged or message.guild_id is None
    return is_seen_elsewhere and not message.is_silent and message.ephemeral_to is None


async def test_a_challenge_says_what_it_is_to_the_challenged_player(table):
    challenge = await table.challenge("Ann", "Bo")

    ann, bo = table.person("Ann"), table.person("Bo")
    assert challenge.pinged == {bo.id}
    assert f"{ann.mention} challenges {bo.mention}" in challenge.preview
    assert (challenge.is_v2, challenge.content) == (True, "")
    await bo.click(challenge, "Accept")
    await table.settled()
    assert table.sql("SELECT status FROM matches") == [("running",)]


async def test_a_challenge_can_be_accepted_before_it_has_its_components(table):
    table.discord.faults.add(Fault(method="PATCH", path="/messages/@original", delay=0.5))
    answer = await table.ask("Ann", "Bo")

    await table.person("Bo").click(answer.message, "Accept")

    await table.discord.until(lambda: "Round 1" in answer.message.text)
    assert answer.message.is_v2


@pytest.mark.parametrize(("status", "times"), [(400, 1), (403, 6)])
async def test_a_challenge_that_never_gets_its_components_can_be_accepted(table, status, times):
    code = 50035 if status == 400 else 50013
    table.discord.faults.add(
        Fault(method="PATCH", path="/messages/@original", status=status, code=code, times=times)
    )

    answer = await table.ask("Ann", "Bo")
    await table.person("Bo").click(answer.message, "Accept")

    await table.discord.until(lambda: "Round 1" in answer.message.text and answer.message.is_v2)
    assert table.sql("SELECT status FROM matches") == [("running",)]


async def test_a_challenge_accepted_while_it_was_only_words_survives_a_crash(table):
    table.discord.faults.add(Fault(method="PATCH", path=".", delay=HANGING, times=None))
    answer = await table.ask("Ann", "Bo")
    await table.person("Bo").click(answer.message, "Accept")
    await written(table, "SELECT status FROM matches", [("running",)])

    table.discord.faults.clear()
    await table.die()
    await table.start()
    await table.repaired()

    await table.discord.until(lambda: "Round 1" in answer.message.text)
    assert (answer.message.is_v2, answer.message.content) == (True, "")
    assert malformed(table) == []


async def test_a_match_whose_challenge_was_only_words_at_a_crash_gets_its_thread(table):
    await want_threads(table)
    table.discord.faults.add(Fault(method="PATCH", path=".", delay=HANGING, times=None))
    answer = await table.ask("Ann", "Bo")
    await table.person("Bo").click(answer.message, "Accept")
    await written(table, "SELECT status FROM matches", [("running",)])

    table.discord.faults.clear()
    await table.die()
    await table.start()
    await table.repaired()
    await table.quiet_now()

    (thread,) = threads(table)
    assert len(tables(table, thread)) == 1
    assert (answer.message.is_v2, answer.message.content) == (True, "")
    assert malformed(table) == []


async def test_words_are_edited_even_if_nothing_stored_says_that_they_are_words(table):
    """For example by an older version, or because writing it failed."""
    await hands_stored_in_words(table)
    words = [table.letters(name)[0] for name in BOTH]

    await table.stop()
    table.discord.faults.clear()
    await table.change("UPDATE places SET shown = '' WHERE place >= 0")
    await table.start()
    await table.repaired()
    await table.quiet_now()

    assert [letter.is_v2 for letter in words] == [True, True]
    assert len(malformed(table)) == len(BOTH)


async def test_a_challenge_that_is_a_followup_is_found_after_a_crash(slow):
    table = slow
    table.discord.faults.add(Fault(method="PATCH", path=".", delay=HANGING, times=None))
    answer = await table.ask("Ann", "Bo")
    await table.discord.until(lambda: answer.followups)
    (words,) = answer.followups
    noted = "SELECT message FROM places WHERE place = -1"
    await written(table, noted, [(words.id,)])

    table.discord.faults.clear()
    await table.die()
    await table.start()
    await table.repaired()

    await table.discord.until(lambda: words.is_v2)
    assert table.sql(noted) == [(words.id,)]
    assert malformed(table) == []


async def test_a_hand_is_sent_with_its_reason_in_words_and_completed_right_afterwards(table):
    await table.match(pace="slow")
    await away(table)

    await away(table, 19 * HOUR)

    (hand,) = table.letters("Ann")
    assert hand.preview.startswith("⏰ **Your time is running out.**")
    assert "### Pico" in hand.preview
    assert (hand.is_v2, hand.content) == (True, "")
    assert hand.images


@pytest.mark.parametrize("way", ["dm", "channel"])
async def test_every_message_that_notifies_somebody_says_why(table, way):
    await set_way(table, way, "accepted", "turn", "time", "over", "rematch")
    sent = sent_by_the_bot(table)
    public = await table.match(pace="slow")
    await away(table)
    await away(table, 19 * HOUR)
    await resign(table, "Bo", public)
    await away(table)
    await table.person("Bo").click(public, "Rematch")
    await away(table)

    told = [message for message in sent if notifies(message)]
    assert len(told) >= 7
    assert [message for message in told if not message.preview] == []


async def test_a_notice_takes_one_request_and_its_button_works(table):
    await set_way(table, "channel", "time")
    public = await table.match(pace="slow")
    await away(table)
    since = len(table.discord.requests)
    await away(table, 19 * HOUR)

    ann = table.person("Ann")
    (notice,) = [m for m in table.person("Bo").see("games") if m.pinged == {ann.id}]
    assert f"{ann.mention}: It's your turn in" in notice.preview
    assert "`/notify` sets" in typed(notice.preview)
    edits = table.requests("PATCH", f"/channels/{notice.channel_id}/messages/{notice.id}", since)
    assert edits == []
    shown = await (await ann.click(notice, "My hand")).settled()
    assert table.match_of(shown.message) == table.match_of(public)


async def test_a_crash_between_the_words_and_the_rest_leaves_one_complete_hand(table):
    table.discord.faults.add(Fault(**EDIT, delay=HANGING, times=None))
    challenge = await table.challenge("Ann", "Bo")
    await table.person("Bo").click(challenge, "Accept")
    await table.discord.until(lambda: table.letters("Ann"))
    (words,) = table.letters("Ann")
    assert not words.is_v2

    table.discord.faults.clear()
    await table.restart()
    await table.repaired()
    await table.quiet_now()

    assert table.letters("Ann") == [words]
    assert words.is_v2
    assert words.images
    assert malformed(table) == []


async def test_a_hand_is_stored_as_soon_as_its_words_are_sent(table):
    await hands_stored_in_words(table)

    assert table.sql(HANDS) == [(table.letters(name)[0].id,) for name in BOTH]
    assert not any(table.letters(name)[0].is_v2 for name in BOTH)


async def test_a_challenge_is_stored_as_soon_as_its_words_are_sent(table):
    table.discord.faults.add(Fault(method="PATCH", path=".", delay=HANGING, times=None))

    answer = await table.ask("Ann", "Bo")

    noted = "SELECT message FROM places WHERE place = -1 AND shown = 'plain'"
    await written(table, noted, [(answer.message.id,)])


@pytest.mark.parametrize("slow", [SEND, EDIT], ids=["its words", "what follows"])
async def test_a_hand_that_tells_of_the_deal_is_sent_once_however_slowly(table, slow):
    await set_way(table, "dm", "accepted")
    sent = sent_by_the_bot(table)
    challenge = await table.challenge("Ann", "Bo")
    table.discord.faults.add(Fault(**slow, delay=0.5, times=len(BOTH)))
    await table.person("Bo").click(challenge, "Accept")
    await until(lambda: not table.discord.faults.ordered)

    table.watch.advance(3 * MINUTE)
    await table.told()
    await table.quiet_now()

    (hand,) = table.letters("Ann")
    assert [message for message in sent if message.channel_id == hand.channel_id] == [hand]
    assert table.person("Ann").unread == 1


async def test_a_hand_that_is_not_completed_at_once_is_tried_again_without_a_change(table):
    table.discord.faults.add(Fault(**EDIT, status=403, code=40004, times=2))
    challenge = await table.challenge("Ann", "Bo")
    await table.person("Bo").click(challenge, "Accept")
    await table.discord.until(lambda: all(table.letters(name) for name in BOTH))

    await table.quiet_now()

    assert all(table.letters(name)[0].is_v2 for name in BOTH)


async def test_a_choice_in_a_hand_that_is_still_only_words_counts(table):
    table.discord.faults.add(Fault(**EDIT, delay=1.0, times=None))
    challenge = await table.challenge("Ann", "Bo")
    await table.person("Bo").click(challenge, "Accept")
    await table.discord.until(lambda: table.letters("Ann"))
    (words,) = table.letters("Ann")

    await table.pick("Ann", words)
    await table.quiet_now()

    assert table.sql("SELECT COUNT(*) FROM moves") == [(1,)]
    assert words.is_v2


async def test_turning_a_page_in_a_thread_adds_nobody_to_the_thread(table):
    public = await table.match()
    await resign(table, "Bo", public)
    await table.over(public, *BOTH)
    world, ann, now = table.discord.world, table.person("Ann"), table.discord.clock.now()
    details = Thread(owner=table.person("Dan").id, created_at=now, changed_at=now)
    thread = world.add_thread(world.channel("games"), "chat", details)
    shown = (
        await (await table.person("Dan").slash("leaderboard", channel=thread)).settled()
    ).message
    assert ann.mention in shown.text
    before = set(thread.thread.members)

    await (await table.person("Dan").select(shown, "Time", "This week")).settled()

    assert ann.id not in before
    assert set(thread.thread.members) == before


async def test_players_find_the_thread_of_their_match_in_their_list(table):
    await want_threads(table)

    _, public = await begun(table)
    await table.quiet_now()

    thread = table.discord.world.find_channel(public.channel_id)
    assert {table.person(name).id for name in BOTH} <= set(thread.thread.members)
    assert public.pinged == frozenset()
