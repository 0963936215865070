"""Posts for everybody that somebody has asked for: the row, the message, and that they agree.

A post is a row before it is sent, with a nonce that follows from that row, so that a second press
leads to the same message. So does one after the process has died while it sent, for the few
minutes that Discord knows the nonce. A post that a moderator has deleted can be posted again: of
deletions nobody tells a bot that reads no messages, so it looks when somebody presses again.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.messaging.sent import SentMessages
from bot.storage import Storage, Transaction
from bot.storage.records import Spot
from bot.storage.shares import SharedPostRecord, SharedPostRepository

R = TypeVar("R", bound=SharedPostRecord)


class SharedPosts(Generic[R]):
    """Those of one kind, whose rows `posts` finds in a transaction."""

    def __init__(
        self,
        storage: Storage,
        delivery: Delivery,
        sent: SentMessages,
        posts: Callable[[Transaction], SharedPostRepository[R]],
    ) -> None:
        self._storage = storage
        self._delivery = delivery
        self._sent = sent
        self._posts = posts

    async def standing(self, *key: int) -> Spot | None:
        """Where the post with this key stands; None if there is none, or it is gone."""
        async with self._storage.reading() as reading:
            found = await self._posts(reading).of(*key)
        if found is None or found.message is None:
            return None
        if not await self._sent.is_gone(found.channel, found.message):
            return Spot(found.channel, found.message)
        await self._release(found)
        return None

    async def send(self, claimed: R | None, content: MessageContent, nonce: str) -> Spot | None:
        """Send what was claimed; where it stands, now or already.

        None where everything about its person was deleted, before the claim or since.
        """
        if claimed is None:
            return None
        if claimed.message is not None:
            return Spot(claimed.channel, claimed.message)
        # The moment tells it from one that is gone, in the minutes that Discord knows a nonce.
        nonce = f"{nonce}.{claimed.shared_at % 10_000}"
        try:
            arrived = await self._delivery.send(claimed.channel, content, nonce)
        except UndeliveredError as error:
            if error.failure not in PASSING_FAILURES:  # so it may be shared elsewhere at once
                await self._release(claimed)
            raise
        async with self._storage.transaction() as writing:
            known = await self._posts(writing).note_posted(claimed, arrived.message)
        if not known:
            await self._delivery.delete(arrived.channel, arrived.message)
            return None
        await self._delivery.name_all(arrived, content)
        return Spot(arrived.channel, arrived.message)

    async def _release(self, post: R) -> None:
        async with self._storage.transaction() as writing:
            await self._posts(writing).release(post)
