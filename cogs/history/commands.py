"""`/history`, its buttons and its menus."""

import discord
from discord import app_commands

from bot.client import Interaction
from bot.interactions.choices import TITLES, choices_of
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.messaging.components import Press, id_in
from bot.messaging.content import MessageContent
from bot.messaging.first_answer import PUBLIC, Deferral
from bot.messaging.installs import server_of
from bot.stats.match_history import Query, query_of
from bot.stats.visibility import Audience
from bot.storage import MatchId
from cogs.history.content import finished_match_content, history_content


class History(ActCog):
    @app_commands.command(extras=PUBLIC)
    @anywhere
    @app_commands.describe(
        user="Whose matches; default: yours",
        game="Which game; default: all of them",
        private="Show the answer only to you; default: everyone here sees it",
    )
    @app_commands.choices(game=choices_of(TITLES))
    async def history(
        self,
        interaction: Interaction,
        user: discord.User | None = None,
        game: str | None = None,
        private: bool = False,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """See the matches someone has finished, with replay and export."""
        query = query_of(interaction.user.id, user, game)
        audiences = self.services.visibility
        audience = await audiences.of_command(interaction, [query.user], private=private)
        content = await self._content(query, audience)
        await self.services.delivery.answer_for(interaction, content, private=audience.private)

    @act("history")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        query = Query.parse(press.arg)
        audience = await self.services.visibility.of_click(interaction, [query.user])
        await self.services.delivery.answer_in_place(
            interaction, await self._content(query, audience)
        )

    @act("again", Deferral.PRIVATE)
    async def again(self, interaction: Interaction, press: Press) -> None:
        user, guild = interaction.user.id, server_of(interaction)
        snapshot, table = await self.services.match_histories.ended_match(
            MatchId(id_in(press.arg)), user=user, guild=guild
        )
        content = finished_match_content(
            snapshot, self.services.presentations[snapshot.game], table
        )
        await self.services.delivery.answer_privately(interaction, content)

    async def _content(self, query: Query, audience: Audience) -> MessageContent:
        page = await self.services.match_histories.page(query, audience.guild)
        guilds = (entry.record.match.guild for entry in page.entries if page.guild is None)
        name = await self.services.server_names.of(guild for guild in guilds if guild is not None)
        return history_content(page, self.services.presentations, name)
