"""The slash commands of the tile duel."""

from discord import app_commands

from bot.client import Interaction
from bot.interactions.choices import choices_of
from bot.interactions.cog import GameCog
from bot.interactions.contexts import anywhere
from bot.interactions.play_options import Opponent, usual_options, wants_taps
from bot.matches.proposal import Proposal
from bot.messaging.first_answer import PUBLIC
from bot.storage import TimeControl
from cogs.duel.options import VARIANTS
from cogs.duel.presentation import DuelPresentation
from games.duel import DUEL


@anywhere
class Duel(
    GameCog,
    group_name=DUEL.key,
    group_description="Divide and Conquer, a duel of domino tiles",
):
    game = DUEL.key
    presentation = DuelPresentation()

    @app_commands.command(extras=PUBLIC)
    @app_commands.describe(
        opponent="Who you challenge; leave it empty and anyone can join",
        variant="How many tiles are dealt; default: 10, five each",
    )
    @usual_options(DUEL.key)
    @app_commands.choices(
        variant=choices_of(VARIANTS),
    )
    async def play(  # noqa: PLR0913, PLR0917 - the options of a slash command are its parameters
        self,
        interaction: Interaction,
        opponent: Opponent | None = None,
        computer: str | None = None,
        variant: str = "standard",
        pace: TimeControl | None = None,
        hand: str | None = None,
        rated: bool = True,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """Challenge someone: the higher tile wins, unless the lower divides it or is one less."""
        proposal = Proposal(
            game=DUEL.key,
            options=DUEL.presets[variant],
            opponents=() if opponent is None else (opponent,),
            seats=2,
            time_control=pace,
            tap=wants_taps(hand),
            rated=rated,
            computer=computer,
        )
        await self.services.challenges.challenge(interaction, proposal)
