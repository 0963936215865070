"""Posts of shared results: one per person and match, and none of a deleted person."""

import asyncio

import pytest

from bot.errors import MatchError, NotSeatedError
from bot.messaging.arrivals import Arrived
from bot.messaging.content import MessageContent
from bot.messaging.failures import Failure, UndeliveredError
from bot.sharing.results import STRANGER
from bot.sharing.shares import OTHERS_CHANGED, Shares
from bot.storage.records import Spot
from tests.support.match_records import ask, forget_user
from tests.support.matches import ANN, BEA, CHANNEL, NOW, refusal

RESULT = MessageContent(head="Ann wins")


class Posting:
    """Stands in for Discord: records what is sent and deleted; runs `meanwhile` while sending."""

    def __init__(self, meanwhile=None):
        self._meanwhile = meanwhile
        self.sent = []
        self.named = []
        self.deleted = []

    async def send(self, channel, content, nonce):
        del content
        self.sent.append(nonce)
        if self._meanwhile is not None:
            await self._meanwhile()
        return Arrived(channel, 70 + len(self.sent), None)

    async def show_mentioned_names(self, there, content):
        del content
        self.named.append(there.message)

    async def delete(self, channel, message):
        self.deleted.append((channel, message))

    async def is_gone(self, channel, message):
        return (channel, message) in self.deleted


@pytest.fixture
async def won(matches, match):
    """Ann's snapshot of a match that she has won."""
    await matches.concede(match, BEA)
    return await matches.snapshot(match, ANN)


def sharing(storage, posting, now=NOW):
    return Shares(None, storage, posting, None, posting, now=lambda: now)


async def test_a_posted_result_is_not_posted_again(storage, won):
    """However long ago that was; Discord remembers a nonce only for minutes."""
    posting = Posting()
    shares = sharing(storage, posting)

    first = await shares.post(won, ANN, RESULT, CHANNEL)
    again = await shares.post(won, ANN, RESULT, CHANNEL)

    assert (first.channel, first.message) == (CHANNEL, 71)
    assert again == first == await shares.posted(won.match, ANN)
    assert len(posting.sent) == 1
    assert posting.named == [71]


async def test_a_deleted_post_can_be_posted_once_more_with_another_nonce(storage, won):
    posting = Posting()
    first = await sharing(storage, posting).post(won, ANN, RESULT, CHANNEL)
    await posting.delete(first.channel, first.message)
    shares = sharing(storage, posting, NOW + 1)

    looked = await asyncio.gather(*(shares.posted(won.match, ANN) for _ in range(2)))
    second = await shares.post(won, ANN, RESULT, CHANNEL)
    again = await shares.post(won, ANN, RESULT, CHANNEL)

    assert looked == [None, None]
    assert second != first
    assert again == second == await shares.posted(won.match, ANN)
    assert len(set(posting.sent)) == len(posting.sent) == 2


@pytest.mark.parametrize(
    ("failure", "second"), [(Failure.FORBIDDEN, CHANNEL + 1), (Failure.TROUBLE, CHANNEL)]
)
async def test_after_a_refusal_a_result_goes_to_the_channel_chosen_next(
    storage, won, failure, second
):
    """After trouble it goes to the same channel for some minutes, as it may already be there."""

    async def refuse():
        if len(posting.sent) == 1:
            raise UndeliveredError(failure)

    posting = Posting(refuse)
    shares = sharing(storage, posting)
    with pytest.raises(UndeliveredError):
        await shares.post(won, ANN, RESULT, CHANNEL)

    posted = await shares.post(won, ANN, RESULT, CHANNEL + 1)

    assert posted == Spot(second, 72) == await shares.posted(won.match, ANN)


async def test_releasing_an_outdated_post_does_not_release_a_newer_one(storage, won):
    posting = Posting()
    shares = sharing(storage, posting)
    first = await shares.post(won, ANN, RESULT, CHANNEL)
    async with storage.reading() as reading:
        seen = await reading.shares.of(won.match, ANN)
    await posting.delete(first.channel, first.message)
    await shares.posted(won.match, ANN)
    second = await shares.post(won, ANN, RESULT, CHANNEL)

    async with storage.transaction() as writing:
        await writing.shares.release(seen)

    assert await shares.posted(won.match, ANN) == second


async def test_a_post_of_a_person_deleted_while_it_was_sent_is_deleted(storage, won):
    async def forget():
        await forget_user(storage, ANN)

    posting = Posting(forget)

    assert await refusal(sharing(storage, posting).post(won, ANN, RESULT, CHANNEL)) == (
        NotSeatedError,
        STRANGER,
    )
    assert posting.deleted == [(CHANNEL, 71)]


async def test_nothing_is_stored_or_sent_for_a_deleted_person(storage, database, won):
    await forget_user(storage, ANN)
    posting = Posting()

    assert await refusal(sharing(storage, posting).post(won, ANN, RESULT, CHANNEL)) == (
        NotSeatedError,
        STRANGER,
    )
    assert posting.sent == []
    assert ask(database, "SELECT count(*) FROM shares") == [(0,)]


async def test_a_result_that_names_a_deleted_person_is_not_sent(storage, database, won):
    await forget_user(storage, BEA)
    posting = Posting()

    assert await refusal(sharing(storage, posting).post(won, ANN, RESULT, CHANNEL)) == (
        MatchError,
        OTHERS_CHANGED,
    )
    assert posting.sent == []
    assert ask(database, "SELECT count(*) FROM shares") == [(0,)]
