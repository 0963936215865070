"""Shared posts of results, where the match was played: one per user and match."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import discord

from bot.errors import MatchError, NotAllowedHereError, NotSeatedError
from bot.matches import SeatSnapshot
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.known_servers import known_server, must_be_available
from bot.messaging.membership import Membership
from bot.messaging.own_member import own_member
from bot.messaging.sent import SentMessages
from bot.sharing.results import STRANGER
from bot.sharing.rights import must_be_able_to_share
from bot.sharing.shared_posts import SharedPosts
from bot.storage import MatchId, Storage
from bot.storage.records import Spot
from bot.storage.shares import ShareRecord

NO_PLACE: Final = (
    "I can't reach this match's channel anymore. If it's in an archived thread, open the thread "
    "and press **Share** at the table."
)

OTHERS_CHANGED: Final = "Something changed while I wrote that. Press **Share** again."


class Shares:
    def __init__(
        self,
        client: discord.Client,
        storage: Storage,
        delivery: Delivery,
        members: Membership,
        sent: SentMessages,
        *,
        now: Callable[[], float],
    ) -> None:
        self._client = client
        self._storage = storage
        self._delivery = delivery
        self._members = members
        self._posts = SharedPosts(storage, delivery, sent, lambda found: found.shares)
        self._now = now

    async def posted(self, match: MatchId, user: int) -> Spot | None:
        """The user's post of this match; None if there is none, or it was deleted."""
        return await self._posts.find(match, user)

    async def channel_for(
        self, interaction: discord.Interaction[Any], snapshot: SeatSnapshot
    ) -> int:
        """The channel for a result of this match; raises NotAllowedHereError if there is none.

        Few people look into the thread of a match, so it's the channel above that thread, if both
        the bot and the user can post there. A server that isn't known here can't tell whether they
        can, nor can Discord if it doesn't say in time who they are: a result is posted only once,
        so it must not go to the thread because of that.
        """
        guild, channel = snapshot.guild, snapshot.channel
        assert guild is not None
        assert channel is not None  # a match of a server has a table
        must_be_available(self._client.get_guild(guild))
        member = await self._member(interaction, guild)
        parent = await self._parent_of_own(channel)
        if parent is not None:
            if interaction.channel_id != parent:
                await known_server(self._client, self._storage, guild)
            with suppress(NotAllowedHereError):
                await self._must_allow(interaction, member, guild, parent)
                return parent
        await self._must_allow(interaction, member, guild, channel)
        return channel

    async def _parent_of_own(self, channel: int) -> int | None:
        """The parent of a thread that the bot created; None for any other channel.

        Raises UndeliveredError if Discord doesn't answer: a result is posted only once, so the
        channel must not be a guess.
        """
        assert self._client.user is not None
        found = await self._delivery.channels.find(channel)
        is_own = found is not None and found.owner == self._client.user.id
        return found.parent if found is not None and is_own else None

    async def _must_allow(
        self,
        interaction: discord.Interaction[Any],
        member: discord.Member,
        guild: int,
        channel: int,
    ) -> None:
        """Raise NotAllowedHereError if the bot or this user can't post in this channel."""
        if interaction.channel_id == channel:
            bot, person = interaction.app_permissions, interaction.permissions
            place: object = interaction.channel
        else:
            server = await known_server(self._client, self._storage, guild)
            found = None if server is None else server.get_channel_or_thread(channel)
            if server is None or found is None:
                raise NotAllowedHereError(NO_PLACE)
            me = own_member(server)  # if it's unknown, Discord decides
            bot = discord.Permissions.all() if me is None else found.permissions_for(me)
            person, place = found.permissions_for(member), found
        must_be_able_to_share(self._client.get_guild(guild), channel, place, bot=bot, person=person)

    async def _member(self, interaction: discord.Interaction[Any], guild: int) -> discord.Member:
        """The user as a member of the match's server; looked up if they clicked elsewhere."""
        user = interaction.user
        if isinstance(user, discord.Member) and user.guild.id == guild:
            return user
        server = await known_server(self._client, self._storage, guild)
        if server is None:
            raise NotAllowedHereError(NO_PLACE)
        found = await self._members.find(server, user.id)
        if found is None:
            raise NotAllowedHereError(
                "You're not in this match's server anymore, so you can't share it there."
            )
        return found

    async def post(
        self, snapshot: SeatSnapshot, user: int, content: MessageContent, channel: int
    ) -> Spot:
        """Post a result in a channel of its server; returns the post, new or existing."""
        claimed = await self._claim(snapshot, user, channel)
        nonce = f"share.{snapshot.match}.{snapshot.seat}"
        posted = await self._posts.send(claimed, content, nonce)
        if posted is None:
            raise NotSeatedError(STRANGER)
        return posted

    async def _claim(self, snapshot: SeatSnapshot, user: int, channel: int) -> ShareRecord | None:
        wanted = ShareRecord(
            match=snapshot.match,
            user=user,
            channel=channel,
            message=None,
            shared_at=int(self._now()),
        )
        async with self._storage.transaction() as writing:
            found = await writing.matches.load(snapshot.match)
            if found is None:
                raise MatchError("This match no longer exists, so there's nothing to share.")
            if found.seats[snapshot.seat].user != user:  # their data was deleted meanwhile
                raise NotSeatedError(STRANGER)
            if any(s.user != p.user for s, p in zip(found.seats, snapshot.seats, strict=True)):
                raise MatchError(OTHERS_CHANGED)  # the post would name a user who was deleted
            return await writing.shares.claim(wanted)
