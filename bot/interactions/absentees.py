"""Keeps people who have left a server from starting matches there, wherever they can still click.

Nor does a match start with somebody that the bot's owner has banned since they took a seat, or by
the click in direct messages of somebody that a moderator has timed out.

A match under way goes on: people who have left keep their seat until they run out of time. But they
can't ask the others for anything: a ban or a timeout is meant to leave people in peace, so nobody
may be reached through the bot either.
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
from bot.time_units import HOUR_SECONDS

ASK_AGAIN_SECONDS: Final = HOUR_SECONDS
"""Seconds until Discord is asked again about the people that a server's challenges wait for."""

LOOK_AGAIN_SECONDS: Final = 60
SERVERS_AT_ONCE: Final = 20
"""Servers asked about every `LOOK_AGAIN_SECONDS`; Discord accepts 120 requests a minute from a
shard."""

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
    """Asks Discord just before a match starts, and once an hour about people a challenge waits for.

    While Discord doesn't answer, everybody counts as present.
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
        """By server id: the Unix time when Discord was last asked about the people its challenges
        wait for."""

    async def look(self) -> None:
        """Give up the seats of people who were challenged and have left, which no event reports.

        A few servers a minute: Discord accepts only so many requests, and others need some too.
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
        with suppress(MatchError, CorruptRecordError):  # answered meanwhile, or damaged
            snapshot = await self._matches.public(match)
            if await self._have_left(snapshot, [user]):
                await self._matches.give_up_absent(match, user)
                self._live.note_changed(match)

    async def give_up_seats(self, match: MatchId, asker: int) -> None:
        """Give up the seats in a challenge of people who have left its server or are banned.

        MatchError if that ends the challenge. `asker` has just clicked there, so isn't checked.
        """
        snapshot = await self._matches.public(match)
        if snapshot.status != "open":
            return  # the act itself says why not
        seated = {info.user for info in snapshot.seats} - {asker}
        banned = self._bans.among(seated)
        for user in [*banned, *await self._absent(snapshot, seated.difference(banned))]:
            is_banned = user in banned
            try:
                effect = await self._matches.give_up_absent(
                    match, user, "declined" if is_banned else "absent"
                )
            except NotSeatedError:  # another click came first and found the same
                continue
            self._live.note_changed(match)
            if effect.public().status != "open":
                why = "can't play anymore" if is_banned else "has left this server"
                raise MatchError(
                    f"<@{user}> {why}, so this challenge is over. Start your own with a `play` "
                    "command."
                )

    async def must_all_be_present(
        self, snapshot: PublicSnapshot, interaction: discord.Interaction[Any]
    ) -> None:
        """NotAllowedHereError if somebody who would play the rematch has left the server.

        In direct messages, that may be the person who asks; they may also be timed out.
        """
        asker, users = interaction.user.id, {info.user for info in snapshot.seats}
        if snapshot.is_unfinished or asker not in users:
            return  # there is no rematch for them in any case
        if server_of(interaction) is None:
            if await self._have_left(snapshot, [asker]):
                raise NotAllowedHereError(
                    "You're not in this match's server anymore, so you can't start a rematch."
                )
            await self._must_not_be_timed_out(snapshot, asker, STARTS_NO_REMATCH)
        for user in await self._absent(snapshot, users - {asker}):
            raise NotAllowedHereError(
                f"<@{user}> has left the server, so there can't be a rematch. Start a new match "
                "with a `play` command."
            )

    async def must_be_there(
        self, snapshot: PublicSnapshot, interaction: discord.Interaction[Any]
    ) -> None:
        """NotAllowedHereError if somebody accepts a challenge after leaving its server.

        Or while timed out there. Checked only for clicks from elsewhere.
        """
        asker = interaction.user.id
        if server_of(interaction) == snapshot.guild:
            return
        if await self._have_left(snapshot, [asker]):
            raise NotAllowedHereError(
                "You're not in this challenge's server anymore, so you can't accept it."
            )
        await self._must_not_be_timed_out(snapshot, asker, ACCEPTS_NOTHING)

    async def must_all_read(
        self, snapshot: PublicSnapshot, interaction: discord.Interaction[Any]
    ) -> None:
        """NotAllowedHereError if another player, still in the match and server, can't read this."""
        server, channel = interaction.guild_id or 0, interaction.channel_id
        others = [
            info.user
            for info in snapshot.seats
            if info.user > 0 and not info.left and info.user != interaction.user.id
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
        """NotAllowedHereError if this player may not ask the other players for anything.

        They have left the server, or are timed out. That happens only in direct messages: in the
        server, Discord doesn't let them click.
        """
        if server_of(interaction) is not None:
            return
        snapshot, asker = await self._matches.public(match), interaction.user.id
        is_player = any(info.user == asker for info in snapshot.seats)
        if not is_player or snapshot.is_alone_with_computers:
            return
        if await self._absent(snapshot, [asker]):
            raise NotAllowedHereError(ASKS_NOTHING if snapshot.is_unfinished else RESUMES_NOTHING)
        silent = SILENT if snapshot.is_unfinished else RESUMES_NOTHING_YET
        await self._must_not_be_timed_out(snapshot, asker, silent)

    async def _must_not_be_timed_out(self, snapshot: PublicSnapshot, user: int, why: str) -> None:
        """NotAllowedHereError with `why`, formatted with the end, if this user is timed out."""
        if snapshot.guild is None:
            return
        ends = await self._members.timed_out_until(snapshot.guild, user)
        if ends is not None:
            raise NotAllowedHereError(why.format(discord.utils.format_dt(ends, "f")))

    async def _absent(self, snapshot: PublicSnapshot, users: Collection[int]) -> list[int]:
        """Those of these users who are people and aren't in the server of a match.

        That somebody is there is believed for some minutes; that they aren't is asked again,
        because they may be back.
        """
        people = [user for user in users if user > 0]
        if snapshot.guild is None or not people:
            return []
        gone = await self._members.gone(snapshot.guild, people)
        return await self._have_left(snapshot, sorted(gone)) if gone else []

    async def _have_left(self, snapshot: PublicSnapshot, people: list[int]) -> list[int]:
        """Those of these people who aren't in the server of a match now; none if that's unknown."""
        if snapshot.guild is None:
            return []
        present = await self._members.present(snapshot.guild, people)
        return [] if present is None else [user for user in people if user not in present]
