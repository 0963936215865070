"""Leaderboards, profiles and histories, and who may see them."""
