"""Watchers of a match that ended on time are notified of its end and of its final result."""

from tests.support.clock import DAY
from tests.support.match_records import ask, end, execute
from tests.support.matches import ANN, CYD, DAN

WEEK = 7 * DAY


async def followed(storage, match, *users):
    async with storage.transaction() as writing:
        for user in users:
            await writing.watches.add(match, user)


async def take_watchers_with_notice(storage, database):
    """Return the watchers with a notice, and delete the notices as if they had been sent."""
    found = ask(database, "SELECT user FROM notices WHERE event = 'watched'")
    await execute(storage, "DELETE FROM notices")
    return [user for (user,) in found]


async def test_watchers_are_notified_of_the_end_and_of_the_final_result(
    match, forfeit, storage, timeouts, watch, database
):
    """A watcher who also plays gets the notice for players."""
    await followed(storage, match, CYD, ANN)
    await forfeit(match, ANN)
    at_the_end = await take_watchers_with_notice(storage, database)

    watch.advance(WEEK)
    await timeouts.act(match)

    assert at_the_end == [CYD]
    assert await take_watchers_with_notice(storage, database) == [CYD]


async def test_watchers_are_notified_when_a_player_lets_the_result_count(
    over, match, storage, reopenings, database
):
    await followed(storage, match, CYD)

    await reopenings.count_result(match, ANN)

    assert await take_watchers_with_notice(storage, database) == [CYD]


async def test_watchers_are_notified_once_of_a_result_that_counts_at_once(
    match, storage, watch, database
):
    """As if one player forfeited and the clock then made the last move for another."""
    await followed(storage, match, DAN)

    async with storage.transaction() as writing:
        await writing.matches.hold_result(match, int(watch()) + WEEK)
        await end(writing, match, "over", int(watch()))
        await writing.matches.count_result(await writing.matches.load(match), int(watch()), ())

    assert await take_watchers_with_notice(storage, database) == [DAN]
