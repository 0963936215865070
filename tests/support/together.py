"""Several bots with one database server and one sandbox, all in this process."""

import asyncio
import time
from contextlib import AsyncExitStack
from dataclasses import replace

from bot.cluster.leases import Leases
from bot.live.live import DETAIL_SECONDS
from bot.messaging import discord_address
from bot.storage import Storage
from tests.support.drawing import Blank
from tests.support.ports import free_port
from tests.support.services import AT_ONCE, bot_of, settings
from tests.support.waiting import until

SHARDS = 4
PEOPLE = ("Ann", "Bo")


class Member:
    """One of the bots, as one of several processes."""

    def __init__(self, discord, address):
        self._discord = discord
        self._address = address
        self._stack = AsyncExitStack()
        self.port = free_port()

    async def start(self, **options):
        discord_address.use_address(self._discord.url)
        storage = await self._stack.enter_async_context(Storage.open(self._address))
        self.leases = Leases(storage, self._address)
        options.setdefault("settings_", settings(endpoint_port=self.port))
        # A member forgets a match that another one holds after this delay.
        pacing = replace(AT_ONCE, detail=DETAIL_SECONDS)
        self.bot = bot_of(
            storage, Blank(), leases=self.leases, now=time.time, pacing=pacing, **options
        )
        await self._stack.enter_async_context(self.bot)
        running = asyncio.create_task(self.bot.start(self._discord.token))
        self._stack.push_async_callback(asyncio.wait, {running})
        self._stack.push_async_callback(self.bot.close)

    async def stop(self):
        """Shut it down, as SIGTERM does."""
        await self._stack.aclose()

    async def learned(self, shard, *, connected):
        """Return once it knows that another member is connected to a shard, or that none is."""
        async with asyncio.timeout(20):
            while self.leases.is_connected_elsewhere(shard) != connected:  # noqa: ASYNC110 - leases tell nobody here
                await asyncio.sleep(0.02)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/interactions"

    @property
    def held(self):
        return set(self.leases.held)

    @property
    def owned(self):
        """The matches that it keeps in memory."""
        return set(self.bot.services.live.slots._matches)


class Together:
    """All members, which share the shards."""

    def __init__(self, discord, address):
        self.discord = discord
        self._address = address
        self.members = []

    def person(self, name):
        return self.discord.person(name)

    async def join(self, **options):
        """Start another member, and wait until it has its part of the shards."""
        member = Member(self.discord, self._address)
        await member.start(**options)
        self.members.append(member)
        await self.settled()
        return member

    async def cut_off(self, member):
        """Make a member lose its leases, as if it couldn't renew them; it keeps running.

        Nothing waits for the leases to expire, so this doesn't depend on how busy the machine is.
        """
        self.members.remove(member)
        leases, held = member.leases, member.held
        keeping = leases._tasks[0]
        keeping.cancel()
        await asyncio.wait({keeping})
        leases._until = 0.0
        await leases._lapse()
        async with self.members[0].bot.services.storage.coordinating() as writing:
            await writing.cluster.release(leases.name, held)
            await writing.cluster.leave(leases.name)
        await self.settled()

    async def settled(self):
        """Return when all shards are connected and evenly held by the members."""
        await until(self._is_settled, 60)

    def _is_settled(self):
        held = [member.held for member in self.members]
        even = max(map(len, held)) - min(map(len, held)) <= 1
        whole = sorted(number for some in held for number in some) == [*range(self.discord.shards)]
        return (
            even
            and whole
            and self.discord.is_connected()
            and all(member.bot.is_connected() for member in self.members)
        )

    async def left_to_holder(self, guild):
        """Return when only the member that holds a server's shard has matches in memory.

        A member that doesn't know the holder yet may handle a click, and forgets the match soon.
        """
        await until(lambda: all(m.leases.owns(guild) or not m.owned for m in self.members), 60)

    async def by_endpoint(self):
        """Send clicks over the endpoint, to the members in turn."""
        await self.discord.endpoint.register(*(member.url for member in self.members))

    @property
    def connected(self):
        """The shards of all connections to the gateway, sorted."""
        sessions = self.discord.gateway.sessions.values()
        return sorted(session.shard for session in sessions if session.connection)

    def holder(self, guild):
        """The member that holds the shard of a server."""
        return next(m for m in self.members if m.leases.owns(guild))

    def holder_and_other(self, guild):
        """The member that holds the shard of a server, and then all others."""
        return sorted(self.members, key=lambda member: not member.leases.owns(guild))

    async def close(self):
        for member in self.members:
            await member.stop()


async def begun(together):
    """Begin a match between Ann and Bo in the first server; its table, once both have a hand."""
    discord = together.discord
    asked = await discord.person("Ann").slash(
        "pico play", channel="games", opponent=discord.person("Bo"), pace="live", hand="desk"
    )
    public = asked.message
    await discord.person("Bo").click(public, "Accept")
    await discord.until(
        lambda: "Round 1" in public.text and all(hand_of(together, name) for name in PEOPLE)
    )
    return public


def cards(hand):
    return [b.custom_id for b in hand.buttons if b.custom_id and ":pick:" in b.custom_id]


def step(hand):
    return int(cards(hand)[0].split(":")[2])


def hand_of(together, name):
    """Somebody's hand, if it asks for a choice and is complete: it is first sent in words."""
    letters = together.discord.person(name).direct_messages
    return next((letter for letter in letters if letter.is_v2 and cards(letter)), None)


async def pick(together, name):
    hand = hand_of(together, name)
    return await together.discord.person(name).click(hand, cards(hand)[0])


async def trick(together):
    """Let both choose their lowest card, and wait until both hands show the next step."""
    before = step(hand_of(together, "Ann"))

    def is_shown():
        hands = [hand_of(together, name) for name in PEOPLE]
        return all(h and step(h) > before for h in hands)

    answers = [await pick(together, name) for name in PEOPLE]
    await together.discord.until(is_shown)
    return answers


def settled_on(public, before):
    """The text of a table after a trick; None while it is unchanged or shows who has chosen."""
    is_new = public.text != before and "has chosen" not in public.text
    return public.text if is_new else None
