"""Cogs: they turn slash commands and buttons into calls, and views into text and pictures."""
