"""`/watch`: the matches of a server, to join, follow or look at."""

from functools import partial

import discord
from discord import app_commands

from bot.client import Facedown, Interaction
from bot.errors import showing_saved
from bot.interactions.choices import TITLES, choices_of
from bot.interactions.cog import ActCog, act, shown_after
from bot.interactions.contexts import in_servers
from bot.matches.watching import WatchQuery, query_of
from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.messaging.known_servers import must_know_server
from bot.messaging.permissions import can_see
from bot.rendering.watch_list import MENU, parse_query, watch_list_content


class Watch(ActCog):
    @app_commands.command()
    @in_servers
    @app_commands.describe(
        game="Only matches of this game; default: all games",
        user="Only matches this person plays in; default: everyone's",
    )
    @app_commands.choices(game=choices_of(TITLES))
    async def watch(
        self,
        interaction: Interaction,
        game: str | None = None,
        user: discord.User | None = None,
    ) -> None:
        """See the matches in this server, or one person's: take an open seat, or follow one."""
        content = await self._content(interaction, query_of(user, game), 0)
        await self.services.delivery.answer_privately(interaction, content)

    @act("watch")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        await self._show(interaction, press)

    @act("takeseat")
    async def join(self, interaction: Interaction, press: Press) -> None:
        """Take an open seat from the list; the table is updated as after a click on it."""
        _must_be_shown_again(interaction, press)
        await self.services.watching.must_be_seen(
            press.match, interaction.guild_id or 0, partial(can_see, interaction)
        )
        async with shown_after(partial(self._show, interaction, press)):
            await self.services.listed_challenges.join(press.match, interaction)

    @act("takeup")
    async def accept(self, interaction: Interaction, press: Press) -> None:
        _must_be_shown_again(interaction, press)
        async with shown_after(partial(self._show, interaction, press)):
            await self.services.listed_challenges.accept(press.match, interaction)

    @act("turndown")
    async def decline(self, interaction: Interaction, press: Press) -> None:
        _must_be_shown_again(interaction, press)
        async with shown_after(partial(self._show, interaction, press)):
            await self.services.listed_challenges.decline(press.match, interaction)

    @act("follow")
    async def follow(self, interaction: Interaction, press: Press) -> None:
        _must_be_shown_again(interaction, press)
        await self.services.watching.follow(
            press.match,
            interaction.user.id,
            interaction.guild_id or 0,
            partial(can_see, interaction),
        )
        with showing_saved():
            await self._show(interaction, press)

    @act("unfollow")
    async def stop(self, interaction: Interaction, press: Press) -> None:
        _must_be_shown_again(interaction, press)
        await self.services.watching.stop(press.match, interaction.user.id)
        with showing_saved():
            await self._show(interaction, press)

    async def _show(self, interaction: Interaction, press: Press) -> None:
        """Update the message that has the button: the list, or the menu of a match."""
        if press.arg == MENU:
            content = await self.match_menu(press.match, interaction.user.id)
        else:
            content = await self._content(interaction, parse_query(press.arg), press.step)
        await self.services.delivery.answer_in_place(interaction, content)

    async def _content(
        self, interaction: Interaction, query: WatchQuery, number: int
    ) -> MessageContent:
        must_know_server(interaction)
        page = await self.services.watching.page(
            interaction.guild_id or 0,
            interaction.user.id,
            partial(can_see, interaction),
            query=query,
            number=number,
        )
        return watch_list_content(page, self.services.presentations)


def _must_be_shown_again(interaction: Interaction, press: Press) -> None:
    """NotAllowedHereError, before an act, if the list couldn't be shown after it."""
    if press.arg != MENU:
        must_know_server(interaction)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Watch(bot))
