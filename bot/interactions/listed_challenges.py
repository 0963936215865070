"""Answers to a challenge from a list of matches, far from its table, which follows."""

from typing import TYPE_CHECKING, Any, Final

import discord

from bot.errors import NotAllowedHereError
from bot.messaging.permissions import must_be_available, must_have_left
from bot.storage import MatchId

if TYPE_CHECKING:  # the services are built of what is here
    from bot.services import Services

NOT_THERE: Final = (
    "I'm not in that challenge's server anymore, so it can't start. Your list has **Decline**, or "
    "let it expire."
)


async def accept_listed(
    services: "Services", match: MatchId, interaction: discord.Interaction[Any]
) -> None:
    """Take the seat somebody was invited to; the last one to accept starts the match."""
    await _must_have_a_place(services, match, interaction)
    await services.absentees.must_be_there(match, interaction)
    await services.absentees.give_up_seats(match, interaction.user.id)
    await services.matches.accept(match, interaction.user.id)
    services.live.changed(match)


async def decline_listed(
    services: "Services", match: MatchId, interaction: discord.Interaction[Any]
) -> None:
    """Refuse a challenge, which ends it unless it has open seats."""
    await services.matches.decline(match, interaction.user.id)
    services.live.changed(match)


async def _must_have_a_place(
    services: "Services", match: MatchId, interaction: discord.Interaction[Any]
) -> None:
    """NotAllowedHereError where the server of a challenge is out of reach for the bot."""
    snapshot = await services.matches.public(match)
    if snapshot.guild is None:
        return
    guild = interaction.client.get_guild(snapshot.guild)
    must_be_available(guild)
    if guild is None:
        must_have_left(snapshot.guild, await services.guild_settings.left())
        raise NotAllowedHereError(NOT_THERE)
