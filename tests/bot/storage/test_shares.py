"""Results that were shared: once a person and match, gone with either."""

from bot.storage.shares import ShareRecord
from tests.support.match_records import finished, forget_user
from tests.support.matches import ANN, BEA, GUILD


def wanted(match, user, channel=5, at=100):
    return ShareRecord(match=match, user=user, channel=channel, message=None, shared_at=at)


async def test_a_result_is_shared_once_by_each_player(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.transaction() as writing:
        first = await writing.shares.claim(wanted(match, ANN))
        other = await writing.shares.claim(wanted(match, BEA, channel=6))
        assert await writing.shares.note_posted(match, ANN, 77)
        again = await writing.shares.claim(wanted(match, ANN, channel=9, at=200))

        assert (first.message, other.channel) == (None, 6)
        assert (again.channel, again.message, again.shared_at) == (5, 77, 100)


async def test_the_last_posts_that_stand_are_known(storage):
    numbers = [await finished(storage, n, (ANN, BEA), (1, 2)) for n in (1, 2, 3)]
    async with storage.transaction() as writing:
        for match in numbers:
            await writing.shares.claim(wanted(match, ANN, at=100 + match))
        for match in numbers[:2]:
            await writing.shares.note_posted(match, ANN, 70 + match)

        found = await writing.shares.latest(ANN, 5)
        assert [spot.message for _, spot in found] == [70 + numbers[1], 70 + numbers[0]]
        assert len(await writing.shares.latest(ANN, 1)) == 1


async def test_nothing_is_noted_for_somebody_who_was_forgotten_or_a_match_that_is_gone(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.transaction() as writing:
        await writing.shares.claim(wanted(match, ANN))
        await writing.shares.claim(wanted(match, BEA))
    await forget_user(storage, ANN)
    async with storage.transaction() as writing:
        assert not await writing.shares.note_posted(match, ANN, 7)
        assert await writing.shares.of(match, ANN) is None
        await writing.guilds.forget_matches(GUILD, 5)
        assert await writing.shares.of(match, BEA) is None
