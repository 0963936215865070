"""Live messages over a real database, with a Discord that only records what it is sent."""

import asyncio
import time
from contextlib import asynccontextmanager

import pytest

from bot.cluster.share import EVERYTHING
from bot.lessons.progress import Progress
from bot.live.edit_turns import EditTurns
from bot.live.live import Live
from bot.live.slot_services import SlotServices
from bot.matches.pauses import Pauses
from bot.messaging.arrivals import Arrived
from bot.messaging.failures import UndeliveredError
from bot.messaging.request_pace import RequestPace
from bot.rendering.presentation import Presentations
from cogs.pico.presentation import PicoPresentation


class Channels:
    """Records messages and answers to clicks."""

    def __init__(self):
        self.sent, self.answers, self.deleted = [], [], []
        self.failure = None
        self.channels = self

    def is_in_outage(self, guild):
        del guild
        return False

    async def send_once(self, channel, content, nonce, **how):
        del how
        self.sent.append((channel, content, nonce))
        return self._arrived(channel)

    async def edit(self, channel, message, content, media, **how):
        del message, content, media, how
        return self._arrived(channel)

    async def delete(self, channel, message, **how):
        del channel, how
        self.deleted.append(message)

    async def answer(self, interaction, content, *, pinged=()):
        del content, pinged
        return self._arrived(interaction.channel_id)

    async def answer_later(self, interaction, *, privately):
        """Do nothing."""

    async def answer_privately(self, interaction, content):
        del content
        await asyncio.sleep(0)  # others run while it is answered
        self.answers.append((interaction.id, "receipt"))
        return 2000 + len(self.answers)

    async def acknowledge(self, interaction):
        self.answers.append((interaction.id, "acknowledged"))

    async def edit_by(self, token, content, media, **how):
        del content, media, how
        self.answers.append((token.value, "edited"))

    async def delete_by(self, token):
        self.answers.append((token.value, "deleted"))

    def _arrived(self, channel):
        if self.failure is not None:
            raise UndeliveredError(self.failure)
        return Arrived(channel, 1000 + len(self.sent), None)


class Inboxes:
    """Direct messages that everybody wants; opening the first one waits for `open`."""

    def __init__(self):
        self.asked, self.open = asyncio.Event(), asyncio.Event()

    def carry_hand(self, desk):
        del desk
        return True

    async def reach(self, user, notice):
        del user
        self.asked.set()
        await self.open.wait()

    async def channel(self, user):
        return user

    @asynccontextmanager
    async def one_first_at_a_time(self, user):
        del user
        yield

    def arrived(self, user):
        """Do nothing."""


class Threads:
    """Threads with tables that are about to be archived."""

    def __init__(self):
        self.old = {}

    async def archived_soon(self):
        return self.old


@pytest.fixture
def channels():
    return Channels()


@pytest.fixture
def inboxes():
    return Inboxes()


@pytest.fixture
def threads():
    return Threads()


@pytest.fixture
def tools(storage, channels, inboxes, threads):
    presentations = Presentations()
    presentations["pico"] = PicoPresentation()
    return SlotServices(
        storage=storage,
        delivery=channels,
        direct_messages=inboxes,
        presentations=presentations,
        sent=None,
        now=time.time,
        threads=threads,
        turns=EditTurns(RequestPace()),
        progress=Progress(storage),
        share=EVERYTHING,
        words_first=0.0,
    )


class Unshown(Live):
    """A `Live` that shows nothing by itself; `marked` has the matches it would compare."""

    def __init__(self, matches, pauses, tools):
        super().__init__(matches, pauses, tools)
        self.marked = []

        def schedule(key, delay=0.0):
            del delay
            self.marked.append(key)

        self._comparing.schedule = schedule


@pytest.fixture
async def live(matches, storage, watch, tools):
    live = Unshown(matches, Pauses(storage, now=watch), tools)
    yield live
    await live.close()
