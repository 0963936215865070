"""For those who run the bot: health, shutdown, backup, the check of ratings."""
