"""Servers and channels that come and go, and reports to the owner of the bot."""
