"""Who may see a user's statistics: everyone in a server, unless the user keeps them private.

Outside of servers that have the bot, users see only their own, from all servers and from solo
matches: no server learns about another.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.errors import MatchError
from bot.messaging.installs import server_of
from bot.storage import Storage

NOBODY: Final = 0

OWN_ONLY: Final = (
    "Here I only show your own matches. For someone else, use the command in a server that has me."
)
PRIVATE_BY_NOW: Final = (
    "This is private now, so I can't show it here. Use the command to see it yourself."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """The people who see an answer."""

    asker: int
    guild: int | None
    """The server of the interaction; None in direct messages, and where the bot is a guest."""

    private: bool
    """Whether only the asker sees it."""

    @property
    def onlooker(self) -> int:
        """The id of the only user who sees it; NOBODY if everyone does."""
        return self.asker if self.private else NOBODY


class Visibility:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def is_hidden(self, user: int) -> bool:
        """Whether this user keeps their results private."""
        async with self._storage.reading() as reading:
            return user in await reading.people.hidden([user])

    async def hide(self, user: int, *, hidden: bool) -> None:
        """Keep this user's results private and off leaderboards, or show them again."""
        async with self._storage.transaction() as writing:
            await writing.people.hide(user, hidden=hidden)

    async def of_command(
        self, interaction: discord.Interaction[Any], people: Sequence[int], *, private: bool
    ) -> Audience:
        """The audience of an answer about these users, the first of whom is the main subject.

        `private` says whether a private answer was asked for; about users who keep their results
        private, the answer is private anyway. Raises MatchError if the asker may not see it.
        """
        asker, guild = interaction.user.id, server_of(interaction)
        if guild is None:
            if asker != people[0]:
                raise MatchError(OWN_ONLY)
            return Audience(asker=asker, guild=None, private=True)
        async with self._storage.reading() as reading:
            hidden = await reading.people.hidden(people)
        if hidden and asker not in people:
            raise MatchError(
                f"<@{min(hidden)}> keeps their results private, so I can't show their statistics "
                "or history."
            )
        return Audience(asker=asker, guild=guild, private=private or bool(hidden))

    async def of_click(
        self, interaction: discord.Interaction[Any], people: Sequence[int]
    ) -> Audience:
        """As `of_command`, for a click on a message; MatchError if that is too public for it."""
        private = interaction.message is not None and interaction.message.flags.ephemeral
        audience = await self.of_command(interaction, people, private=private)
        if audience.private and not private:
            raise MatchError(PRIVATE_BY_NOW)
        return audience
