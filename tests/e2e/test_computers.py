"""Computer players at the wire: a whole match against one, with the coach afterwards."""

import asyncio

import pytest

from tests.support.clock import HOUR
from tests.support.notices import away
from tests.support.tables import labels, seated
from tests.support.waiting import written

pytestmark = pytest.mark.usefixtures("lowest")


class HangingPool:
    """A pool that never finishes, like a process that is killed before it is done."""

    crowd = 1

    async def run(self, seconds, work, *args, urgent=True):
        await asyncio.Event().wait()

    async def wake(self):
        """Do nothing."""


async def begin(table, name="Ann", **options):
    """The table of a match against a computer, once the person has a hand by direct message."""
    options = {"computer": "easy", "pace": "live", "hand": "desk", **options}
    public = (await table.person(name).slash("pico play", channel="games", **options)).message
    await table.discord.until(lambda: table.desk(name, public) is not None)
    return public


async def play_out(table, public, name="Ann"):
    """Play the highest card of this person until the match is over."""
    while (step := table.step(table.desk(name, public))) is not None:
        await table.play(name, which=-1)
        await table.discord.until(lambda s=step: table.step(table.desk(name, public)) != s)
    await table.over(public, name)


async def test_a_whole_match_against_a_computer_and_the_coach_after_it(table, monkeypatch):
    monkeypatch.setattr("bot.rendering.coach.CHOICES_PER_PAGE", 10)
    public = await begin(table)
    assert "Computer (easy)" in public.text
    assert "computer ladder" in public.text

    await play_out(table, public)

    assert "Coach" in labels(public)
    assert "<@0>" not in public.text
    assert len(table.requests("POST", "/users/@me/channels")) == 1
    answer = await (await table.person("Ann").click(public, "Coach")).settled()
    assert answer.message.ephemeral_to is not None
    assert "Costliest choice" in answer.message.text
    assert "With best play, this deal gave you" in answer.message.text
    await table.person("Ann").click(answer.message, "Later ▶")
    assert "Page 2 of 2" in answer.message.text


async def test_only_players_can_use_the_coach(table):
    public = await begin(table)
    await play_out(table, public)

    answer = await table.person("Bo").click(public, "Coach")

    assert "Only players can ask the coach" in answer.message.text


async def test_a_rematch_with_a_computer_begins_at_once(table):
    public = await begin(table)
    await play_out(table, public)

    await table.person("Ann").click(public, "Rematch")

    await table.discord.until(lambda: "Go to the rematch" in labels(public))


async def test_a_button_of_the_challenge_gives_an_open_seat_to_a_computer(table):
    public = (await table.person("Ann").slash("pico play", channel="games", pace="live")).message
    other = await table.person("Bo").click(public, "Easy")
    assert other.text == "Only the challenger can give an open seat to a computer. Ask them to."

    await table.person("Ann").click(public, "Easy")

    await table.discord.until(lambda: "Computer (easy)" in public.text and "Round 1" in public.text)


async def test_a_computer_can_be_removed_again(table):
    ann = table.person("Ann")
    answer = await ann.slash("pico play", channel="games", pace="live", variant="pico1-three")
    public = answer.message
    await ann.select(public, "Add a computer", "easy")
    await table.discord.until(lambda: "✓ Computer (easy)" in public.text)

    await ann.select(public, "Add or remove a computer", "away")

    await table.discord.until(lambda: "Computer" not in public.text)


async def test_calling_off_a_match_against_computers_only_confirms_it(table):
    public = await begin(table)
    ann = table.person("Ann")
    menu = (await (await ann.click(public, "Menu")).settled()).message

    answer = await ann.click(menu, "Call it off")

    assert answer.text == "You called the match off, so it's over."
    await table.discord.until(lambda: "**Called off**: it ends without a result." in public.text)


async def test_a_computer_that_owed_a_move_at_shutdown_moves_after_the_start(discord, tmp_path):
    async with seated(discord, tmp_path) as table:
        table.bot.services.computer_moves._pool = HangingPool()
        public = await begin(table)
        await table.play("Ann")
        assert table.sql("SELECT count(*) FROM moves") == [(1,)]

        await table.restart()

        await discord.until(lambda: table.step(table.desk("Ann", public)) == 1)
        assert table.sql("SELECT how FROM moves WHERE step = 0 ORDER BY seat") == [
            ("chosen",),
            ("computer",),
        ]


async def test_who_resumes_a_match_against_a_computer_is_not_told_of_the_turn_besides(table):
    await begin(table, pace="slow")
    await away(table, HOUR)
    hand = table.desk("Ann")
    table.discord.world.delete_channel("games")
    await written(table, "SELECT 1 FROM matches WHERE paused_why = 'lost'")
    await table.told()

    await table.person("Ann").slash("resume", channel="lobby", match=1)
    await away(table, 90)

    assert table.sql("SELECT 1 FROM notices WHERE event = 'turn'") == []
    assert table.desk("Ann").id == hand.id
