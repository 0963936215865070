"""Who is still in a server: asked of the gateway by id, without the privileged intent."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from datetime import datetime, timedelta
from typing import Final, TypeVar

import aiohttp
import discord
import structlog
from cachetools import LRUCache

from bot.errors import NotAllowedHereError
from bot.messaging.permissions import channel_or_parent, may_keep_out, may_read, may_see

log = structlog.get_logger()
P = TypeVar("P")

Place = tuple[int, int | None]
"""A server, or a channel of it that keeps people out."""

UNKNOWN: Final = (
    "I can't check right now whether you're still in that server. Try again in a minute."
)

BELIEVED_FOR: Final = timedelta(minutes=10)
"""How long an answer is believed."""

SILENT_FOR: Final = timedelta(minutes=1)
"""How long it is believed whether somebody is timed out."""

MAX_IDS_ASKED: Final = 99
"""Ids in one question: Discord takes 100, and one is the bot's own."""

PATIENCE_SECONDS: Final = 1.5
"""Seconds to wait for all answers; Discord waits 3 for ours."""

MAX_REMEMBERED: Final = 1000
"""Servers and channels of which it is remembered who is there, those last asked about."""

ASKED: Final = 500
"""So many from the top of a list are asked about, besides those whom its page names.

Somebody far down who has left counts for the places below until a page shows them.
"""

MAX_ROUNDS: Final = 3
"""So often a page is read anew because somebody whom it names has left."""


class Membership:
    def __init__(
        self,
        client: discord.Client,
        *,
        now: Callable[[], float],
        patience: float = PATIENCE_SECONDS,
    ) -> None:
        self._client = client
        self._now = now
        self._patience = patience
        self._known: LRUCache[Place, dict[int, tuple[bool, float]]] = LRUCache(MAX_REMEMBERED)
        """Who is there, and until when that is believed: in a channel, who can read it."""

        self._silent: LRUCache[tuple[int, int], tuple[datetime | None, float]] = LRUCache(
            MAX_REMEMBERED
        )
        """By server and person until when they are timed out, and when that was learned."""

        self._asking: dict[tuple[Place, int], asyncio.Task[dict[int, bool] | None]] = {}
        """By place and person the question that is under way about them."""

    async def gone(
        self,
        guild: int,
        users: Collection[int],
        *,
        asker: int | None = None,
        gone_for: timedelta = BELIEVED_FOR,
        channel: int | None = None,
    ) -> frozenset[int] | None:
        """Who of these people is not in this server; None if that cannot be learned now.

        With a channel, those too who can't read it.
        That somebody is not there is believed for `gone_for` only: they may be back. `asker` has
        just used a command there, so Discord has said already that they are.
        People about whom a question is under way are not asked about again: Discord takes 120
        questions and the like a minute.
        """
        if asker is not None:
            self._remembered((guild, None))[asker] = True, self._believed_until()
        place = guild, None if channel is None else self._closed(guild, channel)
        known = self._remembered(place)
        again_after = self._believed_until() - gone_for.total_seconds()
        told = {}
        for user in users:
            is_there, until = known.get(user, (False, 0.0))
            if is_there or until > again_after:
                told[user] = is_there
        unknown = [user for user in users if user not in told]
        if new := [user for user in unknown if (place, user) not in self._asking]:
            asking = asyncio.create_task(self._learn(place, new))
            self._asking.update(((place, user), asking) for user in new)
        # One who no longer waits for an answer must not take it from the others.
        questions = {self._asking[place, user] for user in unknown}
        for answer in await asyncio.gather(*map(asyncio.shield, questions)):
            if answer is None:
                return None
            told |= answer
        return frozenset(user for user in users if not told[user])

    def _closed(self, guild: int, channel: int) -> int | None:
        """The channel, or that of a thread; None if it keeps nobody out, or is not known here."""
        server = self._client.get_guild(guild)
        place = None if server is None else channel_or_parent(server, channel)
        return place.id if place is not None and may_keep_out(place) else None

    async def _learn(self, place: Place, users: list[int]) -> dict[int, bool] | None:
        """Whether each of these people is there, remembered for the next who asks.

        Who can't read a channel may be in its server: that is remembered too.
        """
        guild, channel = place
        try:
            members = await self._members(guild, users)
            if members is None:
                return None
            present = {member.id for member in members}
            readers = present if channel is None else _readers(channel, members)
            until = self._believed_until()
            asked = [user for user in users if (place, user) in self._asking]  # not yet forgotten
            for where, there in {(guild, None): present, place: readers}.items():
                self._remembered(where).update((user, (user in there, until)) for user in asked)
            return {user: user in readers for user in users}
        finally:
            for user in users:
                self._asking.pop((place, user), None)

    async def find(self, guild: discord.Guild, user: int) -> discord.Member | None:
        """This person as a member of a server; None if they are none.

        NotAllowedHereError while that cannot be learned.
        """
        found = await self._query(guild, [[user]])
        if found is None:
            raise NotAllowedHereError(UNKNOWN)
        return next(iter(found), None)

    async def can_read(
        self,
        guild: int,
        user: int,
        channels: Collection[int],
        *,
        managing: Collection[int] = (),
    ) -> bool | None:
        """Whether this person can read these channels; None if that cannot be learned now.

        Where `managing`, only if they manage the threads of the channel: they are not in a private
        one. Discord is asked only about channels that keep anybody out. One that the bot does not
        know, such as one hidden from it, counts as one that they can read.
        """
        server = self._client.get_guild(guild)
        if server is None or server.unavailable:
            return None
        found = (channel_or_parent(server, channel) for channel in {*channels, *managing})
        closed = [p for p in found if p is not None and (p.id in managing or may_keep_out(p))]
        if not closed:
            return True
        members = await self._query(server, [[user]])
        if members is None:
            return None

        def may(place: discord.abc.GuildChannel, one: discord.Member) -> bool:
            is_let_in = place.id not in managing or place.permissions_for(one).manage_threads
            return is_let_in and may_read(place, one)

        return any(all(may(place, one) for place in closed) for one in members)

    async def kept_out(self, guild: int, users: Collection[int], channel: int) -> frozenset[int]:
        """Who of these people is in this server and can't see a channel, if that can be learned.

        It is asked anew each time: who was just let in sees it. As with a challenge, it counts as
        seen without its history.
        """
        server = self._client.get_guild(guild)
        place = None if server is None else channel_or_parent(server, channel)
        if place is None or not may_keep_out(place):
            return frozenset()
        members = await self._members(guild, list(users)) or []
        return frozenset(one.id for one in members if not may_see(place, one))

    async def timed_out_until(self, guild: int, user: int) -> datetime | None:
        """Until when a moderator of this server has timed this person out, if they have.

        Nobody is while Discord does not say it, nor an administrator, who is so in name only.
        """
        key, now = (guild, user), self._now()
        ends, learned_at = self._silent.get(key, (None, float("-inf")))
        # A time to come is from before the clock was set back: it says nothing.
        if 0 <= now - learned_at < SILENT_FOR.total_seconds():
            return ends if ends is not None and ends.timestamp() > now else None
        members = await self._members(guild, [user])
        if members is None:
            return None
        found = (
            one.timed_out_until
            for one in members
            if one.is_timed_out() and not one.guild_permissions.administrator
        )
        ends = next(found, None)
        self._silent[key] = ends, self._now()
        return ends

    def forget(self, user: int) -> None:
        """Remember nothing of this person."""
        for silent in [silent for silent in self._silent if silent[1] == user]:
            del self._silent[silent]
        for known in self._known.values():
            known.pop(user, None)
        for key in [key for key in self._asking if key[1] == user]:
            del self._asking[key]

    def _believed_until(self) -> float:
        return self._now() + BELIEVED_FOR.total_seconds()

    def _remembered(self, place: Place) -> dict[int, tuple[bool, float]]:
        """What is known of a place and not too old."""
        now, latest = self._now(), self._believed_until()
        before = self._known.get(place, {})
        # Later than that is from before the clock was set back: it says nothing.
        known = {user: answer for user, answer in before.items() if now < answer[1] <= latest}
        self._known[place] = known
        return known

    async def present(self, guild: int, users: list[int]) -> set[int] | None:
        """Who of these people is in this server now; None if that cannot be learned."""
        found = await self._members(guild, users)
        return None if found is None else {member.id for member in found}

    async def _members(self, guild: int, users: list[int]) -> list[discord.Member] | None:
        """Those of these people who are in this server now; None if that cannot be learned."""
        server = self._client.get_guild(guild)
        if server is None or server.unavailable:
            return None
        batches = [users[i : i + MAX_IDS_ASKED] for i in range(0, len(users), MAX_IDS_ASKED)]
        return await self._query(server, batches)

    async def _query(
        self, server: discord.Guild, batches: list[list[int]]
    ) -> list[discord.Member] | None:
        """Those of these people who are members; None if Discord does not say it in time.

        The bot asks about itself too. Where a shard identifies anew, the library takes what has
        come by then for the whole answer, often nothing: as if everybody had left.
        """
        assert self._client.user is not None
        me = self._client.user.id
        try:
            async with asyncio.timeout(self._patience):
                answers = await asyncio.gather(
                    *(
                        server.query_members(user_ids=[*b, me], limit=len(b) + 1, cache=False)
                        for b in batches
                    )
                )
        except (TimeoutError, OSError, aiohttp.ClientError, discord.DiscordException) as error:
            asked = sum(map(len, batches))
            log.warning("members unknown", asked=asked, error=type(error).__name__)
            return None
        if not all(any(member.id == me for member in answer) for answer in answers):
            log.warning("members unknown", asked=sum(map(len, batches)), error="cut off")
            return None
        return [member for answer in answers for member in answer if member.id != me]


def _readers(channel: int, members: Iterable[discord.Member]) -> set[int]:
    """Who of these members can read a channel; all of them if it is not known."""
    readers = set()
    for member in members:
        place = channel_or_parent(member.guild, channel)
        if place is None or may_read(place, member):
            readers.add(member.id)
    return readers


async def page_of_members(
    members: Membership,
    guild: int,
    me: int,
    read: Callable[[frozenset[int]], Awaitable[P]],
    named: Callable[[P], Iterable[int]],
    *,
    first: Collection[int] = (),
) -> tuple[P, bool]:
    """A page that names nobody who has left, and whether that is known of all whom it names.

    Whoever has left makes room for others, about whom Discord is asked too. `first` are asked
    about anyway. Others who have left count for the places below until a page names them.
    """
    asked = {me, *first}
    gone = await members.gone(guild, asked, asker=me)
    page = await read(gone or frozenset())
    for _ in range(MAX_ROUNDS):
        asked.update(named(page))
        more = None if gone is None else await members.gone(guild, asked, asker=me)
        if more is None or more == gone:
            return page, more is not None
        gone, page = more, await read(more)
    return page, False
