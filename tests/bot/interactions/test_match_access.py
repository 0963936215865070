"""Who can reach a match with a click, and how often the database is read for that."""

from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

from bot.errors import NotAllowedHereError
from bot.interactions.match_access import BELIEVED_SECONDS, MatchAccess
from tests.support.match_records import dealt, forget_user
from tests.support.matches import ANN, BEA

CID = 3 * 10**17


class Asked:
    """A storage that counts how often it is read."""

    def __init__(self, storage):
        self._storage = storage
        self.times = 0

    def reading(self):
        self.times += 1
        return self._storage.reading()


def click(user):
    """A click in direct messages."""
    return SimpleNamespace(user=SimpleNamespace(id=user), guild_id=None, channel_id=1)


async def test_the_players_of_a_match_are_read_once_for_all_their_clicks(storage, watch):
    match, asked = await dealt(storage), Asked(storage)
    access = MatchAccess(asked, None, now=watch)

    for user in (ANN, BEA, ANN, BEA):
        await access.must_reach(click(user), match)

    assert asked.times == 1


async def test_the_players_are_read_again_for_somebody_who_was_not_among_them(storage, watch):
    match, asked = await dealt(storage), Asked(storage)
    access = MatchAccess(asked, None, now=watch)
    await access.must_reach(click(ANN), match)

    for times in (2, 3):
        with pytest.raises(NotAllowedHereError):
            await access.must_reach(click(CID), match)
        assert asked.times == times


@pytest.mark.parametrize("forget", [lambda a: a.forget(BEA), MatchAccess.forget_all])
async def test_the_players_are_read_again_after_one_was_forgotten(storage, watch, forget):
    match, asked = await dealt(storage), Asked(storage)
    access = MatchAccess(asked, None, now=watch)
    await access.must_reach(click(ANN), match)

    forget(access)
    await access.must_reach(click(ANN), match)

    assert asked.times == 2


async def test_a_deletion_that_was_never_announced_is_noticed_after_a_while(storage, watch):
    match, asked = await dealt(storage), Asked(storage)
    access = MatchAccess(asked, None, now=watch)
    await access.must_reach(click(BEA), match)

    await forget_user(storage, BEA)
    watch.advance(BELIEVED_SECONDS)

    with pytest.raises(NotAllowedHereError):
        await access.must_reach(click(BEA), match)


async def test_players_forgotten_while_a_match_was_read_are_not_remembered(storage, watch):
    match, asked = await dealt(storage), Asked(storage)
    access, reading = MatchAccess(asked, None, now=watch), asked.reading

    @asynccontextmanager
    async def read_before_the_deletion():
        async with reading() as connection:
            yield connection
        access.forget(BEA)

    asked.reading = read_before_the_deletion
    await access.must_reach(click(ANN), match)
    asked.reading = reading
    await access.must_reach(click(ANN), match)

    assert asked.times == 2
