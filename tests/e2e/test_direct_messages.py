"""Opening direct messages holds up nobody, and keeps its pace and its hourly limit."""

import time
from contextlib import asynccontextmanager

import pytest

from bot.live.repairs import READ_AGAIN_AT_LOOK
from sandbox import Fault
from tests.support.clock import HOUR, MINUTE
from tests.support.openings import begun, having, opened, openings, prefer, recipients
from tests.support.services import settings
from tests.support.tables import seated
from tests.support.waiting import until

BOTH = ("Ann", "Bo")
THREE = ("Ann", "Bo", "Cleo")
OPEN = {"method": "POST", "path": r"^/users/@me/channels"}
LIMITED = "I can start only so many direct messages an hour."


def limited(**named):
    return {"settings_": settings(most_openings=2, **named)}


async def played_here(table, public, *names):
    """Let everybody choose in their private hand, and wait until the table shows the next step."""
    desks = {name: await table.hand(name, public) for name in names}
    await table.trick_at(desks)
    await table.discord.until(lambda: "Last trick" in public.images[0].description)


# Nobody is held up


async def test_of_five_matches_begun_together_none_waits_for_another(frozen):
    world = frozen.discord.world
    pairs = [(world.add_person(f"P{i}").name, world.add_person(f"Q{i}").name) for i in range(5)]
    names = [name for pair in pairs for name in pair]
    tables = [await begun(frozen, *pair) for pair in pairs]
    await opened(frozen, 1)

    for public, pair in list(zip(tables, pairs, strict=True))[::-1]:
        await played_here(frozen, public, *pair)

    assert len(openings(frozen)) == 1  # no time has passed, so all the others still wait
    frozen.pass_time(20)
    await frozen.quiet_now()
    assert len(having(frozen, names)) == 1  # players at the table need no other hand


async def test_channels_are_opened_two_seconds_apart(frozen):
    await begun(frozen, "Ann", "Bo", "Cleo")
    await opened(frozen, 1)

    frozen.pass_time(1.9)
    await frozen.quiet_now()
    early = len(openings(frozen))
    frozen.pass_time(0.1)
    await opened(frozen, 2)

    assert early == 1
    assert len(openings(frozen)) == 2


@pytest.mark.parametrize(
    "fault",
    [Fault(**OPEN, delay=60.0), Fault(**OPEN, status=429, retry_after=60.0)],
    ids=["hangs", "is limited"],
)
async def test_a_match_goes_on_while_opening_a_channel_takes_long(table, fault):
    table.discord.faults.add(fault)
    began = time.monotonic()
    public = await begun(table, *BOTH)
    await until(lambda: fault not in table.discord.faults.ordered)

    await played_here(table, public, *BOTH)

    assert having(table, BOTH) == []
    assert fault.delay or time.monotonic() - began < 60.0


async def test_nothing_is_opened_for_a_match_that_has_ended_meanwhile(frozen):
    public = await begun(frozen, *BOTH)
    await opened(frozen, 1)
    await frozen.person("Bo").forge(public, custom_id="f1:1:0:leave:")
    await frozen.discord.until(lambda: "seed was" in public.text)
    await frozen.quiet_now()

    frozen.pass_time(HOUR)
    await begun(frozen, "Cleo", "Dan")
    await opened(frozen, 2)

    before, after = recipients(frozen)
    assert before in BOTH
    assert after in ("Cleo", "Dan")


async def test_somebody_who_chooses_hands_at_the_table_meanwhile_gets_no_direct_message(frozen):
    await begun(frozen, *BOTH)
    await opened(frozen, 1)
    (waiting,) = {*BOTH} - {*recipients(frozen)}
    await prefer(frozen, waiting, "desk here")
    await frozen.settled()

    frozen.pass_time(MINUTE)
    await frozen.quiet_now()

    assert len(openings(frozen)) == 1


# The hourly limit


@asynccontextmanager
async def in_line(discord, tmp_path):
    """A table, its message, and the player who has to wait an hour for their hand."""
    async with seated(discord, tmp_path, **limited()) as table:
        for name in THREE:
            user = table.person(name).id
            await table.bot.services.notice_settings.choose(user, "turn", "none")
        public = await begun(table, *THREE, pace="none")
        await table.discord.until(lambda: len(having(table, THREE)) == 2)
        await table.quiet_now()
        (waiting,) = {*THREE} - {*having(table, THREE)}
        yield table, public, waiting


async def test_after_a_full_hour_the_next_in_line_gets_a_turn_in_the_next_hour(discord, tmp_path):
    async with in_line(discord, tmp_path) as (table, _, waiting):
        table.pass_time(HOUR - 30)
        await table.quiet_now()
        early = len(openings(table))
        table.pass_time(40)
        await table.discord.until(lambda: table.desk(waiting))

        assert early == 2


async def test_a_player_who_has_to_wait_uses_my_hand_which_says_why(discord, tmp_path):
    async with in_line(discord, tmp_path) as (table, public, waiting):
        here = await table.hand(waiting, public)
        other = await table.hand(having(table, THREE)[0], public)

        assert LIMITED in here.text
        assert "only after you've been away" in here.text
        assert table.cards(here)
        assert LIMITED not in other.text


async def test_a_match_with_somebody_in_line_is_not_read_again_and_again(discord, tmp_path):
    """It is behind all that time because a hand is still to be sent; that is no sign of trouble."""
    async with in_line(discord, tmp_path) as (table, _, waiting):
        live = table.bot.services.live
        slot = await live.slots.table(1)

        for _ in range(2 * READ_AGAIN_AT_LOOK):
            await table.repairs_looked()

        assert await live.slots.table(1) is slot
        table.pass_time(HOUR)
        await table.discord.until(lambda: table.desk(waiting))
        await until(lambda: live._updater.under_way() == set())


async def test_a_player_in_line_who_plays_in_direct_messages_gets_the_hand_there(discord, tmp_path):
    async with in_line(discord, tmp_path) as (table, _, waiting):
        person = table.person(waiting)

        games = (await (await person.slash("games", channel=person.dm)).settled()).message
        (play,) = [b for b in games.buttons if (b.label or "").startswith("Play")]
        here = (await (await person.click(games, play.custom_id)).settled()).message
        table.pass_time(HOUR + 10)

        assert f"{LIMITED} Yours is in line and will come by itself" in here.text
        await table.discord.until(lambda: table.desk(waiting))


async def test_the_hourly_limit_still_counts_after_a_restart(discord, tmp_path):
    async with seated(discord, tmp_path, **limited()) as table:
        await begun(table, *BOTH)
        await table.discord.until(lambda: having(table, BOTH) == ["Ann", "Bo"])
        await table.quiet_now()

        await table.restart(**limited())
        public = await begun(table, "Cleo", "Dan")
        here = await table.hand("Cleo", public)

        assert LIMITED in here.text
        assert len(openings(table)) == 2


async def test_people_who_were_written_to_before_need_no_turn(discord, tmp_path):
    async with seated(discord, tmp_path, **limited()) as table:
        first = await table.match()
        await table.finish(first, *BOTH)

        again = await table.match()

        assert all(table.desk(name, again) for name in BOTH)
        assert len(openings(table)) == 2
