"""For people who run the bot: health, shutdown, the commands of `python -m bot`."""
