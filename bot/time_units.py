"""Units of time in seconds, the unit of all times in the bot."""

from typing import Final

HOUR_SECONDS: Final = 60 * 60
DAY_SECONDS: Final = 24 * HOUR_SECONDS
