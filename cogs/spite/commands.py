"""The slash commands of Spite and Malice."""

from discord import app_commands

from bot.client import Interaction
from bot.interactions.choices import choices_of
from bot.interactions.cog import GameCog
from bot.interactions.contexts import anywhere
from bot.interactions.play_options import Opponent, usual_options
from bot.matches.proposal import Proposal
from bot.messaging.first_answer import PUBLIC
from bot.storage import TimeControl
from cogs.spite.options import FORCED, FOUNDATIONS, JOKERS, SCORING, VARIANTS, options_from
from cogs.spite.presentation import SpitePresentation
from games.spite import SPITE


@anywhere
class SpiteAndMalice(
    GameCog, group_name=SPITE.key, group_description="Spite and Malice, a race to empty your stock"
):
    game = SPITE.key
    presentation = SpitePresentation()

    @app_commands.command(extras=PUBLIC)
    @app_commands.describe(
        opponent="Who you challenge; leave it empty and anyone can join",
        variant="How long a game is; default: stocks of 26",
        stock="Cards in each stock, if none of the variants suits you",
        foundations="How many foundations there can be at a time; default: any number",
        forced="What you must play whenever you can; default: nothing",
        jokers="What's wild; default: kings, with no jokers",
        strict_draw="Whether you must press a button to draw, or miss out; default: no",
        scoring="One game or a series; default: one game",
        target="What wins a series: games (default: 3), or 25, 50 or 100 points",
        turn_limit="The most turns before the stocks decide a game; default: 500",
        game_limit="The most games in a series; default: 50",
    )
    @usual_options(SPITE.key)
    @app_commands.choices(
        variant=choices_of(VARIANTS),
        forced=choices_of(FORCED),
        jokers=choices_of(JOKERS),
        scoring=choices_of(SCORING),
    )
    @app_commands.choices(foundations=choices_of(FOUNDATIONS))
    async def play(  # noqa: PLR0913, PLR0917 - the options of a slash command are its parameters
        self,
        interaction: Interaction,
        opponent: Opponent | None = None,
        computer: str | None = None,
        variant: str | None = None,
        stock: app_commands.Range[int, 1, 26] | None = None,
        foundations: int | None = None,
        forced: str | None = None,
        jokers: str | None = None,
        strict_draw: bool | None = None,  # noqa: FBT001 - an option of the command
        scoring: str | None = None,
        target: app_commands.Range[int, 1, 100] | None = None,
        turn_limit: app_commands.Range[int, 1, 5000] | None = None,
        game_limit: app_commands.Range[int, 1, 500] | None = None,
        pace: TimeControl | None = None,
        rated: bool = True,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """Challenge someone to Spite and Malice: be the first to play all of your stock."""
        options = options_from(
            variant,
            stock=stock,
            foundations=foundations,
            forced=forced,
            jokers=jokers,
            strict_draw=strict_draw,
            scoring=scoring,
            target=target,
            turn_limit=turn_limit,
            game_limit=game_limit,
        )
        proposal = Proposal(
            game=SPITE.key,
            options=options,
            opponents=() if opponent is None else (opponent,),
            seats=2,
            time_control=pace,
            rated=rated,
            computer=computer,
        )
        await self.services.challenges.challenge(interaction, proposal)
