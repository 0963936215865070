"""Public posts that users ask for by **Share**: keeps the row and the message of each consistent.

A post is stored as a row before it is sent, with a nonce derived from that row, so that pressing
twice gives one message. That also holds if the process dies while sending, for the few minutes
that Discord remembers the nonce. A post that a moderator deleted can be posted again. A bot that
reads no messages isn't told of deletions, so it checks when somebody presses again.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import PASSING_FAILURES, UndeliveredError
from bot.messaging.sent import SentMessages
from bot.storage import Spot, Storage, Transaction
from bot.storage.shares import SharedPostRecord, SharedPostRepository

R = TypeVar("R", bound=SharedPostRecord)


class SharedPosts(Generic[R]):
    """Shared posts of one kind; `posts` returns their repository in a transaction."""

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

    async def find(self, *key: int) -> Spot | None:
        """The message of the post with this primary key; None without one, or if it was deleted."""
        async with self._storage.reading() as reading:
            found = await self._posts(reading).of(*key)
        if found is None or found.message is None:
            return None
        if not await self._sent.is_gone(found.channel, found.message):
            return Spot(found.channel, found.message)
        await self._release(found)
        return None

    async def send(self, claimed: R | None, content: MessageContent, nonce: str) -> Spot | None:
        """Send a claimed post; returns its message, new or existing.

        None if everything about its user was deleted, before the claim or since.
        """
        if claimed is None:
            return None
        if claimed.message is not None:
            return Spot(claimed.channel, claimed.message)
        # With the time, Discord doesn't take it for a deleted post whose nonce it still remembers.
        nonce = f"{nonce}.{claimed.shared_at % 10_000}"
        try:
            arrived = await self._delivery.send(claimed.channel, content, nonce)
        except UndeliveredError as error:
            if error.failure not in PASSING_FAILURES:  # so that it can be shared elsewhere at once
                await self._release(claimed)
            raise
        async with self._storage.transaction() as writing:
            known = await self._posts(writing).note_posted(claimed, arrived.message)
        if not known:
            await self._delivery.delete(arrived.channel, arrived.message)
            return None
        await self._delivery.show_mentioned_names(arrived, content)
        return Spot(arrived.channel, arrived.message)

    async def _release(self, post: R) -> None:
        async with self._storage.transaction() as writing:
            await self._posts(writing).release(post)
