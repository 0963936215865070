"""Everything around the notices of the bot, with a Discord that only notes what it is sent."""

import asyncio
from collections import Counter
from dataclasses import replace

from bot.cluster.share import EVERYTHING
from bot.lessons.progress import Progress
from bot.live.edit_turns import EditTurns
from bot.live.slot_services import SlotServices
from bot.messaging.arrivals import Arrived
from bot.messaging.failures import UndeliveredError
from bot.messaging.request_pace import RequestPace
from bot.rendering import render
from bot.rendering.presentation import Presentations
from bot.scheduling.activity import Activity
from bot.scheduling.notices import Notices
from bot.settings.notices import NoticeSettings
from bot.storage import TABLE, MessageRef, Telling
from bot.text import message_link
from cogs.pico.presentation import PicoPresentation
from tests.support.clock import EVERY_SHARD, MINUTE
from tests.support.deadlines import Clock
from tests.support.match_records import ask, put_message
from tests.support.matches import CHANNEL, GUILD, begun, dealt

TABLE_REF = MessageRef(channel=CHANNEL, message=500, shown="")


class Post:
    """Discord, as far as messages go there: what was sent by nonce, and what was deleted."""

    def __init__(self):
        self.sent = {}
        self.tries = Counter()
        self.deleted = []
        self.closed = set()
        self.failure = None
        self.inbox_failures = {}
        """Why direct messages can't reach somebody for now."""

    def take(self, nonce, **message):
        if self.failure is not None:
            raise UndeliveredError(self.failure)
        self.tries[nonce] += 1
        if nonce not in self.sent:
            self.sent[nonce] = {**message, "message": 1000 + len(self.sent)}
        return Arrived(message["channel"], self.sent[nonce]["message"], None)


class Channels:
    """Where mentions go, none of them into a thread."""

    def __init__(self, post):
        self._post, self.channels = post, self

    async def find(self, thread):
        del thread

    async def send(self, channel, content, nonce, *, pinged=()):
        return self._post.take(nonce, to=pinged[0], way="channel", channel=channel, said=content)

    async def delete(self, channel, message):
        del channel
        if self._post.failure is not None:
            raise UndeliveredError(self._post.failure)
        self._post.deleted.append(message)


class Inboxes:
    """Where direct messages go, to everybody who has not closed them."""

    def __init__(self, post):
        self._post = post

    async def send(self, notice, content, *, again=()):
        user = notice.user
        failure = self._post.inbox_failures.get(user)
        if failure in again:
            raise UndeliveredError(failure)
        if failure is not None or user in self._post.closed:
            return None
        return self._post.take(f"notice.{notice.id}", to=user, way="dm", channel=user, said=content)


class Hands:
    """Live messages: whose hand was brought by direct message, which says what it comes to tell."""

    def __init__(self, post, matches, presentations):
        self._post, self._matches, self._presentations = post, matches, presentations
        self.brought = []
        """For a turn alone."""

    async def resend_hand(self, notice, seat):
        if self._post.failure is not None:
            raise UndeliveredError(self._post.failure)
        if not self._post.closed.isdisjoint({seat, notice.user}):
            return False
        snapshot = await self._matches.snapshot(notice.match, notice.user)
        if notice.event == "turn":
            self.brought.append((notice.match, seat))
            return True
        users = [place.user for place in snapshot.places]
        by = users.index(notice.actor) if notice.actor in users else None
        told = Telling(notice=notice.id, event=notice.event, turn=notice.turn, by=by)
        url = message_link(GUILD, CHANNEL, TABLE_REF.message)
        said = render(replace(snapshot, told=told), self._presentations, url)
        self._post.take(f"hand.{notice.id}", to=notice.user, way="dm", channel=0, said=said)
        return True


class Members:
    """Who is in the server: everybody but those who are gone."""

    def __init__(self):
        self.left = set()
        self.all_read = True
        """Whether no channel keeps anybody out; None where Discord doesn't say it."""

    async def gone(self, guild, users, *, asker=None, gone_for=None, channel=None):
        del guild, asker, gone_for, channel
        return frozenset(self.left.intersection(users))

    async def can_read(self, guild, user, channels, *, managing=()):
        del guild, user, channels, managing
        return self.all_read


class World:
    """The bot's notices, and everything around them."""

    def __init__(self, storage, matches, watch, database):
        self.storage_file = database
        self.storage, self.matches, self.watch = storage, matches, watch
        self.post, self.members = Post(), Members()
        self.presentations = Presentations()
        self.presentations.add("pico", PicoPresentation())
        self.hands = Hands(self.post, matches, self.presentations)
        self.settings = NoticeSettings(storage, now=watch)
        self.timeouts = Clock(storage, now=watch)
        self.restart()

    def restart(self):
        """As after the death of the process: what was in memory is gone."""
        self.activity = Activity(now=self.watch)
        tools = SlotServices(
            storage=self.storage,
            delivery=Channels(self.post),
            direct_messages=Inboxes(self.post),
            presentations=self.presentations,
            sent=None,
            now=self.watch,
            threads=None,
            turns=EditTurns(RequestPace()),
            progress=Progress(self.storage),
            share=EVERYTHING,
            words_first=0.0,
        )
        self.notices = Notices(
            tools,
            matches=self.matches,
            live=self.hands,
            membership=self.members,
            activity=self.activity,
        )
        self.storage.subscribe(self.notices.standing.concerns)

    async def look(self, shards=EVERY_SHARD):
        """Let everything be told that is due in these shards."""
        while True:
            await self.notices.look(shards)
            tasks = list(self.notices._busy.values())
            if not tasks:
                return
            await asyncio.gather(*tasks)
            async with self.storage.reading() as reading:
                if not await reading.notices.due(self.watch(), shards):
                    return

    async def later(self, seconds=2 * MINUTE):
        """Let time pass, and tell what is due then."""
        self.watch.advance(seconds)
        await self.look()

    async def begun(self, *opponents, **changes):
        """A match of which nobody was told anything, long after anybody clicked."""
        match = await begun(self.matches, *opponents, **changes)
        await self.table(match)
        await self.later()
        self.forget()
        return match

    async def table(self, match):
        """Let the table of a match stand."""
        await put_message(self.storage, match, TABLE, TABLE_REF)

    def forget(self):
        self.post.sent.clear()
        self.hands.brought.clear()

    def told(self):
        """Who was told in which way, by the order of telling."""
        return [(sent["to"], sent["way"]) for sent in self.post.sent.values()]

    def said(self, user):
        """What somebody was told last."""
        return [s["said"].head for s in self.post.sent.values() if s["to"] == user][-1]

    def waiting(self):
        """What is still to be told, to whom."""
        return ask(self.storage_file, "SELECT user, event FROM notices ORDER BY id")


def low(seat):
    return str(dealt().hands[seat][0])
