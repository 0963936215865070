"""Keeps the Discord messages of every match up to date."""
