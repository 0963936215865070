"""Events of the sandbox's world, and their listeners."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")
Listener = Callable[["Event"], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that has happened in the world."""

    kind: str
    """message_created, message_updated, message_deleted · channel_created, channel_updated,
    channel_deleted · thread_created, thread_updated, thread_deleted, thread_joined,
    thread_left · guild_joined, guild_updated, guild_left, guild_unavailable, guild_available ·
    member_added, member_updated, member_removed · role_created, role_updated, role_deleted ·
    interaction_started, interaction_answered, interaction_settled, interaction_failed ·
    commands_changed · emojis_changed · user_install_changed · read (somebody has read a channel) ·
    connection (a shard identified, resumed or disconnected) · request (a REST request was
    answered)."""

    subject: Any
    """The Message, Channel, Guild, Member, Interaction, LoggedRequest… it happened to; for
    thread_joined and thread_left, a tuple of the Channel and the User."""

    guild: int | None = None
    channel: int | None = None

    only: int | None = None
    """The id of the one user who may see it; None if the channel's permissions decide."""


class Events:
    """The world's listeners. They're called immediately, in order, and must not block."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every event from now on; returns a function that unsubscribes it."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return unsubscribe

    @contextmanager
    def queue(self) -> Iterator["asyncio.Queue[Event]"]:
        """A queue that gets every event until the `with` block ends."""
        waiting: asyncio.Queue[Event] = asyncio.Queue()
        unsubscribe = self.subscribe(waiting.put_nowait)
        try:
            yield waiting
        finally:
            unsubscribe()

    async def stream(self) -> AsyncIterator[Event]:
        """Every event from now on; never ends."""
        with self.queue() as waiting:
            while True:
                yield await waiting.get()

    def emit(self, event: Event) -> None:
        for listener in tuple(self._listeners):
            listener(event)

    async def until(self, predicate: Callable[[], T], timeout: float) -> T:  # noqa: ASYNC109 - the caller's patience is part of the question
        """The first truthy value of `predicate`, which is called now and at each event.

        Raises TimeoutError after `timeout` seconds of real time.
        """
        if value := predicate():
            return value
        with self.queue() as waiting:
            async with asyncio.timeout(timeout):
                while not (value := predicate()):
                    await waiting.get()
        return value
