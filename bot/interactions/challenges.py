"""Where a match begins: a command becomes a challenge on the table, if it can be played here."""

from dataclasses import dataclass
from typing import Any, Final, Protocol, cast

import discord

from bot.live.replies import Desks
from bot.matches import Challenge, Matches
from bot.messaging.delivery import UndeliveredError
from bot.messaging.permissions import must_be_able_to_play
from bot.settings.guilds import DEFAULT_PACE, Servers, must_allow, must_allow_here
from bot.storage import Pace

TAPPED: Final = frozenset({"pico", "duel"})
"""The games whose hands everybody knows, so that they can be buttons on the table."""


class Person(Protocol):
    """A user of Discord, as far as it matters here."""

    @property
    def id(self) -> int: ...

    @property
    def bot(self) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What somebody wants to play, with whom and how."""

    game: str
    options: Any  # of the game's own type
    opponents: tuple[Person, ...]
    seats: int
    """Players in all, the challenger too; seats for which nobody is named are open to anybody."""

    pace: str | None = None
    """A key of PACES; None for the server's own."""

    tap: str | None = None
    """`tap` or `desk`; None for the server's own, and where the game knows only desks."""

    rated: bool = True
    """Whether it counts for ratings."""

    computer: str | None = None
    """The level of the computer that takes every seat for which nobody is named."""

    @property
    def computers(self) -> tuple[str, ...]:
        """The level of each computer that plays."""
        if self.computer is None:
            return ()
        return (self.computer,) * max(1, self.seats - 1 - len(self.opponents))


class Lobby:
    def __init__(self, matches: Matches, desks: Desks, servers: Servers) -> None:
        self._matches = matches
        self._desks = desks
        self._servers = servers

    async def challenge(self, interaction: discord.Interaction[Any], proposal: Proposal) -> None:
        """Post a challenge as the answer to this command; a MatchError where it can't be one."""
        settings = await self._servers.of(interaction.guild_id or 0)
        must_allow(settings, proposal.game, interaction)
        must_be_able_to_play(interaction, threads=settings.threads)
        tap = settings.tap if proposal.tap is None else proposal.tap == "tap"
        challenge = Challenge(
            interaction=interaction.id,
            game=proposal.game,
            options=proposal.options,
            guild=interaction.guild_id or 0,
            channel=interaction.channel_id or 0,
            opener=interaction.user.id,
            opponents=tuple(person.id for person in proposal.opponents),
            bots=frozenset(person.id for person in proposal.opponents if person.bot),
            wanted=proposal.seats,
            # The command offers no other paces.
            pace=cast(Pace, proposal.pace or settings.pace or DEFAULT_PACE),
            tap=bool(tap) and proposal.game in TAPPED,
            rated=proposal.rated,
            computers=proposal.computers,
        )
        turn = await self._matches.open(challenge)
        look = turn.look(None)
        try:
            await (self._desks.post if look.status == "open" else self._desks.begin)(
                turn, interaction
            )
        except UndeliveredError:
            # It would keep the two from trying again. Should it stand there after all, because only
            # Discord's answer was lost, a click on it says that it was withdrawn.
            await self._matches.undo(look.match)
            raise

    async def must_be_playable(self, interaction: discord.Interaction[Any]) -> None:
        """A MatchError where no match can be played, or goes on, in this channel."""
        must_allow_here(await self._servers.of(interaction.guild_id or 0), interaction)
        must_be_able_to_play(interaction)
