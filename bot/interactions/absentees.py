"""People who have left a server: no match begins there with them, wherever they still can click.

Nor does one begin with somebody whom the bot's owner has banned since they took a seat, nor by the
click in direct messages of somebody whom a moderator has timed out.

A match that is under way goes on: they keep their seat until they run out of time. But they ask the
others for nothing: nobody is to be reached by way of the bot whom a ban or a time-out was to leave
in peace.
"""

from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any, Final

import discord

from bot.cluster.share import Share
from bot.errors import CorruptRecordError, MatchError, NotAllowedHereError, NotSeatedError
from bot.guilds.bans import Bans
from bot.live.live import Live
from bot.matches import Matches, PublicSnapshot
from bot.messaging.installs import server_of
from bot.messaging.membership import Membership
from bot.rendering.phrases import mention
from bot.storage import MatchId, Storage
from bot.text import listed

ASK_AGAIN_SECONDS: Final = 60 * 60
"""Seconds after which Discord is asked again whom a server's challenges wait for in vain."""

LOOK_AGAIN_SECONDS: Final = 60
SERVERS_AT_ONCE: Final = 20
"""Servers of which that is asked in a minute; Discord takes 120 questions from a shard."""

RESUMES_NOTHING: Final = (
    "You're not in this match's server anymore, so you can't ask to resume this match."
)
ASKS_NOTHING: Final = (
    "You're not in this match's server anymore, so you can't ask the others for anything. You can "
    "still move or resign."
)


SILENT: Final = (
    "A moderator has timed you out in this match's server until {}, so you can't ask the others "
    "for anything now. You can still move or resign."
)
RESUMES_NOTHING_YET: Final = (
    "A moderator has timed you out in this match's server until {}, so you can't ask to resume "
    "this match now."
)
STARTS_NO_REMATCH: Final = (
    "A moderator has timed you out in this match's server until {}, so you can't start a rematch "
    "now."
)
ACCEPTS_NOTHING: Final = (
    "A moderator has timed you out in this challenge's server until {}, so you can't accept it now."
)


class Absentees:
    """Asks Discord just before a match begins, and of whom a challenge waits for, once an hour.

    While Discord does not say, all count as present.
    """

    def __init__(  # noqa: PLR0913 - what `bot/services.py` has
        self,
        storage: Storage,
        matches: Matches,
        members: Membership,
        live: Live,
        bans: Bans,
        *,
        now: Callable[[], float],
        share: Share,
    ) -> None:
        self._storage = storage
        self._matches = matches
        self._members = members
        self._live = live
        self._bans = bans
        self._now = now
        self._share = share
        self._next_look = 0.0
        self._looked_at: dict[int, float] = {}
        """When Discord was asked who is still in the servers whose challenges wait for somebody."""

    async def look(self) -> None:
        """Let challenges not wait for people who have left, which Discord does not tell by itself.

        A few servers a minute: it takes so many questions a minute, and others have some too.
        """
        now = self._now()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_AGAIN_SECONDS
        async with self._storage.reading() as reading:
            awaited = await reading.challenges.awaited()
        own = [guild for guild in awaited if self._share.owns(guild)]
        self._looked_at = {guild: self._looked_at.get(guild, 0.0) for guild in own}
        due = [guild for guild, at in self._looked_at.items() if at + ASK_AGAIN_SECONDS <= now]
        for guild in sorted(due, key=self._looked_at.__getitem__)[:SERVERS_AT_ONCE]:
            self._looked_at[guild] = now
            for user in await self._members.gone(guild, list(awaited[guild])) or ():
                for match in awaited[guild][user]:
                    await self._give_up_absent(match, user)

    async def _give_up_absent(self, match: MatchId, user: int) -> None:
        with suppress(MatchError, CorruptRecordError):  # it was answered meanwhile, or is damaged
            snapshot = await self._matches.public(match)
            if await self._have_left(snapshot, [user]):
                await self._matches.give_up_absent(match, user)
                self._live.changed(match)

    async def give_up_seats(self, match: MatchId, asker: int) -> None:
        """Let those give up their seats in a challenge who have left its server, or are banned.

        MatchError if that ends it. Who asks has just clicked there.
        """
        snapshot = await self._matches.public(match)
        if snapshot.status != "open":
            return  # what they ask for says why not
        seated = {place.user for place in snapshot.places} - {asker}
        banned = self._bans.among(seated)
        for user in [*banned, *await self._absent(snapshot, seated.difference(banned))]:
            is_banned = user in banned
            try:
                effect = await self._matches.give_up_absent(
                    match, user, "declined" if is_banned else "absent"
                )
            except NotSeatedError:  # another click has come first, and found the same
                continue
            self._live.changed(match)
            if effect.public().status != "open":
                why = "can't play anymore" if is_banned else "has left this server"
                raise MatchError(
                    f"<@{user}> {why}, so this challenge is over. Start your own with a `play` "
                    "command."
                )

    async def must_be_none(
        self, snapshot: PublicSnapshot, interaction: discord.Interaction[Any]
    ) -> None:
        """NotAllowedHereError if somebody who would play again has left the server.

        In direct messages, that may be whoever asks.
        """
        asker, users = interaction.user.id, {place.user for place in snapshot.places}
        if snapshot.is_unfinished or asker not in users:
            return  # there is no rematch for them in any case
        if server_of(interaction) is None:
            if await self._have_left(snapshot, [asker]):
                raise NotAllowedHereError(
                    "You're not in this match's server anymore, so you can't start a rematch."
                )
            await self._must_not_be_silent(snapshot, asker, STARTS_NO_REMATCH)
        for user in await self._absent(snapshot, users - {asker}):
            raise NotAllowedHereError(
                f"<@{user}> has left the server, so there can't be a rematch. Start a new match "
                "with a `play` command."
            )

    async def must_be_there(self, match: MatchId, interaction: discord.Interaction[Any]) -> None:
        """NotAllowedHereError if whoever accepts a challenge from elsewhere has left its server."""
        snapshot, asker = await self._matches.public(match), interaction.user.id
        if server_of(interaction) == snapshot.guild:
            return
        if await self._have_left(snapshot, [asker]):
            raise NotAllowedHereError(
                "You're not in this challenge's server anymore, so you can't accept it."
            )
        await self._must_not_be_silent(snapshot, asker, ACCEPTS_NOTHING)

    async def must_all_read(
        self, snapshot: PublicSnapshot, interaction: discord.Interaction[Any]
    ) -> None:
        """NotAllowedHereError where another who plays on, and is in the server, can't read this."""
        server, channel = interaction.guild_id or 0, interaction.channel_id
        others = [
            place.user
            for place in snapshot.places
            if place.user > 0 and not place.left and place.user != interaction.user.id
        ]
        unseeing = await self._members.kept_out(server, others, channel or 0)
        if unseeing:
            raise NotAllowedHereError(
                f"{listed(sorted(map(mention, unseeing)))} can't read this channel, so they'd "
                "never know. Resume the match in a channel they can read."
            )

    async def must_not_be_asking(
        self, match: MatchId, interaction: discord.Interaction[Any]
    ) -> None:
        """NotAllowedHereError if whoever asks the others in a match for something must not.

        They have left, or were timed out. Only direct messages bring that: in the server, Discord
        lets them click on nothing.
        """
        if server_of(interaction) is not None:
            return
        snapshot, asker = await self._matches.public(match), interaction.user.id
        is_player = any(place.user == asker for place in snapshot.places)
        if not is_player or snapshot.is_solitary:
            return
        if await self._absent(snapshot, [asker]):
            raise NotAllowedHereError(ASKS_NOTHING if snapshot.is_unfinished else RESUMES_NOTHING)
        silent = SILENT if snapshot.is_unfinished else RESUMES_NOTHING_YET
        await self._must_not_be_silent(snapshot, asker, silent)

    async def _must_not_be_silent(self, snapshot: PublicSnapshot, user: int, why: str) -> None:
        """NotAllowedHereError, with this sentence, for whom a moderator has timed out."""
        if snapshot.guild is None:
            return
        ends = await self._members.timed_out_until(snapshot.guild, user)
        if ends is not None:
            raise NotAllowedHereError(why.format(discord.utils.format_dt(ends, "f")))

    async def _absent(self, snapshot: PublicSnapshot, users: Collection[int]) -> list[int]:
        """Those of these users who are people and not in the server of a match.

        What is believed for some minutes does, but not against somebody who may be back.
        """
        people = [user for user in users if user > 0]
        if snapshot.guild is None or not people:
            return []
        gone = await self._members.gone(snapshot.guild, people)
        return await self._have_left(snapshot, sorted(gone)) if gone else []

    async def _have_left(self, snapshot: PublicSnapshot, people: list[int]) -> list[int]:
        """Those of these people who are not in the server of a match now."""
        if snapshot.guild is None:
            return []
        present = await self._members.present(snapshot.guild, people)
        return [] if present is None else [user for user in people if user not in present]
