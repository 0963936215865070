"""The slash commands of Prize Dominoes."""

from discord import app_commands

from bot.client import Interaction
from bot.interactions.choices import choices_of
from bot.interactions.cog import GameCog
from bot.interactions.contexts import anywhere
from bot.interactions.play_options import Opponent, usual_options
from bot.matches.proposal import Proposal
from bot.messaging.first_answer import PUBLIC
from bot.storage import TimeControl
from cogs.prize.options import ANY_TURN, PASSES, options_from
from cogs.prize.presentation import PrizePresentation
from games.prize import PRIZE


@anywhere
class PrizeDominoes(
    GameCog,
    group_name=PRIZE.key,
    group_description="Prize Dominoes: win hands and collect every number in prizes",
):
    game = PRIZE.key
    presentation = PrizePresentation()

    @app_commands.command(extras=PUBLIC)
    @app_commands.describe(
        opponent="Who you challenge; leave it empty and anyone can join",
        passes="What counts as a pass (two in a row end a hand); "
        "default: every turn that plays no tile",
        hands="The most hands before prizes decide the match; default: 50",
    )
    @usual_options(PRIZE.key)
    @app_commands.choices(
        passes=choices_of(PASSES),
    )
    async def play(  # noqa: PLR0913, PLR0917 - the options of a slash command are its parameters
        self,
        interaction: Interaction,
        opponent: Opponent | None = None,
        computer: str | None = None,
        passes: str = ANY_TURN,
        hands: app_commands.Range[int, 1, 500] | None = None,
        pace: TimeControl | None = None,
        rated: bool = True,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """Challenge someone to Prize Dominoes: collect every number from 0 to 6."""
        proposal = Proposal(
            game=PRIZE.key,
            options=options_from(passes, hands),
            opponents=() if opponent is None else (opponent,),
            seats=2,
            time_control=pace,
            rated=rated,
            computer=computer,
        )
        await self.services.challenges.challenge(interaction, proposal)
