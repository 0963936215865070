"""Requests that Discord refuses for good aren't repeated; others are tried again later."""

from datetime import timedelta

import pytest

from bot.live.repairs import READ_AGAIN_AT_LOOK
from bot.telemetry import refused_requests
from sandbox import Fault
from tests.support.clock import MINUTE
from tests.support.tables import labels, resign
from tests.support.waiting import until, written

SEND = {"method": "POST", "path": r"^/channels/"}


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    """Retry failed edits almost at once, and make all edits go through the channels."""
    monkeypatch.setattr("bot.live.work_queue.RETRY", (0.05,))
    monkeypatch.setattr("bot.messaging.first_answer.TOKEN_LIFE", timedelta())


def order(table, message, status, code, **more):
    path = rf"/messages/{message.id}$"
    fault = Fault(method="PATCH", path=path, status=status, code=code, **{"times": None, **more})
    return table.discord.faults.add(fault)


def refused(table):
    return [r for r in table.discord.requests if r.status in {400, 401, 403, 404}]


async def played(table):
    await table.trick("Ann", "Bo")
    await table.quiet_now()


@pytest.mark.parametrize(
    ("status", "code"), [(403, 50013), (403, 999999), (403, 50009), (401, 0), (400, 160005)]
)
async def test_a_forbidden_edit_is_not_tried_again_and_again(table, status, code):
    public = await table.match()
    order(table, public, status, code)

    for _ in range(3):
        await played(table)

    assert [r.status for r in refused(table)] == [status, status]  # with a picture, and in words


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (401, 0), (400, 160005)])
async def test_an_edit_that_was_forbidden_for_a_while_is_tried_again_at_a_change_after_a_pause(
    table, status, code
):
    public = await table.match()
    order(table, public, status, code, times=2)
    await played(table)
    assert not table.discord.faults.ordered
    assert "Last trick" not in public.images[0].description

    slot = await table.bot.services.live.slots.table(table.match_of(public))
    slot.bar._until = 0.0  # the pause is over, but its timer hasn't fired yet
    await played(table)

    assert "Last trick" in public.images[0].description


async def test_an_edit_that_was_forbidden_for_a_while_is_tried_again_by_itself_after_a_pause(
    table, monkeypatch
):
    monkeypatch.setattr("bot.live.bar.PAUSES", (0.05,))
    public = await table.match()
    fault = order(table, public, 403, 50013)
    await table.trick("Ann", "Bo")
    await table.discord.until(lambda: len(refused(table)) >= 6)  # tried three times

    table.discord.faults.ordered.remove(fault)

    await table.discord.until(lambda: "Last trick" in public.images[0].description)


async def test_a_forbidden_last_edit_is_not_settled_before_it_was_tried_again(table, monkeypatch):
    public = await table.match()
    order(table, public, 403, 50013, times=2)
    await resign(table, "Ann", public)
    assert table.sql("SELECT settled FROM matches") == [(0,)]

    table.bot.services.live.retry_and_update(table.match_of(public))

    await table.discord.until(lambda: "seed was" in public.text)
    await table.quiet_now()
    assert table.sql("SELECT settled FROM matches") == [(1,)]


async def test_the_bot_gives_up_on_a_last_edit_that_stays_forbidden(table, monkeypatch):
    monkeypatch.setattr("bot.live.bar.PAUSES", (0.05, 0.05))
    live = table.bot.services.live
    public = await table.match()
    order(table, public, 403, 50013)

    await resign(table, "Ann", public)
    await written(table, "SELECT 1 FROM matches WHERE settled")
    showing = live._updater
    await until(lambda: not (showing._tries or showing.queue._tasks or live._comparing._tasks))
    tries = len(refused(table))
    for _ in range(READ_AGAIN_AT_LOOK):
        await table.repairs_looked()

    assert len(refused(table)) == tries >= 2 * 3


async def test_a_table_that_cannot_be_edited_is_up_to_date_once_it_was_posted_again(table):
    public = await table.match()
    order(table, public, 403, 50013)
    await played(table)
    table.discord.clock.advance(timedelta(minutes=1))

    menu = await table.person("Ann").click(public, "Menu")
    await table.person("Ann").click(menu.message, "Bring to the bottom")
    await table.settled()
    (new,) = [m for m in table.person("Dan").see("games") if "My hand" in labels(m)]
    before = new.images[0].description
    await played(table)

    assert new is not public
    assert new.images[0].description != before


@pytest.mark.parametrize(("status", "code"), [(404, 0), (404, 10008), (404, 999999)])
async def test_a_table_that_no_longer_exists_is_posted_again(table, status, code):
    public = await table.match()
    order(table, public, status, code, times=1)

    await played(table)

    tables = [m for m in table.person("Ann").see("games") if "My hand" in labels(m)]
    (new,) = [m for m in tables if m is not public]
    assert "Last trick" in new.images[0].description
    await played(table)
    assert "Last trick" in new.images[0].description


@pytest.mark.parametrize("code", [200000, 240000])
async def test_an_edit_that_a_filter_blocks_is_tried_again_at_the_next_change(table, code):
    public = await table.match()
    fault = order(table, public, 400, code)
    await table.play("Ann")
    await table.quiet_now()
    table.bot.services.live.compare_soon(table.match_of(public))
    await table.quiet_now()
    table.discord.faults.ordered.remove(fault)
    assert len(refused(table)) == 1

    await table.play("Bo")
    await table.quiet_now()

    assert "Last trick" in public.images[0].description


async def test_an_edit_that_a_filter_has_blocked_is_tried_once_more_after_a_start(table):
    public = await table.match()
    fault = order(table, public, 400, 200000)
    await played(table)
    table.bot.services.live.compare_soon(table.match_of(public))
    await table.quiet_now()
    assert len(refused(table)) == 1
    table.discord.faults.ordered.remove(fault)

    await table.restart()

    await table.discord.until(lambda: "Last trick" in public.images[0].description)


@pytest.mark.parametrize(("status", "code"), [(400, 40004), (403, 40333), (429, 0), (503, 130000)])
async def test_an_edit_that_discord_temporarily_disables_is_tried_again_by_itself(
    table, status, code
):
    public = await table.match()
    order(table, public, status, code, times=3, retry_after=0.05)

    await table.trick("Ann", "Bo")

    await table.discord.until(
        lambda: "Last trick" in "".join([public.text, *(i.description for i in public.images)])
    )
    assert not table.discord.faults.ordered


@pytest.mark.parametrize("code", [50007, 50278])
async def test_refused_direct_messages_are_recorded_as_closed(table, code):
    for _ in range(2):
        table.discord.faults.add(Fault(**SEND, status=403, code=code))
    public = await table.challenge()

    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)
    await table.quiet_now()

    assert [r.status for r in refused(table)] == [403, 403]
    assert table.sql("SELECT count(*) FROM people WHERE dm_closed_at NOT NULL") == [(2,)]
    assert table.cards(await table.hand("Ann", public))


async def test_after_too_many_refusals_only_interactions_are_answered_for_a_while(
    table, monkeypatch
):
    monkeypatch.setattr(refused_requests, "MAX_REFUSED", 2)
    monkeypatch.setattr(refused_requests, "CALM", 0)
    public = await table.match()
    await table.quiet_now()
    refused = table.bot.tracing.refused
    refused._clock = table.watch
    for _ in range(2):
        refused.note(403, None)
    since, tried = len(table.discord.requests), []
    watched = refused.check

    def check(**kind):
        tried.append(kind)
        watched(**kind)

    monkeypatch.setattr(refused, "check", check)

    answer = await table.play("Ann")
    hand = await table.hand("Ann", public)
    await table.play("Bo")
    await until(lambda: tried.count({"is_answer": False}) >= 6, 30)

    assert answer.failed is None
    assert table.cards(hand)
    asked = {r.path.split("/")[1] for r in table.requests(since=since)}
    assert asked == {"interactions", "webhooks"}
    assert table.step(table.desk("Ann")) == 0
    table.watch.advance(10 * MINUTE)
    await table.discord.until(lambda: table.step(table.desk("Ann")) == 1)
    await table.discord.until(lambda: "Last trick" in public.images[0].description)


async def exported(table, **fault):
    """Ann's export while sending fails: the answer, files sent to her, files in the answer."""
    ann = table.person("Ann")
    await table.match()
    table.discord.faults.add(Fault(**SEND, saying="Everything I keep", **fault))

    answer = await (await ann.slash("privacy export", channel="games")).settled()
    await table.handled()

    letters = [letter for letter in table.letters("Ann") if letter.attachments]
    return answer.text, len(letters), len(answer.message.attachments)


@pytest.mark.parametrize(
    "lost",
    [{"status": 503}, {"status": 503, "after": True}, {"drop": True, "after": True}],
    ids=["not taken", "taken", "not heard of"],
)
async def test_a_file_is_sent_once_even_if_discords_answer_is_lost(table, lost):
    told, in_letters, here = await exported(table, **lost)

    assert told.startswith("I'm sending you everything")
    assert (in_letters, here) == (1, 0)


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ({"status": 503, "times": 2}, "I can't send direct messages right now"),
        ({"status": 403, "code": 50007}, "My direct messages can't reach you"),
    ],
    ids=["trouble", "closed"],
)
async def test_somebody_who_gets_a_file_in_the_answer_is_told_why(table, fault, why):
    told, in_letters, here = await exported(table, **fault)

    assert told.startswith(f"This is everything I keep about you. {why}, so here it is")
    assert (in_letters, here) == (0, 1)
