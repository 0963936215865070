"""`/privacy`: what is stored about a user; get it, delete it, or hide from leaderboards."""

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.client import Facedown, Interaction
from bot.errors import ButtonError
from bot.interactions.choices import choices_of
from bot.interactions.cog import ActCog, act
from bot.interactions.contexts import anywhere
from bot.messaging.components import Button, Link, Press
from bot.messaging.content import MessageContent
from bot.rendering.colors import BLURPLE
from bot.rendering.phrases import NO_MATCH, timestamp
from bot.storage.personal_data import Holdings
from bot.text import counted, listed

DANGER: Final = 0xE74C3C

POLICY: Final = (
    "### What I keep about you, and what I don't\n"
    "**Kept**, in one database run by the bot's owner: Discord ids (yours, and those of the "
    "servers, channels and messages where you play); your matches, moves, results, ratings, "
    "answers to puzzles and what you shared; how far you are in lessons; what you chose with "
    "commands like `/preferences`, `/notify` and `/block`; where our direct messages are.\n"
    "**Not kept**: names, profile pictures, messages people write, who is in a server or online.\n"
    "**Secrets**: nobody else sees a hidden hand or a choice until it's revealed, and none is ever "
    "logged.\n"
    "**Who sees it**: anyone who can read a match's channel sees the match; members of a server "
    "see its leaderboards, `/stats` and `/history`. Posts there can name you: puzzle streaks, the "
    "weekly digest, first places of a season. Nobody else gets anything.\n"
    "**How long**: until you delete it. If a server removes me, I forget it after 30 days. The "
    "owner's backups may keep it longer.\n"
    "**Your rights**: `/privacy export` sends you everything, `/privacy delete` deletes it, and "
    "`/privacy visibility` keeps you off leaderboards and out of those posts, and hides your "
    "`/stats` and `/history`."
)
NOTHING: Final = "You have no matches, ratings or settings with me."
NOTHING_DELETED: Final = MessageContent(
    head="### Nothing was deleted\nEverything is as it was.", color=BLURPLE
)
DELETED: Final = MessageContent(
    head="### Deleted\nFinished matches show a former player who can't be traced to you; the "
    "others keep their results and ratings. Older messages in channels belong to their servers and "
    "may still mention you.\n"
    "For 30 days I keep only a code that doesn't say who you are, and with it who had blocked you. "
    "If you play again, you start from scratch; until then your matches are unrated, you can't "
    "challenge people who had blocked you, and I don't tell them what you ask at a table.",
    color=BLURPLE,
)


def policy_content(url: str | None) -> MessageContent:
    """The policy in short, with a link to the full one, if there is one."""
    links = () if url is None else ((Link(label="Read the full policy", url=url),),)
    return MessageContent(head=POLICY, rows=links, color=BLURPLE)


def question(held: Holdings, unrated_until: int | None = None) -> MessageContent:
    """The first question, with a list of what will be deleted.

    `unrated_until` is the Unix time until which an earlier deletion counts, if there was one.
    """
    lines = _consequences(held) if held.any else _nothing(unrated_until)
    return MessageContent(
        head="### Delete everything I keep about you?\n" + "\n".join(lines),
        foot="-# Want a copy first? Use `/privacy export`.",
        rows=((_button("Delete…", "ask", danger=True), _button("Keep everything", "keep")),),
        color=DANGER,
    )


def last_question(held: Holdings) -> MessageContent:
    """The second question."""
    lost = (
        f" You lose {counted(held.running, 'match', 'matches')} right away." if held.running else ""
    )
    return MessageContent(
        head=f"### Are you sure?\nNobody can undo this, not even the bot's owner.{lost}",
        rows=((_button("Delete it for good", "sure", danger=True), _button("Keep it", "keep")),),
        color=DANGER,
    )


def _nothing(unrated_until: int | None) -> list[str]:
    """The lines for a user who has no data of their own, with what an earlier deletion left.

    They are the same for all these users, to keep it secret whether others have blocked them or
    are about to be sent something about them.
    """
    last = (
        "I can still delete anything else about you, such as a message I was about to send. After "
        f"that, your matches are unrated for {'' if unrated_until is None else 'another '}30 days."
    )
    if unrated_until is None:
        return [NOTHING, last]
    left = (
        "You deleted everything. I keep a code that doesn't say who you are, until "
        f"{timestamp(unrated_until)}. Your matches are unrated until then."
    )
    return [f"{NOTHING} {left}", last]


def visibility(*, hidden: bool) -> str:
    """Whether the user is on leaderboards and in posts, and what that means."""
    if hidden:
        return (
            "You're **hidden**: you're on no leaderboard, and only you can see your `/stats` and "
            "`/history`. No post names you for puzzle streaks, the weekly digest or a season, and "
            "what others share leaves out your rating. Your ratings still count.\n"
            "While you're on vacation, only the tables of your slow matches say so, and I tell "
            "players there who nudge you; people who challenge you aren't told.\n"
            "To be shown again, use `/privacy visibility` and pick **Show me**."
        )
    return (
        "You're **visible**: you can be on the leaderboards of servers where you've finished "
        "matches or answered puzzles, and members there can see your `/stats` and `/history`. "
        "Posts there can name you: puzzle streaks, the weekly digest, first places of a season. "
        "What others share can show your rating.\n"
        "While you're on vacation, the tables of your slow matches and what I tell people who "
        "challenge you there say until when.\n"
        "To change this, use `/privacy visibility` and pick **Hide me**."
    )


def _consequences(held: Holdings) -> list[str]:
    lines = []
    if held.running:
        running = counted(held.running, "running match", "running matches")
        lines.append(f"- You resign from {running}.")
    if held.open:
        what = counted(held.open, "open challenge")
        lines.append(f"- {what} you made or joined: withdrawn, declined or left.")
    if held.ended:
        ended = counted(held.ended, "past match", "past matches")
        show = "it shows" if held.ended == 1 else "they show"
        lines.append(
            f"- {ended}: {show} a former player who can't be traced to you. The others keep "
            "their results."
        )
    if held.solo:
        solo = counted(held.solo, "solo match", "solo matches")
        lines.append(f"- {solo} (you against computers): deleted.")
    if held.unplayed:
        unplayed = counted(held.unplayed, "old challenge")
        lines.append(f"- {unplayed} that nobody played: your place shows a former player.")
    deleted = [
        words
        for kept, words in (
            (held.ratings, counted(held.ratings, "rating")),
            (held.blocked, "your block list"),
            (held.vacations, "your vacations"),
            (held.watched, "which matches you follow"),
            (held.lessons, "how far you are in lessons"),
            (held.puzzles, f"{counted(held.puzzles, 'answer')} to daily puzzles"),
            (held.shares, counted(held.shares, "post") + " you shared"),
            (held.chosen, "your settings"),
        )
        if kept
    ]
    if deleted:
        lines.append(f"- Gone: {listed(deleted)}.")
    if held.blocked:
        lines.append("- If you play again, people you blocked can challenge you again.")
    return lines


def _button(label: str, what: str, *, danger: bool = False) -> Button:
    press = Press(NO_MATCH, 0, "erase", what)
    return Button(label=label, press=press, style="danger" if danger else "secondary")


@anywhere
class Privacy(
    ActCog,
    commands.GroupCog,
    group_name="privacy",
    group_description="What I keep about you: see it, get it, delete it",
):
    @app_commands.command()
    async def policy(self, interaction: Interaction) -> None:
        """See what I keep about you, who sees it and for how long."""
        content = policy_content(self.services.reports.support.privacy)
        await self.services.delivery.answer_privately(interaction, content)

    @app_commands.command()
    async def export(self, interaction: Interaction) -> None:
        """Get everything I keep about you as a file, by direct message."""
        await self.services.data_export.export(interaction)

    @app_commands.command()
    async def delete(self, interaction: Interaction) -> None:
        """Delete everything I keep about you; I ask twice first."""
        export, user = self.services.data_export, interaction.user.id
        content = question(await export.holdings(user), await export.unrated_until(user))
        await self.services.delivery.answer_privately(interaction, content)

    @app_commands.command()
    @app_commands.describe(
        leaderboards="Whether leaderboards and posts show you; default: no change"
    )
    @app_commands.choices(leaderboards=choices_of({0: "Show me", 1: "Hide me"}))
    async def visibility(self, interaction: Interaction, leaderboards: int | None = None) -> None:
        """See or choose whether leaderboards and posts in channels show you."""
        audiences, user = self.services.visibility, interaction.user.id
        if leaderboards is None:
            hidden = await audiences.is_hidden(user)
        else:
            hidden = leaderboards == 1
            await audiences.hide(user, hidden=hidden)
        await self.services.delivery.answer_with_words(interaction, visibility(hidden=hidden))

    @act("erase")
    async def erase(self, interaction: Interaction, press: Press) -> None:
        match press.arg:
            case "ask":
                held = await self.services.data_export.holdings(interaction.user.id)
                content = last_question(held)
                await self.services.delivery.answer_in_place(interaction, content)
            case "keep":
                content = DELETED if await self._is_deleted(interaction) else NOTHING_DELETED
                await self.services.delivery.answer_in_place(interaction, content)
            case "sure":
                await self.services.erasure.carry_out(interaction, DELETED)
            case _:
                raise ButtonError("I don't know that button. Use `/privacy delete` again.")

    async def _is_deleted(self, interaction: Interaction) -> bool:
        """Whether everything was deleted since the question was sent.

        The answer to that click may have been lost, and left the question with its buttons.
        """
        message, user = interaction.message, interaction.user.id
        if message is None:
            return False
        asked_at = int(message.created_at.timestamp())
        return await self.services.data_export.was_deleted_since(user, asked_at)


async def setup(bot: Facedown) -> None:
    await bot.add_cog(Privacy(bot))
