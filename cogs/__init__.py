"""What translates: slash commands into calls of the bot, views into words and pictures."""
