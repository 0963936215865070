"""The colors at the edge of messages that stand for no state of a match."""

from typing import Final

BLURPLE: Final = 0x5865F2
GOLD: Final = 0xF1C40F
BLUE: Final = 0x3498DB
