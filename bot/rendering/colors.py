"""Accent colors of messages that don't show the state of a match."""

from typing import Final

BLURPLE: Final = 0x5865F2
GOLD: Final = 0xF1C40F
BLUE: Final = 0x3498DB
