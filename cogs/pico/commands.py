"""The slash commands of Pico."""

from discord import app_commands

from bot.client import Interaction
from bot.interactions.choices import choices_of
from bot.interactions.cog import GameCog
from bot.interactions.contexts import anywhere
from bot.interactions.play_options import Opponent, usual_options, wants_taps
from bot.matches.proposal import Proposal
from bot.messaging.first_answer import PUBLIC
from bot.storage import TimeControl
from cogs.pico.options import VARIANTS, options_from
from cogs.pico.presentation import PicoPresentation
from games.pico import DECKS, PICO


@anywhere
class Pico(GameCog, group_name=PICO.key, group_description="Pico, a duel of cards"):
    game = PICO.key
    presentation = PicoPresentation()

    @app_commands.command(extras=PUBLIC)
    @app_commands.describe(
        opponent="Who you challenge; leave it empty and anyone can join",
        second_opponent="A third player, for the variants with three",
        variant="Which cards; default: 13 cards for two, Pico I for three",
    )
    @usual_options(PICO.key)
    @app_commands.choices(
        variant=choices_of(VARIANTS),
    )
    async def play(  # noqa: PLR0913, PLR0917 - the options of a slash command are its parameters
        self,
        interaction: Interaction,
        opponent: Opponent | None = None,
        computer: str | None = None,
        second_opponent: Opponent | None = None,
        variant: str | None = None,
        pace: TimeControl | None = None,
        hand: str | None = None,
        rated: bool = True,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """Challenge someone to Pico: the higher card wins, unless it's more than twice as high."""
        opponents = tuple(person for person in (opponent, second_opponent) if person is not None)
        options = options_from(variant, len(opponents) + (computer is not None))
        proposal = Proposal(
            game=PICO.key,
            options=options,
            opponents=opponents,
            seats=max(1 + len(opponents), DECKS[options.deck].seats),
            time_control=pace,
            tap=wants_taps(hand),
            rated=rated,
            computer=computer,
        )
        await self.services.challenges.challenge(interaction, proposal)
