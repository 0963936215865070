"""Opening direct messages holds up nobody, keeps its pace, and gives way when Discord refuses."""

import asyncio
import time
from contextlib import asynccontextmanager
from unittest.mock import AsyncMock

import pytest

from bot.live.repairs import READ_ANEW_AT_LOOK
from sandbox import Fault
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.openings import begun, having, openings, prefer
from tests.support.services import settings
from tests.support.tables import seated
from tests.support.waiting import until

BOTH = ("Ann", "Bo")
THREE = ("Ann", "Bo", "Cleo")
OPEN = {"method": "POST", "path": r"^/users/@me/channels"}
FIRST = {"method": "POST", "path": r"^/channels/\d+/messages"}
FLAGGED = 20026
LIMITED = "I can start only so many direct messages an hour."
REFUSED = "Discord won't let me start new direct messages right now."
QUARANTINES = pytest.mark.parametrize("code", [FLAGGED, 0], ids=["flagged", "unknown"])


@pytest.fixture
async def held(table):
    """A table whose time passes only when the test says so."""
    table.watch.held = True
    return table


def limited(**named):
    return {"settings_": settings(most_openings=2, **named)}


def recipients(table):
    """The names of those to whom channels were opened, in this order."""
    users = table.discord.world.users
    return [users[int(r.json["recipient_id"])].name for r in openings(table)]


async def opened(table, number):
    """Return when so many channels were asked for, and what follows of it has been done."""
    await table.discord.until(lambda: len(openings(table)) == number)
    await table.quiet_now()


async def refused(table, number):
    """Return when Discord has refused so many requests, and all wait for time to pass."""
    await table.quiet_now()
    while len([r for r in table.discord.requests if r.status == 403]) < number:
        await asyncio.sleep(0)
        await table.quiet_now()
    # What was refused may have been a notice, and what follows of it is not written down yet. One
    # that waits in line for a channel goes on only when time has passed.
    notices = table.bot.services.deadlines._notices
    line = table.bot.services.direct_messages._openings._line
    await until(lambda: not notices._busy or (line and table.watch.is_awaited), pause=0)


async def played_here(table, public, *names):
    """Everybody chooses at their private desk; the table and those desks show the next step."""
    desks = {name: await table.hand(name, public) for name in names}
    await table.trick_at(desks)
    await table.discord.until(lambda: "Last trick" in public.images[0].description)


# Nobody is held up.


async def test_of_five_matches_begun_together_none_waits_for_another(held):
    world = held.discord.world
    pairs = [(world.add_person(f"P{i}").name, world.add_person(f"Q{i}").name) for i in range(5)]
    names = [name for pair in pairs for name in pair]
    tables = [await begun(held, *pair) for pair in pairs]
    await opened(held, 1)

    for public, pair in list(zip(tables, pairs, strict=True))[::-1]:
        await played_here(held, public, *pair)

    assert len(openings(held)) == 1  # no time has passed: all the others still wait
    held.pass_time(20)
    await held.quiet_now()
    assert len(having(held, names)) == 1  # and who plays at the table meanwhile needs no other hand


async def test_channels_are_opened_two_seconds_apart(held):
    await begun(held, "Ann", "Bo", "Cleo")
    await opened(held, 1)

    held.pass_time(1.9)
    await held.quiet_now()
    early = len(openings(held))
    held.pass_time(0.1)
    await opened(held, 2)

    assert early == 1
    assert len(openings(held)) == 2


@pytest.mark.parametrize(
    "fault",
    [Fault(**OPEN, delay=60.0), Fault(**OPEN, status=429, retry_after=60.0)],
    ids=["hangs", "is limited"],
)
async def test_a_match_goes_on_while_opening_takes_long(table, fault):
    table.discord.faults.add(fault)
    began = time.monotonic()
    public = await begun(table, *BOTH)
    await until(lambda: fault not in table.discord.faults.ordered)

    await played_here(table, public, *BOTH)

    assert having(table, BOTH) == []
    assert fault.delay or time.monotonic() - began < 60.0


async def test_nothing_is_opened_for_a_match_that_has_ended_meanwhile(held):
    public = await begun(held, *BOTH)
    await opened(held, 1)
    await held.person("Bo").forge(public, custom_id="f1:1:0:leave:")
    await held.discord.until(lambda: "seed was" in public.text)
    await held.quiet_now()

    held.pass_time(HOUR)
    await begun(held, "Cleo", "Dan")
    await opened(held, 2)

    before, after = recipients(held)
    assert before in BOTH
    assert after in ("Cleo", "Dan")


async def test_one_who_wants_the_hand_here_meanwhile_is_not_written_to(held):
    await begun(held, *BOTH)
    await opened(held, 1)
    (waiting,) = {*BOTH} - {*recipients(held)}
    await prefer(held, waiting, "desk here")
    await held.settled()

    held.pass_time(MINUTE)
    await held.quiet_now()

    assert len(openings(held)) == 1


# So many an hour.


@asynccontextmanager
async def in_line(discord, tmp_path):
    """A table, its message, and who has to wait an hour for the hand; nobody is told of turns."""
    async with seated(discord, tmp_path, **limited()) as table:
        for name in THREE:
            user = table.person(name).id
            await table.bot.services.notice_settings.choose(user, "turn", "none")
        public = await begun(table, *THREE, pace="none")
        await table.discord.until(lambda: len(having(table, THREE)) == 2)
        await table.quiet_now()
        (waiting,) = {*THREE} - {*having(table, THREE)}
        yield table, public, waiting


async def test_of_the_hour_that_is_full_the_next_one_gets_a_turn_in_the_next(discord, tmp_path):
    async with in_line(discord, tmp_path) as (table, _, waiting):
        table.pass_time(HOUR - 30)
        await table.quiet_now()
        early = len(openings(table))
        table.pass_time(40)
        await table.discord.until(lambda: table.desk(waiting))

        assert early == 2


async def test_who_has_to_wait_plays_with_my_hand_which_says_why(discord, tmp_path):
    async with in_line(discord, tmp_path) as (table, public, waiting):
        here = await table.hand(waiting, public)
        other = await table.hand(having(table, THREE)[0], public)

        assert LIMITED in here.text
        assert "only after you've been away" in here.text
        assert table.cards(here)
        assert LIMITED not in other.text


async def test_a_match_with_somebody_in_line_is_not_read_anew_again_and_again(discord, tmp_path):
    """It is behind all the time, for there is a hand to be sent; that is no sign of trouble."""
    async with in_line(discord, tmp_path) as (table, _, waiting):
        live = table.bot.services.live
        slot = await live.slots.table(1)

        for _ in range(2 * READ_ANEW_AT_LOOK):
            await live.repairs.look(AsyncMock(side_effect=set))
            await table.quiet_now()

        assert await live.slots.table(1) is slot
        table.pass_time(HOUR)
        await table.discord.until(lambda: table.desk(waiting))
        await until(lambda: live._showing.under_way() == set())


async def test_who_has_to_wait_and_plays_in_direct_messages_gets_the_hand_there(discord, tmp_path):
    async with in_line(discord, tmp_path) as (table, _, waiting):
        person = table.person(waiting)

        games = (await (await person.slash("games", channel=person.dm)).settled()).message
        (play,) = [b for b in games.buttons if (b.label or "").startswith("Play")]
        here = (await (await person.click(games, play.custom_id)).settled()).message
        table.pass_time(HOUR + 10)

        assert f"{LIMITED} Yours is in line and comes by itself" in here.text
        await table.discord.until(lambda: table.desk(waiting))


async def test_the_hour_goes_on_after_a_restart(discord, tmp_path):
    async with seated(discord, tmp_path, **limited()) as table:
        await begun(table, *BOTH)
        await table.discord.until(lambda: having(table, BOTH) == ["Ann", "Bo"])
        await table.quiet_now()

        await table.restart(**limited())
        public = await begun(table, "Cleo", "Dan")
        here = await table.hand("Cleo", public)

        assert LIMITED in here.text
        assert len(openings(table)) == 2


async def test_those_who_were_written_to_before_need_no_turn(discord, tmp_path):
    async with seated(discord, tmp_path, **limited()) as table:
        first = await table.match()
        await table.finish(first, *BOTH)

        again = await table.match()

        assert all(table.desk(name, again) for name in BOTH)
        assert len(openings(table)) == 2


# Refusals.


@QUARANTINES
@pytest.mark.parametrize("where", [OPEN, FIRST], ids=["opening", "first message"])
async def test_after_a_refusal_like_a_quarantine_all_wait_until_it_is_over(held, where, code):
    held.discord.faults.add(Fault(**where, status=403, code=code, times=1))
    await begun(held, *BOTH, pace="none")
    await refused(held, 1)

    held.pass_time(HOUR - 1)
    await held.quiet_now()
    asked = len(openings(held))
    held.pass_time(1)
    await opened(held, 2)
    held.pass_time(2)
    await held.discord.until(lambda: having(held, BOTH) == ["Ann", "Bo"])

    assert asked == 1
    # The library remembers a channel, so it is asked for again only if it was refused itself.
    assert len(openings(held)) == (3 if where is OPEN else 2)
    assert held.sql("SELECT count(*) FROM people WHERE dm_closed_at NOT NULL") == [(0,)]


async def test_a_restart_tries_at_once_whether_a_quarantine_is_over(held):
    held.discord.faults.add(Fault(**OPEN, status=403, code=FLAGGED, times=1))
    await begun(held, *BOTH, pace="none")
    await refused(held, 1)

    await held.restart(now=held.watch)
    await opened(held, 2)
    held.pass_time(2)
    await held.discord.until(lambda: having(held, BOTH) == ["Ann", "Bo"])


@QUARANTINES
async def test_my_hand_says_that_discord_refuses(table, code):
    table.discord.faults.add(Fault(**OPEN, status=403, code=code, times=None))
    public = await begun(table, *BOTH)
    await refused(table, 1)

    here = {name: await table.hand(name, public) for name in BOTH}

    assert [REFUSED in desk.text for desk in here.values()] == [True, True]
    assert [len(table.cards(desk)) for desk in here.values()] == [6, 6]


async def test_a_second_refusal_after_others_were_reached_is_about_that_person(held):
    held.discord.faults.add(Fault(**FIRST, status=403, code=50999))
    public = await begun(held, *BOTH, pace="none")
    await refused(held, 1)
    (name,) = recipients(held)
    (other,) = {*BOTH} - {name}
    path = rf"^/channels/{held.person(name).dm.id}/messages"
    held.discord.faults.add(Fault(method="POST", path=path, status=403, code=50999, times=None))

    held.pass_time(HOUR)
    await held.discord.until(lambda: held.desk(other))
    await held.quiet_now()
    held.pass_time(2)
    await refused(held, 2)
    here = await held.hand(name, public)
    await begun(held, "Cleo", name, pace="none")
    await held.quiet_now()  # until what opens channels waits for its pause
    held.pass_time(2)
    await held.discord.until(lambda: held.desk("Cleo"))
    await held.quiet_now()

    assert "can't reach you" in here.text
    assert len([r for r in held.discord.requests if r.status == 403]) == 2


async def test_who_waits_for_two_hands_is_refused_once_and_not_taken_for_closed(held):
    """Both wait for the same channel; the second learns from the first."""
    await begun(held, "Ann", "Dan", pace="none")
    await opened(held, 1)
    path = rf"^/channels/{held.person('Bo').dm.id}/messages"
    held.discord.faults.add(Fault(method="POST", path=path, status=403, code=FLAGGED, times=1))
    tables = [await begun(held, name, "Bo", pace="none") for name in ("Cleo", "Ann")]
    await held.quiet_now()
    while "Bo" not in recipients(held):
        held.pass_time(2)
        await held.quiet_now()
    await refused(held, 1)

    held.pass_time(HOUR)
    while not all(held.desk("Bo", public) for public in tables):
        await held.quiet_now()
        held.pass_time(2)

    assert held.sql("SELECT count(*) FROM people WHERE dm_closed_at NOT NULL") == [(0,)]


async def test_old_acquaintances_get_their_hands_while_nobody_new_is_written_to(table):
    first = await table.match()
    await table.finish(first, *BOTH)
    table.discord.faults.add(Fault(**OPEN, status=403, code=FLAGGED, times=None))
    await begun(table, "Cleo", "Dan")
    await refused(table, 1)

    again = await table.match()

    assert all(table.desk(name, again) for name in BOTH)


async def test_an_unknown_refusal_of_an_old_acquaintance_is_about_that_person(table):
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


async def test_a_nudge_reaches_in_the_channel_who_cannot_be_written_to(table):
    table.discord.faults.add(Fault(**OPEN, status=403, code=FLAGGED, times=None))
    public = await begun(table, *BOTH, pace="slow")
    await refused(table, 1)

    menu = await table.person("Ann").click(public, "Menu")
    await table.person("Ann").click(menu.message, "Nudge")

    await table.discord.until(
        lambda: [m for m in table.person("Bo").see("games") if "👋" in m.text]
    )
    assert len(openings(table)) == 1


async def test_a_reminder_reaches_in_the_channel_who_cannot_be_written_to(table):
    table.discord.faults.add(Fault(**OPEN, status=403, code=FLAGGED, times=None))
    await begun(table, *BOTH, pace="slow")
    await refused(table, 1)
    await table.told_of_turns()

    table.pass_time(DAY * 3 / 4)

    await table.discord.until(
        lambda: len([m for m in table.person("Bo").see("games") if "⏰" in m.text]) == 2
    )


async def test_an_export_is_handed_over_here_to_whom_cannot_be_written_to(table):
    table.discord.faults.add(Fault(**OPEN, status=403, code=FLAGGED, times=None))
    await begun(table, *BOTH)
    await refused(table, 1)

    answer = await table.person("Dan").slash("privacy export", channel="games")
    message = (await answer.settled()).message

    assert message.attachments
    assert len(openings(table)) == 1
