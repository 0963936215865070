"""The slash command and its buttons and menus."""

from functools import partial

import discord
from discord import app_commands

from bot.client import Facedown
from bot.interactions.cog import ActCog, act
from bot.messaging.components import Press
from bot.messaging.content import Sheet
from bot.settings.guilds import server_name
from bot.stats.profiles import Wish, wish_of
from bot.stats.visibility import Audience
from cogs.stats.profiles import profile_sheet
from cogs.stats.rivalries import rivalry_sheet
from games import GAMES

Interaction = discord.Interaction[Facedown]


class Stats(ActCog):
    @app_commands.command()
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    @app_commands.describe(
        user="Whose; without a name: your own",
        game="Which game; without a word: all of them",
        versus="Only matches against this person",
        private="Show the answer to you only; without a word: everybody here sees it",
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=game.title, value=key) for key, game in GAMES.items()]
    )
    async def stats(
        self,
        interaction: Interaction,
        user: discord.User | None = None,
        game: str | None = None,
        versus: discord.User | None = None,
        private: bool = False,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """See somebody's matches, streaks, opponents and rating over time."""
        me = interaction.user.id
        words = await self.bot.preferences.wants_words(me)
        wish = wish_of(me, user, game, versus, words=words)
        audiences = self.bot.audiences
        audience = await audiences.of_command(interaction, wish.people, private=private)
        sheet = await self._sheet(wish, audience, 0)
        await self.bot.delivery.answer_for(interaction, sheet, private=audience.private)

    @act("stats")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        wish = Wish.parse(press.arg, user=interaction.user.id)
        audience = await self.bot.audiences.of_click(interaction, wish.people)
        sheet = await self._sheet(wish, audience, press.step)
        await self.bot.delivery.answer_in_place(interaction, sheet)

    async def _sheet(self, wish: Wish, audience: Audience, page: int) -> Sheet:
        statistics, name = self.bot.statistics, partial(server_name, self.bot)
        if wish.rival:
            return rivalry_sheet(await statistics.rivalry(wish, audience), name)
        profile = await statistics.profile(wish, audience, page)
        sheet = profile_sheet(profile, self.bot.presentations, name)
        return sheet.in_words() if wish.words else sheet
