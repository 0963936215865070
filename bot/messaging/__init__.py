"""Turns content into Discord messages: components, delivery, direct messages, files."""
