"""What was found out about an export, as a message."""

from bot.matches.verification import Finding
from bot.messaging.content import MessageContent
from bot.rendering.phrases import GONE, OVER


def finding_content(finding: Finding) -> MessageContent:
    """A line for each point, marked right or wrong."""
    lines = [f"{'✅' if right else '❌'} {point}" for right, point in finding.points]
    verdict = "This export is genuine." if finding.is_true else "This export is **not** genuine."
    return MessageContent(
        head="\n".join([f"### {finding.title}", *lines, verdict]),
        color=OVER if finding.is_true else GONE,
    )
