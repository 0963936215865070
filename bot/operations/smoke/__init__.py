"""`python -m bot smoke`: tries at the real Discord what the bot relies on, and says what holds."""

from bot.operations.smoke.command import add_to

__all__ = ["add_to"]
