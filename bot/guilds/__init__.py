"""Servers and channels that come and go, and reports to the bot's owner."""
