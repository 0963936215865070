"""Notices with real storage, and a stand-in for Discord that records what it is sent."""

from collections import Counter
from dataclasses import replace

from bot.messaging.arrivals import Arrived
from bot.messaging.failures import UndeliveredError
from bot.rendering import render
from bot.rendering.presentation import Presentations
from bot.scheduling.activity import Activity
from bot.scheduling.notice_sender import NoticeSender
from bot.scheduling.notices import Notices
from bot.scheduling.sent_notices import SentNotices
from bot.settings.notices import NoticeSettings
from bot.storage import TABLE, MessageRef, Telling
from bot.text import discord_link
from cogs.pico.presentation import PicoPresentation
from tests.support.clock import EVERY_SHARD, MINUTE
from tests.support.deadlines import Clock
from tests.support.match_records import ask, put_message
from tests.support.matches import CHANNEL, GUILD, RETURNS, begun, dealt

TABLE_REF = MessageRef(channel=CHANNEL, message=500, shown="")


class Post:
    """Takes the part of Discord: messages by nonce, deleted messages, and how to fail."""

    def __init__(self):
        self.sent = {}
        self.tries = Counter()
        self.deleted = []
        self.closed = set()
        self.failure = None
        self.inbox_failures = {}
        """By user: why direct messages can't reach them for now."""

    def take(self, nonce, **message):
        if self.failure is not None:
            raise UndeliveredError(self.failure)
        self.tries[nonce] += 1
        if nonce not in self.sent:
            self.sent[nonce] = {**message, "message": 1000 + len(self.sent)}
        return Arrived(message["channel"], self.sent[nonce]["message"], None)


class Channels:
    """Takes the part of `Delivery`, for mentions in channels; there are no threads."""

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
    """Takes the part of `DirectMessages`; they reach everybody who hasn't closed them."""

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
    """Takes the part of `Live`: records the hands that notify somebody by direct message."""

    def __init__(self, post, matches, presentations):
        self._post, self._matches, self._presentations = post, matches, presentations
        self.brought = []
        """(match, seat) of hands that were sent again because of a turn, not of another event."""

    async def resend_hand(self, notice, seat):
        if self._post.failure is not None:
            raise UndeliveredError(self._post.failure)
        if not self._post.closed.isdisjoint({seat, notice.user}):
            return False
        snapshot = await self._matches.snapshot(notice.match, notice.user)
        if notice.event == "turn":
            self.brought.append((notice.match, seat))
            return True
        users = [info.user for info in snapshot.seats]
        by = users.index(notice.actor) if notice.actor in users else None
        told = Telling(notice=notice.id, event=notice.event, turn=notice.turn, by=by)
        url = discord_link(GUILD, CHANNEL, TABLE_REF.message)
        said = render(replace(snapshot, told=told), self._presentations, url)
        self._post.take(f"hand.{notice.id}", to=notice.user, way="dm", channel=0, said=said)
        return True


class Members:
    """Takes the part of `Membership`: everybody is in the server, except the people in `left`."""

    def __init__(self):
        self.left = set()
        self.all_read = True
        """Whether everybody can view all channels; None if Discord doesn't say."""

    async def gone(self, guild, users, *, asker=None, gone_for=None, channel=None):
        del guild, asker, gone_for, channel
        return frozenset(self.left.intersection(users))

    async def can_read(self, guild, user, channels, *, managing=()):
        del guild, user, channels, managing
        return self.all_read


class World:
    """The bot's notices, with everything that they need."""

    def __init__(self, storage, matches, watch, database):
        self.storage_file = database
        self.storage, self.matches, self.watch = storage, matches, watch
        self.post, self.members = Post(), Members()
        self.presentations = Presentations()
        self.presentations["pico"] = PicoPresentation()
        self.hands = Hands(self.post, matches, self.presentations)
        self.settings = NoticeSettings(storage, now=watch)
        self.timeouts = Clock(storage, now=watch)
        self.restart()

    def restart(self):
        """Create the notices again, as a new process does: nothing in memory is left."""
        self.activity = Activity(now=self.watch)
        delivery = Channels(self.post)
        sender = NoticeSender(
            storage=self.storage,
            delivery=delivery,
            direct_messages=Inboxes(self.post),
            presentations=self.presentations,
            live=self.hands,
            membership=self.members,
            now=self.watch,
        )
        self.notices = Notices(
            storage=self.storage,
            matches=self.matches,
            sender=sender,
            sent=SentNotices(self.storage, delivery, self.matches, now=self.watch),
            activity=self.activity,
            returns=RETURNS,
            now=self.watch,
        )
        self.storage.subscribe(self.notices.sent.mark_changed)

    async def look(self, shards=EVERY_SHARD):
        """Send every notice that is due in these shards."""
        while True:
            await self.notices.look(shards)
            await self.notices.finished()
            async with self.storage.reading() as reading:
                if not await reading.notices.due(self.watch(), shards):
                    return

    async def later(self, seconds=2 * MINUTE):
        """Let time pass, and send every notice that is due then."""
        self.watch.advance(seconds)
        await self.look()

    async def begun(self, *opponents, **changes):
        """Begin a match; its notices have been sent and forgotten, and nobody is active anymore."""
        match = await begun(self.matches, *opponents, **changes)
        await self.table(match)
        await self.later()
        self.forget()
        return match

    async def table(self, match):
        """Store a message as the table of a match."""
        await put_message(self.storage, match, TABLE, TABLE_REF)

    def forget(self):
        self.post.sent.clear()
        self.hands.brought.clear()

    def told(self):
        """(user, way) of each notice, in the order sent."""
        return [(sent["to"], sent["way"]) for sent in self.post.sent.values()]

    def said(self, user):
        """The first part of the last message to somebody."""
        return [s["said"].head for s in self.post.sent.values() if s["to"] == user][-1]

    def waiting(self):
        """(user, event) of all notices that are still stored."""
        return ask(self.storage_file, "SELECT user, event FROM notices ORDER BY id")


def low(seat):
    return str(dealt().hands[seat][0])
