"""Watchers of a match that ended on time are notified of its end and of its final result."""

from tests.support.clock import DAY
from tests.support.match_records import ask, end, execute
from tests.support.matches import ANN, CYD, DAN

WEEK = 7 * DAY


async def followed(storage, match, *users):
    async with storage.transaction() as writing:
        for user in users:
            await writing.watches.add(match, user)


async def to_follow(storage, database):
    """Return the watchers with a notice, and delete the notices as if they had been sent."""
    found = ask(database, "SELECT user FROM notices WHERE event = 'watched'")
    await execute(storage, "DELETE FROM notices")
    return [user for (user,) in found]


async def test_who_follows_is_told_of_the_end_and_of_the_result_that_counts(
    match, forfeit, storage, timeouts, watch, database
):
    """A watcher who also plays gets the notice for players."""
    await followed(storage, match, CYD, ANN)
    await forfeit(match, ANN)
    at_the_end = await to_follow(storage, database)

    watch.advance(WEEK)
    await timeouts.act(match)

    assert at_the_end == [CYD]
    assert await to_follow(storage, database) == [CYD]


async def test_who_follows_is_told_when_a_player_lets_the_result_count(
    over, match, storage, reopenings, database
):
    await followed(storage, match, CYD)

    await reopenings.count(match, ANN)

    assert await to_follow(storage, database) == [CYD]


async def test_who_follows_is_told_once_of_a_result_that_counts_at_once_after_all(
    match, storage, watch, database
):
    """As if one player forfeited and the clock then made the last move for another."""
    await followed(storage, match, DAN)

    async with storage.transaction() as writing:
        await writing.matches.hold_result(match, int(watch()) + WEEK)
        await end(writing, match, "over", int(watch()))
        await writing.matches.count(await writing.matches.load(match), int(watch()), ())

    assert await to_follow(storage, database) == [DAN]
