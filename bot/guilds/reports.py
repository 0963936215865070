"""Reports about a problem or a person, sent to the bot's owner.

They're posted in a channel of the owner's and kept nowhere else: neither in a log nor in the
database.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import discord
import structlog

from bot.config import Support
from bot.errors import HurriedError, MatchError
from bot.messaging.content import MessageContent
from bot.messaging.delivery import Delivery
from bot.messaging.failures import UndeliveredError
from bot.rate_limit import RateLimit
from bot.text import BLANK, minutes

log = structlog.get_logger()

MIN_LENGTH: Final = 10
MAX_LENGTH: Final = 1000
REPORTS_AN_HOUR: Final = 3
COLOR: Final = 0xE67E22

THANKS: Final = (
    "Thank you! The bot's owner has your report and can see who wrote it and where, so they can "
    "answer you."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    number: int
    """The id of its interaction, used as nonce: a report that is delivered twice is posted once."""

    reporter: int
    text: str = field(repr=False)  # what people write must not be logged
    guild: int | None
    channel: int | None

    @classmethod
    def of(cls, interaction: discord.Interaction[Any], text: str) -> "Report":
        """The report of this command; MatchError if its text is too short, or has no words."""
        stripped = text.strip()
        has_words = any(c.isalnum() and c not in BLANK for c in stripped)
        if len(stripped) < MIN_LENGTH or not has_words:
            raise MatchError("Your report is too short. Say in a few words what's wrong.")
        return cls(
            number=interaction.id,
            reporter=interaction.user.id,
            text=stripped,
            guild=interaction.guild_id,
            channel=interaction.channel_id,
        )


class Reports:
    def __init__(self, delivery: Delivery, support: Support, now: Callable[[], float]) -> None:
        self._delivery = delivery
        self._allowance = RateLimit(REPORTS_AN_HOUR, now=now)
        self.support = support

    async def pass_on(self, report: Report) -> str:
        """Post the report for the bot's owner; returns what to tell its writer.

        HurriedError if they have sent too many.
        """
        channel = self.support.channel
        assert channel is not None  # without one there is no command
        self._count(report.reporter)
        try:
            await self._delivery.send(channel, report_content(report), str(report.number))
        except UndeliveredError as error:
            self._allowance.give_back(report.reporter)
            log.warning("report not delivered", report=report.number, why=error.failure.name)
            return f"Your report didn't reach the bot's owner. {self._what_else_to_do()}"
        return THANKS

    def where_to_report(self) -> str:
        """How to report a bug, up to what to give: "use `/report` and give"."""
        if self.support.channel is not None:
            return "use `/report` and give"
        if self.support.url is not None:
            return f"go to <{self.support.url}> and give"
        return "give the bot's owner"

    def _count(self, reporter: int) -> None:
        wait = self._allowance.take(reporter)
        if wait:
            raise HurriedError(
                f"You've sent {REPORTS_AN_HOUR} reports in an hour. Try again in {minutes(wait)}."
            )

    def _what_else_to_do(self) -> str:
        if self.support.url is None:
            return "Please try again later."
        return f"Please try again later, or go to <{self.support.url}>."


def report_content(report: Report) -> MessageContent:
    """A report as its readers see it, with the markup in its text escaped."""
    where = (
        "in direct messages"
        if report.guild is None
        else f"in <#{report.channel}> of server `{report.guild}`"
    )
    # discord.py doesn't escape within URLs, and one could contain the text of another link.
    # Elsewhere, it would search from each bracket for all ways in which a link could end.
    unlinked = report.text.replace("](", "]\u200b(")
    quoted = discord.utils.escape_markdown(unlinked).replace("\n", "\n> ")
    return MessageContent(
        head=f"### Report by <@{report.reporter}>\n> {quoted}",
        foot=f"-# `{report.reporter}` {where}",
        color=COLOR,
    )
