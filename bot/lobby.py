"""Where a match begins: a command becomes a challenge on the table, if it can be played here."""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.desks import Desks
from bot.errors import NotAllowedHereError
from bot.matches import Challenge, Matches

_NEEDED: Final = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "embed_links": "Embed Links",
    "attach_files": "Attach Files",
}
_NEEDED_IN_THREADS: Final = {
    "view_channel": "View Channel",
    "send_messages_in_threads": "Send Messages in Threads",
    "embed_links": "Embed Links",
    "attach_files": "Attach Files",
}


class Lobby:
    def __init__(self, matches: Matches, desks: Desks) -> None:
        self._matches = matches
        self._desks = desks

    async def challenge(
        self,
        interaction: discord.Interaction[Any],
        game: str,
        options: Any,  # noqa: ANN401 - of the game's own type
        opponents: Sequence[discord.Member | discord.User],
    ) -> None:
        """Post a challenge as the answer to this command; a MatchError where it can't be one."""
        _must_be_able_to_post(interaction)
        challenge = Challenge(
            interaction=interaction.id,
            game=game,
            options=options,
            guild=interaction.guild_id or 0,
            channel=interaction.channel_id or 0,
            opener=interaction.user.id,
            opponents=tuple(person.id for person in opponents),
            bots=frozenset(person.id for person in opponents if person.bot),
        )
        turn = await self._matches.open(challenge)
        await self._desks.post(turn, interaction)


def _must_be_able_to_post(interaction: discord.Interaction[Any]) -> None:
    """Refuse to begin what could not go on here: the table is edited by the bot itself."""
    in_thread = isinstance(interaction.channel, discord.Thread)
    needed = _NEEDED_IN_THREADS if in_thread else _NEEDED
    missing = [
        name for right, name in needed.items() if not getattr(interaction.app_permissions, right)
    ]
    if missing:
        raise NotAllowedHereError(
            f"I can't run a match in this channel: I lack {' and '.join(missing)} here. Ask a "
            "moderator to give me that, or challenge in another channel."
        )
