"""Who is still in a server: asked over the gateway by id, which needs no privileged intent."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable
from datetime import datetime, timedelta
from typing import Final, TypeVar

import aiohttp
import discord
import structlog
from cachetools import LRUCache

from bot.errors import NotAllowedHereError
from bot.messaging.channels import connected_server
from bot.messaging.permissions import channel_or_parent, may_exclude_members, may_read, may_see

log = structlog.get_logger()
P = TypeVar("P")

Place = tuple[int, int | None]
"""A server's id and None, or also the id of a channel that some of its members can't read."""

UNKNOWN: Final = (
    "I can't check right now whether you're still in that server. Try again in a minute."
)

BELIEVED_FOR: Final = timedelta(minutes=10)
"""How long an answer about membership is trusted."""

SILENT_FOR: Final = timedelta(minutes=1)
"""How long an answer about a timeout is trusted."""

_UNANSWERED: Final = (
    TimeoutError,
    OSError,
    aiohttp.ClientError,
    discord.DiscordException,
    KeyError,  # the server's shard is being connected or given up: discord.py has none then
)

MAX_IDS_ASKED: Final = 99
"""User ids in one request: Discord accepts 100, and one is the bot's own."""

PATIENCE_SECONDS: Final = 1.5
"""Seconds to wait for all of Discord's answers; it waits 3 seconds for ours."""

MAX_REMEMBERED: Final = 1000
"""Servers and channels whose members are remembered, and people whose timeouts are; the least
recently used are dropped."""

ASKED: Final = 500
"""How many people from the top of a list are asked about, besides those that its page names.
Somebody farther down who has left still counts for the ranks below them until a page shows them."""

MAX_ROUNDS: Final = 3
"""How often a page is read again because somebody it names has left."""


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
        """By place and user id: whether they are there (can read it, for a channel), and the Unix
        time until which that is trusted."""

        self._timeouts: LRUCache[tuple[int, int], tuple[datetime | None, float]] = LRUCache(
            MAX_REMEMBERED
        )
        """By server and user id: when their timeout ends, and the Unix time when that was
        learned."""

        self._asking: dict[tuple[Place, int], asyncio.Task[dict[int, bool] | None]] = {}
        """By place and user id: the request about them that is under way."""

    async def gone(
        self,
        guild: int,
        users: Collection[int],
        *,
        asker: int | None = None,
        gone_for: timedelta = BELIEVED_FOR,
        channel: int | None = None,
    ) -> frozenset[int] | None:
        """Which of these people aren't in this server; None if that can't be learned now.

        With a channel, also those who can't read it.

        That somebody isn't there is trusted for `gone_for` only: they may be back. `asker` has just
        used a command there, so Discord has already said that they are there. People with a request
        under way aren't asked about again: Discord accepts 120 gateway messages a minute.
        """
        if asker is not None:
            self._remembered((guild, None))[asker] = True, self._believed_until()
        place = guild, None if channel is None else self._restricted_channel(guild, channel)
        known = self._remembered(place)
        again_after = self._believed_until() - gone_for.total_seconds()
        known_now = {}
        for user in users:
            is_there, until = known.get(user, (False, 0.0))
            if is_there or until > again_after:
                known_now[user] = is_there
        unknown = [user for user in users if user not in known_now]
        if new := [user for user in unknown if (place, user) not in self._asking]:
            asking = asyncio.create_task(self._learn(place, new))
            self._asking.update(((place, user), asking) for user in new)
        # A caller who is cancelled must not cancel the request for the others.
        questions = {self._asking[place, user] for user in unknown}
        for answer in await asyncio.gather(*map(asyncio.shield, questions)):
            if answer is None:
                return None
            known_now |= answer
        return frozenset(user for user in users if not known_now[user])

    def _restricted_channel(self, guild: int, channel: int) -> int | None:
        """The id of the channel, or a thread's channel; None if open to all, or unknown here."""
        server = self._client.get_guild(guild)
        place = None if server is None else channel_or_parent(server, channel)
        return place.id if place is not None and may_exclude_members(place) else None

    async def _learn(self, place: Place, users: list[int]) -> dict[int, bool] | None:
        """Ask whether each of these people is there, and remember it; None if that's unknown.

        People who can't read a channel may be in its server: that is remembered too.
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
            for about, users_there in {(guild, None): present, place: readers}.items():
                self._remembered(about).update(
                    (user, (user in users_there, until)) for user in asked
                )
            return {user: user in readers for user in users}
        finally:
            for user in users:
                self._asking.pop((place, user), None)

    async def find(self, guild: discord.Guild, user: int) -> discord.Member | None:
        """This person as a member of a server; None if they aren't one.

        NotAllowedHereError if that can't be learned now.
        """
        members = await self._query(guild, [[user]])
        if members is None:
            raise NotAllowedHereError(UNKNOWN)
        return next(iter(members), None)

    async def can_read(
        self,
        guild: int,
        user: int,
        channels: Collection[int],
        *,
        managing: Collection[int] = (),
    ) -> bool | None:
        """Whether this person can read all these channels; None if that can't be learned now.

        For channels in `managing`, only if they may manage threads there, because they aren't in a
        private thread of that channel. Discord is asked only about channels that somebody can't
        read. A channel that the bot doesn't know, such as one hidden from it, counts as one that
        they can read.
        """
        server = connected_server(self._client, guild)
        if server is None:
            return None
        places = (channel_or_parent(server, channel) for channel in {*channels, *managing})
        closed = [
            p for p in places if p is not None and (p.id in managing or may_exclude_members(p))
        ]
        if not closed:
            return True
        members = await self._query(server, [[user]])
        if members is None:
            return None

        def may(place: discord.abc.GuildChannel, member: discord.Member) -> bool:
            is_let_in = place.id not in managing or place.permissions_for(member).manage_threads
            return is_let_in and may_read(place, member)

        return any(all(may(place, member) for place in closed) for member in members)

    async def kept_out(self, guild: int, users: Collection[int], channel: int) -> frozenset[int]:
        """Which of these people are known to be in this server but unable to see a channel.

        Discord is asked each time, because somebody may just have been let in. As for a challenge,
        a channel counts as seen even without its history.
        """
        server = self._client.get_guild(guild)
        place = None if server is None else channel_or_parent(server, channel)
        if place is None or not may_exclude_members(place):
            return frozenset()
        members = await self._members(guild, list(users)) or []
        return frozenset(member.id for member in members if not may_see(place, member))

    async def timed_out_until(self, guild: int, user: int) -> datetime | None:
        """When this person's timeout in this server ends; None if they aren't in one.

        None also if Discord doesn't say, and for administrators, because a timeout has no effect on
        them.
        """
        key, now = (guild, user), self._now()
        ends, learned_at = self._timeouts.get(key, (None, float("-inf")))
        # A time in the future is from before the clock was set back: ignore it.
        if 0 <= now - learned_at < SILENT_FOR.total_seconds():
            return ends if ends is not None and ends.timestamp() > now else None
        members = await self._members(guild, [user])
        if members is None:
            return None
        timeouts = (
            member.timed_out_until
            for member in members
            if member.is_timed_out() and not member.guild_permissions.administrator
        )
        ends = next(timeouts, None)
        self._timeouts[key] = ends, self._now()
        return ends

    def forget(self, user: int) -> None:
        """Forget this person."""
        for timeout in [timeout for timeout in self._timeouts if timeout[1] == user]:
            del self._timeouts[timeout]
        for known in self._known.values():
            known.pop(user, None)
        for key in [key for key in self._asking if key[1] == user]:
            del self._asking[key]

    def _believed_until(self) -> float:
        return self._now() + BELIEVED_FOR.total_seconds()

    def _remembered(self, place: Place) -> dict[int, tuple[bool, float]]:
        """What is known of a place and still trusted, by user id as in `_known`."""
        now, latest = self._now(), self._believed_until()
        before = self._known.get(place, {})
        # A later time is from before the clock was set back: ignore it.
        known = {user: answer for user, answer in before.items() if now < answer[1] <= latest}
        self._known[place] = known
        return known

    async def present(self, guild: int, users: list[int]) -> set[int] | None:
        """Which of these people are in this server now; None if that can't be learned."""
        members = await self._members(guild, users)
        return None if members is None else {member.id for member in members}

    async def _members(self, guild: int, users: list[int]) -> list[discord.Member] | None:
        """The members among these people in this server now; None if that can't be learned."""
        server = connected_server(self._client, guild)
        if server is None:
            return None
        batches = [users[i : i + MAX_IDS_ASKED] for i in range(0, len(users), MAX_IDS_ASKED)]
        return await self._query(server, batches)

    async def _query(
        self, server: discord.Guild, batches: list[list[int]]
    ) -> list[discord.Member] | None:
        """The members among these user ids; None if Discord doesn't answer in time.

        The bot asks about itself too. If a shard identifies again meanwhile, discord.py takes what
        has arrived until then for the whole answer, often nothing: as if everybody had left, the
        bot included.
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
        except _UNANSWERED as error:
            asked = sum(map(len, batches))
            log.warning("members unknown", asked=asked, error=type(error).__name__)
            return None
        if not all(any(member.id == me for member in answer) for answer in answers):
            log.warning("members unknown", asked=sum(map(len, batches)), error="cut off")
            return None
        return [member for answer in answers for member in answer if member.id != me]


def _readers(channel: int, members: Iterable[discord.Member]) -> set[int]:
    """User ids of the members who can read a channel; all of them if it's unknown."""
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
    """A page that names nobody who has left, and whether that is known of everybody it names.

    `read` reads a page without the given users, and `named` returns the users that a page names.
    Those who have left make room for others, who are then asked about too. `first` are asked about
    in any case. Others who have left count for the ranks below them until a page names them.
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
