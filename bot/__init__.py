"""The bot: everything that the games share, from settings and storage to matches and messages."""
