"""What was found out about an export, as a message."""

from bot.matches.verification import Finding
from bot.messaging.content import MessageContent
from bot.rendering.phrases import GONE, OVER


def finding_content(finding: Finding) -> MessageContent:
    """A line for each point, marked right or wrong, and the verdict on what could be read."""
    lines = [f"{'✅' if right else '❌'} {point}" for right, point in finding.points]
    if finding.is_read:
        not_ = "" if finding.is_true else "**not** "
        lines.append(f"This export is {not_}genuine.")
    return MessageContent(
        head="\n".join([f"### {finding.title}", *lines]),
        color=OVER if finding.is_true else GONE,
    )
