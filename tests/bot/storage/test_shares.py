"""Shared results and solved puzzles: shared once, and deleted with their person."""

from bot.storage.puzzle_shares import PuzzleShareRecord
from bot.storage.puzzles import AnswerRecord
from bot.storage.shares import UNSURE_SECONDS, ShareRecord
from tests.support.match_records import finished, forget_user
from tests.support.matches import ANN, BEA, GUILD


def wanted(match, user, channel=5, at=100):
    return ShareRecord(match=match, user=user, channel=channel, message=None, shared_at=at)


async def test_a_result_is_shared_once_by_each_player(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.transaction() as writing:
        first = await writing.shares.claim(wanted(match, ANN))
        other = await writing.shares.claim(wanted(match, BEA, channel=6))
        assert await writing.shares.note_posted(first, 77)
        again = await writing.shares.claim(wanted(match, ANN, channel=9, at=200))

        assert (first.message, other.channel) == (None, 6)
        assert (again.channel, again.message, again.shared_at) == (5, 77, 100)


async def test_the_latest_posts_are_listed_newest_first(storage):
    numbers = [await finished(storage, n, (ANN, BEA), (1, 2)) for n in (1, 2, 3)]
    async with storage.transaction() as writing:
        claimed = [await writing.shares.claim(wanted(m, ANN, at=100 + m)) for m in numbers]
        for share in claimed[:2]:
            await writing.shares.note_posted(share, 70 + share.match)

        found = await writing.shares.latest(ANN, 5)
        assert [spot.message for _, spot in found] == [70 + numbers[1], 70 + numbers[0]]
        assert len(await writing.shares.latest(ANN, 1)) == 1


async def test_no_post_is_stored_for_a_deleted_person_or_match(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.transaction() as writing:
        claimed = await writing.shares.claim(wanted(match, ANN))
        await writing.shares.claim(wanted(match, BEA))
    await forget_user(storage, ANN)
    async with storage.transaction() as writing:
        assert not await writing.shares.note_posted(claimed, 7)
        assert await writing.shares.of(match, ANN) is None
        await writing.guilds.forget_matches(GUILD, 5)
        assert await writing.shares.of(match, BEA) is None


def solved(user, day=20_000, *, right=True, guild=None):
    return AnswerRecord(
        day=day, user=user, guild=guild, choice="9", solved=right, answered_at=day * 86_400
    )


def wanted_puzzle(day, guild=GUILD, at=100, channel=5):
    return PuzzleShareRecord(
        day=day, user=ANN, guild=guild, channel=channel, message=None, shared_at=at
    )


async def test_a_possibly_sent_post_can_change_its_channel_only_after_minutes(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    late = 100 + UNSURE_SECONDS + 1
    async with storage.transaction() as writing:
        await writing.puzzles.add(solved(ANN, 1))
        results, puzzles = writing.shares, writing.puzzle_shares
        first = await results.claim(wanted(match, ANN)), await puzzles.claim(wanted_puzzle(1))
        soon = (
            await results.claim(wanted(match, ANN, channel=6, at=late - 1)),
            await puzzles.claim(wanted_puzzle(1, channel=6, at=late - 1)),
        )
        then = (
            await results.claim(wanted(match, ANN, channel=6, at=late)),
            await puzzles.claim(wanted_puzzle(1, channel=6, at=late)),
        )

        assert soon == first
        assert [(share.channel, share.shared_at) for share in then] == [(6, late)] * 2
        assert not await results.note_posted(first[0], 77)
        assert not await puzzles.note_posted(first[1], 77)


async def test_an_attempt_in_the_future_blocks_no_other_channel(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.transaction() as writing:
        await writing.puzzles.add(solved(ANN, 1))
        await writing.shares.claim(wanted(match, ANN, at=20_000))
        await writing.puzzle_shares.claim(wanted_puzzle(1, at=20_000))

        then = (
            await writing.shares.claim(wanted(match, ANN, channel=6, at=9_000)),
            await writing.puzzle_shares.claim(wanted_puzzle(1, channel=6, at=9_000)),
        )

    assert [(share.channel, share.shared_at) for share in then] == [(6, 9_000)] * 2


async def test_only_a_solved_puzzle_can_be_shared_and_once_per_server(storage):
    async with storage.transaction() as writing:
        await writing.puzzles.add(solved(ANN, 1))
        await writing.puzzles.add(solved(ANN, 2, right=False))
        first = await writing.puzzle_shares.claim(wanted_puzzle(1))
        assert await writing.puzzle_shares.note_posted(first, 77)
        again = await writing.puzzle_shares.claim(wanted_puzzle(1, at=200))
        other = await writing.puzzle_shares.claim(wanted_puzzle(1, guild=9, at=300))

        assert (first.message, again.message, again.shared_at) == (None, 77, 100)
        assert (other.message, other.shared_at) == (None, 300)
        assert await writing.puzzle_shares.claim(wanted_puzzle(2)) is None
        assert await writing.puzzle_shares.claim(wanted_puzzle(3)) is None
        assert await writing.puzzle_shares.note_posted(other, 78)
        assert [spot.message for spot in await writing.puzzle_shares.latest(ANN, 5)] == [78, 77]


async def test_releasing_a_deleted_post_does_not_release_a_newer_one(storage):
    async with storage.transaction() as writing:
        await writing.puzzles.add(solved(ANN, 1))
        first = await writing.puzzle_shares.claim(wanted_puzzle(1))
        await writing.puzzle_shares.note_posted(first, 77)
        gone = await writing.puzzle_shares.of(1, ANN, GUILD)
        await writing.puzzle_shares.release(gone)
        second = await writing.puzzle_shares.claim(wanted_puzzle(1, at=200))
        await writing.puzzle_shares.note_posted(second, 78)

        await writing.puzzle_shares.release(gone)

        assert (await writing.puzzle_shares.of(1, ANN, GUILD)).message == 78


async def test_deleting_a_server_keeps_the_posts_of_other_servers(storage):
    """The row is needed to find the post if its person deletes all of their data."""
    async with storage.transaction() as writing:
        for day in (1, 2):
            await writing.puzzles.add(solved(ANN, day, guild=GUILD))
            here = await writing.puzzle_shares.claim(wanted_puzzle(day))
            await writing.puzzle_shares.note_posted(here, 70)
        there = await writing.puzzle_shares.claim(wanted_puzzle(1, guild=9))
        await writing.puzzle_shares.note_posted(there, 77)

        await writing.guilds.forget(GUILD)

        assert [spot.message for spot in await writing.puzzle_shares.latest(ANN, 5)] == [77]
        assert await writing.puzzles.answer(1, ANN) == solved(ANN, 1)
        assert await writing.puzzles.answer(2, ANN) is None


async def test_no_shared_puzzle_is_stored_for_a_deleted_person(storage):
    async with storage.transaction() as writing:
        await writing.puzzles.add(solved(ANN, 1))
        claimed = await writing.puzzle_shares.claim(wanted_puzzle(1))
    await forget_user(storage, ANN)

    async with storage.transaction() as writing:
        assert not await writing.puzzle_shares.note_posted(claimed, 7)
        assert await writing.puzzle_shares.claim(wanted_puzzle(1)) is None
