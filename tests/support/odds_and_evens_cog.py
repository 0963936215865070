"""The sixth game in Discord: its presentation and its command, as a package of `cogs/` has them."""

import discord
from discord import app_commands

from bot.client import Interaction
from bot.drawing.canvas import Canvas
from bot.drawing.seats import MARKS
from bot.interactions.cog import GameCog
from bot.interactions.play_options import usual_options, wants_taps
from bot.matches.proposal import Proposal
from bot.messaging.content import Picture
from bot.messaging.first_answer import PUBLIC
from bot.rendering.presentation import Choice, ManualPage, Presentation
from bot.storage import TimeControl
from tests.support.odds_and_evens import ODDS


def draw(view):
    canvas = Canvas(200, 100)
    canvas.text(canvas.area, " + ".join(map(str, view.shown)) or "?", size=40)
    return canvas.png()


class OddsPresentation(Presentation):
    manual = (ManualPage("How to play", "Both show fingers; an odd sum wins for seat 1.", None),)
    marks = MARKS

    def variant(self, options):
        return f"up to {options.most} fingers"

    def headline(self, view):
        return "Show your fingers"

    def story(self, view, names):
        shown = zip(names, view.shown, strict=False)
        return ", ".join(f"{name} shows {n}" for name, n in shown) or "Nobody has shown any."

    def score(self, snapshot, names):
        return f"Odd: {names[0]}, even: {names[1]}"

    def result(self, view, names):
        return f"**{names[view.outcome.ranks.index(1)]} wins**"

    def question(self, snapshot, draft):
        return "**How many fingers?**"

    def controls(self, snapshot, draft):
        return [tuple(_choice(move.number) for move in snapshot.legal)]

    def taps(self, snapshot):
        fingers = tuple(_choice(n + 1) for n in range(snapshot.options.most))
        return [fingers, fingers]

    def picture(self, snapshot, draft):
        alt = f"Fingers: {snapshot.view.shown or 'hidden'}."
        return Picture(name="odds", draw=draw, subject=snapshot.view, alt=alt)


def _choice(number):
    return Choice(label=str(number), move=str(number))


@app_commands.guild_only()
class OddsCog(GameCog, group_name=ODDS.key, group_description="Odds and Evens, a game of fingers"):
    game = ODDS.key
    presentation = OddsPresentation()

    @app_commands.command(extras=PUBLIC)
    @app_commands.describe(opponent="Whom you challenge")
    @usual_options(ODDS.key)
    async def play(
        self,
        interaction: Interaction,
        opponent: discord.Member | None = None,
        pace: TimeControl | None = None,
        hand: str | None = None,
        rated: bool = True,
    ) -> None:
        """Challenge somebody to Odds and Evens."""
        proposal = Proposal(
            game=ODDS.key,
            options=ODDS.presets["standard"],
            opponents=() if opponent is None else (opponent,),
            seats=2,
            time_control=pace,
            tap=wants_taps(hand),
            rated=rated,
        )
        await self.services.challenges.challenge(interaction, proposal)


async def setup(bot):
    await bot.add_cog(OddsCog(bot))
