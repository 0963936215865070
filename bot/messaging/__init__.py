"""Content becomes messages of Discord: components, delivery, direct messages, files."""
