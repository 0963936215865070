"""Who sees what somebody has played: everybody in a server, unless they want it for themselves.

Anywhere but in a server with the bot people see their own matches, from all servers and those of no
server: no server learns of another.
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
    """Who sees an answer."""

    asker: int
    guild: int | None
    """The server where it was asked; None in direct messages, and where the bot is a guest."""

    private: bool
    """Whether nobody else sees it."""

    @property
    def onlooker(self) -> int:
        """For whose eyes it is; NOBODY's in particular where everybody sees it."""
        return self.asker if self.private else NOBODY


class Visibility:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def of_command(
        self, interaction: discord.Interaction[Any], people: Sequence[int], *, private: bool
    ) -> Audience:
        """Who is to see an answer about these people; MatchError for a secret of others.

        The first of them is the one whose matches are counted.
        """
        asker, guild = interaction.user.id, server_of(interaction)
        if guild is None:
            if asker != people[0]:
                raise MatchError(OWN_ONLY)
            return Audience(asker=asker, guild=None, private=True)
        async with self._storage.reading() as reading:
            shy = await reading.people.hidden(people)
        if shy and asker not in people:
            raise MatchError(
                f"<@{min(shy)}> keeps their results private, so I can't show their statistics or "
                "history."
            )
        return Audience(asker=asker, guild=guild, private=private or bool(shy))

    async def of_click(
        self, interaction: discord.Interaction[Any], people: Sequence[int]
    ) -> Audience:
        """The same for the message that was clicked; MatchError where too many see it."""
        private = interaction.message is not None and interaction.message.flags.ephemeral
        audience = await self.of_command(interaction, people, private=private)
        if audience.private and not private:
            raise MatchError(PRIVATE_BY_NOW)
        return audience
