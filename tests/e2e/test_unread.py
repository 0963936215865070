"""The messages that two players who are never active at once get, from challenge to rematch."""

import pytest

from games import GAMES
from tests.support.clock import HOUR, MINUTE
from tests.support.notices import offer_a_draw

BOTH = ("Ann", "Bo")


async def idle(table, seconds):
    """Let time pass without clicks, with all edits and notices that result from it."""
    table.pass_time(seconds)
    await table.quiet_now()
    await table.told()
    await table.quiet_now()


def unread(table):
    """The number of each player's new direct messages, which they read now."""
    found = tuple(table.person(name).unread for name in BOTH)
    for name in BOTH:
        table.person(name).read()
    return found


def owing(table):
    """The players whose hands ask for a choice."""
    asking = (":pick:", ":draft:")
    ids = {name: [b.custom_id or "" for b in table.desk(name).buttons] for name in BOTH}
    return [name for name in BOTH if any(act in i for i in ids[name] for act in asking)]


def kept(table, match=None):
    """How many messages each player has in direct messages; only those of `match`, if given."""
    return tuple(
        sum(match is None or _is_of(letter, match) for letter in table.letters(name))
        for name in BOTH
    )


def _is_of(letter, match):
    return any(f"f1:{match}:" in (button.custom_id or "") for button in letter.buttons)


async def declines(table, name):
    (letter,) = table.letters(name)
    await table.person(name).click(letter, "Decline")
    await table.told()
    await table.quiet_now()


async def nudges(table, name, public):
    user = table.person(name).id
    await table.bot.services.nudges.nudge(table.match_of(public), user)
    await table.told()
    await table.quiet_now()


async def time_runs_out(table, public):
    table.pass_time(5 * HOUR)
    await table.discord.until(lambda: "Time ran out" in public.text)
    await table.told()
    await table.quiet_now()


async def leaves(table, public):
    await table.person("Bo").forge(public, custom_id=f"f1:{table.match_of(public)}:0:leave:")
    await table.told()
    await table.quiet_now()


async def wants_a_rematch(table, name, public):
    await table.person(name).click(public, "Rematch")
    await table.told()
    await table.quiet_now()


@pytest.mark.parametrize("game", GAMES)
async def test_each_event_notifies_only_the_players_it_concerns_once(table, game):
    """Their unread messages after each event, and how many messages they have then."""
    public = await table.for_two(game, "is choosing", pace="slow")
    match = table.match_of(public)
    owe = owing(table)
    other = BOTH[1 - BOTH.index(owe[0])]

    async def after(event):
        await event
        return unread(table), kept(table)

    def those(*names):
        return tuple(int(name in names) for name in BOTH), (1, 1)

    nobody = those()
    assert (unread(table), kept(table)) == those(*BOTH)
    assert await after(idle(table, 5 * MINUTE)) == nobody  # the hand has announced the turn
    assert await after(nudges(table, other, public)) == those(owe[0])
    assert await after(idle(table, 3 * HOUR)) == nobody
    assert await after(offer_a_draw(table, "Ann", public)) == those("Bo")
    assert await after(idle(table, HOUR)) == nobody
    assert await after(declines(table, "Bo")) == nobody
    assert await after(idle(table, 15 * HOUR)) == those(*owe)  # time runs out
    assert await after(time_runs_out(table, public)) == nobody
    assert await after(idle(table, 5 * MINUTE)) == those(*owing(table))  # another turn has begun
    assert await after(leaves(table, public)) == those("Ann")
    assert await after(wants_a_rematch(table, "Bo", public)) == those("Ann")
    await wants_a_rematch(table, "Ann", public)
    await table.discord.until(lambda: kept(table, match + 1) == (1, 1))
    assert unread(table) == (1, 1)
    assert kept(table, match) == (1, 1)
    assert kept(table) == (2, 2)  # one for each match


async def test_a_player_who_sees_their_hand_at_the_table_has_at_most_one_notice_per_match(table):
    """It says what happened last, and is deleted when it no longer holds."""
    for name in BOTH:
        panel = (await table.person(name).slash("preferences", channel="games")).message
        await table.person(name).select(panel, "Where you see your hand", "desk here")
    public = await table.challenge(pace="slow")
    await table.person("Bo").click(public, "Accept")
    await table.discord.until(lambda: "Round 1" in public.text)

    async def after(event):
        await event
        return unread(table), kept(table)

    assert await after(idle(table, 5 * MINUTE)) == ((1, 0), (1, 0))  # mentions: accepted; a turn
    assert await after(nudges(table, "Ann", public)) == ((0, 1), (1, 1))
    assert await after(idle(table, 3 * HOUR)) == ((0, 0), (1, 1))
    assert await after(offer_a_draw(table, "Ann", public)) == ((0, 1), (1, 1))
    assert await after(idle(table, 16 * HOUR)) == ((1, 1), (1, 1))  # time runs out
    assert await after(time_runs_out(table, public)) == ((0, 0), (0, 0))
    assert await after(leaves(table, public)) == ((1, 0), (1, 0))
    assert await after(wants_a_rematch(table, "Bo", public)) == ((1, 0), (1, 0))
    assert await after(wants_a_rematch(table, "Ann", public)) == ((0, 0), (0, 0))
