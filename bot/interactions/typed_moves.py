"""Moves typed as an option of a slash command: the match that they are for, and the answer."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

import discord

from bot.errors import MatchError, NoSuchMatchError
from bot.live.live import Live
from bot.live.replies import Replies
from bot.matches import Matches, SeatSnapshot
from bot.messaging.installs import server_of
from bot.rendering.phrases import submitted_text
from bot.storage import MatchId, Storage
from games import GAMES

_NEAREST: Final[tuple[Callable[[SeatSnapshot, int], bool], ...]] = (
    lambda snapshot, channel: snapshot.channel == channel and snapshot.seat not in snapshot.chosen,
    lambda snapshot, channel: snapshot.channel == channel,
    lambda snapshot, channel: snapshot.channel != channel and snapshot.seat not in snapshot.chosen,
    lambda snapshot, channel: snapshot.channel != channel,
)
"""Which matches are meant if none is named, the nearest first: in this channel and still without a
choice, in this channel, elsewhere and without a choice, elsewhere."""


class TypedMoves:
    """Moves that players type in a command of their game."""

    def __init__(self, storage: Storage, matches: Matches, live: Live, replies: Replies) -> None:
        self._storage = storage
        self._matches = matches
        self._live = live
        self._replies = replies

    async def awaited(
        self, interaction: discord.Interaction[Any], game: str
    ) -> Sequence[SeatSnapshot]:
        """The matches of a game that wait for this person's choice, or have it already.

        In a server only those of that server; elsewhere those of all servers, and solo matches.
        """
        user, guild = interaction.user.id, server_of(interaction)
        async with self._storage.reading() as reading:
            matches = await reading.match_lists.running(user, game=game, guild=guild)
        # Concurrently, so that they are read together.
        snapshots = await asyncio.gather(
            *(self._matches.snapshot(match, user) for match in matches)
        )
        return [
            snapshot
            for snapshot in snapshots
            if isinstance(snapshot, SeatSnapshot) and snapshot.seat in snapshot.awaiting
        ]

    async def typed(
        self, interaction: discord.Interaction[Any], game: str, match: object
    ) -> SeatSnapshot | None:
        """The match for which a move is being typed; None if that isn't clear yet."""
        if match is not None:
            snapshots = await self.awaited(interaction, game)
            return next((snapshot for snapshot in snapshots if snapshot.match == match), None)
        near = await self._nearest(interaction, game)
        return near[0] if len(near) == 1 else None

    async def meant(
        self, interaction: discord.Interaction[Any], game: str, match: int | None
    ) -> SeatSnapshot:
        """The match with this number, or the nearest one if none is named.

        MatchError if there is none, if several are equally near, or if it's in another server,
        because its hand can't be shown here.
        """
        server, title = server_of(interaction), GAMES[game].title
        if match is not None:
            try:
                snapshot = await self._matches.sit(MatchId(match), interaction.user.id)
            except NoSuchMatchError:
                if not await self.awaited(interaction, game):
                    raise _nothing_waits(title, server) from None
                raise MatchError(
                    f"No match of {title} with that number is being played. Pick one from the list."
                ) from None
            if server is not None and snapshot.guild not in {None, server}:
                raise MatchError(
                    f"Match {match} is in another server. Use this there or in our direct messages."
                )
            if snapshot.game != game:
                raise MatchError(f"Match {match} isn't a match of {title}. Pick one from the list.")
            return snapshot
        near = await self._nearest(interaction, game)
        if not near:
            raise _nothing_waits(title, server)
        if len(near) > 1:
            raise MatchError(
                f"{len(near)} matches of {title} are waiting for you here. Choose one with "
                "the option `match`."
            )
        return near[0]

    async def _nearest(
        self, interaction: discord.Interaction[Any], game: str
    ) -> Sequence[SeatSnapshot]:
        """The matches that are meant if none is named, all equally near."""
        snapshots, channel = await self.awaited(interaction, game), interaction.channel_id or 0
        tiers = (
            [snapshot for snapshot in snapshots if is_near(snapshot, channel)]
            for is_near in _NEAREST
        )
        return next((near for near in tiers if near), [])

    async def give(
        self, interaction: discord.Interaction[Any], game: str, match: int | None, text: str
    ) -> None:
        """Choose the move that a text means, and answer privately with the hand.

        Outside its server, where the hand is in direct messages already, the answer is a sentence.
        """
        snapshot = await self.meant(interaction, game, match)
        user = interaction.user.id
        effect = await self._matches.submit(snapshot.match, snapshot.step, user, text)
        if server_of(interaction) is None and not snapshot.is_solo:
            sentence = submitted_text(effect.snapshot_of(user).choice)
            await self._replies.say(snapshot.match, sentence, interaction)
            return
        async with self._live.changing(snapshot.match):
            await self._replies.show_here(effect.snapshot_of(user), interaction)


def _nothing_waits(title: str, server: int | None) -> MatchError:
    where = "" if server is None else " in this server"
    return MatchError(f"No match of {title}{where} is waiting for you. `/games` lists yours.")
