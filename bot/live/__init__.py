"""Keeps the messages of every match in Discord at the truth."""
