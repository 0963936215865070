"""Solo matches belong to no server: no notices, no ratings, and private."""

import time

import pytest

from bot.errors import NoSuchMatchError, NotSeatedError
from bot.matches.rematches import Rematches
from bot.matches.time_off import is_allowed
from bot.matches.watching import Watching
from tests.support.match_records import ask
from tests.support.matches import ANN, BEA, GUILD, RETURNS
from tests.support.opponents import play_out, playing, quiet

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("lowest")]

SOLO = {"guild": None, "channel": None, "time_control": "none", "rated": False}


@pytest.fixture
async def over(matches, computers):
    match = await playing(matches, **SOLO)
    await play_out(matches, computers, match)
    return match


async def test_a_solo_match_sends_no_notices(matches, computers, database):
    match = await playing(matches, **SOLO)
    assert ask(database, "SELECT * FROM notices") == []

    await play_out(matches, computers, match)

    assert ask(database, "SELECT * FROM notices") == []


async def test_the_result_of_a_solo_match_has_no_server_and_is_unrated(over, storage, database):
    assert over
    assert (
        ask(database, "SELECT guild, season, rated, levels FROM results")
        == [(None, None, 0, "easy")] * 2
    )
    assert ask(database, "SELECT * FROM ratings") == []
    async with storage.reading() as reading:
        assert (await reading.ratings.audit()).right
        assert await reading.guilds.known() == frozenset()
        (alone,) = await reading.profiles.solo(ANN, None)
        assert await reading.profiles.solo(ANN, "duel") == []
        assert await reading.profiles.solo(BEA, None) == []
    assert (alone.game, alone.matches) == ("pico", 1)


async def test_only_its_player_can_see_a_solo_match(matches, storage, computers, archive):
    match = await playing(matches, **SOLO)
    watching = Watching(storage)

    for asked in (matches.snapshot, matches.running):
        with pytest.raises(NotSeatedError, match="someone else's"):
            await asked(match, BEA)
    for guild in (GUILD, 0):
        with pytest.raises(NoSuchMatchError):
            await watching.follow(match, BEA, guild, lambda _: True)
    await play_out(matches, computers, match)
    for guild in (GUILD, None):
        with pytest.raises(NotSeatedError):
            await archive.moves(match, user=BEA, guild=guild)
    assert await archive.moves(match, user=ANN, guild=None)


async def test_a_rematch_of_a_solo_match_is_solo_too(matches, storage, computers, over, database):
    wanted = await Rematches(storage, returns=RETURNS, now=time.time).want(over, ANN, 12345)
    await quiet(computers)

    assert wanted.new.public().guild is None
    assert ask(database, "SELECT DISTINCT guild, channel, opener FROM matches") == [
        (None, None, ANN)
    ]


async def test_a_solo_match_cannot_have_a_channel(matches):
    with pytest.raises(Exception, match="home"):
        await playing(matches, **{**SOLO, "channel": 5})


async def test_settings_of_servers_do_not_restrict_solo_matches(storage):
    async with storage.reading() as reading:
        assert await is_allowed(reading, None, "take_back")
