"""`/stats`, and its buttons and menus."""

from collections.abc import Iterable

import discord
from discord import app_commands

from bot.client import Interaction
from bot.interactions.choices import TITLES, choices_of
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.messaging.first_answer import PUBLIC
from bot.settings.guilds import ServerName
from bot.stats.profiles import Query, query_of
from bot.stats.visibility import Audience
from cogs.stats.profile_content import profile_content
from cogs.stats.rivalry_content import rivalry_content


class Stats(ActCog):
    @app_commands.command(extras=PUBLIC)
    @anywhere
    @app_commands.describe(
        user="Whose statistics; default: yours",
        game="Which game; default: all of them",
        versus="Only matches against this person",
        private="Show the answer only to you; default: everyone here sees it",
    )
    @app_commands.choices(game=choices_of(TITLES))
    async def stats(
        self,
        interaction: Interaction,
        user: discord.User | None = None,
        game: str | None = None,
        versus: discord.User | None = None,
        private: bool = False,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """See someone's matches, streaks, opponents and rating over time."""
        me = interaction.user.id
        words = await self.services.preferences.wants_words(me)
        query = query_of(me, user, game, versus, words=words)
        audiences = self.services.visibility
        audience = await audiences.of_command(interaction, query.people, private=private)
        content = await self._content(query, audience, 0)
        await self.services.delivery.answer_for(interaction, content, private=audience.private)

    @act("stats")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        query = Query.parse(press.arg, user=interaction.user.id)
        audience = await self.services.visibility.of_click(interaction, query.people)
        content = await self._content(query, audience, press.step)
        await self.services.delivery.answer_in_place(interaction, content)

    async def _content(self, query: Query, audience: Audience, page: int) -> MessageContent:
        statistics = self.services.profiles
        if query.rival:
            rivalry = await statistics.rivalry(query, audience)
            return rivalry_content(rivalry, await self._names(query, rivalry.servers))
        profile = await statistics.profile(query, audience, page)
        name = await self._names(query, profile.servers)
        content = profile_content(profile, self.services.presentations, name)
        return content.in_words() if query.words else content

    async def _names(self, query: Query, servers: Iterable[int]) -> ServerName:
        chosen = () if query.server is None else (query.server,)
        return await self.services.server_names.of((*chosen, *servers))
