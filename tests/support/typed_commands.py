"""Texts with links to commands, as people would type them: the ids differ from run to run."""

import re

TAPPED = re.compile(r"</([a-z]+(?: [a-z]+)?):\d+>")


def typed(text):
    """A text with each link to a command replaced by its name in backticks, such as `/help`."""
    return TAPPED.sub(r"`/\1`", text)
