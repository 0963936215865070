"""Texts with commands to be tapped, as somebody would type them: ids differ from run to run."""

import re

TAPPED = re.compile(r"</([a-z]+(?: [a-z]+)?):\d+>")


def typed(text):
    """A text with the commands of ours that can be tapped in it as `/name`."""
    return TAPPED.sub(r"`/\1`", text)
