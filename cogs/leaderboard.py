"""`/leaderboard`: who has won most matches of a game in this server."""

from collections.abc import Sequence
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.buttons import Button, Press
from bot.client import Facedown
from bot.errors import ButtonError
from bot.manual import NO_MATCH
from bot.sheets import Sheet
from bot.storage import StandingRecord
from games import GAMES

Interaction = discord.Interaction[Facedown]

PLAYED: Final = ("pico", "duel", "conquest", "prize", "spite")
"""The games that have a cog, in the order they are offered."""

PER_PAGE: Final = 10
GOLD: Final = 0xF1C40F
MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}


def board_sheet(game: str, standings: Sequence[StandingRecord], page: int) -> Sheet:
    """A page of the leaderboard, from 0; a page beyond the end shows the last one."""
    title = f"### Leaderboard · {GAMES[game].title}"
    if not standings:
        return Sheet(
            head=f"{title}\nNobody has finished a match of {GAMES[game].title} here yet. "
            f"Start one with `/{game} play`.",
            color=GOLD,
        )
    last = (len(standings) - 1) // PER_PAGE
    page = min(page, last)
    lines = [_line(s) for s in standings[page * PER_PAGE : (page + 1) * PER_PAGE]]
    turns = [("◀ Better", page - 1)] * (page > 0) + [("Further ▶", page + 1)] * (page < last)
    buttons = tuple(
        Button(label=label, press=Press(NO_MATCH, to, "board", game)) for label, to in turns
    )
    pages = f" · page {page + 1} of {last + 1}" if last else ""
    return Sheet(
        head=f"{title}\n" + "\n".join(lines),
        foot=f"-# Wins, then draws, then fewer losses decide the place{pages}.",
        rows=(buttons,) if buttons else (),
        color=GOLD,
    )


def _line(standing: StandingRecord) -> str:
    place = MEDALS.get(standing.place, f"**{standing.place}.**")
    record = ", ".join(
        (
            _count(standing.won, "win", "wins"),
            _count(standing.drawn, "draw", "draws"),
            _count(standing.lost, "loss", "losses"),
        )
    )
    return f"{place} <@{standing.user}> · {record}"


def _count(n: int, one: str, many: str) -> str:
    return f"{n} {one if n == 1 else many}"


class Leaderboard(commands.Cog):
    def __init__(self, bot: Facedown) -> None:
        self.bot = bot

    async def cog_load(self) -> None:
        self.bot.clicks.add("board", self.turn)

    async def cog_unload(self) -> None:
        self.bot.clicks.remove("board")

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(game="Which game")
    @app_commands.choices(
        game=[app_commands.Choice(name=GAMES[key].title, value=key) for key in PLAYED]
    )
    async def leaderboard(self, interaction: Interaction, game: str) -> None:
        """See who has won most in this server."""
        standings = await self.bot.storage.leaderboard(interaction.guild_id or 0, game)
        await self.bot.delivery.answer(interaction, board_sheet(game, standings, 0))

    async def turn(self, interaction: Interaction, press: Press) -> None:
        if press.arg not in PLAYED:
            raise ButtonError("There is no such leaderboard; open one with the command.")
        standings = await self.bot.storage.leaderboard(interaction.guild_id or 0, press.arg)
        sheet = board_sheet(press.arg, standings, press.step)
        await self.bot.delivery.answer_in_place(interaction, sheet)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Leaderboard(bot))
