"""Changes in an archived thread, each of which opens it and archives it again."""

import asyncio

import pytest

from bot.messaging.archived_threads import ArchivedThreads
from bot.messaging.failures import Failure, UndeliveredError
from bot.messaging.request_pace import RequestPace

THREAD = 55


class Thread:
    """A thread at Discord, and the client that changes it."""

    def __init__(self):
        self.http = self
        self.archived = True
        self.changed = []

    async def edit_channel(self, channel, *, archived):
        assert channel == THREAD
        await asyncio.sleep(0)
        self.archived = archived

    def change(self, what, *, takes):
        """A change of a message that takes this many turns of the loop while the thread is open."""

        async def change():
            await asyncio.sleep(0)
            for _ in range(takes):
                if self.archived:
                    raise UndeliveredError(Failure.ARCHIVED)
                await asyncio.sleep(0)
            self.changed.append(what)

        return change


@pytest.fixture
def thread():
    return Thread()


@pytest.fixture
def archived(thread):
    return ArchivedThreads(thread, RequestPace(per_second=1e6))


async def test_two_changes_at_once_wait_for_each_other(thread, archived):
    """Otherwise the longer one would find the thread archived by the other."""
    changes = (thread.change("quick", takes=1), thread.change("slow", takes=50))

    await asyncio.gather(*(archived.change(THREAD, change) for change in changes))

    assert thread.changed == ["quick", "slow"]
    assert thread.archived
