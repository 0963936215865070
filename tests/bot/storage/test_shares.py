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


async def test_the_last_posts_that_stand_are_known(storage):
    numbers = [await finished(storage, n, (ANN, BEA), (1, 2)) for n in (1, 2, 3)]
    async with storage.transaction() as writing:
        claimed = [await writing.shares.claim(wanted(m, ANN, at=100 + m)) for m in numbers]
        for share in claimed[:2]:
            await writing.shares.note_posted(share, 70 + share.match)

        found = await writing.shares.latest(ANN, 5)
        assert [spot.message for _, spot in found] == [70 + numbers[1], 70 + numbers[0]]
        assert len(await writing.shares.latest(ANN, 1)) == 1


async def test_nothing_is_noted_for_somebody_who_was_forgotten_or_a_match_that_is_gone(storage):
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


def wanted_of(day, guild=GUILD, at=100, channel=5):
    return PuzzleShareRecord(
        day=day, user=ANN, guild=guild, channel=channel, message=None, shared_at=at
    )


async def test_what_may_have_been_sent_is_tried_in_that_channel_for_minutes_then_in_any(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    late = 100 + UNSURE_SECONDS + 1
    async with storage.transaction() as writing:
        await writing.puzzles.add(solved(ANN, 1))
        results, puzzles = writing.shares, writing.puzzle_shares
        first = await results.claim(wanted(match, ANN)), await puzzles.claim(wanted_of(1))
        soon = (
            await results.claim(wanted(match, ANN, channel=6, at=late - 1)),
            await puzzles.claim(wanted_of(1, channel=6, at=late - 1)),
        )
        then = (
            await results.claim(wanted(match, ANN, channel=6, at=late)),
            await puzzles.claim(wanted_of(1, channel=6, at=late)),
        )

        assert soon == first
        assert [(share.channel, share.shared_at) for share in then] == [(6, late)] * 2
        assert not await results.note_posted(first[0], 77)
        assert not await puzzles.note_posted(first[1], 77)


async def test_a_try_from_before_the_clock_was_set_back_keeps_no_other_channel_waiting(storage):
    match = await finished(storage, 1, (ANN, BEA), (1, 2))
    async with storage.transaction() as writing:
        await writing.puzzles.add(solved(ANN, 1))
        await writing.shares.claim(wanted(match, ANN, at=20_000))
        await writing.puzzle_shares.claim(wanted_of(1, at=20_000))

        then = (
            await writing.shares.claim(wanted(match, ANN, channel=6, at=9_000)),
            await writing.puzzle_shares.claim(wanted_of(1, channel=6, at=9_000)),
        )

    assert [(share.channel, share.shared_at) for share in then] == [(6, 9_000)] * 2


async def test_a_solved_puzzle_is_shared_once_a_server_and_no_other(storage):
    async with storage.transaction() as writing:
        await writing.puzzles.add(solved(ANN, 1))
        await writing.puzzles.add(solved(ANN, 2, right=False))
        first = await writing.puzzle_shares.claim(wanted_of(1))
        assert await writing.puzzle_shares.note_posted(first, 77)
        again = await writing.puzzle_shares.claim(wanted_of(1, at=200))
        other = await writing.puzzle_shares.claim(wanted_of(1, guild=9, at=300))

        assert (first.message, again.message, again.shared_at) == (None, 77, 100)
        assert (other.message, other.shared_at) == (None, 300)
        assert await writing.puzzle_shares.claim(wanted_of(2)) is None
        assert await writing.puzzle_shares.claim(wanted_of(3)) is None
        assert await writing.puzzle_shares.note_posted(other, 78)
        assert [spot.message for spot in await writing.puzzle_shares.latest(ANN, 5)] == [78, 77]


async def test_a_puzzle_can_be_shared_again_whose_post_is_gone_but_not_one_that_came_since(storage):
    async with storage.transaction() as writing:
        await writing.puzzles.add(solved(ANN, 1))
        first = await writing.puzzle_shares.claim(wanted_of(1))
        await writing.puzzle_shares.note_posted(first, 77)
        gone = await writing.puzzle_shares.of(1, ANN, GUILD)
        await writing.puzzle_shares.release(gone)
        second = await writing.puzzle_shares.claim(wanted_of(1, at=200))
        await writing.puzzle_shares.note_posted(second, 78)

        await writing.puzzle_shares.release(gone)

        assert (await writing.puzzle_shares.of(1, ANN, GUILD)).message == 78


async def test_a_server_that_is_forgotten_takes_no_post_of_another_with_it(storage):
    """The row is needed to find the post if its person deletes all of their data."""
    async with storage.transaction() as writing:
        for day in (1, 2):
            await writing.puzzles.add(solved(ANN, day, guild=GUILD))
            here = await writing.puzzle_shares.claim(wanted_of(day))
            await writing.puzzle_shares.note_posted(here, 70)
        there = await writing.puzzle_shares.claim(wanted_of(1, guild=9))
        await writing.puzzle_shares.note_posted(there, 77)

        await writing.guilds.forget(GUILD)

        assert [spot.message for spot in await writing.puzzle_shares.latest(ANN, 5)] == [77]
        assert await writing.puzzles.answer(1, ANN) == solved(ANN, 1)
        assert await writing.puzzles.answer(2, ANN) is None


async def test_nothing_is_noted_of_a_puzzle_for_somebody_who_was_forgotten(storage):
    async with storage.transaction() as writing:
        await writing.puzzles.add(solved(ANN, 1))
        claimed = await writing.puzzle_shares.claim(wanted_of(1))
    await forget_user(storage, ANN)

    async with storage.transaction() as writing:
        assert not await writing.puzzle_shares.note_posted(claimed, 7)
        assert await writing.puzzle_shares.claim(wanted_of(1)) is None
