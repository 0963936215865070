"""`/privacy`: what is kept about me, all of it as a file, gone, or on no leaderboard."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import Facedown
from bot.errors import ButtonError
from bot.interactions.cog import ActCog, act
from bot.messaging.components import Button, Link, Press
from bot.messaging.content import MessageContent
from bot.storage import MatchId
from bot.storage.personal_data import Holdings
from bot.text import counted, listed

Interaction = discord.Interaction[Facedown]

COLOR: Final = 0x5865F2
DANGER: Final = 0xE74C3C

POLICY: Final = (
    "### What I keep about you, and what not\n"
    "**Kept**, in one database of whoever runs this bot: the ids that Discord gives (of you, and "
    "of the servers, channels and messages where you play); your matches, moves, results and "
    "ratings; what you have chosen with commands like `/preferences`, `/notify` and `/block`; "
    "where our direct messages are.\n"
    "**Not kept**: names, pictures, messages that people write, who is in a server or online.\n"
    "**Secret** moves and hands are shown to nobody else before they are revealed, and stand in no "
    "log.\n"
    "**Seen by**: those who can read the channel of a match; a server's leaderboard, "
    "`/stats` and `/history` by its members. Nobody else gets anything.\n"
    "**How long**: until you delete it. A server that removes me is forgotten after 30 days. "
    "Backups of whoever runs this bot may hold it for longer.\n"
    "**Your rights**: `/privacy export` sends you everything, `/privacy delete` deletes it, "
    "`/privacy visibility` keeps you off all leaderboards, and your `/stats` and `/history` to "
    "yourself."
)
NOTHING: Final = MessageContent(
    head="### Nothing is kept about you\nYou have no match, no rating and no setting with me.",
    color=COLOR,
)
KEPT: Final = MessageContent(head="### Nothing was deleted\nAll is as it was.", color=COLOR)
DELETED: Final = MessageContent(
    head="### Deleted\nI keep nothing about you any more. Matches that have ended name a former "
    "player, and nothing leads from him to you; the others keep their results and ratings. "
    "Messages in channels are their servers' own: older ones may still mention you.\n"
    "If you play again, you begin as somebody new.",
    color=COLOR,
)


def policy_content(url: str | None) -> MessageContent:
    """The policy in short, with the way to all of it."""
    links = () if url is None else ((Link(label="The whole policy", url=url),),)
    return MessageContent(head=POLICY, rows=links, color=COLOR)


def question(held: Holdings) -> MessageContent:
    """What is asked first, with all that will be gone."""
    if not held.any:
        return NOTHING
    return MessageContent(
        head="### Delete everything I keep about you?\n" + "\n".join(_consequences(held)),
        foot="-# `/privacy export` sends you everything first, if you want it.",
        rows=((_button("Delete…", "ask", danger=True), _button("Keep everything", "keep")),),
        color=DANGER,
    )


def last_question(held: Holdings) -> MessageContent:
    """What is asked a second time."""
    if not held.any:
        return NOTHING
    lost = f" You lose {counted(held.running, 'match', 'matches')} at once." if held.running else ""
    return MessageContent(
        head=f"### Are you sure?\nNobody can undo this, not even whoever runs this bot.{lost}",
        rows=((_button("Delete it for good", "sure", danger=True), _button("Keep it", "keep")),),
        color=DANGER,
    )


def visibility(*, hidden: bool) -> str:
    """Whether somebody is on leaderboards, to themselves."""
    if hidden:
        return (
            "You are **hidden**: no leaderboard of any server names you. Nobody but you "
            "sees your `/stats` and `/history`. Your ratings go on; "
            "`/privacy visibility` shows you again."
        )
    return (
        "You are **shown**: leaderboards of servers where you have finished rated matches name "
        "you, and their members can see your `/stats` and `/history` there."
    )


def _consequences(held: Holdings) -> list[str]:
    lines = []
    if held.running:
        running = counted(held.running, "running match", "running matches")
        lines.append(f"- You resign from {running}.")
    if held.open:
        what = counted(held.open, "open challenge")
        lines.append(f"- {what} that you made or sit at: withdrawn, declined or left.")
    if held.ended:
        ended = counted(held.ended, "match", "matches")
        lines.append(f"- {ended} that ended: there you are a former player, with a number of its")
        lines[-1] += " own that nothing leads back from. The others keep their results."
    gone = [
        words
        for kept, words in (
            (held.ratings, counted(held.ratings, "rating")),
            (held.blocked, "your list of blocked people"),
            (held.chosen, "what you have chosen"),
        )
        if kept
    ]
    if gone:
        lines.append(f"- Gone: {listed(gone)}.")
    if held.blocked:
        lines.append("- Whom you have blocked can challenge you again, if you play again.")
    return lines


def _button(label: str, what: str, *, danger: bool = False) -> Button:
    press = Press(MatchId(0), 0, "erase", what)
    return Button(label=label, press=press, style="danger" if danger else "secondary")


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class Privacy(
    ActCog,
    commands.GroupCog,
    group_name="privacy",
    group_description="What I keep about you: see it, have it, delete it",
):
    @app_commands.command()
    async def policy(self, interaction: Interaction) -> None:
        """See in short what I keep about you, who sees it and for how long."""
        content = policy_content(self.services.data_export.policy_url)
        await self.services.delivery.answer_privately(interaction, content)

    @app_commands.command()
    async def export(self, interaction: Interaction) -> None:
        """Get everything I keep about you as a file, by direct message."""
        await self.services.data_export.export(interaction)

    @app_commands.command()
    async def delete(self, interaction: Interaction) -> None:
        """Delete everything I keep about you; I ask twice before."""
        held = await self.services.data_export.holdings(interaction.user.id)
        await self.services.delivery.answer_privately(interaction, question(held))

    @app_commands.command()
    @app_commands.describe(leaderboards="Whether leaderboards name you; without a word: as it is")
    @app_commands.choices(
        leaderboards=[
            app_commands.Choice(name="Show me", value=0),
            app_commands.Choice(name="Hide me", value=1),
        ]
    )
    async def visibility(self, interaction: Interaction, leaderboards: int | None = None) -> None:
        """See or choose whether leaderboards name you."""
        if leaderboards is not None:
            await self.services.data_export.hide(interaction.user.id, hidden=leaderboards == 1)
        hidden = await self.services.data_export.is_hidden(interaction.user.id)
        await self.services.delivery.answer_with_words(interaction, visibility(hidden=hidden))

    @act("erase")
    async def erase(self, interaction: Interaction, press: Press) -> None:
        match press.arg:
            case "ask":
                held = await self.services.data_export.holdings(interaction.user.id)
                await self.services.delivery.answer_in_place(interaction, last_question(held))
            case "keep":
                await self.services.delivery.answer_in_place(interaction, KEPT)
            case "sure":
                await self.services.erasure.carry_out(interaction, DELETED)
            case _:
                raise ButtonError("I don't know this button; use `/privacy delete` again.")


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Privacy(bot))
