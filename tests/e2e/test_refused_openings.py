"""Discord refuses to open direct messages: for one person, or for everybody for a while."""

import asyncio

import pytest

from sandbox import Fault
from tests.support.clock import DAY, HOUR
from tests.support.openings import begun, having, opened, openings, recipients
from tests.support.waiting import until

BOTH = ("Ann", "Bo")
OPEN = {"method": "POST", "path": r"^/users/@me/channels"}
FIRST = {"method": "POST", "path": r"^/channels/\d+/messages"}
FLAGGED = 20026
REFUSED = "Discord won't let me start new direct messages right now."
QUARANTINES = pytest.mark.parametrize("code", [FLAGGED, 0], ids=["flagged", "unknown"])


async def refused(table, number):
    """Wait until Discord has refused this many requests, and the rest wait for time to pass."""
    await table.quiet_now()
    while len([r for r in table.discord.requests if r.status == 403]) < number:
        await asyncio.sleep(0)
        await table.quiet_now()
    # A refused message may have been a notice, whose failure is not stored yet. A notice that waits
    # for a channel continues only when time has passed.
    notices = table.bot.services.notices
    line = table.bot.services.direct_messages._openings._line
    await until(lambda: not notices._busy or (line and table.watch.is_awaited), pause=0)


@QUARANTINES
@pytest.mark.parametrize("where", [OPEN, FIRST], ids=["opening", "first message"])
async def test_after_a_refusal_like_a_quarantine_everybody_waits_until_it_is_over(
    frozen, where, code
):
    frozen.discord.faults.add(Fault(**where, status=403, code=code, times=1))
    await begun(frozen, *BOTH, pace="none")
    await refused(frozen, 1)

    frozen.pass_time(HOUR - 1)
    await frozen.quiet_now()
    asked = len(openings(frozen))
    frozen.pass_time(1)
    await opened(frozen, 2)
    frozen.pass_time(2)
    await frozen.discord.until(lambda: having(frozen, BOTH) == ["Ann", "Bo"])

    assert asked == 1
    # The library caches channels, so opening one is requested again only if that was refused.
    assert len(openings(frozen)) == (3 if where is OPEN else 2)
    assert frozen.sql("SELECT count(*) FROM people WHERE dm_closed_at NOT NULL") == [(0,)]


async def test_a_restart_tries_at_once_whether_a_quarantine_is_over(frozen):
    frozen.discord.faults.add(Fault(**OPEN, status=403, code=FLAGGED, times=1))
    await begun(frozen, *BOTH, pace="none")
    await refused(frozen, 1)

    await frozen.restart(now=frozen.watch)
    await opened(frozen, 2)
    frozen.pass_time(2)
    await frozen.discord.until(lambda: having(frozen, BOTH) == ["Ann", "Bo"])


@QUARANTINES
async def test_my_hand_says_that_discord_refuses(table, code):
    table.discord.faults.add(Fault(**OPEN, status=403, code=code, times=None))
    public = await begun(table, *BOTH)
    await refused(table, 1)

    here = {name: await table.hand(name, public) for name in BOTH}

    assert [REFUSED in desk.text for desk in here.values()] == [True, True]
    assert [len(table.cards(desk)) for desk in here.values()] == [6, 6]


async def test_a_second_refusal_after_others_were_reached_is_about_that_person(frozen):
    frozen.discord.faults.add(Fault(**FIRST, status=403, code=50999))
    public = await begun(frozen, *BOTH, pace="none")
    await refused(frozen, 1)
    (name,) = recipients(frozen)
    (other,) = {*BOTH} - {name}
    path = rf"^/channels/{frozen.person(name).dm.id}/messages"
    frozen.discord.faults.add(Fault(method="POST", path=path, status=403, code=50999, times=None))

    frozen.pass_time(HOUR)
    await frozen.discord.until(lambda: frozen.desk(other))
    await frozen.quiet_now()
    frozen.pass_time(2)
    await refused(frozen, 2)
    here = await frozen.hand(name, public)
    await begun(frozen, "Cleo", name, pace="none")
    await frozen.quiet_now()  # until the queue of openings pauses
    frozen.pass_time(2)
    await frozen.discord.until(lambda: frozen.desk("Cleo"))
    await frozen.quiet_now()

    assert "can't reach you" in here.text
    assert len([r for r in frozen.discord.requests if r.status == 403]) == 2


async def test_somebody_waiting_for_two_hands_is_refused_once_and_not_recorded_as_closed(frozen):
    """Both hands wait for the same channel; the second learns from the first."""
    await begun(frozen, "Ann", "Dan", pace="none")
    await opened(frozen, 1)
    path = rf"^/channels/{frozen.person('Bo').dm.id}/messages"
    frozen.discord.faults.add(Fault(method="POST", path=path, status=403, code=FLAGGED, times=1))
    tables = [await begun(frozen, name, "Bo", pace="none") for name in ("Cleo", "Ann")]
    await frozen.quiet_now()
    while "Bo" not in recipients(frozen):
        frozen.pass_time(2)
        await frozen.quiet_now()
    await refused(frozen, 1)

    frozen.pass_time(HOUR)
    while not all(frozen.desk("Bo", public) for public in tables):
        await frozen.quiet_now()
        frozen.pass_time(2)

    assert frozen.sql("SELECT count(*) FROM people WHERE dm_closed_at NOT NULL") == [(0,)]


async def test_people_written_to_before_get_their_hands_while_nobody_new_is_written_to(table):
    first = await table.match()
    await table.finish(first, *BOTH)
    table.discord.faults.add(Fault(**OPEN, status=403, code=FLAGGED, times=None))
    await begun(table, "Cleo", "Dan")
    await refused(table, 1)

    again = await table.match()

    assert all(table.desk(name, again) for name in BOTH)


async def test_an_unknown_refusal_for_somebody_written_to_before_is_about_that_person(table):
    first = await table.match()
    await table.finish(first, *BOTH)
    path = rf"^/channels/{table.person('Ann').dm.id}/messages"
    table.discord.faults.add(Fault(method="POST", path=path, status=403, code=50999, times=None))

    again = await begun(table, *BOTH, pace="none")
    await refused(table, 1)
    here = await table.hand("Ann", again)
    await begun(table, "Cleo", "Dan", pace="none")
    await table.discord.until(lambda: having(table, ("Cleo", "Dan")) == ["Cleo", "Dan"])

    assert "can't reach you" in here.text


async def test_a_nudge_reaches_somebody_who_cannot_be_written_to_in_the_channel(table):
    table.discord.faults.add(Fault(**OPEN, status=403, code=FLAGGED, times=None))
    public = await begun(table, *BOTH, pace="slow")
    await refused(table, 1)

    menu = await table.person("Ann").click(public, "Menu")
    await table.person("Ann").click(menu.message, "Nudge")

    await table.discord.until(
        lambda: [m for m in table.person("Bo").see("games") if "👋" in m.text]
    )
    assert len(openings(table)) == 1


async def test_a_reminder_reaches_somebody_who_cannot_be_written_to_in_the_channel(table):
    table.discord.faults.add(Fault(**OPEN, status=403, code=FLAGGED, times=None))
    await begun(table, *BOTH, pace="slow")
    await refused(table, 1)
    await table.told_of_turns()

    table.pass_time(DAY * 3 / 4)

    await table.discord.until(
        lambda: len([m for m in table.person("Bo").see("games") if "⏰" in m.text]) == 2
    )


async def test_an_export_is_attached_to_the_answer_for_somebody_who_cannot_be_written_to(table):
    table.discord.faults.add(Fault(**OPEN, status=403, code=FLAGGED, times=None))
    await begun(table, *BOTH)
    await refused(table, 1)

    answer = await table.person("Dan").slash("privacy export", channel="games")
    message = (await answer.settled()).message

    assert message.attachments
    assert len(openings(table)) == 1
