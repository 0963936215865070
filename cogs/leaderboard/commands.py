"""`/leaderboard`, and its buttons and menus."""

from dataclasses import replace
from typing import Final

from discord import app_commands

from bot.client import Interaction
from bot.errors import MatchError
from bot.interactions.choices import MAX_CHOICES, TITLES, choices_of
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import in_servers
from bot.messaging.components import Press
from bot.messaging.content import MessageContent
from bot.messaging.first_answer import PUBLIC, Deferral
from bot.stats.leaderboards import PERIODS, Query
from cogs.leaderboard.computer_ladder import ladder_content
from cogs.leaderboard.content import board_content, overview_content
from cogs.leaderboard.puzzles import PUZZLE, solvers_content

ONE_LIST: Final = (
    "The daily puzzle has only an all-time leaderboard. Leave out `period`, `season` and `ladder`."
)
ONE_TIME: Final = "A season is its own period. Choose `period` or `season`, not both."


class Leaderboard(ActCog):
    @app_commands.command(extras=PUBLIC)
    @in_servers
    @app_commands.describe(
        game="Which game, or the daily puzzle; default: the best of each",
        period="Since when; default: all time",
        season="A past season, by name",
        ladder="Rated matches between people, or matches against computers; default: people",
    )
    @app_commands.choices(
        game=choices_of({**TITLES, PUZZLE: "Daily puzzle"}),
        period=choices_of(PERIODS),
        ladder=choices_of({"people": "Between people", "computers": "Against computers"}),
    )
    async def leaderboard(
        self,
        interaction: Interaction,
        game: str | None = None,
        period: str = "all",
        season: str | None = None,
        ladder: str = "people",
    ) -> None:
        """See who is best in this server."""
        if game == PUZZLE:
            if season is not None or (period, ladder) != ("all", "people"):
                raise MatchError(ONE_LIST)
            content = await self._solvers(interaction, 0)
            await self.services.delivery.answer_publicly(interaction, content)
            return
        if season is not None:
            if period != "all":
                raise MatchError(ONE_TIME)
            named = await self.services.seasons.by_name(interaction.guild_id or 0, season)
            period = f"s{named.id}"
        words = await self.services.preferences.wants_words(interaction.user.id)
        query = Query(game=game, period=period, computers=ladder == "computers", words=words)
        content = await self._content(interaction, query, 0)
        await self.services.delivery.answer_publicly(interaction, content)

    @leaderboard.autocomplete("season")
    async def complete_season(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        seasons = await self.services.seasons.of(interaction.guild_id or 0)
        fitting = [season.name for season in seasons if typed.casefold() in season.name.casefold()]
        return choices_of({name: name for name in fitting[:MAX_CHOICES]})

    @act("board")
    async def turn(self, interaction: Interaction, press: Press) -> None:
        content = await self._content(interaction, Query.parse(press.arg), press.step)
        await self.services.delivery.answer_in_place(interaction, content)

    @act("openboard", Deferral.PRIVATE)
    async def open(self, interaction: Interaction, press: Press) -> None:
        """Show a leaderboard in a private message, from the button of a public one."""
        content = await self._content(interaction, Query.parse(press.arg), press.step)
        await self.services.delivery.answer_privately(interaction, content)

    @act("solvers")
    async def turn_solvers(self, interaction: Interaction, press: Press) -> None:
        content = await self._solvers(interaction, press.step)
        await self.services.delivery.answer_in_place(interaction, content)

    async def _solvers(self, interaction: Interaction, number: int) -> MessageContent:
        guild, me = interaction.guild_id or 0, interaction.user.id
        return solvers_content(await self.services.puzzles.solvers(guild, number, me))

    async def _content(self, interaction: Interaction, query: Query, number: int) -> MessageContent:
        guild, me = interaction.guild_id or 0, interaction.user.id
        if query.computers:
            ladder = await self.services.leaderboards.ladder(guild, query, number, me)
            return ladder_content(ladder)
        if query.game is None:
            overview = await self.services.leaderboards.overview(guild, query, me)
            return overview_content(overview)
        board = await self.services.leaderboards.board(guild, query, number, me)
        content = board_content(board)
        return replace(content, picture=None) if query.words else content
