"""The slash commands of Divide & Conquer (board)."""

from discord import app_commands

from bot.client import Interaction
from bot.interactions.autocomplete import channel_named
from bot.interactions.choices import MAX_CHOICES, choices_of
from bot.interactions.cog import GameCog, act
from bot.interactions.contexts import anywhere
from bot.interactions.play_options import Opponent, usual_options
from bot.matches import SeatSnapshot
from bot.matches.proposal import Proposal
from bot.messaging.components import Press
from bot.messaging.first_answer import PUBLIC
from bot.storage import TimeControl
from cogs.conquest.autocomplete import completions
from cogs.conquest.drafts import SIGNAL
from cogs.conquest.options import EQUAL, GOAL, PLAYERS, REINFORCE, options_from, seats_for
from cogs.conquest.presentation import ConquestPresentation
from cogs.conquest.text import called
from games.conquest import CONQUEST


@anywhere
class DivideAndConquer(
    GameCog, group_name=CONQUEST.key, group_description="Divide & Conquer, a board war"
):
    game = CONQUEST.key
    presentation = ConquestPresentation()

    @act(SIGNAL)
    async def point(self, interaction: Interaction, press: Press) -> None:
        """Store a signal that was chosen in a hand, and keep the draft that follows it."""
        user = interaction.user.id
        ahead, _, draft = press.arg.partition(" ")
        effect = await self.services.signals.point(press.match, user, ahead)
        await self.services.replies.answer_choice(effect, user, interaction, draft)

    @app_commands.command(extras=PUBLIC)
    @app_commands.describe(
        opponent="Who you challenge; seats you don't name are open to anyone",
        second_opponent="A third player",
        third_opponent="A fourth player",
        players="How many players, including you; default: you and everyone you name",
        equal="What happens when equal numbers meet; default: all are lost",
        reinforce="How troops come back from the bank; default: one player at a time",
        redeployment="Whether troops can return to headquarters instead of reinforcing; "
        "default: no",
        signal="Whether players can publicly point at who they think is ahead; default: no",
        goal="With 2 players, what a team needs to win; default: all objectives of one battalion",
        turn_limit="The most turns before objectives and troops decide; default: 100",
    )
    @usual_options(CONQUEST.key)
    @app_commands.choices(players=choices_of(PLAYERS))
    @app_commands.choices(
        equal=choices_of(EQUAL), reinforce=choices_of(REINFORCE), goal=choices_of(GOAL)
    )
    async def play(  # noqa: PLR0913, PLR0917 - the options of a slash command are its parameters
        self,
        interaction: Interaction,
        opponent: Opponent | None = None,
        computer: str | None = None,
        second_opponent: Opponent | None = None,
        third_opponent: Opponent | None = None,
        players: int | None = None,
        equal: str | None = None,
        reinforce: str | None = None,
        redeployment: bool | None = None,  # noqa: FBT001 - an option of the command
        signal: bool | None = None,  # noqa: FBT001 - an option of the command
        goal: str | None = None,
        turn_limit: app_commands.Range[int, 1, 1000] | None = None,
        pace: TimeControl | None = None,
        rated: bool = True,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """Challenge up to three others to a war of secret orders on a ten-by-ten board."""
        named = (opponent, second_opponent, third_opponent)
        opponents = tuple(member for member in named if member is not None)
        seats = seats_for(players, len(opponents), computer=computer is not None)
        options = options_from(
            seats,
            equal=equal,
            reinforce=reinforce,
            redeployment=redeployment,
            signal=signal,
            goal=goal,
            turn_limit=turn_limit,
        )
        proposal = Proposal(
            game=CONQUEST.key,
            options=options,
            opponents=opponents,
            seats=seats,
            time_control=pace,
            rated=rated,
            computer=computer,
        )
        await self.services.challenges.challenge(interaction, proposal)

    @app_commands.command()
    @app_commands.describe(
        order="Like E5-9-D4, pass, fight or +E5; for two battalions: E5-9-D4 / pass",
        match="Which match, if several are waiting for you; the Menu at its table has its number",
    )
    async def order(self, interaction: Interaction, order: str, match: int | None = None) -> None:
        """Write your orders in one line; only you can see it."""
        await self.services.typed_moves.give(interaction, self.game, match, order)

    @order.autocomplete("order")
    async def complete_order(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        snapshot = await self.services.typed_moves.typed(
            interaction, self.game, interaction.namespace.match
        )
        choices = [] if snapshot is None else completions(snapshot.view, snapshot.legal, typed)
        return [app_commands.Choice(name=label, value=text) for label, text in choices]

    @order.autocomplete("match")
    async def complete_match(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[int]]:
        del typed
        snapshots = await self.services.typed_moves.awaited(interaction, self.game)
        return [
            app_commands.Choice(name=self._called(interaction, snapshot), value=snapshot.match)
            for snapshot in snapshots[:MAX_CHOICES]
        ]

    def _called(self, interaction: Interaction, snapshot: SeatSnapshot) -> str:
        """A match with its channel, and in direct messages also its server.

        Without both if another process has the server.
        """
        guild = None if snapshot.guild is None else self.bot.get_guild(snapshot.guild)
        place = channel_named(guild, snapshot.channel)
        if guild is not None and interaction.guild_id is None:
            place += f" · {guild.name}"
        return called(snapshot.match, snapshot.view, place)
